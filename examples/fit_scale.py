"""Fits the scale of leaf values to games: how many pawns are worth how much here.

    python examples/fit_scale.py games.pgn --eval network

Without a file of games, it plays some between two players who take whatever they can.
"""

import argparse
from pathlib import Path

from obscuro.eval import Evaluator
from obscuro.eval.calibration import advantages, fit_scale
from obscuro.fow import BLACK, WHITE, Board, Game, read_games
from obscuro.players import GreedyPlayer, Limits


def greedy_game(seed: int) -> Game:
    """A game between two greedy players."""
    board = Board()
    players = {color: GreedyPlayer(seed=2 * seed + color) for color in (WHITE, BLACK)}
    for color, player in players.items():
        player.new_game(color)
        player.observe(board.observation(color))
    while board.outcome() is None:
        move = players[board.turn].choose(Limits()).move
        assert move is not None
        board.push(move)
        for color, player in players.items():
            player.observe(board.observation(color))
    return Game.from_board(board)


def main() -> None:
    """Prints the fit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="?", type=Path, help="a PGN file of finished games")
    parser.add_argument("--eval", default="simple", help="what values positions")
    parser.add_argument("--play", type=int, default=100, help="games to play without a file")
    given = parser.parse_args()
    games = read_games(given.games) if given.games else map(greedy_game, range(given.play))
    print(fit_scale(advantages(games, Evaluator(given.eval))))


if __name__ == "__main__":
    main()

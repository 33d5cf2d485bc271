"""The player that takes whatever it can."""

import chess
import pytest

from obscuro.errors import PlayerError
from obscuro.fow import Board
from obscuro.players import GreedyPlayer, Limits, Player, RandomPlayer, Result, make
from obscuro.players.greedy import gain


def choice(fen: str, seed: int = 0) -> dict[str, float]:
    """The moves among which it draws."""
    board = Board(fen)
    player = GreedyPlayer(seed)
    player.new_game(board.turn, fen)
    player.observe(board.observation(board.turn))
    decision = player.choose(Limits())
    assert decision.move is not None
    assert decision.move.uci() in decision.strategy
    assert sum(decision.strategy.values()) == pytest.approx(1)
    return dict(decision.strategy)


@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        # The queen rather than the rook, with the pawn rather than the bishop.
        ("4k3/8/8/3q1r2/2B1P3/8/8/4K3 w - - 0 1", {"e4d5"}),
        # The king before everything, by whatever means.
        ("3qk3/2P5/8/8/8/8/4Q3/4K3 w - - 0 1", {"e2e8"}),
        # A rook that is taken while promoting to a queen gains five and eight.
        ("3rk3/2P5/8/8/8/8/8/K7 w - - 0 1", {"c7d8q"}),
        # En passant gains a pawn.
        ("4k3/8/8/8/4pP2/8/8/4K3 b - f3 0 1", {"e4f3"}),
        # Nothing to be had: any move.
        ("k7/8/8/8/8/8/8/K7 w - - 0 1", {"a1a2", "a1b1", "a1b2"}),
        # Two rooks to be had by one and the same knight.
        ("k7/8/8/1r3r2/3N4/8/8/K7 w - - 0 1", {"d4b5", "d4f5"}),
    ],
)
def test_what_it_takes(fen: str, moves: set[str]) -> None:
    strategy = choice(fen)
    assert set(strategy) == moves
    assert all(p == pytest.approx(1 / len(moves)) for p in strategy.values())


def test_it_draws_among_equals_by_its_seed() -> None:
    board = Board()
    drawn = []
    for seed in (1, 1, 2, 3):
        player = make(f"greedy(seed={seed})")
        player.new_game(chess.WHITE)
        player.observe(board.observation(chess.WHITE))
        drawn.append([player.choose(Limits()).move for _ in range(8)])
    assert drawn[0] == drawn[1]
    assert drawn[1] != drawn[2]


def test_it_beats_the_random_player() -> None:
    won = 0
    for seed in range(6):
        board, color = Board(), bool(seed % 2)
        players: dict[chess.Color, Player] = {
            color: GreedyPlayer(seed),
            not color: RandomPlayer(seed),
        }
        for side, player in players.items():
            player.new_game(side)
            player.observe(board.observation(side))
        while not board.is_game_over():
            move = players[board.turn].choose(Limits()).move
            assert move is not None
            board.push(move)
            for side, player in players.items():
                player.observe(board.observation(side))
        outcome = board.outcome()
        won += outcome is not None and outcome.winner == color
        for player in players.values():
            player.game_over(Result(color, "king captured"))
            player.close()
    assert won >= 5


def test_errors() -> None:
    player = GreedyPlayer()
    player.new_game(chess.BLACK)
    with pytest.raises(PlayerError, match="observe comes first"):
        player.choose(Limits())
    player.observe(Board().observation(chess.BLACK))
    with pytest.raises(PlayerError, match="no legal move in sight"):
        player.choose(Limits())
    with pytest.raises(PlayerError, match="e7e5 is no move of a piece"):
        gain(chess.Move.from_uci("e7e5"), Board().observation(chess.WHITE))

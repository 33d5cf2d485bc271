"""The referee: the one who sees the board, and tells each player what they observe."""

from collections.abc import Mapping

import chess

from obscuro.errors import IllegalMoveError
from obscuro.fow import Board
from obscuro.players import Limits, Player, Result


def play_game(board: Board, players: Mapping[chess.Color, Player], limits: Limits) -> Result:
    """Plays a game to its end on `board`, which keeps the moves.

    Nothing but observations and the result reaches the players.
    """
    for color, player in players.items():
        player.new_game(color, board.root().fen())
        player.observe(board.observation(color))

    while (outcome := board.outcome()) is None:
        mover = board.turn
        move = players[mover].choose(limits).move
        if move is None:
            result = Result(not mover, f"{_name(mover)} resigned")
            break
        if not board.is_legal(move):
            raise IllegalMoveError(f"{_name(mover)} chose {move.uci()}, which is not legal")
        board.push(move)
        for color, player in players.items():
            player.observe(board.observation(color))
    else:
        result = Result(outcome.winner, outcome.termination.words)

    for player in players.values():
        player.game_over(result)
    return result


def _name(color: chess.Color) -> str:
    return chess.COLOR_NAMES[color].capitalize()

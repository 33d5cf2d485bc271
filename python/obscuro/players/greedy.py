"""A player who takes whatever they can."""

import random

import chess

from obscuro.errors import PlayerError
from obscuro.fow import STARTING_FEN, Observation
from obscuro.players.base import Decision, Limits, Result

VALUES = {
    chess.PAWN: 1,
    chess.KNIGHT: 3,
    chess.BISHOP: 3,
    chess.ROOK: 5,
    chess.QUEEN: 9,
    chess.KING: 1000,
}
"""What each piece counts for."""


class GreedyPlayer:
    """Takes the most valuable piece that they see, with the least valuable of their own.

    A promotion counts as the gain of the new piece. Among equals, and where nothing is to be won,
    a move is drawn at random.

    >>> from obscuro.fow import Board
    >>> board = Board("4k3/8/8/3q1r2/4P3/8/8/4K3 w - - 0 1")
    >>> player = GreedyPlayer(seed=1)
    >>> player.new_game(chess.WHITE, board.fen())
    >>> player.observe(board.observation(chess.WHITE))
    >>> player.choose(Limits()).move
    Move.from_uci('e4d5')
    """

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)
        self._observation: Observation | None = None

    def new_game(self, color: chess.Color, start: str = STARTING_FEN) -> None:
        """Forgets the last game."""
        self._observation = None

    def observe(self, observation: Observation) -> None:
        """Remembers what is seen now."""
        self._observation = observation

    def choose(self, limits: Limits) -> Decision:
        """Takes what gains most."""
        seen = self._observation
        moves = seen.legal_moves if seen else []
        if seen is None or not moves:
            raise PlayerError("asked for a move with no legal move in sight: observe comes first")
        gains = [gain(move, seen) for move in moves]
        best = [move for move, worth in zip(moves, gains, strict=True) if worth == max(gains)]
        strategy = {move.uci(): 1 / len(best) for move in best}
        return Decision(self._random.choice(best), strategy, {"gain": max(gains)[0]})

    def game_over(self, result: Result) -> None:
        """Is never sorry."""

    def close(self) -> None:
        """Has nothing to let go of."""


def gain(move: chess.Move, seen: Observation) -> tuple[int, int]:
    """What a legal move wins at once; for captures, also how little is risked for it.

    >>> from obscuro.fow import Board
    >>> gain(chess.Move.from_uci("e2e4"), Board().observation(chess.WHITE))
    (0, 0)
    """
    mover, victim = seen.piece_at(move.from_square), seen.piece_at(move.to_square)
    if mover is None:
        raise PlayerError(f"{move.uci()} is no move of a piece that the player has")
    won = VALUES[victim.piece_type] if victim else 0
    if mover.piece_type == chess.PAWN and move.to_square == seen.ep_square:
        won = VALUES[chess.PAWN]
    risked = -VALUES[mover.piece_type] if won else 0
    if move.promotion:
        won += VALUES[move.promotion] - VALUES[chess.PAWN]
    return won, risked

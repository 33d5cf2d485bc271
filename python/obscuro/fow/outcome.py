"""How a game ends."""

from dataclasses import dataclass
from enum import Enum

import chess


class Termination(Enum):
    """Why a game is over; the values are the words of an observation's text."""

    KING_CAPTURED = "king-captured"
    NO_MOVES = "no-moves"
    THREEFOLD_REPETITION = "threefold-repetition"
    FIFTY_MOVES = "fifty-moves"

    @property
    def words(self) -> str:
        """The reason in words.

        >>> Termination.NO_MOVES.words
        'no legal move'
        """
        return {
            Termination.KING_CAPTURED: "king captured",
            Termination.NO_MOVES: "no legal move",
            Termination.THREEFOLD_REPETITION: "threefold repetition",
            Termination.FIFTY_MOVES: "fifty moves without a capture or a pawn move",
        }[self]


@dataclass(frozen=True)
class Outcome:
    """The outcome of a finished game.

    >>> Outcome(Termination.NO_MOVES, chess.BLACK).result()
    '0-1'
    """

    termination: Termination
    """Why the game ended."""
    winner: chess.Color | None
    """Who won; `None` for a draw."""

    def result(self) -> str:
        """`1-0`, `0-1` or `1/2-1/2`."""
        return {True: "1-0", False: "0-1", None: "1/2-1/2"}[self.winner]

    @classmethod
    def from_core(cls, outcome: tuple[bool | None, str] | None) -> "Outcome | None":
        """The outcome as the native core gives it."""
        if outcome is None:
            return None
        winner, word = outcome
        return cls(Termination(word), winner)

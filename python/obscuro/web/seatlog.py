"""What one seat knows of its game: its observations and its own moves, nothing else.

This module never sees the board, and a test holds it to that.
"""

from dataclasses import dataclass, field

import chess

from obscuro.errors import GameOverError, MoveError, ObscuroError
from obscuro.fow.notation import parse_move
from obscuro.fow.observation import Observation


class NotYourTurnError(ObscuroError):
    """A move came from the player whose turn it is not."""


@dataclass
class SeatLog:
    """A seat's observations, one of the start and one after every ply, and its own moves.

    Attributes:
        color: Whose seat it is.
        observations: What the seat was given, the start first.
        moves: For each ply the seat's own move, or `None` where the opponent moved.

    >>> from obscuro.fow import Board
    >>> log = SeatLog(chess.WHITE)
    >>> log.begin(Board().observation(chess.WHITE))
    >>> log.plies, log.parse("Nf3").uci()
    (0, 'g1f3')
    """

    color: chess.Color
    observations: list[Observation] = field(default_factory=list)
    moves: list[chess.Move | None] = field(default_factory=list)

    def begin(self, observation: Observation) -> None:
        """Forgets everything; this is what the seat sees at the start."""
        self.observations = [observation]
        self.moves = []

    def append(self, own: chess.Move | None, observation: Observation) -> None:
        """One more ply: the own move, if it was one, and what is seen now."""
        self.moves.append(own)
        self.observations.append(observation)

    def cut(self, plies: int) -> None:
        """Forgets all but the first plies."""
        del self.moves[plies:]
        del self.observations[plies + 1 :]

    @property
    def plies(self) -> int:
        """How many plies were played."""
        return len(self.moves)

    @property
    def seen(self) -> Observation:
        """What the seat sees now."""
        return self.observations[-1]

    def parse(self, text: str) -> chess.Move:
        """The move that a text means to this seat; what is refused depends on what it sees."""
        if self.seen.outcome() is not None:
            raise GameOverError("the game is over")
        if self.seen.turn != self.color:
            raise NotYourTurnError("it is not your turn")
        if len(text) > _LONGEST_MOVE:
            raise MoveError("a move is written as Nf3 or g1f3")
        return parse_move(text, self.seen)


_LONGEST_MOVE = 12

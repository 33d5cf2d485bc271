"""What a player is given after every ply."""

import chess

from obscuro import _core
from obscuro.errors import ObservationError
from obscuro.fow import svg, text
from obscuro.fow.encoding import decode
from obscuro.fow.outcome import Outcome


class Observation:
    """What one player may know of a position, and what they are told of the last ply.

    An observation never depends on what is hidden. It is made by `Board.observation`, or read from
    its text: a fog FEN, then `captured SQUARE` if one of the own pieces was captured by the last
    ply, then `over RESULT REASON` if the game is over.

    >>> start = Observation(
    ...     "????????/????????/????????/????????/8/8/PPPPPPPP/RNBQKBNR w KQ - - 1", chess.WHITE)
    >>> len(start.legal_moves)
    20
    >>> Observation("????????/????????/????????/8/8/8/PPPPPPPP/RNBQKBNR w KQ - - 1", chess.WHITE)
    Traceback (most recent call last):
        ...
    obscuro.errors.ObservationError: a5 cannot be visible to White in "????????/...
    """

    __slots__ = ("_core",)

    def __init__(self, text: str, color: chess.Color) -> None:
        self._core = _core.FowObservation(text, color)

    @classmethod
    def from_core(cls, core: _core.FowObservation) -> "Observation":
        """Wraps an observation of the native core."""
        self = cls.__new__(cls)
        self._core = core
        return self

    @property
    def color(self) -> chess.Color:
        """Whose observation it is."""
        return self._core.color()

    @property
    def turn(self) -> chess.Color:
        """The side to move."""
        return self._core.turn()

    @property
    def fullmove_number(self) -> int:
        """The number of the move."""
        return self._core.fullmoves()

    @property
    def fog_fen(self) -> str:
        """A FEN of what the player may know, with `?` for fogged squares."""
        return self._core.fog_fen()

    @property
    def visible(self) -> chess.SquareSet:
        """The squares that are not in the fog."""
        return chess.SquareSet(self._core.visible())

    @property
    def captured(self) -> chess.Square | None:
        """Where the last ply captured one of the player's pieces."""
        return self._core.captured()

    @property
    def legal_moves(self) -> list[chess.Move]:
        """The player's legal moves; none unless it is their turn."""
        return [decode(number) for number in self._core.legal_moves()]

    @property
    def ep_square(self) -> chess.Square | None:
        """Where the player can capture en passant."""
        return self._core.en_passant_target()

    @property
    def castling_rights(self) -> chess.SquareSet:
        """The player's rooks that may still castle."""
        return chess.SquareSet(self._core.castling_rooks())

    def outcome(self) -> Outcome | None:
        """How the game ended, if it did."""
        return Outcome.from_core(self._core.outcome())

    def piece_at(self, square: chess.Square) -> chess.Piece | None:
        """The visible piece on a square; see `visible` for whether it is seen to be empty."""
        piece = self._core.piece_at(square)
        return piece and chess.Piece(*piece)

    def piece_map(self) -> dict[chess.Square, chess.Piece]:
        """The visible pieces by square."""
        return {s: piece for s in self.visible if (piece := self.piece_at(s)) is not None}

    def move_to(self, text: str) -> chess.Move:
        """The player's legal move in UCI notation.

        >>> from obscuro.fow import Board
        >>> Board().observation(chess.WHITE).move_to("e2e4")
        Move.from_uci('e2e4')
        """
        for move in self.legal_moves:
            if move.uci() == text:
                return move
        raise ObservationError(f"{text!r} is none of the legal moves in {self.fog_fen}")

    def draw(self, *, flip: bool | None = None) -> str:
        """The board as the player sees it, for a terminal; fogged squares are `░`.

        The player's own side is at the bottom unless `flip` says otherwise.
        """
        flip = self.color == chess.BLACK if flip is None else flip
        return text.draw(self, flip=flip)

    def svg(self, *, size: int | None = None, flip: bool | None = None) -> str:
        """The board as the player sees it, as an SVG picture."""
        flip = self.color == chess.BLACK if flip is None else flip
        return svg.draw(self, size=size, flip=flip)

    def _repr_svg_(self) -> str:
        return self.svg(size=390)

    def __str__(self) -> str:
        return str(self._core)

    def __repr__(self) -> str:
        return f"Observation({str(self)!r}, {self.color})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Observation) and self._core == other._core

    def __hash__(self) -> int:
        return hash(self._core)

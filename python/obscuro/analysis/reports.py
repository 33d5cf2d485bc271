"""What an analysis finds about one position of a game, as plain data.

Values are White's, in [-1, 1]. Numbers are rounded to what they are good for, so that what is
stored and read again is equal.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any, ClassVar

import chess
from pydantic import ConfigDict, TypeAdapter, ValidationError

from obscuro.errors import AnalysisError

Marginals = dict[str, dict[str, float]]
"""By piece symbol and square, the probability that it stands there; what is not there is 0."""

_STRICT = ConfigDict(extra="forbid")


@dataclass(frozen=True)
class MoveReport:
    """What a search found about a legal move.

    Attributes:
        move: In UCI notation.
        san: In SAN.
        probability: Its probability in the computed strategy.
        value: Its value given what the mover knows; `None` if the solver has not seen it.
        stable: Whether it was in the support all through the second half of the search.
        played: The probability that purification left it.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT
    move: str
    san: str
    probability: float
    value: float | None
    stable: bool
    played: float


@dataclass(frozen=True)
class SearchReport:
    """What the engine found on the mover's side, where it knows what the mover knew.

    Attributes:
        value: What the search expects of the game.
        moves: All legal moves, the most probable first.
        nodes: Of the tree.
        infosets: Of the tree.
        iterations: Of the solver.
        depth: The longest line, in plies.
        seconds: What it took.
        p_max: The largest probability to enter in Resolve; zero if the strategy is safe.
        gadget: The gadget in force at the end.
        sampled: Positions that were sampled from P.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT
    value: float
    moves: tuple[MoveReport, ...]
    nodes: int
    infosets: int
    iterations: int
    depth: int
    seconds: float
    p_max: float
    gadget: str
    sampled: int

    def move(self, uci: str) -> MoveReport | None:
        """What was found about a move."""
        return next((move for move in self.moves if move.move == uci), None)


@dataclass(frozen=True)
class PossibleBoard:
    """A position that a player considers possible.

    Attributes:
        epd: The position.
        weight: Its probability among those that were weighed.
        is_truth: Whether it is the true one.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT
    epd: str
    weight: float
    is_truth: bool


@dataclass(frozen=True)
class Place:
    """Where the true position stands in P, the likeliest first.

    The better a position is for the opponent, the likelier it counts: an opponent who plays well is
    more often there. Any likelihood that grows with the opponent's depth-1 value gives this order.

    Attributes:
        rank: From 1 on.
        of: |P|.
        estimated: Whether only a sample of P was compared.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT
    rank: int
    of: int
    estimated: bool

    @property
    def share(self) -> float:
        """The rank as a share: 0 is the likeliest position of P, 1 the least likely.

        >>> Place(rank=3, of=5, estimated=False).share
        0.5
        """
        return (self.rank - 1) / max(1, self.of - 1)


@dataclass(frozen=True)
class BeliefReport:
    """What a player can know of the board.

    Attributes:
        size: |P|.
        exactness: How the belief relates to P: `"exact"`, `"sample"` or `"guess"`.
        marginals: Of the opponent's pieces, all of P being equally likely.
        weighted: The same among the positions that the last search weighed, by their weights.
        boards: The likeliest of those, or positions of P where none were weighed.
        weighed: How many were weighed.
        truth_weight: The true position's weight; `None` if it was not weighed.
        truth_rank: Its place by weight among them.
        place: Its place in P.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT
    size: int
    exactness: str
    marginals: Marginals
    weighted: Marginals
    boards: tuple[PossibleBoard, ...]
    weighed: int
    truth_weight: float | None
    truth_rank: int | None
    place: Place


@dataclass(frozen=True)
class TruthReport:
    """What the true position is worth where nothing is hidden.

    Attributes:
        value: Its value by a search of full width that sees everything.
        depth: How many plies that looked ahead before quiescence; 0 where the game is over.
        best: A best move of it, in SAN; `None` where the game is over.
        played: What the next move of the game left of it, by the same search: never more for the
            mover. `None` after the last move.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT
    value: float
    depth: int
    best: str | None
    played: float | None


@dataclass(frozen=True)
class ChangeReport:
    """What the move that was played did to the depth-1 value where nothing is hidden.

    Attributes:
        truth: On the true board: the value of the move less that of the best move there.
        belief: The same on the boards that the mover's search weighed, by their weights.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT
    truth: float
    belief: float


@dataclass(frozen=True)
class PlyReport:
    """Everything about the position after so many plies.

    Attributes:
        ply: How many plies were played.
        fen: The true position.
        white_sees: White's fog FEN.
        black_sees: Black's fog FEN.
        truth: The value of the true position.
        search: What the engine found for the player to move; `None` where the game is over and
            where this player's side is not analysed.
        change: What the next move of the game did; `None` where there is none, or no search.
        white: What White can know; `None` where the game is over.
        black: What Black can know.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT
    ply: int
    fen: str
    white_sees: str
    black_sees: str
    truth: TruthReport
    search: SearchReport | None
    change: ChangeReport | None
    white: BeliefReport | None
    black: BeliefReport | None

    @property
    def turn(self) -> chess.Color:
        """Who is to move."""
        return self.fen.split()[1] == "w"

    def belief(self, color: chess.Color) -> BeliefReport | None:
        """What a player can know."""
        return self.white if color == chess.WHITE else self.black

    def sees(self, color: chess.Color) -> str:
        """A player's fog FEN."""
        return self.white_sees if color == chess.WHITE else self.black_sees

    def as_dict(self) -> dict[str, Any]:
        """The report as JSON takes it."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "PlyReport":
        """A report from its plain data.

        >>> truth = TruthReport(1.0, 0, None, None)
        >>> over = PlyReport(
        ...     3, "8/8/8/8/8/8/8/K7 b - - 0 2", "", "", truth, None, None, None, None)
        >>> PlyReport.from_dict(over.as_dict()) == over
        True
        >>> PlyReport.from_dict({**over.as_dict(), "ply": "third"})
        Traceback (most recent call last):
            ...
        obscuro.errors.AnalysisError: ply: Input should be a valid integer...
        """
        try:
            return _adapter().validate_python(data)
        except ValidationError as error:
            raise AnalysisError(first_fault(error)) from None


def first_fault(error: ValidationError) -> str:
    """Where the data is wrong, and what was expected there."""
    fault = error.errors(include_url=False, include_input=False, include_context=False)[0]
    place = ".".join(str(part) for part in fault["loc"])
    return f"{place}: {fault['msg']}" if place else fault["msg"]


@cache
def _adapter() -> TypeAdapter[PlyReport]:
    return TypeAdapter(PlyReport)

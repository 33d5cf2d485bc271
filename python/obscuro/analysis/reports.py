"""What an analysis finds, as plain data.

Values are White's, in [-1, 1]. Numbers are rounded to what they are good for, so that what is
stored and read again is equal.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

Marginals = Mapping[str, Mapping[str, float]]
"""By piece symbol and square, the probability that it stands there; what is not there is 0."""


@dataclass(frozen=True)
class MoveReport:
    """What a search found about a legal move.

    Attributes:
        move: In UCI notation.
        san: In SAN.
        probability: Its probability in the computed strategy.
        value: Its value given what the mover knows.
        stable: Whether it was in the support all through the second half of the search.
        played: The probability that purification left it.
    """

    move: str
    san: str
    probability: float
    value: float | None
    stable: bool
    played: float


@dataclass(frozen=True)
class SearchReport:
    """What the engine found on the mover's side, which knows what the mover knew.

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
        sampled: States that were sampled from P.
    """

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
        weight: Its probability among those that the last search weighed.
        is_truth: Whether it is the true one.
    """

    epd: str
    weight: float
    is_truth: bool


@dataclass(frozen=True)
class Place:
    """Where the true position stands in P, the best for the opponent first.

    An opponent who plays well is more often in positions that are good for them.

    Attributes:
        rank: From 1 on.
        of: |P|.
        estimated: Whether only a sample of P was compared.
    """

    rank: int
    of: int
    estimated: bool


@dataclass(frozen=True)
class BeliefReport:
    """What a player can know of the board.

    Attributes:
        size: |P|.
        exactness: How the belief relates to P: `"exact"`, `"sample"` or `"guess"`.
        marginals: Of the opponent's pieces, all of P being equally likely.
        weighted: The same among the positions that the last search weighed, by their weights.
        boards: The likeliest of those.
        weighed: How many those are.
        truth_weight: The true position's weight; `None` if the search did not consider it.
        truth_rank: Its place by weight among them.
        place: Its place in P.
    """

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
    """What the true position is worth if both players are shown it now, and the fog goes on.

    Attributes:
        value: Its value.
        nodes: Of the tree that was grown for it; 0 where the game is over.
    """

    value: float
    nodes: int


@dataclass(frozen=True)
class PlyReport:
    """Everything about the position after so many plies.

    Attributes:
        ply: How many plies were played.
        search: What the engine found for the player to move; `None` where the game is over.
        truth: The value of the true position.
        white: What White can know; `None` where the game is over.
        black: What Black can know.
    """

    ply: int
    search: SearchReport | None
    truth: TruthReport
    white: BeliefReport | None
    black: BeliefReport | None

    def as_dict(self) -> dict[str, Any]:
        """The report as JSON takes it."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "PlyReport":
        """A report from its plain data; a `KeyError` or `TypeError` if it is none.

        >>> report = PlyReport(3, None, TruthReport(1.0, 0), None, None)
        >>> PlyReport.from_dict(report.as_dict()) == report
        True
        """
        return cls(
            ply=data["ply"],
            search=_search(data["search"]),
            truth=TruthReport(**data["truth"]),
            white=_belief(data["white"]),
            black=_belief(data["black"]),
        )


def _search(data: Mapping[str, Any] | None) -> SearchReport | None:
    if data is None:
        return None
    moves = tuple(MoveReport(**move) for move in data["moves"])
    return SearchReport(**{**data, "moves": moves})


def _belief(data: Mapping[str, Any] | None) -> BeliefReport | None:
    if data is None:
        return None
    boards = tuple(PossibleBoard(**board) for board in data["boards"])
    return BeliefReport(**{**data, "boards": boards, "place": Place(**data["place"])})

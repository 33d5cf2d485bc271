"""What an analysis may spend, and from where on a loss is a mistake."""

from dataclasses import asdict, dataclass, replace
from typing import Any

from obscuro.errors import AnalysisError
from obscuro.players import EngineSettings, Limits
from obscuro.search import AgentSettings

# A move takes about a third of a second with these, and the same on every machine: one thread, and
# nodes in place of time.
_ENGINE = EngineSettings(
    search=AgentSettings(expanders=0, belief_cap=1_000_000),
    nodes=200_000,
    memory_mb=1024,
)


@dataclass(frozen=True)
class AnalysisSettings:
    """How a game is analysed.

    Attributes:
        engine: The engine that sits on both sides, with its limits for a move.
        truth_share: What the search of the true position may spend, as a share of those limits.
        boards: How many possible boards are listed for each side and ply.
        place_sample: Of how many positions of P the values are compared to find the true
            position's place.

    >>> AnalysisSettings().limits
    Limits(seconds=None, nodes=200000, clock=None)
    """

    engine: EngineSettings = _ENGINE
    truth_share: float = 0.25
    boards: int = 12
    place_sample: int = 1000

    def __post_init__(self) -> None:
        if not 0 < self.truth_share <= 1:
            raise AnalysisError(f"truth_share is {self.truth_share}, expected a share up to 1")
        for name in ("boards", "place_sample"):
            if getattr(self, name) < 1:
                raise AnalysisError(
                    f"{name} is {getattr(self, name)}, expected a number of at least 1"
                )

    @property
    def limits(self) -> Limits:
        """What the search of one ply may spend."""
        if self.engine.nodes is not None:
            return Limits(nodes=self.engine.nodes)
        return Limits(seconds=self.engine.seconds)

    def with_limits(self, limits: Limits) -> "AnalysisSettings":
        """The same with other limits for a ply: nodes, or else seconds.

        >>> AnalysisSettings().with_limits(Limits(seconds=2.0)).limits
        Limits(seconds=2.0, nodes=None, clock=None)
        """
        if limits.nodes is not None:
            return replace(self, engine=replace(self.engine, nodes=limits.nodes))
        if limits.seconds is not None:
            return replace(self, engine=replace(self.engine, nodes=None, seconds=limits.seconds))
        raise AnalysisError("a ply needs a limit: expected nodes or seconds")

    def as_dict(self) -> dict[str, Any]:
        """What a reader of the result should know, as plain data."""
        engine = self.engine
        return {
            "nodes": engine.nodes,
            "seconds": None if engine.nodes is not None else engine.seconds,
            "eval": engine.eval,
            "search": engine.search.as_dict(),
            "truth_share": self.truth_share,
            "boards": self.boards,
            "place_sample": self.place_sample,
        }


@dataclass(frozen=True)
class Thresholds:
    """From where on the review marks a move. Values are in [-1, 1], so the whole scale is 2.

    Attributes:
        inaccuracy: Loss from which a move is an inaccuracy.
        mistake: Loss from which it is a mistake.
        blunder: Loss from which it is a blunder.
        luck: Luck from which a move was lucky, or with the other sign unlucky.
        own: A move that the engine itself would play with this probability is never marked.

    >>> Thresholds().mark(0.25, probability=0.0), Thresholds().mark(0.25, probability=0.5)
    ('mistake', None)
    """

    inaccuracy: float = 0.1
    mistake: float = 0.2
    blunder: float = 0.4
    luck: float = 0.3
    own: float = 0.1

    def __post_init__(self) -> None:
        if not 0 < self.inaccuracy <= self.mistake <= self.blunder <= 2:
            raise AnalysisError(
                f"the thresholds are {self.inaccuracy}, {self.mistake} and {self.blunder}, "
                "expected them to grow, above 0 and up to 2"
            )
        if not 0 < self.luck <= 2 or not 0 <= self.own <= 1:
            raise AnalysisError(
                f"luck is {self.luck} and own {self.own}, expected up to 2, and a probability"
            )

    def mark(self, loss: float, *, probability: float) -> str | None:
        """What a move is called that loses so much and is played with this probability."""
        if probability >= self.own:
            return None
        for name in ("blunder", "mistake", "inaccuracy"):
            if loss >= getattr(self, name):
                return name
        return None

    def as_dict(self) -> dict[str, float]:
        """The thresholds by name."""
        return asdict(self)


DEFAULT_THRESHOLDS = Thresholds()
DEFAULT_SETTINGS = AnalysisSettings()

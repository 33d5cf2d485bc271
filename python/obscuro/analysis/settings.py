"""What an analysis may spend, and from where on a loss is a mistake."""

from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

import chess

from obscuro.errors import AnalysisError
from obscuro.players import EngineSettings, Limits
from obscuro.search import AgentSettings

Mark = Literal["inaccuracy", "mistake", "blunder"]
MARKS: tuple[Mark, ...] = ("inaccuracy", "mistake", "blunder")

# A move takes a second or two with these, and the result is the same on every machine: one thread,
# and nodes in place of time.
_ENGINE = EngineSettings(
    search=AgentSettings(expanders=0, belief_cap=1_000_000),
    nodes=100_000,
    memory_mb=1024,
)
_COLORS: dict[str, tuple[chess.Color, ...]] = {
    "both": (chess.WHITE, chess.BLACK),
    "white": (chess.WHITE,),
    "black": (chess.BLACK,),
}


@dataclass(frozen=True)
class AnalysisSettings:
    """How a game is analysed.

    Attributes:
        engine: The engine that sits on both sides, with its limits for a move.
        color: Whose moves are searched: `"white"`, `"black"` or `"both"`.
        truth_depth: Plies that the search of the true position looks ahead, before quiescence.
        boards: How many possible boards are listed for each side and ply.
        place_sample: Of how many positions of P the values are compared to find the true
            position's place.
        warm_up: How many own turns before it are searched as well when a ply is deepened, or an
            analysis goes on that was stored: the engine carries its tree from turn to turn.

    >>> AnalysisSettings().limits
    Limits(seconds=None, nodes=100000, clock=None)
    """

    engine: EngineSettings = _ENGINE
    color: str = "both"
    truth_depth: int = 3
    boards: int = 12
    place_sample: int = 300
    warm_up: int = 2

    def __post_init__(self) -> None:
        if self.color not in _COLORS:
            raise AnalysisError(f"color is {self.color!r}, expected white, black or both")
        for name, least in (("truth_depth", 1), ("boards", 1), ("place_sample", 1), ("warm_up", 0)):
            if getattr(self, name) < least:
                raise AnalysisError(
                    f"{name} is {getattr(self, name)}, expected a number of at least {least}"
                )

    @property
    def colors(self) -> tuple[chess.Color, ...]:
        """Whose moves are searched."""
        return _COLORS[self.color]

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

    def with_threads(self, threads: int) -> "AnalysisSettings":
        """The same in so many threads; with more than one, no two results are quite the same."""
        if threads < 1:
            raise AnalysisError(f"threads is {threads}, expected at least 1")
        search = replace(self.engine.search, expanders=threads - 1)
        return replace(self, engine=replace(self.engine, search=search))

    def as_dict(self) -> dict[str, Any]:
        """All settings, as plain data."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "AnalysisSettings":
        """Settings from their plain data.

        >>> AnalysisSettings.from_dict(AnalysisSettings().as_dict()) == AnalysisSettings()
        True
        """
        try:
            engine = dict(data["engine"])
            engine["search"] = AgentSettings(**engine["search"])
            return cls(**{**data, "engine": EngineSettings(**engine)})
        except (KeyError, TypeError, ValueError) as error:
            raise AnalysisError(f"settings: {type(error).__name__} {error}") from None


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

    def mark(self, loss: float, *, probability: float) -> Mark | None:
        """What a move is called that loses so much and is played with this probability."""
        if probability >= self.own:
            return None
        for name in reversed(MARKS):
            if loss >= getattr(self, name):
                return name
        return None

    def as_dict(self) -> dict[str, float]:
        """The thresholds by name."""
        return asdict(self)


DEFAULT_THRESHOLDS = Thresholds()
DEFAULT_SETTINGS = AnalysisSettings()

"""What an example of the paper is, and what comes out of it."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from obscuro.players.settings import EngineSettings


@dataclass(frozen=True)
class Options:
    """How the examples are searched.

    Attributes:
        settings: The engine's settings: evaluator, threads, seed and all switches.
        effort: Factor on the time of every search; 1 makes the whole suite take about a minute.

    >>> Options().effort
    1.0
    """

    settings: EngineSettings = field(default_factory=EngineSettings)
    effort: float = 1.0


@dataclass(frozen=True)
class Row:
    """A move, or whatever else has a probability or a value.

    Attributes:
        name: The move in algebraic notation.
        probability: How often it is played; `None` where that is no question.
        value: The value in [-1, 1] for the side that the example looks at, if known.
    """

    name: str
    probability: float | None
    value: float | None


@dataclass(frozen=True)
class Check:
    """A statement of the paper, and whether it held.

    Attributes:
        expected: The statement, with its bound.
        found: The number that it is about.
        held: Whether it is so.
    """

    expected: str
    found: float
    held: bool


@dataclass(frozen=True)
class Finding:
    """What came out of an example.

    Attributes:
        rows: The moves with their probabilities and values, likeliest first.
        checks: What the paper says about them.
        value: The value for the side that the example looks at, if it is one number.
    """

    rows: tuple[Row, ...]
    checks: tuple[Check, ...]
    value: float | None = None

    @property
    def held(self) -> bool:
        """Whether all of it came out as the paper says."""
        return all(check.held for check in self.checks)

    def as_dict(self) -> dict[str, Any]:
        """All of it as plain data."""
        return {**asdict(self), "held": self.held}


@dataclass(frozen=True)
class Example:
    """A position of the paper, and the question that is asked about it.

    Attributes:
        name: Its name on the command line.
        title: What it shows.
        source: Where the paper has it.
        search: Asks the question.
    """

    name: str
    title: str
    source: str
    search: Callable[[Options], Finding]


def at_least(expected: str, found: float, bound: float) -> Check:
    """A check that a number is no smaller than a bound.

    >>> at_least("d4 and c4 together at least 0.5", 0.6, 0.5).held
    True
    """
    return Check(expected, found, found >= bound)


def at_most(expected: str, found: float, bound: float) -> Check:
    """A check that a number is no larger than a bound.

    >>> at_most("d5 at most 0.05", 0.3, 0.05).held
    False
    """
    return Check(expected, found, found <= bound)

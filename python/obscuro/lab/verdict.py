"""What can be said of one of our figures beside the paper's: from the intervals alone."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from obscuro.match.statistics import Counts, Estimate, Z

EVEN = 0.5
"""The score of equals: what is above it is an advantage of the first player."""


def exactly(value: float) -> Estimate:
    """A number without an error.

    >>> exactly(9.0)
    Estimate(value=9.0, low=9.0, high=9.0)
    """
    return Estimate(value, value, value)


def difference(ours: Estimate, theirs: Estimate) -> Estimate:
    """Our number less the other one, with its interval.

    The errors are independent, and each side of an interval counts by itself (the method of
    variance estimates recovery), so that a bound of a match with no loss is taken for what it is.

    >>> print(difference(Estimate(0.5, 0.47, 0.53), Estimate(0.6, 0.56, 0.64)))
    -0.10 [-0.15, -0.05]
    """
    value = ours.value - theirs.value
    below = math.hypot(ours.value - ours.low, theirs.high - theirs.value)
    above = math.hypot(ours.high - ours.value, theirs.value - theirs.low)
    return Estimate(value, value - below, value + above)


def sign(ours: Estimate, theirs: float, *, middle: float = EVEN) -> str:
    """Whether our number is on the paper's side of the middle.

    >>> sign(Estimate(0.55, 0.52, 0.58), 0.58)
    'agrees in sign'
    >>> sign(Estimate(0.51, 0.47, 0.55), 0.58)
    'too wide to tell the sign'
    """
    if math.isnan(ours.value):
        return "not measured"
    if not ours.low > middle and not ours.high < middle:
        return "too wide to tell the sign"
    if theirs == middle or (ours.low > middle) != (theirs > middle):
        return "contradicts the paper in sign"
    return "agrees in sign"


def size(ours: Estimate, theirs: Estimate, *, percent: bool = False) -> str:
    """Whether our number differs from the paper's by more than the errors of both.

    >>> size(Estimate(0.55, 0.52, 0.58), Estimate(0.58, 0.55, 0.61), percent=True)
    'compatible in size (difference -3.0 [-7.2, +1.2] points)'
    >>> size(exactly(9), exactly(9))
    'equal'
    """
    if math.isnan(ours.value):
        return "not measured"
    found = difference(ours, theirs)
    if found.low == found.high:
        if found.value == 0:
            return "equal"
        return f"{'larger' if found.value > 0 else 'smaller'} by {_plain(abs(found.value))}"
    scale, unit = (100.0, " points") if percent else (1.0, "")
    numbers = [_signed(scale * number) for number in (found.value, found.low, found.high)]
    words = f"(difference {numbers[0]} [{numbers[1]}, {numbers[2]}]{unit})"
    if found.low > 0:
        return f"larger {words}"
    if found.high < 0:
        return f"smaller {words}"
    return f"compatible in size {words}"


def match_verdict(ours: Counts, theirs: Counts) -> str:
    """The verdict of a match: the sign of the advantage, and its size.

    >>> match_verdict(Counts(60, 10, 30), Counts(834, 33, 133))
    'agrees in sign, smaller (difference -20.1 [-29.1, -11.0] points)'
    >>> match_verdict(Counts(), Counts(834, 33, 133))
    'no game was played'
    """
    if not ours.games:
        return "no game was played"
    found, paper = ours.score_interval, theirs.score_interval
    return f"{sign(found, paper.value)}, {size(found, paper, percent=True)}"


@dataclass(frozen=True)
class Group:
    """Numbers that belong together and depend on each other: those of one game."""

    total: float
    number: int


def clustered_mean(groups: Sequence[Group]) -> Estimate:
    """The mean of all numbers, with an interval that takes groups, not numbers, as independent.

    >>> print(clustered_mean([Group(30.0, 10), Group(50.0, 10)]))
    4.00 [2.04, 5.96]
    """
    number = sum(group.number for group in groups)
    if not number:
        return Estimate(math.nan, math.nan, math.nan)
    mean = math.fsum(group.total for group in groups) / number
    count = len(groups)
    if count == 1:
        return Estimate(mean, -math.inf, math.inf)
    squares = math.fsum((group.total - mean * group.number) ** 2 for group in groups)
    error = Z * math.sqrt(squares * count / (count - 1)) / number
    return Estimate(mean, mean - error, mean + error)


def _signed(number: float) -> str:
    return f"{number:+,.1f}" if abs(number) < 1000 else f"{number:+,.0f}"


def _plain(number: float) -> str:
    return f"{number:,.0f}" if number == int(number) else f"{number:,.3g}"

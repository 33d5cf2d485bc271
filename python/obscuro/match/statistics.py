"""What the results of a match say: Elo with its error, normalised Elo, likelihood of superiority.

With pairs of games (same start, colours swapped) the pair is the unit: its five possible scores
make the *pentanomial*. A game whose partner is not finished is a unit of its own, as all games are
where there are no pairs: the *trinomial*.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import NormalDist
from typing import Protocol

import chess

CONFIDENCE = 0.95
Z = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)
ELO_PER_NAT = 400 / math.log(10)
# One unit of normalised Elo is a score of one standard deviation of a game, as 2 units of Elo.
_NORMALIZED = 2 * ELO_PER_NAT
_PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
_GAME_SCORES = (0.0, 0.5, 1.0)


class Scored(Protocol):
    """As much of a game as statistics need."""

    @property
    def pair(self) -> int:
        """The number of its pair."""
        ...

    def score(self, color: chess.Color) -> float:
        """Points of a side."""
        ...


@dataclass(frozen=True)
class Estimate:
    """A number with its 95 % interval.

    >>> print(Estimate(0.5, 0.4, 0.6))
    0.50 [0.40, 0.60]
    """

    value: float
    low: float
    high: float

    @property
    def error(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    def __str__(self) -> str:
        return f"{self.value:.2f} [{self.low:.2f}, {self.high:.2f}]"


def elo_of(score: float) -> float:
    """The difference in Elo that expects a score.

    >>> round(elo_of(0.64), 1), elo_of(0.5), elo_of(1.0)
    (100.0, 0.0, inf)
    """
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return ELO_PER_NAT * math.log(score / (1 - score))


def score_of(elo: float) -> float:
    """The score that a difference in Elo expects.

    >>> round(score_of(100), 3)
    0.64
    """
    return 1 / (1 + 10 ** (-elo / 400))


@dataclass(frozen=True)
class Counts:
    """Wins, draws and losses of one player, and what their pairs of games scored.

    Attributes:
        pairs: How many pairs scored 0, ½, 1, 1½ and 2.
        drawn_pairs: How many of the middle ones are two draws.

    >>> counts = Counts(wins=834, draws=33, losses=133)
    >>> round(counts.score, 4), round(counts.elo.value), round(counts.elo.error)
    (0.8505, 302, 29)
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)
    drawn_pairs: int = 0
    white_points: float = 0.0
    white_wins: int = 0
    black_wins: int = 0

    @property
    def games(self) -> int:
        """All games."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """Points of the player."""
        return self.wins + self.draws / 2

    @property
    def score(self) -> float:
        """Points per game; ½ without games."""
        return self.points / self.games if self.games else 0.5

    @property
    def draw_ratio(self) -> float:
        """The share of drawn games."""
        return self.draws / self.games if self.games else 0.0

    @property
    def white_score(self) -> float:
        """Points per game of whoever had White."""
        return self.white_points / self.games if self.games else 0.5

    @property
    def is_paired(self) -> bool:
        """Whether there are complete pairs, so that the pair is the unit."""
        return sum(self.pairs) > 0

    def unpaired(self) -> "Counts":
        """The same games, each for itself."""
        return replace(self, pairs=(0, 0, 0, 0, 0), drawn_pairs=0)

    @property
    def outcomes(self) -> tuple[Sequence[float], Sequence[int]]:
        """Scores between 0 and 1 of a unit, and how often each occurred."""
        if self.is_paired:
            return _PAIR_SCORES, self.pairs
        return _GAME_SCORES, (self.losses, self.draws, self.wins)

    @property
    def singles(self) -> tuple[int, int, int]:
        """How many games without a partner were lost, drawn and won."""
        if 2 * sum(self.pairs) == self.games:
            return 0, 0, 0
        both, decided = self.pairs, self.pairs[2] - self.drawn_pairs
        return (
            self.losses - 2 * both[0] - both[1] - decided,
            self.draws - both[1] - both[3] - 2 * self.drawn_pairs,
            self.wins - 2 * both[4] - both[3] - decided,
        )

    @property
    def score_interval(self) -> Estimate:
        """The score with its interval.

        The normal approximation, and where all games were won (or lost) the exact bound of the
        binomial distribution.
        """
        if not self.games:
            return Estimate(0.5, 0.0, 1.0)
        if self.wins == self.games or self.losses == self.games:
            bound = ((1 - CONFIDENCE) / 2) ** (1 / self.games)
            return Estimate(1.0, bound, 1.0) if self.wins else Estimate(0.0, 0.0, 1 - bound)
        error = Z * self._standard_error
        return Estimate(self.score, max(0.0, self.score - error), min(1.0, self.score + error))

    @property
    def elo(self) -> Estimate:
        """The difference in Elo with its interval."""
        score = self.score_interval
        return Estimate(elo_of(score.value), elo_of(score.low), elo_of(score.high))

    @property
    def normalized_elo(self) -> Estimate:
        """The difference in normalised Elo: the score in standard deviations of a game."""
        deviation = self._standard_error * math.sqrt(self.games)
        if deviation == 0:
            edge = math.inf if self.score > 0.5 else -math.inf
            value = 0.0 if self.score == 0.5 else edge
            return Estimate(value, -math.inf, math.inf)
        center = (self.score - 0.5) / deviation * _NORMALIZED
        error = Z / math.sqrt(self.games) * _NORMALIZED
        return Estimate(center, center - error, center + error)

    @property
    def superiority(self) -> float:
        """The likelihood that the player is the better one (LOS)."""
        if self.score == 0.5 or not self.games:
            return 0.5
        if self._standard_error == 0:
            return float(self.score > 0.5)
        return NormalDist().cdf((self.score - 0.5) / self._standard_error)

    @property
    def pairs_ratio(self) -> float:
        """Pairs won for every pair lost."""
        low, high = sum(self.pairs[:2]), sum(self.pairs[3:])
        if not low:
            return math.inf if high else math.nan
        return high / low

    @property
    def pair_draw_ratio(self) -> float:
        """The share of pairs that nobody won."""
        return self.pairs[2] / sum(self.pairs) if self.is_paired else math.nan

    @property
    def _standard_error(self) -> float:
        """Of the score: each pair, and each game without a partner, scatters by itself."""
        squares = sum(
            number * (2 * (score - self.score)) ** 2
            for score, number in zip(_PAIR_SCORES, self.pairs, strict=True)
        ) + sum(
            number * (score - self.score) ** 2
            for score, number in zip(_GAME_SCORES, self.singles, strict=True)
        )
        return math.sqrt(squares) / max(1, self.games)


def count(games: Iterable[tuple[Scored, chess.Color]]) -> Counts:
    """The counts of a player: its games, each with its colour."""
    wins = draws = losses = white_wins = black_wins = 0
    by_pair: dict[int, list[float]] = {}
    white_points = 0.0
    for game, color in games:
        score = game.score(color)
        white = game.score(chess.WHITE)
        wins, draws, losses = wins + (score == 1), draws + (score == 0.5), losses + (score == 0)
        white_wins, black_wins = white_wins + (white == 1), black_wins + (white == 0)
        white_points += white
        by_pair.setdefault(game.pair, []).append(score)
    pairs = [0] * 5
    drawn = 0
    for scores in by_pair.values():
        if len(scores) == 2:
            pairs[round(2 * sum(scores))] += 1
            drawn += scores == [0.5, 0.5]
    return Counts(
        wins,
        draws,
        losses,
        (pairs[0], pairs[1], pairs[2], pairs[3], pairs[4]),
        drawn,
        white_points,
        white_wins,
        black_wins,
    )


def mean_interval(values: Sequence[float]) -> Estimate:
    """The mean of independent values with its interval, by the normal approximation.

    >>> print(mean_interval([1.0, 2.0, 3.0]))
    2.00 [0.87, 3.13]
    """
    if not values:
        return Estimate(math.nan, math.nan, math.nan)
    mean = math.fsum(values) / len(values)
    if len(values) == 1:
        return Estimate(mean, -math.inf, math.inf)
    variance = math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
    error = Z * math.sqrt(variance / len(values))
    return Estimate(mean, mean - error, mean + error)


def wilson(successes: int, trials: int) -> Estimate:
    """A share with its interval by Wilson's formula, which holds for small numbers as well.

    >>> print(wilson(0, 10))
    0.00 [0.00, 0.28]
    """
    if not trials:
        return Estimate(math.nan, 0.0, 1.0)
    share = successes / trials
    scale = 1 + Z**2 / trials
    center = (share + Z**2 / (2 * trials)) / scale
    half = Z / scale * math.sqrt(share * (1 - share) / trials + Z**2 / (4 * trials**2))
    return Estimate(share, max(0.0, center - half), min(1.0, center + half))


def quantiles(values: Sequence[float], shares: Sequence[float]) -> Mapping[float, float]:
    """Quantiles by linear interpolation.

    >>> quantiles([1, 2, 3, 4], [0.5])
    {0.5: 2.5}
    """
    ordered = sorted(values)
    found = {}
    for share in shares:
        place = share * (len(ordered) - 1)
        low, high = next(
            ((a, b) for a, b in pairwise(ordered[int(place) : int(place) + 2])),
            (ordered[int(place)], ordered[int(place)]),
        )
        found[share] = low + (high - low) * (place - int(place))
    return found

"""The sequential probability ratio test: has one engine become better than the other?

The generalised SPRT: both hypotheses fix what the score is on average (or, in the normalised
model, how large it is in standard deviations), everything else about the distribution of the
results is fitted under each of them, and the logarithm of the ratio of the two likelihoods is
compared with two bounds.

The bayesian model is an older one: it knows single games only, their draws come from a draw Elo
that is fitted to the results, and its units are BayesElo.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from obscuro.errors import MatchError
from obscuro.match.statistics import Counts, score_of

MODELS = ("normalized", "logistic", "bayesian")
_NORMALIZED = 800 / math.log(10)
# What stands for a result that has not occurred yet, so that all likelihoods exist.
_NEVER = 1e-3
_ROUNDS = 30
_HALVINGS = 200


@dataclass(frozen=True)
class Sprt:
    """A test of Elo difference `elo0` against `elo1`, with its error probabilities.

    >>> test = Sprt(elo0=0, elo1=100)
    >>> print("%.2f %.2f" % test.bounds)
    -2.94 2.94
    >>> test.verdict(Counts(wins=40, losses=10, pairs=(0, 0, 10, 0, 15)))
    'H1'
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: str = "normalized"

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise MatchError(f"elo0={self.elo0:g} and elo1={self.elo1:g}: expected elo0 < elo1")
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value < 0.5:
                raise MatchError(f"{name}={value:g}: expected a probability between 0 and 0.5")
        if self.model not in MODELS:
            raise MatchError(f"model={self.model}: expected {' or '.join(MODELS)}")

    @property
    def bounds(self) -> tuple[float, float]:
        """The values of the ratio at which it is over."""
        low = math.log(self.beta / (1 - self.alpha))
        return low, math.log((1 - self.beta) / self.alpha)

    def llr(self, counts: Counts) -> float:
        """The logarithm of the likelihood ratio."""
        if self.model == "bayesian":
            return self._bayesian(counts)
        scores, numbers = counts.outcomes
        units = sum(numbers)
        if not units:
            return 0.0
        shares = [max(number, _NEVER) for number in numbers]
        total = sum(shares)
        shares = [share / total for share in shares]
        if self.model == "logistic":
            fitted = [_fit_mean(scores, shares, score_of(elo)) for elo in (self.elo0, self.elo1)]
        else:
            # A pair is two games: its mean is known √2 times better.
            per_unit = math.sqrt(2) if counts.is_paired else 1.0
            fitted = [
                _fit_ratio(scores, shares, elo / _NORMALIZED * per_unit)
                for elo in (self.elo0, self.elo1)
            ]
        before, after = fitted
        return total * math.fsum(
            share * math.log(b / a) for share, a, b in zip(shares, before, after, strict=True)
        )

    def _bayesian(self, counts: Counts) -> float:
        numbers = (counts.losses, counts.draws, counts.wins)
        if min(numbers) == 0:
            # No draw Elo makes such results likeliest.
            return 0.0
        loss, _, win = (number / counts.games for number in numbers)
        draw_elo = 200 * math.log10((1 - loss) / loss * (1 - win) / win)
        before, after = (_bayesian_shares(elo, draw_elo) for elo in (self.elo0, self.elo1))
        return math.fsum(
            number * math.log(b / a) for number, a, b in zip(numbers, before, after, strict=True)
        )

    def verdict(self, counts: Counts) -> str | None:
        """`"H0"` or `"H1"` once the test has decided, `None` as long as it goes on."""
        llr = self.llr(counts)
        low, high = self.bounds
        return "H0" if llr <= low else "H1" if llr >= high else None

    def __str__(self) -> str:
        kind = {"normalized": "nElo", "logistic": "Elo", "bayesian": "BayesElo"}[self.model]
        return (
            f"[{self.elo0:.2f}, {self.elo1:.2f}] {kind}, alpha {self.alpha:g}, beta {self.beta:g}"
        )


def _bayesian_shares(elo: float, draw_elo: float) -> tuple[float, float, float]:
    """How likely a loss, a draw and a win are."""
    loss, win = score_of(-elo - draw_elo), score_of(elo - draw_elo)
    return loss, 1 - loss - win, win


def _fit_mean(scores: Sequence[float], shares: Sequence[float], mean: float) -> list[float]:
    """The likeliest distribution with this mean, given the shares that were observed."""
    return _fit(shares, [score - mean for score in scores])


def _fit_ratio(scores: Sequence[float], shares: Sequence[float], ratio: float) -> list[float]:
    """The likeliest distribution whose mean is `ratio` standard deviations above one half.

    The condition is not linear; it is approached by linear ones around the last distribution. The
    first is one that fulfils it: of wins and losses alone, so many that it does.
    """
    win = 0.5 + ratio / (2 * math.sqrt(1 + ratio**2))
    fitted = [1 - win, *[0.0] * (len(scores) - 2), win]
    for _ in range(_ROUNDS):
        mean = sum(p * s for p, s in zip(fitted, scores, strict=True))
        variance = sum(p * (s - mean) ** 2 for p, s in zip(fitted, scores, strict=True))
        deviation = math.sqrt(variance)
        slopes = [
            s - 0.5 - ratio * deviation * (1 + ((s - mean) ** 2 / variance)) / 2 for s in scores
        ]
        last, fitted = fitted, _fit(shares, slopes)
        if max(abs(a - b) for a, b in zip(last, fitted, strict=True)) < 1e-12:
            break
    return fitted


def _fit(shares: Sequence[float], slopes: Sequence[float]) -> list[float]:
    """The likeliest distribution p with Σ p·slope = 0: shares / (1 + θ·slope) for the one θ."""
    low, high = min(slopes), max(slopes)

    def excess(theta: float) -> float:
        return sum(
            share * slope / (1 + theta * slope) for share, slope in zip(shares, slopes, strict=True)
        )

    theta = _root(excess, -1 / high, -1 / low)
    return [share / (1 + theta * slope) for share, slope in zip(shares, slopes, strict=True)]


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    """The zero of a falling function between its poles at `low` and `high`, by halving."""
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if function(middle) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2

"""Elo of a pool of players: ratings that make the expected points those that were scored.

With δ the difference in Elo of White and Black, White's advantage included, White is expected to
score 1 / (1 + 10^(-δ/400)) per game, a draw being half a point: for two players this is the Elo
that a match of theirs has. The intervals come from how the results scatter around it.

A weak prior (normal, around the anchor) keeps the rating of a player finite who has won all
games; it moves no rating that the games fix.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from obscuro.errors import MatchError
from obscuro.match.statistics import ELO_PER_NAT, Estimate, Z

PRIOR_ELO = 2000.0
"""The standard deviation of the prior of a rating."""

_STEPS = 500
_POINTS = np.array([1.0, 0.5, 0.0])


@dataclass(frozen=True)
class Meeting:
    """Games of White against Black: how many were won, drawn and lost by White.

    >>> Meeting("a", "b", wins=3, draws=1, losses=2).games
    6
    """

    white: str
    black: str
    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """All games."""
        return self.wins + self.draws + self.losses


@dataclass(frozen=True)
class Ratings:
    """The ratings of a pool.

    Attributes:
        elo: Of every player, with its interval relative to the anchor.
        anchor: Whose rating is fixed.
        white_advantage: In Elo.
        one_sided: Players who won, or lost, all their games: their rating is a bound, and depends
            on the prior.
        separate: Players whom no chain of games links to the anchor.
    """

    elo: dict[str, Estimate]
    anchor: str
    white_advantage: Estimate
    one_sided: frozenset[str]
    separate: frozenset[str]


def meetings(games: Iterable[tuple[str, str, float]]) -> list[Meeting]:
    """Games as (White, Black, points of White), counted.

    >>> meetings([("a", "b", 1.0), ("a", "b", 0.5)])
    [Meeting(white='a', black='b', wins=1, draws=1, losses=0)]
    """
    counts = Counter(games)
    met = sorted({(white, black) for white, black, _ in counts})
    return [Meeting(w, b, *(counts[w, b, points] for points in (1.0, 0.5, 0.0))) for w, b in met]


def rate(
    games: Sequence[Meeting], *, anchor: str | None = None, anchor_elo: float = 0.0
) -> Ratings:
    """The ratings of all players that met; the anchor has `anchor_elo` for certain.

    >>> games = [Meeting("a", "b", wins=30, losses=10), Meeting("b", "a", wins=10, losses=30)]
    >>> print("%.0f" % rate(games, anchor="b").elo["a"].value)
    191
    """
    names = sorted({name for game in games for name in (game.white, game.black)})
    if not names:
        raise MatchError("there are no games to rate")
    anchor = anchor or names[0]
    if anchor not in names:
        raise MatchError(f"the anchor {anchor!r} has no games; the players are {', '.join(names)}")
    model = _Model(games, names, anchor)
    parameters, covariance = model.maximum()
    errors = Z * np.sqrt(np.diag(covariance)) * ELO_PER_NAT
    elo = {}
    for name in names:
        place = model.place[name]
        if place is None:
            elo[name] = Estimate(anchor_elo, anchor_elo, anchor_elo)
        else:
            value = anchor_elo + float(parameters[place]) * ELO_PER_NAT
            elo[name] = Estimate(value, value - float(errors[place]), value + float(errors[place]))
    white, error = float(parameters[-1]) * ELO_PER_NAT, float(errors[-1])
    return Ratings(
        elo=dict(sorted(elo.items(), key=lambda entry: -entry[1].value)),
        anchor=anchor,
        white_advantage=Estimate(white, white - error, white + error),
        one_sided=_one_sided(games, names) - {anchor},
        separate=frozenset(names) - _linked(games, anchor),
    )


class _Model:
    """The expected points: a rating for every player but the anchor, and White's advantage."""

    def __init__(self, games: Sequence[Meeting], names: Sequence[str], anchor: str) -> None:
        others = [name for name in names if name != anchor]
        self.place: dict[str, int | None] = {anchor: None}
        self.place |= {name: index for index, name in enumerate(others)}
        self.size = len(others) + 1
        counts = [(game.wins, game.draws, game.losses) for game in games]
        self.counts: NDArray[np.float64] = np.array(counts, dtype=np.float64)
        # Row by row the parameters of which δ is the sum.
        self.delta = np.zeros((len(games), self.size))
        for row, game in enumerate(games):
            self.delta[row, -1] = 1
            for name, sign in ((game.white, 1), (game.black, -1)):
                if (place := self.place[name]) is not None:
                    self.delta[row, place] += sign
        self.prior = np.full(self.size, (PRIOR_ELO / ELO_PER_NAT) ** -2)

    def maximum(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The parameters, by Newton's method, and their covariance."""
        parameters = np.zeros(self.size)
        played = self.counts.sum(axis=1)
        points = self.counts @ _POINTS
        for _ in range(_STEPS):
            expected = self._expected(parameters)
            gradient = self.delta.T @ (points - played * expected) - self.prior * parameters
            step = np.linalg.solve(self._information(expected), gradient)
            # The likelihood is concave, but far from its top a full step can be too long.
            longest = float(np.max(np.abs(step)))
            parameters = parameters + step * min(1.0, 1.0 / max(longest, 1e-300))
            if longest < 1e-12:
                break
        expected = self._expected(parameters)
        # Draws scatter less than the model's wins and losses: what was seen counts.
        squares = (_POINTS[None, :] - expected[:, None]) ** 2
        scatter = (self.counts * squares).sum(axis=1)
        inverse = np.linalg.inv(self._information(expected))
        middle = (self.delta * scatter[:, None]).T @ self.delta + np.diag(self.prior)
        return parameters, np.asarray(inverse @ middle @ inverse, dtype=np.float64)

    def _expected(self, parameters: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(1 / (1 + np.exp(-(self.delta @ parameters))), dtype=np.float64)

    def _information(self, expected: NDArray[np.float64]) -> NDArray[np.float64]:
        weights = self.counts.sum(axis=1) * expected * (1 - expected)
        linear = self.delta * weights[:, None]
        return np.asarray(linear.T @ self.delta + np.diag(self.prior), dtype=np.float64)


def _one_sided(games: Sequence[Meeting], names: Sequence[str]) -> frozenset[str]:
    points = dict.fromkeys(names, 0.0)
    played = dict.fromkeys(names, 0)
    for game in games:
        points[game.white] += game.wins + game.draws / 2
        points[game.black] += game.losses + game.draws / 2
        played[game.white] += game.games
        played[game.black] += game.games
    return frozenset(name for name in names if points[name] in (0.0, float(played[name])))


def _linked(games: Sequence[Meeting], anchor: str) -> frozenset[str]:
    linked = {anchor}
    while True:
        pairs = [{game.white, game.black} for game in games if game.games]
        more = set().union(*(pair for pair in pairs if pair & linked)) | linked
        if more == linked:
            return frozenset(linked)
        linked = more

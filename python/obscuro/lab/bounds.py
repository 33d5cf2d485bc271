"""Bounds of the value of king against king: strategies, each checked by the best answer to it."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from obscuro.lab.chase import BESIDE, NEAR, PAIRS, Chase, Plan, Walk
from obscuro.lab.matrix_game import Growing, solve

T = TypeVar("T")

KEPT = 60
"""Plans of a mixture that are kept at most."""
SMALLEST = 1e-3
"""The smallest weight of a plan that is kept."""
TOLERANCE = 1e-3


@dataclass(frozen=True)
class Guarantee:
    """What the settler can make sure of, and how.

    Attributes:
        value: What it gets at least, whatever the other one does.
        plans: The mixture of plans that does it.
        weights: Their probabilities.
        best: More than this cannot be had by plans of the kind that was looked at.
    """

    value: float
    plans: tuple[Plan, ...]
    weights: tuple[float, ...]
    best: float


def check(chase: Chase, plans: Sequence[Plan], weights: Sequence[float]) -> float:
    """What a mixture of plans gets against its best answer."""
    return -chase.best_walk(plans, weights)[0]


def whole(chase: Chase, *, rounds: int, stopped: Callable[[], bool] = lambda: False) -> Guarantee:
    """The settler's guarantee among all plans, by the double oracle method.

    Each side's best answer to the other side's optimal mixture joins its choices, until neither
    gains by it, or for so many rounds.

    >>> import chess
    >>> found = whole(Chase(chess.C3, chess.A1, True, 6), rounds=50)
    >>> round(found.value, 6), round(found.best, 6)
    (0.5, 0.5)
    """
    plans = [min(_at_once(chase), key=lambda plan: chase.best_walk([plan], [1.0])[0])]
    walks = [chase.best_walk(plans, [1.0])[1]]
    payoffs = np.array([[chase.payoff(plans[0], walks[0])]])
    found = Guarantee(-math.inf, (), (), 1.0)
    for _ in range(rounds):
        _, mine, theirs = solve(payoffs)
        best, plan = chase.best_plan(*_support(walks, theirs))
        kept, weights = _support(plans, mine)
        value, walk = chase.best_walk(kept, weights)
        found = _better(found, -value, kept, weights, best)
        if found.best - found.value < TOLERANCE or stopped():
            break
        if plan not in plans:
            plans.append(plan)
            row = [chase.payoff(plan, other) for other in walks]
            payoffs = np.vstack([payoffs, [row]])
        if walk not in walks:
            walks.append(walk)
            column = [[chase.payoff(other, walk)] for other in plans]
            payoffs = np.hstack([payoffs, column])
    return found


def among(
    chase: Chase,
    plans: Sequence[Plan],
    *,
    rounds: int,
    stopped: Callable[[], bool] = lambda: False,
    smooth: float = 0.3,
) -> Guarantee:
    """The settler's guarantee among some plans, against all walks.

    The mixture is optimal against the walks that were found so far, or smoothed over the rounds;
    the best answer to it joins them.
    """
    payoffs = Payoffs(chase, plans)
    program = Growing(len(plans))
    program.add(payoffs.against(chase.best_walk([plans[0]], [1.0])[1]))
    found = Guarantee(-math.inf, (), (), 1.0)
    center: npt.NDArray[np.float64] | None = None
    for number in range(rounds):
        best, mine, _ = program.solve()
        center = mine if center is None else (1 - smooth) * center + smooth * mine
        kept, weights = _support(plans, mine if number % 4 == 3 else center, smallest=SMALLEST)
        value, walk = chase.best_walk(kept, weights)
        found = _better(found, -value, kept, weights, best)
        if found.best - found.value < TOLERANCE or stopped():
            break
        program.add(payoffs.against(walk))
    return found


class Payoffs:
    """What many plans get against a walk, at once."""

    def __init__(self, chase: Chase, plans: Sequence[Plan]) -> None:
        self._chase = chase
        self._walks = np.zeros((len(plans), chase.plies), dtype=np.int64)
        self._ends = np.array([plan.settles or chase.plies for plan in plans])
        self._pairs = np.array([plan.pair or (0, 0) for plan in plans])
        for place, plan in enumerate(plans):
            self._walks[place, : len(plan.walk)] = plan.walk
        self._near = np.array(NEAR)

    def against(self, walk: Walk) -> npt.NDArray[np.float64]:
        """The payoff of each plan."""
        found = np.full(len(self._ends), -1.0)
        going = np.ones(len(self._ends), dtype=bool)
        for ply in range(1, self._chase.plies):
            near = self._near[walk[ply]]
            mine = self._chase.is_settlers(ply)
            if mine:
                settle = going & (self._ends == ply)
                safe = ~near[self._pairs].any(axis=1)
                found[settle & safe] = 0.0
                going &= ~settle
            hit = going & near[self._walks[:, ply]]
            found[hit] = -1.0 if mine else 1.0
            going &= ~hit
        return found


def hunts(chase: Chase, steps: int) -> Iterator[Plan]:
    """Plans against a king on the first rank, for a king above it.

    It watches from the third rank, and then goes away, or steps onto the second rank and sweeps
    along it, there and back.
    """
    for walk in _watching(chase, steps):
        yield from _ending(chase, walk, lowest=2)
        if walk[-1] // 8 != 2:
            continue
        for step in BESIDE[walk[-1]]:
            if step // 8 != 1:
                continue
            for side in (-1, 1):
                yield from _sweeping(chase, [*walk, step], side)


def _watching(chase: Chase, steps: int) -> Iterator[list[int]]:
    """Own squares of the settler: so many steps at most along the third rank."""
    walks = [[chase.settler]]
    for _ in range(steps + 1):
        yield from walks
        walks = [[*walk, step] for walk in walks for step in BESIDE[walk[-1]] if step // 8 == 2]


def _sweeping(chase: Chase, walk: list[int], side: int) -> Iterator[Plan]:
    turned = False
    while True:
        yield from _ending(chase, walk, lowest=2)
        file = walk[-1] % 8 + side
        if not 0 <= file < 8:
            if turned:
                return
            turned, side = True, -side
            file = walk[-1] % 8 + side
        walk = [*walk, 8 + file]
        if _ply(chase, len(walk)) >= chase.plies:
            return


def _ending(chase: Chase, walk: list[int], *, lowest: int) -> Iterator[Plan]:
    """The plans that settle after a walk, away from the first ranks."""
    if _ply(chase, len(walk)) >= chase.plies:
        return
    for pair in PAIRS[walk[-1]]:
        if min(square // 8 for square in pair) >= lowest:
            yield Plan(_by_ply(chase, walk), pair)


def _ply(chase: Chase, number: int) -> int:
    """The ply of the settler's step with this number, counted from 1."""
    return 2 * number - 1 if chase.first else 2 * number


def _by_ply(chase: Chase, walk: Sequence[int]) -> Walk:
    """Own squares, one for each ply up to the one before the next own step."""
    squares = [walk[0]] if chase.first else [walk[0], walk[0]]
    for step in walk[1:]:
        squares += [step, step]
    return tuple(squares)


def _at_once(chase: Chase) -> list[Plan]:
    """The plans that settle at the first step."""
    walk = _by_ply(chase, [chase.settler])
    return [Plan(walk, pair) for pair in PAIRS[chase.settler]]


def _support(
    choices: Sequence[T], weights: npt.NDArray[np.float64], *, smallest: float = 1e-9
) -> tuple[list[T], list[float]]:
    """The choices that a mixture makes, the likeliest first, with weights that sum to one."""
    order = np.argsort(-weights)[:KEPT]
    order = order[weights[order] > smallest]
    total = weights[order].sum()
    return [choices[place] for place in order], [float(weights[place] / total) for place in order]


def _better(
    found: Guarantee, value: float, plans: list[Plan], weights: list[float], best: float
) -> Guarantee:
    best = min(best, found.best)
    if value <= found.value:
        return Guarantee(found.value, found.plans, found.weights, best)
    return Guarantee(value, tuple(plans), tuple(weights), best)

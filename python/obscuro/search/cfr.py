"""The CFR family on whole games."""

import math
import time
from collections.abc import Callable
from typing import Final, Literal, TypeAlias, get_args

from obscuro import _core
from obscuro.errors import StrategyError
from obscuro.games.base import AnyGame
from obscuro.search.exact import exploitability
from obscuro.search.sequence_form import Floats
from obscuro.search.solution import Point, Solution
from obscuro.search.strategy import Strategy
from obscuro.search.table import Table, as_table

Algorithm: TypeAlias = Literal["cfr", "cfr+", "dcfr", "pcfr+"]
ALGORITHMS: Final[tuple[str, ...]] = get_args(Algorithm)

DEFAULT_ITERATIONS: Final = 1000
"""Iterations that are made when nothing else ends a solve."""

# Each point of the history has this many times the iterations of the one before.
STRIDE = 1.2
# The core cannot hear an interrupt meanwhile.
UNHEARD_SECONDS = 0.2


def solve(
    game: AnyGame | Table,
    algorithm: Algorithm = "pcfr+",
    *,
    iterations: int | None = None,
    target: float | None = None,
    seconds: float | None = None,
    iterate: Literal["average", "last"] = "average",
    exponents: tuple[float, float, float] = (1.5, 0.0, 2.0),
    average_exponent: float | None = None,
    prune: bool = False,
    callback: Callable[[Point], object] | None = None,
) -> Solution:
    """Solves a game by playing it against itself.

    It ends after `iterations`, or `seconds`, or when the exploitability is at most `target`,
    whichever comes first; with none of them given, after 1000 iterations. The result does not
    depend on the machine unless `seconds` is what ends it.

    Args:
        game: The game, or its table.
        algorithm: `"cfr"` (Zinkevich et al. 2007), `"cfr+"` (Tammelin 2014), `"dcfr"` (Brown and
            Sandholm 2019), or `"pcfr+"` (Farina et al. 2021).
        iterations: Iterations to make; one updates both players, one after the other.
        target: Exploitability to reach, in the game's units.
        seconds: Time to spend on iterations.
        iterate: Which strategy is the result: the weighted average, whose exploitability
            provably falls to zero, or the last one.
        exponents: α, β and γ of discounted CFR; γ is the exponent of its average.
        average_exponent: Iteration t has weight tᵖ in the average; by default p is the one that is
            usual for the algorithm.
        prune: Whether to skip what the opponent never reaches. The results are the same.
        callback: Called with each point of the history as it is made.

    >>> from obscuro import games, search
    >>> solution = search.solve(games.load("kuhn_poker"), target=1e-6)
    >>> print(f"{solution.value:.4f}")
    -0.0556
    """
    if algorithm not in ALGORITHMS:
        raise StrategyError(f"algorithm is {algorithm!r}, expected one of {', '.join(ALGORITHMS)}")
    if iterate not in ("average", "last"):
        raise StrategyError(f"iterate is {iterate!r}, expected 'average' or 'last'")
    for name, limit in (("iterations", iterations), ("target", target), ("seconds", seconds)):
        if limit is not None and not limit > 0:
            raise ValueError(f"{name} must be above 0, not {limit}")
    if iterations is None and target is None and seconds is None:
        iterations = DEFAULT_ITERATIONS
    table = as_table(game)
    solver = _core.TableSolver(table._core, algorithm, exponents, average_exponent, prune)
    clock = _Clock(solver, seconds)
    history: list[Point] = []
    while True:
        done = solver.iterations()
        stride = max(done + 1, math.ceil(done * STRIDE))
        clock.run_to(stride if iterations is None else min(stride, iterations))
        strategies = {
            "average": Strategy(table, _pair(solver.average())),
            "last": Strategy(table, _pair(solver.current())),
        }
        found = exploitability(table, strategies[iterate])
        point = Point(solver.iterations(), clock.spent, found.value, found.mean)
        history.append(point)
        if callback is not None:
            callback(point)
        if (
            (iterations is not None and point.iterations >= iterations)
            or (target is not None and point.exploitability <= target)
            or clock.is_up()
        ):
            return Solution(
                algorithm=algorithm,
                strategy=strategies[iterate],
                value=point.value,
                exploitability=point.exploitability,
                history=tuple(history),
                last=strategies["last"],
            )


class _Clock:
    """Runs a solver in short pieces, and looks at the time between them."""

    def __init__(self, solver: _core.TableSolver, seconds: float | None) -> None:
        self.solver = solver
        self.seconds = seconds
        self.spent = 0.0

    def is_up(self) -> bool:
        """Whether the time is spent."""
        return self.seconds is not None and self.spent >= self.seconds

    def run_to(self, iterations: int) -> None:
        """Iterates up to a number, or until the time is spent."""
        while (done := self.solver.iterations()) < iterations and not self.is_up():
            left = iterations - done
            start = time.perf_counter()
            self.solver.run(max(1, min(left, self._piece(done))))
            self.spent += time.perf_counter() - start

    def _piece(self, done: int) -> int:
        if self.spent == 0.0:
            return 1
        wanted = UNHEARD_SECONDS
        if self.seconds is not None:
            wanted = min(wanted, self.seconds - self.spent)
        return int(done / self.spent * wanted)


def _pair(arrays: list[Floats]) -> tuple[Floats, Floats]:
    one, two = arrays
    return one, two

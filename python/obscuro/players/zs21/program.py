"""The linear program of a sequence form under a gadget, solved by HiGHS."""

import time
from dataclasses import dataclass

import highspy
import numpy as np
import numpy.typing as npt

from obscuro.errors import SolverError
from obscuro.players.zs21.gadget import Gadget
from obscuro.players.zs21.reduction import reduce
from obscuro.players.zs21.sequences import MOST_ACTIONS, Choice, Sequences, split
from obscuro.players.zs21.tree import Floats, Turn

Indices = npt.NDArray[np.int64]

# Where a game is decided, values differ by little, and ties are broken by a thousandth of that.
_TOLERANCE = 1e-9
_ENDS = (highspy.HighsModelStatus.kOptimal, highspy.HighsModelStatus.kTimeLimit)
_ACTIONS = np.arange(MOST_ACTIONS)
_PLUS = np.ones(MOST_ACTIONS)
_MINUS = -_PLUS
# What the solver leaves of a probability that is zero.
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Solution:
    """What a solved program tells.

    Attributes:
        margins: ▲'s value of each group beyond its alternate value.
        weights: How much ▼ plays each group.
        plans: The probability of every sequence of each choice, by the number of the choice: the
            product of the player's own probabilities.
        losses: At each infoset at which ▲ acts at the root, by its `id`, how much each action is
            worse than the best against ▼'s plan.
    """

    margins: Floats
    weights: Floats
    plans: list[Floats]
    losses: dict[int, Floats]


class Program:
    """▲'s best plan against a gadget, as a linear program.

    ▲ has a plan x. Every infoset of ▼ has a value, and every sequence of ▼ a row: what ▲ gets
    there with x and with the values of the infosets that follow is no less than the value of its
    own infoset. The row of a group is held against the alternate value. The prices of the rows are
    ▼'s plan.

    Columns: ▲'s sequences, the values of ▼'s infosets, then for each group the part of its margin
    below zero and the one above, and at last the smallest margin. Rows: ▼'s sequences, groups
    first, then ▲'s infosets.

    Attributes:
        columns: The number of variables.
        rows: The number of constraints.
        entries: The numbers in the matrix.
        seconds: What HiGHS has taken so far.
        iterations: The steps of its simplex algorithm so far.
    """

    def __init__(self, sequences: Sequences, gadget: Gadget) -> None:
        self._sequences = sequences
        self._gadget = gadget
        left, self._best = reduce(sequences)
        self._ours = [choice for choice in left if choice.turn == Turn.OURS]
        self._theirs = [c for c in left if c.turn == Turn.THEIRS and c.depth >= 0]
        self._groups = sequences.groups
        # So that a group's share of the objective is not lost among HiGHS' tolerances.
        self._scale = float(len(self._groups))
        self._values = _number(self._ours, 0)
        self._margin = self._values + len(self._theirs)
        self._infosets = _number([*self._groups, *self._theirs], 0)
        self.columns = self._margin + 2 * len(self._groups) + 1
        self.rows = self._infosets + len(self._ours)
        self.entries = 0
        self.seconds = 0.0
        self.iterations = 0
        self._solver = highspy.Highs()
        self._solver.silent()
        self._solver.setOptionValue("threads", 1)
        for kind in ("primal", "dual"):
            self._solver.setOptionValue(f"{kind}_feasibility_tolerance", _TOLERANCE)
        self._pass()

    def solve(self, *, maxmargin: bool, seconds: float | None = None) -> Solution | None:
        """Solves under Resolve or Maxmargin; nothing if the time does not suffice."""
        start = time.perf_counter()
        solver = self._solver
        self._set(maxmargin=maxmargin)
        # The limit counts from when the solver was made.
        limit = highspy.kHighsInf if seconds is None else solver.getRunTime() + max(seconds, 0.0)
        solver.setOptionValue("time_limit", limit)
        status = self._run()
        if status not in _ENDS:
            # From scratch and without presolving it is slower, and surer.
            solver.clearSolver()
            solver.setOptionValue("presolve", "off")
            status = self._run()
        self.seconds += time.perf_counter() - start
        if status == highspy.HighsModelStatus.kTimeLimit:
            return None
        if status != highspy.HighsModelStatus.kOptimal:
            raise SolverError(
                f"HiGHS ended with {solver.modelStatusToString(status)!r}, expected an optimum"
            )
        found = solver.getSolution()
        return self._read(
            np.array(found.col_value), np.array(found.row_dual), np.array(found.col_dual)
        )

    def _run(self) -> highspy.HighsModelStatus:
        _check(self._solver.run(), "the run")
        self.iterations += max(0, int(self._solver.getInfo().simplex_iteration_count))
        status: highspy.HighsModelStatus = self._solver.getModelStatus()
        return status

    def _pass(self) -> None:
        program = highspy.HighsLp()
        groups, infinity = len(self._groups), highspy.kHighsInf
        lower, upper = np.full(self.columns, -infinity), np.full(self.columns, infinity)
        lower[: self._values] = 0.0
        upper[self._margin : self._margin + groups] = 0.0
        lower[self._margin + groups : self._margin + 2 * groups] = 0.0
        left, right = np.zeros(self.rows), np.full(self.rows, infinity)
        left[:groups] = self._gadget.alternate
        right[self._infosets :] = 0.0
        # The empty sequence is always played.
        left[self._infosets] = right[self._infosets] = 1.0
        rows, columns, values = self._entries()
        self.entries = len(values)
        order = np.lexsort((columns, rows))
        program.sense_ = highspy.ObjSense.kMaximize
        program.num_col_, program.num_row_ = self.columns, self.rows
        program.col_cost_ = np.zeros(self.columns)
        program.col_lower_, program.col_upper_ = lower, upper
        program.row_lower_, program.row_upper_ = left, right
        program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        counts = np.bincount(rows, minlength=self.rows)
        program.a_matrix_.start_ = np.concatenate(([0], np.cumsum(counts))).astype(np.int32)
        program.a_matrix_.index_ = columns[order].astype(np.int32)
        program.a_matrix_.value_ = values[order]
        _check(self._solver.passModel(program), "the program")

    def _set(self, *, maxmargin: bool) -> None:
        """Sets what a margin is worth: in Maxmargin, the parts below zero are not used."""
        groups, prior = len(self._groups), self._gadget.prior
        places = np.arange(self._margin, self.columns, dtype=np.int32)
        costs = np.concatenate((prior, self._gadget.tie_break * prior, [float(maxmargin)]))
        costs *= self._scale
        infinity = np.full(groups, highspy.kHighsInf)
        free = [highspy.kHighsInf if maxmargin else 0.0]
        lower = np.concatenate((np.zeros(groups) if maxmargin else -infinity, 0 * prior, free))
        lower[-1] *= -1.0
        upper = np.concatenate((np.zeros(groups), infinity, free))
        size = len(places)
        _check(self._solver.changeColsCost(size, places, costs), "the costs")
        _check(self._solver.changeColsBounds(size, places, lower, upper), "the bounds")

    def _entries(self) -> tuple[Indices, Indices, Floats]:
        """Rows, columns and values of the matrix."""
        entries = _Entries()
        choices = self._sequences.choices
        for choice in (*self._groups, *self._theirs):
            rows = choice.first + _ACTIONS[: choice.size]
            for other, block in choice.moved.items():
                number, action = split(other)
                entries.add(rows, choices[number].first + action, block)
        for choice in self._ours:
            columns = choice.first + _ACTIONS[: choice.size]
            for other, block in choice.moved.items():
                number, action = split(other)
                entries.add(choices[number].first + action, columns, block)
        for place, choice in enumerate(self._theirs):
            number, action = split(choice.above)
            value = self._values + place
            entries.add(choice.first + _ACTIONS[: choice.size], value, _MINUS[: choice.size])
            entries.add(choices[number].first + action, value, _PLUS[:1])
        for place, choice in enumerate(self._ours):
            row = self._infosets + place
            entries.add(row, choice.first + _ACTIONS[: choice.size], _PLUS[: choice.size])
            if choice.depth >= 0:
                number, action = split(choice.above)
                entries.add(row, choices[number].first + action, _MINUS[:1])
        count = len(self._groups)
        groups, minus = np.arange(count), np.full(count, -1.0)
        entries.add(groups, self._margin + groups, minus)
        entries.add(groups, self._margin + count + groups, minus)
        entries.add(groups, self._margin + 2 * count, minus)
        return entries.arrays()

    def _read(self, values: Floats, prices: Floats, costs: Floats) -> Solution:
        """▲'s plan are variables, ▼'s are prices of rows."""
        choices = self._sequences.choices
        plans: list[Floats] = [np.zeros(0)] * len(choices)
        for choice in self._ours:
            plan = values[choice.first : choice.first + choice.size]
            plans[choice.number] = np.where(plan > _ROUNDING, plan, 0.0)
        for choice in (*self._groups, *self._theirs):
            # In a maximum the price of a row that holds from below is negative.
            plan = prices[choice.first : choice.first + choice.size] / -self._scale
            plans[choice.number] = np.where(plan > _ROUNDING, plan, 0.0)
        for choice, best in self._best:
            number, action = split(choice.above)
            plan = plans[choice.number] = np.zeros(choice.size)
            plan[best] = plans[number][action]
        groups = len(self._groups)
        below = values[self._margin : self._margin + groups]
        above = values[self._margin + groups : self._margin + 2 * groups]
        weights = np.array([plans[group.number][0] for group in self._groups])
        margins = np.asarray(below + above + values[-1])
        return Solution(margins, weights, plans, self._losses(costs, weights))

    def _losses(self, costs: Floats, weights: Floats) -> dict[int, Floats]:
        """What ▲ loses by each action at the root, which is its reduced cost."""
        reach: dict[int, float] = {}
        for weight, places in zip(weights, self._sequences.roots, strict=True):
            for place in places:
                if place.choice is not None:
                    key = id(place.node.ours)
                    reach[key] = reach.get(key, 0.0) + float(weight) * place.reach
        losses = {}
        for choice in self._ours:
            if choice.depth == 0 and reach.get(id(choice.infoset), 0.0) > 0.0:
                cost = costs[choice.first : choice.first + choice.size]
                losses[id(choice.infoset)] = -cost / (self._scale * reach[id(choice.infoset)])
        for choice, best in self._best:
            if choice.depth == 0 and choice.turn == Turn.OURS:
                ((_, payoffs),) = choice.moved.items()
                losses[id(choice.infoset)] = payoffs[best] - payoffs
        return losses


class _Entries:
    """Collects the numbers of a sparse matrix."""

    def __init__(self) -> None:
        self._rows: list[Indices] = []
        self._columns: list[Indices] = []
        self._values: list[Floats] = []

    def add(self, rows: Indices | int, columns: Indices | int, values: Floats) -> None:
        """Adds a column, or a row, or a part of one."""
        size = len(values)
        self._rows.append(np.full(size, rows) if isinstance(rows, int) else rows)
        self._columns.append(np.full(size, columns) if isinstance(columns, int) else columns)
        self._values.append(values)

    def arrays(self) -> tuple[Indices, Indices, Floats]:
        """All of them but zeros."""
        values = np.concatenate(self._values)
        kept = values != 0.0
        rows, columns = np.concatenate(self._rows)[kept], np.concatenate(self._columns)[kept]
        return rows, columns, values[kept]


def _check(status: highspy.HighsStatus, what: str) -> None:
    if status == highspy.HighsStatus.kError:
        raise SolverError(f"HiGHS refused {what}")


def _number(choices: list[Choice], first: int) -> int:
    """Gives the sequences of some choices their places, and tells the first one that is free."""
    for choice in choices:
        choice.first = first
        first += choice.size
    return first

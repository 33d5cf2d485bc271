"""Exact equilibria by linear programming."""

import time

import highspy
import numpy as np

from obscuro.errors import SolverError
from obscuro.games.base import AnyGame
from obscuro.search.exact import exploitability
from obscuro.search.sequence_form import Floats, SequenceForm
from obscuro.search.solution import Point, Solution
from obscuro.search.strategy import Strategy
from obscuro.search.table import Table, as_table

# Exploitability, in units of the largest payoff, that a solved program may leave: HiGHS keeps its
# constraints within 1e-7.
TOLERANCE = 1e-5


def equilibrium(game: AnyGame | Table) -> Solution:
    """An equilibrium by the sequence-form linear program (von Stengel 1996), solved by HiGHS.

    Exact up to rounding: the exploitability of the result is computed from the game, and more than
    a hundred-thousandth of the largest payoff is a `SolverError`. The time grows fast with
    the game: a few hundred infosets are quick, tens of thousands are hopeless.

    >>> from obscuro import games, search
    >>> solution = search.equilibrium(games.load("kuhn_poker"))
    >>> print(f"{solution.value * 18:.9f}")
    -1.000000000
    """
    table = as_table(game)
    form = table.sequence_form()
    start = time.perf_counter()
    plan, other_plan, iterations = _solve(form)
    seconds = time.perf_counter() - start
    strategy = Strategy(table, (_behaviour(form, 0, plan), _behaviour(form, 1, other_plan)))
    found = exploitability(table, strategy)
    if not found.mean <= TOLERANCE * table.max_payoff:
        raise SolverError(f"HiGHS' strategies are exploitable by {found.mean}: it lost precision")
    point = Point(iterations, seconds, found.value, found.mean)
    return Solution(
        algorithm="lp",
        strategy=strategy,
        value=found.value,
        exploitability=found.mean,
        history=(point,),
        last=strategy,
    )


def _solve(form: SequenceForm) -> tuple[Floats, Floats, int]:
    """Both players' plans, and HiGHS' iterations.

    Player 0 has a plan x, and v bounds from below what each infoset of player 1 leaves:
    max v₀ with Ex = e and Fᵀv ≤ Aᵀx. The prices of the last constraints are player 1's plan.
    """
    sequences, others = form.payoffs.shape
    infosets, bounds = form.constraints[0].shape[0], form.constraints[1].shape[0]
    program = highspy.HighsLp()
    program.sense_ = highspy.ObjSense.kMaximize
    program.num_col_ = sequences + bounds
    program.num_row_ = infosets + others
    cost = np.zeros(sequences + bounds)
    cost[sequences] = 1.0
    program.col_cost_ = cost
    free = np.full(bounds, highspy.kHighsInf)
    program.col_lower_ = np.concatenate((np.zeros(sequences), -free))
    program.col_upper_ = np.full(sequences + bounds, highspy.kHighsInf)
    program.row_lower_ = np.concatenate((form.right[0], np.full(others, -highspy.kHighsInf)))
    program.row_upper_ = np.concatenate((form.right[0], np.zeros(others)))
    own, theirs, payoffs = form.constraints[0], form.constraints[1], form.payoffs
    rows = np.concatenate((own.rows, infosets + theirs.columns, infosets + payoffs.columns))
    columns = np.concatenate((own.columns, sequences + theirs.rows, payoffs.rows))
    values = np.concatenate((own.values, theirs.values, -payoffs.values))
    order = np.lexsort((columns, rows))
    counts = np.bincount(rows, minlength=infosets + others)
    program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    program.a_matrix_.start_ = np.concatenate(([0], np.cumsum(counts))).astype(np.int32)
    program.a_matrix_.index_ = columns[order].astype(np.int32)
    program.a_matrix_.value_ = values[order]

    solver = highspy.Highs()
    solver.silent()
    _check(solver.passModel(program), "the program")
    _check(solver.run(), "the run")
    status = solver.getModelStatus()
    if status != highspy.HighsModelStatus.kOptimal:
        raise SolverError(f"HiGHS ended with {solver.modelStatusToString(status)!r}, not optimal")
    solution = solver.getSolution()
    plan = np.array(solution.col_value[:sequences])
    other_plan = np.array(solution.row_dual[infosets:])
    return plan, other_plan, int(solver.getInfo().simplex_iteration_count)


def _check(status: highspy.HighsStatus, what: str) -> None:
    if status == highspy.HighsStatus.kError:
        raise SolverError(f"HiGHS refused {what}")


def _behaviour(form: SequenceForm, player: int, plan: Floats) -> Floats:
    """The probabilities of actions that make a plan; uniform where it never comes."""
    constraints = form.constraints[player]
    height, width = constraints.shape
    own = (constraints.values > 0) & (constraints.rows > 0)
    infoset = np.zeros(width, dtype=np.int64)
    infoset[constraints.columns[own]] = constraints.rows[own]
    # What the solver leaves below zero is rounding.
    plan = np.maximum(plan, 0.0)
    reach = np.bincount(infoset, weights=plan, minlength=height)[infoset]
    actions = np.bincount(infoset, minlength=height)[infoset]
    played = reach > 1e-12
    behaviour = np.where(played, plan / np.where(played, reach, 1.0), 1.0 / actions)
    behaviour[0] = 1.0
    return np.asarray(behaviour, dtype=np.float64)

"""Zero-sum games in matrix form, and a linear program that grows by the opponent's answers."""

import highspy
import numpy as np
import numpy.typing as npt

from obscuro.errors import SolverError

Floats = npt.NDArray[np.float64]


def solve(payoffs: Floats) -> tuple[float, Floats, Floats]:
    """The value of a matrix game for the rows' player, and optimal strategies of both.

    >>> value, rows, columns = solve(np.array([[1.0, -1.0], [-1.0, 1.0]]))
    >>> abs(round(value, 9)), rows.tolist(), columns.tolist()
    (0.0, [0.5, 0.5], [0.5, 0.5])
    """
    game = Growing(payoffs.shape[0])
    for column in payoffs.T:
        game.add(column)
    return game.solve()


class Growing:
    """A matrix game whose rows are given, and whose columns come one after the other.

    Each solution starts from the last one.
    """

    def __init__(self, rows: int) -> None:
        self._rows = rows
        program = highspy.HighsLp()
        program.sense_ = highspy.ObjSense.kMaximize
        program.num_col_, program.num_row_ = rows + 1, 1
        cost = np.zeros(rows + 1)
        cost[rows] = 1.0
        program.col_cost_ = cost
        program.col_lower_ = np.append(np.zeros(rows), -highspy.kHighsInf)
        program.col_upper_ = np.full(rows + 1, highspy.kHighsInf)
        program.row_lower_ = program.row_upper_ = np.ones(1)
        program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        program.a_matrix_.start_ = np.array([0, rows], dtype=np.int32)
        program.a_matrix_.index_ = np.arange(rows, dtype=np.int32)
        program.a_matrix_.value_ = np.ones(rows)
        self._solver = highspy.Highs()
        self._solver.silent()
        _check(self._solver.passModel(program))

    def add(self, column: Floats) -> None:
        """One more choice of the columns' player: the payoffs of all rows against it."""
        places = np.append(np.flatnonzero(column), self._rows).astype(np.int32)
        values = np.append(column[column != 0], -1.0)
        _check(self._solver.addRow(0.0, highspy.kHighsInf, len(places), places, values))

    def solve(self) -> tuple[float, Floats, Floats]:
        """The value, and optimal strategies of both."""
        _check(self._solver.run())
        status = self._solver.getModelStatus()
        if status != highspy.HighsModelStatus.kOptimal:
            words = self._solver.modelStatusToString(status)
            raise SolverError(f"HiGHS ended with {words!r}, not optimal")
        solution = self._solver.getSolution()
        return (
            float(solution.col_value[self._rows]),
            _distribution(np.array(solution.col_value[: self._rows])),
            _distribution(np.abs(np.array(solution.row_dual[1:]))),
        )


def _check(status: highspy.HighsStatus) -> None:
    if status == highspy.HighsStatus.kError:
        raise SolverError("HiGHS refused the program of a matrix game")


def _distribution(weights: Floats) -> Floats:
    """What the solver leaves below zero is rounding."""
    positive = np.maximum(weights, 0.0)
    return np.asarray(positive / positive.sum(), dtype=np.float64)

"""The sequence form of a game, as arrays for other programs."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from obscuro import _core

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.uint32]


@dataclass(frozen=True, eq=False)
class SparseMatrix:
    """A sparse matrix as parallel arrays, sorted by row and then by column.

    >>> matrix = SparseMatrix((2, 3), np.array([0, 1, 1]), np.array([2, 0, 1]), np.ones(3))
    >>> matrix.dense()
    array([[0., 0., 1.],
           [1., 1., 0.]])
    >>> [part.tolist() for part in matrix.csr()]
    [[1.0, 1.0, 1.0], [2, 0, 1], [0, 1, 3]]
    """

    shape: tuple[int, int]
    rows: Indices
    columns: Indices
    values: Floats

    def dense(self) -> Floats:
        """The matrix with its zeros."""
        full = np.zeros(self.shape)
        # Not an assignment: a place may be named twice.
        np.add.at(full, (self.rows, self.columns), self.values)
        return full

    def csr(self) -> tuple[Floats, npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Values, columns and row starts, as `scipy.sparse.csr_array` takes them."""
        counts = np.bincount(self.rows, minlength=self.shape[0])
        starts = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
        return self.values, self.columns.astype(np.int64), starts


@dataclass(frozen=True, eq=False)
class SequenceForm:
    """A game as matrices (von Stengel 1996).

    A *plan* gives each sequence the product of the probabilities of its actions. Plans x and y are
    in equilibrium if they solve max over x of min over y of xᵀAy with Ex = e, Fy = f, x, y ≥ 0.

    Attributes:
        payoffs: A: player 0's expected payoffs, by the sequences of player 0 (rows) and player 1.
        constraints: E and F. Row 0 says that the empty sequence has probability one, row 1 + j
            that the sequences of infoset j sum to the sequence that leads to it.
        right: e and f: one, and then zeros.

    >>> from obscuro import games, search
    >>> form = search.Table(games.load("kuhn_poker")).sequence_form()
    >>> form.payoffs.shape, form.constraints[0].shape
    ((13, 13), (7, 13))
    """

    payoffs: SparseMatrix
    constraints: tuple[SparseMatrix, SparseMatrix]
    right: tuple[Floats, Floats]

    @classmethod
    def of(cls, table: _core.Table) -> "SequenceForm":
        """The sequence form of a table of the core."""
        payoffs, (one, two) = table.sequence_form()
        constraints = (_matrix(one), _matrix(two))
        right = (_right(constraints[0].shape[0]), _right(constraints[1].shape[0]))
        return cls(_matrix(payoffs), constraints, right)


def _matrix(parts: tuple[int, int, Indices, Indices, Floats]) -> SparseMatrix:
    height, width, rows, columns, values = parts
    return SparseMatrix((height, width), rows, columns, values)


def _right(height: int) -> Floats:
    right = np.zeros(height)
    right[0] = 1.0
    return right

"""The values of all children of a position."""

import math
import os
from collections.abc import Callable
from typing import TypeAlias

import chess

from obscuro import _core
from obscuro.errors import SearchError
from obscuro.eval.network import Network
from obscuro.fow import Board
from obscuro.fow.encoding import decode

Statics: TypeAlias = "str | os.PathLike[str] | Network | Callable[[Board], float]"
"""What values a single position, without looking ahead.

`"network"` is the network that comes with the package, `"simple"` counts material and visible
squares, `"zero"` knows nothing but king capture; the path of a network's file, or a `Network`; a
function that gives the advantage of the side to move in pawns.
"""

DEFAULT_DEPTH = 8
DEFAULT_SCALE = 2.0

_WIN = 1 << 20
# A decided game is worth more than any that is not.
_MOST = 1.0 - 2.0**-20


def squash(pawns: float, scale: float = DEFAULT_SCALE) -> float:
    """The value in [-1, +1] of an advantage: tanh(pawns / scale).

    Half the sum of 1 and the value is the chance to win of the logistic model of chess ratings.
    Only a decided game, an infinite advantage, is worth exactly -1 or +1.

    >>> round(squash(2.0), 3), squash(0.0), squash(math.inf)
    (0.762, 0.0, 1.0)
    """
    if not (scale > 0 and math.isfinite(scale)):
        raise SearchError(f"the scale must be a positive number of pawns, found {scale}")
    if math.isinf(pawns):
        return math.copysign(1.0, pawns)
    return min(max(math.tanh(pawns / scale), -_MOST), _MOST)


class Evaluator:
    """Values the children of positions by a depth-1 search with quiescence.

    A child is worth what the side to move at the position can expect of it, in [-1, +1]: capturing
    the king is +1; a move after which the own king can be taken is -1, and a side that has no other
    moves has lost; everything else is squashed (see `squash`) from what captures and promotions
    lead to. One thread's own.

    Args:
        statics: What values the positions where captures end.
        depth: The most plies of captures, 0 to 32.
        scale: The advantage in pawns that is worth tanh(1) = 0.76.
        cache_bits: Remembers the scores of 2 to the power of this many children.

    >>> board = Board("4k3/8/8/3n4/4P3/8/8/4K3 w - - 0 1")
    >>> values = Evaluator("simple").children(board)
    >>> round(values[chess.Move.from_uci("e4d5")], 3)
    0.493
    """

    def __init__(
        self,
        statics: Statics = "network",
        *,
        depth: int = DEFAULT_DEPTH,
        scale: float = DEFAULT_SCALE,
        cache_bits: int | None = None,
    ) -> None:
        self.statics = statics
        self.scale = scale
        for name, number, most in (("depth", depth, 32), ("cache_bits", cache_bits, 28)):
            if number is not None and not 0 <= number <= most:
                raise SearchError(f"{name} is {number}, expected a number from 0 to {most}")
        self._core = _core.FowValues(
            _core_statics(statics), depth=depth, scale=scale, cache_bits=cache_bits
        )

    def children(self, board: Board) -> dict[chess.Move, float]:
        """The value of every child for the side to move; none if there is no move."""
        return self._by_move(board, self._core.values(board._core))

    def pawns(self, board: Board) -> dict[chess.Move, float]:
        """The advantage, in pawns, that the values are made of; infinite if it is decided.

        >>> board = Board("4k3/4Q3/8/8/8/8/8/4K3 w - - 0 1")
        >>> pawns = Evaluator("simple").pawns(board)
        >>> [(uci, pawns[chess.Move.from_uci(uci)]) for uci in ("e7e8", "e7e4", "e7f7")]
        [('e7e8', inf), ('e7e4', 10.04), ('e7f7', -0.12)]
        """
        return self._by_move(
            board, [self._pawns(score) for score in self._core.scores(board._core)]
        )

    def static(self, board: Board) -> float:
        """What `statics` says of the position itself, in pawns for the side to move.

        >>> Evaluator("simple").static(Board())
        0.0
        """
        return self._core.static_score(board._core) / self._core.units_per_pawn()

    def _pawns(self, score: int) -> float:
        if abs(score) >= _WIN:
            return math.copysign(math.inf, score)
        return score / self._core.units_per_pawn()

    def _by_move(self, board: Board, numbers: list[float]) -> dict[chess.Move, float]:
        moves = [decode(number) for number in board._core.legal_moves()]
        return dict(zip(moves, numbers, strict=True))

    def __repr__(self) -> str:
        return f"Evaluator({self.statics!r})"


def children(
    board: Board,
    statics: Statics = "network",
    *,
    depth: int = DEFAULT_DEPTH,
    scale: float = DEFAULT_SCALE,
) -> dict[chess.Move, float]:
    """The value of every child of a position for the side to move; see `Evaluator`.

    For many positions an `Evaluator` is faster.

    >>> values = children(Board("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"), "zero")
    >>> {move.uci(): value for move, value in values.items() if value}
    {'e1d2': -1.0, 'e1f2': -1.0}
    """
    return Evaluator(statics, depth=depth, scale=scale).children(board)


def _core_statics(
    statics: Statics,
) -> "_core.Network | str | Callable[[_core.FowBoard], float]":
    """The statics as the core takes them."""
    if isinstance(statics, Network):
        return statics._core
    if isinstance(statics, (str, os.PathLike)):
        if statics in ("simple", "zero"):
            return str(statics)
        if statics == "network":
            return Network.default()._core
        path = os.fspath(statics)
        if not os.path.lexists(path) and isinstance(statics, str) and os.sep not in path:
            raise SearchError(
                f'there is no evaluator {path!r}, nor a file of that name; expected "network", '
                '"simple", "zero" or the file of a network'
            )
        return Network.open(path)._core
    if not callable(statics):
        raise SearchError(
            f'the evaluator is {statics!r}, expected "network", "simple", "zero", the file of a '
            "network, or a function"
        )
    function = statics
    return lambda core: function(Board.from_core(core))

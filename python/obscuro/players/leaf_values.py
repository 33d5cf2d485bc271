"""The leaf values of the search, for players that value positions by themselves."""

from collections.abc import Sequence

from obscuro import _core
from obscuro.eval import Evaluator
from obscuro.fow import Board


def evaluator(name: str) -> _core.FowValues:
    """What values the children of a position, by the names of `EngineSettings.eval`.

    >>> len(evaluator("simple").values(Board()._core))
    20
    >>> evaluator("sinple")
    Traceback (most recent call last):
    obscuro.errors.SearchError: there is no evaluator 'sinple', nor a file of that name; ...
    """
    return Evaluator(name)._core


class LeafValues:
    """The leaf values of the search: depth one with quiescence.

    Args:
        eval: By what: a name of `EngineSettings.eval`.

    >>> len(LeafValues("simple").values(Board()))
    20
    """

    def __init__(self, eval: str = "network") -> None:  # noqa: A002
        self._core = evaluator(eval)

    def values(self, board: Board) -> Sequence[float]:
        """The value of each legal move for the side to move, in their order."""
        return self._core.values(board._core)

    def close(self) -> None:
        """Has nothing to let go of."""

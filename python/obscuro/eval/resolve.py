"""What a search takes as its evaluator, by the name that users give."""

from typing import Any

from obscuro import _core
from obscuro.eval.evaluator import Evaluator


def for_search(game: _core.Game, evaluator: Any) -> Any:  # noqa: ANN401
    """What the core's search takes: for Fog of War chess, evaluators given by name are looked up.

    `"zero"` and `"exact"`, which every game has, numbers, and functions of states are left as they
    are; any other text is the `statics` of an `Evaluator`.

    >>> from obscuro.games import fow_chess
    >>> for_search(fow_chess()._core, "zero")
    'zero'
    >>> for_search(fow_chess()._core, "simpel")
    Traceback (most recent call last):
    obscuro.errors.SearchError: there is no evaluator 'simpel', nor a file of that name; ...
    """
    # A limit of plies makes it another game for the core.
    if not game.is_native() or not game.name().startswith("fow_chess") or "plies=" in game.name():
        return evaluator
    if isinstance(evaluator, str) and evaluator not in ("zero", "exact"):
        evaluator = Evaluator(evaluator)
    return evaluator._core if isinstance(evaluator, Evaluator) else evaluator

"""Games by name."""

import importlib
import importlib.util
import inspect
import sys
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType
from typing import cast

from obscuro import _core
from obscuro.errors import GameError
from obscuro.games.base import AnyGame
from obscuro.games.native import NativeGame, fow_chess
from obscuro.games.openspiel import from_openspiel

FOW_CHESS = "fow_chess"


def names() -> list[str]:
    """The names of the native games.

    >>> names()
    ['kuhn_poker', 'leduc_poker', ..., 'fow_chess']
    """
    return [*_core.Game.names(), FOW_CHESS]


def load(name: str) -> NativeGame:
    """A native game by its name, with parameters in the manner of OpenSpiel.

    The small games are the games that OpenSpiel has under the same names. `fow_chess` takes `fen`
    and `plies`: see the function of that name.

    >>> load("liars_dice(dice_sides=4)")
    <NativeGame liars_dice(dice_sides=4)>
    >>> load("leduk_poker")
    Traceback (most recent call last):
    obscuro.errors.GameError: there is no game 'leduk_poker'; did you mean 'leduc_poker'? ...
    """
    name = name.strip()
    word, bracket, inside = name.partition("(")
    if word == FOW_CHESS:
        return _load_fow_chess(name, inside if bracket else ")")
    # OpenSpiel's wrapper of goofspiel is read by the core, and so is what is no name at all.
    known = [*names(), "turn_based_simultaneous_game"]
    if word in known or not word.isidentifier():
        return NativeGame(_core.Game.load(name))
    near = get_close_matches(word, names(), n=1, cutoff=0.0)[0]
    raise GameError(
        f"there is no game {word!r}; did you mean {near!r}? The games are {', '.join(names())}"
    )


def _load_fow_chess(name: str, inside: str) -> NativeGame:
    form = "expected fow_chess, or fow_chess(fen=...,plies=...) with one of these or both"
    if not inside.endswith(")"):
        raise GameError(f"cannot read the game {name!r}: {form}")
    given: dict[str, str] = {}
    for part in filter(None, inside[:-1].split(",")):
        key, equals, value = part.partition("=")
        key = key.strip()
        if not equals or key not in ("fen", "plies") or key in given:
            raise GameError(f"cannot read {part!r} of the game {name!r}: {form}")
        given[key] = value.strip()
    plies = given.get("plies")
    if plies is not None and not (plies.isdecimal() and int(plies) > 0):
        raise GameError(f"plies is {plies!r}, expected a number of at least 1")
    return fow_chess(given.get("fen"), plies=None if plies is None else int(plies))


def find(text: str) -> AnyGame:
    """A game by a text of any kind, as on the command line.

    - `leduc_poker`: a native game, see `load`;
    - `openspiel:leduc_poker`: a game of OpenSpiel, see `from_openspiel`;
    - `my_game.py:MyGame` or `my.module:MyGame`: a game written in Python, in a file or in a
      module. `MyGame` is the class, or a function that makes the game, or the game itself.

    >>> find("kuhn_poker")
    <NativeGame kuhn_poker>
    """
    place, colon, name = text.rpartition(":")
    if not colon:
        return load(text)
    if text.startswith("openspiel:"):
        return from_openspiel(text.removeprefix("openspiel:"))
    module = _load_file(Path(place)) if place.endswith(".py") else _load_module(place)
    if not hasattr(module, name):
        public = [word for word, thing in vars(module).items() if inspect.isclass(thing)]
        near = get_close_matches(name, public, n=1, cutoff=0.0)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise GameError(f"{place} has no {name!r}{hint}")
    found = getattr(module, name)
    made = found() if inspect.isclass(found) or inspect.isroutine(found) else found
    return cast(AnyGame, made)


def _load_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise GameError(f"there is no file {path}")
    # A name of its own, even for a file called random.py, and the same one in every process.
    name = f"game_file_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise GameError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look for their module by name.
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _load_module(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        # Only if the module itself is missing, not one that it needs.
        if error.name is not None and name.startswith(error.name):
            raise GameError(f"there is no module {name!r}") from error
        raise

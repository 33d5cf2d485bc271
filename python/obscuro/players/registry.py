"""Players by name."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from rich.console import Console

from obscuro.errors import PlayerError
from obscuro.players.base import Player
from obscuro.players.greedy import GreedyPlayer
from obscuro.players.human import Human
from obscuro.players.obscuro import ObscuroPlayer
from obscuro.players.pimc import PimcPlayer
from obscuro.players.random import RandomPlayer
from obscuro.players.settings import EngineSettings, option_names, with_options
from obscuro.players.uci import UciPlayer
from obscuro.players.zs21 import Zs21Player, Zs21Settings

Options = Mapping[str, str]
"""What stands in the brackets of a player's text, by name."""

ENGINE_OPTION = "option."
"""What stands before the name of an option of the engine that the player `uci` starts."""


_PIMC = {
    "seed": int,
    "samples": int,
    "eval": str,
    "engine": str,
    "depth": int,
    "belief_cap": int,
}
_ZS21 = {
    "seconds": float,
    "nodes": int,
    "seed": int,
    "samples": int,
    "eval": str,
    "depth": int,
    "belief_cap": int,
}


def _obscuro(options: Options) -> Player:
    return ObscuroPlayer(with_options(EngineSettings(), options))


def _simple_eval(options: Options) -> Player:
    return ObscuroPlayer(with_options(EngineSettings(eval="simple"), options))


def _random(options: Options) -> Player:
    return RandomPlayer(_number(options, "seed"))


def _greedy(options: Options) -> Player:
    return GreedyPlayer(_number(options, "seed"))


def _pimc(options: Options) -> Player:
    return PimcPlayer(**_read(options, _PIMC))


def _zs21(options: Options) -> Player:
    return Zs21Player(Zs21Settings(**_read(options, _ZS21)))


def _human(options: Options) -> Player:
    return Human(Console(highlight=False), input)


def _uci(options: Options) -> Player:
    if "cmd" not in options:
        raise PlayerError("uci needs a program: expected uci(cmd=PROGRAM,...)")
    mode = options.get("mode", "fog")
    if mode not in ("fog", "plain"):
        raise PlayerError(f"mode is {mode!r}, expected fog or plain")
    return UciPlayer(
        options["cmd"],
        mode="fog" if mode == "fog" else "plain",
        options={
            name.removeprefix(ENGINE_OPTION): value
            for name, value in options.items()
            if name.startswith(ENGINE_OPTION)
        },
    )


@dataclass(frozen=True)
class _Entry:
    make: Callable[[Options], Player]
    options: Sequence[str] = ()


_ENTRIES: dict[str, _Entry] = {
    "obscuro": _Entry(_obscuro, option_names()),
    "simple-eval": _Entry(
        _simple_eval, [name for name in option_names() if name not in ("preset", "eval")]
    ),
    "zs21": _Entry(_zs21, list(_ZS21)),
    "pimc": _Entry(_pimc, list(_PIMC)),
    "greedy": _Entry(_greedy, ("seed",)),
    "random": _Entry(_random, ("seed",)),
    "uci": _Entry(_uci, ("cmd", "mode")),
    "human": _Entry(_human),
}


def names() -> list[str]:
    """The names of all players.

    >>> "obscuro" in names()
    True
    """
    return list(_ENTRIES)


def make(text: str) -> Player:
    """A player by name, with options in brackets.

    A value that holds a comma stands in double quotes. `uci` takes the options of its engine with
    `option.` before their names.

    >>> make("random(seed=7)")
    <obscuro.players.random.RandomPlayer object at ...>
    >>> make("uci(cmd=obscuro uci, option.Threads=2)")
    <obscuro.players.uci.UciPlayer object at ...>
    >>> make("obscura")
    Traceback (most recent call last):
    obscuro.errors.PlayerError: there is no player 'obscura'; did you mean 'obscuro'? ...
    """
    return make_with(*parse(text))


def make_with(name: str, options: Options) -> Player:
    """A player by name, with options that were read already.

    >>> make_with("greedy", {"seed": "7"})
    <obscuro.players.greedy.GreedyPlayer object at ...>
    """
    known = options_of(name)
    for option in options:
        if option in known or (name == "uci" and option.startswith(ENGINE_OPTION)):
            continue
        if not known:
            raise PlayerError(f"{name} has no options, found {option!r}")
        near = get_close_matches(option, known, n=1, cutoff=0.0)[0]
        raise PlayerError(
            f"{name} has no option {option!r}; did you mean {near!r}? Its options are "
            f"{', '.join(known)}"
        )
    return _ENTRIES[name].make(options)


def options_of(name: str) -> list[str]:
    """The names of a player's options.

    >>> options_of("random")
    ['seed']
    """
    if name not in _ENTRIES:
        near = get_close_matches(name, names(), n=1, cutoff=0.0)[0]
        raise PlayerError(
            f"there is no player {name!r}; did you mean {near!r}? The players are "
            f"{', '.join(names())}"
        )
    return list(_ENTRIES[name].options)


def parse(text: str) -> tuple[str, dict[str, str]]:
    """Name and options of a player's text.

    >>> parse("obscuro(seed=1, preset=fast)")
    ('obscuro', {'seed': '1', 'preset': 'fast'})
    >>> parse('uci(cmd="my engine, the second")')
    ('uci', {'cmd': 'my engine, the second'})
    """
    name, bracket, inside = text.strip().partition("(")
    form = "expected name or name(option=value,...)"
    options: dict[str, str] = {}
    if bracket:
        if not inside.endswith(")"):
            raise PlayerError(f"cannot read the player {text!r}: {form}")
        for part in _parts(inside[:-1], text):
            key, equals, value = (word.strip() for word in part.partition("="))
            if not equals or not key or key in options:
                raise PlayerError(f"cannot read {part!r} of the player {text!r}: {form}")
            options[key] = value
    return name.strip(), options


def _parts(inside: str, text: str) -> list[str]:
    """What commas outside of double quotes separate."""
    reader = shlex.shlex(inside, posix=True)
    reader.whitespace, reader.whitespace_split = ",", True
    reader.quotes, reader.escape, reader.commenters = '"', "", ""
    try:
        return [part.strip() for part in reader if part.strip()]
    except ValueError as error:
        raise PlayerError(f'cannot read the player {text!r}: expected another "') from error


def _number(options: Options, name: str) -> int | None:
    text = options.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal()):
        raise PlayerError(f"{name} is {text!r}, expected a whole number from 0 on")
    return int(text)


def _read(options: Options, kinds: Mapping[str, type]) -> dict[str, Any]:
    """The options that are given, as values of their kinds."""
    values: dict[str, Any] = {}
    for name, text in options.items():
        if kinds[name] is int:
            values[name] = _number(options, name)
        elif kinds[name] is float:
            values[name] = _decimal(name, text)
        else:
            values[name] = text
    return values


def _decimal(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise PlayerError(f"{name} is {text!r}, expected a number") from None

"""The engines of a match: how a player is made, what it is called, what it may spend."""

import hashlib
import importlib
import importlib.util
import inspect
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import chess

from obscuro.errors import ObscuroError, PlayerError
from obscuro.match.clock import TimeControl
from obscuro.match.program import Program
from obscuro.players import Player, names
from obscuro.players.registry import make_with, options_of, parse
from obscuro.players.threads import default_expanders


@dataclass(frozen=True)
class Engine:
    """One of those who take part.

    Attributes:
        name: What it is called; no two in a match are called the same.
        player: The text that makes it, `name(option=value,...)`, where the name is one of
            `obscuro.players`, or `my_bot.py:MyBot` or `my.module:MyBot` for a class of your own.
            For a program it says in words what it is.
        program: A program that speaks the engine protocol, in place of a player of Python.
        control: What it may spend.
        threads: How many cores it keeps busy when it thinks.
        fog_honest: Whether it is content with observations.

    >>> Engine("a", "random").player
    'random'
    """

    name: str
    player: str
    program: Program | None = None
    control: TimeControl = field(default_factory=TimeControl)
    threads: int = 1
    fog_honest: bool = True

    def as_dict(self) -> dict[str, Any]:
        """The engine as plain data."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Engine":
        """An engine from plain data."""
        program = data["program"] and Program.from_dict(data["program"])
        control = TimeControl(**data["control"])
        return cls(**{**data, "program": program, "control": control})


@dataclass(frozen=True)
class Probe:
    """What was found out about a player by making it once."""

    threads: int
    fog_honest: bool
    program: Program | None = None
    warning: str = ""


def make_player(engine: Engine, seed: int | None = None) -> tuple[Player, int | None]:
    """The player of an engine, and the seed that it was given.

    The seed is given as the option `seed` to a player that takes one, unless its text has one.

    >>> make_player(Engine("a", "random"), 5)[1], make_player(Engine("b", "random(seed=7)"), 5)[1]
    (5, 7)
    """
    if engine.program is not None:
        return engine.program.player(seed)
    name, options = parse(engine.player)
    if "seed" in options:
        fixed = options["seed"]
        return _make(name, options), int(fixed) if fixed.isdecimal() else None
    if seed is not None and _takes_seed(name):
        return _make(name, {**options, "seed": str(seed)}), seed
    return _make(name, options), None


def with_options(text: str, options: Mapping[str, str]) -> str:
    """A player's text with more options; those that it has already are replaced.

    >>> with_options("obscuro(seed=1)", {"seed": "2", "eval": "zero"})
    'obscuro(seed=2,eval=zero)'
    """
    name, own = parse(text)
    inside = ",".join(
        f'{key}="{value}"' if "," in value else f"{key}={value}"
        for key, value in {**own, **options}.items()
    )
    return f"{name}({inside})" if inside else text


def _takes_seed(name: str) -> bool:
    if ":" in name:
        parameters = inspect.signature(_find(name)).parameters.values()
        return any(p.name == "seed" or p.kind is p.VAR_KEYWORD for p in parameters)
    return name in names() and "seed" in options_of(name)


def probe(engine: Engine) -> Probe:
    """Makes a player, has it get ready for a game, and lets it go."""
    program, warning = engine.program.look() if engine.program else (None, "")
    engine = replace(engine, program=program)
    player, _ = make_player(engine, 0)
    try:
        player.new_game(chess.WHITE)
        threads = getattr(player, "threads", None)
        if not isinstance(threads, int) or threads < 1:
            threads = program.threads if program else _threads_by_option(engine.player)
        return Probe(threads, bool(getattr(player, "fog_honest", True)), program, warning)
    finally:
        player.close()


def seed_of(match_seed: int, number: int, color: bool) -> int:
    """The seed of one player in one game: the same for ever, and different everywhere.

    >>> seed_of(1, 0, True) == seed_of(1, 0, True) != seed_of(1, 0, False)
    True
    """
    text = f"{match_seed} {number} {int(color)}".encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=4).digest(), "big") >> 1


def _threads_by_option(text: str) -> int:
    name, options = parse(text)
    if "expanders" not in (options_of(name) if name in names() else ()):
        return 1
    expanders = options.get("expanders", str(default_expanders()))
    return 1 + int(expanders) if expanders.isdecimal() else 1


def _make(name: str, options: dict[str, str]) -> Player:
    if ":" not in name:
        return make_with(name, options)
    made = _find(name)
    try:
        inspect.signature(made).bind(**options)
    except TypeError as error:
        raise PlayerError(f"{name} does not take these options: {error}") from error
    return cast(Player, made(**options))


def _find(name: str) -> Callable[..., object]:
    place, _, attribute = name.rpartition(":")
    module = _load_file(Path(place)) if place.endswith(".py") else _load_module(place)
    made = getattr(module, attribute, None)
    if not callable(made):
        classes = [word for word, thing in vars(module).items() if inspect.isclass(thing)]
        raise PlayerError(f"{place} has no player {attribute!r}; it has {', '.join(classes)}")
    return cast("Callable[..., object]", made)


def _load_module(name: str) -> ModuleType:
    # A module beside the match, as `python -m` would find it.
    if (here := os.getcwd()) not in sys.path:  # noqa: PTH109
        sys.path.append(here)
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise PlayerError(f"cannot import {name!r}: {error}") from error


def _load_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise PlayerError(f"there is no file {path}")
    name = f"player_file_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise PlayerError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except ObscuroError:
        raise
    except Exception as error:
        del sys.modules[name]
        raise PlayerError(f"cannot load {path}: {type(error).__name__}: {error}") from error
    return module

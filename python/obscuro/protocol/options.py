"""The engine's options: what `uci` lists and `setoption` sets."""

import math
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin

import chess

from obscuro.errors import ProtocolError, SearchError
from obscuro.players.obscuro import ObscuroPlayer
from obscuro.players.settings import (
    PRESETS,
    EngineSettings,
    default,
    option_names,
    option_type,
    with_options,
)
from obscuro.words import did_you_mean

VARIANTS = ("fogofwar", "chess")
"""What `UCI_Variant` may be: tools that know no other name say chess, and mean these rules."""

MOST_THREADS = 256
_MOST_INT = 2**31 - 1
# Where the range of a whole number is not 0 to the largest that every tool can read.
_RANGES = {
    "memory_mb": (1, 1 << 24),
    "positions": (0, 100_000),
    "order": (2, 1000),
    "max_actions": (1, 1000),
    "sample": (1, 1_000_000),
    "expanders": (0, MOST_THREADS - 1),
    "walks": (1, 1_000_000),
    "iterations": (1, 1_000_000),
    "belief_cap": (1, 1 << 30),
}
# Of numbers with a fraction, which UCI has no type for: they are strings.
_MOST_FLOAT = 1_000_000
# UCI's own name of this one begins with a capital, and names that differ in that alone are one.
_PONDER = "ponder"


@dataclass(frozen=True)
class _Option:
    """An option as UCI has it.

    Attributes:
        name: What it is called.
        kind: UCI's type of it.
        default: Its first value, if it has one.
        values: All its values, of a combo.
        least: Of a number.
        most: Of a number.
        is_whole: Whether it is a whole number.
        may_be_none: Whether it is a number or the word none.
    """

    name: str
    kind: Literal["button", "check", "combo", "spin", "string"]
    default: str = ""
    values: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None
    is_whole: bool = True
    may_be_none: bool = False

    @property
    def line(self) -> str:
        """The option as `uci` tells it."""
        words = ["option name", self.name, "type", self.kind]
        if self.kind != "button":
            words += ["default", self.default]
        for value in self.values:
            words += ["var", value]
        if self.kind == "spin":
            words += [f"min {self.least} max {self.most}"]
        return " ".join(words)

    def check(self, text: str) -> None:
        """An error unless this may be its value."""
        expected = self._expected(text)
        if expected is not None:
            raise ProtocolError(f"{self.name} is {_shown(text)}, expected {expected}")

    def _expected(self, text: str) -> str | None:
        if self.kind == "check":
            return None if text in ("true", "false") else "true or false"
        if self.kind == "combo":
            return None if text in self.values else f"one of {', '.join(self.values)}"
        if self.least is None or self.most is None or (self.may_be_none and text == "none"):
            return None
        number = _number(text, whole=self.is_whole)
        if number is not None and self.least <= number <= self.most:
            return None
        what = "a whole number" if self.is_whole else "a number"
        either = "none or " if self.may_be_none else ""
        return f"{either}{what} from {self.least:.12g} to {self.most:.12g}"


class Options:
    """The values of all options.

    >>> options = Options()
    >>> options.set("Threads", "3")
    >>> options.settings.search.expanders
    2
    >>> options.set("Threads", "no")
    Traceback (most recent call last):
    obscuro.errors.ProtocolError: setoption: Threads is 'no', expected a whole number from 1 to 256
    """

    def __init__(self) -> None:
        self.settings = EngineSettings()
        self.resync = False

    def lines(self) -> list[str]:
        """The options as `uci` tells them."""
        return [option.line for option in _OPTIONS.values()]

    def set(self, name: str, value: str | None) -> None:
        """Changes an option; on an error nothing has changed."""
        option = _OPTIONS.get(name.casefold())
        if option is None:
            names = [option.name for option in _OPTIONS.values()]
            hint = did_you_mean(name, names) or f" The options are {', '.join(names)}."
            raise ProtocolError(f"setoption: there is no option {_shown(name)}.{hint}")
        if option.kind == "button":
            return
        if value is None:
            raise ProtocolError(f"setoption: the value of {option.name} is missing")
        try:
            option.check(value)
            self._set(option.name, value)
        except (ProtocolError, SearchError) as error:
            raise ProtocolError(f"setoption: {error}") from error

    def _set(self, name: str, value: str) -> None:
        match name:
            case "UCI_Variant":
                return
            case "eval" if value == "exact":
                raise ProtocolError("eval is 'exact', which is for small games only")
            case "Resync":
                self.resync = value == "true"
                return
            case "Threads":
                changed = {"expanders": str(int(value) - 1)}
            case "Hash":
                changed = {"memory_mb": value}
            case "Ponder":
                changed = {_PONDER: value}
            case _:
                changed = {name: value}
        settings = with_options(self.settings, changed)
        # Whether they go together is known to who plays with them.
        trial = ObscuroPlayer(settings)
        trial.new_game(chess.WHITE)
        trial.close()
        self.settings = settings


def is_button(name: str) -> bool:
    """Whether an option has no value but does something.

    >>> is_button("clear hash"), is_button("Hash")
    (True, False)
    """
    option = _OPTIONS.get(name.casefold())
    return option is not None and option.kind == "button"


def _number(text: str, *, whole: bool) -> float | None:
    try:
        number = int(text) if whole else float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _shown(text: str, most: int = 80) -> str:
    return repr(text if len(text) <= most else text[:most] + "...")


def _options() -> list[_Option]:
    found = [
        _Option("UCI_Variant", "combo", VARIANTS[0], VARIANTS),
        _spin("Threads", default("expanders") + 1, 1, MOST_THREADS),
        _spin("Hash", default("memory_mb"), *_RANGES["memory_mb"]),
        _Option("Clear Hash", "button"),
        _check("Ponder", default(_PONDER)),
        _check("Resync", False),
        _Option("preset", "combo", next(iter(PRESETS)), tuple(PRESETS)),
    ]
    return found + [_setting(name) for name in option_names() if name not in ("preset", _PONDER)]


def _setting(name: str) -> _Option:
    kind: Any = option_type(name)
    value = default(name)
    if get_origin(kind) is Literal:
        return _Option(name, "combo", value, get_args(kind))
    if kind is bool:
        return _check(name, value)
    if kind is int:
        return _spin(name, value, *_RANGES.get(name, (0, _MOST_INT)))
    kinds = set(get_args(kind)) or {kind}
    shown = "none" if value is None else f"{value:g}" if kind is float else str(value)
    if str in kinds:
        return _Option(name, "string", shown)
    is_whole = float not in kinds
    most = _MOST_INT if is_whole else _MOST_FLOAT
    return _Option(
        name,
        "string",
        shown,
        least=int(is_whole),
        most=most,
        is_whole=is_whole,
        may_be_none=type(None) in kinds,
    )


def _check(name: str, value: bool) -> _Option:
    return _Option(name, "check", str(value).lower())


def _spin(name: str, value: int, least: int, most: int) -> _Option:
    return _Option(name, "spin", str(value), least=least, most=most)


_OPTIONS = {option.name.casefold(): option for option in _options()}

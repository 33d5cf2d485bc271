"""The lines that an engine understands, as data; nothing here knows what they do."""

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, TypeAlias

import chess

from obscuro.errors import ProtocolError
from obscuro.fow import STARTING_FEN

MOST_PLIES = 20
"""The longest sequences that `perft` counts: nobody lives to see the end of longer ones."""

_SHOWN = 80
_MOST = 10**15


@dataclass(frozen=True)
class Word:
    """A command without arguments."""

    name: str


@dataclass(frozen=True)
class SetOption:
    """`setoption name NAME value VALUE`; a button has no value."""

    name: str
    value: str | None


@dataclass(frozen=True)
class PlainPosition:
    """`position startpos|fen FEN [moves ...]`: the whole truth, for the referee in the engine."""

    start: str
    moves: tuple[str, ...]


@dataclass(frozen=True)
class FogPosition:
    """`position fog ...`: a game as one player has seen it."""

    color: chess.Color
    start: str
    observations: tuple[str, ...]
    moves: tuple[str, ...]


@dataclass(frozen=True)
class Go:
    """`go` with its limits; times are in milliseconds, as on the line."""

    wtime: int | None = None
    btime: int | None = None
    winc: int | None = None
    binc: int | None = None
    movestogo: int | None = None
    movetime: int | None = None
    nodes: int | None = None
    infinite: bool = False
    ponder: bool = False
    ignored: tuple[str, ...] = ()


@dataclass(frozen=True)
class Perft:
    """`perft N`, or `divide N` and `go perft N`, which count each first move apart."""

    depth: int
    divide: bool = False


@dataclass(frozen=True)
class Bench:
    """`bench [NODES]`: nodes of the tree for each position."""

    nodes: int | None = None


@dataclass(frozen=True)
class Debug:
    """`debug on` or `debug off`."""

    on: bool


Command: TypeAlias = Word | SetOption | PlainPosition | FogPosition | Go | Perft | Bench | Debug

WORDS = (
    "uci",
    "isready",
    "ucinewgame",
    "stop",
    "ponderhit",
    "quit",
    "d",
    "eval",
    "register",
)
_NUMBERS = ("wtime", "btime", "winc", "binc", "movestogo", "movetime", "nodes")
_FLAGS = ("infinite", "ponder")
# Words of UCI that have no meaning for this search, and whether a number follows.
_IGNORED = ("depth", "mate")


def parse(line: str) -> Command | None:
    """The command on a line, or `None` on an empty one.

    >>> parse("go movetime 500").movetime
    500
    >>> parse("goo movetime 500")
    Traceback (most recent call last):
    obscuro.errors.ProtocolError: there is no command 'goo'; did you mean 'go'?
    """
    words = line.split()
    if not words:
        return None
    name, *rest = words
    if name in WORDS:
        return Word(name)
    if name in _READERS:
        return _READERS[name](rest)
    near = get_close_matches(name, _ALL, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"expected one of {', '.join(_ALL)}"
    raise ProtocolError(f"there is no command {_shown(name)}; {hint}")


def _set_option(words: list[str]) -> SetOption:
    form = "expected setoption name NAME value VALUE"
    if words[:1] != ["name"]:
        raise ProtocolError(f"setoption: {form}")
    end = words.index("value") if "value" in words else len(words)
    name, value = " ".join(words[1:end]), " ".join(words[end + 1 :])
    if not name:
        raise ProtocolError(f"setoption: the name is missing; {form}")
    return SetOption(name, value if end < len(words) else None)


def _position(words: list[str]) -> PlainPosition | FogPosition:
    match words[:1]:
        case ["startpos"]:
            start, rest = STARTING_FEN, words[1:]
        case ["fen"]:
            start, rest = _fen(words[1:], ("moves",))
        case ["fog"]:
            return _fog(words[1:])
        case _:
            raise ProtocolError("position: expected startpos, fen or fog as the next word")
    return PlainPosition(start, _moves(rest))


def _fog(words: list[str]) -> FogPosition:
    match words[:2]:
        case ["color", "white"]:
            color = chess.WHITE
        case ["color", "black"]:
            color = chess.BLACK
        case _:
            raise ProtocolError("position fog: expected color white or color black next")
    start, rest = STARTING_FEN, words[2:]
    if rest[:1] == ["start"]:
        start, rest = _fen(rest[1:], ("observations",))
    if rest[:1] != ["observations"]:
        found = _shown(rest[0]) if rest else "the end of the line"
        raise ProtocolError(f"position fog: expected [start FEN] observations, found {found}")
    end = rest.index("moves") if "moves" in rest else len(rest)
    observations = tuple(part.strip() for part in " ".join(rest[1:end]).split(";"))
    for number, text in enumerate(observations, 1):
        if not text:
            raise ProtocolError(f"position fog: observation {number} is empty")
    return FogPosition(color, start, observations, _moves(rest[end:]))


def _fen(words: list[str], ends: tuple[str, ...]) -> tuple[str, list[str]]:
    end = next((n for n, word in enumerate(words) if word in ends), len(words))
    if end == 0:
        raise ProtocolError("position: the FEN is missing")
    return " ".join(words[:end]), words[end:]


def _moves(words: list[str]) -> tuple[str, ...]:
    if words and words[0] != "moves":
        raise ProtocolError(f"position: expected moves or the end, found {_shown(words[0])}")
    return tuple(words[1:])


def _go(words: list[str]) -> Go | Perft:
    if words[:1] == ["perft"]:
        return _divide(words[1:])
    numbers: dict[str, Any] = {}
    flags: dict[str, Any] = {}
    ignored: list[str] = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word in _FLAGS:
            flags[word] = True
        elif word in _NUMBERS:
            numbers[word] = _number(f"go {word}", rest.pop(0) if rest else None)
        elif word in _IGNORED:
            _number(f"go {word}", rest.pop(0) if rest else None)
            ignored.append(word)
        elif word == "searchmoves":
            ignored.append(word)
            while rest and rest[0] not in (*_NUMBERS, *_FLAGS, *_IGNORED):
                rest.pop(0)
        else:
            raise ProtocolError(
                f"go: there is no limit {_shown(word)}; expected {', '.join(_NUMBERS + _FLAGS)}"
            )
    if numbers.get("nodes") == 0:
        raise ProtocolError("go nodes: expected a number of at least 1")
    if numbers.get("movestogo") == 0:
        # Some send it where there is no next time control.
        del numbers["movestogo"]
    return Go(**numbers, **flags, ignored=tuple(ignored))


def _perft(words: list[str]) -> Perft:
    depth = _number("perft", words[0] if words else None)
    if depth > MOST_PLIES:
        raise ProtocolError(f"perft: expected a number up to {MOST_PLIES}, found {depth}")
    return Perft(depth)


def _divide(words: list[str]) -> Perft:
    return Perft(_perft(words).depth, divide=True)


def _bench(words: list[str]) -> Bench:
    nodes = _number("bench", words[0]) if words else None
    if nodes == 0:
        raise ProtocolError("bench: expected a number of nodes of at least 1")
    return Bench(nodes)


def _debug(words: list[str]) -> Debug:
    if words not in (["on"], ["off"]):
        raise ProtocolError("debug: expected on or off next")
    return Debug(words == ["on"])


def _number(place: str, word: str | None) -> int:
    found = "the end of the line" if word is None else _shown(word)
    # Clocks that have run out are sent as negative numbers by some.
    digits = (word or "").removeprefix("-")
    if not (digits.isascii() and digits.isdecimal()) or len(digits) > len(str(_MOST)):
        raise ProtocolError(f"{place}: expected a whole number, found {found}")
    number = int(word or "")
    if number < 0 and place not in ("go wtime", "go btime"):
        raise ProtocolError(f"{place}: expected a number from 0 on, found {found}")
    return max(0, min(number, _MOST))


def _shown(word: str) -> str:
    return repr(word if len(word) <= _SHOWN else word[:_SHOWN] + "...")


_READERS: dict[str, Callable[[list[str]], Command]] = {
    "setoption": _set_option,
    "position": _position,
    "go": _go,
    "perft": _perft,
    "divide": _divide,
    "bench": _bench,
    "debug": _debug,
}
_ALL = (*WORDS, *_READERS)

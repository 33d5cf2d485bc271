"""The command line of a match, in the words that users of fastchess know.

An option is a word with a dash before it, or two; what follows up to the next one belongs to it,
most of it as `key=value`.
"""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import NoReturn

from obscuro.errors import EngineError, MatchError
from obscuro.match.clock import TimeControl, number, whole
from obscuro.match.engines import Engine, Program, with_options
from obscuro.match.openings import ORDERS, arrange, read_openings
from obscuro.match.referee import Adjudication
from obscuro.match.schedule import TOURNAMENTS, Match
from obscuro.match.sprt import MODELS, Sprt
from obscuro.words import did_you_mean

_CONTROL = ("tc", "st", "nodes", "timemargin", "count")
_ENGINE = ("name", "player", "cmd", "args", "proto", "threads", *_CONTROL)
_OPTION = "option."

# The options that take `key=value`, with their keys.
_KEYS: Mapping[str, Sequence[str]] = {
    "engine": _ENGINE,
    "each": _ENGINE,
    "openings": ("file", "format", "order", "plies", "start"),
    "sprt": ("elo0", "elo1", "alpha", "beta", "model"),
    "resign": ("movecount", "value"),
    "draw": ("movenumber", "movecount", "value"),
}
# The options that take one word.
_SINGLE = (
    "rounds", "games", "tournament", "concurrency", "srand", "maxmoves", "event", "silence",
    "db", "pgnout", "jsonout", "resume", "ray", "affinity", "ratinginterval",
)  # fmt: skip
# Options of fastchess for what is so in any case.
_IMPLIED = ("repeat", "recover")
_OTHER_NAMES = {"seed": "srand", "use-affinity": "affinity"}
_OF_A_RESUME = ("resume", "concurrency", "ray", "affinity", "ratinginterval")


@dataclass(frozen=True)
class Order:
    """What a command line asks for.

    Attributes:
        match: The match; `None` if one goes on from its file.
        file: The file of its games.
        pgn: A file for the games in PGN.
        json: A file for the games in JSON, one a line.
        concurrency: Games at a time; `None` is one, or on a cluster as many as there is room for.
        ray: The address of a cluster, or `local`.
        pin: Whether each game gets cores of its own, if there are enough.
        interval: After how many games the results are printed.
    """

    match: Match | None
    file: Path
    pgn: str | None = None
    json: str | None = None
    concurrency: int | None = None
    ray: str | None = None
    pin: bool = True
    interval: int = 10

    def resuming(self) -> str:
        """The command that goes on with this match.

        >>> Order(None, Path("my games.db"), ray="local").resuming()
        "obscuro match -resume 'my games.db' -ray local"
        """
        words = ["obscuro", "match", "-resume", str(self.file)]
        if self.concurrency is not None:
            words += ["-concurrency", str(self.concurrency)]
        if self.ray is not None:
            words += ["-ray", self.ray]
        if not self.pin:
            words += ["-affinity", "off"]
        return shlex.join(words)


@dataclass
class _Read:
    """The options of a command line, before anything is made of them."""

    engines: list[dict[str, str]] = field(default_factory=list)
    groups: dict[str, dict[str, str]] = field(default_factory=dict)
    single: dict[str, str] = field(default_factory=dict)

    def of(self, option: str) -> dict[str, str]:
        return self.groups.get(option, {})


def read_command(words: Sequence[str]) -> Order:
    """What a command line asks for.

    >>> order = read_command("-engine player=random -engine player=greedy -rounds 5".split())
    >>> [engine.name for engine in order.match.engines], order.match.total
    (['random', 'greedy'], 10)
    """
    read = _read(words)
    common = Order(
        match=None,
        file=Path(read.single.get("resume") or read.single.get("db") or _default_file()),
        pgn=read.single.get("pgnout"),
        json=read.single.get("jsonout"),
        concurrency=_whole(read, "concurrency", least=1),
        ray=read.single.get("ray"),
        pin=_choice(read, "affinity", ("on", "off")) != "off",
        interval=_whole(read, "ratinginterval") or 0
        if "ratinginterval" in read.single
        else Order.interval,
    )
    if "resume" not in read.single:
        return replace(common, match=_match(read))
    given = [*read.single, *read.groups, *(["engine"] if read.engines else [])]
    if other := [option for option in given if option not in _OF_A_RESUME]:
        raise MatchError(
            f"-{other[0]} cannot be changed when a match is resumed: everything but "
            f"{', '.join('-' + option for option in _OF_A_RESUME[1:])} is in its file"
        )
    return common


def _read(words: Sequence[str]) -> _Read:
    read = _Read()
    place = 0
    while place < len(words):
        name = _option(words[place])
        end = place + 1
        while end < len(words) and not _is_option(words[end]):
            end += 1
        values = list(words[place + 1 : end])
        # `--option=value` is what other tools take.
        if "=" in words[place]:
            values.insert(0, words[place].partition("=")[2])
        _take(read, name, values)
        place = end
    return read


def _is_option(word: str) -> bool:
    return word.startswith("-") and len(word) > 1 and not word[1].isdigit()


def _option(word: str) -> str:
    name = word.lstrip("-").partition("=")[0].lower()
    name = _OTHER_NAMES.get(name, name)
    known = [*_KEYS, *_SINGLE, *_IMPLIED]
    if not _is_option(word):
        raise MatchError(f"found {word!r} where an option was expected, as -engine or -rounds")
    if name not in known:
        raise MatchError(f"there is no option {word!r}.{did_you_mean(name, known)}")
    return name


def _take(read: _Read, name: str, values: list[str]) -> None:
    if name in _KEYS:
        pairs = _pairs(name, values)
        if name == "engine":
            read.engines.append(pairs)
        elif name in read.groups:
            raise MatchError(f"-{name} is given twice")
        else:
            read.groups[name] = pairs
    elif name in _SINGLE:
        if name in ("pgnout", "jsonout") and len(values) == 1:
            values = [values[0].removeprefix("file=")]
        if len(values) != 1:
            raise MatchError(f"-{name} takes one word, got {' '.join(values) or 'none'}")
        if name in read.single:
            raise MatchError(f"-{name} is given twice")
        read.single[name] = values[0]
    elif values:
        raise MatchError(f"-{name} takes nothing, got {' '.join(values)}")


def _pairs(option: str, values: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for value in values:
        key, equals, text = value.partition("=")
        if not equals:
            raise MatchError(f"cannot read {value!r} after -{option}: expected key=value")
        known = _KEYS[option]
        is_option = option in ("engine", "each") and key.startswith(_OPTION)
        if key not in known and not is_option:
            raise MatchError(
                f"-{option} has no key {key!r}: expected {', '.join(known)}"
                f"{' or option.NAME' * (option in ('engine', 'each'))}.{did_you_mean(key, known)}"
            )
        if key in found:
            raise MatchError(f"-{option} has {key} twice")
        found[key] = text
    return found


def _match(read: _Read) -> Match:
    each = read.of("each")
    if "name" in each:
        raise MatchError("-each gives no name: expected one for each -engine")
    single = read.single
    engines = tuple(_engine(_merged(each, words)) for words in read.engines)
    seed = _whole(read, "srand") or 0
    openings = read.of("openings")
    return Match(
        engines=engines,
        rounds=_whole(read, "rounds", least=1) or 1,
        games=_whole(read, "games", least=1) or 2,
        tournament=_choice(read, "tournament", TOURNAMENTS) or TOURNAMENTS[0],
        seed=seed,
        openings=_openings(openings, seed) if "openings" in read.groups else (),
        sprt=_sprt(read.of("sprt")) if "sprt" in read.groups else None,
        adjudication=_adjudication(read),
        silence=number("silence", single["silence"]) if "silence" in single else Match.silence,
        event=single.get("event", Match.event),
    )


def _merged(each: Mapping[str, str], own: Mapping[str, str]) -> dict[str, str]:
    """What holds for all, where an engine says nothing else."""
    left = dict(each)
    for one, other in (("tc", "st"), ("player", "cmd")):
        if one in own or other in own:
            left.pop(one, None)
            left.pop(other, None)
    return {**left, **own}


def _engine(words: Mapping[str, str]) -> Engine:
    options = {
        key.removeprefix(_OPTION): value for key, value in words.items() if key.startswith(_OPTION)
    }
    if ("player" in words) == ("cmd" in words):
        _bad_engine(words, "expected either player=NAME or cmd=PROGRAM")
    program = None
    if "cmd" in words:
        proto = words.get("proto", "fog")
        if proto not in ("fog", "uci"):
            _bad_engine(words, f"proto={proto}: expected fog, or uci for one that sees all")
        try:
            command = (*shlex.split(words["cmd"]), *shlex.split(words.get("args", "")))
        except ValueError as error:
            raise EngineError(f"cannot read the command {words['cmd']!r}: {error}") from error
        if not command:
            _bad_engine(words, "cmd= is empty")
        program = Program(command, tuple(options.items()), "fog" if proto == "fog" else "plain")
        player, usual = str(program), Path(command[0]).name
    else:
        if given := [key for key in ("args", "proto") if key in words]:
            _bad_engine(words, f"{given[0]}= belongs to cmd=")
        player, usual = with_options(words["player"], options), words["player"]
    return Engine(
        name=words.get("name", usual),
        player=player,
        program=program,
        control=TimeControl.parse(**{key: words[key] for key in _CONTROL if key in words}),
        threads=whole("threads", words["threads"], least=1) if "threads" in words else 1,
    )


def _bad_engine(words: Mapping[str, str], what: str) -> NoReturn:
    told = " ".join(f"{key}={value}" for key, value in words.items())
    raise MatchError(f"-engine {told}: {what}")


def _openings(words: Mapping[str, str], seed: int) -> tuple[str, ...]:
    if "file" not in words:
        raise MatchError("-openings needs file=FILE")
    found = read_openings(
        words["file"],
        format=words.get("format"),
        plies=whole("plies", words["plies"]) if "plies" in words else None,
    )
    start = whole("start", words["start"], least=1) if "start" in words else 1
    order = words.get("order", ORDERS[0])
    return tuple(arrange(found, order=order, seed=seed, start=start))


def _sprt(words: Mapping[str, str]) -> Sprt:
    for key in ("elo0", "elo1"):
        if key not in words:
            raise MatchError(f"-sprt needs {key}=ELO")
    return Sprt(
        elo0=_signed("elo0", words["elo0"]),
        elo1=_signed("elo1", words["elo1"]),
        alpha=_signed("alpha", words.get("alpha", "0.05")),
        beta=_signed("beta", words.get("beta", "0.05")),
        model=words.get("model", MODELS[0]),
    )


def _adjudication(read: _Read) -> Adjudication:
    resign, draw = read.of("resign"), read.of("draw")
    for option, words in (("resign", resign), ("draw", draw)):
        if option in read.groups:
            for key in _KEYS[option]:
                if key not in words:
                    raise MatchError(f"-{option} needs {key}=")
            if not 0 <= _signed("value", words["value"]) <= 1:
                raise MatchError(f"value={words['value']}: expected a value from 0 to 1")
    return Adjudication(
        max_moves=_whole(read, "maxmoves", least=1),
        resign_count=whole("movecount", resign["movecount"], least=1) if resign else 0,
        resign_value=float(resign["value"]) if resign else 1.0,
        draw_count=whole("movecount", draw["movecount"], least=1) if draw else 0,
        draw_value=float(draw["value"]) if draw else 0.0,
        draw_after=whole("movenumber", draw["movenumber"]) if draw else 0,
    )


def _whole(read: _Read, option: str, *, least: int = 0) -> int | None:
    text = read.single.get(option)
    return None if text is None else whole(f"-{option}", text, least=least)


def _choice(read: _Read, option: str, known: Sequence[str]) -> str | None:
    text = read.single.get(option)
    if text is not None and text not in known:
        raise MatchError(f"-{option} {text}: expected {' or '.join(known)}")
    return text


def _signed(name: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not abs(value) < float("inf"):
        raise MatchError(f"{name}={text}: expected a number")
    return value


def _default_file() -> str:
    return f"match-{datetime.now():%Y%m%d-%H%M%S}.db"

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

from obscuro.errors import EngineError, FileError, MatchError
from obscuro.match.clock import TimeControl, number, whole
from obscuro.match.engines import Engine, with_options
from obscuro.match.openings import ORDERS, arrange, read_openings
from obscuro.match.program import Program
from obscuro.match.referee import Adjudication
from obscuro.match.schedule import TOURNAMENTS, Match
from obscuro.match.sprt import MODELS, Sprt
from obscuro.players.score import cp_to_value
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
    "resign": ("movecount", "value", "score", "twosided"),
    "draw": ("movenumber", "movecount", "value", "score"),
    "report": ("penta",),
}
# The options that take one word.
_SINGLE = (
    "rounds", "games", "tournament", "concurrency", "srand", "maxmoves", "event", "silence",
    "engines", "db", "pgnout", "jsonout", "resume", "ray", "affinity", "ratinginterval",
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


def read_report(word: str = "penta=true") -> bool:
    """Whether pairs of games are looked at, from what follows `-report`.

    >>> read_report("penta=false")
    False
    """
    known = {"penta=true": True, "penta=false": False}
    if word not in known:
        raise MatchError(f"-report {word}: expected {' or '.join(known)}")
    return known[word]


def read_engine(text: str) -> Engine:
    """An engine from what follows `-engine` on a command line.

    >>> read_engine("name=quick player=obscuro nodes=2000").control.nodes
    2000
    >>> read_engine("player=random speed=9")
    Traceback (most recent call last):
    obscuro.errors.MatchError: -engine has no key 'speed': expected name, player, ...
    """
    return _engine(_pairs("engine", _split(text), _ENGINE))


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
        pairs = _pairs(name, values, _KEYS[name])
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
        if name == "engines":
            read.engines += _engines_of(Path(values[0]))
            return
        if name in read.single:
            raise MatchError(f"-{name} is given twice")
        read.single[name] = values[0]
    elif values:
        raise MatchError(f"-{name} takes nothing, got {' '.join(values)}")


def _engines_of(path: Path) -> list[dict[str, str]]:
    """Engines from a file: a line for each, and comments after `#`."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise FileError(f"cannot read {path}: {error}") from error
    found = []
    for place, line in enumerate(lines, start=1):
        if words := _split(line, f"{path}, line {place}"):
            found.append(_pairs(f"engine in {path}, line {place}", words, _ENGINE))
    if not found:
        raise MatchError(f"there is no engine in {path}")
    return found


def _pairs(option: str, values: Sequence[str], known: Sequence[str]) -> dict[str, str]:
    """What was given as `key=value`, where only some keys are known."""
    has_options = known is _ENGINE
    found: dict[str, str] = {}
    for value in values:
        key, equals, text = value.partition("=")
        if not equals:
            raise MatchError(f"cannot read {value!r} after -{option}: expected key=value")
        if key not in known and not (has_options and key.startswith(_OPTION)):
            raise MatchError(
                f"-{option} has no key {key!r}: expected {', '.join(known)}"
                f"{' or option.NAME' * has_options}.{did_you_mean(key, known)}"
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
        paired=read_report(*(f"{k}={v}" for k, v in read.of("report").items())),
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
        command = (*_split(words["cmd"]), *_split(words.get("args", "")))
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


def _split(text: str, place: str = "") -> list[str]:
    try:
        return shlex.split(text, comments=bool(place))
    except ValueError as error:
        raise EngineError(f"{place or 'an engine'}: cannot read {text!r}: {error}") from error


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
                if key not in (*words, "value", "score", "twosided"):
                    raise MatchError(f"-{option} needs {key}=")
    return Adjudication(
        max_moves=_whole(read, "maxmoves", least=1),
        resign_count=whole("movecount", resign["movecount"], least=1) if resign else 0,
        resign_value=_value("resign", resign) if resign else 1.0,
        resign_twosided=_truth("twosided", resign.get("twosided", "false")),
        draw_count=whole("movecount", draw["movecount"], least=1) if draw else 0,
        draw_value=_value("draw", draw) if draw else 0.0,
        draw_after=whole("movenumber", draw["movenumber"]) if draw else 0,
    )


def _value(option: str, words: Mapping[str, str]) -> float:
    """A value from 0 to 1, or what stands for it in centipawns."""
    if ("value" in words) == ("score" in words):
        raise MatchError(f"-{option} needs either value= or score=")
    if "score" in words:
        return cp_to_value(whole("score", words["score"]))
    value = _signed("value", words["value"])
    if not 0 <= value <= 1:
        raise MatchError(f"value={words['value']}: expected a value from 0 to 1")
    return value


def _truth(name: str, text: str) -> bool:
    if text not in ("true", "false"):
        raise MatchError(f"{name}={text}: expected true or false")
    return text == "true"


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

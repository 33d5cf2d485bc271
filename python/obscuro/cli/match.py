"""`obscuro match`: matches between players, and what their results say."""

import contextlib
import os
import signal
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

import typer
from rich.console import Console
from typer.core import TyperCommand

from obscuro import __version__
from obscuro.errors import MatchError
from obscuro.match.clock import number as read_number
from obscuro.match.command import Order, read_command
from obscuro.match.engines import Engine
from obscuro.match.local import Backend, LocalBackend, cores
from obscuro.match.progress import Progress, results
from obscuro.match.record import NOT_FOG_HONEST, GameLine
from obscuro.match.report import RULE, engine_words, rating_table, statistics
from obscuro.match.runner import State, check_engines, names, run
from obscuro.match.schedule import Match
from obscuro.match.sprt import Sprt
from obscuro.match.store import Store

INTERRUPTED = 130
HELP = """\
Usage: obscuro match -engine ... -engine ... [options]
       obscuro match -resume FILE [-concurrency N] [-ray ADDRESS]
       obscuro match stats FILE... [-anchor NAME[=ELO]]

Plays a match of Fog of War chess with a referee who alone sees the board. Options are fastchess';
one dash or two.

Who plays:
  -engine name=NAME player=TEXT    a player, as random or obscuro(seed=1,eval=zero), or a class
                                   of your own: my_bot.py:MyBot
  -engine name=NAME cmd=PROGRAM [args=ARGS] [proto=fog|uci]
                                   a program that speaks the engine protocol; with proto=uci one
                                   that must be told all moves: it is marked as not fog-honest
    option.NAME=VALUE              an option of the player or the program
    st=S | tc=[MOVES/][MIN:]SEC[+INC] | tc=inf    time for a move, or a clock
    nodes=N                        nodes of the search for a move
    timemargin=MS                  by how much the time may be overrun (st=: 1000, tc=: 0)
    count=all|search               whether observing counts (tc=: all, st=: search)
    threads=N                      cores it keeps busy, where it does not say so itself
  -each KEY=VALUE...               the same for all engines

How much:
  -rounds N                        meetings of each two engines (1)
  -games 1|2                       games of a meeting; 2, the default, swap the colours
  -tournament roundrobin|gauntlet  all against all, or the first against all others
  -sprt elo0=A elo1=B [alpha=0.05] [beta=0.05] [model=normalized|logistic]
                                   stop when it is clear which holds
  -openings file=F [format=fen|epd|pgn] [order=sequential|random] [plies=N] [start=N]
                                   positions to start from, known to both players
  -maxmoves N                      a draw after so many moves
  -resign movecount=N value=V      adjudicate: lost after N values of at most -V (off)
  -draw movenumber=M movecount=N value=V    adjudicate: drawn (off)
  -srand SEED                      of everything that is drawn (0)

Where and how:
  -concurrency N                   games at a time (1; with -ray as many as there is room for)
  -ray ADDRESS|local               play on a Ray cluster
  -affinity on|off                 give each game cores of its own if there are enough (on)
  -silence S                       end an engine that says nothing for so long beyond its time (10)
  -db FILE                         the file of the games (match-DATE-TIME.db)
  -pgnout FILE, -jsonout FILE      write the games there as well
  -ratinginterval N                print the results after every N games (10; 0: at the end)
  -event NAME                      its name in the records
  -resume FILE                     go on with a match that was interrupted
"""
STATS_HELP = """\
Usage: obscuro match stats FILE... [-anchor NAME[=ELO]]

Prints all statistics of the matches in these files, taken together: a block for each two players;
a crosstable and ratings if there are more than two. -anchor fixes the rating of a player.
"""


class WordsCommand(TyperCommand):
    """A command that reads its words itself: they are not options as other commands have."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401
        """Leaves all words as they are."""
        words = list(args)
        ctx.args = words
        return words


def match(context: typer.Context) -> None:
    """Play matches between players and engines, with Elo and SPRT; `match stats` reads results."""
    words = context.args
    console = Console(highlight=False)
    if not words or {"-h", "-help", "--help"} & set(words):
        print_plain(console, STATS_HELP if words[:1] == ["stats"] else HELP)
    elif words[0] == "stats":
        print_plain(console, stats(words[1:]))
    else:
        raise typer.Exit(play(read_command(words), console))


def play(order: Order, console: Console) -> int:
    """Plays the match, or what is left of it; returns the exit code."""
    if order.match is not None:
        store = Store.create(order.file, check_engines(order.match), pgn=order.pgn, json=order.json)
    else:
        store = Store.open(order.file)
    with store:
        print_plain(console, _introduction(store, order))
        state = play_stored(store, order, console)
        done = len(state.lines) == state.match.total or state.verdict is not None
        print_plain(console, f"{RULE}\n{results(state)}\n{RULE}")
        if state.verdict is not None:
            print_plain(console, f"The SPRT has accepted {state.verdict}.")
        for path in (store.path, *filter(None, store.outputs)):
            print_plain(console, f"The games are in {path}.")
        if done:
            return 0
        print_plain(
            console,
            f"Interrupted after {len(state.lines)} of {state.match.total} games; "
            f"go on with:\n{order.resuming()}",
        )
        return INTERRUPTED


def play_stored(store: Store, order: Order, console: Console) -> State:
    """Plays what is left of a match, until it is over or interrupted."""
    backend = make_backend(store.match, order, console)
    with _interruptible() as stop, Progress(console, interval=order.interval) as progress:
        return run(store, backend, on_change=progress, stopped=stop.is_set)


def make_backend(match: Match, order: Order, console: Console) -> Backend:
    """Where the games are played; warns where they would be in each other's way."""
    if order.ray is not None:
        from obscuro.match.cluster import RayBackend

        backend = RayBackend(match, address=order.ray, concurrency=order.concurrency)
        print_plain(console, f"{backend.capacity} games at a time on the Ray cluster.")
        return backend
    concurrency = order.concurrency or 1
    if warning := overload(match, concurrency, len(cores())):
        Console(stderr=True, highlight=False).print(f"warning: {warning}", soft_wrap=True)
    return LocalBackend(match, concurrency=concurrency, pin=order.pin)


def overload(match: Match, concurrency: int, available: int) -> str:
    """A warning if the games need more cores than there are.

    >>> from obscuro.match import Engine
    >>> engines = Engine("a", "random", threads=2), Engine("b", "random")
    >>> overload(Match(engines), 2, 2)
    '2 games at a time with up to 2 threads each need 4 cores, and there are 2: ...'
    >>> overload(Match(engines), 1, 2)
    ''
    """
    threads = max(engine.threads for engine in match.engines)
    if concurrency * threads <= available:
        return ""
    return (
        f"{concurrency} games at a time with up to {threads} threads each need "
        f"{concurrency * threads} cores, and there are {available}: engines get less time than "
        "they are told, and no process is pinned. Expected fewer games (-concurrency) or threads"
    )


def stats(words: Sequence[str]) -> str:
    """All statistics of the files that are named."""
    files: list[Path] = []
    anchor: str | None = None
    rest = iter(words)
    for word in rest:
        if word.lstrip("-") == "anchor" and word.startswith("-"):
            anchor = next(rest, None)
            if anchor is None:
                raise MatchError("-anchor takes a player's name, as NAME or NAME=ELO")
        elif word.startswith("-"):
            raise MatchError(f"match stats has no option {word!r}: expected -anchor")
        else:
            files.append(Path(word))
    if not files:
        raise MatchError("match stats needs the file of a match")
    lines, engines, sprt = read_lines(files)
    text = statistics(lines, spent=engines, sprt=sprt)
    if anchor is None and len({n for line in lines for n in (line.white, line.black)}) < 3:
        return text
    name, equals, elo = (anchor or "").partition("=")
    value = (-1 if elo.startswith("-") else 1) * read_number("anchor", elo.lstrip("-") or "0")
    if equals and not elo:
        raise MatchError(f"-anchor {anchor}: expected NAME or NAME=ELO")
    return f"{text}\n{RULE}\n{rating_table(lines, anchor=name or None, anchor_elo=value)}"


def read_lines(
    files: Sequence[Path],
) -> tuple[list[GameLine], dict[str, Engine], Sprt | None]:
    """The games of several matches, their pairs kept apart.

    With them the engines by name, those left out that are different ones in different matches, and
    the SPRT if there is one match only.
    """
    lines: list[GameLine] = []
    engines: dict[str, list[Engine]] = {}
    sprt = None
    for path in files:
        with Store.open(path) as store:
            first_pair = 1 + max((line.pair for line in lines), default=-1)
            lines += [replace(line, pair=line.pair + first_pair) for line in store.lines()]
            match = store.match
            for name, engine in zip(names(match), match.engines, strict=True):
                engines.setdefault(name, []).append(engine)
            sprt = match.sprt
    same = {name: found[0] for name, found in engines.items() if len(set(found)) == 1}
    return lines, same, sprt if len(files) == 1 else None


def print_plain(console: Console, text: str) -> None:
    """Prints a text as it is."""
    console.print(text.rstrip("\n"), markup=False, highlight=False, soft_wrap=True)


def _introduction(store: Store, order: Order) -> str:
    match = store.match
    lines = [f"obscuro {__version__}, {match.event}: {match.total} games, seed {match.seed}"]
    lines += [
        f"  {name}: {engine_words(engine)}"
        for name, engine in zip(names(match), match.engines, strict=True)
    ]
    if not all(engine.fog_honest for engine in match.engines):
        lines.append(f"Who is {NOT_FOG_HONEST} is told all moves of the game.")
    if finished := len(store.finished()):
        lines.append(f"{finished} games are finished already.")
    if store.version != __version__:
        lines.append(f"warning: the match was begun with obscuro {store.version}")
    lines.append(f"Games go into {store.path}. If this is interrupted: {order.resuming()}")
    return "\n".join(lines)


@contextlib.contextmanager
def _interruptible() -> Iterator[threading.Event]:
    """An event that an interrupt sets; a second interrupt ends the program at once."""
    stop = threading.Event()

    def on_signal(number: int, frame: FrameType | None) -> None:
        if stop.is_set():
            os._exit(INTERRUPTED)
        stop.set()

    before = {number: signal.signal(number, on_signal) for number in _signals()}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _signals() -> list[int]:
    if threading.current_thread() is not threading.main_thread():
        return []
    return [signal.SIGINT, signal.SIGTERM]

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
from obscuro.errors import MatchError, ObscuroError
from obscuro.match.clock import number as read_number
from obscuro.match.command import Order, read_command, read_report
from obscuro.match.local import cores
from obscuro.match.play import make_backend
from obscuro.match.progress import Progress
from obscuro.match.record import NOT_FOG_HONEST
from obscuro.match.report import RULE, engine_words
from obscuro.match.results import read_results, results_of
from obscuro.match.runner import State, check_engines, names, run
from obscuro.match.schedule import Match
from obscuro.match.slot import Slot
from obscuro.match.store import Store

INTERRUPTED = 130
HELP = """\
Usage: obscuro match -engine ... -engine ... [options]
       obscuro match -resume FILE [-concurrency N] [-ray ADDRESS]
       obscuro match stats FILE... [-anchor NAME[=ELO]] [-report penta=true|false]

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
  -engines FILE                    engines from a file: on each line what would follow -engine

How much:
  -rounds N                        meetings of each two engines (1)
  -games 1|2                       games of a meeting; 2, the default, swap the colours
  -tournament roundrobin|gauntlet  all against all, or the first against all others
  -sprt elo0=A elo1=B [alpha=0.05] [beta=0.05] [model=normalized|logistic|bayesian]
                                   stop when it is clear which holds
  -report penta=true|false         whether statistics and SPRT look at pairs of games (true)
  -openings file=F [format=fen|epd|pgn] [order=sequential|random] [plies=N] [start=N]
                                   positions to start from, known to both players
  -maxmoves N                      a draw after so many moves
  -resign movecount=N value=V [twosided=true]
                                   adjudicate: lost after N own values of at most -V (off);
                                   twosided: only if the opponent's are at least V
  -draw movenumber=M movecount=N value=V    adjudicate: drawn (off)
                                   values are from -1 to 1; score=CP gives centipawns instead
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
Usage: obscuro match stats FILE... [-anchor NAME[=ELO]] [-report penta=true|false]

Prints all statistics of the games in these files, taken together: a block for each two players;
a crosstable and ratings if there are more than two. A file is that of a match, or one that -jsonout
has written. -anchor fixes the rating of a player; without pairs (penta=false) every game counts for
itself.
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
    slot = Slot()
    try:
        with _open(order, slot) as store:
            print_plain(console, _introduction(store, order))
            try:
                state = _play(store, order, console, slot)
            except ObscuroError:
                print_plain(console, f"The games so far are kept; go on with:\n{order.resuming()}")
                raise
            return _conclude(store, state, order, console)
    finally:
        slot.close()


def _open(order: Order, slot: Slot) -> Store:
    if order.match is not None:
        checked = check_engines(order.match, slot, _warn)
        return Store.create(order.file, checked, pgn=order.pgn, json=order.json)
    store = Store.open(order.file)
    try:
        # Whoever cannot start here would lose all games that are left.
        check_engines(store.match, slot, _warn)
    except ObscuroError:
        store.close()
        raise
    return store


def _play(store: Store, order: Order, console: Console, slot: Slot) -> State:
    match = store.match
    if order.ray is None and (warning := overload(match, order.concurrency or 1, len(cores()))):
        _warn(warning)
    backend = make_backend(match, slot, concurrency=order.concurrency, ray=order.ray, pin=order.pin)
    if order.ray is not None:
        print_plain(console, f"{backend.capacity} games at a time on the Ray cluster.")
    with _interruptible() as stop, Progress(console, interval=order.interval) as progress:
        return run(store, backend, on_change=progress, stopped=stop.is_set)


def _warn(words: str) -> None:
    Console(stderr=True, highlight=False).print(f"warning: {words}", markup=False, soft_wrap=True)


def _conclude(store: Store, state: State, order: Order, console: Console) -> int:
    print_plain(console, f"{RULE}\n{results_of(state.match, state.lines)}\n{RULE}")
    if state.verdict is not None:
        print_plain(console, f"The SPRT has accepted {state.verdict}.")
    for path in (store.path, *filter(None, store.outputs)):
        print_plain(console, f"The games are in {path}.")
    if len(state.lines) == state.match.total or state.verdict is not None:
        return 0
    print_plain(
        console,
        f"Interrupted after {len(state.lines)} of {state.match.total} games; "
        f"go on with:\n{order.resuming()}",
    )
    return INTERRUPTED


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
    paired: bool | None = None
    rest = iter(words)
    for word in rest:
        option = word.lstrip("-") if word.startswith("-") else ""
        if option == "anchor":
            anchor = next(rest, None)
            if anchor is None:
                raise MatchError("-anchor takes a player's name, as NAME or NAME=ELO")
        elif option == "report":
            paired = read_report(next(rest, ""))
        elif word.startswith("-"):
            raise MatchError(f"match stats has no option {word!r}: expected -anchor or -report")
        else:
            files.append(Path(word))
    if not files:
        raise MatchError("match stats needs the file of a match")
    results = read_results(files)
    if paired is not None:
        results = replace(results, paired=paired)
    if anchor is None and len(results.names) < 3:
        return str(results)
    name, equals, elo = (anchor or "").partition("=")
    value = (-1 if elo.startswith("-") else 1) * read_number("anchor", elo.lstrip("-") or "0")
    if equals and not elo:
        raise MatchError(f"-anchor {anchor}: expected NAME or NAME=ELO")
    table = results.rating_table(anchor=name or None, anchor_elo=value)
    return f"{results}\n{RULE}\n{table}"


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

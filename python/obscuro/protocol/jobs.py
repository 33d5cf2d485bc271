"""What the engine does in a thread beside the one that listens."""

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Protocol

import chess

from obscuro.errors import ProtocolError
from obscuro.players.base import Clock, Limits
from obscuro.players.obscuro import ObscuroPlayer
from obscuro.players.settings import EngineSettings
from obscuro.players.timing import budget
from obscuro.protocol import bench, referee
from obscuro.protocol.commands import Go, Perft, PlainPosition
from obscuro.protocol.reports import info_lines

FOREVER = 1_000_000.0
"""Seconds that nobody waits for: such a search is ended by `stop`."""

NO_MOVE = "bestmove (none)"
"""The answer to `go` where there is no move to give."""


class Job(Protocol):
    """Something that takes its time.

    Attributes:
        after_failure: What is said after the error, if it fails.
        held: Whether what it says must wait for `stop` or `ponderhit`.
        silent: Whether nobody asked for it, so that it makes way for whatever comes.
    """

    after_failure: tuple[str, ...]
    held: bool
    silent: bool

    def lines(self) -> Iterator[str]:
        """Does it, and says lines; in the thread beside."""
        ...

    def stop(self) -> None:
        """Ends it soon; from the thread that listens."""

    def ponderhit(self) -> None:
        """What it was to wait for has come about."""


class Search:
    """A search for a move."""

    after_failure: tuple[str, ...] = (NO_MOVE,)
    silent = False

    def __init__(
        self, player: ObscuroPlayer, color: chess.Color, go: Go, settings: EngineSettings
    ) -> None:
        self.held = go.infinite or go.ponder
        self._color = color
        self._player = player
        self._memory_mb = settings.memory_mb
        self._wanted = limits(go, color, settings)
        self._limits = _without_end(self._wanted, go) if self.held else self._wanted
        self._timer: threading.Timer | None = None
        player.reset_stop()

    def lines(self) -> Iterator[str]:
        """Searches, and says what was found and the move."""
        try:
            decision = self._player.choose(self._limits)
        finally:
            self._cancel()
        yield from info_lines(decision, self._color, self._memory_mb)
        yield f"bestmove {decision.move.uci()}" if decision.move else NO_MOVE

    def stop(self) -> None:
        """Has it answer with what it has."""
        self._cancel()
        self._player.stop()

    def ponderhit(self) -> None:
        """From now on the time counts."""
        wanted = self._wanted
        times = [] if wanted.seconds is None else [wanted.seconds]
        if wanted.clock is not None:
            times.append(budget(wanted.clock))
        if times:
            self._timer = threading.Timer(min(times), self._player.stop)
            self._timer.daemon = True
            self._timer.start()

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()


class ThinkAhead:
    """A search while the opponent is to move; it finds no move, but the next search is the better.

    Args:
        player: Who thinks.
        asked: Whether it was asked for, by `go`, and so must be answered.
    """

    def __init__(self, player: ObscuroPlayer, *, asked: bool) -> None:
        self.held = asked
        self.silent = not asked
        self.after_failure: tuple[str, ...] = (NO_MOVE,) if asked else ()
        self._player = player
        player.reset_stop()

    def lines(self) -> Iterator[str]:
        """Searches until it is stopped."""
        self._player.ponder(FOREVER)
        yield from self.after_failure

    def stop(self) -> None:
        """Ends it."""
        self._player.stop()

    def ponderhit(self) -> None:
        """The opponent has moved: it is of no use to go on."""
        self._player.stop()


class Count:
    """`perft` and `divide`."""

    held = False
    silent = False
    after_failure: tuple[str, ...] = ()

    def __init__(self, position: PlainPosition, wanted: Perft) -> None:
        self._position = position
        self._wanted = wanted
        self._stopped = threading.Event()

    def lines(self) -> Iterator[str]:
        """Counts, and says the numbers; none that is not complete."""
        start = time.perf_counter()
        wanted = self._wanted
        counts = referee.perft(self._position, wanted.depth, self._stopped)
        seconds = time.perf_counter() - start
        if self._stopped.is_set():
            yield "info string perft was stopped"
            return
        if wanted.divide:
            yield from (f"{move}: {nodes}" for move, nodes in counts.items())
        nodes = sum(counts.values()) if wanted.depth else 1
        yield f"nodes {nodes}"
        yield f"time {round(1000 * seconds)}"
        yield f"nps {round(nodes / seconds) if seconds > 0 else 0}"

    def stop(self) -> None:
        """Ends it."""
        self._stopped.set()

    def ponderhit(self) -> None:
        """Means nothing here."""


class Bench:
    """`bench`."""

    held = False
    silent = False
    after_failure: tuple[str, ...] = ()

    def __init__(self, nodes: int | None) -> None:
        self._run = bench.Bench(bench.NODES if nodes is None else nodes)

    def lines(self) -> Iterator[str]:
        """Searches the fixed positions."""
        yield from self._run.lines()

    def stop(self) -> None:
        """Ends it."""
        self._run.stop()

    def ponderhit(self) -> None:
        """Means nothing here."""


def limits(go: Go, color: chess.Color, settings: EngineSettings) -> Limits:
    """What a search may spend.

    >>> limits(Go(movetime=500), chess.WHITE, EngineSettings()).seconds
    0.5
    >>> limits(Go(btime=500), chess.WHITE, EngineSettings())
    Traceback (most recent call last):
    obscuro.errors.ProtocolError: go: it is white's turn, expected wtime beside btime
    """
    own = (go.wtime, go.winc) if color == chess.WHITE else (go.btime, go.binc)
    other = go.btime if color == chess.WHITE else go.wtime
    if own[0] is None and other is not None:
        names = ("wtime", "btime") if color == chess.WHITE else ("btime", "wtime")
        raise ProtocolError(
            f"go: it is {chess.COLOR_NAMES[color]}'s turn, expected {names[0]} beside {names[1]}"
        )
    # Nothing at all would mean no limit.
    seconds = None if go.movetime is None else max(1, go.movetime) / 1000
    clock = None
    if own[0] is not None:
        clock = Clock(own[0] / 1000, (own[1] or 0) / 1000, go.movestogo)
    if seconds is None and clock is None and go.nodes is None:
        if settings.nodes is not None:
            return Limits(nodes=settings.nodes)
        return Limits(seconds=settings.seconds)
    return Limits(
        seconds=None if seconds is None else min(seconds, FOREVER), nodes=go.nodes, clock=clock
    )


def _without_end(wanted: Limits, go: Go) -> Limits:
    """A search that somebody else ends; if nodes are all that was given, the tree grows so far."""
    only_nodes = wanted.nodes is not None and wanted.seconds is None and wanted.clock is None
    if only_nodes:
        return wanted
    return replace(wanted, seconds=FOREVER, clock=None, nodes=None if go.infinite else wanted.nodes)

"""A place where one game after another is played, each in a process that may be lost.

A process that dies by its own fault (a crash of native code) or keeps silent loses the game for
the player that was being waited for; the next game gets a new process. One that was ended from
outside (killed, out of memory) lost nothing: its game is played again.
"""

import contextlib
import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from multiprocessing.connection import Connection, wait
from typing import Any

import chess

from obscuro.errors import MatchError, PlayerError
from obscuro.match.engines import Engine, Probe
from obscuro.match.record import GameRecord, Side
from obscuro.match.referee import CRASH, SILENCE, Ply, Verdict, name
from obscuro.match.schedule import Match, Task
from obscuro.match.worker import GameRequest, ProbeRequest, main
from obscuro.players import Result

UNLIMITED_SILENCE_SECONDS = 600.0
"""How long is waited for an answer where no clock sets a limit."""

MOST_ATTEMPTS = 3
"""How often a game is begun whose process is ended from outside, before that is an error."""

_FROM_OUTSIDE = {signal.SIGTERM, signal.SIGINT, getattr(signal, "SIGKILL", signal.SIGTERM)}
_POLL_SECONDS = 0.2
_END_SECONDS = 5.0
_DYING_SECONDS = 0.5


class Stopped(Exception):  # noqa: N818 - not an error: what was asked for
    """The match was stopped while a game was going on."""


class _Lost(Exception):  # noqa: N818
    """The process was ended from outside."""


@dataclass
class _Progress:
    """How far a game is, as the process has told."""

    color: chess.Color = chess.WHITE
    deadline: float = field(default=0.0)
    plies: list[Ply] = field(default_factory=list)
    seeds: tuple[int | None, ...] = (None, None)
    decided: Verdict | None = None
    verdict: Verdict | None = None

    def lost(self, words: str, kind: str) -> Verdict:
        """What it means that the process failed: nothing, if only its end was still to come."""
        if self.decided is not None:
            return self.decided
        return Verdict(Result(not self.color, f"{name(self.color)} {words}"), kind)


class Slot:
    """Plays games in a process of its own, pinned to cores if there are enough of them.

    `stopped` is asked now and then; once it says so, the process is ended.
    """

    def __init__(
        self,
        cores: Sequence[int] = (),
        *,
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        self._cores = tuple(cores)
        self._stopped = stopped
        self._process: Any = None
        self._pipe: Connection | None = None

    def probe(self, engine: Engine) -> Probe:
        """Makes a player once; a mistake in its text is a `PlayerError`."""
        text = engine.player
        pipe = self._start()
        try:
            pipe.send(ProbeRequest(engine))
            if not pipe.poll(UNLIMITED_SILENCE_SECONDS):
                raise PlayerError(f"{text} does not start: no answer")
            word, answer = pipe.recv()
        except (EOFError, OSError) as error:
            code = self._end()
            raise PlayerError(f"{text} does not start: it {_died(code)}") from error
        if word == "refused":
            raise PlayerError(answer)
        assert isinstance(answer, Probe)
        return answer

    def play(self, match: Match, task: Task) -> GameRecord:
        """Plays a game to its end, whatever its players do."""
        white, black = match.engines[task.white], match.engines[task.black]
        request = GameRequest.seeded(
            (white, black), task.start, match.adjudication, match.seed, task.number
        )
        for _ in range(MOST_ATTEMPTS):
            progress = _Progress()
            try:
                self._play(request, progress, match.silence)
            except _Lost:
                continue
            assert progress.verdict is not None
            return _record(match, task, progress)
        raise MatchError(
            f"the process of game {task.number + 1} was ended from outside {MOST_ATTEMPTS} times"
        )

    def close(self) -> None:
        """Ends the process."""
        self._end()

    def _play(self, request: GameRequest, progress: _Progress, silence: float) -> None:
        pipe = self._start()
        progress.deadline = time.monotonic() + UNLIMITED_SILENCE_SECONDS
        try:
            pipe.send(request)
            while progress.verdict is None:
                if self._stopped():
                    self._end()
                    raise Stopped
                if pipe.poll(_POLL_SECONDS):
                    self._hear(pipe.recv(), progress, silence)
                elif time.monotonic() > progress.deadline:
                    self._end()
                    progress.verdict = progress.lost("gave no answer", SILENCE)
        except (EOFError, OSError):
            code = self._end()
            if progress.decided is None and code is not None and -code in _FROM_OUTSIDE:
                raise _Lost from None
            progress.verdict = progress.lost(_died(code), CRASH)
        if progress.verdict.is_fault:
            # The engine is started anew, and whatever it has left behind is gone.
            self._end()

    def _hear(self, message: tuple[Any, ...], progress: _Progress, silence: float) -> None:
        match message:
            case "waiting", color, None:
                progress.color = color
                progress.deadline = time.monotonic() + max(silence, UNLIMITED_SILENCE_SECONDS)
            case "waiting", color, seconds:
                progress.color = color
                progress.deadline = time.monotonic() + seconds + silence
            case "played", ply:
                progress.plies.append(ply)
            case "seeds", seeds:
                progress.seeds = seeds
            case "decided", verdict:
                progress.decided = verdict
            case "closing", color:
                progress.color = color
                progress.deadline = time.monotonic() + silence
            case "over", verdict:
                progress.verdict = verdict

    def _start(self) -> Connection:
        if self._pipe is not None and not wait([self._process.sentinel], 0):
            return self._pipe
        self._end()
        # A fresh interpreter: a fork of a process with threads would inherit their locks.
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        self._process = context.Process(target=main, args=(theirs, os.getpid()), daemon=True)
        with _interrupts_blocked():
            self._process.start()
        theirs.close()
        if self._cores and hasattr(os, "sched_setaffinity"):
            # It may have ended already; that is noticed when it is asked something.
            with contextlib.suppress(ProcessLookupError):
                os.sched_setaffinity(self._process.pid, self._cores)
        self._pipe = ours
        return ours

    def _end(self) -> int | None:
        """Ends the process and returns its exit code: the negative signal, if one ended it."""
        if self._process is None:
            return None
        if self._pipe is not None:
            self._pipe.close()
        # Its end of the pipe is closed: if it is dying, its own exit code is the one to tell.
        wait([self._process.sentinel], _DYING_SECONDS)
        # It leads a group with all programs it has started. As long as it was not joined, no other
        # process can have its number.
        with contextlib.suppress(ProcessLookupError, AttributeError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.join(_END_SECONDS)
        code: int | None = self._process.exitcode
        self._process = self._pipe = None
        return code


@contextlib.contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """A process that is started here never hears of an interrupt: the runner ends it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _record(match: Match, task: Task, progress: _Progress) -> GameRecord:
    assert progress.verdict is not None
    seeds = (*progress.seeds, None, None)
    return GameRecord(
        white=_side(match.engines[task.white], seeds[0]),
        black=_side(match.engines[task.black], seeds[1]),
        plies=progress.plies,
        result=progress.verdict.result.score,
        reason=progress.verdict.result.reason,
        kind=progress.verdict.kind,
        start=task.start,
        number=task.number,
        round=task.round,
        pair=task.pair,
        event=match.event,
        date=f"{date.today():%Y.%m.%d}",
    )


def _side(engine: Engine, seed: int | None) -> Side:
    return Side(engine.name, engine.player, str(engine.control), seed, engine.fog_honest)


def _died(code: int | None) -> str:
    if code is None:
        return "ended"
    if code >= 0:
        return f"ended its process with exit code {code}"
    try:
        return f"crashed: {signal.Signals(-code).name}"
    except ValueError:
        return f"crashed: signal {-code}"

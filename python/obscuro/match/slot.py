"""A place where one game after another is played, each in a process that may be lost.

A process that dies by its own fault (a crash of native code) or keeps silent loses the game for
the player that was being waited for; the next game gets a new process. One that was ended from
outside (killed, out of memory) lost nothing: its game is played again.
"""

import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

import chess

from obscuro.errors import MatchError, PlayerError
from obscuro.match.engines import Engine, Probe
from obscuro.match.process import Ended, Process
from obscuro.match.record import GameRecord, Side
from obscuro.match.referee import CRASH, SILENCE, Ply, Verdict, name
from obscuro.match.schedule import Match, Task
from obscuro.match.worker import GameRequest, ProbeRequest
from obscuro.players import Result

UNLIMITED_SILENCE_SECONDS = 600.0
"""How long is waited for an answer where no clock sets a limit."""

MOST_ATTEMPTS = 3
"""How often a game is begun whose process is ended from outside."""

_FROM_OUTSIDE = {signal.SIGTERM, signal.SIGINT, getattr(signal, "SIGKILL", signal.SIGTERM)}
_POLL_SECONDS = 0.2


class Stopped(Exception):  # noqa: N818 - not an error: what was asked for
    """The match was stopped while a game was going on."""


class _Lost(Exception):  # noqa: N818
    """The process was ended from outside."""


@dataclass
class _Progress:
    """How far a game is, as the process has told."""

    silence: float
    begun: bool = False
    over: bool = False
    color: chess.Color = chess.WHITE
    deadline: float = field(default_factory=lambda: time.monotonic() + UNLIMITED_SILENCE_SECONDS)
    plies: list[Ply] = field(default_factory=list)
    seeds: dict[chess.Color, int | None] = field(default_factory=dict)
    verdict: Verdict | None = None

    def hear(self, message: tuple[Any, ...]) -> None:
        match message:
            case "waiting", color, seconds:
                self.begun, self.color = True, color
                allowed = UNLIMITED_SILENCE_SECONDS if seconds is None else seconds + self.silence
                self.deadline = time.monotonic() + allowed
            case "played", ply:
                self.plies.append(ply)
            case "seed", color, seed:
                self.seeds[color] = seed
            case "decided", verdict:
                self.verdict = verdict
            case ("over",):
                self.over = True

    def fail(self, words: str, kind: str) -> None:
        """The process failed while a player was waited for, who loses if the game was still on."""
        words = f"{name(self.color)} {words}"
        if self.verdict is not None:
            self.verdict = self.verdict.but_then(words)
        else:
            self.verdict = Verdict(Result(not self.color, words), kind)
        self.over = True


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
        self.cores = tuple(cores)
        self.stopped = stopped
        self._process: Process | None = None

    def probe(self, engine: Engine) -> Probe:
        """Makes a player once; a mistake in its text is a `PlayerError`."""
        process = self._start()
        try:
            process.send(ProbeRequest(engine))
            word, answer = process.receive(UNLIMITED_SILENCE_SECONDS)
        except TimeoutError:
            raise PlayerError(f"{engine.name} does not start: no answer") from None
        except Ended:
            raise PlayerError(f"{engine.name} does not start: it {_died(self._end())}") from None
        if word == "refused":
            raise PlayerError(f"{engine.name}: {answer}")
        assert isinstance(answer, Probe)
        return answer

    def play(self, match: Match, task: Task) -> GameRecord:
        """Plays a game to its end, whatever its players do."""
        white, black = match.engines[task.white], match.engines[task.black]
        request = GameRequest.seeded(
            (white, black), task.start, match.adjudication, match.seed, task.number
        )
        request = replace(request, cores=self.cores)
        for attempt in range(1, MOST_ATTEMPTS + 1):
            progress = _Progress(match.silence)
            try:
                self._play(request, progress)
            except _Lost as lost:
                if attempt < MOST_ATTEMPTS:
                    continue
                if not progress.begun:
                    raise MatchError(
                        f"the process of game {task.number + 1} does not start: it {lost}"
                    ) from None
                # Somebody keeps ending it: most likely the system, for the memory it takes.
                progress.fail(f"{lost}, {attempt} times", CRASH)
            break
        return _record(match, task, progress)

    def close(self) -> None:
        """Ends the process."""
        self._end()

    def _play(self, request: GameRequest, progress: _Progress) -> None:
        process = self._start()
        try:
            process.send(request)
            while not progress.over:
                if self.stopped():
                    self._end()
                    raise Stopped
                try:
                    progress.hear(process.receive(_POLL_SECONDS))
                except TimeoutError:
                    if time.monotonic() > progress.deadline:
                        self._end()
                        progress.fail("gave no answer", SILENCE)
        except Ended:
            code = self._end()
            if progress.verdict is None and (not progress.begun or -code in _FROM_OUTSIDE):
                raise _Lost(_died(code)) from None
            progress.fail(_died(code), CRASH)
        verdict = progress.verdict
        loser = request.black if verdict and verdict.result.winner else request.white
        if verdict is None or (verdict.is_fault and loser.program is None):
            # It is started anew, as a program is in any case, and what it has left behind is gone.
            self._end()

    def _start(self) -> Process:
        if self._process is None or not self._process.is_alive:
            self._end()
            self._process = Process()
        return self._process

    def _end(self) -> int:
        """Ends the process and returns its exit code: the negative signal, if one ended it."""
        process, self._process = self._process, None
        return 0 if process is None else process.end()


def _record(match: Match, task: Task, progress: _Progress) -> GameRecord:
    assert progress.verdict is not None
    return GameRecord(
        white=_side(match.engines[task.white], progress.seeds.get(chess.WHITE)),
        black=_side(match.engines[task.black], progress.seeds.get(chess.BLACK)),
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


def _died(code: int) -> str:
    if code >= 0:
        return f"ended its process with exit code {code}"
    try:
        return f"crashed: {signal.Signals(-code).name}"
    except ValueError:
        return f"crashed: signal {-code}"

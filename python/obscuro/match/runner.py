"""The runner: gives out games, keeps what comes back, and stops when it is known enough."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from obscuro.errors import FileError
from obscuro.match.local import Backend
from obscuro.match.record import GameLine, GameRecord, marked
from obscuro.match.report import counts_of
from obscuro.match.schedule import Match, Task
from obscuro.match.slot import Slot
from obscuro.match.statistics import Counts
from obscuro.match.store import Store

_TICK_SECONDS = 0.5


@dataclass(frozen=True)
class State:
    """How far a match is.

    Attributes:
        lines: The finished games.
        last: The game that was just finished, if one was.
        verdict: What the SPRT has decided, if it has.
    """

    match: Match
    lines: list[GameLine]
    last: GameRecord | None = None
    verdict: str | None = None

    def counts(self, first: str, second: str) -> Counts:
        """The counts of the first of two players against the second."""
        return counts_of(self.lines, first, second, paired=self.match.paired)


def check_engines(
    match: Match, slot: Slot, warn: Callable[[str], None] = lambda words: None
) -> Match:
    """The match with what its players say of themselves; a mistake in one is a `PlayerError`."""
    engines = []
    for engine in match.engines:
        found = slot.probe(engine)
        if found.warning:
            warn(f"{engine.name}: {found.warning}")
        threads = max(engine.threads, found.threads)
        engines.append(
            replace(engine, threads=threads, fog_honest=found.fog_honest, program=found.program)
        )
    return replace(match, engines=tuple(engines))


def run(
    store: Store,
    backend: Backend,
    *,
    on_change: Callable[[State], None] = lambda state: None,
    stopped: Callable[[], bool] = lambda: False,
) -> State:
    """Plays all games of a match that its file lacks; the backend is closed at the end.

    `stopped` is asked now and then. Once it says so, the games that are going on are dropped.
    """
    match = store.match
    lines = store.lines()
    outputs = store.outputs
    store.export(pgn=outputs[0], json=outputs[1])
    state = State(match, lines, verdict=_decide(match, lines))
    finished = store.finished()
    waiting = (task for task in match.tasks() if task.number not in finished)
    running = 0
    try:
        on_change(state)
        while state.verdict is None and not stopped():
            running += _fill(backend, waiting, backend.capacity - running)
            if not running:
                break
            records = backend.wait(_TICK_SECONDS)
            running -= len(records)
            for record in records:
                store.add(record)
                _append(record, outputs)
                lines.append(record.line())
                state = replace(state, last=record, verdict=_decide(match, lines))
                on_change(state)
            if not records:
                on_change(replace(state, last=None))
    finally:
        backend.close()
    return replace(state, last=None)


def _fill(backend: Backend, waiting: Iterator[Task], room: int) -> int:
    begun = 0
    while begun < room and (task := next(waiting, None)) is not None:
        backend.submit(task)
        begun += 1
    return begun


def _decide(match: Match, lines: list[GameLine]) -> str | None:
    if match.sprt is None:
        return None
    counts = counts_of(lines, *names(match), paired=match.paired)
    # The half of a pair is no fair sample of it; once there are pairs, the test looks at them only.
    if match.games == 2 and match.paired and not counts.is_paired:
        return None
    return match.sprt.verdict(counts)


def names(match: Match) -> list[str]:
    """The names of the engines, as outputs give them."""
    return [marked(engine.name, engine.fog_honest) for engine in match.engines]


def _append(record: GameRecord, outputs: tuple[str | None, str | None]) -> None:
    for path, text in zip(
        outputs, (f"{record.to_pgn()}\n\n", f"{record.to_json()}\n"), strict=True
    ):
        if path is not None:
            try:
                with Path(path).open("a", encoding="utf-8") as file:
                    file.write(text)
            except OSError as error:
                raise FileError(f"cannot write {path}: {error.strerror}") from error

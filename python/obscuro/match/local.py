"""Playing on this machine: several games at a time, each in a slot with cores of its own."""

import os
import threading
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from queue import SimpleQueue
from typing import Protocol

from obscuro.match.record import GameRecord
from obscuro.match.schedule import Match, Task
from obscuro.match.slot import Slot, Stopped


class Backend(Protocol):
    """Where games are played."""

    capacity: int
    """How many at a time."""

    def submit(self, task: Task) -> None:
        """Begins a game; there must be room for it."""

    def wait(self, seconds: float) -> list[GameRecord]:
        """The games that were finished meanwhile; waits for the first, but not for ever."""
        ...

    def close(self) -> None:
        """Ends all games that are still going on."""


def cores() -> list[int]:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def share_cores(available: list[int], games: int, threads: int) -> list[tuple[int, ...]]:
    """Cores for each game, none twice; nothing is pinned where they do not suffice.

    >>> share_cores([0, 1, 2, 3], games=2, threads=2)
    [(0, 1), (2, 3)]
    >>> share_cores([0, 1], games=2, threads=2)
    [(), ()]
    """
    if games * threads > len(available):
        return [()] * games
    return [tuple(available[i * threads : (i + 1) * threads]) for i in range(games)]


class LocalBackend:
    """Games on this machine; `slot` is one that has been used before, for the first of them."""

    def __init__(
        self, match: Match, *, concurrency: int, pin: bool = True, slot: Slot | None = None
    ) -> None:
        self.capacity = concurrency
        self._match = match
        self._stop = threading.Event()
        self._slots: SimpleQueue[Slot] = SimpleQueue()
        threads = max(engine.threads for engine in match.engines)
        shares = share_cores(cores(), concurrency, threads) if pin else [()] * concurrency
        for share in shares:
            used, slot = slot or Slot(), None
            used.cores, used.stopped = share, self._stop.is_set
            self._slots.put(used)
        self._executor = ThreadPoolExecutor(max_workers=concurrency)
        self._running: set[Future[GameRecord]] = set()

    def submit(self, task: Task) -> None:
        """Begins a game."""
        self._running.add(self._executor.submit(self._play, task))

    def wait(self, seconds: float) -> list[GameRecord]:
        """The games that were finished meanwhile."""
        done, self._running = wait(self._running, seconds, return_when=FIRST_COMPLETED)
        return [future.result() for future in done]

    def close(self) -> None:
        """Ends all games."""
        self._stop.set()
        self._executor.shutdown(wait=True, cancel_futures=True)
        while not self._slots.empty():
            self._slots.get().close()
        for future in self._running:
            if not future.cancelled() and isinstance(future.exception(), Exception):
                error = future.exception()
                if error is not None and not isinstance(error, Stopped):
                    raise error

    def _play(self, task: Task) -> GameRecord:
        slot = self._slots.get()
        try:
            return slot.play(self._match, task)
        finally:
            self._slots.put(slot)

"""The opponents' programs: a bounded number of searches at a time, a bounded number in memory."""

import asyncio
import os
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import chess

from obscuro.fow.observation import Observation
from obscuro.players import Decision, Limits, Player

T = TypeVar("T")

MakePlayer = Callable[[str], Player]
"""Makes a player of its text, as `obscuro.players.make` does."""

_NICENESS = 10


class Engine:
    """The program of one game. It is told the observations of its own seat and nothing else.

    The player is made when it is needed first, and made again after `forget`: everything that it
    has to know is in the observations.
    """

    def __init__(self, make: MakePlayer, spec: str, color: chess.Color, start: str) -> None:
        self._make, self._spec = make, spec
        self._color, self._start = color, start
        self._player: Player | None = None
        self._told = 0
        # One job at a time for one player.
        self._lock = threading.Lock()

    def anew(self) -> "Engine":
        """Another program for the same seat, which has seen nothing yet."""
        return Engine(self._make, self._spec, self._color, self._start)

    def choose(self, observations: Sequence[Observation], limits: Limits) -> Decision:
        """Tells the player what is new, and asks for a move. Takes the time of a search."""
        with self._lock:
            return self._tell(observations).choose(limits)

    def tell(self, observations: Sequence[Observation]) -> None:
        """Tells the player what is new, while the opponent thinks."""
        with self._lock:
            if self._player is not None:
                self._tell(observations)

    def stop(self) -> None:
        """Makes a search that runs end soon, where the player can do that."""
        stop = getattr(self._player, "stop", None)
        if stop is not None:
            stop()

    def forget(self) -> None:
        """Lets go of the player and its memory; may wait for the end of a search."""
        with self._lock:
            player, self._player = self._player, None
            if player is not None:
                player.close()

    def _tell(self, observations: Sequence[Observation]) -> Player:
        if self._player is None:
            self._player = self._make(self._spec)
            self._player.new_game(self._color, self._start)
            self._told = 0
        for seen in observations[self._told :]:
            self._player.observe(seen)
            self._told += 1
        return self._player


class Searches:
    """The threads in which programs think.

    Args:
        at_once: How many searches run at the same time; the others wait in the order they came.
        in_memory: How many programs keep what they know; the one that has not been asked for
            the longest time is put away first, and is told everything again when it is.
    """

    def __init__(self, at_once: int, in_memory: int) -> None:
        self._pool = ThreadPoolExecutor(at_once, "search", initializer=be_nice)
        self._in_memory = in_memory
        self._recent: OrderedDict[int, Engine] = OrderedDict()
        self.busy = 0
        """How many searches run or wait."""

    async def choose(
        self,
        engine: Engine,
        observations: Sequence[Observation],
        limits: Limits,
        on_start: Callable[[], None],
    ) -> Decision:
        """Asks a program for a move; `on_start` is called when its turn to search has come."""
        self._touch(engine)
        loop = asyncio.get_running_loop()

        def job() -> Decision:
            loop.call_soon_threadsafe(on_start)
            return engine.choose(observations, limits)

        self.busy += 1
        try:
            return await loop.run_in_executor(self._pool, job)
        finally:
            self.busy -= 1

    async def tell(self, engine: Engine, observations: Sequence[Observation]) -> None:
        """Lets a program take in what it has seen."""
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._pool, engine.tell, observations)

    async def run(self, work: Callable[[], T]) -> T:
        """Does other work where programs think, when its turn has come."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, work)

    def forget(self, engine: Engine) -> None:
        """Puts a program away, when its search is over."""
        self._recent.pop(id(engine), None)
        engine.stop()
        self._pool.submit(engine.forget)

    def close(self) -> None:
        """Ends all searches."""
        for engine in self._recent.values():
            engine.stop()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _touch(self, engine: Engine) -> None:
        self._recent[id(engine)] = engine
        self._recent.move_to_end(id(engine))
        while len(self._recent) > self._in_memory:
            _, oldest = self._recent.popitem(last=False)
            self._pool.submit(oldest.forget)


def be_nice() -> None:
    """Lets the server's own thread go first: its answers take no time and must not wait."""
    if sys.platform == "linux":
        # On Linux this is the thread's own, and that of the threads that it starts.
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)

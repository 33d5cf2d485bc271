"""Playing on a Ray cluster: the same slots, on whatever machines there are.

A game whose worker dies, with its machine or without, is played again; its seeds are the same.
"""

import importlib
import os
from collections.abc import Mapping
from typing import Any

from obscuro import __version__
from obscuro.errors import MatchError, MissingPackageError
from obscuro.match.record import GameRecord
from obscuro.match.schedule import Match, Task
from obscuro.match.slot import MOST_ATTEMPTS, Slot

LOCAL = "local"
# All that is sent are matches and records of games.
_STORE_BYTES = 80 << 20

_slot: Slot | None = None


class RayBackend:
    """Games on a Ray cluster; `address` is `local` for one on this machine alone.

    Each game reserves as many processors as the threads of its engines.
    """

    def __init__(self, match: Match, *, address: str, concurrency: int | None = None) -> None:
        self._ray = _import_ray()
        threads = max(engine.threads for engine in match.engines)
        self._began = not self._ray.is_initialized()
        if self._began:
            self._connect(address, threads, concurrency)
        processors = self._ray.cluster_resources().get("CPU", 0.0)
        room = int(processors // threads)
        if room < 1:
            raise MatchError(
                f"the Ray cluster has {processors:g} processors, a game needs {threads}"
            )
        self.capacity = min(room, concurrency) if concurrency else room
        self._match = self._ray.put(match)
        remote = self._ray.remote(num_cpus=threads, max_retries=0)
        self._play = remote(_play)
        self._running: dict[Any, tuple[Task, int]] = {}
        self.replayed = 0

    def submit(self, task: Task) -> None:
        """Begins a game."""
        self._begin(task, attempt=1)

    def wait(self, seconds: float) -> list[GameRecord]:
        """The games that were finished meanwhile."""
        if not self._running:
            return []
        ready, _ = self._ray.wait(list(self._running), num_returns=1, timeout=seconds)
        records = []
        for reference in ready:
            task, attempt = self._running.pop(reference)
            try:
                records.append(GameRecord.from_dict(self._ray.get(reference)))
            except self._ray.exceptions.RayTaskError as error:
                # What the game itself raised, on the other machine.
                raise error.as_instanceof_cause() from error
            except self._ray.exceptions.RayError as error:
                if attempt >= MOST_ATTEMPTS:
                    raise MatchError(
                        f"the worker of game {task.number + 1} died {attempt} times: "
                        f"{type(error).__name__}"
                    ) from error
                self.replayed += 1
                self._begin(task, attempt + 1)
        return records

    def close(self) -> None:
        """Ends all games."""
        for reference in self._running:
            self._ray.cancel(reference, force=True)
        self._running.clear()
        if self._began:
            self._ray.shutdown()

    def _begin(self, task: Task, attempt: int) -> None:
        self._running[self._play.remote(self._match, task, __version__)] = (task, attempt)

    def _connect(self, address: str, threads: int, concurrency: int | None) -> None:
        options: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
        os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
        if address == LOCAL:
            options |= {"address": "local", "include_dashboard": False}
            options |= {"object_store_memory": _STORE_BYTES}
            if concurrency:
                options["num_cpus"] = concurrency * threads
            # A cluster that is begun here tells nobody about it.
            os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        else:
            options["address"] = address
        # A busy machine can take longer to begin a cluster than Ray waits.
        attempts = MOST_ATTEMPTS if address == LOCAL else 1
        while (error := self._tried(options)) is not None:
            attempts -= 1
            if not attempts:
                raise MatchError(f"no Ray cluster at {address!r}: {error}") from error

    def _tried(self, options: dict[str, Any]) -> Exception | None:
        try:
            self._ray.init(**options)
        except Exception as error:  # Ray raises bare ones here
            self._ray.shutdown()
            return error
        return None


def _play(match: Match, task: Task, version: str) -> Mapping[str, Any]:
    """Runs in a worker of the cluster: one slot for all games that it is given."""
    global _slot
    if version != __version__:
        raise MatchError(
            f"a machine of the cluster has obscuro {__version__}, the match is run by {version}"
        )
    if _slot is None:
        _slot = Slot()
    return _slot.play(match, task).as_dict()


def _import_ray() -> Any:  # noqa: ANN401
    try:
        return importlib.import_module("ray")
    except ImportError as error:
        raise MissingPackageError(
            "games on a cluster need Ray: pip install 'obscuro[ray]'"
        ) from error

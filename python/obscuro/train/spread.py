"""The same work on many parts: here, in processes, or on a Ray cluster."""

import concurrent.futures
import importlib
import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import TypeVar

from obscuro.errors import MissingPackageError, TrainingError

LOCAL = "local"

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")


@dataclass(frozen=True)
class Spread:
    """Where work is done.

    >>> list(Spread().run(abs, [-1, 2]))
    [1, 2]
    """

    processes: int = 1
    """Processes on this machine; one works without another process."""
    ray: str | None = None
    """The address of a Ray cluster, or `local`: then it decides how many work."""

    def run(self, work: Callable[[_Task], _Result], tasks: Sequence[_Task]) -> Iterator[_Result]:
        """The results as they come. What is not asked for is not begun where one process works."""
        if self.processes < 1:
            raise TrainingError(f"there must be at least one process, found {self.processes}")
        if self.ray is not None:
            return _on_ray(work, tasks, self.ray)
        if self.processes == 1:
            return map(work, tasks)
        return _in_processes(work, tasks, self.processes)


def _in_processes(
    work: Callable[[_Task], _Result], tasks: Sequence[_Task], processes: int
) -> Iterator[_Result]:
    # Not forked: this process may have threads.
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(processes, context) as pool:
        futures = [pool.submit(work, task) for task in tasks]
        try:
            for future in concurrent.futures.as_completed(futures):
                yield future.result()
        except concurrent.futures.process.BrokenProcessPool as error:
            raise TrainingError(f"a process has died: {error}") from error
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _on_ray(
    work: Callable[[_Task], _Result], tasks: Sequence[_Task], address: str
) -> Iterator[_Result]:
    ray = _import_ray()
    began = not ray.is_initialized()
    if began:
        try:
            ray.init(
                address=None if address == LOCAL else address,
                log_to_driver=False,
                include_dashboard=False if address == LOCAL else None,
            )
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise TrainingError(f"no Ray cluster at {address!r}: {error}") from error
    try:
        remote = ray.remote(num_cpus=1)(work)
        waiting = [remote.remote(task) for task in tasks]
        while waiting:
            ready, waiting = ray.wait(waiting, num_returns=1)
            yield ray.get(ready[0])
    finally:
        if began:
            ray.shutdown()


def _import_ray() -> ModuleType:
    try:
        return importlib.import_module("ray")
    except ImportError as error:
        raise MissingPackageError(
            "Ray is not installed, and work was to be spread over it: pip install 'obscuro[ray]'"
        ) from error


HERE = Spread()
"""In this process, one part after the other."""

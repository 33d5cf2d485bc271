"""Another process of ours, spoken to in messages: the one in which games are played.

It is started as a fresh interpreter and not as a copy of this one: it shares no thread, no lock and
no `__main__` with the program that plays the match, which may be a script, a notebook or a shell.
"""

import contextlib
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any, BinaryIO

_BEGIN = """\
import sys
sys.path[:] = {path!r}
from obscuro.match.process import answer
from obscuro.match.worker import respond
answer(respond, parent={parent})
"""
_DYING_SECONDS = 0.5
_LOOK_EVERY_SECONDS = 1.0
_END = object()


class Ended(Exception):  # noqa: N818 - what happened, for the caller to judge
    """The process has ended, or closed its end of the pipe."""


class Process:
    """A process that answers requests."""

    def __init__(self) -> None:
        path = [os.path.abspath(entry) for entry in sys.path]  # noqa: PTH100 - of ""
        code = _BEGIN.format(path=path, parent=os.getpid())
        # A session of its own: an interrupt at the terminal is for the runner, who decides what it
        # means; and it leads a group with all programs that it starts.
        self._process = subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        self._messages: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, name="match reader", daemon=True)
        self._reader.start()

    @property
    def is_alive(self) -> bool:
        """Whether it still has its end of the pipe."""
        return self._reader.is_alive()

    def send(self, request: object) -> None:
        """Asks it something."""
        assert self._process.stdin is not None
        try:
            pickle.dump(request, self._process.stdin)
            self._process.stdin.flush()
        except (OSError, ValueError):  # a pipe that is broken, or closed
            raise Ended from None

    def receive(self, seconds: float) -> Any:  # noqa: ANN401
        """Its next message; `TimeoutError` if there is none in time."""
        try:
            message = self._messages.get(timeout=max(0.0, seconds))
        except queue.Empty:
            raise TimeoutError from None
        if message is _END:
            self._messages.put(_END)
            raise Ended
        return message

    def end(self) -> int:
        """Ends it with all it has started; its exit code, the negative signal if one ended it."""
        # If it is dying by itself, its own exit code is the one to tell.
        with contextlib.suppress(OSError):
            self._process.stdin.close()  # type: ignore[union-attr]
        self._reader.join(_DYING_SECONDS)
        # As long as it was not waited for, no other process can have its number.
        if hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        code = self._process.wait()
        self._reader.join(_DYING_SECONDS)
        self._process.stdout.close()  # type: ignore[union-attr]
        return code

    def _read(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        with contextlib.suppress(EOFError, OSError, pickle.UnpicklingError):
            while True:
                self._messages.put(pickle.load(stream))
        self._messages.put(_END)


def answer(
    respond: Callable[[Any, Callable[[Any], None]], None],
    *,
    parent: int,
) -> None:
    """What the process does: answers requests until the pipe is closed or the parent is gone.

    `respond` gets each request and a function that sends a message.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    incoming, outgoing = _take_pipes()
    threading.Thread(target=_leave_with, args=(parent,), daemon=True).start()

    def send(message: object) -> None:
        pickle.dump(message, outgoing)
        outgoing.flush()

    with contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            respond(pickle.load(incoming), send)


def _take_pipes() -> tuple[BinaryIO, BinaryIO]:
    """The pipes to the parent; whatever a player prints goes where errors go."""
    incoming, outgoing = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return incoming, outgoing


def _leave_with(parent: int) -> None:
    """Ends this process when its parent has died: a search would not notice for itself."""
    event = threading.Event()
    while os.getppid() == parent:
        event.wait(_LOOK_EVERY_SECONDS)
    if hasattr(os, "killpg"):
        os.killpg(0, signal.SIGKILL)
    os._exit(1)

"""Another program that is spoken to in lines, with time limits and errors that say more."""

import contextlib
import queue
import shlex
import subprocess
import threading
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path

from obscuro.errors import EngineEndedError, EngineError, EngineLateError

START_SECONDS = 30.0
"""What a program may take to start, and to get ready for a game."""

_KEPT_LINES = 5
_LEAVE_SECONDS = 2.0
_WRITE_ERRORS = (BrokenPipeError, OSError, ValueError)


class EngineProcess:
    r"""A running engine that speaks UCI.

    Args:
        command: The program and its arguments, as a shell splits them or already split.
        start_seconds: What it may take to answer while it does not search.

    >>> import sys
    >>> program = "import sys; [print('uciok' * (l == 'uci\\n')) for l in sys.stdin]"
    >>> engine = EngineProcess([sys.executable, "-uc", program])
    >>> engine.send("uci")
    >>> engine.lines_until("uciok", 20)
    ['uciok']
    >>> engine.close()
    """

    def __init__(
        self, command: str | Sequence[str], *, start_seconds: float = START_SECONDS
    ) -> None:
        self.command = _split(command)
        self.name = Path(self.command[0]).name
        self.start_seconds = start_seconds
        try:
            self._process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                encoding="utf-8",
                errors="replace",
                bufsize=1,
            )
        except OSError as error:
            raise EngineError(
                f"cannot start the engine {self.command[0]!r}: {error.strerror or error}"
            ) from error
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._last: deque[str] = deque(maxlen=_KEPT_LINES)
        self._reader = threading.Thread(target=self._read, name=f"{self.name} reader", daemon=True)
        self._reader.start()

    @property
    def is_running(self) -> bool:
        """Whether the program has not ended."""
        return self._process.poll() is None

    def send(self, line: str) -> None:
        """Writes a line to it."""
        pipe = self._process.stdin
        try:
            if pipe is not None:
                pipe.write(line + "\n")
                pipe.flush()
        except _WRITE_ERRORS as error:
            raise EngineEndedError(
                f"{self.name} does not take {line!r}: {self._ending()}"
            ) from error

    def lines_until(self, word: str, seconds: float) -> list[str]:
        """Its lines up to the first that begins with a word; an error if it is late or ends."""
        deadline = time.monotonic() + seconds
        lines: list[str] = []
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise EngineLateError(
                    f"{self.name} did not say {word!r} within {seconds:g} s{self._said()}"
                ) from None
            if line is None:
                self._lines.put(None)
                raise EngineEndedError(f"{self.name} did not say {word!r}: {self._ending()}")
            lines.append(line)
            if line.split(maxsplit=1)[:1] == [word]:
                return lines

    def handshake(self) -> list[str]:
        """`uci` until `uciok`: what it tells of itself."""
        self.send("uci")
        return self.lines_until("uciok", self.start_seconds)

    def wait_ready(self) -> list[str]:
        """`isready` until `readyok`: what it says meanwhile."""
        self.send("isready")
        return self.lines_until("readyok", self.start_seconds)

    def close(self) -> None:
        """Asks it to quit, and ends it if it does not."""
        with contextlib.suppress(EngineError):
            self.send("quit")
        try:
            self._process.wait(_LEAVE_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
        self._let_go()

    def kill(self) -> None:
        """Ends it at once."""
        self._process.kill()
        self._process.wait()
        self._let_go()

    def _let_go(self) -> None:
        self._reader.join(_LEAVE_SECONDS)
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(*_WRITE_ERRORS):
                    pipe.close()

    def _read(self) -> None:
        pipe = self._process.stdout
        with contextlib.suppress(*_WRITE_ERRORS):
            for line in pipe or ():
                text = line.strip()
                self._last.append(text)
                self._lines.put(text)
        self._lines.put(None)

    def _ending(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_LEAVE_SECONDS)
        code = self._process.poll()
        how = "it closed its output" if code is None else f"it ended with exit code {code}"
        return how + self._said()

    def _said(self) -> str:
        said = " / ".join(line for line in list(self._last) if line)
        return f"; it last said: {said}" if said else "; it said nothing"


def _split(command: str | Sequence[str]) -> list[str]:
    try:
        parts = shlex.split(command) if isinstance(command, str) else list(command)
    except ValueError as error:
        raise EngineError(f"cannot read the command {command!r}: {error}") from error
    if not parts:
        raise EngineError("an engine needs a command: the program and its arguments")
    return parts

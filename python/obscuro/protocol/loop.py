"""The engine's process: lines come in and lines go out, until `quit` or until one side has left."""

import os
import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from obscuro.errors import ProtocolError
from obscuro.protocol.engine import Engine, NobodyListensError

LONGEST_LINE = 1 << 20
"""The most bytes of a line: a game of a thousand moves takes a tenth of it."""

_CHUNK = 1 << 16
# Lines that wait; whoever sends more waits too.
_MOST_LINES = 4096
_INTERRUPTED = 130

# A line, one that cannot be taken, the end of all lines, or what the search has to say.
_Event: TypeAlias = str | ProtocolError | Callable[[], None] | None


def serve(source: int = 0, sink: int = 1) -> int:
    r"""Speaks the engine protocol on two file descriptors, and returns an exit code.

    >>> import os
    >>> ours, theirs = os.pipe()
    >>> _ = os.write(theirs, b"isready" + b"\n")
    >>> os.close(theirs)
    >>> answer, sink = os.pipe()
    >>> serve(ours, sink), os.read(answer, 100)
    (0, b'readyok\n')
    """
    events: queue.SimpleQueue[_Event] = queue.SimpleQueue()
    slots = threading.Semaphore(_MOST_LINES)
    threading.Thread(
        target=_read, args=(source, events, slots), name="obscuro-reader", daemon=True
    ).start()
    engine = Engine(lambda line: _write(sink, line), events.put)
    try:
        while not engine.has_quit:
            event = events.get()
            if event is None:
                break
            if callable(event):
                event()
                continue
            slots.release()
            if isinstance(event, str):
                engine.take(event)
            else:
                engine.refuse(event)
    except NobodyListensError:
        return 0
    except KeyboardInterrupt:
        return _INTERRUPTED
    finally:
        engine.leave()
    return 0


def _write(sink: int, line: str) -> None:
    data = memoryview(f"{line}\n".encode(errors="replace"))
    try:
        while data:
            data = data[os.write(sink, data) :]
    except OSError as error:
        raise NobodyListensError from error


def _read(source: int, events: "queue.SimpleQueue[_Event]", slots: threading.Semaphore) -> None:
    # Not by sys.stdin: no thread may hold its lock when the interpreter exits.
    for line in lines_of(_chunks(source)):
        slots.acquire()
        events.put(line)
    events.put(None)


def _chunks(source: int) -> Iterator[bytes]:
    while True:
        try:
            chunk = os.read(source, _CHUNK)
        except OSError:
            return
        if not chunk:
            return
        yield chunk


def lines_of(chunks: Iterable[bytes]) -> Iterator[str | ProtocolError]:
    r"""The lines of what comes in pieces, or an error in place of one that is too long.

    What comes after the last end of a line is no line: whoever wrote it has left in mid-word.

    >>> list(lines_of([b"uci\nis", b"ready\r\nqui"]))
    ['uci', 'isready']
    """
    rest, is_too_long = b"", False
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            if is_too_long or len(line) > LONGEST_LINE:
                yield ProtocolError(f"a line is longer than {LONGEST_LINE} bytes")
            else:
                yield line.decode(errors="replace").strip()
            is_too_long = False
        if len(rest) > LONGEST_LINE:
            rest, is_too_long = b"", True

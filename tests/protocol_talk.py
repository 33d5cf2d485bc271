"""The engine in this process, spoken to line by line, for the tests of the protocol."""

import json
import queue
import time
from collections.abc import Callable
from typing import Any

from obscuro.fow import Board, Color
from obscuro.protocol.engine import Engine

PATIENCE = 60.0
"""Seconds after which a test gives up: far more than any of them needs."""

QUICK = ("setoption name Threads value 1", "setoption name seed value 1")
"""One thread, so that a search with a node limit comes out the same every time."""


class Talk:
    """An engine, what it was told and what it said."""

    def __init__(self, *lines: str) -> None:
        self.said: list[str] = []
        self._events: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self.engine = Engine(self.said.append, self._events.put)
        self.send(*lines)

    def send(self, *lines: str) -> list[str]:
        """Says lines to the engine; what it answers at once."""
        self._carry_on()
        before = len(self.said)
        for line in lines:
            self.engine.take(line)
        return self.said[before:]

    def until(self, word: str, *lines: str) -> list[str]:
        """Says lines; what it answers up to the first line that begins with a word."""
        before = len(self.said)
        self.send(*lines)
        deadline = time.monotonic() + PATIENCE
        while True:
            for number, line in enumerate(self.said[before:], before + 1):
                if line.split()[:1] == [word]:
                    return self.said[before:number]
            self._events.get(timeout=max(0.0, deadline - time.monotonic()))()

    def settle(self) -> None:
        """Waits until nothing runs but what waits for `stop` itself."""
        engine = self.engine
        self._carry_on()
        while engine._job is not None and not engine._job.held and not engine._job.silent:
            self._events.get(timeout=PATIENCE)()

    def waiting_for(self, seconds: float) -> list[str]:
        """What it says within a time in which nothing is said to it."""
        before = len(self.said)
        time.sleep(seconds)
        self._carry_on()
        return self.said[before:]

    def go(self, *lines: str) -> tuple[str, dict[str, Any]]:
        """Says lines, the last of them `go`; the move and the report."""
        answer = self.until("bestmove", *lines)
        return answer[-1].split()[1], report_in(answer)

    def close(self) -> None:
        """Ends the engine's thread."""
        self.engine.leave()

    def _carry_on(self) -> None:
        while not self._events.empty():
            self._events.get()()


def report_in(lines: list[str]) -> dict[str, Any]:
    """The JSON among some lines; empty if there is none."""
    prefix = "info string obscuro "
    found = [line.removeprefix(prefix) for line in lines if line.startswith(prefix)]
    report: dict[str, Any] = json.loads(found[-1]) if found else {}
    return report


def errors_in(lines: list[str]) -> list[str]:
    """The errors among some lines."""
    prefix = "info string error "
    return [line.removeprefix(prefix) for line in lines if line.startswith(prefix)]


def fog_line(color: Color, moves: str, start: str | None = None, *, plies: int = 1000) -> str:
    """What a referee tells one player of a game, or of its first plies."""
    board = Board(start)
    seen, own = [board.observation(color)], []
    for text in moves.split()[:plies]:
        if board.turn == color:
            own.append(text)
        board.push_uci(text)
        seen.append(board.observation(color))
    words = ["position fog color", "white" if color else "black"]
    if start is not None:
        words += ["start", start]
    words += ["observations", " ; ".join(map(str, seen))]
    return " ".join(words + (["moves", *own] if own else []))

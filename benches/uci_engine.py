"""Stockfish over UCI, with the processor time that it uses."""

import os
import re
import subprocess
from pathlib import Path
from types import TracebackType

import chess

WIN = 1 << 20


class Stockfish:
    """A running Stockfish with one thread."""

    def __init__(self, path: str) -> None:
        self._process = subprocess.Popen(
            [path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self._output = self._process.stdin, self._process.stdout
        self.name = self._output.readline().split(" by ")[0]
        self._multipv = 1

    def __enter__(self) -> "Stockfish":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._send("quit")
        self._process.communicate()

    def _send(self, text: str) -> None:
        self._input.write(text + "\n")
        self._input.flush()

    def _lines_until(self, pattern: str) -> list[str]:
        lines = []
        while line := self._output.readline():
            lines.append(line)
            if re.match(pattern, line):
                return lines
        raise RuntimeError(f"Stockfish ended before it said {pattern!r}; last: {lines[-1:]}")

    def cpu_seconds(self) -> float:
        """The processor time used so far."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text(encoding="ascii").split()
        return (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")

    def export_network(self, path: Path) -> None:
        """Writes the built-in network to a file."""
        self._send(f"export_net {path}\nisready")
        self._lines_until("readyok")

    def depth_one(self, board: chess.Board) -> dict[chess.Move, int]:
        """The score of every legal move, in hundredths of a pawn for the side to move."""
        count = board.legal_moves.count()
        if count != self._multipv:
            self._send(f"setoption name MultiPV value {count}")
            self._multipv = count
        self._send(f"position fen {board.fen()}\ngo depth 1")
        scores = {}
        for line in self._lines_until("bestmove"):
            found = re.search(r" score (cp|mate) (-?\d+).* pv (\S+)", line)
            if found is not None:
                number = int(found[2])
                if found[1] == "mate":
                    number = WIN if number > 0 else -WIN
                scores[chess.Move.from_uci(found[3])] = number
        return scores

    def bench(self) -> tuple[int, float]:
        """The nodes of its own benchmark, and the processor time it takes."""
        self._send("setoption name MultiPV value 1")
        self._multipv = 1
        before = self.cpu_seconds()
        self._send("bench")
        lines = self._lines_until("Nodes/second")
        nodes = next(int(line.split(":")[1]) for line in lines if line.startswith("Nodes searched"))
        return nodes, self.cpu_seconds() - before

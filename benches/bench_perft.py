"""Perft, beside Stockfish's on the same positions, one core each."""

import statistics
import time
from collections.abc import Callable
from functools import partial

from rich.console import Console
from rich.table import Table

import peers
from obscuro.fow import Board

DEPTHS = {"start": 6}
ROUNDS = 3


def rate(count: Callable[[], int]) -> float:
    """Nodes per second of the fastest of some rounds."""
    best = 0.0
    for _ in range(ROUNDS):
        start = time.perf_counter()
        nodes = count()
        best = max(best, nodes / (time.perf_counter() - start))
    return best


def main() -> None:
    """Prints the table."""
    stockfish = peers.stockfish_path()
    table = Table(title="Perft, million nodes per second")
    for column in ("position", "depth", "nodes", "obscuro", "no bulk", "Stockfish", "ratio"):
        table.add_column(column, justify="left" if column == "position" else "right")
    ratios = []
    for name, fen in peers.PERFT_POSITIONS.items():
        board, depth = Board(fen), DEPTHS.get(name, 5)
        nodes = board.perft(depth)
        ours = rate(partial(board.perft, depth))
        unbulked = rate(partial(board.perft, depth - 1, bulk=False))
        row = [name, str(depth), f"{nodes:,}", f"{ours / 1e6:.0f}", f"{unbulked / 1e6:.0f}"]
        if stockfish is None:
            row += ["not installed", "-"]
        else:
            runs = [peers.stockfish_perft(stockfish, fen, depth) for _ in range(ROUNDS)]
            theirs = max(count / seconds for count, seconds in runs)
            ratios.append(ours / theirs)
            row += [f"{theirs / 1e6:.0f}", f"{ours / theirs:.2f}"]
        table.add_row(*row)
    console = Console(width=100)
    console.print(table)
    console.print(
        "Both count the last ply without playing it; 'no bulk' plays it too, one ply less deep.\n"
        "The node counts differ: in chess a king may not be left in check."
    )
    if ratios:
        console.print(f"Geometric mean of the ratios: {statistics.geometric_mean(ratios):.2f}")


if __name__ == "__main__":
    main()

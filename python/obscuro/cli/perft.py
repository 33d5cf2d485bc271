"""`obscuro perft`: counts the move sequences of a length, which proves and times the rules."""

import time
from typing import Annotated

import typer
from rich.console import Console

from obscuro.fow import Board

# What the core counts in one go, as it cannot hear an interrupt meanwhile: a second or so.
UNHEARD_PLIES = 5


def perft(
    depth: Annotated[int, typer.Argument(min=0, help="Length of the sequences, in plies.")],
    fen: Annotated[str | None, typer.Option(help="Position to start from.")] = None,
    divide: Annotated[bool, typer.Option("--divide", help="Count each first move apart.")] = False,
    no_bulk: Annotated[
        bool,
        typer.Option("--no-bulk", help="Play the last ply too, instead of counting its moves."),
    ] = False,
) -> None:
    """Count all sequences of legal moves of a length, and the speed of counting.

    A captured king and a side without moves end a sequence; the draws do not.
    """
    console = Console(highlight=False)
    board = _without_clocks(Board(fen))
    start = time.perf_counter()
    if divide and depth > 0:
        nodes = 0
        for move in board.legal_moves:
            board.push(move)
            count = _count(board, depth - 1, bulk=not no_bulk)
            board.pop()
            console.print(f"{move.uci()}: {count:,}")
            nodes += count
        console.print()
    else:
        nodes = _count(board, depth, bulk=not no_bulk)
    seconds = time.perf_counter() - start

    console.print(f"nodes    {nodes:,}")
    console.print(f"seconds  {seconds:.3f}")
    if seconds > 0:
        console.print(f"nodes/s  {nodes / seconds:,.0f}")


def _without_clocks(board: Board) -> Board:
    """The same position far from the fifty-move rule, which does not count here."""
    return Board(" ".join([*board.fen().split()[:4], "0", "1"]))


def _count(board: Board, depth: int, *, bulk: bool) -> int:
    if depth <= UNHEARD_PLIES:
        return board.perft(depth, bulk=bulk)
    nodes = 0
    for move in board.legal_moves:
        board.push(move)
        nodes += _count(board, depth - 1, bulk=bulk)
        board.pop()
    return nodes

"""Updates of a large belief: time, candidate positions per second, memory."""

import os
import random
import resource
import time

import chess
from rich.console import Console
from rich.table import Table

from obscuro import _core
from obscuro.fow import Belief, Board

TARGET = 1_000_000


def locked_pawns(plies: int, seed: int) -> list[chess.Move]:
    """The paper's appendix C: 1.a4 a5 2.b4 b5 ... 8.h4 h5, then shuffling behind the pawns."""
    rng = random.Random(seed)
    board = Board()
    for file in "abcdefgh":
        board.push_uci(f"{file}2{file}4")
        board.push_uci(f"{file}7{file}5")
    while len(board.move_stack) < plies:
        behind = range(3) if board.turn else range(5, 8)
        moves = [m for m in board.legal_moves if chess.square_rank(m.to_square) in behind]
        board.push(rng.choice(moves))
    return board.move_stack


def memory() -> int:
    """Bytes of memory that the process has used at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def follow(belief: Belief, board: Board, move: chess.Move) -> float:
    """Plays a move, and returns the seconds that the belief's update takes."""
    own = board.turn == belief.color
    board.push(move)
    seen = board.observation(belief.color)
    start = time.perf_counter()
    belief.advance(seen, move if own else None)
    return time.perf_counter() - start


def branching(belief: Belief) -> float:
    """The moves of the side to move, on average over the belief."""
    sample = belief.sample(1000)
    return sum(len(position.legal_moves) for position in sample) / len(sample)


def million(console: Console, threads: int) -> None:
    """A million positions and more, through an own move and one of the opponent's."""
    before = memory()
    moves = iter(locked_pawns(60, seed=1))
    board, belief = Board(), Belief(chess.WHITE, threads=threads)
    while len(belief) < TARGET or board.turn != chess.WHITE:
        follow(belief, board, next(moves))
    table = Table(title=f"Updates of a belief, {threads} threads")
    for column in ("update", "before", "after", "seconds", "s per million", "candidates/s"):
        table.add_column(column, justify="left" if column == "update" else "right")
    total, largest = 0.0, 0
    for name, per_parent in (("own move", 1.0), ("opponent's move", None)):
        parents, candidates = len(belief), per_parent or branching(belief)
        seconds = follow(belief, board, next(moves))
        total += seconds / parents * 1e6
        largest = max(largest, parents + len(belief))
        table.add_row(
            name,
            f"{parents:,}",
            f"{len(belief):,}",
            f"{seconds:.2f}",
            f"{seconds / parents * 1e6:.2f}",
            f"{parents * candidates / seconds:,.0f}",
        )
    console.print(table)
    console.print(
        f"Both: {total:.2f} s per million positions. A position takes "
        f"{_core.FowBelief.position_size()} bytes; at its peak the process had taken\n"
        f"{(memory() - before) / largest:.0f} bytes for each of the {largest:,} positions before "
        "and after an update, its table of hashes included."
    )


def locked(console: Console, threads: int, plies: int) -> None:
    """The paper's largest infoset, under the default cap."""
    board, belief = Board(), Belief(chess.WHITE, threads=threads)
    slowest = max(follow(belief, board, move) for move in locked_pawns(plies, seed=1))
    console.print(
        f"Locked pawns, default cap: {len(belief):,} positions ({belief.exactness}) after "
        f"{plies} plies;\nthe slowest update took {slowest:.1f} s, the process "
        f"{memory() / 2**20:.0f} MiB."
    )


def main() -> None:
    """Prints the tables."""
    console = Console(width=100)
    threads = min(2, os.cpu_count() or 1)
    million(console, threads)
    locked(console, threads, plies=60)


if __name__ == "__main__":
    main()

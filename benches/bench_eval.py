"""Leaf values, beside Stockfish's depth-1 search on the same positions.

Two networks are measured: Stockfish's, which Stockfish searches with too, and the package's own.

Times are processor times of one thread. The positions follow each other in games, as those of a
search are related; nobody is in check, so that Stockfish can be asked.
"""

import random
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import chess
import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.table import Table

import peers
from obscuro import _core
from obscuro.eval import default_network_file
from uci_engine import Stockfish

POSITIONS = 400
COMPARED = 200
RUN = 20
ROUNDS = 3
OWN = "the package's network"


def positions(count: int, seed: int) -> list[chess.Board]:
    """Runs of twenty positions each, from games between players who see two plies of material."""
    rng = random.Random(seed)
    found: list[chess.Board] = []
    values = _core.FowValues("simple", depth=2)
    while len(found) < count:
        board, first = chess.Board(), rng.randrange(8, 70)
        for ply in range(first + RUN):
            fow_board = _core.FowBoard(board.fen())
            moves = [
                chess.Move(n & 63, n >> 6 & 63, n >> 12 or None) for n in fow_board.legal_moves()
            ]
            scored = zip(moves, values.scores(fow_board), strict=True)
            noisy = {m: score + rng.gauss(0, 60) for m, score in scored if board.is_legal(m)}
            if not noisy:
                break
            board.push(max(noisy, key=lambda move: noisy[move]))
            if ply >= first and not board.is_check() and any(board.legal_moves):
                found.append(board.copy(stack=False))
    return found[:count]


def cpu_seconds(work: Callable[[], object]) -> float:
    """The processor time of the fastest of some rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def ranks(values: list[int]) -> npt.NDArray[np.float64]:
    """The rank of each value; equal ones share the mean of theirs."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return np.asarray((ends - (counts - 1) / 2)[inverse], dtype=np.float64)


def agreement(
    asked: list[tuple[chess.Board, dict[chess.Move, int]]], ours: _core.FowValues
) -> tuple[float, float, float]:
    """The mean rank correlation, and how often our best move is theirs, or in their best three."""
    correlations, same, among = [], 0, 0
    for board, expected in asked:
        fow_board = _core.FowBoard(board.fen())
        scores = dict(zip(fow_board.legal_moves(), ours.scores(fow_board), strict=True))
        moves = list(expected)
        if not moves:
            continue
        found = [scores[m.from_square | m.to_square << 6 | (m.promotion or 0) << 12] for m in moves]
        wanted = [expected[move] for move in moves]
        best = moves[int(np.argmax(found))]
        same += expected[best] == max(wanted)
        among += expected[best] >= sorted(wanted)[-3:][0]
        if len(set(found)) > 1 and len(set(wanted)) > 1:
            correlations.append(float(np.corrcoef(ranks(found), ranks(wanted))[0, 1]))
    return float(np.mean(correlations)), same / len(asked), among / len(asked)


def speed_table(
    networks: dict[str, _core.Network],
    boards: list[chess.Board],
    theirs: tuple[float, float] | None,
) -> Table:
    """Calls, nodes and static evaluations per second, with each set of instructions."""
    table = Table(title="Leaf values, per second of one core")
    for column in ("evaluator", "calls", "children", "quiescence nodes", "anew", "one move on"):
        table.add_column(column, justify="left" if column == "evaluator" else "right")
    if theirs is not None:
        table.add_column("calls, ratio", justify="right")
        table.add_column("nodes, ratio", justify="right")
    fow_boards = [_core.FowBoard(board.fen()) for board in boards]
    children = sum(len(board.legal_moves()) for board in fow_boards)

    def add_row(name: str, values: _core.FowValues, statics: bool) -> None:
        values.time_children(fow_boards, 1)
        before = values.nodes()
        values.time_children(fow_boards, 1)
        nodes = values.nodes() - before
        seconds = cpu_seconds(partial(values.time_children, fow_boards, 1))
        calls = len(boards) / seconds
        row = [name, f"{calls:,.0f}", f"{children / seconds:,.0f}", f"{nodes / seconds:,.0f}"]
        for anew in (True, False):
            if statics:
                took = cpu_seconds(partial(values.time_static, fow_boards, 1, anew))
                row.append(f"{children / took:,.0f}")
            else:
                row.append("-")
        if theirs is not None:
            row += [f"{calls / theirs[0]:.1f}", f"{nodes / seconds / theirs[1]:.2f}"]
        table.add_row(*row)

    for name, network in networks.items():
        for simd in _core.Network.simds():
            add_row(f"{name}, {simd}", _core.FowValues(network, simd=simd), True)
    add_row("simple", _core.FowValues("simple"), False)
    add_row("zero", _core.FowValues("zero"), False)
    return table


def main() -> None:
    """Prints the tables."""
    console = Console(width=130)
    boards = positions(POSITIONS, 1)
    path = peers.stockfish_path()
    own = {}
    if default_network_file().is_file():
        own[OWN] = _core.Network(default_network_file())
    else:
        console.print("The package has no network of its own here.")
    if path is None:
        console.print(speed_table(own, boards, None))
        console.print("Stockfish is not installed: its network and the comparison are left out.")
        return
    with Stockfish(path) as engine, tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "stockfish.nnue"
        engine.export_network(file)
        network = _core.Network(str(file))
        before = engine.cpu_seconds()
        # Unlike ours, its answers are not asked for twice: it would remember them.
        answers = [engine.depth_one(board) for board in boards]
        calls = len(boards) / (engine.cpu_seconds() - before)
        nodes, seconds = engine.bench()
    networks = {"Stockfish's network": network} | own
    console.print(speed_table(networks, boards, (calls, nodes / seconds)))
    console.print(
        f"{engine.name}: {calls:,.0f} calls of `go depth 1` with MultiPV at the number of moves, "
        f"{nodes / seconds:,.0f} nodes in `bench`."
    )
    every = POSITIONS // COMPARED
    asked = list(zip(boards[::every], answers[::every], strict=True))
    simple = _core.FowValues("simple")
    balanced = [
        pair for pair in asked if abs(simple.static_score(_core.FowBoard(pair[0].fen()))) < 500
    ]
    calm = [
        (board, {move: score for move, score in answer.items() if not board.gives_check(move)})
        for board, answer in balanced
    ]
    table = Table(title="Order of the children, beside Stockfish's")
    for column in ("evaluator", "positions", "rank correlation", "same best", "in their best 3"):
        table.add_column(column, justify="left" if column == "evaluator" else "right")
    network_values = _core.FowValues(network)
    for name, values, pairs in (
        ("Stockfish's network", network_values, asked),
        ("Stockfish's network, nobody five pawns ahead", network_values, balanced),
        ("Stockfish's network, likewise, without checks", network_values, calm),
        ("Stockfish's network, no quiescence", _core.FowValues(network, depth=0), asked),
        *(
            (f"{name}{which}", _core.FowValues(net), pairs)
            for name, net in own.items()
            for which, pairs in (("", asked), (", nobody five pawns ahead", balanced))
        ),
        ("simple", simple, asked),
    ):
        found = agreement(pairs, values)
        shares = [f"{share:.0%}" for share in found[1:]]
        table.add_row(name, str(len(pairs)), f"{found[0]:.3f}", *shares)
    console.print(table)
    console.print(
        "What remains: Stockfish answers checks with evasions where we stand pat, leaves out"
        "\ncaptures that cannot reach its window, and scales the network's output and mixes it "
        "with other terms,\nmost where one side is far ahead."
    )


if __name__ == "__main__":
    main()

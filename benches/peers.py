"""Peers that benchmarks are compared with, where they are installed."""

import re
import shutil
import subprocess
import time

PERFT_POSITIONS = {
    "start": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "kiwipete": "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "symmetric": "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "queen's gambit": "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N1PN2/PP2BPPP/R1BQ1RK1 w - - 0 9",
    "attack": "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
    "open": "r2q1rk1/1b2bppp/p1n1pn2/1p6/3P4/PBN1PN2/1P2QPPP/R1BR2K1 w - - 0 12",
}


def stockfish_path() -> str | None:
    """Stockfish as Debian installs it, or on the path."""
    return shutil.which("stockfish") or shutil.which("/usr/games/stockfish")


def stockfish_perft(path: str, fen: str, depth: int) -> tuple[int, float]:
    """The nodes of Stockfish's `go perft` and the seconds it takes, its start not counted."""
    with subprocess.Popen(
        [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"position fen {fen}\nisready\n")
        process.stdin.flush()
        while process.stdout.readline().strip() != "readyok":
            pass
        start = time.perf_counter()
        process.stdin.write(f"go perft {depth}\n")
        process.stdin.flush()
        while not (found := re.match(r"Nodes searched: (\d+)", process.stdout.readline())):
            pass
        seconds = time.perf_counter() - start
        process.stdin.write("quit\n")
        process.stdin.flush()
    return int(found[1]), seconds

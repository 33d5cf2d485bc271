"""Debian's Stockfish 15.1 as a source of its network and of its evaluations, where installed."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest


def _run(commands: str) -> str:
    path = shutil.which("stockfish") or shutil.which("/usr/games/stockfish")
    if path is None:
        pytest.skip("Stockfish is not installed")
    done = subprocess.run(
        [path], input=commands + "quit\n", capture_output=True, text=True, check=True
    )
    if not done.stdout.startswith("Stockfish 15.1"):
        pytest.skip(f"this is not Stockfish 15.1: {done.stdout.splitlines()[0]}")
    return done.stdout


def export_network(folder: Path) -> Path:
    """Writes the network that is built into Stockfish to a file."""
    path = folder / "stockfish.nnue"
    _run(f"export_net {path}\n")
    assert path.stat().st_size > 40_000_000
    return path


def network_evaluations(fens: list[str]) -> list[str]:
    """What `eval` prints as NNUE evaluation, in pawns for White, with two decimals."""
    printed = _run("".join(f"position fen {fen}\neval\n" for fen in fens))
    return re.findall(r"^NNUE evaluation\s+(\S+) \(white side\)", printed, re.MULTILINE)

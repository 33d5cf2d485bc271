"""Real games by strong players, where they are there."""

from dataclasses import dataclass
from pathlib import Path

import pytest

_FILE = Path(__file__).resolve().parents[2] / "shared" / "data" / "human_fow_games.txt"


@dataclass(frozen=True)
class HumanGame:
    """One line of the file."""

    name: str
    result: str
    moves: tuple[str, ...]
    resigned: bool


def human_games() -> list[HumanGame]:
    """All games; the test that asks is skipped where there are none."""
    if not _FILE.exists():
        pytest.skip("the human games are not on this machine")
    games = []
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        if not line.strip():
            continue
        name, _clock, _white, _black, result, text = line.split("\t")
        moves = text.split()
        resigned = moves[-1] == "R"
        games.append(HumanGame(name, result, tuple(moves[: len(moves) - resigned]), resigned))
    return games

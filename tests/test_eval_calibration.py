"""The fit of the scale, against a plain search over all scales."""

import math
import subprocess
import sys
from pathlib import Path

import pytest

from obscuro.errors import SearchError
from obscuro.eval import Evaluator, advantages, fit_scale, squash
from obscuro.fow import Board, Game

ROOT = Path(__file__).parent.parent

GAMES = [
    [(0.5, 1.0), (1.0, 1.0), (3.0, 1.0)],
    [(0.5, 0.0), (-1.0, 0.0), (-0.2, 0.0), (-4.0, 0.0)],
    [(2.0, 0.5), (-1.0, 0.5)],
    [(1.0, 0.0), (-0.5, 0.0)],
    [],
]


def loss(scale: float) -> float:
    """The mean negative log-likelihood of the results, written down once more."""
    total, count = 0.0, 0
    for game in GAMES:
        for pawns, result in game:
            chance = (1 + squash(pawns, scale)) / 2
            total -= result * math.log(chance) + (1 - result) * math.log(1 - chance)
            count += 1
    return total / count


def test_no_other_scale_is_likelier() -> None:
    fit = fit_scale(GAMES, resamples=100, seed=3)
    assert (fit.games, fit.positions) == (4, 11)
    assert fit.loss == pytest.approx(loss(fit.scale))
    best = min((0.01 * step for step in range(5, 3000)), key=loss)
    assert fit.scale == pytest.approx(best, abs=0.01)
    assert fit.low <= fit.scale <= fit.high
    assert fit == fit_scale(GAMES, resamples=100, seed=3)
    assert str(fit).startswith(f"scale {fit.scale:.2f} pawns (95 %: ")


@pytest.mark.parametrize(
    "games", [[], [[]], [[(1.0, 1.0)]], [[(1.0, 0.0), (-2.0, 1.0)]], [[(0.0, 1.0), (3.0, 0.5)]]]
)
def test_games_that_no_scale_fits_are_refused(games: list[list[tuple[float, float]]]) -> None:
    with pytest.raises(SearchError, match="no scale fits these games"):
        fit_scale(games)


def test_advantages_are_white_s_and_leave_out_what_is_decided_or_unfinished() -> None:
    board = Board("4k3/8/8/3n4/4P3/8/8/4K3 w - - 0 1")
    for san in ["exd5", "Kf7", "d6", "Ke8", "d7", "Kf7", "d8=Q", "Ke8", "Qxe8"]:
        board.push_san(san)
    evaluator = Evaluator("simple")
    finished = Game.from_board(board)
    unfinished = Game.from_board(Board())
    [rows] = advantages([unfinished, finished], evaluator)
    # The queen may take the king after the last two moves; the king's capture is decided too.
    assert len(rows) == 7
    assert {result for _, result in rows} == {1.0}
    # White is ahead after the first moves of both.
    assert all(pawns > 0.5 for pawns, _ in rows[:4])


def test_the_example_prints_a_fit() -> None:
    command = [sys.executable, str(ROOT / "examples" / "fit_scale.py"), "--play", "6"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    assert done.stdout.startswith("scale ")
    assert "of 6 games" in done.stdout

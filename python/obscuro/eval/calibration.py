"""How many pawns win how many games: the scale of `squash`, fitted to games that were played."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import chess
import numpy as np
import numpy.typing as npt

from obscuro.errors import SearchError
from obscuro.eval.evaluator import Evaluator
from obscuro.fow import Game

_RESULTS = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}
# Scales from a hundredth of a pawn to ten thousand pawns.
_SLOPES = (2e-4, 2e2)


@dataclass(frozen=True)
class ScaleFit:
    """A scale and how sure it is.

    Attributes:
        scale: The scale, in pawns, under which the results are likeliest.
        low: The lower end of the interval that holds it with 95 % confidence.
        high: The upper end.
        loss: The mean negative log-likelihood of a result, in nats; 0.693 is that of knowing
            nothing.
        games: How many games it was fitted to.
        positions: How many positions these have.
    """

    scale: float
    low: float
    high: float
    loss: float
    games: int
    positions: int

    def __str__(self) -> str:
        return (
            f"scale {self.scale:.2f} pawns (95 %: {self.low:.2f} to {self.high:.2f}), "
            f"loss {self.loss:.4f}, {self.positions} positions of {self.games} games"
        )


def advantages(games: Iterable[Game], evaluator: Evaluator) -> list[list[tuple[float, float]]]:
    """For each finished game, what every move led to, and how the game ended.

    The first number is the advantage in pawns for White, as `Evaluator.pawns` gives it for the
    child that was played to; decided children are left out. The second is 1 if White won, 0.5 for a
    draw, 0 if Black won.

    >>> from obscuro.fow import Board
    >>> board = Board()
    >>> for san in ["e4", "f6", "Qh5", "a6", "Qxe8"]:
    ...     _ = board.push_san(san)
    >>> advantages([Game.from_board(board)], Evaluator("simple"))
    [[(0.12, 1.0), (0.12, 1.0), (0.56, 1.0)]]
    """
    found = []
    for game in games:
        result = _RESULTS.get(game.headers.get("Result", "*"))
        if result is None:
            continue
        board = Game(start=game.start).board()
        rows = []
        for move in game.moves:
            pawns = evaluator.pawns(board)[move]
            if math.isfinite(pawns):
                rows.append((pawns if board.turn == chess.WHITE else -pawns, result))
            board.push(move)
        found.append(rows)
    return found


def fit_scale(
    games: Sequence[Sequence[tuple[float, float]]], *, resamples: int = 200, seed: int = 0
) -> ScaleFit:
    """The scale under which (1 + squash) / 2 is the likeliest chance to win.

    `games` are what `advantages` gives. The positions of one game share its result, so the interval
    comes from drawing whole games anew (`resamples` times).

    >>> rng = np.random.default_rng(1)
    >>> pawns = rng.normal(0, 2, 4000)
    >>> wins = rng.random(4000) < 0.5 + 0.5 * np.tanh(pawns / 3)
    >>> fit = fit_scale([[(p, float(w))] for p, w in zip(pawns, wins)], resamples=50)
    >>> fit.low < 3.0 < fit.high
    True
    """
    used = [np.asarray(game, dtype=np.float64) for game in games if len(game)]
    every = np.concatenate(used) if used else np.empty((0, 2))
    pawns, results = every[:, 0], every[:, 1]
    if not (np.any(pawns * (results - 0.5) > 0) and np.any(pawns * (results - 0.5) < 0)):
        raise SearchError(
            "no scale fits these games: expected positions in which the side that is ahead wins, "
            "and some in which it loses"
        )
    slope = _slope(pawns, results, np.ones(len(pawns)))
    lengths = [len(game) for game in used]
    rng = np.random.default_rng(seed)
    drawn = []
    for _ in range(resamples):
        times = np.bincount(rng.integers(len(used), size=len(used)), minlength=len(used))
        drawn.append(2 / _slope(pawns, results, np.repeat(times, lengths).astype(np.float64)))
    low, high = np.quantile(drawn, [0.025, 0.975]) if drawn else (math.nan, math.nan)
    return ScaleFit(
        scale=2 / slope,
        low=float(low),
        high=float(high),
        loss=float(np.mean(_losses(slope, pawns, results))),
        games=len(used),
        positions=len(pawns),
    )


def _losses(
    slope: float, pawns: npt.NDArray[np.float64], results: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """The negative log-likelihood of each result when the chance to win is 1/(1 + e^(-slope p))."""
    return np.asarray(np.logaddexp(0.0, slope * pawns) - results * slope * pawns)


def _slope(
    pawns: npt.NDArray[np.float64],
    results: npt.NDArray[np.float64],
    weights: npt.NDArray[np.float64],
) -> float:
    """The likeliest slope: where the derivative, which rises, is zero."""
    low, high = _SLOPES
    for _ in range(40):
        middle = math.sqrt(low * high)
        chances = 0.5 + 0.5 * np.tanh(0.5 * middle * pawns)
        if np.dot(weights * (chances - results), pawns) < 0:
            low = middle
        else:
            high = middle
    return math.sqrt(low * high)

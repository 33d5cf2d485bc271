"""The review: what moves lost by what their players knew, and luck apart from it."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import chess

from obscuro.analysis.games import AnalysedGame
from obscuro.analysis.reports import PlyReport
from obscuro.analysis.settings import DEFAULT_THRESHOLDS, MARKS, Mark, Thresholds


@dataclass(frozen=True)
class Judgement:
    """What a move did, whatever the thresholds. Numbers are the mover's.

    Attributes:
        loss: The value of the mover's information before the move, less the value of the move,
            both by the same search, which knows what the mover knew; never below zero.
        luck: What the move did to the value of the true board, less what it did to that of the
            boards which the mover held possible, on average. It is 0 on average for a player whose
            belief is right.
        probability: The move's probability in the engine's strategy.
    """

    loss: float
    luck: float
    probability: float


@dataclass(frozen=True)
class MoveReview:
    """The review of a move.

    Attributes:
        ply: How many plies were played before it.
        color: Who moved.
        move: In UCI notation.
        san: In SAN.
        judgement: What it did; `None` where it was not searched, or not seen by the solver.
        mark: What it is called, if it lost enough.
        fortune: Whether it was `"lucky"` or `"unlucky"`.
        size: |P| for the mover.
        place: The true position's place in P, as a share from 0, the likeliest, to 1.
    """

    ply: int
    color: chess.Color
    move: str
    san: str
    judgement: Judgement | None
    mark: Mark | None
    fortune: str | None
    size: int | None
    place: float | None


@dataclass(frozen=True)
class Summary:
    """A player's game in short.

    Attributes:
        color: Whose.
        moves: How many were judged.
        mean_loss: Of those.
        inaccuracies: How many.
        mistakes: How many.
        blunders: How many.
        luck: The sum of all luck.
        lucky: How many moves were lucky.
        unlucky: How many moves were unlucky.
        mean_size: The geometric mean of |P| at the player's turns.
    """

    color: chess.Color
    moves: int
    mean_loss: float | None
    inaccuracies: int
    mistakes: int
    blunders: int
    luck: float
    lucky: int
    unlucky: int
    mean_size: float | None

    def as_dict(self) -> dict[str, Any]:
        """The summary as JSON takes it."""
        return {**asdict(self), "color": chess.COLOR_NAMES[self.color]}


def judge(report: PlyReport, move: str) -> Judgement | None:
    """What a move did in the position of a report; `None` if that is not known."""
    if report.search is None or (found := report.search.move(move)) is None:
        return None
    if found.value is None or report.change is None:
        return None
    sign = 1 if report.turn == chess.WHITE else -1
    return Judgement(
        loss=round(max(0.0, sign * (report.search.value - found.value)), 4),
        luck=round(sign * (report.change.truth - report.change.belief), 4) + 0.0,
        probability=found.probability,
    )


def review(
    game: AnalysedGame,
    reports: Mapping[int, PlyReport],
    thresholds: Thresholds = DEFAULT_THRESHOLDS,
) -> list[MoveReview]:
    """The review of all moves whose positions are analysed."""
    reviews = []
    for ply, (move, san) in enumerate(zip(game.moves, game.sans(), strict=True)):
        if (report := reports.get(ply)) is None:
            continue
        judgement = judge(report, move)
        mark = fortune = size = place = None
        if judgement is not None:
            mark = thresholds.mark(judgement.loss, probability=judgement.probability)
            fortune = _fortune(judgement.luck, thresholds)
        if (belief := report.belief(report.turn)) is not None:
            size, place = belief.size, belief.place.share
        reviews.append(
            MoveReview(ply, report.turn, move, san, judgement, mark, fortune, size, place)
        )
    return reviews


def summarise(reviews: Iterable[MoveReview]) -> tuple[Summary, Summary]:
    """White's game and Black's in short.

    >>> white, black = summarise([])
    >>> white.moves, white.mean_loss
    (0, None)
    """
    moves = list(reviews)
    return _summary(moves, chess.WHITE), _summary(moves, chess.BLACK)


def _summary(reviews: list[MoveReview], color: chess.Color) -> Summary:
    own = [move for move in reviews if move.color == color]
    judged = [move.judgement for move in own if move.judgement is not None]
    sizes = [move.size for move in own if move.size]
    inaccuracies, mistakes, blunders = (sum(move.mark == mark for move in own) for mark in MARKS)
    logs = [math.log(size) for size in sizes]
    return Summary(
        color=color,
        moves=len(judged),
        mean_loss=sum(one.loss for one in judged) / len(judged) if judged else None,
        inaccuracies=inaccuracies,
        mistakes=mistakes,
        blunders=blunders,
        luck=sum(one.luck for one in judged),
        lucky=sum(move.fortune == "lucky" for move in own),
        unlucky=sum(move.fortune == "unlucky" for move in own),
        mean_size=math.exp(sum(logs) / len(logs)) if logs else None,
    )


def _fortune(luck: float, thresholds: Thresholds) -> str | None:
    if abs(luck) < thresholds.luck:
        return None
    return "lucky" if luck > 0 else "unlucky"

"""The value of the true position, against a plain minimax without pruning."""

import math

import chess
import pytest

import eval_twin
from obscuro.analysis.truth import TrueValues
from obscuro.errors import AnalysisError, SearchError
from obscuro.fow import Board

POSITIONS = [
    "4k3/8/8/3q4/4P3/8/8/4K2R w K - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
    "k7/2Q5/1K6/8/8/8/8/8 b - - 0 1",
    "8/8/8/8/8/1k6/p7/K7 w - - 99 80",
]
QUIESCENCE = 8


def leaf(board: chess.Board) -> float:
    """The best of the depth-1 values, by the twin of the evaluation."""
    values = [
        squashed(score) for score in eval_twin.scores(board, QUIESCENCE, eval_twin.simple).values()
    ]
    return max(values)


def squashed(score: int) -> float:
    return math.copysign(1, score) if abs(score) == eval_twin.WIN else math.tanh(score / 200)


def minimax(board: Board, depth: int) -> float:
    """The value for the side to move."""
    if (outcome := board.outcome()) is not None:
        if outcome.winner is None:
            return 0.0
        return 1.0 if outcome.winner == board.turn else -1.0
    if depth == 1:
        return leaf(chess.Board(board.fen()))
    best = -1.0
    for move in board.legal_moves:
        child = board.copy()
        child.push(move)
        best = max(best, -minimax(child, depth - 1))
    return best


@pytest.mark.parametrize("fen", POSITIONS)
@pytest.mark.parametrize("depth", [1, 2])
def test_it_is_that_of_a_search_of_full_width(fen: str, depth: int) -> None:
    board = Board(fen)
    sign = 1 if board.turn == chess.WHITE else -1
    report = TrueValues("simple").report(board, depth)
    assert report.value == pytest.approx(sign * minimax(board, depth), abs=1e-3)
    assert report.best in {board.san(move) for move in board.legal_moves}


def test_a_move_never_gains_and_the_best_one_loses_nothing() -> None:
    values = TrueValues("simple")
    board = Board(POSITIONS[0])
    best = values.report(board, 2)
    left = []
    for move in board.legal_moves:
        report = values.report(board, 2, move)
        assert report.played is not None
        assert report.played <= report.value == best.value
        assert values.change(board, move) <= 0
        left.append(report.played)
    assert max(left) == best.value
    assert min(left) < best.value


def test_an_evaluator_that_is_not_there_is_refused() -> None:
    with pytest.raises(SearchError, match="there is no evaluator 'simply'"):
        TrueValues("simply")
    with pytest.raises(AnalysisError, match="the depth is 0"):
        TrueValues("simple").report(Board(), 0)

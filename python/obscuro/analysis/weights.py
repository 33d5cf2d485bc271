"""The positions that a search weighed, and what is left of them after a move of the player's."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

import chess

from obscuro.analysis.reports import Marginals
from obscuro.fow import Board, Observation

# Below it a piece is as good as not there; with many squares, it is what makes reports short.
LEAST_PROBABILITY = 0.0001

Weights = dict[str, float]
"""Probabilities by position, which is written as EPD; they sum to 1, or there are none."""


def epd(board: Board) -> str:
    """A position as the search names it: a FEN without the clocks.

    >>> epd(Board())
    'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -'
    """
    return " ".join(board.fen().split()[:4])


def normalised(positions: Iterable[tuple[str, float]]) -> Weights:
    """Weights by position; one position may be several nodes of the tree.

    >>> normalised([("a", 1.0), ("b", 2.0), ("a", 1.0)])
    {'a': 0.5, 'b': 0.5}
    """
    weights: Weights = defaultdict(float)
    for position, weight in positions:
        weights[position] += weight
    return _shares(weights)


def after(weights: Mapping[str, float], move: chess.Move, seen: Observation) -> Weights:
    """What is left of the weighed positions after an own move, by what is seen then."""
    left: Weights = defaultdict(float)
    for position, weight in weights.items():
        board = Board(position)
        if not board.is_legal(move):
            continue
        board.push(move)
        if _same_view(board.observation(seen.color), seen):
            left[epd(board)] += weight
    return _shares(left)


def ranked(weights: Mapping[str, float]) -> list[str]:
    """The positions, the likeliest first."""
    return sorted(weights, key=lambda position: (-weights[position], position))


def marginals(weights: Mapping[str, float], color: chess.Color) -> Marginals:
    """How likely each piece of a colour stands on each square."""
    table: Marginals = {
        chess.Piece(kind, color).symbol(): defaultdict(float) for kind in chess.PIECE_TYPES
    }
    for position, weight in weights.items():
        for square, piece in chess.BaseBoard(position.split()[0]).piece_map().items():
            if piece.color == color:
                table[piece.symbol()][chess.square_name(square)] += weight
    return {
        symbol: {
            square: round(weight, 4)
            for square, weight in sorted(row.items())
            if weight >= LEAST_PROBABILITY
        }
        for symbol, row in table.items()
    }


def _same_view(one: Observation, other: Observation) -> bool:
    """Whether two observations differ in nothing but the number of the move."""
    fields = one.fog_fen.split()[:4] == other.fog_fen.split()[:4]
    return fields and (one.outcome() is None) == (other.outcome() is None)


def _shares(weights: Mapping[str, float]) -> Weights:
    total = sum(weights.values())
    if total <= 0:
        return {position: 1 / len(weights) for position in weights}
    return {position: weight / total for position, weight in weights.items()}

"""What a position is worth to players who see everything."""

import chess

from obscuro.analysis.reports import TruthReport
from obscuro.errors import AnalysisError
from obscuro.eval import Evaluator, Statics
from obscuro.fow import Board


class TrueValues:
    """Perfect-information values with the evaluator that the engine uses.

    A search of full width over some plies; below the last one, the depth-1 values with quiescence
    that the engine gives to its leaves. The result depends on position and history alone.

    >>> values = TrueValues("simple")
    >>> mate = Board("4k3/8/8/8/8/8/4Q3/4K3 w - - 0 1")
    >>> values.report(mate, 3)
    TruthReport(value=1.0, depth=3, best='Qxe8', played=None)
    """

    def __init__(self, evaluator: Statics = "network") -> None:
        self._evaluator = Evaluator(evaluator)

    def leaf(self, board: Board, color: chess.Color) -> float:
        """The depth-1 value of a position for a player, as the search values its leaves."""
        value = max(self._evaluator.children(board).values(), default=-1.0)
        return value if board.turn == color else -value

    def change(self, board: Board, move: chess.Move) -> float:
        """What a move does to the depth-1 value for its mover: never above 0.

        >>> board = Board("7k/8/8/3r4/3R4/8/8/K7 w - - 0 1")
        >>> TrueValues("simple").change(board, chess.Move.from_uci("d4d5"))
        0.0
        """
        values = self._evaluator.children(board)
        return values[move] - max(values.values())

    def report(self, board: Board, depth: int, move: chess.Move | None = None) -> TruthReport:
        """White's values of a position that is searched so many plies deep, and of a move there."""
        if (outcome := board.outcome()) is not None:
            return TruthReport(_points(outcome.winner, chess.WHITE), 0, None, None)
        if depth < 1:
            raise AnalysisError(f"the depth is {depth}, expected at least one ply")
        value, best = self._search(board.copy(), depth, -1.0, 1.0)
        played = None if move is None else self._after(board, move, depth)
        sign = 1 if board.turn == chess.WHITE else -1
        return TruthReport(
            _shown(sign * value),
            depth,
            None if best is None else board.san(best),
            None if played is None else _shown(sign * played),
        )

    def _after(self, board: Board, move: chess.Move, depth: int) -> float:
        """The mover's value after a move, in the same search."""
        if depth == 1:
            return self._evaluator.children(board)[move]
        child = board.copy()
        child.push(move)
        return -self._search(child, depth - 1, -1.0, 1.0)[0]

    def _search(
        self, board: Board, depth: int, alpha: float, beta: float
    ) -> tuple[float, chess.Move | None]:
        """Alpha-beta for the side to move, the best depth-1 values first."""
        if (outcome := board.outcome()) is not None:
            return _points(outcome.winner, board.turn), None
        values = self._evaluator.children(board)
        ordered = sorted(values, key=values.__getitem__, reverse=True)
        best_value, best = -1.0, ordered[0]
        if depth == 1:
            return values[best], best
        for move in ordered:
            board.push(move)
            value = -self._search(board, depth - 1, -beta, -max(alpha, best_value))[0]
            board.pop()
            if value > best_value:
                best_value, best = value, move
            if best_value >= beta:
                break
        return best_value, best


def _shown(value: float) -> float:
    # There is no minus zero.
    return round(value, 4) + 0.0


def _points(winner: chess.Color | None, color: chess.Color) -> float:
    if winner is None:
        return 0.0
    return 1.0 if winner == color else -1.0

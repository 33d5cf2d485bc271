"""One side of the game: the engine in the player's seat, told what the player saw."""

from collections import defaultdict

import chess
import numpy as np

from obscuro import _core
from obscuro.analysis.reports import (
    BeliefReport,
    Marginals,
    MoveReport,
    Place,
    PossibleBoard,
    SearchReport,
)
from obscuro.analysis.settings import AnalysisSettings
from obscuro.fow import Belief, Board, Observation
from obscuro.players import Decision, Limits, ObscuroPlayer

# Below it a piece is as good as not there; with many squares, it is what makes reports short.
_LEAST_PROBABILITY = 0.0005


class Side:
    """The engine in one player's seat, with the player's belief.

    It is told the moves that the player really made, and knows what the player knew.

    >>> board = Board()
    >>> side = Side(chess.BLACK, board, AnalysisSettings())
    >>> move = board.push_san("e4")
    >>> side.observe(board.observation(chess.BLACK), None)
    >>> side.belief(board).size
    20
    """

    def __init__(self, color: chess.Color, start: Board, settings: AnalysisSettings) -> None:
        self.color = color
        self._settings = settings
        engine = settings.engine
        self.player = ObscuroPlayer(engine)
        self.player.new_game(color, start.fen())
        self.player.observe(start.observation(color))
        search = engine.search
        self._belief = Belief(color, start, cap=search.belief_cap, seed=search.seed)
        self._values = _core.FowValues("simple")
        # The positions that the last search weighed, as EPD.
        self._weights: dict[str, float] = {epd(start): 1.0}

    def observe(self, seen: Observation, own: chess.Move | None) -> None:
        """Takes in the next ply: the player's own move, or the opponent's."""
        if own is not None:
            self.player.played(own)
            self._weights = _after(self._weights, own, seen)
        else:
            self._weights = {}
        self.player.observe(seen)
        if seen.outcome() is None:
            self._belief.advance(seen, own)

    def search(self, limits: Limits, board: Board) -> SearchReport:
        """Asks the engine for the player's strategy; `board` only names the moves."""
        decision = self.player.choose(limits)
        self._weights = _normalised(self.player.positions(_ALL))
        return _search_report(decision, board)

    def belief(self, truth: Board) -> BeliefReport:
        """What the player can know, and where the truth stands in it."""
        weights, true = self._weights, epd(truth)
        ranked = sorted(weights, key=lambda position: (-weights[position], position))
        weight = weights.get(true)
        boards = ranked[: self._settings.boards]
        return BeliefReport(
            size=len(self._belief),
            exactness=self._belief.exactness,
            marginals=self._marginals(),
            weighted=self._weighted_marginals(),
            boards=tuple(
                PossibleBoard(position, round(weights[position], 4), position == true)
                for position in boards
            ),
            weighed=len(weights),
            truth_weight=None if weight is None else round(weight, 4),
            truth_rank=None if weight is None else ranked.index(true) + 1,
            place=self._place(truth),
        )

    def close(self) -> None:
        """Lets the tree go."""
        self.player.close()

    def _marginals(self) -> Marginals:
        table = self._belief.marginals()[int(not self.color)]
        return {
            chess.Piece(kind, not self.color).symbol(): {
                chess.square_name(square): round(float(row[square]), 3)
                for square in np.flatnonzero(row >= _LEAST_PROBABILITY).tolist()
            }
            for kind, row in zip(chess.PIECE_TYPES, table, strict=True)
        }

    def _weighted_marginals(self) -> Marginals:
        table: dict[str, dict[str, float]] = {
            chess.Piece(kind, not self.color).symbol(): defaultdict(float)
            for kind in chess.PIECE_TYPES
        }
        for position, weight in self._weights.items():
            for square, piece in chess.BaseBoard(position.split()[0]).piece_map().items():
                if piece.color != self.color:
                    table[piece.symbol()][chess.square_name(square)] += weight
        return {
            symbol: {
                square: round(weight, 3)
                for square, weight in sorted(row.items())
                if weight >= _LEAST_PROBABILITY
            }
            for symbol, row in table.items()
        }

    def _place(self, truth: Board) -> Place:
        size = len(self._belief)
        sampled = self._belief.sample(
            min(size, self._settings.place_sample), self._settings.engine.search.seed
        )
        true, own = epd(truth), self._value(truth)
        others = [self._value(board) for board in sampled if epd(board) != true]
        if not others:
            return Place(1, size, estimated=size > 1)
        better = sum(value < own for value in others) + sum(value == own for value in others) / 2
        rank = 1 + round((size - 1) * better / len(others))
        return Place(rank, size, estimated=size > len(sampled))

    def _value(self, board: Board) -> float:
        """The position's leaf value for this player, were it seen."""
        value = float(max(self._values.values(board._core), default=-1.0))
        return value if board.turn == self.color else -value


_ALL = 1_000_000


def epd(board: Board) -> str:
    """A position as the search names it: a FEN without the clocks.

    >>> epd(Board())
    'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -'
    """
    return " ".join(board.fen().split()[:4])


def _normalised(positions: list[tuple[str, float]]) -> dict[str, float]:
    """Weights by position; one position may be several nodes of the tree."""
    weights: dict[str, float] = defaultdict(float)
    for position, weight in positions:
        weights[position] += weight
    return _shares(weights)


def _after(weights: dict[str, float], move: chess.Move, seen: Observation) -> dict[str, float]:
    """What is left of the weighed positions after an own move, by what is seen then."""
    left: dict[str, float] = defaultdict(float)
    for position, weight in weights.items():
        board = Board(position)
        if not board.is_legal(move):
            continue
        board.push(move)
        if _same_view(board.observation(seen.color), seen):
            left[epd(board)] += weight
    return _shares(left)


def _same_view(one: Observation, other: Observation) -> bool:
    """Whether two observations differ in nothing but the number of the move."""
    fields = one.fog_fen.split()[:4] == other.fog_fen.split()[:4]
    return fields and (one.outcome() is None) == (other.outcome() is None)


def _shares(weights: dict[str, float]) -> dict[str, float]:
    total = sum(weights.values())
    if total <= 0:
        return {position: 1 / len(weights) for position in weights}
    return {position: weight / total for position, weight in weights.items()}


def _search_report(decision: Decision, board: Board) -> SearchReport:
    found = decision.report
    sign = 1 if board.turn == chess.WHITE else -1
    moves = tuple(
        MoveReport(
            move=entry["move"],
            san=board.san(chess.Move.from_uci(entry["move"])),
            probability=round(entry["probability"], 4),
            value=None if entry["value"] is None else round(sign * entry["value"], 4),
            stable=entry["stable"],
            played=round(entry["played"], 4),
        )
        for entry in found["moves"]
    )
    return SearchReport(
        value=round(sign * found["value"], 4),
        moves=moves,
        nodes=found["nodes"],
        infosets=found["infosets"],
        iterations=found["iterations"],
        depth=found["max_depth"],
        seconds=round(found["search_seconds"], 3),
        p_max=round(found["p_max"], 4),
        gadget=found["gadget"],
        sampled=found["sampled"],
    )

"""One side of the game: the engine in the player's seat, told what the player saw."""

import chess
import numpy as np

from obscuro.analysis import weights as weighing
from obscuro.analysis.reports import (
    BeliefReport,
    Marginals,
    MoveReport,
    Place,
    PossibleBoard,
    SearchReport,
)
from obscuro.analysis.settings import AnalysisSettings
from obscuro.analysis.truth import TrueValues
from obscuro.analysis.weights import LEAST_PROBABILITY, Weights, epd
from obscuro.fow import Belief, Board, Observation
from obscuro.fow.notation import san
from obscuro.players import Decision, Limits, ObscuroPlayer

_ALL = 1_000_000


class Side:
    """The engine in one player's seat, with the player's belief.

    It is told the moves that the player really made, and knows what the player knew: what it is
    given are observations. Only `belief` is shown the true position, to say where it stands.

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
        self._seen = start.observation(color)
        self.player.observe(self._seen)
        search = engine.search
        self._belief = Belief(color, start, cap=search.belief_cap, threads=1, seed=search.seed)
        self._values = TrueValues(engine.eval)
        self._weights: Weights = {epd(start): 1.0}

    @property
    def seen(self) -> Observation:
        """What the player sees now."""
        return self._seen

    def observe(self, seen: Observation, own: chess.Move | None) -> None:
        """Takes in the next ply: the player's own move, or the opponent's."""
        if own is not None:
            self.player.played(own)
            self._weights = weighing.after(self._weights, own, seen)
        else:
            self._weights = {}
        self.player.observe(seen)
        self._seen = seen
        if seen.outcome() is None:
            self._belief.advance(seen, own)

    def search(self, limits: Limits) -> SearchReport:
        """Asks the engine for the player's strategy."""
        decision = self.player.choose(limits)
        self._weights = weighing.normalised(self.player.positions(_ALL))
        return _search_report(decision, self._seen)

    def belief(self, truth: Board) -> BeliefReport:
        """What the player can know, and where the truth stands in it."""
        weights, true = self._weights, epd(truth)
        ranked = weighing.ranked(weights)
        weight = weights.get(true)
        return BeliefReport(
            size=len(self._belief),
            exactness=self._belief.exactness,
            marginals=self._marginals(),
            weighted=weighing.marginals(weights, not self.color),
            boards=self._boards(ranked, true),
            weighed=len(weights),
            truth_weight=None if weight is None else round(weight, 4),
            truth_rank=None if weight is None else ranked.index(true) + 1,
            place=self._place(truth),
        )

    def expected_change(self, move: chess.Move) -> float | None:
        """What a move does to the depth-1 value of the weighed boards, on average; see `change`."""
        if not self._weights:
            return None
        return sum(
            weight * self._values.change(Board(position), move)
            for position, weight in self._weights.items()
        )

    def close(self) -> None:
        """Lets the tree go."""
        self.player.close()

    def _boards(self, ranked: list[str], true: str) -> tuple[PossibleBoard, ...]:
        most = self._settings.boards
        if ranked:
            return tuple(
                PossibleBoard(position, round(self._weights[position], 4), position == true)
                for position in ranked[:most]
            )
        sampled = self._sample(most)
        share = round(1 / len(self._belief), 4)
        return tuple(PossibleBoard(epd(board), share, epd(board) == true) for board in sampled)

    def _marginals(self) -> Marginals:
        table = self._belief.marginals()[int(not self.color)]
        return {
            chess.Piece(kind, not self.color).symbol(): {
                chess.square_name(square): round(float(row[square]), 4)
                for square in np.flatnonzero(row >= LEAST_PROBABILITY).tolist()
            }
            for kind, row in zip(chess.PIECE_TYPES, table, strict=True)
        }

    def _place(self, truth: Board) -> Place:
        size, color = len(self._belief), self.color
        sampled = self._sample(self._settings.place_sample)
        true, own = epd(truth), self._values.leaf(truth, color)
        others = [self._values.leaf(board, color) for board in sampled if epd(board) != true]
        if not others:
            return Place(1, size, estimated=size > 1)
        better = sum(value < own for value in others) + sum(value == own for value in others) / 2
        rank = 1 + round((size - 1) * better / len(others))
        return Place(rank, size, estimated=size > len(sampled))

    def _sample(self, most: int) -> list[Board]:
        return self._belief.sample(most, self._settings.engine.search.seed)


def _search_report(decision: Decision, seen: Observation) -> SearchReport:
    found = decision.report
    sign = 1 if seen.color == chess.WHITE else -1
    moves = tuple(
        MoveReport(
            move=entry["move"],
            san=san(chess.Move.from_uci(entry["move"]), seen),
            probability=round(entry["probability"], 4),
            value=None if entry["value"] is None else round(sign * entry["value"], 4) + 0.0,
            stable=entry["stable"],
            played=round(entry["played"], 4),
        )
        for entry in found["moves"]
    )
    return SearchReport(
        value=round(sign * found["value"], 4) + 0.0,
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

"""A player who imagines what the board may be and plays what is best on average."""

import random
import threading
import time
from collections.abc import Sequence
from typing import Protocol

import chess

from obscuro.errors import ObservationError, PlayerError
from obscuro.fow import STARTING_FEN, Belief, Board, Observation
from obscuro.players.base import Decision, Limits, Result
from obscuro.players.leaf_values import LeafValues
from obscuro.players.memory import own_move
from obscuro.players.stockfish import StockfishValues
from obscuro.players.timing import budget

__all__ = ["Judge", "LeafValues", "PimcPlayer"]

SAMPLES = 256
"""The positions that are valued where neither their number nor a time is given."""

BELIEF_CAP = 500_000
"""The positions that the belief keeps; it is advanced within the player's own time."""

# Enough to tell how long one position takes.
_TRIAL = 32


class Judge(Protocol):
    """What tells the worth of every move on a board that is fully known."""

    def values(self, board: Board) -> Sequence[float]:
        """The value of each legal move for the side to move, in their order."""
        ...

    def close(self) -> None:
        """Lets go of what it has."""


class PimcPlayer:
    """Perfect-information Monte Carlo: samples positions of P, and plays the best move on average.

    The obvious home-made player: in each position it values every move as if nothing were hidden,
    and takes the move with the highest mean. It never bluffs and never hides.

    Args:
        samples: The most positions to value; without, as many as the time allows.
        seed: Of the sample, and of the draw among equally good moves.
        eval: What values leaves, as for the engine.
        engine: The path of an installed Stockfish, which then does the valuing.
        depth: How deep that engine searches.
        belief_cap: The positions that the belief keeps at most.

    >>> board = Board("4k3/8/8/3q1r2/4P3/8/8/4K3 w - - 0 1")
    >>> player = PimcPlayer(samples=16, seed=1)
    >>> player.new_game(chess.WHITE, board.fen())
    >>> player.observe(board.observation(chess.WHITE))
    >>> player.choose(Limits()).move
    Move.from_uci('e4d5')
    """

    def __init__(
        self,
        *,
        samples: int | None = None,
        seed: int = 0,
        eval: str = "network",  # noqa: A002
        engine: str | None = None,
        depth: int = 1,
        belief_cap: int = BELIEF_CAP,
    ) -> None:
        if samples is not None and samples < 1:
            raise PlayerError(f"samples is {samples}, expected at least 1")
        if belief_cap < 1:
            raise PlayerError(f"belief_cap is {belief_cap}, expected at least 1")
        self._samples = samples
        self._random = random.Random(seed)
        self._judge: Judge = LeafValues(eval) if engine is None else StockfishValues(engine, depth)
        self._belief_cap = belief_cap
        self._belief: Belief | None = None
        self._start = Board()
        self._seen: Observation | None = None
        self._observe_seconds = self._overhead = 0.0
        self._stop = threading.Event()

    def new_game(self, color: chess.Color, start: str = STARTING_FEN) -> None:
        """Believes in nothing but the start."""
        self._start = Board(start)
        self._belief = Belief(color, self._start, cap=self._belief_cap)
        self._seen = None
        self._observe_seconds = self._overhead = 0.0

    def observe(self, observation: Observation) -> None:
        """Advances the belief; one's own move is told by one's own pieces."""
        before, belief = self._seen, self._playing()
        if before is None:
            expected = self._start.observation(belief.color)
            if observation != expected:
                raise ObservationError(
                    f'the first observation is "{observation}", expected that of the start of the '
                    f'game, "{expected}"'
                )
        elif observation.outcome() is None:
            began = time.perf_counter()
            own = before.turn == belief.color
            belief.advance(observation, own_move(before, observation) if own else None)
            self._observe_seconds = max(self._observe_seconds, time.perf_counter() - began)
        self._seen = observation

    def choose(self, limits: Limits) -> Decision:
        """Values the moves in as many positions as the limits allow."""
        start = time.perf_counter()
        seen = self._seen
        if seen is None or not (moves := seen.legal_moves):
            raise PlayerError("asked for a move with no legal move in sight: observe comes first")
        seconds = limits.seconds
        if limits.clock is not None:
            planned = budget(limits.clock, self._overhead)
            seconds = planned if seconds is None else min(planned, seconds)
        count = self._count(limits, seconds)
        totals = dict.fromkeys(moves, 0.0)
        try:
            valued = self._value(totals, count, None if seconds is None else start + seconds)
        finally:
            self._stop.clear()
        self._overhead = max(0.8 * self._overhead, self._observe_seconds)
        self._observe_seconds = 0.0
        means = {move: total / valued for move, total in totals.items()}
        most = max(means.values())
        move = self._random.choice([move for move, mean in means.items() if mean == most])
        report = {
            "belief": len(self._playing()),
            "exactness": self._playing().exactness,
            "sampled": valued,
            "value": most,
            "moves": [{"move": m.uci(), "value": mean} for m, mean in means.items()],
            "search_seconds": time.perf_counter() - start,
        }
        return Decision(move, {move.uci(): 1.0}, report)

    def stop(self) -> None:
        """Ends the search that is running, or else the next one, from any thread."""
        self._stop.set()

    def reset_stop(self) -> None:
        """Forgets a `stop` that came when the search had ended already."""
        self._stop.clear()

    def game_over(self, result: Result) -> None:
        """Lets the belief go."""
        self._belief = None

    def close(self) -> None:
        """Lets the belief and the engine go."""
        self._belief = None
        self._judge.close()

    def _count(self, limits: Limits, seconds: float | None) -> int | None:
        """The most positions to value; `None` is as many as there is time for."""
        given = [count for count in (self._samples, limits.nodes) if count is not None]
        if given:
            return max(1, min(given))
        return SAMPLES if seconds is None else None

    def _value(
        self, totals: dict[chess.Move, float], count: int | None, deadline: float | None
    ) -> int:
        """Adds up the values of the moves over sampled positions, and tells over how many."""
        belief = self._playing()
        most = len(belief) if count is None else min(count, len(belief))
        start = time.perf_counter()
        known: set[int] = set()
        # A first few show how many more the time allows; at least one is valued in any case.
        wanted = most if deadline is None else min(_TRIAL, most)
        while True:
            for board in belief.sample(wanted, self._random.getrandbits(32)):
                if board._core.key() in known:
                    continue
                known.add(board._core.key())
                for move, value in zip(board.legal_moves, self._judge.values(board), strict=True):
                    totals[move] += value
                late = deadline is not None and time.perf_counter() > deadline
                if late or self._stop.is_set():
                    return len(known)
                if len(known) == most:
                    return most
            if deadline is None:
                return len(known)
            each = (time.perf_counter() - start) / len(known)
            left = max(0, int((deadline - time.perf_counter()) / each))
            # What was valued already will be drawn again and skipped.
            wanted = max(1, min(len(belief), len(known) + left + 1))

    def _playing(self) -> Belief:
        if self._belief is None:
            raise PlayerError("no game is being played: call new_game first")
        return self._belief

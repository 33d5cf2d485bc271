"""The player ZS21: exact equilibria of small subgames, solved by linear programs."""

import random
import threading
import time
from collections.abc import Sequence
from typing import Any

import chess
import numpy as np

from obscuro.errors import ObservationError, PlayerError
from obscuro.fow import STARTING_FEN, Belief, Board, Observation
from obscuro.fow.encoding import decode, encode
from obscuro.players.base import Decision, Limits, Result
from obscuro.players.leaf_values import evaluator
from obscuro.players.memory import own_move
from obscuro.players.timing import budget
from obscuro.players.zs21.growth import Growth
from obscuro.players.zs21.search import Bounds, Search
from obscuro.players.zs21.settings import Zs21Settings
from obscuro.players.zs21.subgame import Group, assemble, carry, sampled
from obscuro.players.zs21.tree import Floats, Infoset, Node

# Time that is left for what comes after the search.
_CLOSING_SECONDS = 0.005
# In a hurry there are fewer positions: as many as half of the time can expand.
_LEAST_SAMPLES = 8
_SAMPLE_SECONDS = 6e-4


class Zs21Player:
    """Plays as the paper says of Zhang and Sandholm's agent of 2021 (ZS21).

    1-KLSS on the last search's tree and on positions sampled from P, Resolve or Maxmargin, exact
    equilibria by linear programs, and a tree that grows layer by layer; mixed strategies are played
    as they are.

    >>> from obscuro.players.zs21.settings import Zs21Settings
    >>> board = Board()
    >>> player = Zs21Player(Zs21Settings(seed=1))
    >>> player.new_game(chess.WHITE)
    >>> player.observe(board.observation(chess.WHITE))
    >>> player.choose(Limits(nodes=1000)).move in board.legal_moves
    True
    """

    def __init__(self, settings: Zs21Settings | None = None) -> None:
        self.settings = settings or Zs21Settings()
        self._values = evaluator(self.settings.eval)
        self._random = random.Random(self.settings.seed)
        self._stop = threading.Event()
        self._belief: Belief | None = None
        self._forget(chess.WHITE)

    def new_game(self, color: chess.Color, start: str = STARTING_FEN) -> None:
        """Believes in nothing but the start."""
        board = Board(start)
        self._belief = Belief(color, board, cap=self.settings.belief_cap, seed=self.settings.seed)
        self._random = random.Random(self.settings.seed)
        self._forget(color)
        self._start = board

    def _forget(self, color: chess.Color) -> None:
        self._growth = Growth(self._values, white=color == chess.WHITE)
        self._start = Board()
        self._seen: Observation | None = None
        self._last: Search | None = None
        # ▲'s infosets since the last search: where it searched, after its move, and now.
        self._path: list[Infoset] = []
        self._expected: float | None = None
        self._observe_seconds = self._overhead = 0.0

    def observe(self, observation: Observation) -> None:
        """Advances the belief and the place in the tree; one's own pieces tell one's own move."""
        belief, before = self._playing(), self._seen
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
            move = own_move(before, observation) if own else None
            belief.advance(observation, move)
            if self._path:
                action = None if move is None else encode(move)
                self._path.append(self._path[-1].next(action, observation._core))
            self._observe_seconds = max(self._observe_seconds, time.perf_counter() - began)
        self._seen = observation

    def choose(self, limits: Limits) -> Decision:
        """Searches, and draws a move from the strategy that was found."""
        began = time.perf_counter()
        seen = self._seen
        if seen is None or not seen.legal_moves:
            raise PlayerError("asked for a move with no legal move in sight: observe comes first")
        bounds = self._bounds(limits, began)
        infoset, groups, carried = self._subgame(seen, bounds)
        search = Search(*assemble(groups), self._growth)
        constructed = time.perf_counter()
        carried_nodes = search.nodes
        try:
            search.run(bounds)
        finally:
            self._stop.clear()
        searched = time.perf_counter()
        inside = [node for group in groups for node, _ in group.inside]
        strategy = _best_on_average(inside) if search.solution is None else infoset.strategy
        if strategy is None:
            raise AssertionError("a solved game has a strategy at its root")
        moves = [decode(number) for number in inside[0].actions]
        move = self._random.choices(moves, weights=strategy.tolist())[0]
        self._last, self._path, self._expected = search, [infoset], search.value()
        report = {
            "belief": len(self._playing()),
            "exactness": self._playing().exactness,
            "sampled": len(inside) - carried,
            "carried": carried,
            "carried_nodes": carried_nodes,
            **search.report(),
            "moves": _moves(moves, strategy, search.gains(infoset)),
            "construct_seconds": constructed - began,
            "search_seconds": searched - constructed,
        }
        overhead = self._observe_seconds + time.perf_counter() - searched + constructed - began
        self._overhead = max(0.8 * self._overhead, overhead)
        self._observe_seconds = 0.0
        told = {entry["move"]: entry["probability"] for entry in report["moves"]}
        return Decision(move, {name: p for name, p in told.items() if p > 0.0}, report)

    def stop(self) -> None:
        """Ends the search that is running, or else the next one, from any thread."""
        self._stop.set()

    def reset_stop(self) -> None:
        """Forgets a `stop` that came when the search had ended already."""
        self._stop.clear()

    def game_over(self, result: Result) -> None:
        """Lets belief and tree go."""
        self.close()

    def close(self) -> None:
        """Lets belief and tree go."""
        self._belief = None
        self._forget(chess.WHITE)

    @property
    def belief_size(self) -> int:
        """|P|, the number of positions that are considered possible."""
        return len(self._playing())

    def _bounds(self, limits: Limits, began: float) -> Bounds:
        seconds, nodes = limits.seconds, limits.nodes
        if limits.clock is not None:
            planned = budget(limits.clock, self._overhead)
            seconds = planned if seconds is None else min(planned, seconds)
        if seconds is None and nodes is None:
            nodes = self.settings.nodes
            seconds = self.settings.seconds if nodes is None else None
        deadline = None if seconds is None else began + seconds - _CLOSING_SECONDS
        return Bounds(deadline, nodes, self.settings.depth, self._stop.is_set)

    def _subgame(self, seen: Observation, bounds: Bounds) -> tuple[Infoset, list[Group], int]:
        """Our infoset, the opponent's in the subgame, and how many nodes were carried over."""
        belief = self._playing()
        samples = self.settings.samples
        if bounds.deadline is not None:
            left = bounds.deadline - time.perf_counter()
            samples = max(_LEAST_SAMPLES, min(samples, int(left / _SAMPLE_SECONDS)))
        infoset, groups = Infoset(), list[Group]()
        last = self._last
        if last is not None and last.solution is not None and len(self._path) == 3:
            _, passed, infoset = self._path
            # Half of the positions are drawn anew in any case.
            groups = carry(
                last.sequences,
                last.solution.plans,
                passed,
                infoset,
                self._growth.child,
                samples // 2,
            )
        inside = [node for group in groups for node, _ in group.inside]
        for node in inside:
            self._growth.expand(node)
        known = {node.state.key() for node in inside}
        wanted = min(samples, len(belief)) - len(known)
        drawn = belief.sample(wanted + len(known), self._random.getrandbits(32))
        others = [board for board in drawn if board._core.key() not in known]
        for board in self._random.sample(others, max(0, min(wanted, len(others)))):
            node = self._growth.root(board, seen.fullmove_number, infoset)
            expected = node.value if self._expected is None else self._expected
            groups.append(sampled(node, expected))
        return infoset, groups, len(inside)

    def _playing(self) -> Belief:
        if self._belief is None:
            raise PlayerError("no game is being played: call new_game first")
        return self._belief


def _best_on_average(nodes: Sequence[Node]) -> Floats:
    """What to play if there was no time to solve anything."""
    strategy: Floats = np.zeros(len(nodes[0].actions))
    strategy[int(np.sum([node.values for node in nodes], axis=0).argmax())] = 1.0
    return strategy


def _moves(
    moves: Sequence[chess.Move], strategy: Floats, gains: Floats | None
) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = [
        {"move": move.uci(), "probability": float(p)}
        for move, p in zip(moves, strategy, strict=True)
    ]
    if gains is not None:
        for entry, gain in zip(entries, gains, strict=True):
            entry["value"] = float(gain)
    return sorted(entries, key=lambda entry: -entry["probability"])

"""King against king: which starting squares are drawn, and bounds for those that are not."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import chess
import numpy as np

from obscuro.errors import FileError, LabError, SolverError
from obscuro.lab.bounds import Guarantee, among, check, hunts, whole
from obscuro.lab.chase import BESIDE, NEAR, PAIRS, Chase, Plan
from obscuro.lab.matrix_game import solve

_ROUNDING = 1e-6

Pair = tuple[int, int]
"""Where the hunter's king stands, and the king on the edge that it hunts."""


@dataclass(frozen=True)
class Effort:
    """How much is done for the bounds.

    Attributes:
        plies: The length of the games for the edge's guarantees.
        hunt_plies: The length of the games for the hunter's.
        steps: How long the hunter watches at most.
        rounds: Answers and counter-answers at most, for each bound.
    """

    plies: int = 10
    hunt_plies: int = 26
    steps: int = 6
    rounds: int = 200


@dataclass(frozen=True)
class Bounds:
    """What the hunter gets: at least `low`, at most `high`.

    >>> Bounds(0.0, 0.0).is_exact
    True
    """

    low: float
    high: float

    @property
    def is_exact(self) -> bool:
        """Whether both are the same."""
        return self.low == self.high


def has_pair(mover: int, other: int, *, of_mover: bool) -> bool:
    """Whether a side has two safe squares beside each other, whatever the other side does first.

    With them it has a draw at least (the paper's claim 1).

    >>> has_pair(chess.D4, chess.D1, of_mover=True), has_pair(chess.D4, chess.D1, of_mover=False)
    (True, False)
    """
    steps = [step for step in BESIDE[mover] if not NEAR[step][other]]
    if of_mover:
        squares = steps
    else:
        # The other side does not know which step was made.
        squares = [s for s in BESIDE[other] if not any(NEAR[s][step] for step in steps)]
    return any(one != two and NEAR[one][two] for one in squares for two in squares)


def canonical(pair: Pair) -> Pair:
    """The same for all positions that rotations and reflections make of each other.

    >>> [chess.square_name(s) for s in canonical((chess.C7, chess.A8))]
    ['c2', 'a1']
    """
    hunter, edge = pair
    images = [(image(edge), image(hunter)) for image in _SYMMETRIES]
    edge, hunter = min(images)
    return hunter, edge


def _symmetry(number: int) -> Callable[[int], int]:
    def image(square: int) -> int:
        file, rank = square % 8, square // 8
        file = 7 - file if number & 1 else file
        rank = 7 - rank if number & 2 else rank
        file, rank = (rank, file) if number & 4 else (file, rank)
        return file + 8 * rank

    return image


_SYMMETRIES = [_symmetry(number) for number in range(8)]


def open_positions(*, hunter_moves: bool) -> list[Pair]:
    """The positions, up to symmetry, that claim 1 leaves open; the hunter has a draw at least.

    >>> len(open_positions(hunter_moves=True)), len(open_positions(hunter_moves=False))
    (24, 5)
    """
    found = set()
    for hunter in chess.SQUARES:
        for edge in chess.SQUARES:
            if NEAR[hunter][edge]:
                continue
            mover, other = (hunter, edge) if hunter_moves else (edge, hunter)
            own = has_pair(mover, other, of_mover=hunter_moves)
            theirs = has_pair(mover, other, of_mover=not hunter_moves)
            if own and not theirs:
                found.add(canonical((hunter, edge)))
    return sorted(found, key=lambda pair: (pair[1], pair[0]))


def watched() -> list[Pair]:
    """Kings two squares apart on a file, up to symmetry: the positions of the paper's claim 2."""
    return [(chess.square(file, 2), chess.square(file, 0)) for file in range(4)]


class Lows:
    """What the hunter can make sure of, in every position.

    It begins with claim 1 and with what strategies guarantee, and goes back from there by one move
    of each side, as far as the hunter then knows enough.
    """

    def __init__(self, guaranteed: Mapping[tuple[Pair, bool], float]) -> None:
        self._guaranteed = dict(guaranteed)
        self._best: dict[tuple[Pair, bool], float] = {}
        self._positions = [
            (pair, turn) for turn in (True, False) for pair in open_positions(hunter_moves=turn)
        ]
        while True:
            better = False
            for pair, turn in self._positions:
                value = self._back(*pair) if turn else self._after(*pair)
                if value > self(pair, hunter_moves=turn) + 1e-9:
                    self._best[pair, turn] = value
                    better = True
            if not better:
                return

    def __call__(self, pair: Pair, *, hunter_moves: bool) -> float:
        """The hunter's bound."""
        hunter, edge = pair
        if NEAR[hunter][edge]:
            return 1.0 if hunter_moves else -1.0
        mover, other = (hunter, edge) if hunter_moves else (edge, hunter)
        low = 0.0 if has_pair(mover, other, of_mover=hunter_moves) else -1.0
        key = (canonical(pair), hunter_moves)
        return max(low, self._guaranteed.get(key, -1.0), self._best.get(key, -1.0))

    def _back(self, hunter: int, edge: int) -> float:
        """With the hunter to move: by one step that everybody may know, or by a guess."""
        steps = [step for step in BESIDE[hunter] if not NEAR[step][edge]]
        known = max(self((step, edge), hunter_moves=False) for step in steps)
        rows = [[self._reply(step, edge, reply) for reply in BESIDE[edge]] for step in steps]
        return max(known, solve(np.array(rows))[0])

    def _after(self, hunter: int, edge: int) -> float:
        """With the other side to move: the worst of its steps."""
        return min(self._reply(hunter, edge, reply) for reply in BESIDE[edge])

    def _reply(self, hunter: int, edge: int, reply: int) -> float:
        """What the hunter makes sure of after a step of the other king, which it may not see."""
        if NEAR[hunter][reply]:
            return 1.0
        left = [square for square in BESIDE[edge] if not NEAR[hunter][square]]
        if len(left) == 1:
            return self((hunter, reply), hunter_moves=True)
        safe = any(
            not any(NEAR[square][other] for square in pair for other in left)
            for pair in PAIRS[hunter]
        )
        return 0.0 if safe else -1.0


@dataclass(frozen=True)
class Table:
    """Bounds of all starting squares.

    Attributes:
        hunter_moves: Those of the open positions with the hunter to move.
        edge_moves: Those with the king on the edge to move.
        guarantees: What the hunter's strategies that were found guarantee.
    """

    hunter_moves: Mapping[Pair, Bounds]
    edge_moves: Mapping[Pair, Bounds]
    guarantees: Mapping[tuple[Pair, bool], float]

    def value(self, white: int, black: int, *, white_moves: bool) -> Bounds:
        """What White gets. Kings beside each other: the one to move takes."""
        if NEAR[white][black]:
            value = 1.0 if white_moves else -1.0
            return Bounds(value, value)
        for hunter, edge, sign in ((white, black, 1), (black, white, -1)):
            turn = white_moves == (hunter == white)
            found = (self.hunter_moves if turn else self.edge_moves).get(canonical((hunter, edge)))
            if found is not None:
                low, high = sorted((sign * found.low, sign * found.high))
                return Bounds(low, high)
        return Bounds(0.0, 0.0)


def table(
    effort: Effort,
    file: Path,
    *,
    say: Callable[[str], None] = lambda words: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Table | None:
    """All bounds; `None` if it was stopped. Strategies are kept in a file, for the next time."""
    store = _Strategies(file)
    guaranteed: dict[tuple[Pair, bool], float] = {}
    for pair in watched():
        for turn in (True, False):
            if stopped():
                return None
            say(f"a hunt from {_words(pair, turn)}")
            chase = Chase(*pair, turn, effort.hunt_plies)
            guaranteed[pair, turn] = store.value(
                f"hunt {_words(pair, turn)}, {effort.hunt_plies} plies, {effort.steps} steps",
                chase,
                lambda chase: among(
                    chase,
                    list(hunts(chase, effort.steps)),
                    rounds=effort.rounds,
                    stopped=stopped,
                ),
            )
    lows = Lows(guaranteed)
    both: dict[bool, dict[Pair, Bounds]] = {True: {}, False: {}}
    for turn in (True, False):
        for pair in open_positions(hunter_moves=turn):
            if stopped():
                return None
            say(f"the edge's guarantee in {_words(pair, turn)}")
            hunter, edge = pair
            chase = Chase(edge, hunter, not turn, effort.plies)
            high = -store.value(
                f"edge {_words(pair, turn)}, {effort.plies} plies",
                chase,
                lambda chase: whole(chase, rounds=effort.rounds, stopped=stopped),
            )
            low = lows(pair, hunter_moves=turn)
            if low > high + _ROUNDING:
                raise SolverError(
                    f"the bounds of {_words(pair, turn)} cross: at least {low}, at most {high}"
                )
            both[turn][pair] = Bounds(min(low, high), max(low, high))
    return Table(both[True], both[False], guaranteed)


def _words(pair: Pair, hunter_moves: bool) -> str:
    """A position in words.

    >>> _words((chess.D3, chess.D1), True)
    'd3 against d1, d3 to move'
    """
    hunter, edge = (chess.square_name(square) for square in pair)
    return f"{hunter} against {edge}, {hunter if hunter_moves else edge} to move"


class _Strategies:
    """The strategies that were found, in a file. Each is checked again before it is believed."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._known: dict[str, Any] = {}
        if file.exists():
            try:
                self._known = json.loads(file.read_text(encoding="utf-8"))
            except (OSError, ValueError) as error:
                raise LabError(
                    f"{file} cannot be read: {error}; remove it to start anew"
                ) from error

    def value(self, key: str, chase: Chase, find: Callable[[Chase], Guarantee]) -> float:
        """What a strategy guarantees: one that is known, or one that is looked for now."""
        if key not in self._known:
            found = find(chase)
            self._known[key] = {
                "guarantees": found.value,
                "no more than": found.best,
                "plans": [
                    [weight, list(plan.walk), plan.pair and list(plan.pair)]
                    for weight, plan in zip(found.weights, found.plans, strict=True)
                ],
            }
            self._write()
        try:
            plans = [Plan(tuple(walk), _pair(pair)) for _, walk, pair in self._known[key]["plans"]]
            weights = [float(weight) for weight, _, _ in self._known[key]["plans"]]
            _check_plans(chase, plans, weights)
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise LabError(f"{self._file} holds no strategy for {key}: {error}") from error
        return check(chase, plans, weights)

    def _write(self) -> None:
        part = self._file.with_name(f"{self._file.name}.part")
        try:
            part.parent.mkdir(parents=True, exist_ok=True)
            part.write_text(json.dumps(self._known) + "\n", encoding="utf-8")
            part.replace(self._file)
        except OSError as error:
            raise FileError(f"cannot write {self._file}: {error.strerror}") from error


def _pair(pair: Any) -> Pair | None:  # noqa: ANN401
    return None if pair is None else (int(pair[0]), int(pair[1]))


def _check_plans(chase: Chase, plans: list[Plan], weights: list[float]) -> None:
    """A file may say anything: what it holds must be walks of a king, and probabilities."""
    if not plans or min(weights) < 0 or abs(sum(weights) - 1) > 1e-9:
        raise ValueError("the weights are no probabilities")
    for plan in plans:
        if plan.walk[0] != chase.settler or len(plan.walk) > chase.plies:
            raise ValueError("a walk starts elsewhere, or is too long")
        for ply in range(1, len(plan.walk)):
            one, other = plan.walk[ply - 1 : ply + 1]
            if other not in (BESIDE[one] if chase.is_settlers(ply) else [one]):
                raise ValueError("a walk is none of a king")
        if plan.pair is None:
            if len(plan.walk) != chase.plies:
                raise ValueError("a walk ends too early")
        elif not chase.is_settlers(len(plan.walk)) or plan.pair not in _pairs(plan.walk[-1]):
            raise ValueError("a walk ends where it cannot")


@cache
def _pairs(square: int) -> frozenset[Pair]:
    return frozenset(PAIRS[square])

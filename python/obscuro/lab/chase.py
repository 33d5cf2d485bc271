"""King against king as a game of two blind walks, with an exit for one of them.

A king sees the squares beside it. The player to move takes a king that stands there, so as long as
the game goes on nobody has seen anything: both players choose a walk, and whoever first steps
beside the other king loses. There is no limit to the walks, and no draw by repetition.

Bounds of its value come from games that end. Two squares beside each other are *safe* to go to if
the other king is on neither of them nor beside one. Whoever may go to either of two such squares,
does so at random, and goes to and fro between them for ever, has a draw at least (the paper's claim
1): a walker who comes beside one of them is beside the king, or is run into, with equal
probability. So one of the two players, the *settler*, may end the game where it is its turn, by
naming two squares: it gets 0 if they are safe, and -1 if not. If it has not settled when the plies
are over it gets -1 too. What it can guarantee here, it can guarantee in the game without a limit.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import chess

Walk = tuple[int, ...]
"""The square of a king after each ply, the start first."""

BESIDE: list[list[int]] = [
    [other for other in chess.SQUARES if chess.square_distance(square, other) == 1]
    for square in chess.SQUARES
]
NEAR: list[list[bool]] = [
    [chess.square_distance(square, other) <= 1 for other in chess.SQUARES]
    for square in chess.SQUARES
]
"""Whether kings on two squares take each other."""

PAIRS: list[list[tuple[int, int]]] = [
    [(one, other) for one in near for other in near if one < other and NEAR[one][other]]
    for near in BESIDE
]
"""The pairs of squares beside each other to which a king can go from a square."""

_TIE = 1e-12


@dataclass(frozen=True)
class Plan:
    """What the settler does: a walk, and where it ends.

    Attributes:
        walk: Its squares up to the ply before it settles.
        pair: The two squares on which it settles; `None` if it never does.
    """

    walk: Walk
    pair: tuple[int, int] | None

    @property
    def settles(self) -> int | None:
        """The ply at which it settles."""
        return None if self.pair is None else len(self.walk)


@dataclass(frozen=True)
class Chase:
    """The game that ends, for bounds of the one that does not.

    Attributes:
        settler: Where the settler's king starts.
        walker: Where the other king starts.
        first: Whether the settler moves first.
        plies: After how many plies it is over, the taking of a king included.
    """

    settler: int
    walker: int
    first: bool
    plies: int

    def is_settlers(self, ply: int) -> bool:
        """Whether the settler makes this ply; they are counted from 1."""
        return (ply % 2 == 1) == self.first

    def payoff(self, plan: Plan, walk: Walk) -> float:
        """What the settler gets.

        >>> chase = Chase(chess.A3, chess.A1, True, 4)
        >>> chase.payoff(Plan((chess.A3,), (chess.A4, chess.B4)), (chess.A1, chess.A1, chess.B1))
        0.0
        """
        for ply in range(1, self.plies):
            if not self.is_settlers(ply):
                if NEAR[plan.walk[ply]][walk[ply]]:
                    return 1.0
            elif plan.pair is not None and ply == plan.settles:
                return -1.0 if any(NEAR[square][walk[ply]] for square in plan.pair) else 0.0
            elif NEAR[plan.walk[ply]][walk[ply]]:
                return -1.0
        return -1.0

    def best_plan(self, walks: Sequence[Walk], weights: Sequence[float]) -> tuple[float, Plan]:
        """The settler's best answer to a mixture of walks, and what it gets by it."""
        return _BestPlan(self, walks, weights).answer()

    def best_walk(self, plans: Sequence[Plan], weights: Sequence[float]) -> tuple[float, Walk]:
        """The walker's best answer to a mixture of plans, and what the walker gets by it."""
        return _BestWalk(self, plans, weights).answer()


class _Answers:
    """What both best answers have in common.

    A player who has seen nothing knows its own walk, and by it which choices of the other one
    would have ended the game already. The rest are a set of bits; square and set say all.
    """

    def __init__(self, chase: Chase, weights: Sequence[float]) -> None:
        self.chase = chase
        self._weights = weights
        self._sums = {0: 0.0}
        self._hits: dict[int, int] = {}
        self._known: list[dict[int, tuple[float, int | tuple[int, int]]]] = [
            {} for _ in range(chase.plies + 1)
        ]

    @cached_property
    def all(self) -> int:
        return (1 << len(self._weights)) - 1

    def weight(self, choices: int) -> float:
        found = self._sums.get(choices)
        if found is None:
            found, left = 0.0, choices
            while left:
                bit = left & -left
                found += self._weights[bit.bit_length() - 1]
                left ^= bit
            self._sums[choices] = found
        return found

    def hit(self, ply: int, square: int) -> int:
        """The choices of the other one that end the game at this ply if our king is here."""
        key = ply << 6 | square
        found = self._hits.get(key)
        if found is None:
            found = self._hits[key] = self._hit(ply, square)
        return found

    def _hit(self, ply: int, square: int) -> int:
        raise NotImplementedError

    def best_step(
        self, ply: int, square: int, alive: int, best: float, arg: int | tuple[int, int]
    ) -> tuple[float, int | tuple[int, int]]:
        """The best own step, if one is better than what is given."""
        steps = sorted(
            (self.weight(hit := alive & self.hit(ply, step)), step, hit) for step in BESIDE[square]
        )
        for lost, step, hit in steps:
            rest = alive & ~hit
            # Not even if all others could be won.
            if self.weight(rest) - lost <= best + _TIE:
                continue
            value = self.value(ply + 1, step, rest)[0] - lost
            if value > best + _TIE:
                best, arg = value, step
        return best, arg

    def value(self, ply: int, square: int, alive: int) -> tuple[float, int | tuple[int, int]]:
        """What can still be got from this ply on, and how."""
        if not alive:
            return 0.0, square
        if ply >= self.chase.plies:
            return self.at_the_end(alive), square
        known = self._known[ply]
        key = alive << 6 | square
        found = known.get(key)
        if found is None:
            found = known[key] = self._value(ply, square, alive)
        return found

    def at_the_end(self, alive: int) -> float:
        raise NotImplementedError

    def _value(self, ply: int, square: int, alive: int) -> tuple[float, int | tuple[int, int]]:
        raise NotImplementedError


class _BestPlan(_Answers):
    def __init__(self, chase: Chase, walks: Sequence[Walk], weights: Sequence[float]) -> None:
        super().__init__(chase, weights)
        self._walks = walks

    def _hit(self, ply: int, square: int) -> int:
        near = NEAR[square]
        return sum(1 << place for place, walk in enumerate(self._walks) if near[walk[ply]])

    def at_the_end(self, alive: int) -> float:
        return -self.weight(alive)

    def _value(self, ply: int, square: int, alive: int) -> tuple[float, int | tuple[int, int]]:
        if not self.chase.is_settlers(ply):
            hit = alive & self.hit(ply, square)
            return self.weight(hit) + self.value(ply + 1, square, alive & ~hit)[0], square
        best, arg = -2.0, PAIRS[square][0]
        for pair in PAIRS[square]:
            lost = self.weight(alive & (self.hit(ply, pair[0]) | self.hit(ply, pair[1])))
            if -lost > best + _TIE:
                best, arg = -lost, pair
        return self.best_step(ply, square, alive, best, arg)

    def answer(self) -> tuple[float, Plan]:
        chase, square, alive = self.chase, self.chase.settler, self.all
        found = self.value(1, square, alive)[0]
        walk = [square]
        for ply in range(1, chase.plies):
            if chase.is_settlers(ply):
                arg = self.value(ply, square, alive)[1] if alive else PAIRS[square][0]
                if isinstance(arg, tuple):
                    return found, Plan(tuple(walk), arg)
                square = arg
            alive &= ~self.hit(ply, square)
            walk.append(square)
        return found, Plan(tuple(walk), None)


class _BestWalk(_Answers):
    def __init__(self, chase: Chase, plans: Sequence[Plan], weights: Sequence[float]) -> None:
        super().__init__(chase, weights)
        self._plans = plans
        self._settling = [0] * (chase.plies + 1)
        for place, plan in enumerate(plans):
            if plan.settles is not None:
                self._settling[plan.settles] |= 1 << place

    def _hit(self, ply: int, square: int) -> int:
        near, hits = NEAR[square], 0
        for place, plan in enumerate(self._plans):
            if plan.pair is None or ply < len(plan.walk):
                hits |= near[plan.walk[ply]] << place
            elif ply == len(plan.walk):
                hits |= (near[plan.pair[0]] or near[plan.pair[1]]) << place
        return hits

    def at_the_end(self, alive: int) -> float:
        return self.weight(alive)

    def _value(self, ply: int, square: int, alive: int) -> tuple[float, int | tuple[int, int]]:
        if self.chase.is_settlers(ply):
            hit = alive & self.hit(ply, square)
            rest = alive & ~hit & ~self._settling[ply]
            return self.weight(hit) + self.value(ply + 1, square, rest)[0], square
        return self.best_step(ply, square, alive, -2.0, BESIDE[square][0])

    def answer(self) -> tuple[float, Walk]:
        chase, square, alive = self.chase, self.chase.walker, self.all
        found = self.value(1, square, alive)[0]
        walk = [square]
        for ply in range(1, chase.plies):
            if chase.is_settlers(ply):
                alive &= ~self.hit(ply, square) & ~self._settling[ply]
            else:
                arg = self.value(ply, square, alive)[1] if alive else BESIDE[square][0]
                assert isinstance(arg, int)
                square = arg
                alive &= ~self.hit(ply, square)
            walk.append(square)
        return found, tuple(walk)

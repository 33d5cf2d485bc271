"""The search: solve, expand what matters one layer deeper, and solve again until time is up."""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from obscuro.errors import SolverError
from obscuro.players.zs21.gadget import SAFE, Gadget
from obscuro.players.zs21.growth import Growth
from obscuro.players.zs21.program import Indices, Program, Solution
from obscuro.players.zs21.sequences import Choice, Place, Sequences, split
from obscuro.players.zs21.tree import Floats, Infoset, Turn

# A probability below this part of what is likeliest is no reason to look further.
_MATTERS = 0.01
# Of the leaves of a layer, so many are expanded at once: a part of what the tree has already.
_SHARE = 0.5
_AT_LEAST = 32
# How the time of a program grows with the tree, and by what factor an estimate may be wrong.
_EXPONENT = 1.5
_CAUTION = 1.3
# Below so many places it is the same time for all.
_SMALL = 300
# Fewer leaves are not worth another program.
_WORTHWHILE = 8
# However late it is, the first program gets so much: something must be played.
_FIRST_SECONDS = 0.02
# What an expansion takes, until it is measured.
_EXPANSION_SECONDS = 3e-4
# Below this ▲'s plan does not come to an infoset.
_UNREACHED = 1e-9


@dataclass(frozen=True)
class Bounds:
    """How far a search goes.

    Attributes:
        deadline: When it ends, on the clock of `time.perf_counter`.
        nodes: How many nodes its tree may have, about.
        depth: How many plies deep it looks.
        stopped: Tells whether it shall end now.
    """

    deadline: float | None
    nodes: int | None
    depth: int | None
    stopped: Callable[[], bool]


@dataclass
class Statistics:
    """What a search did.

    Attributes:
        rounds: How often the game was solved.
        expanded: How many leaves were expanded.
        depth: The deepest layer, in plies.
        columns: Variables of the last program that was solved,
        rows: its constraints,
        entries: and the numbers in its matrix.
        simplex: Steps of the simplex algorithm, in all programs.
        solver_seconds: What HiGHS took in all.
        unsolved: Whether the last program was given up, mostly as time was up.
        trouble: What HiGHS had to say, if it failed.
    """

    rounds: int = 0
    expanded: int = 0
    depth: int = 1
    columns: int = 0
    rows: int = 0
    entries: int = 0
    simplex: int = 0
    solver_seconds: float = 0.0
    unsolved: bool = False
    trouble: str | None = None


class Search:
    """Solves a subgame and grows it.

    Attributes:
        sequences: The subgame.
        solution: The last solution, if there was time for one.
        maxmargin: Whether the gadget in force is Maxmargin: if Resolve finds ▲ safe.
        statistics: What was done.
    """

    def __init__(self, sequences: Sequences, gadget: Gadget, growth: Growth) -> None:
        self.solution: Solution | None = None
        self.maxmargin = False
        self.statistics = Statistics()
        self.sequences = sequences
        self._gadget = gadget
        self._growth = growth
        self._places = 0
        self._nodes = 0
        for place in sequences.places():
            self._count(place)

    @property
    def nodes(self) -> int:
        """The nodes of the tree."""
        return self._nodes

    def run(self, bounds: Bounds) -> None:
        """Searches; the strategies of ▲'s infosets are then those of the last solution."""
        each, began = _EXPANSION_SECONDS, time.perf_counter()
        while self._solve(bounds):
            now = time.perf_counter()
            batch = max(_AT_LEAST, int(_SHARE * self._places))
            if bounds.deadline is not None:
                left, solving = bounds.deadline - now, now - began
                batch = min(batch, _fitting(left, each, solving, self._places))
            leaves = [] if bounds.stopped() else self._leaves(bounds)[:batch]
            began = time.perf_counter()
            expanded = self._expand(leaves, bounds)
            if expanded == 0:
                break
            now = time.perf_counter()
            each, began = (now - began) / expanded, now
        self._write()

    def value(self) -> float:
        """▲'s value of the subgame with its gadget: where ▼ gains nothing in Resolve, it exits."""
        alternate, prior = self._gadget.alternate, self._gadget.prior
        if self.solution is None:
            return float(prior @ alternate)
        values, weights = self.solution.margins + alternate, self.solution.weights
        if self.maxmargin and weights.sum() > 0.0:
            return float(np.average(values, weights=weights))
        return float(prior @ np.minimum(values, alternate))

    def gains(self, infoset: Infoset) -> Floats | None:
        """The value of each action at the root against ▼'s strategy."""
        if self.solution is None:
            return None
        losses = self.solution.losses.get(id(infoset))
        return None if losses is None else self.value() - losses

    def report(self) -> dict[str, Any]:
        """What there is to tell, as plain data."""
        statistics = asdict(self.statistics)
        return {
            "nodes": self.nodes,
            "infosets": sum(choice.depth >= 0 for choice in self.sequences.choices),
            "max_depth": statistics.pop("depth"),
            "expansions": statistics.pop("expanded"),
            "gadget": "maxmargin" if self.maxmargin else "resolve",
            "groups": len(self.sequences.groups),
            "value": self.value(),
            "lp": statistics,
        }

    def _solve(self, bounds: Bounds) -> bool:
        """Solves the tree as it is; false if that did not succeed in time."""

        def left() -> float | None:
            if bounds.deadline is None:
                return None
            least = _FIRST_SECONDS if self.solution is None else 0.0
            return max(least, bounds.deadline - time.perf_counter())

        program = Program(self.sequences, self._gadget)
        try:
            found = self._in_force(program, left)
        except SolverError as error:
            self.statistics.trouble = str(error)
            found = None
        statistics = self.statistics
        statistics.solver_seconds += program.seconds
        statistics.simplex += program.iterations
        if found is None:
            statistics.unsolved = True
            return False
        self.maxmargin, self.solution = found
        statistics.rounds += 1
        statistics.columns, statistics.rows = program.columns, program.rows
        statistics.entries = program.entries
        return True

    def _in_force(
        self, program: Program, left: Callable[[], float | None]
    ) -> tuple[bool, Solution] | None:
        """The solution under the gadget in force: Maxmargin if all margins can be kept.

        If only one of two programs is solved in time, it has to do.
        """
        resolved: Solution | None = None
        if not self.maxmargin:
            resolved = program.solve(maxmargin=False, seconds=left())
            if resolved is None:
                return None
            if self._gadget.loss(resolved.margins) > 3 * SAFE:
                return False, resolved
        widest = program.solve(maxmargin=True, seconds=left())
        if widest is not None and widest.margins.min() >= -SAFE:
            return True, widest
        if resolved is None and widest is not None:
            resolved = program.solve(maxmargin=False, seconds=left())
            if resolved is None:
                return True, widest
        return None if resolved is None else (False, resolved)

    def _leaves(self, bounds: Bounds) -> list[tuple[Place, int]]:
        """The leaves that matter in the shallowest layer that has some, the likeliest first.

        Those are the leaves to which at least one player plays: what neither plays to has no part
        in the equilibrium.
        """
        if self.solution is None:
            return []
        plans, groups = self.solution.plans, len(self.sequences.groups)
        most = max(float(self.solution.weights.max()), _UNREACHED)
        layers: dict[int, list[tuple[Place, Indices, Floats]]] = {}
        pending = [place for group in self.sequences.roots for place in group]
        while pending:
            place = pending.pop()
            ours, theirs = _plan(plans, place.ours), _plan(plans, place.theirs) / most
            if place.reach == 0.0 or max(ours, theirs) < _MATTERS:
                continue
            pending.extend(place.children.values())
            node, depth = place.node, place.depth + 1
            # Of ▲'s nodes outside of I, those that have no strategy yet stay leaves.
            blind = place.frozen and node.turn == Turn.THEIRS
            if blind or (bounds.depth is not None and depth >= bounds.depth):
                continue
            reach: Floats | float = place.reach
            one: Floats | float = ours
            two: Floats | float = theirs
            if place.fixed is not None:
                reach = place.reach * place.fixed
            elif place.choice is not None and node.turn == Turn.OURS:
                one = plans[place.choice.number]
            elif place.choice is not None:
                two = plans[place.choice.number] / most
            chance = np.maximum(one, two)
            (actions,) = np.nonzero(node.open & (chance >= _MATTERS) & (reach > 0.0))
            if len(actions):
                weights = np.broadcast_to(reach * np.maximum(one / groups, two), node.open.shape)
                layers.setdefault(depth, []).append((place, actions, weights[actions]))
        if not layers:
            return []
        layer = layers[min(layers)]
        order = np.argsort(-np.concatenate([entry[2] for entry in layer]), kind="stable")
        leaves = [(place, int(action)) for place, actions, _ in layer for action in actions]
        return [leaves[number] for number in order]

    def _expand(self, leaves: list[tuple[Place, int]], bounds: Bounds) -> int:
        """Expands leaves, and tells how many; none is left half done."""
        for number, (place, action) in enumerate(leaves):
            late = bounds.deadline is not None and time.perf_counter() > bounds.deadline
            full = bounds.nodes is not None and self._nodes >= bounds.nodes
            if late or full or bounds.stopped():
                return number
            self._growth.expand(self._growth.child(place.node, action))
            below = self.sequences.grown(place, action)
            if below is not None:
                self._count(below)
            self.statistics.expanded += 1
        return len(leaves)

    def _count(self, place: Place) -> None:
        self._places += 1
        self._nodes += len(place.node.values) + (place.depth == 0)
        self.statistics.depth = max(self.statistics.depth, place.depth + 1)

    def _write(self) -> None:
        """Gives ▲'s infosets their strategies."""
        if self.solution is None:
            return
        for choice, plan in zip(self.sequences.choices, self.solution.plans, strict=False):
            if choice.infoset is not None and choice.turn == Turn.OURS:
                choice.infoset.strategy = _behaviour(choice, plan)


def _plan(plans: list[Floats], sequence: int) -> float:
    number, action = split(sequence)
    return float(plans[number][action])


def _behaviour(choice: Choice, plan: Floats) -> Floats:
    """The probabilities of the actions; where ▲ never comes, all on what looked best at first."""
    total = float(plan.sum())
    if total > _UNREACHED:
        return plan / total
    behaviour: Floats = np.zeros(choice.size)
    behaviour[int(choice.sums.argmax())] = 1.0
    return behaviour


def _fitting(left: float, each: float, solving: float, places: int) -> int:
    """How many leaves can be expanded so that solving again still ends in time."""
    batch = int(left / each)
    while batch >= _WORTHWHILE:
        grown = (places + batch + _SMALL) / (places + _SMALL)
        again = _CAUTION * solving * grown**_EXPONENT
        if batch * each + again <= left:
            return batch
        batch = batch * 3 // 4
    return 0

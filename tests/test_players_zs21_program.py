"""The exact equilibria of ZS21, against known values, another program, and all pure strategies."""

import random

import numpy as np
import pytest

from obscuro import games, search
from obscuro.players.zs21.gadget import Gadget
from obscuro.players.zs21.program import Program, Solution
from obscuro.players.zs21.reduction import reduce
from obscuro.players.zs21.search import Bounds, Search
from obscuro.players.zs21.sequences import Sequences
from obscuro.players.zs21.tree import Floats, Infoset, Node, Turn
from zs21_trees import RandomGame, infosets, leaves, tree_of, with_children, worst

PLAIN = Gadget(np.zeros(1), np.ones(1), tie_break=1.0)
"""▼ has no choice at the root."""


def solved(root: Node) -> tuple[Sequences, Solution]:
    sequences = Sequences(1)
    sequences.add_root(0, root, 1.0)
    solution = Program(sequences, PLAIN).solve(maxmargin=False)
    assert solution is not None
    return sequences, solution


def behaviours(sequences: Sequences, solution: Solution) -> dict[int, Floats]:
    """▲'s behaviour at its infosets, uniform where its plan never comes."""
    found = {}
    for choice, plan in zip(sequences.choices, solution.plans, strict=True):
        if choice.turn == Turn.OURS and choice.infoset is not None:
            total = plan.sum()
            uniform = np.full(choice.size, 1 / choice.size)
            found[id(choice.infoset)] = plan / total if total > 1e-9 else uniform
    return found


@pytest.mark.parametrize(("name", "value"), [("kuhn_poker", -1 / 18), ("leduc_poker", -0.0856064)])
def test_known_values(name: str, value: float) -> None:
    _, solution = solved(tree_of(games.load(name)))
    assert solution.margins[0] == pytest.approx(value, abs=1e-6)


@pytest.mark.parametrize("seed", range(6))
def test_random_games_against_the_other_program(seed: int) -> None:
    game = RandomGame(seed)
    _, solution = solved(tree_of(game))
    assert solution.margins[0] == pytest.approx(search.equilibrium(game).value, abs=1e-6)


@pytest.mark.parametrize("seed", range(6))
def test_no_pure_strategy_of_the_opponent_beats_the_solution(seed: int) -> None:
    root = tree_of(RandomGame(seed, plies=3))
    sequences, solution = solved(root)
    ours = behaviours(sequences, solution)
    assert worst([(root, 1.0)], ours) == pytest.approx(solution.margins[0], abs=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_backward_induction_leaves_nothing_where_nothing_is_hidden(seed: int) -> None:
    class Open(RandomGame):
        def observe(self, state: tuple[int, ...], player: int) -> int:
            return hash(state)

    root = tree_of(Open(seed))
    sequences, solution = solved(root)

    def minimax(node: Node) -> float:
        if not node.is_expanded:
            return node.value
        values = [minimax(child) for child in node.children.values()]
        if node.turn == Turn.CHANCE:
            assert node.chance is not None
            return float(node.chance @ values)
        return max(values) if node.turn == Turn.OURS else min(values)

    assert solution.margins[0] == pytest.approx(minimax(root), abs=1e-9)
    left, decided = reduce(sequences)
    assert [choice.depth for choice in left] == [-2, -1]
    assert len(decided) == len(sequences.choices) - 2


@pytest.mark.parametrize("seed", range(4))
def test_a_tree_that_grows_is_the_same_as_one_that_is_there(seed: int) -> None:
    whole = tree_of(RandomGame(seed))
    rng = random.Random(seed)
    values: dict[int, Floats] = {}

    def guess(node: Node) -> None:
        """Replaces what comes of actions by what an evaluator might say."""
        for child in node.children.values():
            guess(child)
            if child.is_expanded:
                child.value = rng.uniform(-1, 1)
        values[id(node)] = np.array([child.value for child in node.children.values()])

    guess(whole)
    root, children = whole, dict(whole.children)
    root.values, root.children = values[id(root)], {}
    sequences = Sequences(1)
    pending = [(sequences.add_root(0, root, 1.0), children)]
    while pending:
        place, children = pending.pop(rng.randrange(len(pending)))
        for action in rng.sample(range(len(children)), len(children)):
            child = children[action]
            place.node.children[action] = child
            if child.is_expanded:
                below, child.children = dict(child.children), {}
                child.values = values[id(child)]
                grown = sequences.grown(place, action)
                assert grown is not None
                pending.append((grown, below))
            else:
                assert sequences.grown(place, action) is None
    solution = Program(sequences, PLAIN).solve(maxmargin=False)
    assert solution is not None
    expected = search.equilibrium(RandomGame(seed)).value
    assert solution.margins[0] == pytest.approx(expected, abs=1e-6)


def two_groups(alternate: tuple[float, float]) -> tuple[Sequences, Gadget, Infoset]:
    """▲ has A and B, worth +0.6 and -0.2 if ▼ is at the first J, -0.4 and +0.2 at the second."""
    sequences, infoset = Sequences(2), Infoset()
    for group, values in enumerate(([0.6, -0.2], [-0.4, 0.2])):
        node = leaves(Node(None, Turn.OURS, infoset, Infoset(), max(values)), values)
        sequences.add_root(group, node, 1.0)
    return sequences, Gadget.uniform(np.array(alternate)), infoset


def run(sequences: Sequences, gadget: Gadget) -> Search:
    """Solves without growing."""
    found = Search(sequences, gadget, None)  # type: ignore[arg-type]
    found.run(Bounds(None, None, 1, lambda: False))
    return found


def test_maxmargin_by_hand() -> None:
    # 0.8p - 0.2 = 0.2 - 0.6p at p = 2/7, where both margins are 1/35: ▲ is safe.
    sequences, gadget, infoset = two_groups((0.0, 0.0))
    found = run(sequences, gadget)
    assert found.maxmargin
    assert infoset.strategy == pytest.approx([2 / 7, 5 / 7], abs=1e-6)
    assert found.solution is not None
    assert found.solution.margins == pytest.approx([1 / 35, 1 / 35], abs=1e-6)
    # ▼ makes A and B alike: 0.6q - 0.4(1 - q) = -0.2q + 0.2(1 - q).
    weights = found.solution.weights / found.solution.weights.sum()
    assert weights == pytest.approx([3 / 7, 4 / 7], abs=1e-2)
    assert found.value() == pytest.approx(1 / 35, abs=1e-3)
    assert found.gains(infoset) == pytest.approx([1 / 35, 1 / 35], abs=1e-3)


def test_resolve_by_hand() -> None:
    # ½·[min(0, 0.8p - 0.5) + min(0, -0.1 - 0.6p)] is largest at p = 5/8, and not zero.
    sequences, gadget, infoset = two_groups((0.3, 0.3))
    found = run(sequences, gadget)
    assert not found.maxmargin
    assert infoset.strategy == pytest.approx([5 / 8, 3 / 8], abs=1e-6)
    assert found.solution is not None
    assert found.solution.margins == pytest.approx([0.0, -0.475], abs=1e-6)
    assert gadget.loss(found.solution.margins) == pytest.approx(0.2375, abs=1e-6)
    # ▼ enters at the second J only.
    assert found.value() == pytest.approx(0.5 * 0.3 + 0.5 * (0.3 - 0.475), abs=1e-6)


def test_the_gadget_follows_the_margins_in_both_directions() -> None:
    for first, then in (((0.0, 0.0), (0.3, 0.3)), ((0.3, 0.3), (0.0, 0.0))):
        one, two = two_groups(first), two_groups(then)
        found = Search(one[0], one[1], None)  # type: ignore[arg-type]
        found.run(Bounds(None, None, 1, lambda: False))
        # The same search goes on after its alternate values have changed.
        found._gadget = two[1]
        found.run(Bounds(None, None, 1, lambda: False))
        assert found.maxmargin == (then == (0.0, 0.0))
        expected = [2 / 7, 5 / 7] if found.maxmargin else [5 / 8, 3 / 8]
        assert one[2].strategy == pytest.approx(expected, abs=1e-6)


def test_ties_are_broken_by_the_other_margins() -> None:
    # At the second J nothing can be done; at the first, B is better.
    sequences, infoset = Sequences(2), Infoset()
    for group, values in enumerate(([0.1, 0.5], [-0.4, -0.4])):
        node = leaves(Node(None, Turn.OURS, infoset, Infoset(), max(values)), values)
        sequences.add_root(group, node, 1.0)
    for alternate in ((-0.5, -0.5), (0.0, 0.0)):
        found = run(sequences, Gadget.uniform(np.array(alternate)))
        assert found.maxmargin == (alternate[1] < 0)
        assert infoset.strategy == pytest.approx([0.0, 1.0], abs=1e-6)


def frozen_tree(strategy: list[float] | None) -> tuple[Sequences, Infoset, Infoset]:
    """▼ cannot tell ▲'s infoset I from another one, where ▲'s strategy is fixed.

    ▼ answers L or R, after B in ignorance of where it is.
    """
    sequences = Sequences(1)
    inside, outside, theirs = Infoset(), Infoset(), Infoset()
    outside.strategy = None if strategy is None else np.array(strategy)
    answer = theirs.next(None, "B")
    for ours, payoffs, frozen in ((inside, [1.0, -1.0], False), (outside, [-1.0, 1.0], True)):
        node = Node(None, Turn.OURS, ours, theirs, 0.25)
        reply = leaves(Node(None, Turn.THEIRS, ours.next("B", ""), answer, 0.0), payoffs)
        end = Node(None, Turn.THEIRS, ours.next("A", ""), theirs.next(None, "A"), 0.1)
        sequences.add_root(0, with_children(node, [end, reply]), 0.5, frozen=frozen)
    return sequences, inside, outside


@pytest.mark.parametrize("bluffs", [0.0, 0.4, 1.0])
def test_frozen_nodes_keep_their_strategy(bluffs: float) -> None:
    sequences, inside, outside = frozen_tree([1 - bluffs, bluffs])
    found = run(sequences, Gadget(np.zeros(1), np.ones(1)))
    assert outside.strategy == pytest.approx([1 - bluffs, bluffs])
    # ▼ answers B by R unless it is a bluff more often: ▲ plays B as often as it bluffs elsewhere.
    assert inside.strategy == pytest.approx([1 - bluffs, bluffs], abs=1e-6)
    assert found.value() == pytest.approx(0.5 * 0.1 * (1 - bluffs) * 2, abs=1e-6)
    # The choice outside is none of the program's.
    assert {id(c.infoset) for c in sequences.choices if c.turn == Turn.OURS} == {
        id(inside),
        id(None),
    }


def test_frozen_nodes_without_a_strategy_are_leaves() -> None:
    sequences, inside, outside = frozen_tree(None)
    found = run(sequences, Gadget(np.zeros(1), np.ones(1)))
    assert outside.strategy is None
    # Never B, which ▼ would answer by R.
    assert inside.strategy == pytest.approx([1.0, 0.0], abs=1e-6)
    assert found.value() == pytest.approx(0.5 * 0.25 + 0.5 * 0.1, abs=1e-6)


def test_a_program_that_is_not_solved_in_time_says_so() -> None:
    sequences = Sequences(1)
    sequences.add_root(0, tree_of(games.load("kuhn_poker")), 1.0)
    program = Program(sequences, PLAIN)
    assert program.solve(maxmargin=False, seconds=0.0) is None
    again = program.solve(maxmargin=False)
    assert again is not None
    assert again.margins[0] == pytest.approx(-1 / 18, abs=1e-6)


def test_infosets_of_the_test_are_those_of_the_tree() -> None:
    root = tree_of(games.load("kuhn_poker"))
    assert [len(infosets([root], turn)) for turn in (Turn.OURS, Turn.THEIRS)] == [6, 6]

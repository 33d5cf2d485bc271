"""Trees for the tests of ZS21's solver: of small games, and random ones."""

import random
from collections.abc import Iterator
from itertools import product

import numpy as np

from obscuro.games import CHANCE, TERMINAL
from obscuro.games.base import AnyGame
from obscuro.players.zs21.tree import Floats, Infoset, Node, Turn

_TURNS = {0: Turn.OURS, 1: Turn.THEIRS, CHANCE: Turn.CHANCE}


def tree_of(game: AnyGame) -> Node:
    """A game's whole tree; player 0 is ▲."""
    return _grown(game, game.root(), Infoset(), Infoset())


def _grown(game: AnyGame, state: object, ours: Infoset, theirs: Infoset) -> Node:
    turn = game.turn(state)
    if turn == TERMINAL:
        return Node(state, Turn.CHANCE, ours, theirs, game.payoff(state))
    node = Node(state, _TURNS[turn], ours, theirs, 0.0)
    if turn == CHANCE:
        outcomes = list(game.chance(state))
        actions = [outcome for outcome, _ in outcomes]
        node.chance = np.array([probability for _, probability in outcomes])
    else:
        actions = list(game.actions(state))
    children = []
    for action in actions:
        after = game.apply(state, action)
        children.append(
            _grown(
                game,
                after,
                ours.next(action if turn == 0 else None, game.observe(after, 0)),
                theirs.next(action if turn == 1 else None, game.observe(after, 1)),
            )
        )
    return with_children(node, children)


def with_children(node: Node, children: list[Node]) -> Node:
    """Expands a node."""
    node.actions = range(len(children))
    node.children = dict(enumerate(children))
    node.values = np.array([child.value for child in children])
    node.open = np.array([child.is_expanded for child in children])
    return node


def leaves(node: Node, values: list[float]) -> Node:
    """Expands a node into leaves with these values."""
    node.actions = range(len(values))
    node.values = np.array(values, dtype=np.float64)
    node.open = np.zeros(len(values), dtype=np.bool_)
    return node


class RandomGame:
    """Chance, then both players by turns, ▲ first, with blurred observations and random payoffs."""

    def __init__(self, seed: int, plies: int = 4) -> None:
        self._seed = seed
        self._plies = plies

    def root(self) -> tuple[int, ...]:
        return ()

    def turn(self, state: tuple[int, ...]) -> int:
        if not state:
            return CHANCE
        return TERMINAL if len(state) > self._plies else 1 - len(state) % 2

    def chance(self, state: tuple[int, ...]) -> list[tuple[int, float]]:
        return [(0, 0.5), (1, 0.3), (2, 0.2)]

    def actions(self, state: tuple[int, ...]) -> list[int]:
        return [0, 1] if len(state) % 3 else [0, 1, 2]

    def apply(self, state: tuple[int, ...], action: int) -> tuple[int, ...]:
        return (*state, action)

    def observe(self, state: tuple[int, ...], player: int) -> int:
        return random.Random(repr((self._seed, state, player))).randrange(2)

    def payoff(self, state: tuple[int, ...]) -> float:
        return random.Random(repr((self._seed, state))).uniform(-1, 1)


def infosets(roots: list[Node], turn: Turn) -> list[tuple[Infoset, int]]:
    """The infosets at which a player acts, with the numbers of actions."""
    found: dict[int, tuple[Infoset, int]] = {}
    for node in nodes(roots):
        if node.is_expanded and node.turn == turn:
            found[id(node.acting)] = node.acting, len(node.values)
    return list(found.values())


def nodes(roots: list[Node]) -> Iterator[Node]:
    """All nodes."""
    pending = list(roots)
    while pending:
        node = pending.pop()
        yield node
        pending.extend(node.children.values())


def worst(roots: list[tuple[Node, float]], ours: dict[int, Floats]) -> float:
    """▲'s value against the worst of all pure strategies of ▼, by trying each of them."""
    theirs = infosets([node for node, _ in roots], Turn.THEIRS)
    values = []
    for actions in product(*(range(size) for _, size in theirs)):
        chosen = {id(one[0]): action for one, action in zip(theirs, actions, strict=True)}
        values.append(sum(reach * _value(node, ours, chosen) for node, reach in roots))
    return min(values)


def _value(node: Node, ours: dict[int, Floats], chosen: dict[int, int]) -> float:
    if not node.is_expanded:
        return node.value

    def below(action: int) -> float:
        child = node.children.get(action)
        return float(node.values[action]) if child is None else _value(child, ours, chosen)

    if node.turn == Turn.THEIRS:
        return below(chosen[id(node.theirs)])
    probabilities = node.chance if node.turn == Turn.CHANCE else ours[id(node.ours)]
    assert probabilities is not None
    return sum(float(p) * below(action) for action, p in enumerate(probabilities) if p > 0)

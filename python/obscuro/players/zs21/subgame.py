"""1-KLSS: the subgame at a turn, made of the last tree and of positions that are added to it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from obscuro.players.zs21.gadget import Gadget
from obscuro.players.zs21.response import action_values, alternate_value, best_response
from obscuro.players.zs21.sequences import Place, Sequences
from obscuro.players.zs21.tree import Floats, Infoset, Node

Child = Callable[[Node, int], Node]
"""Gives the node that an action leads to, and makes it if it is not there yet."""


@dataclass
class Group:
    """An infoset J of ▼ at the root.

    Attributes:
        inside: Its nodes in our infoset I, with the reach of everybody but ▼.
        outside: Its other nodes, at which ▲ plays as before.
        alternate: Its alternate value, in ▲'s view.
    """

    inside: list[tuple[Node, float]] = field(default_factory=list)
    outside: list[tuple[Node, float]] = field(default_factory=list)
    alternate: float = 0.0


def sampled(node: Node, expected: float) -> Group:
    """A position that the last tree does not have: ▼ is assumed to know it.

    `expected` is v*, what ▲ expected of the game after the last search.
    """
    return Group([(node, 1.0)], alternate=min(node.value, expected))


def assemble(groups: Sequence[Group]) -> tuple[Sequences, Gadget]:
    """The subgame under a gadget that has these infosets of ▼; within one, reaches sum to one."""
    sequences = Sequences(len(groups))
    for number, group in enumerate(groups):
        total = sum(reach for _, reach in (*group.inside, *group.outside))
        for node, reach in group.inside:
            sequences.add_root(number, node, reach / total)
        for node, reach in group.outside:
            sequences.add_root(number, node, reach / total, frozen=True)
    return sequences, Gadget.uniform(np.array([group.alternate for group in groups]))


def carry(
    last: Sequences,
    plans: Sequence[Floats],
    passed: Infoset,
    target: Infoset,
    child: Child,
    most: int,
) -> list[Group]:
    """The part of the last subgame that is near our infoset I: the nodes of I².

    At its roots ▲ moved, then ▼, and it is ▲'s turn again. Nodes to which ▲ would not have
    played are left out.

    Args:
        last: The last subgame; ▲'s strategy is that of its infosets.
        plans: ▼'s strategy, by the numbers of its choices.
        passed: ▲'s infoset between the two moves.
        target: I, which follows upon it.
        child: Makes nodes.
        most: How many nodes of I are kept, the likeliest by ▼'s strategy first.
    """
    above = _after_our_move(last)
    found: list[tuple[float, Node, float, Place, int]] = []
    for parents in above.values():
        for place, reach in parents:
            if place.node.ours is not passed:
                continue
            for action in range(len(place.node.actions)):
                node = child(place.node, action)
                if node.ours is target:
                    found.append((_played(place, plans, action), node, reach, place, action))
    found.sort(key=lambda entry: -entry[0])
    groups: dict[int, Group] = {}
    ways: dict[int, tuple[int, int]] = {}
    for _, node, reach, place, action in found[:most]:
        groups.setdefault(id(node.theirs), Group()).inside.append((node, reach))
        ways[id(node.theirs)] = id(place.node.theirs), action
    mistakes: dict[int, Floats] = {}
    for key, group in groups.items():
        before, action = ways[key]
        for place, reach in above[before]:
            node = child(place.node, action)
            if id(node.theirs) == key and node.ours is not target:
                group.outside.append((node, reach))
        if before not in mistakes:
            values = action_values([(place.node, reach) for place, reach in above[before]])
            mistakes[before] = values - values.min()
        members = [*group.inside, *group.outside]
        group.alternate = alternate_value(
            best_response(members),
            float(mistakes[before][action]),
            sum(reach for _, reach in members),
        )
    return list(groups.values())


def _after_our_move(last: Sequences) -> dict[int, list[tuple[Place, float]]]:
    """What ▲'s strategy leads to, by ▼'s infosets, with the reach of everybody but ▼."""
    above: dict[int, list[tuple[Place, float]]] = {}
    for root in (root for group in last.roots for root in group):
        strategy = root.node.ours.strategy
        for action, place in root.children.items():
            reach = place.reach
            if root.choice is not None:
                reach *= 0.0 if strategy is None else float(strategy[action])
            if reach > 0.0:
                above.setdefault(id(place.node.theirs), []).append((place, reach))
    return above


def _played(place: Place, plans: Sequence[Floats], action: int) -> float:
    """How likely ▼ is to come to a place and to play an action."""
    number = -1 if place.choice is None else place.choice.number
    return float(plans[number][action]) if 0 <= number < len(plans) else 0.0

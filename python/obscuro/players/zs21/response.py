"""What ▼'s best response leaves ▲ in the last tree: alternate values and gifts."""

from collections.abc import Sequence

import numpy as np

from obscuro.players.zs21.tree import Floats, Node, Turn

Members = Sequence[tuple[Node, float]]
"""Nodes with the reach of everybody but ▼."""

# Values lie in [-1, +1]: below this a margin is as large as any other.
_LEAST = -3.0


def best_response(members: Members) -> float:
    """u*(x | J), times the reach, for nodes that ▼ cannot tell apart.

    ▲ plays the strategies of the infosets. Where one has none, its nodes are leaves.
    """
    value = 0.0
    infosets: dict[int, list[tuple[Node, float]]] = {}
    pending = list(members)
    while pending:
        node, reach = pending.pop()
        strategy = node.ours.strategy if node.turn == Turn.OURS else node.chance
        if not node.is_expanded or (strategy is None and node.turn != Turn.THEIRS):
            value += reach * node.value
        elif strategy is None or node.turn == Turn.THEIRS:
            infosets.setdefault(id(node.theirs), []).append((node, reach))
        else:
            value += reach * float(strategy @ node.values)
            for action, child in node.children.items():
                below = reach * float(strategy[action])
                if below > 0.0:
                    value -= below * float(node.values[action])
                    pending.append((child, below))
    return value + sum(float(action_values(nodes).min()) for nodes in infosets.values())


def action_values(members: Members) -> Floats:
    """u*(x | J, a), times the reach, of every action a at expanded nodes of one infoset of ▼."""
    values: Floats = np.zeros(len(members[0][0].values))
    below: dict[int, list[tuple[Node, float]]] = {}
    for node, reach in members:
        values += reach * node.values
        for action, child in node.children.items():
            if child.is_expanded:
                values[action] -= reach * float(node.values[action])
                below.setdefault(action, []).append((child, reach))
    for action, children in below.items():
        values[action] += best_response(children)
    return values


def alternate_value(value: float, gift: float, reach: float) -> float:
    """u*(x | J) less what ▼ gave away on the way to J, both told times the reach of J.

    >>> alternate_value(0.1, 0.05, 0.25)
    0.2
    """
    return max(_LEAST, (value - gift) / reach)

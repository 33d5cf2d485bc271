"""The game tree that ZS21 keeps between moves: histories, and both players' infosets."""

from collections.abc import Callable, Hashable, Sequence
from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


class Turn(IntEnum):
    """Who acts at a node: ▲, for whom is searched, ▼, the opponent, or chance."""

    OURS = 0
    THEIRS = 1
    CHANCE = 2


class Infoset:
    """What a player knows at some nodes, whoever is to move: what they did and observed.

    Below an infoset are those that follow upon one more ply, so that two nodes share an infoset if
    and only if the player has come to both by the same actions and observations.

    >>> start = Infoset()
    >>> start.next("e2e4", "what is seen") is start.next("e2e4", "what is seen")
    True
    """

    __slots__ = ("_next", "strategy")

    def __init__(self) -> None:
        self._next: dict[tuple[Hashable, Hashable], Infoset] = {}
        self.strategy: Floats | None = None
        """▲'s probabilities of the actions here, by the last search that came so far."""

    def next(self, action: Hashable, observation: Hashable) -> "Infoset":
        """The infoset after one's own action, or `None` for somebody else's, and what is seen."""
        found = self._next.get((action, observation))
        if found is None:
            found = self._next[action, observation] = Infoset()
        return found


class Node:
    """A history: a state of the game with the infosets of both players.

    Attributes:
        state: The state of the game.
        turn: Who acts; of no account at the end of the game.
        ours: ▲'s infoset.
        theirs: ▼'s.
        value: ▲'s value as a leaf: the evaluator's, or the payoff at the end of the game.
        actions: What can be done, once the node is expanded; in the same order at all nodes of an
            infoset of the player who acts.
        values: The leaf values of what the actions lead to.
        open: Which of these can be expanded further: the game goes on there.
        children: The nodes that the actions lead to, as far as they are needed.
        chance: The probabilities of the actions where chance acts.
    """

    __slots__ = (
        "actions",
        "chance",
        "children",
        "open",
        "ours",
        "state",
        "theirs",
        "turn",
        "value",
        "values",
    )

    def __init__(
        self,
        state: Any,  # noqa: ANN401
        turn: Turn,
        ours: Infoset,
        theirs: Infoset,
        value: float,
    ) -> None:
        self.state = state
        self.turn = turn
        self.ours = ours
        self.theirs = theirs
        self.value = value
        self.actions: Sequence[Any] = ()
        self.values: Floats = _NOTHING
        self.open: Flags = _NONE
        self.children: dict[int, Node] = {}
        self.chance: Floats | None = None

    @property
    def acting(self) -> Infoset:
        """The infoset of the player who acts."""
        return self.ours if self.turn == Turn.OURS else self.theirs

    @property
    def is_expanded(self) -> bool:
        """Whether its children are in the tree."""
        return len(self.actions) > 0


_NOTHING: Floats = np.zeros(0)
_NONE: Flags = np.zeros(0, dtype=np.bool_)

Grow = Callable[[Node, int], Node]
"""Makes the child to which an action leads, or finds it; it is not expanded by this."""


def count(nodes: Sequence[Node]) -> tuple[int, int]:
    """How many nodes are below these, themselves included, and in how many acting infosets.

    >>> count([Node("state", Turn.OURS, Infoset(), Infoset(), 0.0)])
    (1, 0)
    """
    total = 0
    infosets: set[int] = set()
    pending = list(nodes)
    total += len(pending)
    while pending:
        node = pending.pop()
        if node.is_expanded:
            total += len(node.values)
            if node.turn != Turn.CHANCE:
                infosets.add(id(node.acting))
            pending.extend(node.children.values())
    return total, len(infosets)

"""The sequence form of a growing tree, kept up to date as leaves are expanded."""

from collections.abc import Iterator

import numpy as np

from obscuro.players.zs21.tree import Floats, Infoset, Node, Turn

# A sequence is the number of a choice and an action in one number.
_BITS = 9
MOST_ACTIONS = 1 << _BITS
"""The actions that a choice can have at most."""

EMPTY = 0
"""▲'s sequence before any action."""


class Choice:
    """What a player can do at an infoset, or at the root: a row of sequences with payoffs.

    Attributes:
        number: The place among all choices; the sequence of an action is made of both.
        turn: Whose choice it is.
        depth: In plies below the root; the root layer is above them.
        size: The number of actions.
        above: The player's own sequence that leads here.
        blocks: Payoffs of leaves, by the sequence of the other player: of each action. A payoff
            of two sequences is kept with the one whose choice is deeper.
        sums: The leaf values of the actions as they were at first, for where nothing else is known.
        moved: These with what the reduction has moved here.
        pinned: Whether others refer to the choice, so that it cannot be reduced away.
        first: Where its variables or rows begin in the program.
    """

    __slots__ = (
        "above",
        "blocks",
        "depth",
        "first",
        "infoset",
        "moved",
        "number",
        "pinned",
        "size",
        "sums",
        "turn",
    )

    def __init__(
        self, number: int, turn: Turn, depth: int, size: int, above: int, infoset: Infoset | None
    ) -> None:
        self.number = number
        self.turn = turn
        self.depth = depth
        self.size = size
        self.above = above
        self.infoset = infoset
        self.blocks: dict[int, Floats] = {}
        self.sums: Floats = np.zeros(size)
        self.moved: dict[int, Floats] = {}
        self.pinned = False
        self.first = 0

    def sequence(self, action: int) -> int:
        """The number of the sequence of an action."""
        return self.number << _BITS | action


def split(sequence: int) -> tuple[int, int]:
    """The number of the choice and the action that a sequence ends with.

    >>> split(Choice(3, Turn.OURS, 0, 20, EMPTY, None).sequence(7))
    (3, 7)
    """
    return sequence >> _BITS, sequence & MOST_ACTIONS - 1


class Place:
    """A node as part of a sequence form.

    Attributes:
        node: The node.
        reach: The reach of chance alone, frozen actions of ▲ included.
        ours: ▲'s sequence.
        theirs: ▼'s sequence.
        depth: In plies below the root.
        frozen: Whether ▲'s strategy is fixed from here on.
        choice: The choice of the player who acts, if it is free.
        fixed: The probabilities of the actions, if it is not.
        children: The places of expanded children.
    """

    __slots__ = (
        "children",
        "choice",
        "depth",
        "fixed",
        "frozen",
        "node",
        "ours",
        "reach",
        "theirs",
    )

    def __init__(
        self, node: Node, reach: float, ours: int, theirs: int, depth: int, *, frozen: bool
    ) -> None:
        self.node = node
        self.reach = reach
        self.ours = ours
        self.theirs = theirs
        self.depth = depth
        self.frozen = frozen
        self.choice: Choice | None = None
        self.fixed: Floats | None = None
        self.children: dict[int, Place] = {}


class Sequences:
    """All sequences of both players under a root layer, and the payoffs of pairs of them.

    ▼ first picks a group of roots, whose reaches say how chance goes on; each group is a sequence
    of ▼'s. ▲'s nodes below frozen roots are as chance nodes: their strategies are those of the
    infosets, and where an infoset has none the tree ends.

    Args:
        groups: How many groups there are.
    """

    def __init__(self, groups: int) -> None:
        self.choices: list[Choice] = []
        self.roots: list[list[Place]] = [[] for _ in range(groups)]
        self._by_infoset: dict[int, Choice] = {}
        self._new_choice(Turn.OURS, -2, 1, EMPTY, None)
        self.groups = [self._new_choice(Turn.THEIRS, -1, 1, EMPTY, None) for _ in range(groups)]

    def add_root(self, group: int, node: Node, reach: float, *, frozen: bool = False) -> Place:
        """A node of a group, with all that is expanded below it."""
        theirs = self.groups[group].sequence(0)
        place = Place(node, reach, EMPTY, theirs, 0, frozen=frozen)
        self.roots[group].append(place)
        if not self._enter(place):
            self._pay(place.ours, place.theirs, reach * node.value)
        return place

    def grown(self, place: Place, action: int) -> Place | None:
        """Takes note that a child of a place is expanded now, or has turned out to be an end.

        Nothing is returned for an end, and for a node of ▲'s that is frozen and has no strategy.
        """
        node = place.node
        self._leaf(place, action, -node.values[action])
        node.open[action] = False
        child = node.children[action]
        # What an end is worth may only be known now.
        node.values[action] = child.value
        below = self._child(place, action)
        if self._enter(below):
            place.children[action] = below
            return below
        self._leaf(place, action, child.value)
        return None

    def places(self) -> Iterator[Place]:
        """All places, each before those below it."""
        pending = [place for group in self.roots for place in group]
        while pending:
            place = pending.pop()
            yield place
            pending.extend(place.children.values())

    def _enter(self, place: Place) -> bool:
        """Enters a node with all below it, unless it must be a leaf."""
        if not _can_enter(place):
            return False
        pending = [place]
        while pending:
            here = pending.pop()
            node = here.node
            here.fixed = _fixed(here)
            values = node.values
            if here.fixed is None:
                choice = here.choice = self._choice(here)
                other = here.theirs if node.turn == Turn.OURS else here.ours
                payoffs = here.reach * values
                choice.sums += payoffs
                if other in choice.blocks:
                    choice.blocks[other] += payoffs
                else:
                    choice.blocks[other] = payoffs
            else:
                self._pay(here.ours, here.theirs, here.reach * float(here.fixed @ values))
            for action in node.children:
                below = self._child(here, action)
                if below.reach > 0.0 and _can_enter(below):
                    self._leaf(here, action, -values[action])
                    here.children[action] = below
                    pending.append(below)
        return True

    def _child(self, place: Place, action: int) -> Place:
        reach, ours, theirs = place.reach, place.ours, place.theirs
        if place.fixed is not None:
            reach *= float(place.fixed[action])
        elif place.choice is not None and place.node.turn == Turn.OURS:
            ours = place.choice.sequence(action)
        elif place.choice is not None:
            theirs = place.choice.sequence(action)
        child = place.node.children[action]
        return Place(child, reach, ours, theirs, place.depth + 1, frozen=place.frozen)

    def _leaf(self, place: Place, action: int, value: float) -> None:
        """Adds to the payoff of a leaf."""
        if place.fixed is not None:
            self._pay(
                place.ours, place.theirs, place.reach * float(place.fixed[action]) * float(value)
            )
        elif place.choice is not None:
            other = place.theirs if place.node.turn == Turn.OURS else place.ours
            place.choice.blocks[other][action] += place.reach * value

    def _pay(self, ours: int, theirs: int, value: float) -> None:
        choice, action, other = self.deeper(ours, theirs)
        if other not in choice.blocks:
            choice.blocks[other] = np.zeros(choice.size)
        choice.blocks[other][action] += value

    def deeper(self, ours: int, theirs: int) -> tuple[Choice, int, int]:
        """Of two sequences the choice and action of the deeper one, and the other one."""
        (one, action), (two, reply) = split(ours), split(theirs)
        if self.choices[one].depth > self.choices[two].depth:
            return self.choices[one], action, theirs
        return self.choices[two], reply, ours

    def _choice(self, place: Place) -> Choice:
        infoset = place.node.acting
        choice = self._by_infoset.get(id(infoset))
        if choice is None:
            turn = place.node.turn
            above = place.ours if turn == Turn.OURS else place.theirs
            choice = self._new_choice(turn, place.depth, len(place.node.values), above, infoset)
            self._by_infoset[id(infoset)] = choice
        return choice

    def _new_choice(
        self, turn: Turn, depth: int, size: int, above: int, infoset: Infoset | None
    ) -> Choice:
        choice = Choice(len(self.choices), turn, depth, size, above, infoset)
        self.choices.append(choice)
        return choice


def _fixed(place: Place) -> Floats | None:
    """The probabilities of the actions at a node where nobody is free to choose."""
    node = place.node
    if node.turn == Turn.CHANCE:
        return node.chance
    if place.frozen and node.turn == Turn.OURS:
        return node.ours.strategy
    return None


def _can_enter(place: Place) -> bool:
    node = place.node
    if not node.is_expanded:
        return False
    return not (place.frozen and node.turn == Turn.OURS and node.ours.strategy is None)

"""The largest distance of all in a graph of knowledge."""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from obscuro.search import KnowledgeGraph

Distances = Callable[[list[int]], npt.NDArray[np.int64]]

_SWEEPS = 8

SMALL = 5000
"""Components of no more nodes are small: it is quicker to walk through one than through all."""


class Diameter:
    """The search for two nodes that are as far apart as any (of those that are connected).

    In each component it looks for a node in the middle. If none is farther from it than r, no two
    are farther apart than 2r; where that does not settle it, the nodes are taken from the outside
    in: two that are farther apart than 2(i-1) are not both within i-1 of the middle (iFUB,
    Crescenzi and others 2013).

    `of_small` gives the distances where the component is small, if there is a quicker way.

    Attributes:
        largest: The largest distance found so far.
        pair: Two nodes that have it.
        searches: How often distances were asked for.
    """

    def __init__(self, distances: Distances, *, of_small: Distances | None = None) -> None:
        self._large, self._small = distances, of_small or distances
        self._distances = distances
        self.largest = 0
        self.pair = (0, 0)
        self.searches = 0

    def run(
        self, components: Sequence[Sequence[int]], stopped: Callable[[], bool] = lambda: False
    ) -> bool:
        """Looks through all components; whether it came to the end."""
        for nodes in sorted(components, key=len, reverse=True):
            # So few nodes cannot be farther apart.
            if len(nodes) - 1 <= self.largest:
                break
            self._distances = self._large if len(nodes) > SMALL else self._small
            if not self._component(nodes[0], stopped):
                return False
        return True

    def _component(self, start: int, stopped: Callable[[], bool]) -> bool:
        middle, radius = self._ask(start), int(self._last.max())
        for _ in range(_SWEEPS):
            if 2 * radius <= self.largest:
                return True
            if stopped():
                return False
            one = self._ask(int(middle.argmax()))
            other = self._ask(int(one.argmax()))
            apart = int(one.max())
            between = (one == apart // 2) & (other == apart - apart // 2)
            found = self._ask(int(np.flatnonzero(between)[0]))
            if found.max() < radius:
                middle, radius = found, int(found.max())
            else:
                # Another start, away from where the sweeps go in circles.
                middle = found if found.max() == radius else middle
        for level in range(radius, 0, -1):
            for node in np.flatnonzero(middle == level):
                if 2 * level <= self.largest:
                    return True
                if stopped():
                    return False
                self._ask(int(node))
        return True

    def _ask(self, node: int) -> npt.NDArray[np.int64]:
        self._last = self._distances([node])
        self.searches += 1
        if self._last.max() > self.largest:
            self.largest = int(self._last.max())
            self.pair = (node, int(self._last.argmax()))
        return self._last


class Infosets:
    """The infosets of a graph: which histories they hold, and to which two each history belongs.

    >>> from obscuro import games
    >>> infosets = Infosets(KnowledgeGraph(games.load("kuhn_poker"), 2))
    >>> len(infosets.members), [len(nodes) for nodes in infosets.components()]
    (6, [6])
    """

    def __init__(self, graph: KnowledgeGraph) -> None:
        self.members: list[list[int]] = []
        self.of: list[list[int]] = [[] for _ in range(len(graph))]
        for player in (0, 1):
            for number in range(len(graph)):
                if len(self.of[number]) == player:
                    members = graph.infoset(player, number)
                    for member in members:
                        self.of[member].append(len(self.members))
                    self.members.append(members)

    def components(self) -> list[list[int]]:
        """The common-knowledge sets: what is connected."""
        found = []
        left = [True] * len(self.of)
        for number in range(len(self.of)):
            if left[number]:
                distances = self.walk(number)
                for node in distances:
                    left[node] = False
                found.append(list(distances))
        return found

    def walk(self, start: int) -> dict[int, int]:
        """The distances from one history to all that are connected to it, the nearest first."""
        distances = {start: 0}
        done: set[int] = set()
        layer, steps = [start], 0
        while layer:
            steps += 1
            beyond = []
            for node in layer:
                for infoset in self.of[node]:
                    if infoset not in done:
                        done.add(infoset)
                        for member in self.members[infoset]:
                            if member not in distances:
                                distances[member] = steps
                                beyond.append(member)
            layer = beyond
        return distances

    def distances(self, numbers: list[int]) -> npt.NDArray[np.int64]:
        """The distance of every history from one; -1 if it is not connected."""
        (start,) = numbers
        found = np.full(len(self.of), -1, dtype=np.int64)
        walked = self.walk(start)
        found[list(walked)] = list(walked.values())
        return found

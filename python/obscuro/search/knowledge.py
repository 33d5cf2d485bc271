"""Who knows that who knows: distances between histories (paper, appendix B.1)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from obscuro import _core
from obscuro.errors import GameError
from obscuro.games import AnyGame
from obscuro.games.check import core

MAX_HISTORIES = 20_000_000
"""The histories that are listed at most, unless told otherwise."""


@dataclass(frozen=True)
class History:
    """One way in which a game may have gone.

    Attributes:
        number: Its place in the graph.
        actions: What was done, in words.
        state: Where that leads, in words.
    """

    number: int
    actions: tuple[str, ...]
    state: str


class KnowledgeGraph:
    """All histories of one length, joined where either player cannot tell them apart.

    If the true history is in a player's infoset I, the player knows that it is in I, knows that
    the opponent knows that it is in I², and so on: the *order-k knowledge set* holds what is less
    than k steps away from I, the *common-knowledge set* all that is connected to it.

    >>> from obscuro import games
    >>> deals = KnowledgeGraph(games.load("kuhn_poker"), plies=2)
    >>> mine = deals.infoset(0, deals.find(["Deal:0", "Deal:1"]))
    >>> [deals[n].state for n in mine]
    ['0 1', '0 2']
    >>> len(deals.order(mine, 2)), len(deals.common(mine))
    (4, 6)
    """

    def __init__(self, game: AnyGame, plies: int, *, limit: int = MAX_HISTORIES) -> None:
        if plies < 0:
            raise GameError(f"plies is {plies}, expected a number from 0 on")
        self._core = _core.Histories(core(game), plies, limit)

    def __len__(self) -> int:
        return len(self._core)

    def __getitem__(self, number: int) -> History:
        actions, state = self._core.history(number)
        return History(number, tuple(actions), state)

    def find(self, actions: Sequence[str]) -> int:
        """The number of the history with these actions, in the game's words."""
        number = self._core.find(list(actions))
        if number is None:
            raise GameError(f"no history here has the actions {' '.join(actions)!r}")
        return number

    def infoset(self, player: int, number: int) -> list[int]:
        """The histories that a player cannot tell from this one, itself included."""
        return self._core.infoset(player, number)

    def distances(self, numbers: Iterable[int]) -> npt.NDArray[np.int64]:
        """The distance of every history from the nearest of some; -1 if it is not connected."""
        return self._core.distances(list(numbers))

    def order(self, infoset: Iterable[int], k: int) -> list[int]:
        """Iᵏ, the order-k knowledge set: what is less than `k` steps away."""
        distances = self.distances(infoset)
        return [int(n) for n in np.flatnonzero((distances >= 0) & (distances < k))]

    def common(self, infoset: Iterable[int]) -> list[int]:
        """I^∞, the common-knowledge set: what is connected."""
        return [int(n) for n in np.flatnonzero(self.distances(infoset) >= 0)]

    def path(self, start: int, end: int) -> list[History] | None:
        """A shortest path between two histories, both included; `None` if there is none."""
        numbers = self._core.path(start, end)
        return None if numbers is None else [self[number] for number in numbers]

    def __repr__(self) -> str:
        return f"<KnowledgeGraph of {len(self)} histories>"

"""Whole games as tables."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from obscuro import _core
from obscuro.errors import GameError
from obscuro.games.base import AnyGame
from obscuro.games.check import core
from obscuro.search.sequence_form import SequenceForm

Indices = npt.NDArray[np.uint32]

MAX_HISTORIES = 50_000_000
"""The histories of the largest game that is compiled, unless told otherwise."""
MAX_DEPTH = 1000
"""The plies of its longest play."""


@dataclass(frozen=True)
class Counts:
    """The size of a game.

    Attributes:
        histories: All histories: decisions, chance nodes and ends.
        terminals: Histories at which the game ends.
        chance_nodes: Histories at which chance moves.
        depth: Plies of the longest play, outcomes of chance included.
        infosets: Infosets at which each player moves, forced moves included.
        sequences: Sequences of each player: the empty one and, for every infoset with a choice,
            one per action.
        payoff_entries: Pairs of sequences at which the game ends.
    """

    histories: int
    terminals: int
    chance_nodes: int
    depth: int
    infosets: tuple[int, int]
    sequences: tuple[int, int]
    payoff_entries: int


@dataclass(frozen=True, eq=False)
class Infoset:
    """An infoset at which a player has a choice.

    Attributes:
        player: Whose infoset it is.
        text: Its name, which no other infoset of the player has: the end of `seen` that tells it
            from the others.
        seen: What the player saw and did, own actions as `> action`.
        actions: The actions in words, in the game's order.
        example: A state in which the player may be, all that is hidden included.
        key: The number by which the core knows the infoset, the same in every process.
        parent: The sequence that leads to it.
        sequences: The sequences of its actions.
    """

    player: int
    text: str
    seen: tuple[str, ...]
    actions: tuple[str, ...]
    example: str
    key: int
    parent: int
    sequences: Indices


class Table:
    """A whole game in sequence form, which every function of this package takes for the game.

    Building it visits each history of the game once; solving it needs the game no more. A game
    that is written in Python and small is therefore solved as fast as a native one.

    A player's *sequences* are numbered: 0 is the empty one, and each action at each infoset with a
    choice has one. A strategy is an array that has, for each sequence, the probability of its last
    action.

    >>> from obscuro import games
    >>> table = Table(games.load("kuhn_poker"))
    >>> table.counts.histories, table.counts.infosets
    (58, (6, 6))
    >>> sorted(infoset.text for infoset in table.infosets(1))
    ['0b', '0p', '1b', '1p', '2b', '2p']
    """

    def __init__(
        self, game: AnyGame, *, max_histories: int = MAX_HISTORIES, max_depth: int = MAX_DEPTH
    ) -> None:
        if max_histories < 1 or max_depth < 1:
            raise ValueError("max_histories and max_depth must be at least 1")
        self.game = game
        self._core = _core.Table(core(game), max_histories, max_depth)

    @cached_property
    def counts(self) -> Counts:
        """The size of the game."""
        histories, terminals, chance, depth, infosets, sequences, entries = self._core.counts()
        one, two = infosets
        own, other = sequences
        return Counts(histories, terminals, chance, depth, (one, two), (own, other), entries)

    @property
    def max_payoff(self) -> float:
        """The largest absolute payoff, as the game says."""
        return self._core.max_payoff()

    def infosets(self, player: int) -> Sequence[Infoset]:
        """A player's infosets with a choice, parents before children.

        The game is asked for the words the first time.
        """
        if player not in (0, 1):
            raise GameError(f"player is {player!r}, expected 0 or 1")
        return self._infosets[player]

    @cached_property
    def _infosets(self) -> tuple[tuple[Infoset, ...], tuple[Infoset, ...]]:
        return self._label(0), self._label(1)

    def _label(self, player: int) -> tuple[Infoset, ...]:
        labels = self._core.labels(player)
        keys = [int(key) for key in self._core.keys(player)]
        starts, sequences = self._core.actions(player)
        parents = self._core.parents(player)
        texts = _distinct([tuple(seen) for seen, _, _ in labels], keys)
        return tuple(
            Infoset(
                player=player,
                text=texts[i],
                seen=tuple(seen),
                actions=_numbered(actions),
                example=example,
                key=keys[i],
                parent=int(parents[i]),
                sequences=sequences[starts[i] : starts[i + 1]],
            )
            for i, (seen, actions, example) in enumerate(labels)
        )

    def sequence_form(self) -> SequenceForm:
        """The matrices of the sequence form."""
        return SequenceForm.of(self._core)

    def __repr__(self) -> str:
        return f"<Table of {self.game!r}: {self.counts.histories} histories>"


def as_table(game: "AnyGame | Table") -> Table:
    """The table of a game, or the table itself."""
    return game if isinstance(game, Table) else Table(game)


def _distinct(seen: list[tuple[str, ...]], keys: list[int]) -> list[str]:
    """A name for each: as much of its end as no other one has."""
    texts = [""] * len(seen)
    left, length = list(range(len(seen))), 1
    while left:
        by_end = defaultdict(list)
        for i in left:
            by_end[seen[i][-length:]].append(i)
        left = []
        for end, same in by_end.items():
            if len(same) == 1:
                texts[same[0]] = " / ".join(end)
            elif any(len(seen[i]) > length for i in same):
                left += same
            else:
                for i in same:
                    texts[i] = f"{' / '.join(end)} #{keys[i]:016x}"
        length += 1
    # The words may hold separators of their own.
    counts: defaultdict[str, int] = defaultdict(int)
    for text in texts:
        counts[text] += 1
    return [
        f"{text} #{key:016x}" if counts[text] > 1 else text
        for text, key in zip(texts, keys, strict=True)
    ]


def _numbered(actions: list[str]) -> tuple[str, ...]:
    """The actions' words; equal ones get numbers."""
    if len(set(actions)) == len(actions):
        return tuple(actions)
    return tuple(f"{text} #{i}" for i, text in enumerate(actions))

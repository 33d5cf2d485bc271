"""Strategies for both players of a game."""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Literal, TypeAlias

import numpy as np

from obscuro.errors import GameError, StrategyError
from obscuro.games.base import AnyGame
from obscuro.search.sequence_form import Floats
from obscuro.search.table import Infoset, Table, as_table

Profile: TypeAlias = Mapping[str, Mapping[str, float]]
"""One player's strategy in words: infoset, action, probability."""

AnyStrategy: TypeAlias = "Strategy | tuple[Profile, Profile]"
"""A strategy for both players, as an object or in words."""

Missing: TypeAlias = Literal["uniform", "refuse"]


class Strategy:
    """What both players do at every infoset.

    >>> from obscuro import games, search
    >>> table = search.Table(games.load("kuhn_poker"))
    >>> strategy = search.Strategy.uniform(table)
    >>> strategy.at(1, "2b")
    {'Pass': 0.5, 'Bet': 0.5}
    >>> one, two = strategy.to_dicts()
    >>> two["0b"] = {"Pass": 1.0}
    >>> Strategy.from_dicts(table, one, two).at(1, "0b")
    {'Pass': 1.0, 'Bet': 0.0}

    Attributes:
        table: The game.
        probabilities: For each player and each of their sequences, the probability of its last
            action; 1 for the empty sequence.
    """

    def __init__(self, table: Table, probabilities: tuple[Floats, Floats]) -> None:
        """Checks that the arrays are a strategy; if they are not, it is a `StrategyError`."""
        one, two = (np.array(numbers, dtype=np.float64) for numbers in probabilities)
        for player, numbers in enumerate((one, two)):
            if numbers.ndim != 1 or len(numbers) == 0:
                raise StrategyError(
                    f"player {player}'s probabilities have shape {numbers.shape}, "
                    f"expected ({table.counts.sequences[player]},)"
                )
            numbers[0] = 1.0
        # The core checks the rest.
        table._core.plans(one, two)
        self.table = table
        self.probabilities = (one, two)

    @classmethod
    def uniform(cls, table: Table) -> "Strategy":
        """The strategy that makes all actions equally likely, for both players."""
        one, two = table._core.uniform()
        return cls(table, (one, two))

    @classmethod
    def from_dicts(
        cls, table: Table, one: Profile, two: Profile, *, missing: Missing = "uniform"
    ) -> "Strategy":
        """A strategy from words, as `to_dicts` gives them.

        An action that is left out has probability zero. At an infoset that is left out all actions
        are equally likely, unless `missing` is `"refuse"`: then it is a `StrategyError`.
        Probabilities must sum to one within a millionth and are divided by their sum.
        """
        arrays = cls.uniform(table).probabilities
        for player, profile in enumerate((one, two)):
            infosets = table.infosets(player)
            _check_known(profile, [infoset.text for infoset in infosets], "infoset", player)
            for infoset in infosets:
                if infoset.text in profile:
                    arrays[player][infoset.sequences] = _numbers(infoset, profile[infoset.text])
                elif missing == "refuse":
                    raise StrategyError(
                        f"nothing is given for infoset {infoset.text!r} of player {player}"
                    )
        return cls(table, arrays)

    def to_dicts(self) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, float]]]:
        """Both players' strategies in words: infoset, action, probability."""
        return self._to_dict(0), self._to_dict(1)

    def _to_dict(self, player: int) -> dict[str, dict[str, float]]:
        return {i.text: self._actions(i) for i in self.table.infosets(player)}

    def at(self, player: int, infoset: str) -> dict[str, float]:
        """The probabilities of the actions at an infoset."""
        for known in self.table.infosets(player):
            if known.text == infoset:
                return self._actions(known)
        texts = [known.text for known in self.table.infosets(player)]
        raise StrategyError(_unknown(infoset, texts, "infoset", player))

    def _actions(self, infoset: Infoset) -> dict[str, float]:
        numbers = self.probabilities[infoset.player][infoset.sequences]
        return dict(zip(infoset.actions, map(float, numbers), strict=True))

    def plans(self) -> tuple[Floats, Floats]:
        """For each player and sequence, the product of the probabilities of its actions."""
        one, two = self.table._core.plans(*self.probabilities)
        return one, two

    def mixed_with(self, other: "Strategy", player: int) -> "Strategy":
        """This strategy, but `player` plays as in the other one."""
        if other.table is not self.table:
            raise StrategyError("the strategies are of different tables")
        if player not in (0, 1):
            raise GameError(f"player is {player!r}, expected 0 or 1")
        one, two = (other if p == player else self for p in (0, 1))
        return Strategy(self.table, (one.probabilities[0], two.probabilities[1]))

    def __repr__(self) -> str:
        return f"<Strategy for {self.table!r}>"


def as_strategy(game: AnyGame | Table, strategy: AnyStrategy) -> Strategy:
    """The strategy for a game; one that was made for another game is a `StrategyError`."""
    if not isinstance(strategy, Strategy):
        one, two = strategy
        return Strategy.from_dicts(as_table(game), one, two)
    if game is not strategy.table and game != strategy.table.game:
        raise StrategyError(f"the strategy is for {strategy.table!r}, not for {game!r}")
    return strategy


def _numbers(infoset: Infoset, given: Mapping[str, float]) -> Floats:
    where = f"infoset {infoset.text!r} of player {infoset.player}"
    _check_known(given, infoset.actions, f"action at {where}", None)
    numbers = np.array([given.get(action, 0.0) for action in infoset.actions], dtype=np.float64)
    total = float(numbers.sum())
    if not (np.all(numbers >= 0.0) and abs(total - 1.0) <= 1e-6):
        raise StrategyError(f"{dict(given)} at {where}: expected numbers from 0 to 1 that sum to 1")
    return np.asarray(numbers / total, dtype=np.float64)


def _check_known(
    given: Mapping[str, object], known: "list[str] | tuple[str, ...]", what: str, player: int | None
) -> None:
    names = set(known)
    for name in given:
        if name not in names:
            raise StrategyError(_unknown(name, list(known), what, player))


def _unknown(name: str, known: list[str], what: str, player: int | None) -> str:
    whose = "" if player is None else f" of player {player}"
    near = get_close_matches(str(name), known, n=1, cutoff=0.0)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return f"there is no {what}{whose} {name!r}{hint}"

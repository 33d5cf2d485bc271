"""Exact answers about strategies: expected value, best response, exploitability."""

from dataclasses import dataclass

from obscuro.errors import GameError
from obscuro.games.base import AnyGame
from obscuro.search.strategy import AnyStrategy, Strategy, as_strategy
from obscuro.search.table import Table


@dataclass(frozen=True)
class Exploitability:
    """How far a strategy is from equilibrium, in the game's units.

    Attributes:
        value: What player 0 gets if both play it.
        best_responses: What each player would get with a best response to the other.
    """

    value: float
    best_responses: tuple[float, float]

    @property
    def gains(self) -> tuple[float, float]:
        """What each player would gain by a best response."""
        return self.best_responses[0] - self.value, self.best_responses[1] + self.value

    @property
    def nash_conv(self) -> float:
        """The sum of the gains."""
        return sum(self.best_responses)

    @property
    def mean(self) -> float:
        """The mean of the gains: what OpenSpiel calls exploitability, and so do we."""
        return self.nash_conv / 2


@dataclass(frozen=True)
class BestResponse:
    """A best response.

    Attributes:
        player: Who responds.
        value: What it gets that player.
        strategy: The response, and the other player's strategy as it was.
    """

    player: int
    value: float
    strategy: Strategy


def expected_value(game: AnyGame | Table, strategy: AnyStrategy) -> float:
    """What player 0 gets if both players play the strategy.

    >>> from obscuro import games, search
    >>> table = search.Table(games.load("kuhn_poker"))
    >>> round(search.expected_value(table, search.Strategy.uniform(table)), 12)
    0.125
    """
    strategy = as_strategy(game, strategy)
    return strategy.table._core.expected_value(*strategy.probabilities)


def exploitability(game: AnyGame | Table, strategy: AnyStrategy) -> Exploitability:
    """How much both players could gain against a strategy, exactly.

    >>> from obscuro import games, search
    >>> table = search.Table(games.load("kuhn_poker"))
    >>> found = search.exploitability(table, search.Strategy.uniform(table))
    >>> round(found.mean, 6), round(found.best_responses[0], 6)
    (0.458333, 0.5)

    A strategy may be given in words; infosets that are left out are played uniformly.

    >>> always_bet = {"0": {"Bet": 1.0}, "1": {"Bet": 1.0}, "2": {"Bet": 1.0}}
    >>> round(search.exploitability(table, (always_bet, {})).value, 6)
    0.5
    """
    strategy = as_strategy(game, strategy)
    value, one, two = strategy.table._core.exploitability(*strategy.probabilities)
    return Exploitability(value, (one, two))


def best_response(game: AnyGame | Table, strategy: AnyStrategy, player: int) -> BestResponse:
    """The best that a player can do against the other one's part of a strategy.

    >>> from obscuro import games, search
    >>> table = search.Table(games.load("kuhn_poker"))
    >>> response = search.best_response(table, search.Strategy.uniform(table), 0)
    >>> response.value, response.strategy.at(0, "2pb")
    (0.5, {'Pass': 0.0, 'Bet': 1.0})
    """
    if player not in (0, 1):
        raise GameError(f"player is {player!r}, expected 0 or 1")
    strategy = as_strategy(game, strategy)
    table = strategy.table
    value, numbers = table._core.best_response(player, *strategy.probabilities)
    one, two = strategy.probabilities
    response = Strategy(table, (numbers, two) if player == 0 else (one, numbers))
    return BestResponse(player, value, response)

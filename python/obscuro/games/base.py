"""What a game is: the interface of native games and of games written in Python."""

from collections.abc import Hashable, Iterable
from typing import Any, Final, Protocol, TypeVar

CHANCE: Final = -1
"""What `Game.turn` gives where chance moves, as in OpenSpiel."""
TERMINAL: Final = -4
"""What `Game.turn` gives where the game is over, as in OpenSpiel."""

State = TypeVar("State", bound=Hashable)
Action = TypeVar("Action", bound=Hashable)
Observation = TypeVar("Observation", bound=Hashable, covariant=True)


class Game(Protocol[State, Action, Observation]):
    """A two-player zero-sum game with chance and hidden information.

    A *state* says all that matters for the rest of the game. After **every** ply, chance's
    included, and at the root, both players receive an observation of the new state; an infoset is
    the sequence of a player's own actions and observations. What a player has observed must
    determine whether it is their turn and, if it is, their actions and the order of these.

    States, actions and observations are values: `None`, numbers, strings, bytes, enums, and
    tuples, frozensets and frozen dataclasses of such. They are compared by value. An object of
    another class counts as its type and its `repr`, which must say all of it and be the same in
    every process.

    A game may have more methods than the seven below:

    - `max_payoff`, a number or a method: the largest absolute payoff, 1 if it is missing;
    - `is_silent(observation)`: whether an observation after a ply of chance or of the opponent is
      *no news*. The ply then does not happen for the player: phantom tic-tac-toe does not tell how
      often the opponent has failed. It may be neither an observation of a player to move nor one
      of a game that is over;
    - `action_text(state, action)`, `observation_text(observation)` and `state_text(state)`: words
      for tables and messages, where the values themselves do not say enough.

    `obscuro.games.check_game` tests a game against all of this.
    """

    def root(self) -> State:
        """The state at the start."""
        ...

    def turn(self, state: State, /) -> int:
        """Whose turn it is: 0, 1, `CHANCE` or `TERMINAL`."""
        ...

    def actions(self, state: State, /) -> Iterable[Action]:
        """What the player to move can do."""
        ...

    def chance(self, state: State, /) -> Iterable[tuple[Action, float]]:
        """The outcomes of chance with their probabilities, which sum to one."""
        ...

    def apply(self, state: State, action: Action, /) -> State:
        """The state after an action or an outcome of chance."""
        ...

    def observe(self, state: State, player: int, /) -> Observation:
        """What player 0 or 1 is told on arriving at a state."""
        ...

    def payoff(self, state: State, /) -> float:
        """What player 0 gets, and player 1 pays, at the end."""
        ...


AnyGame = Game[Any, Any, Any]
"""A game whose states, actions and observations are of any type."""

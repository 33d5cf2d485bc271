"""The games that are built in."""

from obscuro import _core

GameState = _core.GameState
GameObservation = _core.GameObservation


class NativeGame:
    """A game of the native core, with the methods of every `Game`.

    Actions are OpenSpiel's numbers for them; `action_text` says what they are.

    >>> from obscuro import games
    >>> game = games.load("kuhn_poker")
    >>> state = game.root()
    >>> for card in (2, 0):
    ...     state = game.apply(state, card)
    >>> [game.action_text(state, action) for action in game.actions(state)]
    ['Pass', 'Bet']
    >>> print(state)
    2 0
    """

    def __init__(self, core: _core.Game) -> None:
        self._core = core

    @property
    def name(self) -> str:
        """The name with which the game was loaded."""
        return self._core.name()

    def root(self) -> GameState:
        """The state at the start."""
        return self._core.root()

    def turn(self, state: GameState, /) -> int:
        """Whose turn it is: 0, 1, `CHANCE` or `TERMINAL`."""
        return self._core.turn(state)

    def actions(self, state: GameState, /) -> list[int]:
        """What the player to move can do; nothing at other states."""
        if self._core.turn(state) < 0:
            return []
        return [number for number, _, _ in self._core.choices(state)]

    def chance(self, state: GameState, /) -> list[tuple[int, float]]:
        """The outcomes of chance with their probabilities; nothing at other states."""
        if self._core.turn(state) >= 0:
            return []
        return [(number, probability) for number, probability, _ in self._core.choices(state)]

    def apply(self, state: GameState, action: int, /) -> GameState:
        """The state after an action; one that is not legal is a `GameError`."""
        return self._core.apply(state, action)

    def observe(self, state: GameState, player: int, /) -> GameObservation:
        """What player 0 or 1 is told on arriving at a state."""
        return self._core.observe(state, player)

    def payoff(self, state: GameState, /) -> float:
        """What player 0 gets at the end; earlier it is a `GameError`."""
        return self._core.payoff(state)

    def is_silent(self, observation: GameObservation, /) -> bool:
        """Whether an observation after somebody else's ply is no news."""
        return self._core.is_silent(observation)

    def max_payoff(self) -> float:
        """The largest absolute payoff."""
        return self._core.max_payoff()

    def action_text(self, state: GameState, action: int, /) -> str:
        """An action, or an outcome of chance, in words."""
        texts = {number: text for number, _, text in self._core.choices(state)}
        return texts[action] if action in texts else str(action)

    def observation_text(self, observation: GameObservation, /) -> str:
        """An observation in words."""
        return str(observation)

    def state_text(self, state: GameState, /) -> str:
        """A state in words, all that is hidden included."""
        return str(state)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NativeGame) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"<NativeGame {self.name}>"


def fow_chess(fen: str | None = None, *, plies: int | None = None) -> NativeGame:
    """Fog of War chess from a position that both players know, as a game for the search.

    With `plies`, the game is drawn after so many; without, it is far too large to be solved whole.
    Repetition and the fifty-move rule are the referee's business and do not exist here. The rules
    are this package's, not those of OpenSpiel's `dark_chess`, hence the name.

    >>> game = fow_chess("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", plies=2)
    >>> game.action_text(game.root(), game.actions(game.root())[0])
    'Kd1'
    """
    if plies is not None and plies < 1:
        raise ValueError(f"plies must be at least 1, not {plies}")
    board = _core.FowBoard(fen)
    given = [] if fen is None else [f"fen={board.fen()}"]
    given += [] if plies is None else [f"plies={plies}"]
    name = f"fow_chess({','.join(given)})" if given else "fow_chess"
    return NativeGame(_core.Game.fow_chess(name, board, plies))

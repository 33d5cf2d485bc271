"""Random playouts of any game: whether it keeps the rules, and how it looks."""

from obscuro import _core
from obscuro.games.base import AnyGame
from obscuro.games.native import NativeGame


def core(game: AnyGame) -> _core.Game:
    """The game as the native core runs it."""
    return game._core if isinstance(game, NativeGame) else _core.Game.wrap(game)


def check_game(game: AnyGame, *, playouts: int = 1000, seed: int = 0) -> None:
    """Plays a game at random and checks every rule of `Game` on the way.

    A broken rule is a `ContractError` that says what was found, with the playout that shows it
    (player 0 is called One there, player 1 Two). An exception of the game comes through as it is.
    What one playout cannot show may stay hidden: the more playouts, the more infosets are met
    again.

    >>> from obscuro import games
    >>> games.check_game(games.load("leduc_poker"))
    """
    if playouts < 1:
        raise ValueError(f"playouts must be at least 1, not {playouts}")
    core(game).check(playouts, seed)


def playthrough(game: AnyGame, *, seed: int = 0) -> str:
    """One random game in words: the states, what both players see, and what was done.

    >>> from obscuro import games
    >>> print(games.playthrough(games.load("kuhn_poker"), seed=1).splitlines()[-1])
    payoff ...
    """
    return core(game).playthrough(seed)

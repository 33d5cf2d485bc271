"""Games of hidden information: native ones, OpenSpiel's, and your own.

>>> from obscuro import games
>>> game = games.load("kuhn_poker")
>>> games.check_game(game)
>>> [game.action_text(game.root(), card) for card, _ in game.chance(game.root())]
['Deal:0', 'Deal:1', 'Deal:2']
"""

from obscuro.games.base import CHANCE, TERMINAL, AnyGame, Game
from obscuro.games.check import check_game, playthrough
from obscuro.games.native import GameObservation, GameState, NativeGame, fow_chess
from obscuro.games.openspiel import OpenSpielGame, from_openspiel
from obscuro.games.registry import find, load, names

__all__ = [
    "CHANCE",
    "TERMINAL",
    "AnyGame",
    "Game",
    "GameObservation",
    "GameState",
    "NativeGame",
    "OpenSpielGame",
    "check_game",
    "find",
    "fow_chess",
    "from_openspiel",
    "load",
    "names",
    "playthrough",
]

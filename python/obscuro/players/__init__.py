"""Players, and what a player is."""

from obscuro.players.base import Clock, Decision, Limits, Player, Result
from obscuro.players.greedy import GreedyPlayer
from obscuro.players.obscuro import ObscuroPlayer
from obscuro.players.pimc import PimcPlayer
from obscuro.players.random import RandomPlayer
from obscuro.players.registry import make, names
from obscuro.players.settings import EngineSettings
from obscuro.players.uci import UciPlayer

__all__ = [
    "Clock",
    "Decision",
    "EngineSettings",
    "GreedyPlayer",
    "Limits",
    "ObscuroPlayer",
    "PimcPlayer",
    "Player",
    "RandomPlayer",
    "Result",
    "UciPlayer",
    "make",
    "names",
]

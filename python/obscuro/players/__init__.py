"""Players, and what a player is."""

from obscuro.players.base import Clock, Decision, Limits, Player, Result
from obscuro.players.obscuro import ObscuroPlayer
from obscuro.players.random import RandomPlayer
from obscuro.players.registry import make, names
from obscuro.players.settings import EngineSettings

__all__ = [
    "Clock",
    "Decision",
    "EngineSettings",
    "Limits",
    "ObscuroPlayer",
    "Player",
    "RandomPlayer",
    "Result",
    "make",
    "names",
]

"""Players, and what a player is."""

from obscuro.players.base import Decision, Limits, Player, Result
from obscuro.players.random import RandomPlayer
from obscuro.players.searching import SearchingPlayer

__all__ = ["Decision", "Limits", "Player", "RandomPlayer", "Result", "SearchingPlayer"]

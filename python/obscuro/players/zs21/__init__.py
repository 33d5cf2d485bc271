"""The prior state of the art of Fog of War chess, as the paper describes it."""

from obscuro.players.zs21.player import Zs21Player
from obscuro.players.zs21.settings import Zs21Settings

__all__ = ["Zs21Player", "Zs21Settings"]

"""Players, and what a player is.

Each is loaded when it is first asked for: who needs one kind of player waits for no other.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from obscuro.players.base import Clock, Decision, Limits, Player, Result
    from obscuro.players.greedy import GreedyPlayer
    from obscuro.players.obscuro import ObscuroPlayer
    from obscuro.players.pimc import PimcPlayer
    from obscuro.players.random import RandomPlayer
    from obscuro.players.registry import make, names
    from obscuro.players.settings import EngineSettings
    from obscuro.players.uci import UciPlayer
    from obscuro.players.zs21 import Zs21Player, Zs21Settings

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
    "Zs21Player",
    "Zs21Settings",
    "make",
    "names",
]

_PLACES = {
    "Clock": "base",
    "Decision": "base",
    "EngineSettings": "settings",
    "GreedyPlayer": "greedy",
    "Limits": "base",
    "ObscuroPlayer": "obscuro",
    "PimcPlayer": "pimc",
    "Player": "base",
    "RandomPlayer": "random",
    "Result": "base",
    "UciPlayer": "uci",
    "Zs21Player": "zs21",
    "Zs21Settings": "zs21",
    "make": "registry",
    "names": "registry",
}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:  # noqa: ANN401
        if name not in _PLACES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)

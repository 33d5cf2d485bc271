"""Leaf values of Fog of War chess: what a position is worth to who sees all of it.

>>> from obscuro import fow
>>> values = children(fow.Board("4k3/8/8/3n4/4P3/8/8/4K3 w - - 0 1"), "simple")
>>> max(values, key=values.get).uci()
'e4d5'
"""

from obscuro.eval.calibration import ScaleFit, advantages, fit_scale
from obscuro.eval.evaluator import (
    DEFAULT_DEPTH,
    DEFAULT_SCALE,
    Evaluator,
    Statics,
    children,
    squash,
)
from obscuro.eval.network import UNITS_PER_PAWN, Network, default_network_file

__all__ = [
    "DEFAULT_DEPTH",
    "DEFAULT_SCALE",
    "UNITS_PER_PAWN",
    "Evaluator",
    "Network",
    "ScaleFit",
    "Statics",
    "advantages",
    "children",
    "default_network_file",
    "fit_scale",
    "squash",
]

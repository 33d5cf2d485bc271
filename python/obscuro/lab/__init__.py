"""The laboratory: every number of the paper by a command, ours beside the paper's.

`run` runs an experiment by its name, `EXPERIMENTS` has them all; on the command line it is
`obscuro lab`.

>>> from obscuro import lab
>>> list(lab.EXPERIMENTS)[:2]
['ablation-purification', 'ablation-kluss']
"""

from obscuro.lab.catalogue import EXPERIMENTS, Experiment, find, run
from obscuro.lab.options import Bench, Options
from obscuro.lab.result import Figure, Grid, Result, Text

__all__ = [
    "EXPERIMENTS",
    "Bench",
    "Experiment",
    "Figure",
    "Grid",
    "Options",
    "Result",
    "Text",
    "find",
    "run",
]

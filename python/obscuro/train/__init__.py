"""Networks for Fog of War chess: positions, labels, training, export.

    obscuro train generate data --positions 8000000 --seed 1 --teacher stockfish.nnue
    obscuro train label data --teacher stockfish.nnue
    obscuro train fit data run --passes 3
    obscuro train export data run my.nnue
    obscuro train report data my.nnue --teacher stockfish.nnue

Everything is drawn from seeds, and every step goes on where it was interrupted. Only `fit` and
`export` need PyTorch. `docs/training.md` tells what is in the files.

>>> import tempfile
>>> from pathlib import Path
>>> with tempfile.TemporaryDirectory() as name:
...     made = generate_positions(Order(Path(name), positions=50, shard=25))
...     labelled = label_positions(Path(name), Teacher.find("simple"))
...     headers, records = read_labelled(Path(name))
>>> made, labelled, [header.count for header in headers]
(2, 2, [25, 25])
"""

from obscuro.train.data import RECORD, Header, read, read_folder, write
from obscuro.train.export import Check
from obscuro.train.export import export as export_network
from obscuro.train.fit import Look, Settings, read_labelled
from obscuro.train.fit import fit as fit_network
from obscuro.train.generate import Order, Recipe
from obscuro.train.generate import generate as generate_positions
from obscuro.train.label import label as label_positions
from obscuro.train.quantise import Integers
from obscuro.train.quantise import quantise as quantise_network
from obscuro.train.report import Report
from obscuro.train.report import report as report_agreement
from obscuro.train.spread import Spread
from obscuro.train.teacher import Teacher

__all__ = [
    "RECORD",
    "Check",
    "Header",
    "Integers",
    "Look",
    "Order",
    "Recipe",
    "Report",
    "Settings",
    "Spread",
    "Teacher",
    "export_network",
    "fit_network",
    "generate_positions",
    "label_positions",
    "quantise_network",
    "read",
    "read_folder",
    "read_labelled",
    "report_agreement",
    "write",
]

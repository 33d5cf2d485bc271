"""Positions of games of simple players, in files that are made one by one."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from obscuro import __version__, _core
from obscuro.errors import TrainingError
from obscuro.train import data
from obscuro.train.spread import HERE, Spread
from obscuro.train.teacher import BY_SIMPLE, Teacher

SHARD = 100_000
"""Records of a file."""


@dataclass(frozen=True)
class Recipe:
    """How games are played, and what is kept of them; see `docs/training.md`.

    >>> Recipe(keep=1.0, wander=0).keep
    1.0
    """

    random: float = 0.05
    """The share of players who move at random or take what they can."""
    material: float = 0.75
    """The share of players who look one move ahead and count material."""
    simple: float = 0.1
    """The share of those who do with the simple evaluation; the others do with the teacher."""
    thinned: float = 0.1
    """The share of games that begin with pieces missing."""
    keep: float = 0.6
    """The chance that a position of a game is kept."""
    wander: int = 5
    """How many positions one to three moves off each position of a game are kept."""
    mutated: float = 0.6
    """The share of these in which pieces are taken away or put elsewhere."""
    most_plies: int = 300
    """After so many plies a game is a draw."""


@dataclass(frozen=True)
class Order:
    """The positions that are wanted: the same order gives the same files."""

    folder: Path
    positions: int
    seed: int = 0
    recipe: Recipe = Recipe()
    teacher: Teacher = BY_SIMPLE
    shard: int = SHARD

    def shards(self) -> int:
        """How many files that is."""
        return -(-self.positions // self.shard)

    def header(self, shard: int) -> data.Header:
        """The header of a file as it is before there are labels."""
        return data.Header(
            count=min(self.shard, self.positions - shard * self.shard),
            seed=self.seed,
            shard=shard,
            recipe=asdict(self.recipe),
            guide=self.teacher.identity()["sha256"],
            made={"obscuro": __version__},
        )


def shard_seed(seed: int, shard: int) -> int:
    """The seed of one file: it depends on both numbers, and on nothing else.

    >>> shard_seed(1, 2) == shard_seed(1, 2) != shard_seed(2, 1)
    True
    """
    digest = hashlib.sha256(f"{seed}/{shard}".encode()).digest()
    return int.from_bytes(digest[:8], "little")


def generate(
    order: Order,
    spread: Spread = HERE,
    progress: Callable[[int], None] = lambda records: None,
) -> int:
    """Makes the files that are not there yet, and returns how many it made.

    A file that is there and belongs to another order is an error; nothing is overwritten.
    `progress` is told how many records each file has, those found included.
    """
    if order.positions < 1 or order.shard < 1:
        raise TrainingError(
            f"there must be at least one position in a file, found {order.positions} in files of "
            f"{order.shard}"
        )
    order.folder.mkdir(parents=True, exist_ok=True)
    missing = []
    for shard in range(order.shards()):
        path = data.shard_path(order.folder, shard)
        if path.exists():
            _check_same(path, order.header(shard))
            progress(order.header(shard).count)
        else:
            missing.append((order, shard))
    made = 0
    for count in spread.run(_make, missing):
        progress(count)
        made += 1
    return made


def _make(task: tuple[Order, int]) -> int:
    order, shard = task
    header = order.header(shard)
    recipe: Mapping[str, Any] = header.recipe
    seed = shard_seed(order.seed, shard)
    rows = _core.generate_records(header.count, seed, order.teacher.network(), **recipe)
    data.write(data.shard_path(order.folder, shard), header, data.from_bytes(rows))
    return header.count


def _check_same(path: Path, wanted: data.Header) -> None:
    found = data.read_header(path)
    for name in ("count", "seed", "shard", "recipe", "guide"):
        ours, theirs = getattr(wanted, name), getattr(found, name)
        if ours != theirs:
            raise TrainingError(
                f"{path}: made with {name} {theirs}, expected {ours}: use another folder"
            )

"""Who says what a position is worth."""

import functools
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from obscuro import _core
from obscuro.errors import TrainingError

SIMPLE = "simple"
UNITS_PER_PAWN = 361.0
"""Of a network, ours included."""
SIMPLE_UNITS_PER_PAWN = 100.0


@dataclass(frozen=True)
class Teacher:
    """A network in a file, or the simple evaluation where there is none.

    >>> Teacher(None).identity()["name"]
    'simple'
    """

    path: Path | None

    @staticmethod
    def find(text: str) -> "Teacher":
        """The teacher of that name: `simple`, or a network's file."""
        if text == SIMPLE:
            return Teacher(None)
        path = Path(text)
        if not path.is_file():
            raise TrainingError(
                f"no teacher {text!r}: expected {SIMPLE!r} or the file of a network (Stockfish "
                "15.1 writes its own with 'export_net FILE')"
            )
        return Teacher(path)

    def network(self) -> _core.Network | None:
        """The network, read once in a process."""
        return None if self.path is None else _network(self.path)

    def identity(self) -> Mapping[str, Any]:
        """What tells this teacher from others."""
        if self.path is None:
            return {"name": SIMPLE, "sha256": None, "unitsPerPawn": SIMPLE_UNITS_PER_PAWN}
        network = _network(self.path)
        return {
            "name": network.description(),
            "sha256": _digest(self.path),
            "unitsPerPawn": UNITS_PER_PAWN,
        }


BY_SIMPLE = Teacher(None)
"""The simple evaluation."""


@functools.lru_cache(maxsize=2)
def _network(path: Path) -> _core.Network:
    return _core.Network(path)


@functools.lru_cache(maxsize=2)
def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()

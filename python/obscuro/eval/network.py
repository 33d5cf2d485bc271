"""Networks, read from files."""

import os
from functools import lru_cache
from pathlib import Path

from obscuro import _core
from obscuro.errors import NetworkError
from obscuro.fow import Board

UNITS_PER_PAWN = 361
"""So many units of a network's output are called a pawn."""

_DEFAULT = Path(__file__).parents[1] / "data" / "default.nnue"


def default_network_file() -> Path:
    """The network that comes with the package.

    >>> default_network_file().name
    'default.nnue'
    """
    return _DEFAULT


class Network:
    """A network: the package's own, or one that Stockfish 15.1 exports.

    It does not change, and may be used by many evaluators and threads at the same time. A file is
    read once for the whole process, as long as it stays as it is.
    """

    def __init__(self, core: _core.Network, path: Path) -> None:
        self._core = core
        self.path = path
        """The file that it was read from."""

    @staticmethod
    def open(path: str | os.PathLike[str]) -> "Network":
        """Reads a network; a file that is none is a `NetworkError`.

        >>> Network.open("no/such/file.nnue")
        Traceback (most recent call last):
        obscuro.errors.NetworkError: cannot read the network no/such/file.nnue: No such file ...
        """
        path = Path(path)
        try:
            state = path.stat()
        except (OSError, ValueError):
            # The core says what is wrong with it.
            return Network(_core.Network(path), path)
        return Network(_read(path.absolute(), state.st_mtime_ns, state.st_size), path)

    @staticmethod
    def default() -> "Network":
        """The network that comes with the package."""
        path = default_network_file()
        if not path.is_file():
            raise NetworkError(
                f"this installation has no network of its own: expected the file {path.name} in "
                f"the folder {path.parent.name} of the package; name the file of another network, "
                'or use "simple"'
            )
        return Network.open(path)

    @property
    def description(self) -> str:
        """What its maker wrote into it."""
        return self._core.description()

    @property
    def width(self) -> int:
        """The sums in each of its halves: 256 of the package's own, 1024 of Stockfish's."""
        return self._core.width()

    @property
    def king_buckets(self) -> int:
        """How many groups of the own king's squares it tells apart."""
        return self._core.king_buckets()

    def static(self, board: Board) -> float:
        """What it says of a position itself, in pawns for the side to move."""
        material, positional = self._core.parts(board._core)
        # Towards zero, as the core divides.
        return int((material + positional) / 16) / UNITS_PER_PAWN

    def __repr__(self) -> str:
        return f"<Network {self.path.name}: {self.king_buckets} king buckets, {self.width} sums>"


@lru_cache(maxsize=4)
def _read(path: Path, changed_ns: int, size: int) -> _core.Network:
    """A network by its file; another time or size of the file is another network."""
    return _core.Network(path)

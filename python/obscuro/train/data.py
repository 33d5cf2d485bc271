"""The files that hold positions with their labels.

A file is `OBSCPOS1`, the length of a header (u32), the header (one line of JSON, padded with
spaces so that the records begin at a multiple of 40), and the records, 40 bytes each; all numbers
are little endian. The records of a folder's files, in the order of their names, are its data.
"""

import json
import os
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from obscuro.errors import TrainingError

MAGIC = b"OBSCPOS1"
SUFFIX = ".positions"

RECORD = np.dtype(
    [
        ("position", "<u8", 4),
        ("static", "<i2"),
        ("score", "<i2"),
        ("ply", "<u2"),
        ("outcome", "i1"),
        ("source", "u1"),
    ]
)
"""A record: see `docs/training.md` for what its fields say."""

NONE = -(2**15)
"""The label of a position that has none yet."""

DECIDED = 2**15 - 1
"""The score of a position that is won; its negative is that of a lost one."""

Records = npt.NDArray[Any]


@dataclass(frozen=True)
class Header:
    """What a file says of its records.

    >>> header = Header(count=3, seed=7, shard=0, recipe={"keep": 0.5})
    >>> header.teacher is None
    True
    """

    count: int
    """How many records there are."""
    seed: int
    """The seed of the whole folder."""
    shard: int
    """Which part of it this is."""
    recipe: Mapping[str, Any]
    """How the games were played."""
    guide: str | None = None
    """The SHA-256 of the network that guided the players."""
    teacher: Mapping[str, Any] | None = None
    """Who gave the labels: a name, a SHA-256, and the units of score to a pawn."""
    crc32: int = 0
    """Of all records."""
    made: Mapping[str, str] = field(default_factory=dict)
    """The version that made it."""


def write(path: Path, header: Header, records: Records) -> Header:
    """Writes a file, whole or not at all, and returns its header with count and checksum."""
    content = np.ascontiguousarray(records).tobytes()
    header = Header(
        **{**asdict(header), "count": len(content) // RECORD.itemsize, "crc32": zlib.crc32(content)}
    )
    text = json.dumps(asdict(header)).encode()
    # One byte at least, the end of the line.
    pad = -(len(MAGIC) + 4 + len(text) + 1) % RECORD.itemsize
    text += b" " * pad + b"\n"
    part = path.with_suffix(f"{path.suffix}.part{os.getpid()}")
    with part.open("wb") as file:
        file.write(MAGIC + len(text).to_bytes(4, "little") + text + content)
    part.replace(path)
    return header


def read_header(path: Path) -> Header:
    """The header of a file, which is long enough for all its records."""
    header, _ = _begin(path)
    return header


def read(path: Path) -> tuple[Header, Records]:
    """A whole file, checked."""
    header, start = _begin(path)
    records = np.fromfile(path, RECORD, header.count, offset=start)
    if zlib.crc32(records.tobytes()) != header.crc32:
        raise TrainingError(f"{path}: the records are damaged: their checksum is another one")
    return header, records


def _begin(path: Path) -> tuple[Header, int]:
    try:
        with path.open("rb") as file:
            start = file.read(len(MAGIC) + 4)
            if start[: len(MAGIC)] != MAGIC or len(start) < len(MAGIC) + 4:
                raise TrainingError(
                    f"{path}: not a file of positions: it begins with {start[:8]!r}, "
                    f"expected {MAGIC!r}"
                )
            text = file.read(int.from_bytes(start[len(MAGIC) :], "little"))
        header = Header(**json.loads(text))
    except OSError as error:
        raise TrainingError(f"{path}: cannot be read: {error.strerror}") from error
    except (ValueError, TypeError) as error:
        if isinstance(error, TrainingError):
            raise
        raise TrainingError(f"{path}: the header cannot be understood: {error}") from error
    start_of_records = len(MAGIC) + 4 + len(text)
    expected = start_of_records + header.count * RECORD.itemsize
    if path.stat().st_size != expected:
        raise TrainingError(
            f"{path}: {path.stat().st_size:,} bytes, expected {expected:,} for {header.count:,} "
            "records"
        )
    return header, start_of_records


def shard_path(folder: Path, shard: int) -> Path:
    """Where a part of a folder's data is.

    >>> shard_path(Path("data"), 12).name
    'shard-00012.positions'
    """
    return folder / f"shard-{shard:05}{SUFFIX}"


def shard_paths(folder: Path) -> list[Path]:
    """The files of a folder in their order; there is at least one."""
    paths = sorted(folder.glob(f"*{SUFFIX}"))
    if not paths:
        raise TrainingError(f"{folder}: no files of positions here ({SUFFIX})")
    return paths


def read_folder(folder: Path) -> tuple[list[Header], Records]:
    """All data of a folder: 40 MB of memory for a million positions."""
    parts = [read(path) for path in shard_paths(folder)]
    return [header for header, _ in parts], np.concatenate([records for _, records in parts])


def as_bytes(records: Records) -> npt.NDArray[np.uint8]:
    """Records as rows of bytes, which is what the core takes."""
    rows = np.ascontiguousarray(records).view(np.uint8)
    return rows.reshape(len(records), RECORD.itemsize)


def from_bytes(rows: npt.NDArray[np.uint8]) -> Records:
    """Rows of bytes as records."""
    return np.ascontiguousarray(rows).view(RECORD).reshape(len(rows))

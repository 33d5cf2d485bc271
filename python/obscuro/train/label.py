"""Labels: what a teacher says of each position."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from obscuro import _core
from obscuro.train import data
from obscuro.train.spread import HERE, Spread
from obscuro.train.teacher import Teacher


def label(
    folder: Path,
    teacher: Teacher,
    spread: Spread = HERE,
    progress: Callable[[int], None] = lambda records: None,
) -> int:
    """Labels the files of a folder that this teacher has not labelled; returns how many.

    Labels of another teacher are replaced. Each file is replaced whole: one that is interrupted
    goes on where it was.
    """
    identity = teacher.identity()
    missing = []
    for path in data.shard_paths(folder):
        header = data.read_header(path)
        if header.teacher == identity:
            progress(header.count)
        else:
            missing.append((path, teacher))
    labelled = 0
    for count in spread.run(_label, missing):
        progress(count)
        labelled += 1
    return labelled


def _label(task: tuple[Path, Teacher]) -> int:
    path, teacher = task
    header, records = data.read(path)
    rows = _core.label_records(data.as_bytes(records), teacher.network())
    header = replace(header, teacher=teacher.identity())
    data.write(path, header, data.from_bytes(rows))
    return header.count

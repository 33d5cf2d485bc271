"""How well a network agrees with its teacher, on positions that it was not trained with."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from obscuro import _core
from obscuro.errors import TrainingError
from obscuro.train import data
from obscuro.train.shape import SCALE
from obscuro.train.teacher import Teacher

Floats = npt.NDArray[np.float64]
Boards = list[_core.FowBoard]

# A side is ahead if its value is at least this.
AHEAD = 0.05
SOURCES = ("of games", "off games", "changed")


@dataclass(frozen=True)
class Statics:
    """Agreement on static values."""

    what: str
    positions: int
    correlation: float
    error: float
    """The mean absolute difference of values."""
    sign: float
    """How often they agree who is ahead, where the teacher says that somebody is."""


@dataclass(frozen=True)
class Children:
    """Agreement of the depth-1 call with quiescence, which values all children."""

    positions: int
    children: int
    correlation: float
    """Of the values of all children."""
    error: float
    best: float
    """How often the best move is one of the teacher's best."""
    loss: float
    """What the network's best move is worth less than the best, says the teacher."""
    loss_of_any: float
    """What a random move is worth less."""


@dataclass(frozen=True)
class Report:
    """Agreement of two networks, or of a network with the simple evaluation."""

    network: str
    teacher: str
    statics: list[Statics]
    children: Children

    def markdown(self) -> str:
        """The report as Markdown."""
        lines = [
            "| Static values | Positions | Correlation | Mean absolute error | Sign agreement |",
            "|---|---|---|---|---|",
        ]
        lines += [
            f"| {row.what} | {row.positions:,} | {row.correlation:.4f} | {row.error:.4f} "
            f"| {row.sign:.1%} |"
            for row in self.statics
        ]
        below = self.children
        lines += [
            "",
            "| Depth-1 call | |",
            "|---|---|",
            f"| Positions of games | {below.positions:,} |",
            f"| Children | {below.children:,} |",
            f"| Correlation of the children's values | {below.correlation:.4f} |",
            f"| Mean absolute error | {below.error:.4f} |",
            f"| Best move is the teacher's | {below.best:.1%} |",
            f"| Value lost by its best move, as the teacher sees it | {below.loss:.4f} |",
            f"| Value lost by any move | {below.loss_of_any:.4f} |",
        ]
        return "\n".join(lines) + "\n"


def report(
    network: Teacher,
    teacher: Teacher,
    records: data.Records,
    *,
    calls: int = 1000,
    scale: float = SCALE,
    progress: Callable[[int], None] = lambda positions: None,
) -> Report:
    """Compares on `records`; the first `calls` of games for the depth-1 call."""
    records = records[np.abs(records["score"].astype(np.int32)) != data.DECIDED]
    if not len(records) or not (records["source"] == 0).any():
        raise TrainingError("a report needs positions of games that are not decided")
    ours, theirs = _values(network, records, scale), _values(teacher, records, scale)
    rows = [_statics("all", ours, theirs)]
    for source, what in enumerate(SOURCES):
        chosen = records["source"] == source
        if chosen.sum() > 1:
            rows.append(_statics(what, ours[chosen], theirs[chosen]))
    games = records[records["source"] == 0][:calls]
    boards: Boards = _core.record_boards(data.as_bytes(games))
    children = _children(network, teacher, boards, scale, progress)
    return Report(network.identity()["name"], teacher.identity()["name"], rows, children)


def _values(who: Teacher, records: data.Records, scale: float) -> Floats:
    rows = _core.label_records(data.as_bytes(records), who.network())
    scores = data.from_bytes(rows)["static"].astype(np.float64)
    values: Floats = np.tanh(scores / (who.identity()["unitsPerPawn"] * scale))
    return values


def _statics(what: str, ours: Floats, theirs: Floats) -> Statics:
    ahead = np.abs(theirs) >= AHEAD
    return Statics(
        what=what,
        positions=len(ours),
        correlation=float(np.corrcoef(ours, theirs)[0, 1]),
        error=float(np.abs(ours - theirs).mean()),
        sign=float((np.sign(ours) == np.sign(theirs))[ahead].mean()) if ahead.any() else 1.0,
    )


def _children(
    network: Teacher,
    teacher: Teacher,
    boards: Boards,
    scale: float,
    progress: Callable[[int], None],
) -> Children:
    us, them = (
        _core.FowValues(who.network() or "simple", scale=scale) for who in (network, teacher)
    )
    ours, theirs, best, losses, of_any = [], [], [], [], []
    for board in boards:
        mine, right = np.array(us.values(board)), np.array(them.values(board))
        progress(1)
        if len(mine) < 2:
            continue
        chosen = right[mine.argmax()]
        best.append(chosen == right.max())
        losses.append(right.max() - chosen)
        of_any.append(right.max() - right.mean())
        ours.append(mine)
        theirs.append(right)
    if not ours:
        raise TrainingError("a report needs positions with at least two moves")
    mine, right = np.concatenate(ours), np.concatenate(theirs)
    return Children(
        positions=len(ours),
        children=len(mine),
        correlation=float(np.corrcoef(mine, right)[0, 1]),
        error=float(np.abs(mine - right).mean()),
        best=float(np.mean(best)),
        loss=float(np.mean(losses)),
        loss_of_any=float(np.mean(of_any)),
    )

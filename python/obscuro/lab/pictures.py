"""The pictures of the experiments, as SVG files."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import chess

from obscuro.errors import FileError, MissingPackageError
from obscuro.lab.options import Bench
from obscuro.match.statistics import Estimate

_WIDTH = 6.4
OURS, PAPER = "#1f77b4", "#ff7f0e"


@contextmanager
def drawing(path: Path, *, height: float = 3.0, rows: int = 1, columns: int = 1) -> Iterator[Any]:
    """Axes to draw into; the file is written at the end.

    Without Matplotlib it is a `MissingPackageError`.
    """
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingPackageError(
            "matplotlib is not installed: pip install 'obscuro[plots]'"
        ) from error
    # The same picture is the same file; and what is written in it can be searched.
    with rc_context({"svg.hashsalt": "obscuro", "svg.fonttype": "none"}):
        figure = Figure(figsize=(_WIDTH, height), layout="constrained")
        yield figure.subplots(rows, columns)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            figure.savefig(path, metadata={"Date": None})
        except OSError as error:
            raise FileError(f"cannot write {path}: {error.strerror}") from error


def intervals(scores: Mapping[str, Estimate], path: Path, *, title: str) -> None:
    """Scores with their intervals, one under the other, and the line of equals."""
    with drawing(path, height=0.9 + 0.45 * len(scores)) as axes:
        for place, (name, score) in enumerate(reversed(list(scores.items()))):
            axes.errorbar(
                [100 * score.value],
                [place],
                xerr=[[100 * (score.value - score.low)], [100 * (score.high - score.value)]],
                fmt="o",
                capsize=4,
                color=PAPER if name == "paper" else OURS,
            )
        axes.set_yticks(range(len(scores)), list(reversed(list(scores))))
        axes.set_ylim(-0.6, len(scores) - 0.4)
        axes.axvline(50, color="gray", linewidth=1, linestyle="--")
        axes.set_xlabel("score, % with 95 % interval")
        axes.set_title(title)


def curves(
    lines: Mapping[str, Mapping[float, Estimate]], path: Path, *, title: str, x: str, y: str
) -> None:
    """Values with their intervals over numbers that double."""
    with drawing(path, height=3.6) as axes:
        for name, points in lines.items():
            across = list(points)
            values = [point.value for point in points.values()]
            below = [point.value - point.low for point in points.values()]
            above = [point.high - point.value for point in points.values()]
            axes.errorbar(
                across,
                values,
                yerr=[below, above],
                marker="o",
                capsize=3,
                label=name,
                color=PAPER if name == "paper" else OURS,
            )
        axes.set_xscale("log", base=2)
        ticks = sorted({number for points in lines.values() for number in points})
        axes.set_xticks(ticks, [f"{number:g}" for number in ticks])
        axes.set_xlabel(x)
        axes.set_ylabel(y)
        axes.grid(visible=True, alpha=0.25)
        axes.legend()
        axes.set_title(title)


def histogram(values: Sequence[float], path: Path, *, title: str, x: str, log: bool) -> None:
    """How often values occur; with `log` in bins of equal ratio."""
    with drawing(path) as axes:
        bins: Any = 30
        if log:
            top = max(values)
            edges = [1.0]
            while edges[-1] <= top:
                edges.append(edges[-1] * 2)
            bins = edges
            axes.set_xscale("log", base=2 if top < 1000 else 10)
        axes.hist(values, bins=bins, color=OURS, edgecolor="white")
        axes.set_xlabel(x)
        axes.set_title(title)


def boards(
    panels: Sequence[tuple[str, chess.Square, Mapping[chess.Square, float]]],
    path: Path,
    *,
    title: str,
    columns: int = 4,
) -> None:
    """Boards whose squares have values in [0, 1] written on them, the black king on its own."""
    rows = -(-len(panels) // columns)
    with drawing(path, height=1.9 * rows + 0.4, rows=rows, columns=columns) as axes:
        grid = [axes] if rows * columns == 1 else list(axes.flat)
        for panel, (name, king, values) in zip(grid, panels, strict=False):
            for square in chess.SQUARES:
                file, rank = chess.square_file(square), chess.square_rank(square)
                shade = "#f0f0f0" if (file + rank) % 2 else "#dddddd"
                value = values.get(square)
                color = shade if value is None else _heat(value)
                panel.add_patch(_square(file, rank, color))
                if square == king or value is None:
                    continue
                words = "0" if value == 0 else f"{value:.3f}".replace("0.", ".", 1)
                panel.text(file, rank, words, ha="center", va="center", fontsize=3.5)
            panel.text(
                chess.square_file(king),
                chess.square_rank(king),
                "♚",
                ha="center",
                va="center",
                fontsize=8,
            )
            panel.set_xlim(-0.5, 7.5)
            panel.set_ylim(-0.5, 7.5)
            panel.set_aspect("equal")
            panel.set_xticks(range(8), list(chess.FILE_NAMES), fontsize=5)
            panel.set_yticks(range(8), list(chess.RANK_NAMES), fontsize=5)
            panel.set_title(name, fontsize=7)
        for panel in grid[len(panels) :]:
            panel.set_axis_off()
        grid[0].figure.suptitle(title, fontsize=9)


def _square(file: int, rank: int, color: str) -> Any:  # noqa: ANN401
    from matplotlib.patches import Rectangle

    return Rectangle((file - 0.5, rank - 0.5), 1, 1, facecolor=color, edgecolor="none")


def _heat(value: float) -> str:
    """From white at 0 to a strong colour at 1."""
    red, green, blue = (round(255 + (end - 255) * min(1.0, value)) for end in (220, 70, 40))
    return f"#{red:02x}{green:02x}{blue:02x}"


def attempt(
    bench: Bench, name: str, draw: Callable[[Path], None], *, wanted: bool = True
) -> list[str]:
    """Draws a picture into the folder of the results; what was drawn, by name.

    Without Matplotlib the experiment has no picture, and says so.
    """
    if not wanted:
        return []
    try:
        draw(bench.folder / name)
    except MissingPackageError as error:
        bench.say(f"no picture: {error}")
        return []
    return [name]


def bars(groups: Mapping[str, Mapping[str, float]], path: Path, *, title: str, y: str) -> None:
    """Groups of bars with the same names in each."""
    names = list(next(iter(groups.values())))
    with drawing(path, height=3.6) as axes:
        for place, name in enumerate(names):
            across = [group + place / (len(names) + 1) for group in range(len(groups))]
            axes.bar(
                across,
                [values[name] for values in groups.values()],
                width=1 / (len(names) + 1),
                label=name,
            )
        middle = (len(names) - 1) / 2 / (len(names) + 1)
        short = [name.partition("(")[0] for name in groups]
        axes.set_xticks([group + middle for group in range(len(groups))], short)
        axes.set_ylabel(y)
        axes.legend()
        axes.set_title(title)

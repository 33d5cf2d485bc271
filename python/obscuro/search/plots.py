"""Pictures of how solvers converge."""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from obscuro.errors import FileError, MissingPackageError
from obscuro.search.solution import Solution

AXES = {"iterations": "iterations", "seconds": "seconds"}


def plot_convergence(
    solutions: Solution | Mapping[str, Solution],
    path: str | Path,
    *,
    against: Literal["iterations", "seconds"] = "iterations",
    title: str | None = None,
) -> Path:
    """Draws exploitability over iterations or seconds into a file: PNG, SVG or PDF by its name.

    Several solutions, by name, share one picture. It needs Matplotlib: `pip install
    'obscuro[plots]'`.

        >>> from obscuro import games, search
        >>> game = games.load("leduc_poker")
        >>> found = {name: search.solve(game, name) for name in ("cfr", "cfr+", "pcfr+")}
        >>> search.plot_convergence(found, "leduc.svg")  # doctest: +SKIP
    """
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingPackageError(
            "matplotlib is not installed: pip install 'obscuro[plots]'"
        ) from error
    if against not in AXES:
        raise ValueError(f"against is {against!r}, expected 'iterations' or 'seconds'")
    if isinstance(solutions, Solution):
        solutions = {solutions.algorithm: solutions}
    if not solutions:
        raise ValueError("there is nothing to draw")
    figure = Figure(figsize=(6.4, 4.0), layout="constrained")
    axes = figure.add_subplot()
    for name, solution in solutions.items():
        points = [point for point in solution.history if point.exploitability > 0]
        across = [getattr(point, against) for point in points]
        marker = "o" if len(points) == 1 else None
        axes.plot(across, [point.exploitability for point in points], label=name, marker=marker)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel(AXES[against])
    axes.set_ylabel("exploitability")
    axes.grid(visible=True, which="both", alpha=0.25)
    axes.legend()
    if title is not None:
        axes.set_title(title)
    path = Path(path)
    # The same picture is the same file: neither the time nor a random name goes into it.
    metadata = {"Date": None} if path.suffix == ".svg" else None
    try:
        with rc_context({"svg.hashsalt": "obscuro"}):
            figure.savefig(path, dpi=150, metadata=metadata)
    except OSError as error:
        raise FileError(f"cannot write {path}: {error.strerror}") from error
    return path

"""`obscuro solve`: the value of a game, an equilibrium, and how it was approached."""

import contextlib
import math
import traceback
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from types import TracebackType
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table as Grid

from obscuro import games, search
from obscuro.errors import GameError, MissingPackageError, ObscuroError

PACKAGE = Path(__file__).resolve().parent.parent
# Points of the history that are shown.
SHOWN = 12


class Algorithm(str, Enum):
    """The solvers by their names on the command line."""

    CFR = "cfr"
    CFR_PLUS = "cfr+"
    DCFR = "dcfr"
    PCFR_PLUS = "pcfr+"


def solve(
    game: Annotated[
        str,
        typer.Argument(
            help="A game: leduc_poker, 'liars_dice(dice_sides=4)', openspiel:NAME, "
            "or one of your own as my_game.py:MyGame."
        ),
    ],
    algorithm: Annotated[
        Algorithm, typer.Option("--algorithm", "-a", help="The solver.")
    ] = Algorithm.PCFR_PLUS,
    iterations: Annotated[
        int | None, typer.Option("--iterations", "-n", min=1, help="Iterations to make.")
    ] = None,
    target: Annotated[
        float | None, typer.Option("--target", "-t", help="Exploitability at which to stop.")
    ] = None,
    seconds: Annotated[
        float | None, typer.Option("--seconds", "-s", help="Time to spend on iterations.")
    ] = None,
    linear_program: Annotated[
        bool, typer.Option("--lp", help="Solve exactly, by a linear program, instead.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Folder for strategy tables and convergence plots."),
    ] = None,
    max_histories: Annotated[
        int, typer.Option(min=1, help="The largest game to take on.")
    ] = search.MAX_HISTORIES,
) -> None:
    """Solve a game: its value, the exploitability over time, and the strategies.

    The value is player 0's. The exploitability is what a player could gain against the strategy
    found, the mean of both players, in the game's units. Without a limit it makes 1000 iterations.
    """
    for name, limit in (("--target", target), ("--seconds", seconds)):
        if limit is not None and not limit > 0:
            raise typer.BadParameter(f"{limit} is not above 0", param_hint=name)
    console = Console(highlight=False)
    with _blaming(game):
        table = search.Table(games.find(game), max_histories=max_histories)
    counts = table.counts
    console.print(f"game            {game}", soft_wrap=True, markup=False)
    console.print(f"histories       {counts.histories:,}")
    console.print(f"infosets        {counts.infosets[0]:,} and {counts.infosets[1]:,}")
    if linear_program:
        with console.status("solving the linear program"):
            solution = search.equilibrium(table)
    else:
        if iterations is None and target is None and seconds is None:
            iterations = search.DEFAULT_ITERATIONS
        with _Bar(console, iterations, target, seconds) as bar:
            solution = search.solve(
                table,
                algorithm.value,
                iterations=iterations,
                target=target,
                seconds=seconds,
                callback=bar.show,
            )
        console.print(_history(solution))
    last = solution.history[-1]
    console.print(f"algorithm       {solution.algorithm}")
    console.print(f"iterations      {last.iterations:,} in {last.seconds:.3f} s")
    console.print(f"value           {solution.value:.9f}")
    console.print(f"exploitability  {solution.exploitability:.3e}")
    if out is not None:
        with _blaming(game):
            _write(console, solution, out, game)


@contextlib.contextmanager
def _blaming(game: str) -> Iterator[None]:
    """Says of an exception in somebody's game that it is the game's, and where it is."""
    try:
        yield
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        own = Path(frames[-1].filename).resolve()
        if isinstance(error, ObscuroError) or own.is_relative_to(PACKAGE):
            raise
        notes = "".join(f", {note}" for note in getattr(error, "__notes__", []))
        raise GameError(
            f"{game} raised {type(error).__name__}: {error}{notes} "
            f"({own.name}, line {frames[-1].lineno})"
        ) from error


class _Bar:
    """A bar that is full when one of the limits is reached."""

    def __init__(
        self, console: Console, iterations: int | None, target: float | None, seconds: float | None
    ) -> None:
        self.iterations, self.target, self.seconds = iterations, target, seconds
        self.first: search.Point | None = None
        self.bar = Progress(
            TextColumn("solving"),
            BarColumn(),
            TextColumn("{task.fields[words]}"),
            TimeElapsedColumn(),
            console=console,
            transient=True,
        )
        self.task = self.bar.add_task("", total=1.0, words="")

    def show(self, point: search.Point) -> None:
        """Moves the bar to where the solver is."""
        self.first = self.first or point
        words = f"{point.iterations:,} iterations, exploitability {point.exploitability:.2e}"
        done = self._done(self.first, point)
        self.bar.update(self.task, completed=min(done, 1.0), words=words)

    def _done(self, first: search.Point, point: search.Point) -> float:
        parts = [0.0]
        if self.iterations is not None:
            parts.append(point.iterations / self.iterations)
        if self.seconds is not None:
            parts.append(point.seconds / self.seconds)
        if self.target is not None:
            if point.exploitability <= self.target:
                return 1.0
            # Half the way is half the zeros.
            left = math.log(point.exploitability / self.target)
            parts.append(1.0 - left / math.log(first.exploitability / self.target))
        return max(parts)

    def __enter__(self) -> "_Bar":
        self.bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.bar.stop()


def _history(solution: search.Solution) -> Grid:
    grid = Grid(box=None, header_style="bold", pad_edge=False)
    for head in ("iterations", "seconds", "value", "exploitability"):
        grid.add_column(head, justify="right")
    points = solution.history
    # Evenly spread, the last one included.
    step = max(1, math.ceil(len(points) / SHOWN))
    for point in points[::-1][::step][::-1]:
        grid.add_row(
            f"{point.iterations:,}",
            f"{point.seconds:.3f}",
            f"{point.value:.6f}",
            f"{point.exploitability:.3e}",
        )
    return grid


def _write(console: Console, solution: search.Solution, out: Path, game: str) -> None:
    files = search.write_solution(solution, out, game)
    # One point makes no curve.
    if len(solution.history) > 1:
        try:
            for name in ("convergence.png", "convergence.svg"):
                files.append(search.plot_convergence(solution, out / name, title=game))
        except MissingPackageError as error:
            console.print(f"no plots: {error}", markup=False)
    for file in files:
        console.print(f"wrote {file}", soft_wrap=True, markup=False)

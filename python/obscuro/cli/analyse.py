"""`obscuro analyse`: looks behind the fog of a finished game."""

# What analyses is imported where it is needed: the other commands are quick without it.
from __future__ import annotations

import contextlib
import math
import signal
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from obscuro.errors import AnalysisError, FileError

if TYPE_CHECKING:
    from types import FrameType

    from obscuro.analysis import Analysis, Analyst, PlyReport, Thresholds

INTERRUPTED = 130
_SIGNS = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}


class Color(str, Enum):
    """Whose moves are searched."""

    BOTH = "both"
    WHITE = "white"
    BLACK = "black"


def analyse(
    file: Annotated[
        Path,
        typer.Argument(
            help="A game: a record in JSON, a PGN or a list of moves; or an analysis that was "
            "kept with --json, to go on with."
        ),
    ],
    game: Annotated[
        int | None, typer.Option("--game", "-g", min=1, help="Which game of the file, from 1.")
    ] = None,
    nodes: Annotated[
        int | None,
        typer.Option("--nodes", "-n", min=1, help="Nodes of the search for each move (100,000)."),
    ] = None,
    seconds: Annotated[
        float | None, typer.Option("--seconds", "-s", help="Time for each move, instead.")
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(
            "--threads", "-t", min=1, help="Threads of a search (1, which is reproducible)."
        ),
    ] = None,
    color: Annotated[
        Color | None, typer.Option("--color", "-c", help="Whose moves are searched (both).")
    ] = None,
    evaluator: Annotated[
        str | None, typer.Option("--eval", help="What values leaves, as for the player obscuro.")
    ] = None,
    deepen: Annotated[
        list[int] | None,
        typer.Option("--deepen", "-d", help="Look deeper at the position after so many plies."),
    ] = None,
    thresholds: Annotated[
        str,
        typer.Option("--thresholds", metavar="A,B,C", help="Losses from which moves are marked."),
    ] = "0.1,0.2,0.4",
    html: Annotated[
        Path | None, typer.Option("--html", help="Write a report with pictures to this file.")
    ] = None,
    json: Annotated[
        Path | None, typer.Option("--json", help="Keep the analysis in this file.")
    ] = None,
) -> None:
    """Analyse a finished game: values by belief and by truth, beliefs, mistakes, luck.

    An interrupt ends it; what was found until then is written all the same.
    """
    console = Console(highlight=False)
    marks = _thresholds(thresholds)
    budget = _Budget(nodes, seconds, threads, color, evaluator)
    analysis = _read(file, game, budget)
    for path in filter(None, (html, json)):
        _check_folder(path)
    if stopped := _run(analysis, deepen or [], console):
        console.print(f"Stopped after {len(analysis.reports)} of {analysis.total} positions.")
    if json is not None:
        _write(json, analysis.to_json() + "\n", console)
    if html is not None and analysis.reports:
        from obscuro.analysis.report import render

        _write(html, render(analysis, marks), console)
    _print(analysis, marks, console)
    if stopped:
        if json is not None:
            console.print(f"Go on with: obscuro analyse {json}", soft_wrap=True)
        raise typer.Exit(INTERRUPTED)


@dataclass(frozen=True)
class _Budget:
    """What the options say about the search."""

    nodes: int | None
    seconds: float | None
    threads: int | None
    color: Color | None
    evaluator: str | None

    def begin(self, analysis: Analysis) -> None:
        """Sets the settings of an analysis that begins."""
        from obscuro.players import Limits

        settings = analysis.settings
        if self.nodes is not None and self.seconds is not None:
            raise AnalysisError("the search is limited twice, expected --nodes or --seconds")
        if self.seconds is not None and not 0 < self.seconds < math.inf:
            raise AnalysisError(f"--seconds is {self.seconds}, expected a number above 0")
        if self.nodes is not None or self.seconds is not None:
            settings = settings.with_limits(Limits(seconds=self.seconds, nodes=self.nodes))
        if self.threads is not None:
            settings = settings.with_threads(self.threads)
        if self.color is not None:
            settings = replace(settings, color=self.color.value)
        if self.evaluator is not None:
            settings = replace(settings, engine=replace(settings.engine, eval=self.evaluator))
        analysis.settings = settings

    @property
    def given(self) -> bool:
        """Whether there is any such option."""
        return any(
            value is not None
            for value in (self.nodes, self.seconds, self.threads, self.color, self.evaluator)
        )


def _read(file: Path, number: int | None, budget: _Budget) -> Analysis:
    from obscuro.analysis import FORMAT, Analysis, read_games
    from obscuro.analysis.games import read_text

    text = read_text(file)
    # The format is the first field of what --json writes.
    if text.lstrip()[:60].replace(" ", "").startswith(f'{{"format":"{FORMAT}"'):
        if number is not None or budget.given:
            raise AnalysisError(
                f"{file} is an analysis that was begun with settings of its own: expected no "
                "option but --deepen, --thresholds, --html and --json"
            )
        return Analysis.from_json(text)
    games = read_games(text)
    if number is None and len(games) > 1:
        raise AnalysisError(f"{file} has {len(games)} games: expected --game 1 to {len(games)}")
    if (number or 1) > len(games):
        raise AnalysisError(f"there is no game {number} in {file}, which has {len(games)}")
    analysis = Analysis(games[(number or 1) - 1])
    budget.begin(analysis)
    return analysis


def _run(analysis: Analysis, deepen: Sequence[int], console: Console) -> bool:
    """Does what is to be done; returns whether it was interrupted."""
    from obscuro.analysis import Analyst

    for ply in deepen:
        if not 0 <= ply < analysis.total:
            raise AnalysisError(f"--deepen is {ply}, expected 0 to {analysis.total - 1}")
    analyst = Analyst(analysis)
    done = len(analysis.reports)
    with (
        _interruptible(analyst),
        contextlib.closing(analyst),
        Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[found]}", style="dim"),
            console=console,
            transient=True,
        ) as progress,
    ):
        task = progress.add_task("Positions", total=analysis.total, completed=done, found="")

        def on_progress(report: PlyReport) -> None:
            progress.update(task, completed=len(analysis.reports), found=_words(report))

        analyst.run(on_progress)
        if deepen:
            task = progress.add_task("Deeper", total=len(deepen), found="")
            for ply in deepen:
                if (report := analyst.deepen(ply)) is not None:
                    progress.update(task, advance=1, found=_words(report))
        return analyst.is_stopped


def _words(report: PlyReport) -> str:
    belief = report.belief(report.turn)
    parts = [] if belief is None else [f"|P| {belief.size:,}"]
    if report.search is not None:
        parts.append(f"value {report.search.value:+.2f}")
    return ", ".join([*parts, f"truth {report.truth.value:+.2f}"])


def _print(analysis: Analysis, thresholds: Thresholds, console: Console) -> None:
    table = Table("", "White", "Black", title=None, box=None, pad_edge=False)
    table.columns[1].justify = table.columns[2].justify = "right"
    summaries = analysis.summaries(thresholds)
    rows = {
        "player": [analysis.game.white, analysis.game.black],
        "moves judged": [f"{one.moves}" for one in summaries],
        "loss a move": [_number(one.mean_loss) for one in summaries],
        "inaccuracies ?!": [f"{one.inaccuracies}" for one in summaries],
        "mistakes ?": [f"{one.mistakes}" for one in summaries],
        "blunders ??": [f"{one.blunders}" for one in summaries],
        "luck in all": [f"{one.luck:+.2f}" for one in summaries],
        "mean |P|": ["–" if n.mean_size is None else f"{n.mean_size:,.0f}" for n in summaries],
    }
    for name, (white, black) in rows.items():
        table.add_row(name, white, black)
    console.print(table)
    marked = [one for one in analysis.review(thresholds) if one.mark or one.fortune]
    if not marked:
        return
    moves = Table("ply", "move", "loss", "luck", "", box=None, pad_edge=False, title=None)
    for column in (0, 2, 3):
        moves.columns[column].justify = "right"
    for one in marked:
        if one.judgement is None:
            continue
        words = ", ".join(filter(None, (one.mark, one.fortune)))
        number = analysis.reports[one.ply].fen.split()[5]
        name = f"{number}.{'' if one.color else '..'} {one.san}{_SIGNS.get(one.mark or '', '')}"
        loss, luck = f"{one.judgement.loss:.2f}", f"{one.judgement.luck:+.2f}"
        moves.add_row(f"{one.ply}", name, loss, luck, words)
    console.print()
    console.print(moves)


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _thresholds(text: str) -> Thresholds:
    from obscuro.analysis import Thresholds

    parts = text.split(",")
    try:
        inaccuracy, mistake, blunder = (float(part) for part in parts)
    except ValueError:
        raise AnalysisError(
            f"--thresholds is {text!r}, expected three losses as 0.1,0.2,0.4"
        ) from None
    return Thresholds(inaccuracy, mistake, blunder)


def _check_folder(path: Path) -> None:
    """So that nobody waits for an analysis that cannot be written."""
    if path.is_dir():
        raise FileError(f"cannot write {path}: it is a folder")
    if not path.parent.is_dir():
        raise FileError(f"cannot write {path}: there is no folder {path.parent}")


def _write(path: Path, text: str, console: Console) -> None:
    try:
        # First beside it: what was there is kept until all is written.
        beside = path.with_name(f"{path.name}.part")
        beside.write_text(text, encoding="utf-8")
        beside.replace(path)
    except OSError as error:
        raise FileError(f"cannot write {path}: {error.strerror}") from error
    console.print(f"Wrote {path}.", soft_wrap=True)


@contextlib.contextmanager
def _interruptible(analyst: Analyst) -> Iterator[None]:
    """Lets the first interrupt stop the analyst; the second one ends the program."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def on_signal(number: int, frame: FrameType | None) -> None:
        for known, handler in before.items():
            signal.signal(known, handler)
        # Not in the handler itself: the interrupted thread may hold what `stop` needs.
        threading.Thread(target=analyst.stop, daemon=True).start()

    for number in before:
        signal.signal(number, on_signal)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

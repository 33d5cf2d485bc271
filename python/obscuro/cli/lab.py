"""`obscuro lab`: the experiments of the paper."""

import contextlib
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table as Grid

from obscuro.errors import LabError

LIST = "list"
INTERRUPTED = 130


def lab(
    name: Annotated[str, typer.Argument(help="An experiment, or list.")] = LIST,
    games: Annotated[int | None, typer.Option("--games", "-n", help="Games of each match.")] = None,
    time: Annotated[float | None, typer.Option("--time", "-t", help="Seconds for a move.")] = None,
    nodes: Annotated[
        int | None, typer.Option(help="Nodes of the search for a move, in place of a time.")
    ] = None,
    concurrency: Annotated[
        int | None, typer.Option("--concurrency", "-c", help="Games at a time.")
    ] = None,
    ray: Annotated[
        str | None, typer.Option(help="Play on the Ray cluster at this address, or local.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Of everything that is drawn.")] = 1,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Folder of the results (results/lab/NAME).")
    ] = None,
    max_moves: Annotated[
        int | None, typer.Option("--max-moves", help="Games are drawn after so many moves.")
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", help="An option of the players: eval=network, expanders=2."),
    ] = None,
    report_only: Annotated[
        bool, typer.Option("--report-only", help="Tell again what was found before.")
    ] = False,
) -> None:
    """Run an experiment of the paper: our figures beside the paper's. `lab list` lists them.

    Games are kept in the folder of the results: interrupted, the same command goes on with them,
    and a larger --games adds to them.
    """
    # Other commands should not wait for what experiments stand on.
    from obscuro import lab as laboratory

    console = Console(highlight=False)
    if name == LIST:
        console.print(listing())
        return
    options = laboratory.Options(
        games=games,
        time=time,
        nodes=nodes,
        concurrency=concurrency,
        ray=ray,
        seed=seed,
        out=out,
        max_moves=max_moves,
        players=read_settings(settings or []),
        report_only=report_only,
    )
    errors = Console(stderr=True, highlight=False)
    with _interruptible() as stop:
        result = laboratory.run(
            name, options, say=lambda words: _print(errors, words), stopped=stop.is_set
        )
    _print(console, result.to_markdown())
    _print(console, f"The result is in {options.folder(name)}.")
    if stop.is_set() and not result.complete:
        _print(console, "Interrupted: the same command goes on.")
        raise typer.Exit(INTERRUPTED)


def listing() -> Grid:
    """All experiments with a line each."""
    from obscuro import lab as laboratory

    grid = Grid(box=None, show_header=False, pad_edge=False)
    for entry in laboratory.EXPERIMENTS.values():
        grid.add_row(entry.name, entry.title)
    return grid


def read_settings(words: list[str]) -> dict[str, str]:
    """Options of players, each as key=value.

    >>> read_settings(["eval=zero", "expanders=2"])
    {'eval': 'zero', 'expanders': '2'}
    """
    found: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key or key in found:
            raise LabError(f"cannot read --set {word!r}: expected an option as key=value, once")
        found[key] = value
    return found


def _print(console: Console, words: str) -> None:
    console.print(words.rstrip("\n"), markup=False, highlight=False, soft_wrap=True)


@contextlib.contextmanager
def _interruptible() -> Iterator[threading.Event]:
    """An event that an interrupt sets; a second interrupt ends the program at once."""
    stop = threading.Event()

    def on_signal(number: int, frame: FrameType | None) -> None:
        if stop.is_set():
            os._exit(INTERRUPTED)
        stop.set()

    signals = [signal.SIGINT, signal.SIGTERM]
    if threading.current_thread() is not threading.main_thread():
        # Only the main thread may say what a signal does.
        signals = []
    before = {number: signal.signal(number, on_signal) for number in signals}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

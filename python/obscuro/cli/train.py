"""`obscuro train`: from games to a network, step by step."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from obscuro.train import (
    Look,
    Order,
    Recipe,
    Settings,
    Spread,
    Teacher,
    data,
    export_network,
    fit_network,
    generate_positions,
    label_positions,
    read_labelled,
    report_agreement,
)

app = typer.Typer(
    help="Train a network: generate positions, label them, fit, export, report.",
    no_args_is_help=True,
)

Data = Annotated[Path, typer.Argument(help="The folder of the positions.")]
Run = Annotated[Path, typer.Argument(help="The folder of the training run.")]
TeacherText = Annotated[
    str,
    typer.Option(
        "--teacher", "-t", help="A network's file, or 'simple' for the simple evaluation."
    ),
]
Processes = Annotated[int, typer.Option("--processes", "-p", min=1, help="Processes that work.")]
Ray = Annotated[
    str | None,
    typer.Option("--ray", help="Work on a Ray cluster instead: its address, or 'local'."),
]


@app.command()
def generate(
    folder: Data,
    positions: Annotated[
        int, typer.Option("--positions", "-n", min=1, help="How many positions.")
    ] = 1_000_000,
    teacher: TeacherText = "simple",
    seed: Annotated[int, typer.Option(help="The seed of everything that is drawn.")] = 0,
    shard: Annotated[int, typer.Option(min=1, help="Positions of one file.")] = 100_000,
    random: Annotated[
        float, typer.Option(help="Share of players who move at random or take what they can.")
    ] = Recipe.random,
    material: Annotated[
        float, typer.Option(help="Share who look one move ahead and count material.")
    ] = Recipe.material,
    simple: Annotated[
        float,
        typer.Option(help="Share who do with the simple evaluation; the others, the teacher."),
    ] = Recipe.simple,
    thinned: Annotated[
        float, typer.Option(help="Share of games that begin with pieces missing.")
    ] = Recipe.thinned,
    keep: Annotated[
        float, typer.Option(help="Chance that a position of a game is kept.")
    ] = Recipe.keep,
    wander: Annotated[
        int, typer.Option(min=0, max=100, help="Positions kept a few moves off each of them.")
    ] = Recipe.wander,
    mutated: Annotated[
        float, typer.Option(help="Share of these with pieces taken away or put elsewhere.")
    ] = Recipe.mutated,
    most_plies: Annotated[
        int, typer.Option(min=1, max=60_000, help="Plies after which a game is a draw.")
    ] = Recipe.most_plies,
    processes: Processes = 1,
    ray: Ray = None,
) -> None:
    """Play games of simple players and keep positions of them and near them.

    Files that are there already are kept: an interrupted command goes on where it was.
    """
    recipe = Recipe(random, material, simple, thinned, keep, wander, mutated, most_plies)
    order = Order(folder, positions, seed, recipe, Teacher.find(teacher), shard)
    with _bar("positions", positions) as advance:
        made = generate_positions(order, Spread(processes, ray), advance)
    Console().print(f"{made} of {order.shards()} files made in {folder}", highlight=False)


@app.command()
def label(
    folder: Data,
    teacher: TeacherText = "simple",
    processes: Processes = 1,
    ray: Ray = None,
) -> None:
    """Ask a teacher for its static score and its quiescence score of every position.

    Files that this teacher has labelled are left as they are.
    """
    found = Teacher.find(teacher)
    total = sum(data.read_header(path).count for path in data.shard_paths(folder))
    with _bar("positions", total) as advance:
        labelled = label_positions(folder, found, Spread(processes, ray), advance)
    Console().print(f"{labelled} files labelled in {folder}", highlight=False)


@app.command()
def fit(
    folder: Data,
    run: Run,
    target: Annotated[
        str, typer.Option(help="The teacher's 'static' score, or its quiescence 'score'.")
    ] = Settings.target,
    outcome: Annotated[
        float, typer.Option(help="Share of the game's outcome in what is learnt.")
    ] = Settings.outcome,
    passes: Annotated[
        float, typer.Option(help="How often each position is seen.")
    ] = Settings.passes,
    batch: Annotated[int, typer.Option(min=1, help="Positions in a step.")] = Settings.batch,
    rate: Annotated[float, typer.Option(help="The largest step of Adam.")] = Settings.rate,
    held_out: Annotated[
        int, typer.Option(min=1, help="Positions at the end that are not learnt from.")
    ] = Settings.held_out,
    seed: Annotated[
        int, typer.Option(help="Of the first numbers and the order of positions.")
    ] = Settings.seed,
    scale: Annotated[
        float, typer.Option(help="Pawns that are worth tanh(1) = 0.76.")
    ] = Settings.scale,
    threads: Annotated[int, typer.Option(min=1, help="Threads that work.")] = 1,
) -> None:
    """Train a network; needs PyTorch (pip install 'obscuro[train]').

    A run that was interrupted goes on from its last look at the held-out positions.
    """
    settings = Settings(
        target=target,
        outcome=outcome,
        passes=passes,
        batch=batch,
        rate=rate,
        held_out=held_out,
        seed=seed,
        scale=scale,
    )
    settings.check()
    console = Console(highlight=False)
    with _bar("steps", None) as move:
        shown = 0

        def show(look: Look) -> None:
            nonlocal shown
            move(look.step - shown, look.steps)
            shown = look.step
            console.print(
                f"step {look.step:>7,} of {look.steps:,}  loss {look.loss:.5f}  "
                f"held out {look.held_out:.5f}  correlation {look.correlation:.4f}"
            )

        fit_network(folder, run, settings, threads=threads, progress=show)
    console.print(f"trained in {run}: obscuro train export {folder} {run} FILE", soft_wrap=True)


@app.command()
def export(
    folder: Data,
    run: Run,
    network: Annotated[Path, typer.Argument(help="The file to write; a record beside it.")],
) -> None:
    """Round a trained network to integers, check them, and write its file and its record."""
    check = export_network(folder, run, network)
    console = Console(highlight=False)
    console.print(f"network           {network}, {network.stat().st_size:,} bytes", soft_wrap=True)
    console.print(f"record            {network.with_suffix('.json')}", soft_wrap=True)
    console.print(f"checked on        {check.positions:,} positions that were held out")
    console.print(f"values differ by  {check.mean_difference:.5f} on average")
    console.print(f"at most by        {check.largest_difference:.5f}")


@app.command()
def report(
    folder: Data,
    network: Annotated[str, typer.Argument(help="The network's file.")],
    teacher: TeacherText = "simple",
    positions: Annotated[
        int, typer.Option("--positions", "-n", min=1, help="Positions, from the end of the data.")
    ] = Settings.held_out,
    calls: Annotated[
        int, typer.Option(min=1, help="Positions whose children are valued as well.")
    ] = 1000,
) -> None:
    """Print how far a network agrees with a teacher, as Markdown."""
    ours, theirs = Teacher.find(network), Teacher.find(teacher)
    _, records = read_labelled(folder)
    with _bar("depth-1 calls", calls) as advance:
        found = report_agreement(ours, theirs, records[-positions:], calls=calls, progress=advance)
    typer.echo(found.markdown(), nl=False)


@contextlib.contextmanager
def _bar(what: str, total: int | None) -> Iterator[Callable[..., None]]:
    """A bar on the terminal, and the function that moves it on."""
    columns = (
        TextColumn(what),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=total)

        def advance(by: int, total: int | None = None) -> None:
            progress.update(task, advance=by, total=total)

        yield advance

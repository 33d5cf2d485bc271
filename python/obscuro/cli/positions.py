"""`obscuro positions`: the paper's own examples, and whether they come out."""

import json
import time
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table as Grid

from obscuro.errors import SearchError
from obscuro.players.settings import EngineSettings, with_options
from obscuro.positions import EXAMPLES, Example, Finding, Options
from obscuro.positions.examples import find

NOT_HELD = 1
# Moves of an example that are shown.
SHOWN = 6


def positions(
    names: Annotated[
        list[str] | None, typer.Argument(help="Some of the examples; all, if none is named.")
    ] = None,
    effort: Annotated[
        float, typer.Option(help="Factor on the time of every search.", show_default=True)
    ] = 1.0,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", "-o", help="A setting of the engine, as seed=1; may be repeated."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print all of it as JSON.")] = False,
) -> None:
    """Search the paper's own examples, and say whether what the paper says came out.

    Prints each move with its probability and its value, and each statement with the number that
    it is about. The exit code is 1 if a statement did not hold.
    """
    if not effort > 0:
        raise typer.BadParameter(f"{effort} is not above 0", param_hint="--effort")
    options = Options(with_options(EngineSettings(), _read(option or [])), effort)
    examples = [find(name) for name in names] if names else EXAMPLES
    console = Console(highlight=False)
    findings = {}
    for example in examples:
        began = time.monotonic()
        found = example.search(options)
        findings[example.name] = found
        if not as_json:
            _print(console, example, found, time.monotonic() - began)
    if as_json:
        print_json = {name: found.as_dict() for name, found in findings.items()}
        typer.echo(json.dumps(print_json, indent=2))
    checks = [check for found in findings.values() for check in found.checks]
    held = sum(check.held for check in checks)
    if not as_json:
        console.print(f"{held} of {len(checks)} statements held")
    if held < len(checks):
        raise typer.Exit(NOT_HELD)


def _read(words: list[str]) -> dict[str, str]:
    options = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise SearchError(f"cannot read the option {word!r}, expected name=value")
        options[name.strip()] = value.strip()
    return options


def _print(console: Console, example: Example, found: Finding, seconds: float) -> None:
    value = "" if found.value is None else f", value {found.value:+.3f}"
    console.print(f"[bold]{example.name}[/bold]  {example.title} ({example.source}){value}")
    grid = Grid(box=None, padding=(0, 2), show_header=False)
    for row in found.rows[:SHOWN]:
        grid.add_row(
            "",
            row.name,
            "" if row.probability is None else f"{row.probability:6.1%}",
            "" if row.value is None else f"{row.value:+.3f}",
        )
    console.print(grid)
    for check in found.checks:
        mark = "[green]yes[/green]" if check.held else "[red]no [/red]"
        console.print(f"  {mark}  {check.expected}: {check.found:.3f}")
    console.print(f"  {seconds:.1f} s\n")

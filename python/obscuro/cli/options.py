"""What `obscuro` understands before the name of a command."""

from typing import Annotated

import typer
from rich.console import Console

from obscuro import __version__


def _print_version(wanted: bool) -> None:
    if wanted:
        Console().print(f"obscuro {__version__}", highlight=False)
        raise typer.Exit


def common(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """Fog of War chess, and search in games of hidden information."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())

"""The application: its commands, and how an error reaches the user."""

import os
import sys
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from obscuro import __version__
from obscuro.cli import match, perft, play, solve, train
from obscuro.errors import ObscuroError

FAILED = 1
BAD_INPUT = 2
# Set to anything, it shows where an error of the program itself comes from.
TRACEBACK = "OBSCURO_TRACEBACK"

app = typer.Typer(
    name="obscuro",
    help="Fog of War chess, and search in games of hidden information.",
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)
app.command()(play.play)
app.command(cls=match.WordsCommand, options_metavar="...")(match.match)
app.command()(perft.perft)
app.command()(solve.solve)
app.add_typer(train.app, name="train")


def _print_version(wanted: bool) -> None:
    if wanted:
        Console().print(f"obscuro {__version__}", highlight=False)
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _options(
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


def main(arguments: list[str] | None = None) -> None:
    """Runs the command line and exits: 0 done, 1 failed, 2 bad input, 130 interrupted."""
    sys.exit(run(arguments))


def run(arguments: list[str] | None = None) -> int:
    """Runs the command line and returns its exit code. An error is one line, never a traceback.

    >>> run(["--version"])
    obscuro ...
    0
    """
    try:
        status = app(args=arguments, standalone_mode=False)
    except (typer.TyperException, ObscuroError) as error:
        _print_error(_message(error))
        return BAD_INPUT
    except typer.Abort:
        return FAILED
    except BrokenPipeError:
        # Whoever read our output has left; the interpreter's last flush must not complain again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except Exception as error:
        if TRACEBACK in os.environ:
            raise
        _print_error(
            f"internal error, {type(error).__name__}: {error}\n"
            f"This is a defect of obscuro. {TRACEBACK}=1 shows where it is."
        )
        return FAILED
    # A command that ends early hands its exit code back in this mode.
    return status if isinstance(status, int) else 0


def _message(error: Exception) -> str:
    if not isinstance(error, typer.TyperException):
        return str(error)
    # An unknown option carries the names that are near to it.
    if near := getattr(error, "possibilities", None):
        return f"{error.message}. Did you mean {' or '.join(repr(name) for name in near)}?"
    return error.format_message()


def _print_error(message: str) -> None:
    line = Text.assemble(("error: ", "bold red"), message)
    Console(stderr=True).print(line, soft_wrap=True, highlight=False)

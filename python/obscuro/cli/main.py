"""The application: its commands, and how an error reaches the user."""

import os
import sys
from functools import cache
from typing import TYPE_CHECKING, Any

from obscuro.errors import ObscuroError

if TYPE_CHECKING:
    import typer

FAILED = 1
BAD_INPUT = 2
# Set to anything, it shows where an error of the program itself comes from.
TRACEBACK = "OBSCURO_TRACEBACK"

# The engine's process must answer soon, so it loads nothing of what the other commands stand on.
_ENGINE = "uci"


@cache
def _application() -> "typer.Typer":
    import typer

    from obscuro.cli import (
        analyse,
        bench,
        lab,
        match,
        options,
        perft,
        play,
        positions,
        solve,
        train,
        uci,
    )

    application = typer.Typer(
        name="obscuro",
        help="Fog of War chess, and search in games of hidden information.",
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["--help", "-h"]},
    )
    application.callback(invoke_without_command=True)(options.common)
    application.command()(play.play)
    application.command(cls=match.WordsCommand, options_metavar="...")(match.match)
    application.command()(analyse.analyse)
    application.command(name=_ENGINE)(uci.uci)
    application.command()(bench.bench)
    application.command()(perft.perft)
    application.command()(positions.positions)
    application.command()(solve.solve)
    application.command()(lab.lab)
    application.add_typer(train.app, name="train")
    return application


def app(*, args: list[str] | None, standalone_mode: bool) -> Any:  # noqa: ANN401
    """Runs a command."""
    if (sys.argv[1:] if args is None else args) == [_ENGINE]:
        from obscuro.cli.uci import uci

        return uci()
    return _application()(args=args, standalone_mode=standalone_mode)


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
    except BrokenPipeError:
        # Whoever read our output has left; the interpreter's last flush must not complain again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except Exception as error:
        return _failed(error)
    # A command that ends early hands its exit code back in this mode.
    return status if isinstance(status, int) else 0


def _failed(error: Exception) -> int:
    import typer

    if isinstance(error, typer.TyperException | ObscuroError):
        _print_error(_message(error))
        return BAD_INPUT
    if isinstance(error, typer.Abort):
        return FAILED
    if TRACEBACK in os.environ:
        raise error
    _print_error(
        f"internal error, {type(error).__name__}: {error}\n"
        f"This is a defect of obscuro. {TRACEBACK}=1 shows where it is."
    )
    return FAILED


def _message(error: Exception) -> str:
    import typer

    if not isinstance(error, typer.TyperException):
        return str(error)
    # An unknown option carries the names that are near to it.
    if near := getattr(error, "possibilities", None):
        return f"{error.message}. Did you mean {' or '.join(repr(name) for name in near)}?"
    return error.format_message()


def _print_error(message: str) -> None:
    from rich.console import Console
    from rich.text import Text

    line = Text.assemble(("error: ", "bold red"), message)
    Console(stderr=True).print(line, soft_wrap=True, highlight=False)

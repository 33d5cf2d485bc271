"""`obscuro play`: a game in the terminal, with fog."""

import contextlib
import importlib
import random
import secrets
from datetime import date
from pathlib import Path
from typing import Annotated

import chess
import typer
from rich.console import Console
from rich.text import Text

from obscuro.cli.human import HELP, Human, QuitGame
from obscuro.cli.referee import play_game
from obscuro.cli.words import did_you_mean
from obscuro.errors import FileError
from obscuro.fow import Board, Game, text
from obscuro.players import Limits, Player, RandomPlayer, Result

COLORS = ("white", "black", "random")


def _check_color(value: str) -> str:
    if value not in COLORS:
        raise typer.BadParameter(
            f"{value!r} is not one of white, black, random.{did_you_mean(value, COLORS)}"
        )
    return value


def play(
    color: Annotated[
        str,
        typer.Option(callback=_check_color, metavar="white|black|random", help="Your colour."),
    ] = "white",
    seed: Annotated[
        int | None, typer.Option(min=0, help="Makes the opponent's choices repeatable.")
    ] = None,
    fen: Annotated[
        str | None, typer.Option(help="Position to start from, known to both players.")
    ] = None,
    pgn: Annotated[
        Path | None, typer.Option(dir_okay=False, help="File to append the game to.")
    ] = None,
) -> None:
    """Play a game of Fog of War chess in the terminal."""
    board = Board(fen)
    if pgn is not None:
        _check_writable(pgn)
    if seed is None:
        seed = secrets.randbelow(2**32)
    side = _side(color, seed)

    # The opponent is the strongest player there is.
    opponent = RandomPlayer(seed)
    console = Console(highlight=False)
    console.print(f"You play {chess.COLOR_NAMES[side]} against a player of random moves.")
    console.print(f"(--seed {seed} brings the same opponent again.)", style="dim")
    console.print(HELP)
    with contextlib.suppress(ImportError):
        importlib.import_module("readline")  # lets input() edit lines, where the system has it
    players: dict[chess.Color, Player] = {side: Human(console, input), not side: opponent}
    result: Result | None = None
    try:
        result = play_game(board, players, Limits())
        _show_truth(console, board, result, flip=side == chess.BLACK)
    except QuitGame:
        console.print("You left the game.")
    finally:
        if pgn is not None and board.move_stack:
            _record(board, result, side).save(pgn)
            console.print(f"The game is in {pgn}.")


def _side(color: str, seed: int) -> chess.Color:
    """The human's colour; a drawn one is drawn from the seed."""
    if color == "random":
        return random.Random(f"color {seed}").random() < 0.5
    return color == "white"


def _record(board: Board, result: Result | None, side: chess.Color) -> Game:
    names = {side: "Human", not side: "obscuro, random moves"}
    return Game.from_board(
        board,
        Event="obscuro play",
        Date=f"{date.today():%Y.%m.%d}",
        White=names[chess.WHITE],
        Black=names[chess.BLACK],
        Result=result.score if result else "*",
    )


def _show_truth(console: Console, board: Board, result: Result, *, flip: bool) -> None:
    drawing = text.draw(board, flip=flip, color=console.is_terminal)
    _, _, moves = str(Game.from_board(board, Result=result.score)).partition("\n\n")
    console.print("\nThe truth at the end:", style="bold")
    console.print(Text.from_ansi(drawing))
    console.print()
    console.print(moves)


def _check_writable(path: Path) -> None:
    """To find out after the game that it cannot be kept would be too late."""
    try:
        path.open("a").close()
    except OSError as error:
        raise FileError(f"cannot write {path}: {error.strerror}") from error

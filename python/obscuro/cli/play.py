"""`obscuro play`: a game with fog, in the terminal or on a page in the browser."""

import contextlib
import importlib
import random
import secrets
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Annotated

import chess
import typer
from rich.console import Console
from rich.text import Text

from obscuro.cli import web as web_page
from obscuro.cli.referee import play_game
from obscuro.errors import FileError
from obscuro.fow import Board, Game, text
from obscuro.players import EngineSettings, Limits, ObscuroPlayer, Player, RandomPlayer, Result
from obscuro.players.human import HELP, Human, QuitGame
from obscuro.words import did_you_mean

_WEB = "On a page in the browser"
COLORS = ("white", "black", "random")
# What each opponent is called in the terminal and in the game's record.
OPPONENTS = {"search": "the searching player", "random": "a player of random moves"}


# Updates of a larger belief would keep the human waiting for seconds.
_BELIEF_CAP = 500_000


def _check_color(value: str) -> str:
    if value not in COLORS:
        raise typer.BadParameter(
            f"{value!r} is not one of white, black, random.{did_you_mean(value, COLORS)}"
        )
    return value


def _check_opponent(value: str) -> str:
    if value not in OPPONENTS:
        raise typer.BadParameter(
            f"{value!r} is not one of {', '.join(OPPONENTS)}.{did_you_mean(value, OPPONENTS)}"
        )
    return value


def play(
    opponent: Annotated[
        str,
        typer.Option(callback=_check_opponent, metavar="search|random", help="Who plays you."),
    ] = "search",
    seconds: Annotated[
        float, typer.Option(min=0.05, max=600, help="The opponent's time for a move.")
    ] = 1.0,
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
    web: Annotated[
        bool, typer.Option("--web", help="Play on a page in the browser; games are set up there.")
    ] = False,
    host: Annotated[
        str, typer.Option(help="Address to listen at.", rich_help_panel=_WEB)
    ] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option(min=0, max=65535, help="Port; 0 takes a free one.", rich_help_panel=_WEB),
    ] = web_page.PORT,
    open_page: Annotated[
        bool,
        typer.Option("--open/--no-open", help="Open the browser.", rich_help_panel=_WEB),
    ] = True,
    games: Annotated[
        Path | None,
        typer.Option(dir_okay=False, help="File that keeps the games.", rich_help_panel=_WEB),
    ] = None,
    searches: Annotated[
        int | None,
        typer.Option(min=1, max=64, help="Searches at the same time.", rich_help_panel=_WEB),
    ] = None,
) -> None:
    """Play a game of Fog of War chess, in the terminal or in the browser."""
    if web:
        web_page.start(host=host, port=port, open_page=open_page, data=games, searches=searches)
        return
    board = Board(fen)
    if pgn is not None:
        _check_writable(pgn)
    if seed is None:
        seed = secrets.randbelow(2**32)
    side = _side(color, seed)

    console = Console(highlight=False)
    console.print(f"You play {chess.COLOR_NAMES[side]} against {OPPONENTS[opponent]}.")
    if opponent == "random":
        console.print(f"(--seed {seed} brings the same opponent again.)", style="dim")
    console.print(HELP)
    with contextlib.suppress(ImportError):
        importlib.import_module("readline")  # lets input() edit lines, where the system has it
    players: dict[chess.Color, Player] = {
        side: Human(console, input),
        not side: _opponent(opponent, seed),
    }
    result: Result | None = None
    try:
        result = play_game(board, players, Limits(seconds=seconds))
        _show_truth(console, board, result, flip=side == chess.BLACK)
    except QuitGame:
        console.print("You left the game.")
    finally:
        if pgn is not None and board.move_stack:
            _record(board, result, side, opponent).save(pgn)
            console.print(f"The game is in {pgn}.")


def _opponent(name: str, seed: int) -> Player:
    if name == "random":
        return RandomPlayer(seed)
    settings = replace(EngineSettings().search, seed=seed, belief_cap=_BELIEF_CAP)
    return ObscuroPlayer(EngineSettings(search=settings))


def _side(color: str, seed: int) -> chess.Color:
    """The human's colour; a drawn one is drawn from the seed."""
    if color == "random":
        return random.Random(f"color {seed}").random() < 0.5
    return color == "white"


def _record(board: Board, result: Result | None, side: chess.Color, opponent: str) -> Game:
    names = {side: "Human", not side: f"obscuro, {opponent}"}
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

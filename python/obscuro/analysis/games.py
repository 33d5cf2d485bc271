"""The games that can be analysed: records, PGN, and plain lists of moves."""

import io
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import chess
from pydantic import ConfigDict

from obscuro.errors import AnalysisError, FileError, ObscuroError
from obscuro.fow import STARTING_FEN, Board, Game
from obscuro.fow.pgn import read_game

RECORD = "obscuro-game/1"
_UCI = re.compile(r"[a-h][1-8][a-h][1-8][nbrqNBRQ]?")
_FIGURINES = str.maketrans("♔♕♖♗♘♚♛♜♝♞", "KQRBNKQRBN", "♙♟")


@dataclass(frozen=True)
class AnalysedGame:
    """A finished game: its moves, and how it ended.

    Attributes:
        white: What White is called.
        black: What Black is called.
        result: As PGN writes it; `"*"` if it is not known.
        reason: How the game ended, in words.
        start: FEN of the start position, which both players know.
        moves: In UCI notation; all are legal.

    >>> game = AnalysedGame("Ada", "Bob", "*", "", STARTING_FEN, ("e2e4", "e7e5"))
    >>> game.board().fullmove_number, game.sans()
    (2, ('e4', 'e5'))
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")
    white: str
    black: str
    result: str
    reason: str
    start: str
    moves: tuple[str, ...]

    def __post_init__(self) -> None:
        board = Board(self.start)
        try:
            for move in self.moves:
                board.push_uci(move)
        except ObscuroError as error:
            raise AnalysisError(f"move {len(board.move_stack) + 1}: {error}") from error

    def board(self, plies: int | None = None) -> Board:
        """The true board after so many plies, or after the last."""
        board = Board(self.start)
        for move in self.moves[:plies]:
            board.push_uci(move)
        return board

    def sans(self) -> tuple[str, ...]:
        """The moves in SAN."""
        board, sans = Board(self.start), []
        for uci in self.moves:
            move = board.parse_uci(uci)
            sans.append(board.san(move))
            board.push(move)
        return tuple(sans)

    @property
    def first(self) -> chess.Color:
        """Who moves first."""
        return Board(self.start).turn

    def name(self, color: chess.Color) -> str:
        """What a player is called."""
        return self.white if color == chess.WHITE else self.black

    @classmethod
    def from_moves(cls, moves: Sequence[chess.Move], start: str = STARTING_FEN) -> "AnalysedGame":
        """A game of which nothing but the moves is known."""
        return _from_pgn(Game({}, list(moves), start))


def read_games(text: str) -> list[AnalysedGame]:
    """The games of a text: records in JSON, a PGN, or one list of moves in SAN or UCI.

    >>> read_games("1. e4 e5 2. Nf3")[0].moves == read_games("e2e4 e7e5 g1f3")[0].moves
    True
    >>> read_games("{}")
    Traceback (most recent call last):
        ...
    obscuro.errors.AnalysisError: not a record of a game: expected "format": "obscuro-game/1", ...
    """
    bare = text.lstrip("\ufeff \t\r\n")
    # A PGN begins with a bracket as well, and the name of a tag.
    if bare.startswith("{") or re.match(r"\[(?!\s*[A-Za-z])", bare):
        games = [_from_record(entry) for entry in _read_json(bare)]
    else:
        games = _read_moves(bare)
    if not games:
        raise AnalysisError(
            "there is no game in the text: expected a PGN, a record in JSON, or moves as 1. e4 e5"
        )
    return games


def read_text(path: str | Path) -> str:
    """The text of a file."""
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise FileError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError:
        raise FileError(f"cannot read {path}: it is not UTF-8 text") from None


def _read_moves(text: str) -> list[AnalysedGame]:
    words = text.split()
    if words and all(_UCI.fullmatch(word) for word in words):
        return [AnalysedGame("White", "Black", "*", "", STARTING_FEN, tuple(map(str.lower, words)))]
    handle = io.StringIO(text.translate(_FIGURINES))
    games = []
    while (game := read_game(handle)) is not None:
        if game.moves:
            games.append(_from_pgn(game))
    return games


def _from_pgn(game: Game) -> AnalysedGame:
    board = game.board()
    outcome = board.outcome()
    reason = game.headers.get("Termination", "")
    return AnalysedGame(
        game.headers.get("White", "White"),
        game.headers.get("Black", "Black"),
        game.result if outcome is None else board.result(),
        reason if outcome is None else outcome.termination.words,
        game.start,
        tuple(move.uci() for move in game.moves),
    )


def _read_json(text: str) -> list[Any]:
    """The entries of a JSON text: one, a list of them, or one in each line."""
    try:
        data = json.loads(text)
    except ValueError as error:
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) < 2:
            raise AnalysisError(f"not JSON: {error}") from None
        try:
            return [json.loads(line) for line in lines]
        except ValueError as line_error:
            raise AnalysisError(f"not JSON: {line_error}") from None
    return data if isinstance(data, list) else [data]


def _from_record(data: object) -> AnalysedGame:
    """A game from its record, as matches and as the page write it."""
    if not isinstance(data, Mapping) or data.get("format") != RECORD:
        found = data.get("format") if isinstance(data, Mapping) else data
        raise AnalysisError(
            f'not a record of a game: expected "format": "{RECORD}", got {str(found)[:40]!r}'
        )
    try:
        moves = data["moves"] if "moves" in data else [ply["move"] for ply in data["plies"]]
        white, black = (
            str(side["name"] if isinstance(side, Mapping) else side)
            for side in (data["white"], data["black"])
        )
        return AnalysedGame(
            white,
            black,
            str(data["result"]),
            str(data["reason"]),
            str(data["start"]),
            tuple(str(move) for move in moves),
        )
    except (KeyError, TypeError, ObscuroError) as error:
        words = f"no {error}" if isinstance(error, KeyError) else str(error)
        raise AnalysisError(f"not a record of a game: {words}") from error

"""Games in PGN, with `[Variant "Fog of War"]`.

Moves are written with the SAN of this game: a king's capture is a normal capture, and what chess
calls an illegal move is none. What others write (check marks, disambiguation by the rules of
chess, other spellings of the variant) is read.
"""

import io
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

import chess

from obscuro.errors import FileError, GameOverError, MoveError, PgnError
from obscuro.fow.board import STARTING_FEN, Board

VARIANT = "Fog of War"
_SPELLINGS = {"fogofwar", "fog", "darkchess", "dark"}
# Python-chess' reader plays the moves by the rules of chess, so it cannot read these games.
_TAG = re.compile(r'^\[\s*([A-Za-z0-9_]+)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*$')
_TOKEN = re.compile(
    r"""
    \{(?P<comment>[^}]*)\}      # a comment
    | ;(?P<rest>[^\n]*)         # a comment to the end of the line
    | (?P<open>\() | (?P<close>\))
    | (?P<nag>\$\d+|[!?]+)
    | (?P<result>1-0|0-1|1/2-1/2|\*)(?![^\s{(;])
    | (?P<number>\d+\.+|\d+(?=\s))
    | (?P<move>[^\s{}();$]+)
    """,
    re.VERBOSE,
)
_ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
_WIDTH = 80


@dataclass
class Game:
    """A game's record: who played, from where, which moves, and how it ended.

    >>> game = Game.from_board(Board(), White="Ada", Black="Bob")
    >>> game.moves.append(chess.Move.from_uci("e2e4"))
    >>> print(game)
    [Event "?"]
    [Site "?"]
    [Date "????.??.??"]
    [Round "?"]
    [White "Ada"]
    [Black "Bob"]
    [Result "*"]
    [Variant "Fog of War"]
    <BLANKLINE>
    1. e4 *
    >>> read_game(str(game)) == game
    True
    """

    headers: dict[str, str] = field(default_factory=dict)
    """The PGN tags; `Result`, `Variant` and `FEN` are kept right by this module."""
    moves: list[chess.Move] = field(default_factory=list)
    """The moves of the main line."""
    start: str = STARTING_FEN
    """The FEN that the game started from."""
    comments: dict[int, str] = field(default_factory=dict)
    """Comments by the number of plies before them."""

    @classmethod
    def from_board(cls, board: Board, **headers: str) -> "Game":
        """The game that was played on a board, with its result unless another one is given."""
        headers.setdefault("Result", board.result())
        return cls(headers, board.move_stack, board.root().fen())

    def board(self) -> Board:
        """The board after the last move."""
        board = Board(self.start)
        for move in self.moves:
            board.push(move)
        return board

    @property
    def result(self) -> str:
        """The result as the tag says: it may be one by resignation or on time."""
        return self.headers.get("Result", "*")

    def __str__(self) -> str:
        tags = dict.fromkeys(_ROSTER, "?") | {"Date": "????.??.??", "Result": "*"} | self.headers
        tags["Variant"] = VARIANT
        if self.start != STARTING_FEN:
            tags |= {"SetUp": "1", "FEN": self.start}
        lines = [f'[{name} "{_escape(value)}"]' for name, value in tags.items()]
        return "\n".join([*lines, "", *_wrap(self._tokens(tags["Result"]))])

    def _tokens(self, result: str) -> Iterator[str]:
        board = Board(self.start)
        number_needed = True
        for ply, move in enumerate(self.moves):
            if ply in self.comments:
                yield f"{{ {self.comments[ply]} }}"
                number_needed = True
            if board.turn == chess.WHITE:
                yield f"{board.fullmove_number}."
            elif number_needed:
                yield f"{board.fullmove_number}..."
            number_needed = False
            yield board.san(move)
            board.push(move)
        if len(self.moves) in self.comments:
            yield f"{{ {self.comments[len(self.moves)]} }}"
        yield result

    def save(self, path: str | Path) -> None:
        """Appends the game to a file."""
        try:
            with Path(path).open("a", encoding="utf-8") as file:
                file.write(f"{self}\n\n")
        except OSError as error:
            raise FileError(f"cannot write {path}: {error.strerror}") from error


def read_game(pgn: str | TextIO) -> Game | None:
    """The next game of a PGN text or file; `None` at its end.

    >>> read_game("1. c4 d5 2. Qa4+ d4 (2... c6) 3. Qxe8 1-0").result
    '1-0'
    >>> read_game("1. e4 Ke3")
    Traceback (most recent call last):
        ...
    obscuro.errors.PgnError: move 1...: Ke3 is not legal in ...
    """
    handle = io.StringIO(pgn) if isinstance(pgn, str) else pgn
    headers: dict[str, str] = {}
    movetext: list[str] = []
    depth_of_comment = 0
    while line := handle.readline():
        text = line.strip().lstrip("\ufeff")
        in_comment = depth_of_comment > 0
        if not in_comment and text.startswith("%"):
            continue
        tag = None if in_comment or movetext else _TAG.match(text)
        if tag:
            if tag[2] not in ("?", "????.??.??"):
                headers[tag[1]] = re.sub(r"\\(.)", r"\1", tag[2])
        elif not text and not in_comment:
            if movetext:
                break
        else:
            movetext.append(line)
            depth_of_comment = max(0, depth_of_comment + line.count("{") - line.count("}"))
    if not headers and not movetext:
        return None
    return _replay(headers, "".join(movetext))


def read_games(path: str | Path) -> Iterator[Game]:
    """All games of a PGN file."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise FileError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise FileError(f"cannot read {path}: it is not UTF-8 text") from error
    handle = io.StringIO(text)
    while (game := read_game(handle)) is not None:
        yield game


def _replay(headers: dict[str, str], movetext: str) -> Game:
    variant = headers.pop("Variant", VARIANT)
    if re.sub("[^a-z]", "", variant.lower()) not in _SPELLINGS:
        raise PgnError(f'the game\'s variant is {variant!r}: expected "{VARIANT}"')
    headers.pop("SetUp", None)
    game = Game(headers, start=headers.pop("FEN", STARTING_FEN))
    board = Board(game.start)
    variations = 0
    for token in _TOKEN.finditer(movetext):
        kind, text = token.lastgroup, token[0]
        if kind == "open":
            variations += 1
        elif kind == "close":
            if variations == 0:
                raise PgnError(f"{_place(board)}: a variation ends that did not begin")
            variations -= 1
        elif variations:
            continue
        elif kind in ("comment", "rest"):
            comment = " ".join(token[kind].split())
            before = game.comments.get(len(game.moves))
            game.comments[len(game.moves)] = f"{before} {comment}" if before else comment
        elif kind == "result":
            headers.setdefault("Result", text)
            break
        elif kind == "move":
            try:
                game.moves.append(board.push_san(text))
            except (MoveError, GameOverError) as error:
                raise PgnError(f"{_place(board)}: {error}") from error
    return game


def _place(board: Board) -> str:
    return f"move {board.fullmove_number}{'.' if board.turn else '...'}"


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _wrap(tokens: Iterator[str]) -> list[str]:
    return textwrap.wrap(" ".join(tokens), _WIDTH, break_long_words=False, break_on_hyphens=False)

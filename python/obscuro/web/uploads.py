"""Games from elsewhere: PGN, and lists of moves as lichess and chess.com show them."""

import io
import re

import chess

from obscuro.errors import GameOverError, MoveError, PgnError
from obscuro.fow import Board, Game
from obscuro.fow.pgn import read_game
from obscuro.players import Result
from obscuro.web.table import Setup, Table, Unfinished

LONGEST = 1_000_000
"""The characters that an upload may have."""
MOST_GAMES = 100
_UCI = re.compile(r"[a-h][1-8][a-h][1-8][nbrqNBRQ]?")
_FIGURINES = str.maketrans("♔♕♖♗♘♚♛♜♝♞", "KQRBNKQRBN", "♙♟")
_WINNERS = {"1-0": chess.WHITE, "0-1": chess.BLACK, "1/2-1/2": None}


def read(text: str) -> list[Game]:
    """The games of a PGN text, or the one game of a list of moves.

    >>> [game.moves for game in read("1. e4 e5")] == [game.moves for game in read("e2e4 e7e5")]
    True
    >>> read("hello")
    Traceback (most recent call last):
        ...
    obscuro.errors.PgnError: move 1.: "hello" is not a move in SAN: ...
    """
    if len(text) > LONGEST:
        raise PgnError(f"the text has {len(text):,} characters, {LONGEST:,} at most are read")
    text = text.lstrip("\ufeff")
    words = text.split()
    if words and all(_UCI.fullmatch(word) for word in words):
        return [_read_uci(words)]
    handle = io.StringIO(text.translate(_FIGURINES))
    games: list[Game] = []
    while (game := read_game(handle)) is not None:
        games.append(game)
        if len(games) > MOST_GAMES:
            raise PgnError(f"the text has more than {MOST_GAMES} games, which is the most at once")
    games = [game for game in games if game.moves]
    if not games:
        raise PgnError("there is no move in the text: expected a PGN or moves as 1. e4 e5")
    return games


def table(game: Game) -> Table:
    """The table at which an uploaded game was played."""
    names = (game.headers.get("White", "White"), game.headers.get("Black", "Black"))
    setup = Setup(names=(_short(names[0]), _short(names[1])), start=game.start, uploaded=True)
    played = Table(setup, now=lambda: 0.0)
    for move in game.moves:
        played.play(played.board.turn, move)
    if played.result is None:
        reason = _short(game.headers.get("Termination", "as recorded"))
        if game.result in _WINNERS:
            played.result = Result(_WINNERS[game.result], reason)
        else:
            played.result = Unfinished(None, "unfinished")
    return played


def _read_uci(words: list[str]) -> Game:
    board = Board()
    try:
        for word in words:
            board.push_uci(word.lower())
    except (MoveError, GameOverError) as error:
        place = f"{board.fullmove_number}{'.' if board.turn else '...'}"
        raise PgnError(f"move {place}: {error}") from error
    return Game.from_board(board)


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:59]}…"

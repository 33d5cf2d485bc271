"""Openings: positions that both players are told, so that nothing about the start is hidden."""

import random
from collections.abc import Iterator
from pathlib import Path

from obscuro.errors import FileError, MatchError, ObscuroError
from obscuro.fow import STARTING_FEN, Board, read_games

FORMATS = ("fen", "epd", "pgn")
ORDERS = ("sequential", "random")
_EPD_FIELDS = 4


def read_openings(
    path: str | Path,
    *,
    format: str | None = None,  # noqa: A002
    plies: int | None = None,
) -> list[str]:
    """The positions of a file as FENs, in their order, each of them one to play from.

    A line of a `fen` or `epd` file is a position; `#` begins a comment. Of every game of a `pgn`
    file the position after `plies` plies counts, or its last one.
    """
    path = Path(path)
    kind = format or path.suffix.lstrip(".").lower()
    if kind not in FORMATS:
        raise MatchError(f"cannot tell what is in {path}: expected format={'|'.join(FORMATS)}")
    found = list(_from_pgn(path, plies) if kind == "pgn" else _from_lines(path))
    if not found:
        raise MatchError(f"there is no opening in {path}")
    return found


def _from_lines(path: Path) -> Iterator[str]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise FileError(f"cannot read {path}: {error}") from error
    for number, line in enumerate(lines, start=1):
        text = line.partition("#")[0].strip()
        if text:
            yield _playable(to_fen(text), f"{path}, line {number}")


def _from_pgn(path: Path, plies: int | None) -> Iterator[str]:
    for number, game in enumerate(read_games(path), start=1):
        board = Board(game.start)
        for move in game.moves[:plies]:
            board.push(move)
        yield _playable(board.fen(), f"{path}, game {number}")


def to_fen(line: str) -> str:
    r"""A FEN from a FEN or an EPD, whose operations `hmvc` and `fmvn` count.

    >>> to_fen("4k3/8/8/8/8/8/8/4K3 w - - hmvc 3; fmvn 20; id kings;")
    '4k3/8/8/8/8/8/8/4K3 w - - 3 20'
    """
    fields = line.split(maxsplit=_EPD_FIELDS)
    rest = fields[_EPD_FIELDS] if len(fields) > _EPD_FIELDS else ""
    clocks = rest.split()[:2]
    if len(clocks) == 2 and all(clock.isdecimal() for clock in clocks):
        return " ".join([*fields[:_EPD_FIELDS], *clocks])
    operations = dict(
        part.split(maxsplit=1) for part in rest.split(";") if len(part.split(maxsplit=1)) == 2
    )
    numbers = [operations.get("hmvc", "0").strip(), operations.get("fmvn", "1").strip()]
    return " ".join([*fields[:_EPD_FIELDS], *numbers])


def _playable(fen: str, place: str) -> str:
    try:
        board = Board(fen)
    except ObscuroError as error:
        raise MatchError(f"{place}: {error}") from error
    if board.is_game_over():
        raise MatchError(f"{place}: the game is over in {fen}")
    return board.fen()


def arrange(openings: list[str], *, order: str, seed: int, start: int = 1) -> list[str]:
    """The openings in the order in which they are played, from number `start` on.

    >>> arrange(["a", "b", "c"], order="sequential", seed=0, start=2)
    ['b', 'c', 'a']
    """
    if order not in ORDERS:
        raise MatchError(f"order={order}: expected {' or '.join(ORDERS)}")
    if not 1 <= start <= len(openings):
        raise MatchError(f"start={start}: there are {len(openings)} openings")
    chosen = list(openings)
    if order == "random":
        random.Random(f"openings {seed}").shuffle(chosen)
    return chosen[start - 1 :] + chosen[: start - 1]


def opening_of(openings: list[str], pair: int) -> str:
    """The opening of a pair of games; they are played round and round."""
    return openings[pair % len(openings)] if openings else STARTING_FEN

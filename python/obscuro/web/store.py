"""The games on disk: SQLite, written in the background, in order."""

import json
import logging
import sqlite3
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from obscuro.errors import FileError

T = TypeVar("T")
_log = logging.getLogger(__name__)

_VERSION = 1
_SCHEMA = """
CREATE TABLE games (
    id TEXT PRIMARY KEY,
    created REAL NOT NULL,
    updated REAL NOT NULL,
    summary TEXT NOT NULL,
    data TEXT NOT NULL
) STRICT;
CREATE TABLE seats (
    token TEXT PRIMARY KEY,
    game TEXT NOT NULL REFERENCES games (id),
    white INTEGER NOT NULL,
    visitor TEXT NOT NULL
) STRICT;
CREATE INDEX seats_of_visitor ON seats (visitor);
CREATE TABLE invitations (
    token TEXT PRIMARY KEY,
    game TEXT NOT NULL REFERENCES games (id),
    white INTEGER NOT NULL
) STRICT;
CREATE TABLE analyses (
    game TEXT NOT NULL REFERENCES games (id),
    part TEXT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (game, part)
) STRICT;
"""


@dataclass(frozen=True)
class Seat:
    """Whoever has the token sits there."""

    token: str
    game: str
    white: bool
    visitor: str


@dataclass(frozen=True)
class StoredGame:
    """A row of the store. `summary` is public to both players; `data` is the referee's."""

    id: str
    created: float
    updated: float
    summary: dict[str, Any]
    data: dict[str, Any]


class Store:
    """All games, seats and invitations.

    Every call is done by one thread of the store, in the order of the calls, and gives a future.
    A write that fails is logged; it does not end the game that is being played.

    Args:
        path: The file, or `None` for games that nobody will want to see again.
    """

    def __init__(self, path: Path | None) -> None:
        self._worker = ThreadPoolExecutor(1, "store")
        try:
            self._base = self._worker.submit(_open, path).result()
        except (sqlite3.Error, OSError) as error:
            self._worker.shutdown()
            raise FileError(f"cannot keep games in {path}: {error}") from error

    def save(self, game: StoredGame) -> "Future[None]":
        """Keeps a game, in place of what was kept of it before."""
        row = (game.id, game.created, game.updated, _json(game.summary), _json(game.data))

        def write() -> None:
            with self._base:
                self._base.execute(
                    "INSERT INTO games VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET "
                    "updated = excluded.updated, summary = excluded.summary, data = excluded.data",
                    row,
                )

        return self._do(write)

    def seat(self, seat: Seat) -> "Future[None]":
        """Keeps a seat."""

        def write() -> None:
            with self._base:
                row = (seat.token, seat.game, int(seat.white), seat.visitor)
                self._base.execute("INSERT INTO seats VALUES (?, ?, ?, ?)", row)

        return self._do(write)

    def invite(self, token: str, game: str, *, white: bool) -> "Future[None]":
        """Keeps an invitation to a seat."""

        def write() -> None:
            with self._base:
                row = (token, game, int(white))
                self._base.execute("INSERT INTO invitations VALUES (?, ?, ?)", row)

        return self._do(write)

    def invitation(self, token: str, *, take: bool) -> "Future[tuple[str, bool] | None]":
        """Game and colour of an invitation, which is gone once it was taken."""

        def find() -> tuple[str, bool] | None:
            with self._base:
                text = "SELECT game, white FROM invitations WHERE token = ?"
                row = self._base.execute(text, (token,)).fetchone()
                if row and take:
                    self._base.execute("DELETE FROM invitations WHERE token = ?", (token,))
            return row and (row[0], bool(row[1]))

        return self._do(find)

    def find_seat(self, token: str) -> "Future[Seat | None]":
        """The seat of a token."""

        def find() -> Seat | None:
            text = "SELECT token, game, white, visitor FROM seats WHERE token = ?"
            row = self._base.execute(text, (token,)).fetchone()
            return row and Seat(row[0], row[1], bool(row[2]), row[3])

        return self._do(find)

    def seats_of(self, game: str) -> "Future[list[Seat]]":
        """The seats of a game."""

        def find() -> list[Seat]:
            text = "SELECT token, game, white, visitor FROM seats WHERE game = ?"
            return [Seat(t, g, bool(w), v) for t, g, w, v in self._base.execute(text, (game,))]

        return self._do(find)

    def load(self, game: str) -> "Future[StoredGame | None]":
        """A game."""

        def find() -> StoredGame | None:
            text = "SELECT id, created, updated, summary, data FROM games WHERE id = ?"
            row = self._base.execute(text, (game,)).fetchone()
            return row and StoredGame(
                row[0], row[1], row[2], json.loads(row[3]), json.loads(row[4])
            )

        return self._do(find)

    def games_of(
        self, visitor: str, most: int
    ) -> "Future[list[tuple[str, bool, float, dict[str, Any]]]]":
        """Token, colour, time and summary of a visitor's games, the latest first."""

        def find() -> list[tuple[str, bool, float, dict[str, Any]]]:
            text = (
                "SELECT token, white, updated, summary FROM seats JOIN games ON game = id "
                "WHERE visitor = ? ORDER BY updated DESC, token LIMIT ?"
            )
            rows = self._base.execute(text, (visitor, most))
            return [(t, bool(w), updated, json.loads(s)) for t, w, updated, s in rows]

        return self._do(find)

    def save_analysis(self, game: str, part: str, data: dict[str, Any]) -> "Future[None]":
        """Keeps a part of the analysis of a game, in place of what was kept of it before."""
        row = (game, part, _json(data))

        def write() -> None:
            with self._base:
                self._base.execute("INSERT OR REPLACE INTO analyses VALUES (?, ?, ?)", row)

        return self._do(write)

    def load_analysis(self, game: str) -> "Future[dict[str, Any]]":
        """What was kept of the analysis of a game, by part."""

        def find() -> dict[str, Any]:
            text = "SELECT part, data FROM analyses WHERE game = ?"
            return {part: json.loads(data) for part, data in self._base.execute(text, (game,))}

        return self._do(find)

    def close(self) -> None:
        """Writes what is still to be written."""
        self._worker.submit(self._base.close)
        self._worker.shutdown(wait=True)

    def _do(self, work: Callable[[], T]) -> "Future[T]":
        future = self._worker.submit(work)
        future.add_done_callback(_complain)
        return future


def _open(path: Path | None) -> sqlite3.Connection:
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Whoever can read the file sees through the fog.
        path.touch(mode=0o600)
    base = sqlite3.connect(path or ":memory:")
    base.execute("PRAGMA journal_mode = WAL")
    base.execute("PRAGMA synchronous = NORMAL")
    base.execute("PRAGMA foreign_keys = ON")
    version = base.execute("PRAGMA user_version").fetchone()[0]
    if version == 0:
        with base:
            base.executescript(f"BEGIN;{_SCHEMA}PRAGMA user_version = {_VERSION};COMMIT;")
    elif version != _VERSION:
        base.close()
        raise sqlite3.DatabaseError(f"its version is {version}, expected {_VERSION}")
    return base


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, separators=(",", ":"))


def _complain(future: "Future[Any]") -> None:
    if not future.cancelled() and (error := future.exception()) is not None:
        _log.error("the store failed: %s", error, exc_info=error)

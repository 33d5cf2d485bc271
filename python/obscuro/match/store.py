"""The file of a match: its settings and every finished game, in SQLite.

A game is written as soon as it is finished, in one transaction that is on the disk before the next
step: whatever happens to the runner afterwards, the game stays.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import fields
from pathlib import Path

from obscuro import __version__
from obscuro.errors import FileError, MatchError
from obscuro.match.record import GameLine, GameRecord
from obscuro.match.schedule import Match

_SCHEMA = """
CREATE TABLE match (
    format TEXT NOT NULL, version TEXT NOT NULL, settings TEXT NOT NULL,
    began TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP, pgn TEXT, json TEXT
);
CREATE TABLE games (
    number INTEGER PRIMARY KEY, pair INTEGER NOT NULL, round INTEGER NOT NULL,
    white TEXT NOT NULL, black TEXT NOT NULL,
    white_fog_honest INTEGER NOT NULL, black_fog_honest INTEGER NOT NULL,
    start TEXT NOT NULL, result TEXT NOT NULL, reason TEXT NOT NULL, kind TEXT NOT NULL,
    plies INTEGER NOT NULL, finished TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP, record TEXT NOT NULL
);
"""
FORMAT = "obscuro-match/1"
_MEMORY = ":memory:"
_DURABLE = "PRAGMA synchronous = FULL"
_BUSY_SECONDS = 30


class Store:
    """The games of one match.

    `Store.create` begins a file, `Store.open` reads one; both are used in one thread.
    """

    def __init__(self, path: Path, database: sqlite3.Connection) -> None:
        self.path = path
        self._database = database

    @classmethod
    def create(
        cls,
        path: str | Path | None,
        match: Match,
        *,
        pgn: str | None = None,
        json: str | None = None,
    ) -> "Store":
        """A new file; one that is there already is never overwritten. `None` is in memory."""
        path = Path(path or _MEMORY)
        in_memory = str(path) == _MEMORY
        if not in_memory and path.exists():
            raise MatchError(
                f"{path} exists: go on with it by -resume {path}, or give another file with -db"
            )
        try:
            if not in_memory:
                path.touch()
            database = sqlite3.connect(path, timeout=_BUSY_SECONDS)
            database.execute(_DURABLE)
            with database:
                database.executescript(_SCHEMA)
                database.execute(
                    "INSERT INTO match (format, version, settings, pgn, json) VALUES (?,?,?,?,?)",
                    (FORMAT, __version__, match.to_json(), pgn, json),
                )
        except (OSError, sqlite3.Error) as error:
            raise FileError(f"cannot write {path}: {error}") from error
        return cls(path, database)

    @classmethod
    def open(cls, path: str | Path) -> "Store":
        """The file of a match that was begun before."""
        path = Path(path)
        if not path.is_file():
            raise FileError(f"there is no file {path}")
        database = sqlite3.connect(path, timeout=_BUSY_SECONDS)
        try:
            database.execute(_DURABLE)
            row = database.execute("SELECT format FROM match").fetchone()
        except sqlite3.Error as error:
            database.close()
            raise FileError(f"{path} is not the file of a match: {error}") from error
        if row is None or row[0] != FORMAT:
            database.close()
            raise FileError(f"{path} is not the file of a match: expected {FORMAT}")
        return cls(path, database)

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file."""
        self._database.close()

    @property
    def match(self) -> Match:
        """The settings of the match."""
        (settings,) = self._database.execute("SELECT settings FROM match").fetchone()
        return Match.from_json(settings)

    @property
    def version(self) -> str:
        """The version of the program that began it."""
        (version,) = self._database.execute("SELECT version FROM match").fetchone()
        return str(version)

    @property
    def outputs(self) -> tuple[str | None, str | None]:
        """The files for PGN and JSON that the match was begun with."""
        pgn, json = self._database.execute("SELECT pgn, json FROM match").fetchone()
        return pgn, json

    def add(self, record: GameRecord) -> None:
        """Keeps a finished game."""
        try:
            with self._database:
                self._database.execute(
                    "INSERT INTO games (number, pair, round, white, black, white_fog_honest,"
                    " black_fog_honest, start, result, reason, kind, plies, record)"
                    " VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
                    (
                        record.number,
                        record.pair,
                        record.round,
                        record.white.name,
                        record.black.name,
                        record.white.fog_honest,
                        record.black.fog_honest,
                        record.start,
                        record.result,
                        record.reason,
                        record.kind,
                        len(record.plies),
                        record.to_json(),
                    ),
                )
        except sqlite3.IntegrityError as error:
            raise MatchError(
                f"game {record.number + 1} is in {self.path} already: is the match being played "
                "by another process?"
            ) from error
        except sqlite3.Error as error:
            raise FileError(f"cannot write {self.path}: {error}") from error

    def finished(self) -> set[int]:
        """The numbers of the games that are finished."""
        return {number for (number,) in self._database.execute("SELECT number FROM games")}

    def lines(self) -> list[GameLine]:
        """The finished games in short, in the order of their numbers."""
        columns = [column.name for column in fields(GameLine)]
        rows = self._database.execute(f"SELECT {', '.join(columns)} FROM games ORDER BY number")
        return [
            GameLine(
                **{
                    **dict(zip(columns, row, strict=True)),
                    "white_fog_honest": bool(row[5]),
                    "black_fog_honest": bool(row[6]),
                }
            )
            for row in rows
        ]

    def records(self) -> Iterator[GameRecord]:
        """The finished games in the order of their numbers."""
        with closing(self._database.execute("SELECT record FROM games ORDER BY number")) as rows:
            for (text,) in rows:
                yield GameRecord.from_json(text)

    def export(self, *, pgn: str | None = None, json: str | None = None) -> None:
        """Writes all games anew, so that the files agree with this one."""
        for path, lines in (
            (pgn, (f"{record.to_pgn()}\n\n" for record in self.records())),
            (json, (f"{record.to_json()}\n" for record in self.records())),
        ):
            if path is not None:
                _replace(Path(path), lines)


def _replace(path: Path, lines: Iterator[str]) -> None:
    """Writes a file beside it first: an interruption leaves the old one."""
    beside = path.with_name(f"{path.name}.part")
    try:
        with beside.open("w", encoding="utf-8") as file:
            file.writelines(lines)
        beside.replace(path)
    except OSError as error:
        raise FileError(f"cannot write {path}: {error}") from error

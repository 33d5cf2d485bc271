"""What finished games say, of one match or of several taken together."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from obscuro.errors import FileError, MatchError
from obscuro.match.engines import Engine
from obscuro.match.ratings import Ratings
from obscuro.match.record import GameLine, GameRecord, marked
from obscuro.match.report import counts_of, players_of, rating_table, ratings, statistics
from obscuro.match.schedule import Match
from obscuro.match.sprt import Sprt
from obscuro.match.statistics import Counts
from obscuro.match.store import Store

_SQLITE = b"SQLite format 3\x00"


@dataclass(frozen=True)
class Results:
    """Finished games and their statistics; as text, everything that they say.

    Attributes:
        lines: The games in short.
        engines: Who was to play, by the names that outputs use.
        sprt: The test that the games are for, if there is one.
        paired: Whether pairs of games are looked at (pentanomial), or single games (trinomial).
        total: How many games the match has, if it is one.
        verdict: What the SPRT has decided, if it has.
        records: The games in full, where they were asked for.

    >>> line = GameLine(0, 0, 1, "a", "b", True, True, "1-0", "king captured", "rules", 31)
    >>> results = Results((line,), total=2)
    >>> results.is_complete, results.counts("a", "b").points
    (False, 1.0)
    """

    lines: tuple[GameLine, ...]
    engines: Mapping[str, Engine] = field(default_factory=dict)
    sprt: Sprt | None = None
    paired: bool = True
    total: int | None = None
    verdict: str | None = None
    records: tuple[GameRecord, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether there is nothing left to play."""
        return self.verdict is not None or self.total is None or len(self.lines) >= self.total

    @property
    def names(self) -> list[str]:
        """The players, as outputs name them."""
        return list(dict.fromkeys([*self.engines, *players_of(self.lines)]))

    def counts(self, first: str | None = None, second: str | None = None) -> Counts:
        """The results of one player against another: unless named, of the first two."""
        names = self.names
        for name in (first, second):
            if name is not None and name not in names:
                raise MatchError(f"no {name!r} has played here; the players are {', '.join(names)}")
        first = first or names[0]
        second = second or next(name for name in names if name != first)
        return counts_of(self.lines, first, second, paired=self.paired)

    def ratings(self, *, anchor: str | None = None, anchor_elo: float = 0.0) -> Ratings:
        """Elo of all players, relative to one whose rating is fixed."""
        return ratings(self.lines, anchor=anchor, anchor_elo=anchor_elo)

    def rating_table(self, *, anchor: str | None = None, anchor_elo: float = 0.0) -> str:
        """The ratings as a table."""
        return rating_table(self.lines, anchor=anchor, anchor_elo=anchor_elo)

    def __str__(self) -> str:
        return statistics(self.lines, engines=self.engines, sprt=self.sprt, paired=self.paired)


def results_of(
    match: Match,
    lines: Sequence[GameLine],
    *,
    verdict: str | None = None,
    records: Sequence[GameRecord] = (),
) -> Results:
    """The results of one match."""
    return Results(
        tuple(lines),
        {marked(engine.name, engine.fog_honest): engine for engine in match.engines},
        match.sprt,
        match.paired,
        match.total,
        verdict,
        tuple(records),
    )


def read_results(files: Sequence[str | Path], *, records: bool = False) -> Results:
    """The games in the files of several matches taken together, their pairs kept apart.

    A file is that of a match, or one with a game's JSON on each line. With `records`, the games are
    read in full as well.
    """
    if not files:
        raise MatchError("expected the file of a match at least")
    lines: list[GameLine] = []
    games: list[GameRecord] = []
    engines: dict[str, list[Engine]] = {}
    matches: list[Match] = []
    for path in map(Path, files):
        match, own, full = _read(path, records)
        first_pair = 1 + max((line.pair for line in lines), default=-1)
        lines += [replace(line, pair=line.pair + first_pair) for line in own]
        games += full
        if match is not None:
            matches.append(match)
            for engine in match.engines:
                engines.setdefault(marked(engine.name, engine.fog_honest), []).append(engine)
    # What a name stands for is told only if it stands for the same everywhere.
    same = {name: found[0] for name, found in engines.items() if len(set(found)) == 1}
    alone = matches[0] if len(matches) == len(files) == 1 else None
    return Results(
        tuple(lines),
        same,
        alone.sprt if alone else None,
        all(match.paired for match in matches),
        alone.total if alone else None,
        records=tuple(games),
    )


def _read(path: Path, full: bool) -> tuple[Match | None, list[GameLine], list[GameRecord]]:
    try:
        with path.open("rb") as file:
            is_match = file.read(len(_SQLITE)) == _SQLITE
    except OSError as error:
        raise FileError(f"cannot read {path}: {error.strerror}") from error
    if is_match:
        with Store.open(path) as store:
            return store.match, store.lines(), list(store.records()) if full else []
    records = _read_json(path)
    return None, [record.line() for record in records], records if full else []


def _read_json(path: Path) -> list[GameRecord]:
    records = []
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    try:
                        records.append(GameRecord.from_dict(json.loads(line)))
                    except ValueError as error:
                        words = str(error) if isinstance(error, MatchError) else "this is no JSON"
                        raise MatchError(
                            f"{path}, line {number}: {words}; expected the file of a match, or one "
                            "with the JSON of a game on each line"
                        ) from error
    except UnicodeDecodeError as error:
        raise FileError(f"{path} is neither the file of a match nor text") from error
    return records

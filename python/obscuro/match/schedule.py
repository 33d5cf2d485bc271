"""What a match is: who plays whom, how often, from where."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations
from typing import Any

from obscuro.errors import MatchError
from obscuro.match.engines import Engine
from obscuro.match.openings import opening_of
from obscuro.match.referee import Adjudication
from obscuro.match.sprt import Sprt

TOURNAMENTS = ("roundrobin", "gauntlet")


@dataclass(frozen=True)
class Task:
    """One game that is to be played.

    >>> Task(number=3, round=2, pair=1, white=1, black=0, start="...").white
    1
    """

    number: int
    round: int
    pair: int
    white: int
    black: int
    start: str


@dataclass(frozen=True)
class Match:
    """Everything that decides which games are played; a match goes on from its file with it.

    Attributes:
        engines: Who takes part.
        rounds: How often each two of them meet.
        games: Games of a meeting: 2 with the colours swapped, or 1.
        tournament: All against all, or the first against all others.
        seed: Of everything that is drawn.
        openings: The positions to start from, as FENs; none means the start of chess.
        sprt: When to stop early, with two engines.
        silence: Seconds without an answer, beyond what is allowed, after which an engine is ended.
        event: The name of it all.
        paired: Whether statistics and SPRT look at pairs of games (pentanomial), or at single games
            (trinomial).

    >>> match = Match((Engine("a", "random"), Engine("b", "random")), rounds=2)
    >>> [(task.white, task.black, task.pair) for task in match.tasks()]
    [(0, 1, 0), (1, 0, 0), (0, 1, 1), (1, 0, 1)]
    """

    engines: tuple[Engine, ...]
    rounds: int = 1
    games: int = 2
    tournament: str = "roundrobin"
    seed: int = 0
    openings: tuple[str, ...] = ()
    sprt: Sprt | None = None
    adjudication: Adjudication = field(default_factory=Adjudication)
    silence: float = 10.0
    event: str = "obscuro match"
    paired: bool = True

    def __post_init__(self) -> None:
        names = [engine.name for engine in self.engines]
        if len(names) < 2:
            raise MatchError(f"a match needs two engines at least, got {len(names)}")
        if twice := {name for name in names if names.count(name) > 1}:
            raise MatchError(
                f"two engines are called {sorted(twice)[0]!r}: give one another name with name=..."
            )
        if self.rounds < 1:
            raise MatchError(f"rounds={self.rounds}: expected 1 or more")
        if self.games not in (1, 2):
            raise MatchError(f"games={self.games}: expected 1, or 2 with colours swapped")
        if self.tournament not in TOURNAMENTS:
            raise MatchError(f"tournament {self.tournament}: expected {' or '.join(TOURNAMENTS)}")
        if self.sprt is not None and len(names) != 2:
            raise MatchError(f"an SPRT compares two engines, got {len(names)}")

    def plan(self) -> "Match":
        """The match without what was found out about its players when it began."""
        engines = (
            replace(
                engine,
                threads=1,
                fog_honest=True,
                program=engine.program and replace(engine.program, seed_option=""),
            )
            for engine in self.engines
        )
        return replace(self, engines=tuple(engines))

    def pairings(self) -> list[tuple[int, int]]:
        """Who meets whom, by index."""
        if self.tournament == "gauntlet":
            return [(0, other) for other in range(1, len(self.engines))]
        return list(combinations(range(len(self.engines)), 2))

    def tasks(self) -> Iterator[Task]:
        """All games in their order."""
        number = pair = 0
        for round_ in range(1, self.rounds + 1):
            for first, second in self.pairings():
                # Without pairs of games the colours change from round to round.
                swap = self.games == 1 and round_ % 2 == 0
                start = opening_of(list(self.openings), round_ - 1)
                for game in range(self.games):
                    white, black = (second, first) if swap ^ (game == 1) else (first, second)
                    yield Task(number, round_, pair, white, black, start)
                    number += 1
                pair += 1

    @property
    def total(self) -> int:
        """How many games that are."""
        return self.rounds * self.games * len(self.pairings())

    def to_json(self) -> str:
        """The match as JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "Match":
        """A match from its JSON."""
        data: dict[str, Any] = json.loads(text)
        data["engines"] = tuple(Engine.from_dict(engine) for engine in data["engines"])
        data["openings"] = tuple(data["openings"])
        data["sprt"] = Sprt(**data["sprt"]) if data["sprt"] else None
        data["adjudication"] = Adjudication(**data["adjudication"])
        return cls(**data)

"""The record of one game: everything that happened, as JSON and as PGN.

The JSON is one object, `"format": "obscuro-game/1"`. It holds the truth, what each player
observed after every ply, the clocks, and what the players told about their searches.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

import chess

from obscuro import __version__
from obscuro.errors import MatchError, ObscuroError
from obscuro.fow import STARTING_FEN, Board, Game
from obscuro.match.referee import COLORS, FAULTS, Ply

FORMAT = "obscuro-game/1"
NOT_FOG_HONEST = "not fog-honest"

_POINTS = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}


@dataclass(frozen=True)
class Side:
    """Who played a colour.

    Attributes:
        name: The name in this match.
        player: The text that makes the player.
        control: The time control, in words.
        seed: The seed that the player was given, where it takes one.
        fog_honest: Whether the player was given observations only.

    >>> str(Side("peeker", "uci(command=peeker,mode=plain)", fog_honest=False))
    'peeker (not fog-honest)'
    """

    name: str
    player: str
    control: str = ""
    seed: int | None = None
    fog_honest: bool = True

    def __str__(self) -> str:
        return marked(self.name, self.fog_honest)


def marked(name: str, fog_honest: bool) -> str:
    """A player's name as every output gives it."""
    return name if fog_honest else f"{name} ({NOT_FOG_HONEST})"


@dataclass(frozen=True)
class GameLine:
    """A finished game in short: all that statistics need.

    >>> line = GameLine(0, 0, 1, "a", "b", True, True, "1-0", "king captured", "rules", 31)
    >>> line.score(chess.WHITE), line.name(chess.BLACK)
    (1.0, 'b')
    """

    number: int
    pair: int
    round: int
    white: str
    black: str
    white_fog_honest: bool
    black_fog_honest: bool
    result: str
    reason: str
    kind: str
    plies: int

    def score(self, color: chess.Color) -> float:
        """Points of a side: 1, 0.5 or 0."""
        points = _POINTS[self.result]
        return points if color == chess.WHITE else 1.0 - points

    def name(self, color: chess.Color) -> str:
        """Who played this colour, as outputs give it."""
        if color == chess.WHITE:
            return marked(self.white, self.white_fog_honest)
        return marked(self.black, self.black_fog_honest)

    @property
    def is_fault(self) -> bool:
        """Whether a player lost by a failure of its program."""
        return self.kind in FAULTS


@dataclass(frozen=True)
class GameRecord:
    """A finished game.

    >>> record = GameRecord(Side("a", "random"), Side("b", "random"),
    ...     [Ply("f2f3", 0.1), Ply("e7e5", 0.2)], "0-1", "White resigned", "resignation")
    >>> record.score(chess.BLACK), record.moves_played
    (1.0, 1)
    >>> GameRecord.from_json(record.to_json()) == record
    True
    """

    white: Side
    black: Side
    plies: Sequence[Ply]
    result: str
    reason: str
    kind: str
    start: str = STARTING_FEN
    number: int = 0
    round: int = 1
    pair: int = 0
    event: str = "obscuro match"
    date: str = "????.??.??"
    version: str = field(default=__version__)

    def side(self, color: chess.Color) -> Side:
        """Who played this colour."""
        return self.white if color == chess.WHITE else self.black

    def score(self, color: chess.Color) -> float:
        """Points of a side: 1, 0.5 or 0."""
        points = _POINTS[self.result]
        return points if color == chess.WHITE else 1.0 - points

    @property
    def is_fault(self) -> bool:
        """Whether a player lost by a failure of its program."""
        return self.kind in FAULTS

    @property
    def moves_played(self) -> int:
        """Full moves."""
        return len(self.plies) // 2

    def line(self) -> GameLine:
        """The game in short."""
        return GameLine(
            self.number,
            self.pair,
            self.round,
            self.white.name,
            self.black.name,
            self.white.fog_honest,
            self.black.fog_honest,
            self.result,
            self.reason,
            self.kind,
            len(self.plies),
        )

    def board(self) -> Board:
        """The true board at the end."""
        board = Board(self.start)
        for ply in self.plies:
            board.push_uci(ply.move)
        return board

    @cached_property
    def mover(self) -> chess.Color:
        """Who moves first."""
        return Board(self.start).turn

    def plies_of(self, color: chess.Color) -> list[Ply]:
        """The plies of one side."""
        return list(self.plies[0 if color == self.mover else 1 :: 2])

    def as_dict(self) -> dict[str, Any]:
        """The record as plain data."""
        board = Board(self.start)
        seen = {color: [str(board.observation(color))] for color in COLORS}
        moves = []
        for ply in self.plies:
            san = board.san(board.parse_uci(ply.move))
            moves.append({**asdict(ply), "san": san})
            board.push_uci(ply.move)
            for color in COLORS:
                seen[color].append(str(board.observation(color)))
        return {
            "format": FORMAT,
            "version": self.version,
            "event": self.event,
            "date": self.date,
            "number": self.number,
            "round": self.round,
            "pair": self.pair,
            "white": asdict(self.white),
            "black": asdict(self.black),
            "start": self.start,
            "plies": moves,
            "observations": {chess.COLOR_NAMES[color]: seen[color] for color in COLORS},
            "end": board.fen(),
            "result": self.result,
            "reason": self.reason,
            "kind": self.kind,
        }

    def to_json(self) -> str:
        """The record as one line of JSON."""
        return json.dumps(self.as_dict(), ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_dict(cls, data: object) -> "GameRecord":
        """A record from plain data."""
        if not isinstance(data, Mapping) or data.get("format") != FORMAT:
            found = data.get("format") if isinstance(data, Mapping) else data
            raise MatchError(
                f'not a record of a game: expected "format": "{FORMAT}", got {found!r}'
            )
        try:
            plies = [
                Ply(**{key: value for key, value in ply.items() if key != "san"})
                for ply in data["plies"]
            ]
            names = ("result", "reason", "kind", "start", "number", "round", "pair")
            record = cls(
                Side(**data["white"]),
                Side(**data["black"]),
                plies,
                **{key: data[key] for key in (*names, "event", "date", "version")},
            )
            record.score(chess.WHITE)
            record.board()
        except (KeyError, TypeError, ObscuroError) as error:
            raise MatchError(f"not a record of a game: {type(error).__name__} {error}") from error
        return record

    @classmethod
    def from_json(cls, text: str) -> "GameRecord":
        """A record from its JSON."""
        try:
            data = json.loads(text)
        except ValueError as error:
            raise MatchError(f"not the record of a game: {error}") from error
        return cls.from_dict(data)

    def to_pgn(self) -> Game:
        """The game in PGN, with the time of every move in its comment."""
        headers = {
            "Event": self.event,
            "Date": self.date,
            "Round": f"{self.round}.{self.number + 1}",
            "White": str(self.white),
            "Black": str(self.black),
            "Result": self.result,
            "Termination": "normal" if not self.is_fault else self.kind,
            "WhiteTimeControl": self.white.control,
            "BlackTimeControl": self.black.control,
        }
        moves = [chess.Move.from_uci(ply.move) for ply in self.plies]
        comments = {index + 1: _comment(ply) for index, ply in enumerate(self.plies)}
        if self.plies:
            comments[len(self.plies)] += f", {self.reason}"
        else:
            comments[0] = self.reason
        comments = {ply: text.replace("}", ")").replace("{", "(") for ply, text in comments.items()}
        return Game(headers, moves, self.start, comments)


def _comment(ply: Ply) -> str:
    parts = []
    value = ply.search.get("value")
    if isinstance(value, int | float):
        parts.append(f"{value:+.3f}")
    parts.append(f"{ply.seconds:.3f}s")
    if ply.left is not None:
        parts.append(f"tl={ply.left:.3f}s")
    return " ".join(parts)

"""What a player is: someone who is told what they observe, and asked for a move."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import chess

from obscuro.fow import STARTING_FEN, Observation


@dataclass(frozen=True)
class Clock:
    """A player's clock when it is their turn.

    Attributes:
        remaining: Seconds left until the flag falls.
        increment: Seconds that each own move adds.
        moves_to_go: Own moves until more time is given, where that is so.

    >>> Clock(remaining=180.0, increment=2.0)
    Clock(remaining=180.0, increment=2.0, moves_to_go=None)
    """

    remaining: float
    increment: float = 0.0
    moves_to_go: int | None = None


@dataclass(frozen=True)
class Limits:
    """What a player may spend on one move. Nothing set means: as the player likes.

    Attributes:
        seconds: Time for this move.
        nodes: Nodes of the search tree.
        clock: The player's clock, for players that plan their time.

    >>> Limits(seconds=5.0)
    Limits(seconds=5.0, nodes=None, clock=None)
    """

    seconds: float | None = None
    nodes: int | None = None
    clock: Clock | None = None


@dataclass(frozen=True)
class Decision:
    """A player's answer.

    Attributes:
        move: The move to play; `None` resigns.
        strategy: The probability of each move that was considered, where the player has one.
        report: What the player wants to tell about its thinking, as plain data.

    >>> Decision(chess.Move.from_uci("e2e4"), strategy={"e2e4": 1.0}).move.uci()
    'e2e4'
    """

    move: chess.Move | None
    strategy: Mapping[str, float] = field(default_factory=dict)
    report: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Result:
    """How a game ended, as both players are told.

    Attributes:
        winner: `chess.WHITE`, `chess.BLACK`, or `None` for a draw.
        reason: Why, in a few words.

    >>> str(Result(chess.BLACK, "White resigned"))
    '0-1 (White resigned)'
    """

    winner: chess.Color | None
    reason: str

    @property
    def score(self) -> str:
        """The result as PGN writes it."""
        return {chess.WHITE: "1-0", chess.BLACK: "0-1", None: "1/2-1/2"}[self.winner]

    def __str__(self) -> str:
        return f"{self.score} ({self.reason})"


class Player(Protocol):
    """One side of a game, and all that it is ever told.

    The referee calls `new_game`, then `observe` for the start position and after **every** ply,
    the player's own included, then `choose` when it is the player's turn, and `game_over` at last.
    After that another game may begin; `close` ends it all.
    """

    def new_game(self, color: chess.Color, start: str = STARTING_FEN) -> None:
        """A game begins from a position that both players know; the player has this colour."""

    def observe(self, observation: Observation) -> None:
        """What the player sees now."""

    def choose(self, limits: Limits) -> Decision:
        """Asks for a move. It is the player's turn."""
        ...

    def game_over(self, result: Result) -> None:
        """The game has ended."""

    def close(self) -> None:
        """Lets go of processes, threads and memory: no game follows."""

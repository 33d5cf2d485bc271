"""The referee: it sees the board, keeps the clocks, and tells each player what they observe.

Nothing but observations and the result reaches a player. The only exception are players that the
referee was told are not *fog-honest*: external programs that insist on the whole game. They are
told all moves before they choose, and everything that is written about their games says so.
"""

import math
import time
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Protocol, runtime_checkable

import chess

from obscuro.errors import (
    EngineEndedError,
    EngineLateError,
    EngineMoveError,
    IllegalMoveError,
    PlayerError,
)
from obscuro.fow import Board
from obscuro.match.clock import PlayerClock, TimeControl
from obscuro.players import Decision, Limits, Player, Result

RULES = "rules"
RESIGNATION = "resignation"
ADJUDICATION = "adjudication"
TIME = "time"
ILLEGAL = "illegal move"
ERROR = "error"
CRASH = "crash"
SILENCE = "silence"
FAULTS = (TIME, ILLEGAL, ERROR, CRASH, SILENCE)
"""The ways to lose that are no chess."""

COLORS = (chess.WHITE, chess.BLACK)
_LONGEST_WORD = 80
_LONGEST_LIST = 8


@runtime_checkable
class SeesAll(Protocol):
    """A player that can be told the moves of both sides."""

    def reveal(self, moves: Sequence[chess.Move]) -> None:
        """All moves of the game so far."""


@dataclass(frozen=True)
class Ply:
    """A move as it was played.

    Attributes:
        move: In UCI notation.
        seconds: What the player took to choose it.
        observing: What the player had taken for its observations since its last move.
        left: What its clock shows afterwards, if it has one.
        strategy: The probabilities with which the player chose, where it told them.
        search: What the player told about its search, without what is long.
    """

    move: str
    seconds: float
    observing: float = 0.0
    left: float | None = None
    strategy: Mapping[str, float] = field(default_factory=dict)
    search: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Verdict:
    """How a game ended: the result that the players are told, and of which kind the end was.

    >>> Verdict(Result(chess.BLACK, "White resigned"), RESIGNATION).is_fault
    False
    """

    result: Result
    kind: str = RULES

    @property
    def is_fault(self) -> bool:
        """Whether a player lost by a failure of its program."""
        return self.kind in FAULTS

    def but_then(self, words: str) -> "Verdict":
        """The same result; the reason tells what went wrong when the game was over.

        >>> str(Verdict(Result(None, "both agreed")).but_then("White failed").result)
        '1/2-1/2 (both agreed; afterwards White failed)'
        """
        reason = f"{self.result.reason}; afterwards {words}"
        return replace(self, result=replace(self.result, reason=reason))


@dataclass(frozen=True)
class Adjudication:
    """When the referee ends a game by itself; by default never.

    The values are those that the players report of their searches, each from its own side.

    Attributes:
        max_moves: A draw once both have played so many moves.
        resign_count: A player whose last so many values were at most `-resign_value` loses.
        resign_value: See above.
        resign_twosided: Only if the opponent's last so many values were at least `resign_value`.
        draw_count: A draw after so many moves of both with values within `draw_value` of zero,
        draw_value: See above.
        draw_after: but not before this move.
    """

    max_moves: int | None = None
    resign_count: int = 0
    resign_value: float = 1.0
    resign_twosided: bool = False
    draw_count: int = 0
    draw_value: float = 0.0
    draw_after: int = 0


class Watcher(Protocol):
    """Follows a game as it goes on."""

    def waiting(self, color: chess.Color, seconds: float | None) -> None:
        """The referee waits for this player, who should answer in so many seconds."""

    def played(self, ply: Ply) -> None:
        """A move was played."""

    def decided(self, verdict: Verdict) -> None:
        """The game is over: its result stands, only its reason may still be told more fully."""


class Referee:
    """Plays one game to its end on a board, which keeps the moves.

    With `forfeits`, a player who fails in any way loses the game with the reason told; without,
    the failure is raised. The clock of a player runs whenever it is asked something. Only players
    of the colours `told_all` are told the moves of both sides.

    >>> from obscuro.players import make
    >>> players = {color: make(f"random(seed={color:d})") for color in COLORS}
    >>> board = Board()
    >>> verdict = Referee(board, players, TimeControl()).play()
    >>> verdict.kind, verdict.result.score == board.result()
    ('rules', True)
    """

    def __init__(
        self,
        board: Board,
        players: Mapping[chess.Color, Player],
        control: TimeControl | Mapping[chess.Color, TimeControl],
        *,
        adjudication: Adjudication | None = None,
        forfeits: bool = False,
        told_all: Container[chess.Color] = (),
        watcher: Watcher | None = None,
    ) -> None:
        controls = dict.fromkeys(COLORS, control) if isinstance(control, TimeControl) else control
        self.board = board
        self.clocks = {color: PlayerClock(controls[color]) for color in COLORS}
        self.plies: list[Ply] = []
        self._players = players
        self._adjudication = adjudication or Adjudication()
        self._forfeits = forfeits
        self._told_all = told_all
        self._watcher = watcher
        self._observing = dict.fromkeys(COLORS, 0.0)
        self._values: dict[chess.Color, list[float]] = {color: [] for color in COLORS}

    def play(self) -> Verdict:
        """Plays the game; both players have been told the result when this returns."""
        verdict = self._begin()
        while verdict is None:
            verdict = self._turn()
        if self._watcher is not None:
            self._watcher.decided(verdict)
        result = verdict.result
        for color, player in self._players.items():
            self._wait(color, 0.0)
            failed = self._ask(color, partial(player.game_over, result))
            # A program that has failed in the game is expected to fail now as well.
            if isinstance(failed, Verdict) and not (verdict.is_fault and result.winner != color):
                verdict = verdict.but_then(failed.result.reason)
                if self._watcher is not None:
                    self._watcher.decided(verdict)
        return verdict

    def _begin(self) -> Verdict | None:
        start = self.board.root().fen()
        for color, player in self._players.items():
            self._wait(color, None)
            failed = self._ask(color, partial(player.new_game, color, start))
            if isinstance(failed, Verdict):
                return failed
        failed = self._observe(in_time=False)
        return failed or self._end_by_rules()

    def _turn(self) -> Verdict | None:
        color = self.board.turn
        clock = self.clocks[color]
        if clock.is_overrun():
            return self._lost_on_time(color)
        self._wait(color, clock.allowance)
        limits, start = clock.limits(), time.perf_counter()
        decision = self._ask(color, partial(self._choose, color, limits))
        seconds = time.perf_counter() - start
        if isinstance(decision, Verdict):
            return decision
        clock.spend_choosing(seconds)
        if clock.is_overrun():
            return self._lost_on_time(color)
        move = decision.move
        if move is None:
            return Verdict(Result(not color, f"{name(color)} resigned"), RESIGNATION)
        if not self.board.is_legal(move):
            words = f"{name(color)} chose {move.uci()}, which is not legal"
            if not self._forfeits:
                raise IllegalMoveError(words)
            return Verdict(Result(not color, words), ILLEGAL)
        self.board.push(move)
        clock.end_of_move()
        self._record(color, decision, seconds)
        return self._observe() or self._end_by_rules() or self._adjudicate(color, decision)

    def _choose(self, color: chess.Color, limits: Limits) -> Decision:
        player = self._players[color]
        if color in self._told_all and isinstance(player, SeesAll):
            player.reveal(self.board.move_stack)
        decision: object = player.choose(limits)
        if not isinstance(decision, Decision) or not isinstance(decision.move, chess.Move | None):
            raise PlayerError(f"expected a Decision with a chess.Move or None, got {decision!r}")
        return decision

    def _record(self, color: chess.Color, decision: Decision, seconds: float) -> None:
        move = self.board.peek()
        ply = Ply(
            move.uci(),
            seconds,
            self._observing[color],
            self.clocks[color].remaining,
            dict(decision.strategy),
            summary(decision.report),
        )
        self._observing[color] = 0.0
        self.plies.append(ply)
        if self._watcher is not None:
            self._watcher.played(ply)

    def _observe(self, *, in_time: bool = True) -> Verdict | None:
        """Gives each player what they observe; at the start the clocks do not run yet."""
        for color, player in self._players.items():
            clock = self.clocks[color]
            counts = in_time and clock.control.counts_observing
            self._wait(color, clock.allowance if counts else None)
            observation = self.board.observation(color)
            start = time.perf_counter()
            failed = self._ask(color, partial(player.observe, observation))
            seconds = time.perf_counter() - start
            # A captured king counts before what a program makes of it.
            if isinstance(failed, Verdict):
                return self._end_by_rules() or failed
            if in_time:
                self._observing[color] += seconds
                clock.spend_observing(seconds)
        return None

    def _end_by_rules(self) -> Verdict | None:
        outcome = self.board.outcome()
        if outcome is None:
            return None
        return Verdict(Result(outcome.winner, outcome.termination.words))

    def _adjudicate(self, color: chess.Color, decision: Decision) -> Verdict | None:
        rules = self._adjudication
        played = len(self.plies) // 2
        if rules.max_moves is not None and played >= rules.max_moves:
            return Verdict(Result(None, f"{rules.max_moves} moves were played"), ADJUDICATION)
        value = decision.report.get("value")
        values = self._values[color]
        if isinstance(value, int | float):
            values.append(float(value))
        else:
            values.clear()
        if self._is_given_up(color):
            return Verdict(Result(not color, f"{name(color)} is lost"), ADJUDICATION)
        if played >= rules.draw_after and self._is_level():
            return Verdict(Result(None, "both players see a draw"), ADJUDICATION)
        return None

    def _is_given_up(self, color: chess.Color) -> bool:
        rules = self._adjudication
        mine, theirs = (self._last(side, rules.resign_count) for side in (color, not color))
        if not mine or max(mine) > -rules.resign_value:
            return False
        return not rules.resign_twosided or (bool(theirs) and min(theirs) >= rules.resign_value)

    def _is_level(self) -> bool:
        rules = self._adjudication
        both = [self._last(side, rules.draw_count) for side in COLORS]
        return all(both) and max(abs(v) for values in both for v in values) <= rules.draw_value

    def _last(self, color: chess.Color, count: int) -> list[float]:
        """The last values that a player told; none if there are not so many."""
        values = self._values[color]
        return values[-count:] if 0 < count <= len(values) else []

    def _lost_on_time(self, color: chess.Color) -> Verdict:
        return Verdict(Result(not color, f"{name(color)} lost on time"), TIME)

    def _wait(self, color: chess.Color, seconds: float | None) -> None:
        if self._watcher is not None:
            self._watcher.waiting(color, seconds)

    def _ask(self, color: chess.Color, ask: Callable[[], Any]) -> Any:  # noqa: ANN401
        """What a player answers, or the verdict if it fails and failing loses."""
        if not self._forfeits:
            return ask()
        try:
            return ask()
        except Exception as error:  # whatever a player raises is its failure, and told as such
            words = f"{name(color)} failed: {type(error).__name__}: {error}"
            return Verdict(Result(not color, words), kind_of(error))


def kind_of(error: Exception) -> str:
    """In which way a player failed that raised this.

    >>> kind_of(EngineLateError("no answer")), kind_of(ZeroDivisionError())
    ('silence', 'error')
    """
    kinds = {EngineEndedError: CRASH, EngineLateError: SILENCE, EngineMoveError: ILLEGAL}
    return next((kind for cause, kind in kinds.items() if isinstance(error, cause)), ERROR)


def play_game(board: Board, players: Mapping[chess.Color, Player], control: TimeControl) -> Result:
    """Plays a game to its end on `board`, which keeps the moves; a player's failure is raised."""
    return Referee(board, players, control).play().result


def name(color: chess.Color) -> str:
    """The colour as a sentence begins with it."""
    return chess.COLOR_NAMES[color].capitalize()


def summary(report: Mapping[str, Any]) -> dict[str, Any]:
    """A report without what is long: numbers, short words, and short lists of these.

    >>> summary({"nodes": 12, "moves": [{"move": "e2e4"}], "times": {"search": 0.5}})
    {'nodes': 12, 'times': {'search': 0.5}}
    """
    short: dict[str, Any] = {}
    for key, value in report.items():
        if isinstance(value, Mapping):
            if inner := summary(value):
                short[str(key)] = inner
        elif isinstance(value, list | tuple):
            if len(value) <= _LONGEST_LIST and all(_is_plain(entry) for entry in value):
                short[str(key)] = list(value)
        elif _is_plain(value):
            short[str(key)] = value
    return short


def _is_plain(value: object) -> bool:
    if isinstance(value, str):
        return len(value) <= _LONGEST_WORD
    if isinstance(value, float):
        return math.isfinite(value)
    return value is None or isinstance(value, bool | int)

"""Another program as a player: an engine that speaks UCI, in its fog form or plain."""

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal

import chess

from obscuro.errors import EngineError, EngineMoveError, PlayerError
from obscuro.fow import STARTING_FEN, Observation
from obscuro.players.base import Decision, Limits, Result
from obscuro.players.memory import own_move
from obscuro.players.process import START_SECONDS, EngineProcess
from obscuro.players.score import MOST, cp_to_value

DEFAULT_SECONDS = 1.0
"""The time for a move where nothing limits it."""

_NO_MOVE = {"(none)", "0000", "NULL"}


class UciPlayer:
    """An engine in a process of its own.

    In the fog form it is told what a player is told, observations; see the engine protocol's page.
    In the plain form it must be told every move of the game, `reveal` before each `choose`: it is
    trusted not to look, and `fog_honest` says so.

    Args:
        command: The program and its arguments.
        options: Options of the engine by name.
        mode: `"fog"` or `"plain"`.
        grace_seconds: How late it may be.
        patience_seconds: What it may take where no limit is a time.
        start_seconds: What it may take to start, and to get ready for a game.

    An engine that is late or has ended raises an `EngineError`; what is asked of it next starts it
    again. If its option `Ponder` is set, an engine in the fog form is told at once what its own
    move has led to, so that it can think on the opponent's time.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        options: Mapping[str, str] | None = None,
        mode: Literal["fog", "plain"] = "fog",
        grace_seconds: float = 5.0,
        patience_seconds: float = 600.0,
        start_seconds: float = START_SECONDS,
    ) -> None:
        if mode not in ("fog", "plain"):
            raise PlayerError(f"mode is {mode!r}, expected fog or plain")
        self.fog_honest = mode == "fog"
        self.name = ""
        self._command = command
        self._options = dict(options or {})
        ponder = {name.casefold(): value for name, value in self._options.items()}.get("ponder")
        self._tells_at_once = self.fog_honest and ponder == "true"
        self._grace = grace_seconds
        self._patience = patience_seconds
        self._start_seconds = start_seconds
        self._process: EngineProcess | None = None
        self._color: chess.Color = chess.WHITE
        self._start = STARTING_FEN
        self._observations: list[Observation] = []
        self._moves: list[chess.Move] = []
        self._truth: list[chess.Move] | None = None

    def new_game(self, color: chess.Color, start: str = STARTING_FEN) -> None:
        """Starts the engine if it does not run, and has it forget the last game."""
        self._color, self._start = color, start
        self._observations, self._moves, self._truth = [], [], None
        process = self._running()
        try:
            process.send("ucinewgame")
            process.wait_ready()
        except EngineError:
            self._drop()
            raise

    def observe(self, observation: Observation) -> None:
        """Keeps what is seen, and the own move that it tells."""
        before = self._observations[-1] if self._observations else None
        if before and before.turn == self._color and observation.outcome() is None:
            self._moves.append(own_move(before, observation))
        self._observations.append(observation)
        is_theirs = observation.turn != self._color and observation.outcome() is None
        if self._tells_at_once and is_theirs and self._process is not None:
            try:
                self._process.send(self._position())
            except EngineError:
                self._drop()
                raise

    def reveal(self, moves: Sequence[chess.Move]) -> None:
        """All moves of the game so far, for an engine in the plain form and for no other."""
        if self.fog_honest:
            raise PlayerError("an engine in the fog form is never shown the moves of the game")
        self._truth = list(moves)

    def choose(self, limits: Limits) -> Decision:
        """Asks the engine, and checks that its move is legal."""
        if not self._observations or not (legal := self._observations[-1].legal_moves):
            raise PlayerError("asked for a move with no legal move in sight: observe comes first")
        position = self._position()
        process = self._running()
        try:
            process.send(position)
            process.send(go_line(limits, self._color))
            lines = process.lines_until("bestmove", self._allowed(limits))
        except EngineError:
            self._drop()
            raise
        words = lines[-1].split()
        report = read_report(lines)
        errors = "; ".join(report.get("errors", []))
        if len(words) < 2 or words[1] in _NO_MOVE:
            if errors:
                raise EngineError(f"{process.name} has no move: {errors}")
            return Decision(None, report=report)
        move = next((move for move in legal if move.uci() == words[1].lower()), None)
        if move is None:
            reason = f"; it said: {errors}" if errors else ""
            raise EngineMoveError(
                f"{process.name} answers {lines[-1]!r}, which is no legal move{reason}"
            )
        return Decision(move, report.pop("strategy", {}), report)

    def stop(self) -> None:
        """Asks the engine to answer now; for another thread than that of `choose`."""
        process = self._process
        if process is not None:
            process.send("stop")

    def game_over(self, result: Result) -> None:
        """Keeps the engine for the next game."""

    def close(self) -> None:
        """Ends the engine."""
        if self._process is not None:
            self._process.close()
            self._process = None

    def _running(self) -> EngineProcess:
        if self._process is not None and not self._process.is_running:
            self._drop()
        if self._process is None:
            process = EngineProcess(self._command, start_seconds=self._start_seconds)
            try:
                told = process.handshake()
                _set_options(process, told, self._options)
                _check_ready(process)
            except EngineError:
                process.kill()
                raise
            names = [line.removeprefix("id name ") for line in told if line.startswith("id name ")]
            self.name = names[0] if names else process.name
            self._process = process
        return self._process

    def _drop(self) -> None:
        """An engine that fails is not spoken to again: nobody knows what it would answer."""
        if self._process is not None:
            self._process.kill()
            self._process = None

    def _position(self) -> str:
        if self.fog_honest:
            return fog_position(self._color, self._start, self._observations, self._moves)
        if self._truth is None:
            raise PlayerError("an engine in the plain form needs the moves: reveal comes first")
        words = ["position"]
        words += ["startpos"] if self._start == STARTING_FEN else ["fen", self._start]
        if self._truth:
            words += ["moves", *(move.uci() for move in self._truth)]
        return " ".join(words)

    def _allowed(self, limits: Limits) -> float:
        times = [limits.seconds] if limits.seconds is not None else []
        if limits.clock is not None:
            times.append(limits.clock.remaining)
        if not times and limits.nodes is None:
            times.append(DEFAULT_SECONDS)
        return min(times, default=self._patience) + self._grace


def fog_position(
    color: chess.Color,
    start: str,
    observations: Iterable[Observation],
    moves: Sequence[chess.Move],
) -> str:
    """The line that tells an engine a game as one player has seen it.

    >>> from obscuro.fow import Board
    >>> fog_position(chess.WHITE, STARTING_FEN, [Board().observation(chess.WHITE)], [])
    'position fog color white observations ????????/.../RNBQKBNR w KQ - - 1'
    """
    words = ["position fog color", chess.COLOR_NAMES[color]]
    if start != STARTING_FEN:
        words += ["start", start]
    words += ["observations", " ; ".join(str(observation) for observation in observations)]
    if moves:
        words += ["moves", *(move.uci() for move in moves)]
    return " ".join(words)


def go_line(limits: Limits, color: chess.Color) -> str:
    """The line that starts a search; only the player's own clock is known.

    >>> from obscuro.players.base import Clock
    >>> go_line(Limits(clock=Clock(180.0, 2.0)), chess.BLACK)
    'go btime 180000 binc 2000'
    """
    words = ["go"]
    if limits.clock is not None:
        side, clock = chess.COLOR_NAMES[color][0], limits.clock
        words += [f"{side}time", str(_milliseconds(clock.remaining))]
        words += [f"{side}inc", str(round(1000 * clock.increment))]
        if clock.moves_to_go is not None:
            words += ["movestogo", str(clock.moves_to_go)]
    if limits.seconds is not None:
        words += ["movetime", str(_milliseconds(limits.seconds))]
    if limits.nodes is not None:
        words += ["nodes", str(limits.nodes)]
    if len(words) == 1:
        words += ["movetime", str(_milliseconds(DEFAULT_SECONDS))]
    return " ".join(words)


def read_report(lines: Iterable[str]) -> dict[str, Any]:
    """What an engine's lines tell of its search: the last of each kind, and all its errors.

    >>> read_report(['info depth 3 nodes 900 score cp 110 pv e2e4', 'info string error bad'])
    {'depth': 3, 'nodes': 900, 'value': 0.500..., 'errors': ['bad']}
    """
    report: dict[str, Any] = {}
    detailed: dict[str, Any] = {}
    errors: list[str] = []
    for line in lines:
        if line.startswith("info string obscuro "):
            detailed = _json(line.removeprefix("info string obscuro "))
        elif line.startswith("info string error "):
            errors.append(line.removeprefix("info string error "))
        elif line.startswith("info ") and not line.startswith("info string"):
            report |= _numbers(line.split())
    report |= detailed
    strategy = report.get("strategy", {})
    if not isinstance(strategy, dict) or not all(
        isinstance(part, float | int) for part in strategy.values()
    ):
        del report["strategy"]
    return report | ({"errors": errors} if errors else {})


def _numbers(words: list[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, word in pairwise(words):
        if name == "pv":
            break
        number = _integer(word)
        if number is None:
            continue
        if name in ("depth", "nodes"):
            found[name] = number
        elif name == "cp":
            found["value"] = cp_to_value(number)
        elif name == "mate":
            found["value"] = cp_to_value(MOST if number > 0 else -MOST)
    return found


def _integer(word: str) -> int | None:
    digits = word.removeprefix("-")
    return int(word) if digits.isascii() and digits.isdecimal() and len(digits) < 16 else None


def _json(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _milliseconds(seconds: float) -> int:
    return max(1, round(1000 * seconds))


def _set_options(process: EngineProcess, told: list[str], options: Mapping[str, str]) -> None:
    known = {}
    for line in told:
        if line.startswith("option name "):
            name = line.removeprefix("option name ").split(" type ")[0]
            known[name.casefold()] = name
    for name, value in options.items():
        if name.casefold() not in known:
            raise EngineError(
                f"{process.name} has no option {name!r}; it has {', '.join(known.values()) or None}"
            )
        process.send(f"setoption name {known[name.casefold()]} value {value}")
    variant = known.get("uci_variant")
    if variant is not None and variant.casefold() not in map(str.casefold, options):
        offered = next(line for line in told if line.startswith(f"option name {variant} "))
        if " var fogofwar" in offered:
            process.send(f"setoption name {variant} value fogofwar")


def _check_ready(process: EngineProcess) -> None:
    errors = read_report(process.wait_ready()).get("errors", [])
    if errors:
        raise EngineError(f"{process.name} refuses: {'; '.join(errors)}")

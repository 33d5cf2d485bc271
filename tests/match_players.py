"""Players for the tests of matches, made by `tests/match_players.py:NAME`."""

import ctypes
import os
import time
from collections.abc import Sequence

import chess

from obscuro.fow import STARTING_FEN, Observation
from obscuro.players import Decision, Limits, Result


class Scripted:
    """Plays the moves it is given, then resigns, and keeps everything that it was told."""

    def __init__(self, moves: str = "", values: str = "") -> None:
        self.moves = moves.split()
        self.values = [float(value) for value in values.split()]
        self.told: list[str] = []

    def new_game(self, color: chess.Color, start: str = STARTING_FEN) -> None:
        self.told.append(f"new_game {color!r} {start!r}")

    def observe(self, observation: Observation) -> None:
        self.told.append(f"observe {observation!r} {observation}")

    def choose(self, limits: Limits) -> Decision:
        self.told.append(f"choose {limits!r}")
        report = {"value": self.values.pop(0)} if self.values else {}
        move = chess.Move.from_uci(self.moves.pop(0)) if self.moves else None
        return Decision(move, report=report)

    def game_over(self, result: Result) -> None:
        self.told.append(f"game_over {result!r}")

    def close(self) -> None:
        self.told.append("close")


class Curious(Scripted):
    """Would like to see all, and says so only later."""

    fog_honest = True

    def reveal(self, moves: Sequence[chess.Move]) -> None:
        raise AssertionError("it was shown the moves of the game")

    def choose(self, limits: Limits) -> Decision:
        self.fog_honest = False
        return super().choose(limits)


class Raises(Scripted):
    """Fails in the method that it is told to fail in."""

    def __init__(self, where: str = "choose", moves: str = "g1f3") -> None:
        super().__init__(moves)
        self.where = where

    def _fail(self, where: str) -> None:
        if where == self.where:
            raise ZeroDivisionError(f"in {where}")

    def new_game(self, color: chess.Color, start: str = STARTING_FEN) -> None:
        self._fail("new_game")

    def observe(self, observation: Observation) -> None:
        self._fail("observe")

    def choose(self, limits: Limits) -> Decision:
        self._fail("choose")
        return super().choose(limits)

    def game_over(self, result: Result) -> None:
        self._fail("game_over")

    def close(self) -> None:
        self._fail("close")


class Crashes(Scripted):
    """Takes its process with it, as a crash of native code does."""

    def choose(self, limits: Limits) -> Decision:
        ctypes.string_at(0)
        raise AssertionError


class Hangs(Scripted):
    """Says nothing any more."""

    def choose(self, limits: Limits) -> Decision:
        time.sleep(600)
        raise AssertionError


class Killed(Scripted):
    """Is ended from outside in its first game, and only then."""

    def __init__(self, mark: str = "") -> None:
        super().__init__("g1f3")
        self.mark = mark

    def choose(self, limits: Limits) -> Decision:
        try:
            os.close(os.open(self.mark, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return super().choose(limits)
        os.kill(os.getpid(), 9)
        raise AssertionError


class Slow(Scripted):
    """Takes a while for its first observation of the opponent's move, or for its first choice."""

    def __init__(self, observing: str = "0", choosing: str = "0", moves: str = "g1f3 f3g1") -> None:
        super().__init__(moves)
        self.observing, self.choosing = float(observing), float(choosing)
        self.seen = 0

    def observe(self, observation: Observation) -> None:
        self.seen += 1
        if self.seen > 1:
            time.sleep(self.observing)

    def choose(self, limits: Limits) -> Decision:
        time.sleep(self.choosing)
        return super().choose(limits)


class KillsWorker(Scripted):
    """Kills the process that its own process works for, in its first game, and only then."""

    def __init__(self, mark: str = "") -> None:
        super().__init__("g1f3")
        self.mark = mark

    def choose(self, limits: Limits) -> Decision:
        try:
            os.close(os.open(self.mark, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return super().choose(limits)
        os.kill(os.getppid(), 9)
        time.sleep(600)
        raise AssertionError

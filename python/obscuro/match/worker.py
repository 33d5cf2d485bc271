"""The process in which a game is played: both players live here, and may fall with it.

It answers the requests of its `Slot` through a pipe. Every answer is a small tuple with a word
first, so that the other side knows at any moment how far the game is, and who is being waited for.
"""

import contextlib
import os
import signal
import threading
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

import chess

from obscuro.errors import ObscuroError
from obscuro.fow import Board
from obscuro.match.engines import Engine, make_player, probe, seed_of
from obscuro.match.referee import (
    COLORS,
    Adjudication,
    Ply,
    Referee,
    Verdict,
    kind_of,
    name,
)
from obscuro.players import Player, Result

_LOOK_EVERY_SECONDS = 1.0


@dataclass(frozen=True)
class GameRequest:
    """A game to play, with all that it needs.

    Attributes:
        seeds: Of White's and Black's player.
    """

    white: Engine
    black: Engine
    start: str
    seeds: tuple[int, int]
    adjudication: Adjudication

    @classmethod
    def seeded(
        cls,
        engines: tuple[Engine, Engine],
        start: str,
        adjudication: Adjudication,
        match_seed: int,
        number: int,
    ) -> "GameRequest":
        """A game with the seeds that the match's seed and the game's number give."""
        seeds = (
            seed_of(match_seed, number, chess.WHITE),
            seed_of(match_seed, number, chess.BLACK),
        )
        return cls(*engines, start, seeds, adjudication)


@dataclass(frozen=True)
class ProbeRequest:
    """A player to be made once and looked at."""

    engine: Engine


def main(pipe: Connection, parent: int) -> None:
    """Answers requests until the pipe is closed or the parent is gone."""
    # The runner decides what an interrupt means, for this process and the programs it starts.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "setsid"):
        os.setsid()
    threading.Thread(target=_leave_with, args=(parent,), daemon=True).start()
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            request = pipe.recv()
            if isinstance(request, ProbeRequest):
                pipe.send(_probe(request.engine))
            else:
                pipe.send(("over", _play(request, pipe)))


def _leave_with(parent: int) -> None:
    """Ends this process when its parent has died: a search would not notice for itself."""
    while os.getppid() == parent:
        time.sleep(_LOOK_EVERY_SECONDS)
    if hasattr(os, "killpg"):
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def _probe(engine: Engine) -> tuple[str, Any]:
    try:
        return "probe", probe(engine)
    except ObscuroError as error:
        return "refused", str(error)
    except Exception as error:  # a player of the user's own may raise anything
        return "refused", f"{type(error).__name__}: {error}"


class _Reporter:
    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe

    def waiting(self, color: chess.Color, seconds: float | None) -> None:
        self._pipe.send(("waiting", color, seconds))

    def played(self, ply: Ply) -> None:
        self._pipe.send(("played", ply))


def _play(request: GameRequest, pipe: Connection) -> Verdict:
    players: dict[chess.Color, Player] = {}
    engines = {chess.WHITE: request.white, chess.BLACK: request.black}
    used: list[int | None] = []
    try:
        for color, seed in zip(COLORS, request.seeds, strict=True):
            pipe.send(("waiting", color, None))
            try:
                players[color], seed_used = make_player(engines[color], seed)
                used.append(seed_used)
            except Exception as error:  # that it cannot begin is the player's failure
                words = f"{name(color)} did not start: {type(error).__name__}: {error}"
                return Verdict(Result(not color, words), kind_of(error))
        pipe.send(("seeds", tuple(used)))
        referee = Referee(
            Board(request.start),
            players,
            {color: engines[color].control for color in COLORS},
            adjudication=request.adjudication,
            forfeits=True,
            watcher=_Reporter(pipe),
        )
        verdict = referee.play()
        pipe.send(("decided", verdict))
        return verdict
    finally:
        for color, player in players.items():
            pipe.send(("closing", color))
            # What fails when everything is over has no game left to lose; the process is replaced.
            try:
                player.close()
            except Exception as error:
                pipe.send(("unclean", color, f"{type(error).__name__}: {error}"))

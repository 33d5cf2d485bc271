"""What is done in the process of a game: both players live here, and may fall with it.

Every answer to a request is a small tuple with a word first, so that the other side knows at any
moment how far the game is, and who is being waited for.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
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


@dataclass(frozen=True)
class GameRequest:
    """A game to play, with all that it needs.

    Attributes:
        seeds: Of White's and Black's player.
        cores: What the process may use; nothing means that it stays as it is.
    """

    white: Engine
    black: Engine
    start: str
    seeds: tuple[int, int]
    adjudication: Adjudication
    cores: tuple[int, ...] = ()

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


def respond(request: object, send: Callable[[Any], None]) -> None:
    """Answers a request of the slot."""
    match request:
        case ProbeRequest(engine):
            send(_probe(engine))
        case GameRequest():
            # All threads and programs that a player starts inherit it.
            if request.cores and hasattr(os, "sched_setaffinity"):
                os.sched_setaffinity(0, request.cores)
            _play(request, send)


def _probe(engine: Engine) -> tuple[str, Any]:
    try:
        return "probe", probe(engine)
    except ObscuroError as error:
        return "refused", str(error)
    except Exception as error:  # a player of the user's own may raise anything
        return "refused", f"{type(error).__name__}: {error}"


class _Reporter:
    def __init__(self, send: Callable[[Any], None]) -> None:
        self._send = send

    def waiting(self, color: chess.Color, seconds: float | None) -> None:
        self._send(("waiting", color, seconds))

    def played(self, ply: Ply) -> None:
        self._send(("played", ply))

    def decided(self, verdict: Verdict) -> None:
        self._send(("decided", verdict))


def _play(request: GameRequest, send: Callable[[Any], None]) -> None:
    players: dict[chess.Color, Player] = {}
    engines = {chess.WHITE: request.white, chess.BLACK: request.black}
    reporter = _Reporter(send)
    verdict: Verdict | None = None
    for color, seed in zip(COLORS, request.seeds, strict=True):
        reporter.waiting(color, None)
        try:
            players[color], used = make_player(engines[color], seed)
        except Exception as error:  # that it cannot begin is the player's failure
            words = f"{name(color)} did not start: {type(error).__name__}: {error}"
            verdict = Verdict(Result(not color, words), kind_of(error))
            reporter.decided(verdict)
            break
        send(("seed", color, used))
    if verdict is None:
        verdict = Referee(
            Board(request.start),
            players,
            {color: engines[color].control for color in COLORS},
            adjudication=request.adjudication,
            forfeits=True,
            told_all={color for color in COLORS if not engines[color].fog_honest},
            watcher=reporter,
        ).play()
    for color, player in players.items():
        reporter.waiting(color, 0.0)
        # What fails when everything is over has no game left to lose, but is told.
        try:
            player.close()
        except Exception as error:
            verdict = verdict.but_then(f"{name(color)} failed: {type(error).__name__}: {error}")
            reporter.decided(verdict)
    send(("over",))

"""The addresses of the analysis of finished games, and the work behind them.

A game that is being played is never analysed: every address asks first whether it is over.
"""

import asyncio
import logging
from collections import OrderedDict
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

import chess
from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from obscuro.analysis import (
    AnalysedGame,
    Analysis,
    AnalysisSettings,
    Analyst,
    BeliefReport,
    PlyReport,
)
from obscuro.analysis.report import render
from obscuro.analysis.review import judge
from obscuro.errors import AnalysisError, ObscuroError
from obscuro.web.depends import ByLobby
from obscuro.web.lobby import Lobby
from obscuro.web.record import GameRunningError
from obscuro.web.room import Room

_log = logging.getLogger(__name__)

NODES = 50_000
"""The nodes of a search, unless more are asked for."""
_HEAD = "head"
_AT_ONCE = 2
"""Each has both sides' engines in memory. Searches share the threads of all other searches."""
_IN_MEMORY = 16
_MEMORY_MB = 512
_BELIEF_CAP = 500_000
_MOST_DEEPENED = 20

State = Literal["idle", "queued", "running"]


class Wish(BaseModel):
    """What the page asks for: to go on with the analysis, to end it, to look deeper at a ply."""

    model_config = ConfigDict(extra="forbid")
    action: Literal["start", "stop", "deepen"]
    ply: int | None = Field(default=None, ge=0, le=100_000)


@dataclass
class Job:
    """The analysis of one game, and what is to be done for it."""

    key: str
    analyst: Analyst
    state: State = "idle"
    going: bool = False
    wanted: list[int] = field(default_factory=list)
    error: str | None = None
    revision: int = 0
    changed: dict[int, int] = field(default_factory=dict)
    task: "asyncio.Task[None] | None" = None

    @property
    def analysis(self) -> Analysis:
        """What is known."""
        return self.analyst.analysis

    def touch(self, ply: int) -> None:
        """Notes that something new is known of a ply."""
        self.revision += 1
        self.changed[ply] = self.revision

    def overview(self, since: int) -> dict[str, Any]:
        """How things stand, and in short what is new since a revision."""
        fresh = sorted(ply for ply, revision in self.changed.items() if revision > since)
        return {
            "state": self.state,
            "deepening": self.wanted,
            "error": self.error,
            "revision": self.revision,
            "done": len(self.analysis.reports),
            "total": self.analysis.total,
            "nodes": self.analysis.settings.engine.nodes,
            "plies": [self._short(self.analysis.reports[ply]) for ply in fresh],
        }

    def _short(self, report: PlyReport) -> dict[str, Any]:
        moves = self.analysis.game.moves
        judged = judge(report, moves[report.ply]) if report.ply < len(moves) else None
        return {
            "ply": report.ply,
            "turn": chess.COLOR_NAMES[report.turn],
            "truth": asdict(report.truth),
            "value": None if report.search is None else report.search.value,
            "nodes": None if report.search is None else report.search.nodes,
            "white": _size(report.white),
            "black": _size(report.black),
            "judged": judged and asdict(judged),
        }


class Analyses:
    """All analyses of a server: a bounded number at a time, the others wait."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._slots = asyncio.Semaphore(_AT_ONCE)
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._lock = asyncio.Lock()

    async def find(self, token: str) -> Job:
        """The analysis of a finished game, as far as it has come."""
        room, _ = await self._lobby.find(token)
        if room.table.result is None:
            raise GameRunningError("the game is not over: there is no analysis yet")
        # Two browsers may ask for the same game at once.
        async with self._lock:
            if room.key not in self._jobs:
                self._jobs[room.key] = await self._restore(room)
        self._jobs.move_to_end(room.key)
        self._put_away()
        return self._jobs[room.key]

    def carry_out(self, job: Job, wish: Wish) -> None:
        """Starts, stops or deepens."""
        if wish.action == "stop":
            job.going, job.wanted = False, []
            job.analyst.stop()
            return
        if wish.action == "deepen":
            self._want(job, wish.ply)
        else:
            job.going = not job.analysis.is_complete
        job.error = None
        if job.task is None or job.task.done():
            job.task = asyncio.get_running_loop().create_task(self._work(job))

    async def close(self) -> None:
        """Ends all work; what was found is kept."""
        for job in self._jobs.values():
            job.going, job.wanted = False, []
            job.analyst.stop()
        await asyncio.gather(*(job.task for job in self._jobs.values() if job.task is not None))

    def _want(self, job: Job, ply: int | None) -> None:
        if ply is None:
            raise AnalysisError("ply: expected the position to look deeper at")
        report = job.analysis.reports.get(ply)
        if report is None or report.search is None:
            raise AnalysisError(f"ply {ply} has no search that could go deeper")
        if len(job.wanted) >= _MOST_DEEPENED:
            raise AnalysisError(f"{_MOST_DEEPENED} positions wait already: expected no more")
        if ply not in job.wanted:
            job.wanted.append(ply)

    async def _work(self, job: Job) -> None:
        job.state = "queued"
        try:
            async with self._slots:
                job.state = "running"
                # A job that was stopped while it waited has nothing to do.
                while job.going or job.wanted:
                    job.analyst.resume()
                    await self._advance(job)
        except ObscuroError as error:
            job.error = str(error)
        except Exception as error:
            _log.exception("an analysis failed")
            job.error = f"the analysis failed: {type(error).__name__}"
        finally:
            job.state, job.going, job.wanted = "idle", False, []

    async def _advance(self, job: Job) -> None:
        """One ply, in a thread in which programs think."""
        searches = self._lobby.searches
        if job.wanted:
            ply = job.wanted[0]
            report = await searches.run(lambda: job.analyst.deepen(ply))
            if job.wanted[:1] == [ply]:
                job.wanted.pop(0)
        else:
            report = await searches.run(job.analyst.step)
            if job.analysis.is_complete:
                job.going = False
        if report is not None:
            job.touch(report.ply)
            self._lobby.store.save_analysis(job.key, f"{report.ply}", report.as_dict())

    async def _restore(self, room: Room) -> Job:
        kept = await asyncio.wrap_future(self._lobby.store.load_analysis(room.key))
        try:
            analysis = Analysis.from_dict({**kept.pop(_HEAD), "plies": list(kept.values())})
        except (KeyError, AnalysisError):
            # There is none, or one of another version.
            analysis = Analysis(_game(room), _settings())
            head = {**analysis.as_dict(), "plies": []}
            self._lobby.store.save_analysis(room.key, _HEAD, head)
        job = Job(room.key, Analyst(analysis))
        for ply in sorted(analysis.reports):
            job.touch(ply)
        return job

    def _put_away(self) -> None:
        idle = [key for key, job in self._jobs.items() if job.state == "idle"]
        for key in idle[: max(0, len(self._jobs) - _IN_MEMORY)]:
            del self._jobs[key]


def add_analysis(app: FastAPI) -> None:
    """Adds the addresses to the server."""

    def analyses(request: Request, lobby: Lobby) -> Analyses:
        if (found := getattr(request.app.state, "analysis", None)) is None:
            found = request.app.state.analysis = Analyses(lobby)
        if not isinstance(found, Analyses):
            raise TypeError(f"the state of the server is a {type(found).__name__}")
        return found

    @app.get("/api/games/{token}/analysis")
    async def overview(
        token: str, request: Request, lobby: ByLobby, since: int = 0
    ) -> dict[str, Any]:
        return (await analyses(request, lobby).find(token)).overview(since)

    @app.post("/api/games/{token}/analysis")
    async def carry_out(token: str, wish: Wish, request: Request, lobby: ByLobby) -> dict[str, Any]:
        all_jobs = analyses(request, lobby)
        job = await all_jobs.find(token)
        all_jobs.carry_out(job, wish)
        return job.overview(job.revision)

    @app.get("/api/games/{token}/analysis/plies/{ply}")
    async def one_ply(token: str, ply: int, request: Request, lobby: ByLobby) -> Response:
        job = await analyses(request, lobby).find(token)
        report = job.analysis.reports.get(ply)
        if report is None:
            return JSONResponse({"error": f"ply {ply} is not analysed yet"}, 404)
        return JSONResponse(report.as_dict())

    @app.get("/api/games/{token}/analysis/obscuro-analysis.{kind}")
    async def download(
        token: str, kind: Literal["html", "json"], request: Request, lobby: ByLobby
    ) -> Response:
        analysis = (await analyses(request, lobby).find(token)).analysis
        # What is being found meanwhile does not go into it.
        analysis = replace(analysis, reports=dict(analysis.reports))
        make = Analysis.to_json if kind == "json" else render
        text = await asyncio.get_running_loop().run_in_executor(None, make, analysis)
        name = f'attachment; filename="obscuro-analysis.{kind}"'
        media = "application/json" if kind == "json" else "text/html"
        return Response(text, media_type=media, headers={"Content-Disposition": name})


def _settings() -> AnalysisSettings:
    settings = AnalysisSettings()
    search = replace(settings.engine.search, belief_cap=_BELIEF_CAP)
    engine = replace(settings.engine, search=search, nodes=NODES, memory_mb=_MEMORY_MB)
    return replace(settings, engine=engine)


def _game(room: Room) -> AnalysedGame:
    table = room.table
    if table.result is None:
        raise GameRunningError("the game is not over: there is no analysis yet")
    return AnalysedGame(
        white=table.setup.names[0],
        black=table.setup.names[1],
        result=table.result.score,
        reason=table.result.reason,
        start=table.setup.start,
        moves=tuple(move.uci() for move in table.board.move_stack),
    )


def _size(belief: BeliefReport | None) -> dict[str, Any] | None:
    if belief is None:
        return None
    return {"size": belief.size, "rank": belief.place.rank, "exactness": belief.exactness}

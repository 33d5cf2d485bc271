"""The server's addresses: the page, the games as JSON, and a WebSocket for each seat."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Literal

import chess
from fastapi import FastAPI, Request, Response, WebSocket, WebSocketDisconnect
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.gzip import GZipMiddleware
from fastapi.responses import FileResponse, JSONResponse, PlainTextResponse
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel, ConfigDict, Field
from starlette.middleware.trustedhost import TrustedHostMiddleware

from obscuro.errors import ObscuroError
from obscuro.web import opponents, record, uploads
from obscuro.web.analysis_routes import add_analysis
from obscuro.web.clocks import TimeControl
from obscuro.web.depends import ByLobby, ByVisitor
from obscuro.web.guard import Guard
from obscuro.web.lobby import Lobby, NewGame, NoSuchGameError, Settings
from obscuro.web.room import Connection

STATIC = Path(__file__).parent / "static"
_LOCAL_HOSTS = ["127.0.0.1", "localhost", "[::1]", "testserver"]
_SECONDS_BETWEEN_ROUNDS = 30.0


class Control(BaseModel):
    """Clocks of a new game: seconds, and seconds added by each move."""

    model_config = ConfigDict(extra="forbid")
    base: float = Field(ge=1, le=24 * 3600)
    increment: float = Field(ge=0, le=600)


class GameRequest(BaseModel):
    """What the page asks for when a game is to begin."""

    model_config = ConfigDict(extra="forbid")
    color: Literal["white", "black", "random"] = "random"
    opponent: str = Field(default=opponents.DEFAULT, max_length=40)
    control: Control | None = None
    casual: bool = True
    start: str | None = Field(default=None, max_length=120)


class UploadRequest(BaseModel):
    """A PGN, or moves."""

    model_config = ConfigDict(extra="forbid")
    text: str = Field(max_length=uploads.LONGEST)


def create_app(settings: Settings | None = None, *, local: bool = True) -> FastAPI:
    """The server as an ASGI application.

    Args:
        settings: How it runs.
        local: Whether it is to be asked by this machine's own names only, so that a page elsewhere
            cannot reach it by a name of its own that leads here.
    """
    chosen = settings or Settings()

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.lobby = lobby = Lobby(chosen)
        rounds = asyncio.create_task(_rounds(lobby))
        yield
        rounds.cancel()
        if (analysis := getattr(app.state, "analysis", None)) is not None:
            await analysis.close()
        await lobby.close()

    app = FastAPI(lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)
    _add_games(app, chosen)
    _add_socket(app)
    add_analysis(app)
    _add_page(app)
    app.add_exception_handler(NoSuchGameError, _not_found)
    app.add_exception_handler(ObscuroError, _bad_input)
    app.add_exception_handler(RequestValidationError, _bad_request)
    app.add_middleware(GZipMiddleware, minimum_size=500)
    app.add_middleware(Guard)
    if local:
        app.add_middleware(TrustedHostMiddleware, allowed_hosts=_LOCAL_HOSTS)
    return app


async def _rounds(lobby: Lobby) -> None:
    while True:
        await asyncio.sleep(_SECONDS_BETWEEN_ROUNDS)
        await lobby.put_away_idle()


def _add_games(app: FastAPI, settings: Settings) -> None:
    @app.get("/api/opponents")
    async def list_opponents() -> list[dict[str, Any]]:
        return [
            {
                "key": opponent.key,
                "label": opponent.label,
                "description": opponent.description,
                "elo": opponent.elo,
                "default": opponent.key == opponents.DEFAULT,
            }
            for opponent in settings.opponents
        ]

    @app.get("/api/games")
    async def list_games(lobby: ByLobby, visitor: ByVisitor) -> list[dict[str, Any]]:
        return await lobby.games_of(visitor)

    @app.post("/api/games")
    async def new_game(wish: GameRequest, lobby: ByLobby, visitor: ByVisitor) -> dict[str, Any]:
        control = None
        if wish.control is not None:
            control = TimeControl(wish.control.base, wish.control.increment)
        color = None if wish.color == "random" else wish.color == "white"
        asked = NewGame(color, wish.opponent, control, wish.casual, wish.start or None)
        begun = await lobby.begin(asked, visitor)
        return {"token": begun.token, "invitation": begun.invitation}

    @app.get("/api/invitations/{token}")
    async def invitation(token: str, lobby: ByLobby) -> dict[str, Any]:
        return await lobby.invitation(token)

    @app.post("/api/invitations/{token}")
    async def accept(token: str, lobby: ByLobby, visitor: ByVisitor) -> dict[str, Any]:
        return {"token": (await lobby.accept(token, visitor)).token}

    @app.post("/api/uploads")
    async def upload(sent: UploadRequest, lobby: ByLobby, visitor: ByVisitor) -> dict[str, Any]:
        return {"tokens": await lobby.upload(sent.text, visitor)}

    @app.get("/api/games/{token}/seat")
    async def seat(token: str, lobby: ByLobby) -> dict[str, Any]:
        room, color = await lobby.find(token)
        return {
            "color": chess.COLOR_NAMES[color],
            "status": room.table.status,
            "opponent": room.table.setup.opponent_kind,
        }

    @app.get("/api/games/{token}/record")
    async def truth(token: str, lobby: ByLobby) -> dict[str, Any]:
        _, truth = await lobby.finished(token)
        return truth

    @app.get("/api/games/{token}/obscuro.json")
    async def download_json(token: str, lobby: ByLobby) -> Response:
        text = await lobby.game_record(token)
        return Response(text, media_type="application/json", headers=_attachment("obscuro.json"))

    @app.get("/api/games/{token}/obscuro.pgn")
    async def download_pgn(token: str, lobby: ByLobby) -> Response:
        room, _ = await lobby.find(token)
        text = record.pgn(room.table, room.created)
        kind = "application/x-chess-pgn"
        return PlainTextResponse(text, media_type=kind, headers=_attachment("obscuro.pgn"))


def _add_socket(app: FastAPI) -> None:
    @app.websocket("/api/play/{token}")
    async def play(socket: WebSocket, token: str) -> None:
        lobby: Lobby = socket.app.state.lobby
        await socket.accept()
        try:
            room, color = await lobby.find(token)
        except ObscuroError as error:
            await socket.close(4404, str(error))
            return
        connection = Connection(color)
        room.join(connection)
        sender = asyncio.create_task(_send_all(socket, connection))
        try:
            while True:
                message = await socket.receive()
                if message["type"] == "websocket.disconnect":
                    break
                # Bytes are none of our messages, and are answered as such.
                room.handle(connection, message.get("text") or "")
        except (WebSocketDisconnect, RuntimeError):
            pass  # gone while we were answering
        finally:
            room.leave(connection)
            connection.close()
            await sender


async def _send_all(socket: WebSocket, connection: Connection) -> None:
    """Sends what waits in the queue; a browser that has gone needs no answer."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        while (text := await connection.receive()) is not None:
            await socket.send_text(text)
        await socket.close()


def _add_page(app: FastAPI) -> None:
    app.mount("/assets", StaticFiles(directory=STATIC / "assets", check_dir=False))

    @app.get("/{path:path}")
    async def page(path: str) -> Response:
        if path.startswith("api/"):
            return JSONResponse({"error": "there is no such address"}, 404)
        file = STATIC / "index.html"
        if path in _FILES:
            file = STATIC / path
        if not file.is_file():
            return PlainTextResponse("The page is not built: run `make page` first.", 503)
        return FileResponse(file)


_FILES = ("favicon.svg", "manifest.webmanifest", "icon.svg")


def _attachment(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"'}


async def _not_found(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": str(error)}, 404)


async def _bad_input(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": str(error)}, 400)


async def _bad_request(request: Request, error: Exception) -> Response:
    """What is wrong and where, without what was sent."""
    if not isinstance(error, RequestValidationError):
        raise error
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"][1:])
    return JSONResponse({"error": f"{place}: {first['msg']}"}, 422)

"""A server of the page without time, chance and searches: what it sends can be compared."""

import contextlib
import itertools
import json
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
import chess
from fastapi import FastAPI
from starlette.websockets import WebSocketDisconnect

from obscuro.fow import STARTING_FEN, Observation
from obscuro.players import Decision, Limits, Player, Result
from obscuro.web import Settings, create_app
from obscuro.web.lobby import Lobby
from obscuro.web.opponents import Opponent

with warnings.catch_warnings():
    # It asks for another HTTP library than the one it has always stood on, which serves it as well.
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient, WebSocketTestSession

PATIENCE = 60.0

SCRIPTED = Opponent("scripted", "Scripted", "Plays what it was told.", "scripted", seconds=0.25)


@dataclass
class Clock:
    """A clock that stands still until it is set."""

    seconds: float = 1000.0

    def __call__(self) -> float:
        return self.seconds


class ScriptedPlayer:
    """Plays the moves given, and resigns after the last one."""

    def __init__(self, moves: Sequence[str], told: list[object] | None = None) -> None:
        self._moves = moves
        self._color: chess.Color = chess.WHITE
        self._seen = 0
        self.told = told if told is not None else []

    def new_game(self, color: chess.Color, start: str = STARTING_FEN) -> None:
        self._color = color
        self._seen = 0
        self.told.append(start)

    def observe(self, observation: Observation) -> None:
        assert observation.color == self._color
        self._seen += 1
        self.told.append(str(observation))

    def choose(self, limits: Limits) -> Decision:
        # It has made every second one of the plies that it has seen, and it is its turn.
        own = (self._seen - 1) // 2
        if own >= len(self._moves):
            return Decision(None)
        return Decision(chess.Move.from_uci(self._moves[own]))

    def game_over(self, result: Result) -> None:
        self.told.append(result)

    def close(self) -> None:
        self.told.append("closed")


@dataclass
class Server:
    """The server, and what its clock shows."""

    client: TestClient
    clock: Clock

    @property
    def lobby(self) -> Lobby:
        app = self.client.app
        assert isinstance(app, FastAPI)
        lobby: Lobby = app.state.lobby
        return lobby

    def begin(self, **wish: object) -> dict[str, Any]:
        answer = self.client.post("/api/games", json=wish)
        assert answer.status_code == 200, answer.text
        begun: dict[str, Any] = answer.json()
        return begun

    def begin_with_friend(self, **wish: object) -> tuple[str, str]:
        """The tokens of White's seat and of Black's."""
        begun = self.begin(**{"color": "white", "opponent": "human", **wish})
        joined = self.client.post(f"/api/invitations/{begun['invitation']}", json={})
        return begun["token"], joined.json()["token"]

    @contextlib.contextmanager
    def seat(self, token: str) -> Iterator["Seat"]:
        with self.client.websocket_connect(f"/api/play/{token}") as socket:
            seat = Seat(socket)
            # From its first message on, a browser is told what happens; before, it is not there.
            seat.early.append(seat.receive())
            yield seat


@dataclass
class Seat:
    """A browser at a seat: what it was sent, as text."""

    socket: WebSocketTestSession
    received: list[str] = field(default_factory=list)
    early: list[str] = field(default_factory=list)

    def receive(self) -> str:
        """The text of the next message; what does not come fails, and does not wait for ever."""

        async def wait() -> Any:  # noqa: ANN401
            with anyio.fail_after(PATIENCE):
                return await self.socket._send_rx.receive()

        message = self.socket.portal.call(wait)
        if message["type"] == "websocket.close":
            raise WebSocketDisconnect(message["code"], message.get("reason"))
        text: str = message["text"]
        return text

    def hear(self) -> dict[str, Any]:
        """The next message."""
        text = self.early.pop() if self.early else self.receive()
        self.received.append(text)
        message: dict[str, Any] = json.loads(text)
        return message

    def hear_until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The next message of which this is true."""
        while not wanted(message := self.hear()):
            pass
        return message

    def hear_all(self) -> None:
        """All that the server has sent so far."""
        self.say({"type": "ping"})
        self.hear_until(lambda message: message["type"] == "pong")

    def say(self, message: object) -> None:
        self.socket.send_text(message if isinstance(message, str) else json.dumps(message))

    def ask(self, message: object) -> dict[str, Any]:
        """Sends a message that is answered at once."""
        self.say(message)
        return self.hear()

    def play(self, move: str, plies: int) -> dict[str, Any]:
        """Plays a move; the message that tells of it, or of the error."""
        self.say({"type": "move", "move": move, "plies": plies})
        return self.hear_until(lambda message: message["type"] in ("ply", "error"))

    def play_as(self, other: "Seat", move: str, plies: int) -> None:
        """Plays a move, and waits until the other seat was told as well."""
        assert self.play(move, plies)["type"] == "ply"
        other.hear_until(lambda message: message["type"] == "ply")


@contextlib.contextmanager
def serving(
    make_player: Callable[[str], Player] | None = None,
    *,
    clock: Callable[[], float] | None = None,
    data: Path | None = None,
    tick: float = 0.0,
    searches: int = 1,
    engines: int = 4,
    idle: float = 600.0,
    new_token: Callable[[], str] | None = None,
) -> Iterator[Server]:
    """A server whose tokens are numbers in their order, and whose clock stands still."""
    standing = Clock()
    numbers = itertools.count(1)
    chosen = Settings(
        data=data,
        opponents=(SCRIPTED,),
        make_player=make_player or (lambda spec: ScriptedPlayer(())),
        now=clock or standing,
        tick=tick,
        searches=searches,
        engines=engines,
        idle=idle,
        new_token=new_token or (lambda: f"token-{next(numbers):03}"),
    )
    with TestClient(create_app(chosen)) as client:
        client.cookies.set("obscuro_visitor", "visitor")
        yield Server(client, clock if isinstance(clock, Clock) else standing)

"""A server that listens, and what a player does on its page."""

import contextlib
import json
import threading
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import uvicorn

from obscuro.web import Settings, create_app
from obscuro.web.opponents import Opponent
from web_server import ScriptedPlayer

if TYPE_CHECKING:
    from playwright.sync_api import Page

SCHOLAR = ("e7e5", "b8c6", "a7a6", "h7h6")
OPPONENTS = (
    Opponent("scholar", "Scholar", "Does not see the mate.", " ".join(SCHOLAR), seconds=0.1),
    Opponent("king", "King", "Walks with the king.", "e8e7 e7e8 e8e7 e7e8", seconds=0.1),
)


@dataclass(frozen=True)
class LiveServer:
    """Where the page is."""

    address: str

    def begin(self, **wish: object) -> str:
        """Begins a game without the page; the token of its seat."""
        token: str = self.post("/api/games", wish)["token"]
        return token

    def begin_with_friend(self, **wish: object) -> tuple[str, str]:
        """The tokens of White's seat and of Black's."""
        begun = self.post("/api/games", {"color": "white", "opponent": "human", **wish})
        joined = self.post(f"/api/invitations/{begun['invitation']}", {})
        return begun["token"], joined["token"]

    def post(self, path: str, body: object) -> Any:  # noqa: ANN401
        request = urllib.request.Request(
            self.address + path,
            json.dumps(body).encode(),
            {"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)


@contextlib.contextmanager
def live_server() -> Iterator[LiveServer]:
    settings = Settings(
        opponents=OPPONENTS,
        make_player=lambda spec: ScriptedPlayer(spec.split()),
        tick=0.05,
    )
    config = uvicorn.Config(create_app(settings), port=0, log_level="warning", access_log=False)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    deadline = time.monotonic() + 60
    while not server.started:
        assert time.monotonic() < deadline, "the server does not start"
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    yield LiveServer(f"http://127.0.0.1:{port}")
    server.should_exit = True
    thread.join(30)


def at(page: "Page", square: str, *, flipped: bool = False) -> tuple[float, float]:
    """The middle of a square on the screen."""
    board = page.locator("cg-board")
    board.scroll_into_view_if_needed()
    box = board.bounding_box()
    assert box is not None
    file, rank = "abcdefgh".index(square[0]), int(square[1]) - 1
    right, down = (7 - file, rank) if flipped else (file, 7 - rank)
    side = box["width"] / 8
    return box["x"] + (right + 0.5) * side, box["y"] + (down + 0.5) * side


def click_move(page: "Page", move: str, *, flipped: bool = False) -> None:
    for square in (move[:2], move[2:4]):
        page.mouse.click(*at(page, square, flipped=flipped))


def drag_move(page: "Page", move: str) -> None:
    page.mouse.move(*at(page, move[:2]))
    page.mouse.down()
    page.mouse.move(*at(page, move[2:4]), steps=5)
    page.mouse.up()


def moves_shown(page: "Page") -> list[str]:
    shown: list[str] = page.locator(".moves .move").all_inner_texts()
    return shown

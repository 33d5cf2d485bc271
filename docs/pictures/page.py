"""Takes the screenshots of the documentation again: `python docs/pictures/page.py`.

A headless Chromium opens the page as it was built (`make page`) and plays the moves below on it,
with a server of its own. Needs Playwright (`pip install playwright`), and the system's Chromium.
"""

import json
import shutil
import sys
import threading
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import chess
import uvicorn
from playwright.sync_api import Browser, Page, sync_playwright

from obscuro.fow import STARTING_FEN, Observation
from obscuro.players import Decision, Limits, Result
from obscuro.web import Settings, create_app
from obscuro.web.opponents import OPPONENTS, Opponent

FOLDER = Path(__file__).resolve().parent

OWN = ["e2e4", "g1f3", "f1c4", "e1g1", "f3e5", "e5f7", "c4f7"]
THEIRS = ["c7c5", "g8f6", "f6e4", "b8c6", "d7d5", "e8f7"]
DESK, PHONE = (1120, 700), (390, 844)


class Scripted:
    """Plays the moves given."""

    def __init__(self, moves: Sequence[str]) -> None:
        self._moves = iter(moves)

    def new_game(self, color: chess.Color, start: str = STARTING_FEN) -> None:
        """Nothing to prepare."""

    def observe(self, observation: Observation) -> None:
        """Nothing to learn."""

    def choose(self, limits: Limits) -> Decision:
        """The next move."""
        return Decision(chess.Move.from_uci(next(self._moves)))

    def game_over(self, result: Result) -> None:
        """Nothing to remember."""

    def close(self) -> None:
        """Nothing to let go of."""


def serve() -> tuple[uvicorn.Server, str]:
    """The server in a thread of its own, and its address."""
    scripted = Opponent("scripted", "Paper (5 s)", "", "scripted", seconds=0.1)
    settings = Settings(
        opponents=(*OPPONENTS, scripted), make_player=lambda spec: Scripted(THEIRS), tick=0.05
    )
    server = uvicorn.Server(uvicorn.Config(create_app(settings), port=0, log_level="warning"))
    threading.Thread(target=server.run, daemon=True).start()
    while not server.started:
        time.sleep(0.05)
    return server, f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"


def begin(address: str, **wish: object) -> str:
    """Begins a game; the token of its seat."""
    request = urllib.request.Request(
        f"{address}/api/games", json.dumps(wish).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        token: str = json.load(answer)["token"]
    return token


def at(page: Page, square: str) -> tuple[float, float]:
    """The middle of a square, White being at the bottom."""
    box = page.locator("cg-board").bounding_box()
    assert box is not None
    side = box["width"] / 8
    file, rank = "abcdefgh".index(square[0]), int(square[1])
    return box["x"] + (file + 0.5) * side, box["y"] + (8.5 - rank) * side


def play(page: Page, moves: Sequence[str]) -> None:
    """Clicks the moves, each when it is our turn."""
    done = page.locator(".moves .move")
    for number, move in enumerate(moves):
        while done.count() != 2 * number:
            time.sleep(0.05)
        page.mouse.click(*at(page, move[:2]))
        page.mouse.click(*at(page, move[2:4]))
    while done.count() != 2 * len(moves):
        time.sleep(0.05)


def opened(browser: Browser, address: str, size: tuple[int, int], scheme: Any) -> Page:  # noqa: ANN401
    """A new page of that size, light or dark."""
    width, height = size
    context = browser.new_context(
        base_url=address, viewport={"width": width, "height": height}, color_scheme=scheme
    )
    return context.new_page()


def shoot(page: Page, name: str) -> None:
    """Writes one picture."""
    page.mouse.move(1, 1)
    time.sleep(0.4)
    page.screenshot(path=FOLDER / f"{name}.png")


def main() -> None:
    """All of them."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        sys.exit("chromium is missing: install it first")
    server, address = serve()
    with sync_playwright() as running:
        browser = running.chromium.launch(
            executable_path=chromium,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        page = opened(browser, address, DESK, "light")
        page.goto("/")
        page.wait_for_selector(".opponents .option")
        shoot(page, "play-new")

        wish = {
            "color": "white",
            "opponent": "scripted",
            "control": {"base": 180, "increment": 2},
        }
        page.goto(f"/game/{begin(address, **wish)}")
        page.wait_for_selector("cg-board piece")
        play(page, OWN[:4])
        page.get_by_role("button", name="Ghosts").click()
        page.get_by_role("button", name="Knight").click()
        page.mouse.click(*at(page, "d6"))
        page.get_by_role("button", name="Ghosts").click()
        page.mouse.click(*at(page, "c4"))
        shoot(page, "play-game")

        page = opened(browser, address, PHONE, "dark")
        page.goto(f"/game/{begin(address, **wish)}")
        page.wait_for_selector("cg-board piece")
        play(page, OWN[:3])
        page.mouse.click(*at(page, "f3"))
        shoot(page, "play-phone")

        page = opened(browser, address, DESK, "dark")
        page.goto(f"/game/{begin(address, **wish)}")
        page.wait_for_selector("cg-board piece")
        play(page, OWN[:6])
        page.get_by_role("button", name="Resign").click()
        page.locator("dialog").get_by_role("button", name="Resign").click()
        page.wait_for_selector(".ending .segments")
        shoot(page, "play-truth")
        browser.close()
    server.should_exit = True


if __name__ == "__main__":
    main()

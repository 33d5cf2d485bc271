"""The page in a real browser, and a server for it that runs in this process.

All of these tests are skipped where there is no Chromium, no Playwright or no built page.
"""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from e2e.live_page import LiveServer, live_server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE_MS = 60_000


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    playwright = pytest.importorskip("playwright.sync_api", exc_type=ImportError)
    if CHROMIUM is None:
        pytest.skip("there is no Chromium on this machine")
    if not (ROOT / "python" / "obscuro" / "web" / "static" / "index.html").is_file():
        pytest.skip("the page is not built")
    playwright.expect.set_options(timeout=PATIENCE_MS)
    # Of the module and no longer: while Playwright runs, this thread has an event loop.
    with playwright.sync_playwright() as running:
        chromium = running.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def server() -> Iterator[LiveServer]:
    with live_server() as running:
        yield running


@pytest.fixture
def context(browser: "Browser", server: LiveServer) -> Iterator["BrowserContext"]:
    """A browser of its own: nothing is remembered from other tests."""
    context = browser.new_context(
        base_url=server.address, viewport={"width": 1280, "height": 800}, color_scheme="light"
    )
    context.set_default_timeout(PATIENCE_MS)
    yield context
    context.close()


@pytest.fixture
def page(context: "BrowserContext") -> Iterator["Page"]:
    """A page that must not complain of anything."""
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "console",
        lambda message: complaints.append(message.text) if message.type == "error" else None,
    )
    yield page
    assert complaints == []

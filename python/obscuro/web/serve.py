"""Runs the server, and opens the page."""

import logging
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from pathlib import Path

import uvicorn

from obscuro.errors import ObscuroError
from obscuro.web.app import create_app
from obscuro.web.lobby import Settings

_LOOPBACK = {"127.0.0.1", "localhost", "::1"}
_LONGEST_MESSAGE = 4096


class ServeError(ObscuroError, OSError):
    """The server cannot listen there."""


def data_file() -> Path:
    """Where this user's games are kept, unless told otherwise.

    >>> data_file().name
    'games.sqlite3'
    """
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "obscuro" / "games.sqlite3"


def serve(
    settings: Settings,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    open_page: bool = False,
    announce: Callable[[str], None] = print,
) -> None:
    """Serves the page until it is interrupted.

    Args:
        settings: How the server runs.
        host: The address to listen at.
        port: The port; 0 takes a free one.
        open_page: Whether to open the page in the user's browser.
        announce: Told the page's address once the server listens.
    """
    listener = _listen(host, port)
    address = f"http://{_shown(host)}:{listener.getsockname()[1]}/"
    # Addresses of games are secrets: they are not logged.
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
    config = uvicorn.Config(
        create_app(settings, local=host in _LOOPBACK),
        access_log=False,
        log_level="warning",
        ws_max_size=_LONGEST_MESSAGE,
        timeout_graceful_shutdown=2,
    )
    announce(address)
    if open_page:
        # The listener is open already, so the browser waits for the first answer.
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    with listener:
        uvicorn.Server(config).run(sockets=[listener])


def _listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listener = socket.socket(family, socket.SOCK_STREAM)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((host, port))
            listener.listen()
        except OSError:
            listener.close()
            raise
    except OSError as error:
        raise ServeError(f"cannot listen at {host}, port {port}: {error.strerror}") from error
    return listener


def _shown(host: str) -> str:
    if host in {"0.0.0.0", "::"}:
        return socket.gethostname()
    return f"[{host}]" if ":" in host else host

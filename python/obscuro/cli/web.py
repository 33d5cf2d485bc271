"""`obscuro play --web`: the page in the browser."""

import os
from pathlib import Path

from rich.console import Console

PORT = 8420


def start(
    *, host: str, port: int, open_page: bool, data: Path | None, searches: int | None
) -> None:
    """Serves the page until it is interrupted."""
    # Not at the top: the other commands need no server, and are quick without it.
    from obscuro.web import Settings, serve
    from obscuro.web.serve import data_file

    console = Console(highlight=False)
    path = data or data_file()
    # A search has a thread for the solver and one for the expander.
    at_once = searches or max(1, (os.cpu_count() or 2) // 2)

    def announce(address: str) -> None:
        console.print(f"Obscuro is at [bold]{address}[/bold]", soft_wrap=True)
        console.print(f"Games are kept in {path}. Ctrl+C ends.", style="dim", soft_wrap=True)

    settings = Settings(data=path, searches=at_once)
    serve(settings, host=host, port=port, open_page=open_page, announce=announce)

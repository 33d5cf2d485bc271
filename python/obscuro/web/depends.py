"""What the routes of the server have in common: the lobby, and who asks."""

import secrets
from typing import Annotated

from fastapi import Cookie, Depends, Request, Response

from obscuro.web.lobby import Lobby

COOKIE = "obscuro_visitor"
_A_YEAR = 365 * 24 * 3600


async def _lobby(request: Request) -> Lobby:
    lobby: Lobby = request.app.state.lobby
    return lobby


async def _visitor(
    response: Response, obscuro_visitor: Annotated[str | None, Cookie(max_length=64)] = None
) -> str:
    """Who asks: the list of games is kept by a cookie that no script can read."""
    visitor = obscuro_visitor or secrets.token_urlsafe(16)
    response.set_cookie(COOKIE, visitor, max_age=_A_YEAR, httponly=True, samesite="strict")
    return visitor


ByLobby = Annotated[Lobby, Depends(_lobby)]
ByVisitor = Annotated[str, Depends(_visitor)]

"""What every request has to pass, and what every answer carries."""

from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LONGEST_BODY = 1_100_000
"""Bytes of a request's body: an upload and what is around it."""

# Scripts, styles and pictures come from this server alone; nobody puts the page into a frame; and
# no other page learns the address of a game.
_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
_FOREVER = "public, max-age=31536000, immutable"


class Guard:
    """Refuses what other pages send, and too long bodies; sets headers on every answer.

    A browser sends along from where a request comes. Without the check, any page that the player
    has open could play at their games.
    """

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request or one WebSocket."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if not _is_own(headers):
            await _refuse(scope, receive, send, 403, "the request comes from another page")
            return
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > LONGEST_BODY:
            await _refuse(scope, receive, send, 413, f"at most {LONGEST_BODY:,} bytes are read")
            return
        if (
            scope["type"] == "http"
            and scope["method"] == "POST"
            and "content-length" not in headers
        ):
            await _refuse(scope, receive, send, 411, "the length of the body is not given")
            return

        async def send_with_headers(message: Any) -> None:  # noqa: ANN401
            if message["type"] == "http.response.start":
                answer = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    answer[name] = value
                fixed = scope["path"].startswith("/assets/") and message["status"] == 200
                answer["Cache-Control"] = _FOREVER if fixed else "no-store"
            await send(message)

        await self._app(scope, receive, send_with_headers)


def _is_own(headers: Headers) -> bool:
    origin = headers.get("origin")
    return origin is None or urlsplit(origin).netloc == headers.get("host")


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, words: str) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008, "reason": words})
        return
    await JSONResponse({"error": words}, status)(scope, receive, send)

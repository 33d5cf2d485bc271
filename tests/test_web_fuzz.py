"""Nonsense from browsers: it is answered with an error, and changes nothing."""

import json
import random
import string
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from web_server import Seat, Server, serving

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "move", "plies", "accept", "color", "x"]), inner, max_size=4
        )
    ),
    max_leaves=8,
)
TYPES = ["move", "resign", "takeback", "answer-takeback", "rematch", "ping", "snapshot", ""]


def nonsense(rng: random.Random) -> str:
    """A message that is close to a right one, but is none; or far away from it."""
    kind = rng.choice(["near", "far", "long", "deep", "unicode"])
    if kind == "near":
        command: dict[str, Any] = {
            "type": rng.choice(TYPES[:2]),
            "move": rng.choice(["e2e4", "", "\ud800", "e2e9", "0-0-0", 5, None, ["e2e4"], {}]),
            "plies": rng.choice([-1, 0.0, 10**30, "0", None, True, [], {"a": 1}]),
            rng.choice(["extra", "color", "token"]): rng.choice(["white", 1]),
        }
        return json.dumps(command)
    if kind == "long":
        return json.dumps({"type": "move", "move": "e" * rng.randrange(13, 3000), "plies": 0})
    if kind == "deep":
        return "[" * rng.randrange(1, 400)
    letters = string.printable if kind == "far" else "é☃𝄞\x00\u202e\ufffe'\"{}[]:,"
    return "".join(rng.choice(letters) for _ in range(rng.randrange(40)))


def test_nonsense_is_an_error_and_changes_nothing() -> None:
    rng = random.Random(1)
    with serving() as server:
        tokens = server.begin_with_friend()
        with server.seat(tokens[0]) as white, server.seat(tokens[1]) as black:
            white.play_as(black, "e4", 0)
            for seat in (white, black):
                seat.hear_all()
            before = standing(server, tokens)
            for _ in range(400):
                seat = rng.choice([white, black])
                message = nonsense(rng)
                answer = seat.ask(message)
                assert answer["type"] == "error", message
                assert len(answer["message"]) < 300
            white.socket.send_bytes(b"\xff\x00e2e4")
            assert white.hear()["type"] == "error"
            for seat in (white, black):
                seat.received.clear()
                seat.hear_all()
                assert len(seat.received) == 1  # nothing but the answer to the ping
            assert standing(server, tokens) == before


def standing(server: Server, tokens: tuple[str, str]) -> list[Any]:
    found = []
    for token in tokens:
        with server.seat(token) as seat:
            found.append(seat.hear())
    return found


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(JSON)
def test_any_json_is_answered(value: object) -> None:
    seat = _SEAT[0]
    seat.say(json.dumps(value))
    assert seat.hear()["type"] in ("error", "pong", "now", "snapshot")


_SEAT: list[Seat] = []


@pytest.fixture(autouse=True, scope="module")
def one_seat() -> Any:  # noqa: ANN401
    with serving() as server:
        begun = server.begin(color="white", opponent="human")
        with server.seat(begun["token"]) as seat:
            seat.hear()
            _SEAT.append(seat)
            yield
            _SEAT.clear()


REQUESTS: list[tuple[str, Any]] = [
    ("/api/games", {"color": "green"}),
    ("/api/games", {"opponent": "nobody"}),
    ("/api/games", {"opponent": "x" * 100}),
    ("/api/games", {"control": {"base": 0, "increment": 0}}),
    ("/api/games", {"control": {"base": float("nan"), "increment": 0}}),
    ("/api/games", {"control": {"base": float("inf"), "increment": 0}}),
    ("/api/games", {"control": {"base": 60, "increment": -1}}),
    ("/api/games", {"start": "nonsense"}),
    ("/api/games", {"start": "8/8/8/8/8/8/8/8 w - - 0 1"}),
    ("/api/games", {"start": "4k3/8/8/8/8/8/8/4K3 w - - 0 1" * 5}),
    ("/api/games", {"start": "\x00", "extra": 1}),
    ("/api/games", []),
    ("/api/games", "white"),
    ("/api/uploads", {"text": ""}),
    ("/api/uploads", {"text": "1. e4 e5 2. Ke5"}),
    ("/api/uploads", {"text": "hello"}),
    ("/api/uploads", {"text": "\x00\ufffe"}),
    ("/api/uploads", {"text": "1. e4 { open"}),
    ("/api/uploads", {"text": '[FEN "nonsense"]\n\n1. e4'}),
    ("/api/uploads", {"text": '[Variant "Atomic"]\n\n1. e4'}),
    ("/api/uploads", {"text": 5}),
    ("/api/invitations/nobody", {}),
    ("/api/nothing", {}),
]


@pytest.mark.parametrize(("path", "body"), REQUESTS)
def test_a_wrong_request_is_refused_in_words(path: str, body: object) -> None:
    with serving() as server:
        content = json.dumps(body)
        headers = {"Content-Type": "application/json"}
        answer = server.client.post(path, content=content, headers=headers)
        assert answer.status_code in (400, 404, 405, 422)
        assert "Traceback" not in answer.text
        assert server.client.get("/api/games").json() == []


def test_bodies_that_are_no_json_or_too_long_are_refused() -> None:
    with serving() as server:
        headers = {"Content-Type": "application/json"}
        for content in (b"{", b"\xff\xfe", b"[" * 2000):
            answer = server.client.post("/api/games", content=content, headers=headers)
            assert answer.status_code in (400, 422)
        long = json.dumps({"text": "a" * 1_200_000})
        assert server.client.post("/api/uploads", content=long, headers=headers).status_code == 413

"""The server's addresses: what they give, to whom, and games from elsewhere."""

from pathlib import Path

import pytest
from starlette.testclient import WebSocketDenialResponse
from starlette.websockets import WebSocketDisconnect

from obscuro.fow import Board
from obscuro.match.record import GameRecord
from obscuro.web import uploads
from obscuro.web.app import create_app
from obscuro.web.lobby import Settings
from obscuro.web.serve import ServeError, serve
from web_server import serving


def test_every_answer_keeps_other_pages_out() -> None:
    with serving() as server:
        for path in ("/", "/api/opponents", "/api/games/nobody/seat"):
            headers = server.client.get(path).headers
            assert "default-src 'self'" in headers["content-security-policy"]
            assert headers["referrer-policy"] == "no-referrer"
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["cache-control"] == "no-store"


def test_what_another_page_sends_is_refused() -> None:
    with serving() as server:
        elsewhere = {"Origin": "http://elsewhere.example"}
        assert server.client.post("/api/games", json={}, headers=elsewhere).status_code == 403
        token = server.begin(opponent="human")["token"]
        with (
            pytest.raises((WebSocketDisconnect, WebSocketDenialResponse)),
            server.client.websocket_connect(f"/api/play/{token}", headers=elsewhere),
        ):
            pass
        own = {"Origin": "http://testserver"}
        assert server.client.post("/api/games", json={"opponent": "human"}, headers=own).is_success


def test_only_this_machine_s_names_are_answered() -> None:
    with serving() as server:
        answer = server.client.get("/api/opponents", headers={"Host": "rebound.example"})
        assert answer.status_code == 400
    assert create_app(Settings(), local=False) is not None


def test_a_visitor_sees_their_own_games_only() -> None:
    with serving() as server:
        token = server.begin(opponent="human")["token"]
        assert [game["token"] for game in server.client.get("/api/games").json()] == [token]
        server.client.cookies.clear()
        first = server.client.get("/api/games")
        assert first.json() == []
        cookie = first.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie


def test_tokens_cannot_be_guessed() -> None:
    settings = Settings()
    tokens = {settings.new_token() for _ in range(1000)}
    assert len(tokens) == 1000
    assert min(len(token) for token in tokens) >= 22  # 128 bits


LICHESS = """[Event "Casual game"]
[Site "https://lichess.example/abcd"]
[White "ada"]
[Black "bob"]
[Result "1-0"]
[Variant "Fog of War"]

1. e4 { [%clk 0:03:00] } 1... f6?! 2. Qh5+ $1 (2. d4 d5) 2... a6 3. Qxe8# 1-0
"""
CHESS_COM_LIST = """1. e4
f6
2. Qh5
a6
3. Qxe8#
1-0"""


@pytest.mark.parametrize(
    "text",
    [
        LICHESS,
        CHESS_COM_LIST,
        "1.e4 f6 2.Qh5 a6 3.Qxe8",
        "e4 f6 Qh5 a6 Qxe8",
        "e2e4 f7f6 d1h5 a7a6 h5e8",
        "1. e4 f6 2. ♕h5 a6 3. ♕xe8",
        "\ufeff1. e4 f6 2. Qh5 a6 3. Qxe8 1-0",
    ],
)
def test_games_from_elsewhere_are_read(text: str) -> None:
    with serving() as server:
        answer = server.client.post("/api/uploads", json={"text": text})
        assert answer.status_code == 200, answer.text
        (token,) = answer.json()["tokens"]
        truth = server.client.get(f"/api/games/{token}/record").json()
        assert truth["moves"] == ["e2e4", "f7f6", "d1h5", "a7a6", "h5e8"]
        assert (truth["result"], truth["reason"]) == ("1-0", "king captured")
        with server.seat(token) as seat:
            snapshot = seat.hear()
            assert snapshot["opponent"] == "upload"
            assert seat.play("e4", 5)["code"] == "GameOverError"
        pgn = server.client.get(f"/api/games/{token}/obscuro.pgn").text
        again = server.client.post("/api/uploads", json={"text": pgn})
        assert again.status_code == 200


def test_an_unfinished_game_is_kept_as_one() -> None:
    with serving() as server:
        answer = server.client.post("/api/uploads", json={"text": "1. e4 e5"})
        (token,) = answer.json()["tokens"]
        truth = server.client.get(f"/api/games/{token}/record").json()
        assert (truth["result"], truth["reason"]) == ("*", "unfinished")
        assert '"result":"*"' in server.client.get(f"/api/games/{token}/obscuro.json").text


def test_a_result_on_time_is_kept_with_its_reason() -> None:
    text = '[Result "0-1"]\n[Termination "Black won on time"]\n\n1. e4 e5 0-1'
    with serving() as server:
        (token,) = server.client.post("/api/uploads", json={"text": text}).json()["tokens"]
        truth = server.client.get(f"/api/games/{token}/record").json()
        assert (truth["result"], truth["reason"]) == ("0-1", "Black won on time")
        record = GameRecord.from_json(server.client.get(f"/api/games/{token}/obscuro.json").text)
        assert record.board().fen() == _after("e4", "e5")


def _after(*sans: str) -> str:
    board = Board()
    for san in sans:
        board.push_san(san)
    return board.fen()


def test_many_games_at_once_and_no_more() -> None:
    one = '[White "ada"]\n\n1. e4 e5 *\n\n'
    assert len(uploads.read(one * 3)) == 3
    with serving() as server:
        tokens = server.client.post("/api/uploads", json={"text": one * 3}).json()["tokens"]
        assert len(set(tokens)) == 3
        refused = server.client.post("/api/uploads", json={"text": one * 101})
        assert refused.status_code == 400
        assert "more than 100 games" in refused.json()["error"]


def test_without_a_built_page_the_server_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("obscuro.web.app.STATIC", tmp_path)
    with serving() as server:
        answer = server.client.get("/")
        assert answer.status_code == 503
        assert "make page" in answer.text


def test_an_address_that_is_taken_is_an_error_in_words() -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(ServeError, match=f"cannot listen at 127.0.0.1, port {port}"):
            serve(Settings(), port=port)

"""The analysis on the server: of finished games only, stored, stopped, deepened."""

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from obscuro.analysis import Analysis, AnalysisSettings, Analyst, PlyReport
from obscuro.web import analysis_routes
from web_server import Server, serving

GAME = "1. e4 e5 2. Qh5 Nf6 3. Qxf7 a6 4. Qxe8"
PLIES = 8


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis_routes, "NODES", 300)
    # So few nodes are enough for the simple evaluation to see the blunder.
    defaults = analysis_routes._settings

    def simple() -> AnalysisSettings:
        settings = defaults()
        return replace(settings, engine=replace(settings.engine, eval="simple"))

    monkeypatch.setattr(analysis_routes, "_settings", simple)


def upload(server: Server, text: str = GAME) -> str:
    answer = server.client.post("/api/uploads", json={"text": text})
    token: str = answer.json()["tokens"][0]
    return token


def look(server: Server, token: str, since: int = 0) -> dict[str, Any]:
    answer = server.client.get(f"/api/games/{token}/analysis", params={"since": since})
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def order(server: Server, token: str, **wish: object) -> int:
    status: int = server.client.post(f"/api/games/{token}/analysis", json=wish).status_code
    return status


def wait(
    server: Server, token: str, until: Callable[[dict[str, Any]], bool], seconds: float = 120
) -> dict[str, Any]:
    end = time.monotonic() + seconds
    while not until(told := look(server, token)):
        assert time.monotonic() < end, told
        time.sleep(0.02)
    return told


def idle(told: dict[str, Any]) -> bool:
    return bool(told["state"] == "idle")


def test_a_running_game_is_not_analysed_through_any_address() -> None:
    with serving() as server:
        white, black = server.begin_with_friend()
        paths = ["", "/plies/0", "/obscuro-analysis.html", "/obscuro-analysis.json"]
        for token in (white, black):
            for path in paths:
                answer = server.client.get(f"/api/games/{token}/analysis{path}")
                assert answer.status_code == 400
                assert answer.json() == {"error": "the game is not over: there is no analysis yet"}
            for action in ("start", "stop", "deepen"):
                assert order(server, token, action=action, ply=0) == 400
        with server.seat(white) as seat:
            seat.hear()
            seat.say({"type": "resign"})
            seat.hear_until(lambda message: message.get("now", {}).get("result") is not None)
        assert look(server, white)["total"] == 1


def test_what_is_not_there_is_not_found() -> None:
    with serving() as server:
        assert server.client.get("/api/games/nobody/analysis").status_code == 404
        token = upload(server)
        assert server.client.get(f"/api/games/{token}/analysis/plies/0").status_code == 404
        assert (
            server.client.get(f"/api/games/{token}/analysis/obscuro-analysis.exe").status_code
            == 422
        )


def test_it_runs_to_the_end_and_is_told_as_it_comes() -> None:
    with serving() as server:
        token = upload(server)
        begun = look(server, token)
        assert (begun["state"], begun["done"], begun["total"]) == ("idle", 0, PLIES)
        assert order(server, token, action="start") == 200
        told = wait(server, token, lambda told: idle(told) and told["done"] == PLIES)
        assert [entry["ply"] for entry in told["plies"]] == list(range(PLIES))
        assert look(server, token, since=told["revision"])["plies"] == []
        part = look(server, token, since=told["revision"] - 2)
        assert [entry["ply"] for entry in part["plies"]] == [6, 7]
        for ply in range(PLIES):
            answer = server.client.get(f"/api/games/{token}/analysis/plies/{ply}")
            report = PlyReport.from_dict(answer.json())
            short = told["plies"][ply]
            assert report.truth.value == short["truth"]["value"]
            assert (report.search and report.search.value) == short["value"]
        assert told["plies"][5]["judged"]["loss"] > 0.4
        kept = server.client.get(f"/api/games/{token}/analysis/obscuro-analysis.json")
        assert "attachment" in kept.headers["content-disposition"]
        assert Analysis.from_json(kept.text).is_complete
        page = server.client.get(f"/api/games/{token}/analysis/obscuro-analysis.html")
        assert page.text.startswith("<!doctype html>")
        assert "attachment" in page.headers["content-disposition"]


def test_it_is_deepened() -> None:
    with serving() as server:
        token = upload(server, "1. e4 e5")
        assert order(server, token, action="deepen", ply=0) == 400
        assert order(server, token, action="deepen") == 400
        order(server, token, action="start")
        before = wait(server, token, lambda told: idle(told) and told["done"] == 3)
        assert order(server, token, action="deepen", ply=1) == 200
        after = wait(server, token, lambda told: told["revision"] > before["revision"])
        assert after["plies"][1]["nodes"] > 2 * before["plies"][1]["nodes"]
        fresh = look(server, token, since=before["revision"])
        assert [entry["ply"] for entry in fresh["plies"]] == [1]
        assert after["error"] is None


def test_it_is_stopped_and_survives_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = iter(f"token-{number}" for number in range(1000))
    data = tmp_path / "games.sqlite3"
    step = Analyst.step

    def slow(self: Analyst) -> PlyReport | None:
        time.sleep(0.05)
        return step(self)

    monkeypatch.setattr(Analyst, "step", slow)
    with serving(data=data, new_token=lambda: next(numbers)) as server:
        token = upload(server)
        order(server, token, action="start")
        wait(server, token, lambda told: told["done"] >= 2)
        assert order(server, token, action="stop") == 200
        stopped = wait(server, token, idle)
        time.sleep(0.1)
        assert look(server, token)["done"] == stopped["done"]
    with serving(data=data, new_token=lambda: next(numbers)) as server:
        restored = look(server, token)
        assert (restored["done"], restored["state"]) == (stopped["done"], "idle")
        assert restored["plies"] == stopped["plies"]
        order(server, token, action="start")
        wait(server, token, lambda told: idle(told) and told["done"] == PLIES)


def test_an_analysis_under_way_does_not_keep_the_server_from_ending() -> None:
    with serving() as server:
        token = upload(server)
        order(server, token, action="start")
        began = time.monotonic()
    assert time.monotonic() - began < 60


def test_what_fails_is_told_and_can_be_begun_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: Analyst) -> None:
        raise RuntimeError("secret words")

    with serving() as server, monkeypatch.context() as patch:
        token = upload(server, "1. e4")
        patch.setattr(Analyst, "step", fail)
        order(server, token, action="start")
        told = wait(server, token, lambda told: told["error"] is not None)
        assert (told["state"], told["error"]) == ("idle", "the analysis failed: RuntimeError")
        patch.undo()
        order(server, token, action="start")
        assert wait(server, token, lambda told: told["done"] == 2)["error"] is None


@pytest.mark.parametrize(
    "wish", [{}, {"action": "peek"}, {"action": "deepen", "ply": -1}, {"action": "start", "x": 1}]
)
def test_nonsense_is_refused(wish: dict[str, object]) -> None:
    with serving() as server:
        token = upload(server, "1. e4")
        assert order(server, token, **wish) == 422
        assert idle(look(server, token))

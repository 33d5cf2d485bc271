"""Games on the server: moves, clocks, offers, and what survives."""

import asyncio
import contextlib
import threading
import time
from pathlib import Path
from typing import Any

import chess
import pytest
from starlette.websockets import WebSocketDisconnect

from obscuro.fow import Board
from obscuro.fow.observation import Observation
from obscuro.match.record import GameRecord
from obscuro.players import Decision, Limits, Player
from obscuro.web.engines import Engine, Searches
from obscuro.web.lobby import Lobby, Settings
from obscuro.web.room import answer_after
from web_server import SCRIPTED, Clock, ScriptedPlayer, Seat, Server, serving


def test_both_seats_see_what_their_pieces_see_and_no_more() -> None:
    board = Board()
    with serving() as server:
        tokens = server.begin_with_friend()
        with server.seat(tokens[0]) as white, server.seat(tokens[1]) as black:
            seats = {chess.WHITE: white, chess.BLACK: black}
            for seat in seats.values():
                seat.hear_all()
            for ply, san in enumerate(["e4", "d5", "exd5", "Qxd5", "Nc3", "Qe5"]):
                mover = board.turn
                seats[mover].say({"type": "move", "move": san, "plies": ply})
                move = board.push_san(san)
                for color, seat in seats.items():
                    told = seat.hear_until(lambda message: message["type"] == "ply")
                    seen = board.observation(color)
                    assert told["ply"]["fen"] == seen.fog_fen
                    assert told["ply"].get("uci") == (move.uci() if color == mover else None)
                    captured = seen.captured
                    assert told["ply"].get("lost") == (
                        None if captured is None else chess.square_name(captured)
                    )
                    assert set(told["now"]["moves"]) == {m.uci() for m in seen.legal_moves}


def test_an_own_capture_is_told_with_its_victim() -> None:
    with serving() as server:
        tokens = server.begin_with_friend(start="4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1")
        with server.seat(tokens[0]) as white, server.seat(tokens[1]) as black:
            white.play_as(black, "d4", 0)
            taken = black.play("exd3", 1)
            assert taken["ply"]["took"] == "P"
            assert white.hear_until(lambda m: m["type"] == "ply")["ply"]["lost"] == "d4"


def test_a_late_or_wrong_move_is_an_error_and_changes_nothing() -> None:
    with serving() as server:
        tokens = server.begin_with_friend()
        with server.seat(tokens[0]) as white, server.seat(tokens[1]) as black:
            for seat in (white, black):
                seat.hear_all()
            before = standing(server, tokens[0])
            assert black.play("e5", 0)["code"] == "NotYourTurnError"
            assert white.play("e5", 0)["code"] == "IllegalMoveError"
            assert white.play("e4", 1)["code"] == "OfferError"
            assert white.play("hello", 0)["code"] == "InvalidMoveError"
            assert standing(server, tokens[0]) == before
            assert white.play("e4", 0)["type"] == "ply"
            assert white.play("d4", 1)["code"] == "NotYourTurnError"


def standing(server: Server, token: str) -> dict[str, Any]:
    """Everything that a seat is told, from a fresh connection."""
    with server.seat(token) as seat:
        return seat.hear()


# Clocks.


def test_clocks_run_from_the_second_move_and_get_their_increment() -> None:
    with serving() as server:
        tokens = server.begin_with_friend(control={"base": 180, "increment": 2})
        with server.seat(tokens[0]) as white, server.seat(tokens[1]) as black:
            server.clock.seconds += 100
            white.play_as(black, "e4", 0)
            server.clock.seconds += 100
            told = black.play("e5", 1)
            assert told["now"]["clock"] == {"white": 180_000, "black": 180_000, "running": "white"}
            white.hear_until(lambda m: m["type"] == "ply")
            server.clock.seconds += 10
            told = white.play("Nf3", 2)
            assert told["now"]["clock"] == {"white": 172_000, "black": 180_000, "running": "black"}


def test_the_flag_falls_for_a_move_that_comes_too_late() -> None:
    with serving() as server:
        tokens = server.begin_with_friend(control={"base": 60, "increment": 0})
        with server.seat(tokens[0]) as white, server.seat(tokens[1]) as black:
            white.play_as(black, "e4", 0)
            black.play_as(white, "e5", 1)
            server.clock.seconds += 60
            white.say({"type": "move", "move": "Nf3", "plies": 2})
            over = white.hear_until(lambda m: m.get("now", {}).get("status") == "over")
            assert over["now"]["result"]["reason"] == "White ran out of time"
            assert over["now"]["plies"] == 2
            assert white.hear()["code"] == "GameOverError"


def test_the_flag_falls_by_itself() -> None:
    with serving(clock=time.monotonic) as server:
        tokens = server.begin_with_friend(control={"base": 1, "increment": 0})
        with server.seat(tokens[0]) as white, server.seat(tokens[1]) as black:
            white.play_as(black, "e4", 0)
            black.play_as(white, "e5", 1)
            over = black.hear_until(lambda m: m.get("now", {}).get("status") == "over")
            assert over["now"]["result"] == {
                "score": "0-1",
                "winner": "black",
                "reason": "White ran out of time",
            }


# Offers.


def test_a_takeback_that_is_agreed_to_takes_both_logs_back() -> None:
    with serving() as server:
        tokens = server.begin_with_friend()
        with server.seat(tokens[0]) as white, server.seat(tokens[1]) as black:
            first = {id(seat): seat.hear() for seat in (white, black)}
            white.play_as(black, "e4", 0)
            black.play_as(white, "e5", 1)
            white.say({"type": "takeback", "plies": 2})
            asked = black.hear_until(lambda m: m.get("now", {}).get("takeback") == "white")
            assert asked["now"]["plies"] == 2
            black.say({"type": "answer-takeback", "accept": True})
            for seat in (white, black):
                again = seat.hear_until(lambda m: m["type"] == "snapshot")
                assert again["history"] == first[id(seat)]["history"]
                assert again["now"]["plies"] == 0
            white.play_as(black, "d4", 0)
            assert black.play("d5", 1)["ply"]["san"] == "d5"


def test_a_takeback_that_is_declined_changes_nothing() -> None:
    with serving() as server:
        tokens = server.begin_with_friend()
        with server.seat(tokens[0]) as white, server.seat(tokens[1]) as black:
            white.play_as(black, "e4", 0)
            white.say({"type": "takeback", "plies": 1})
            black.hear_until(lambda m: m.get("now", {}).get("takeback") == "white")
            black.say({"type": "answer-takeback", "accept": False})
            told = white.hear_until(lambda m: m["type"] == "now" and m["now"]["takeback"] is None)
            assert told["now"]["plies"] == 1


def test_no_takeback_where_it_was_not_agreed_on() -> None:
    with serving() as server:
        tokens = server.begin_with_friend(casual=False)
        with server.seat(tokens[0]) as white, server.seat(tokens[1]) as black:
            white.play_as(black, "e4", 0)
            white.say({"type": "takeback", "plies": 1})
            assert white.hear_until(lambda m: m["type"] == "error")["code"] == "OfferError"


def test_a_program_forgets_what_was_taken_back() -> None:
    told: list[object] = []
    with serving(lambda spec: ScriptedPlayer(("e7e5", "d7d5"), told)) as server:
        token = server.begin(color="white", opponent="scripted")["token"]
        with server.seat(token) as white:
            play_with_reply(white, "e4", 0)
            white.say({"type": "takeback", "plies": 2})
            again = white.hear_until(lambda m: m["type"] == "snapshot" and m["now"]["plies"] == 0)
            assert len(again["history"]) == 1
            told.clear()
            reply = play_with_reply(white, "d4", 0)
            assert reply["number"] == 2
    board = Board()
    expected = [str(board.observation(chess.BLACK))]
    board.push_san("d4")
    expected.append(str(board.observation(chess.BLACK)))
    assert [entry for entry in told if entry != "closed"][:3] == [board.root().fen(), *expected]


def play_with_reply(seat: Seat, move: str, plies: int) -> dict[str, Any]:
    assert seat.play(move, plies)["type"] == "ply"
    return seat.hear_until(lambda m: m["type"] == "ply" and m["number"] == plies + 2)


def test_a_rematch_changes_colours_and_tells_each_seat_its_own_token() -> None:
    with serving() as server:
        tokens = server.begin_with_friend(control={"base": 60, "increment": 1})
        with server.seat(tokens[0]) as white, server.seat(tokens[1]) as black:
            assert white.ask({"type": "rematch"})["type"] in ("snapshot", "now", "error")
            white.say({"type": "resign"})
            for seat in (white, black):
                seat.hear_until(lambda m: m.get("now", {}).get("status") == "over")
            white.say({"type": "rematch"})
            black.hear_until(lambda m: m.get("now", {}).get("rematch") == "white")
            black.say({"type": "rematch"})
            new = [
                seat.hear_until(lambda m: m["type"] == "rematch")["token"]
                for seat in (white, black)
            ]
        assert len({*new, *tokens}) == 4
        with server.seat(new[0]) as second:
            snapshot = second.hear()
            assert snapshot["color"] == "black"
            assert snapshot["control"] == {"base": 60.0, "increment": 1.0}


def test_a_rematch_with_a_program_begins_at_once() -> None:
    with serving(lambda spec: ScriptedPlayer(("e2e4",))) as server:
        token = server.begin(color="white", opponent="scripted")["token"]
        with server.seat(token) as white:
            white.say({"type": "resign"})
            white.say({"type": "rematch"})
            new = white.hear_until(lambda m: m["type"] == "rematch")["token"]
        with server.seat(new) as black:
            snapshot = black.hear()
            assert (snapshot["color"], snapshot["white"]) == ("black", "Scripted")
            if snapshot["now"]["plies"] == 0:
                black.hear_until(lambda m: m["type"] == "ply")


# Invitations and seats.


def test_an_invitation_works_once_and_tells_what_was_agreed() -> None:
    with serving() as server:
        begun = server.begin(color="black", opponent="human", control={"base": 60, "increment": 0})
        path = f"/api/invitations/{begun['invitation']}"
        assert server.client.get(path).json()["color"] == "white"
        assert server.client.post(path, json={}).status_code == 200
        assert server.client.get(path).status_code == 404
        assert server.client.post(path, json={}).status_code == 404


def test_nobody_moves_before_the_opponent_has_come() -> None:
    with serving() as server:
        begun = server.begin(color="white", opponent="human")
        with server.seat(begun["token"]) as white:
            assert white.hear()["now"]["status"] == "waiting"
            assert white.play("e4", 0)["type"] == "error"


def test_an_unknown_token_is_told_so() -> None:
    with serving() as server:
        with pytest.raises(WebSocketDisconnect) as closed, server.seat("nobody") as seat:
            seat.hear()
        assert closed.value.code == 4404
        assert server.client.get("/api/games/nobody/seat").status_code == 404


# What survives.


def test_a_game_survives_a_reload_and_a_restart(tmp_path: Path) -> None:
    file = tmp_path / "games" / "games.sqlite3"
    clock = Clock()
    wish = {"control": {"base": 100, "increment": 0}}
    with serving(clock=clock, data=file) as server:
        tokens = server.begin_with_friend(**wish)
        with server.seat(tokens[0]) as white, server.seat(tokens[1]) as black:
            for ply, move in enumerate(["e4", "d5", "exd5"]):
                mover, other = (white, black) if ply % 2 == 0 else (black, white)
                clock.seconds += 5
                mover.play_as(other, move, ply)
        with server.seat(tokens[1]) as black:
            before = black.hear()
    clock.seconds += 1000  # the server is away: no clock runs
    numbers = iter(range(1000, 2000))
    with (
        serving(clock=clock, data=file, new_token=lambda: f"later-{next(numbers)}") as server,
        server.seat(tokens[1]) as black,
    ):
        after = black.hear()
        assert after == before
        assert black.play("Qxd5", 3)["now"]["plies"] == 4
        listed = server.client.get("/api/games").json()
        assert {game["token"] for game in listed} == set(tokens)


def test_a_program_goes_on_after_a_restart(tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite3"
    begun = threading.Event()

    class Slow(ScriptedPlayer):
        def choose(self, limits: Limits) -> Decision:
            begun.set()
            self.stopped.wait(30)
            return super().choose(limits)

        stopped = threading.Event()

        def stop(self) -> None:
            self.stopped.set()

    with serving(lambda spec: Slow(("e7e5",)), data=file) as server:
        token = server.begin(color="white", opponent="scripted")["token"]
        with server.seat(token) as white:
            assert white.play("e4", 0)["type"] == "ply"
            assert begun.wait(30)
    with (
        serving(
            lambda spec: ScriptedPlayer(("e7e5",)), data=file, new_token=lambda: "unused"
        ) as server,
        server.seat(token) as white,
    ):
        first = white.hear()
        if first["now"]["plies"] < 2:
            white.hear_until(lambda m: m["type"] == "ply" and m["number"] == 2)
        assert white.play("Nf3", 2)["type"] == "ply"


def test_idle_games_are_put_away_and_come_back() -> None:
    with serving(idle=10.0) as server:
        lobby = server.lobby
        tokens = server.begin_with_friend()
        with server.seat(tokens[0]) as white, server.seat(tokens[1]) as black:
            white.play_as(black, "e4", 0)
            server.clock.seconds += 100
            server.client.portal.call(lobby.put_away_idle)  # type: ignore[union-attr]
            assert lobby.games_in_memory == 1  # somebody is there
        with server.seat(tokens[1]) as black:
            before = black.hear()
        server.clock.seconds += 100
        server.client.portal.call(lobby.put_away_idle)  # type: ignore[union-attr]
        assert lobby.games_in_memory == 0
        with server.seat(tokens[1]) as black:
            assert black.hear() == before
            assert black.play("e5", 1)["type"] == "ply"


def test_a_broken_store_says_so(tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite3"
    file.write_text("this is no database, and it is longer than its header would be" * 3)
    from obscuro.errors import FileError

    with pytest.raises(FileError, match="cannot keep games in"):
        Lobby(Settings(data=file))


# Searches.


def test_many_games_think_with_a_bounded_number_of_searches() -> None:
    lock = threading.Lock()
    running = most = 0

    class Counting(ScriptedPlayer):
        def choose(self, limits: Limits) -> Decision:
            nonlocal running, most
            with lock:
                running += 1
                most = max(most, running)
            time.sleep(0.01)
            with lock:
                running -= 1
            return super().choose(limits)

    with (
        serving(lambda spec: Counting(("e7e5",)), searches=2, engines=3) as server,
        contextlib.ExitStack() as stack,
    ):
        seats = []
        for _ in range(12):
            token = server.begin(color="white", opponent="scripted")["token"]
            seats.append(stack.enter_context(server.seat(token)))
        for seat in seats:
            seat.say({"type": "move", "move": "e4", "plies": 0})
        for seat in seats:
            seat.hear_until(lambda m: m["type"] == "ply" and m["number"] == 2)
    assert most == 2


def test_the_program_that_waited_longest_is_put_away_and_told_everything_again() -> None:
    made: list[list[object]] = []

    def make(spec: str) -> Player:
        made.append([])
        return ScriptedPlayer(("e7e5", "d7d5"), made[-1])

    async def play() -> None:
        searches = Searches(at_once=1, in_memory=1)
        engines = [Engine(make, "scripted", chess.BLACK, Board().fen()) for _ in range(2)]
        board = Board()
        seen: list[Observation] = [board.observation(chess.BLACK)]
        board.push_san("e4")
        seen.append(board.observation(chess.BLACK))
        for engine in (engines[0], engines[1], engines[0]):
            decision = await searches.choose(engine, seen, Limits(), lambda: None)
            assert decision.move == chess.Move.from_uci("e7e5")
        searches.close()

    asyncio.run(play())
    assert len(made) == 3
    assert [str(one) for one in made[2]][:3] == [str(one) for one in made[0]][:3]
    assert "closed" in made[0]


def test_a_program_that_fails_loses_and_its_words_stay_on_the_server(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Failing(ScriptedPlayer):
        def choose(self, limits: Limits) -> Decision:
            raise RuntimeError("a secret of the position")

    with serving(lambda spec: Failing(())) as server:
        token = server.begin(color="white", opponent="scripted")["token"]
        with server.seat(token) as white:
            white.say({"type": "move", "move": "e4", "plies": 0})
            over = white.hear_until(lambda m: m.get("now", {}).get("status") == "over")
            assert over["now"]["result"]["reason"] == "Black's program failed"
            assert not any("secret" in text for text in white.received)
    assert "a program has failed" in caplog.text


@pytest.mark.parametrize("move", ["e7e4", "e2e4"])
def test_a_program_that_plays_an_illegal_move_loses(move: str) -> None:
    with serving(lambda spec: ScriptedPlayer((move,))) as server:
        token = server.begin(color="white", opponent="scripted")["token"]
        with server.seat(token) as white:
            white.say({"type": "move", "move": "d4", "plies": 0})
            over = white.hear_until(lambda m: m.get("now", {}).get("status") == "over")
            assert over["now"]["result"]["winner"] == "white"


def test_when_an_answer_is_sent_does_not_tell_how_long_the_search_took() -> None:
    for budget in (0.05, 0.25, 0.3, 1.0, 5.0):
        early = answer_after(0.0, budget)
        assert early >= budget
        for elapsed in (0.001, 0.5 * budget, budget, budget + 0.1, budget + 0.24):
            assert answer_after(elapsed, budget) == early
        assert answer_after(budget + 2.0, budget) > early


# The whole game afterwards.


def test_the_downloads_hold_the_whole_game() -> None:
    with serving() as server:
        tokens = server.begin_with_friend(control={"base": 60, "increment": 1})
        with server.seat(tokens[0]) as white, server.seat(tokens[1]) as black:
            moves = ["f3", "e5", "g4", "Qh4", "a3", "Qxe1"]
            for ply, move in enumerate(moves):
                mover, other = (white, black) if ply % 2 == 0 else (black, white)
                server.clock.seconds += 3
                mover.play_as(other, move, ply)
        path = f"/api/games/{tokens[0]}"
        record = GameRecord.from_json(server.client.get(f"{path}/obscuro.json").text)
        assert (record.result, record.reason, record.kind) == ("0-1", "king captured", "rules")
        assert [ply.seconds for ply in record.plies] == [3.0] * 6
        assert record.plies[2].left == 58.0
        pgn = server.client.get(f"{path}/obscuro.pgn").text
        assert '[Variant "Fog of War"]' in pgn
        assert "Qxe1" in pgn
        assert "[%clk 0:00:58.0]" in pgn
        truth = server.client.get(f"{path}/record").json()
        assert truth["positions"][-1] == record.board().fen()
        assert len(truth["observations"]["white"]) == len(truth["observations"]["black"]) == 7


def test_opponents_are_listed_with_the_paper_among_them() -> None:
    from obscuro.web import opponents

    assert opponents.find("paper").seconds == 5.0
    assert {opponents.DEFAULT, SCRIPTED.key} - {one.key for one in opponents.OPPONENTS} == {
        SCRIPTED.key
    }
    with serving() as server:
        assert [one["key"] for one in server.client.get("/api/opponents").json()] == ["scripted"]

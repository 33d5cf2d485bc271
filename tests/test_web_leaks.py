"""What a player may not see never leaves the server while the game runs.

Two games that a player cannot tell apart are played on two servers. Everything that the player's
browser can get hold of is compared, byte by byte: what comes through the connection, the answers
to all that may be asked, headers included, and the errors of moves that tap around in the fog.
"""

import ast
import contextlib
import random
import time
from collections.abc import Iterator
from pathlib import Path

import chess
import pytest

from obscuro.fow import STARTING_FEN, Board
from obscuro.web import messages, seatlog
from web_server import ScriptedPlayer, Seat, Server, serving

PLIES = 12


def twins(seed: int, color: chess.Color, start: str = STARTING_FEN) -> tuple[list[str], list[str]]:
    """Two games of different moves and different boards, in which `color` observes the same.

    All games that fit what `color` has observed in the first one are followed, as far as there is
    room for them.
    """
    for attempt in range(100):
        rng = random.Random(f"{seed} {attempt}")
        real = Board(start)
        fitting = [real]
        for _ in range(PLIES):
            if real.turn == color:
                move = rng.choice(real.legal_moves)
                after = [pushed(board, move) for board in fitting]
            else:
                after = [pushed(board, move) for board in fitting for move in board.legal_moves]
                real = rng.choice(fitting)
                move = rng.choice(real.legal_moves)
            real = pushed(real, move)
            if real.outcome() is not None:
                break
            seen = real.observation(color)
            after = [board for board in after if board.observation(color) == seen]
            fitting = rng.sample(after, min(len(after), 30))
        others = [board for board in fitting if board.fen().split()[0] != real.fen().split()[0]]
        if others and real.outcome() is None:
            both = (real, rng.choice(others))
            one, other = ([move.uci() for move in board.move_stack] for board in both)
            return one, other
    raise AssertionError("no twins were found")


def pushed(board: Board, move: chess.Move) -> Board:
    after = board.copy()
    after.push(move)
    return after


@contextlib.contextmanager
def against_a_human(
    moves: list[str], color: chess.Color, start: str
) -> Iterator[tuple[Server, str, Seat]]:
    with serving() as server:
        tokens = server.begin_with_friend(start=start, control={"base": 300, "increment": 2})
        with server.seat(tokens[0]) as white, server.seat(tokens[1]) as black:
            seats = {chess.WHITE: white, chess.BLACK: black}
            turn = Board(start).turn
            for ply, move in enumerate(moves):
                server.clock.seconds += 1.5
                seats[turn].play_as(seats[not turn], move, ply)
                probe(seats[color])
                turn = not turn
            yield server, tokens[not color], seats[color]


@contextlib.contextmanager
def against_a_program(
    moves: list[str], color: chess.Color, start: str
) -> Iterator[tuple[Server, str, Seat]]:
    first = Board(start).turn
    own, hidden = (moves[::2], moves[1::2]) if first == color else (moves[1::2], moves[::2])
    with serving(lambda spec: ScriptedPlayer(hidden)) as server:
        token = server.begin(
            color=chess.COLOR_NAMES[color],
            opponent="scripted",
            start=start,
            control={"base": 300, "increment": 2},
        )["token"]
        while first != color and server.client.get("/api/games").json()[0]["plies"] == 0:
            pass  # the program begins: what it plays first is there before the browser
        with server.seat(token) as seat:
            plies = 0 if first == color else 1
            # The last of the hidden moves answers the last own one.
            for move in own[: len(hidden) - plies]:
                seat.say({"type": "move", "move": move, "plies": plies})
                plies += 2
                hear_ply(seat, plies)
                probe(seat)
            yield server, token, seat


def hear_ply(seat: Seat, number: int) -> None:
    """Hears on until the seat was told of so many plies."""
    seat.hear_until(lambda m: m["type"] in ("ply", "snapshot") and m["now"]["plies"] == number)


def probe(seat: Seat) -> None:
    """What a curious browser might try at any time."""
    for message in (
        {"type": "answer-takeback", "accept": True},
        {"type": "rematch"},
        {"type": "peek"},
        {"type": "move", "move": "Qd5", "plies": 1000},
    ):
        seat.say(message)
    seat.hear_all()


def tap_around(seat: Seat, plies: int, legal: set[str]) -> None:
    """Illegal moves at the right ply, from and to squares of all kinds."""
    rng = random.Random(plies)
    pairs = [(a, b) for a in chess.SQUARE_NAMES for b in chess.SQUARE_NAMES if a != b]
    for origin, target in rng.sample(pairs, 60):
        if not any(move.startswith(origin + target) for move in legal):
            assert seat.ask({"type": "move", "move": origin + target, "plies": plies})
    for target in chess.SQUARE_NAMES:
        if not any(move[2:4] == target for move in legal):
            seat.ask({"type": "move", "move": f"Q{target}", "plies": plies})


def surroundings(server: Server, token: str) -> list[str]:
    """All that HTTP gives away."""
    found = []
    for path in (
        "/api/games",
        f"/api/games/{token}/seat",
        f"/api/games/{token}/record",
        f"/api/games/{token}/obscuro.json",
        f"/api/games/{token}/obscuro.pgn",
        f"/api/analysis/{token}",
        "/api/opponents",
        f"/game/{token}",
    ):
        answer = server.client.get(path)
        found.append(f"{path} {answer.status_code} {sorted(answer.headers.items())} {answer.text}")
    return found


@pytest.fixture(autouse=True)
def still_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time", lambda: 1_800_000_000.0)


STARTS = [STARTING_FEN, "r3k2r/pp3ppp/2n2n2/2b1p3/3pP1b1/2NP1N2/PP3PPP/R1B1KB1R w KQkq - 0 9"]


@pytest.mark.parametrize("color", [chess.WHITE, chess.BLACK])
@pytest.mark.parametrize("played", [against_a_human, against_a_program])
@pytest.mark.parametrize("seed", range(2))
def test_games_that_a_player_cannot_tell_apart_are_equal_byte_for_byte(
    played: type, color: chess.Color, seed: int
) -> None:
    start = STARTS[seed % 2]
    pair = twins(seed, color, start)
    assert pair[0] != pair[1]
    told: list[list[str]] = []
    truths: list[object] = []
    for moves in pair:
        with played(moves, color, start) as (server, token, seat):
            with server.seat(token) as again:
                snapshot = again.hear()
            if snapshot["now"]["turn"] == snapshot["color"]:
                tap_around(seat, snapshot["now"]["plies"], set(snapshot["now"]["moves"]))
            told.append([*seat.received, *again.received, *surroundings(server, token)])
            seat.say({"type": "resign"})
            seat.hear_until(lambda m: m.get("now", {}).get("status") == "over")
            truths.append(server.client.get(f"/api/games/{token}/record").json()["positions"])
    assert told[0] == told[1]
    # The comparison can fail: what it is about does differ.
    assert truths[0] != truths[1]


def test_what_a_seat_is_sent_names_no_square_of_the_fog() -> None:
    """A second guard that shares nothing with the first: the messages' own words."""
    rng = random.Random(5)
    board = Board()
    with serving() as server:
        tokens = server.begin_with_friend()
        with server.seat(tokens[0]) as white, server.seat(tokens[1]) as black:
            seats = {chess.WHITE: white, chess.BLACK: black}
            for ply in range(30):
                move = rng.choice(board.legal_moves)
                mover = board.turn
                board.push(move)
                seats[mover].play_as(seats[not mover], move.uci(), ply)
                told = seats[not mover].received[-1]
                seen = board.observation(not mover)
                if seen.captured != move.to_square:
                    assert move.uci()[:4] not in told.replace("fen", "")
                hidden = {chess.square_name(s) for s in chess.SQUARES if s not in seen.visible}
                allowed = {None if seen.captured is None else chess.square_name(seen.captured)}
                assert not any(f'"{square}"' in told for square in hidden - allowed)


def test_the_other_side_s_token_is_never_sent() -> None:
    with serving() as server:
        tokens = server.begin_with_friend()
        with server.seat(tokens[0]) as white, server.seat(tokens[1]) as black:
            white.play_as(black, "e4", 0)
            black.play_as(white, "e5", 1)
            room_key = server.client.portal.call(server.lobby.find, tokens[0])[0].key  # type: ignore[union-attr]
            for secret in (tokens[1], room_key):
                assert not any(secret in text for text in white.received)
                assert secret not in server.client.get(f"/api/games/{tokens[0]}/seat").text


@pytest.mark.parametrize("kind", ["record", "obscuro.json", "obscuro.pgn"])
def test_the_truth_is_told_only_when_the_game_is_over(kind: str) -> None:
    with serving() as server:
        tokens = server.begin_with_friend()
        with server.seat(tokens[0]) as white, server.seat(tokens[1]) as black:
            white.play_as(black, "e4", 0)
            for token in tokens:
                refused = server.client.get(f"/api/games/{token}/{kind}")
                assert refused.status_code == 400
                assert "e4" not in refused.text
            black.say({"type": "resign"})
            black.hear_until(lambda m: m.get("now", {}).get("status") == "over")
            assert server.client.get(f"/api/games/{tokens[0]}/{kind}").status_code == 200


@pytest.mark.parametrize("module", [messages, seatlog])
def test_what_talks_to_players_cannot_reach_the_board(module: object) -> None:
    """Nothing is imported there from which a board or the referee could be had."""
    allowed = {
        "obscuro.fow.observation": {"Observation"},
        "obscuro.fow.notation": {"san", "parse_move"},
        "obscuro.players": {"Result"},
        "obscuro.web.seatlog": {"SeatLog"},
        "obscuro.errors": None,
    }
    path = Path(str(getattr(module, "__file__")))  # noqa: B009
    found = 0
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            assert not any(alias.name.startswith("obscuro") for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("obscuro"):
            names = allowed[node.module or ""]
            assert names is None or {alias.name for alias in node.names} <= names
            found += 1
    assert found > 0

"""The referee: what reaches a player, how games end, and clocks."""

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import chess
import pytest

from match_players import Curious, Raises, Scripted, Slow
from obscuro.errors import IllegalMoveError, PlayerError
from obscuro.fow import STARTING_FEN, Board
from obscuro.match import (
    Adjudication,
    Engine,
    PlayerClock,
    Ply,
    Referee,
    TimeControl,
    Verdict,
    play_game,
)
from obscuro.match import referee as referee_module
from obscuro.match.referee import ADJUDICATION, ERROR, ILLEGAL, RESIGNATION, TIME
from obscuro.match.worker import GameRequest, respond
from obscuro.players import Clock, Limits, Player, Result
from obscuro.players.base import Decision

WHITE, BLACK = chess.WHITE, chess.BLACK


def play(
    white: Player,
    black: Player,
    control: TimeControl | None = None,
    *,
    start: str = STARTING_FEN,
    adjudication: Adjudication | None = None,
    told_all: Sequence[chess.Color] = (),
) -> tuple[Verdict, Referee]:
    referee = Referee(
        Board(start),
        {WHITE: white, BLACK: black},
        control or TimeControl(),
        adjudication=adjudication,
        forfeits=True,
        told_all=told_all,
    )
    return referee.play(), referee


def alike(seed: int) -> tuple[chess.Color, list[str], str, str] | None:
    """Moves of a random game after which two moves of one side look the same to the other."""
    generator = random.Random(seed)
    board = Board()
    for _ in range(generator.randrange(1, 60)):
        if board.is_game_over():
            return None
        board.push(generator.choice(list(board.legal_moves)))
    if board.is_game_over():
        return None
    viewer = not board.turn
    seen: dict[str, list[str]] = {}
    for move in board.legal_moves:
        after = board.copy()
        after.push(move)
        if not after.is_game_over():
            seen.setdefault(str(after.observation(viewer)), []).append(move.uci())
    groups = [group for group in seen.values() if len(group) > 1]
    if not groups:
        return None
    one, other = generator.sample(generator.choice(groups), 2)
    return viewer, [move.uci() for move in board.move_stack], one, other


def told_to(viewer: chess.Color, moves: list[str]) -> list[str]:
    """Everything that this side is told when the moves are played and then it resigns."""
    players = {}
    for color in (WHITE, BLACK):
        own = moves[0 if color == WHITE else 1 :: 2]
        players[color] = Scripted(" ".join(own))
    verdict, _ = play(players[WHITE], players[BLACK])
    assert verdict.kind == RESIGNATION
    return players[viewer].told


def test_players_are_told_the_same_where_they_cannot_tell_positions_apart() -> None:
    compared = 0
    for seed in range(60):
        found = alike(seed)
        if found is None:
            continue
        viewer, moves, one, other = found
        assert told_to(viewer, [*moves, one]) == told_to(viewer, [*moves, other])
        compared += 1
    assert compared > 30


def test_the_leak_test_can_fail() -> None:
    # The other side sees the difference: what it is told differs.
    found = next(found for seed in range(60) if (found := alike(seed)))
    viewer, moves, one, other = found
    assert told_to(not viewer, [*moves, one]) != told_to(not viewer, [*moves, other])


def test_players_get_one_observation_a_ply_and_their_own_clock_only() -> None:
    white, black = Scripted("e2e4 d2d4"), Scripted("d7d5")
    play(white, black, TimeControl(base=60, increment=1))
    board = Board()
    views = [board.observation(BLACK)]
    for move in ("e2e4", "d7d5", "d2d4"):
        board.push_uci(move)
        views.append(board.observation(BLACK))
    assert [told.split()[0] for told in black.told] == [
        *("new_game", "observe", "observe", "choose", "observe", "observe", "choose"),
        "game_over",
    ]
    observed = [told for told in black.told if told.startswith("observe")]
    assert observed == [f"observe {view!r} {view}" for view in views]
    limits = [told for told in black.told if told.startswith("choose")]
    assert all(text.count("remaining=") == 1 and "increment=1" in text for text in limits)


def test_only_whom_the_referee_was_told_of_is_shown_the_moves() -> None:
    class Plain(Scripted):
        fog_honest = False

        def reveal(self, moves: Sequence[chess.Move]) -> None:
            self.told.append(" ".join(move.uci() for move in moves))

    white, black = Plain("e2e4 d2d4"), Plain("e7e5")
    play(white, black, told_all=[BLACK])
    assert "e2e4" in black.told
    assert "e2e4 e7e5 d2d4" in black.told
    assert not any("e7e5" in told for told in white.told)
    # One that says only later what it is gets no more than before.
    verdict, _ = play(Curious("e2e4 d2d4"), Scripted("e7e5"))
    assert verdict.result.reason == "Black resigned"


def test_a_captured_king_ends_the_game() -> None:
    white, black = Scripted("e2e4 d1h5 h5f7 f7e8"), Scripted("a7a6 a6a5 a5a4")
    verdict, referee = play(white, black)
    assert verdict == Verdict(Result(WHITE, "king captured"))
    assert [ply.move for ply in referee.plies][-1] == "f7e8"
    assert white.told[-1] == black.told[-1] == f"game_over {verdict.result!r}"


@pytest.mark.parametrize(
    ("start", "moves", "result", "reason"),
    [
        # Stalemate is a win for the side that gives it.
        ("8/7k/8/8/1p6/pPp5/PRP5/KB6 b - - 0 1", "h7h8", "0-1", "no legal move"),
        ("8/7k/8/8/8/8/8/KB6 b - - 99 80", "h7h8", "1/2-1/2", "fifty"),
    ],
)
def test_the_rules_end_games(start: str, moves: str, result: str, reason: str) -> None:
    verdict, _ = play(Scripted(), Scripted(moves), start=start)
    assert (verdict.kind, verdict.result.score) == ("rules", result)
    assert reason in verdict.result.reason


@pytest.mark.parametrize(
    ("where", "words"),
    [("new_game", "in new_game"), ("observe", "in observe"), ("choose", "in choose")],
)
@pytest.mark.parametrize("color", [WHITE, BLACK])
def test_who_fails_loses(where: str, words: str, color: chess.Color) -> None:
    other = Scripted("g1f3" if color == BLACK else "")
    bad = Raises(where)
    verdict, _ = play(*((bad, other) if color == WHITE else (other, bad)))
    name = chess.COLOR_NAMES[color].capitalize()
    assert verdict.kind == ERROR
    assert verdict.result == Result(not color, f"{name} failed: ZeroDivisionError: {words}")


def test_who_fails_afterwards_has_not_lost_by_it() -> None:
    verdict, _ = play(Scripted("e2e4"), Raises("game_over", "e7e5"))
    assert verdict.kind == RESIGNATION
    assert verdict.result == Result(
        BLACK,
        "White resigned; afterwards Black failed: ZeroDivisionError: in game_over",
    )


def test_an_illegal_move_loses() -> None:
    verdict, _ = play(Scripted("e2e4"), Scripted("e7e4"))
    assert verdict.kind == ILLEGAL
    assert verdict.result == Result(WHITE, "Black chose e7e4, which is not legal")
    with pytest.raises(IllegalMoveError, match="Black chose e7e4"):
        play_game(Board(), {WHITE: Scripted("e2e4"), BLACK: Scripted("e7e4")}, TimeControl())


def test_an_answer_that_is_none_loses() -> None:
    class Mute(Scripted):
        def choose(self, limits: Limits) -> Decision:
            return "e2e4"  # type: ignore[return-value]

    verdict, _ = play(Mute(), Scripted())
    assert verdict.kind == ERROR
    assert "expected a Decision" in verdict.result.reason
    with pytest.raises(PlayerError, match="expected a Decision"):
        play_game(Board(), {WHITE: Mute(), BLACK: Scripted()}, TimeControl())


class Time:
    """A clock of its own: players pass the time by setting it forward."""

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        return self.now


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    clock = Time()
    monkeypatch.setattr(referee_module, "time", clock)
    return clock


class Taking(Scripted):
    def __init__(self, time: Time, moves: str, choosing: str, observing: float = 0) -> None:
        super().__init__(moves)
        self.time = time
        self.choosing = [float(word) for word in choosing.split()]
        self.observing = observing
        self.limits: list[Limits] = []

    def observe(self, observation: Any) -> None:  # noqa: ANN401
        self.time.now += self.observing

    def choose(self, limits: Limits) -> Decision:
        self.limits.append(limits)
        self.time.now += self.choosing.pop(0)
        return super().choose(limits)


def test_clocks_run_while_a_player_is_asked(time: Time) -> None:
    white = Taking(time, "g1f3 f3g1 g1f3", "4 3 2.5 0")
    black = Taking(time, "g8f6 f6g8 g8f6", "1 1 1")
    verdict, referee = play(white, black, TimeControl.parse(tc="10+1"))
    assert verdict.result.reason == "White resigned"
    assert [limits.clock for limits in white.limits] == [
        Clock(10, 1),
        Clock(7, 1),
        Clock(5, 1),
        Clock(3.5, 1),
    ]
    assert [ply.left for ply in referee.plies] == [7, 10, 5, 10, 3.5, 10]
    assert [ply.seconds for ply in referee.plies] == [4, 1, 3, 1, 2.5, 1]


@pytest.mark.parametrize(
    ("control", "choosing", "observing", "loses"),
    [
        ({"tc": "10"}, "5 4.9 0", 0.0, False),
        ({"tc": "10"}, "5 5.1", 0.0, True),
        ({"tc": "10", "timemargin": "200"}, "5 5.1 0.05", 0.0, False),
        ({"tc": "10+3"}, "9 3.5 2", 0.0, False),
        ({"tc": "2/10"}, "5 4 9 0", 0.0, False),
        ({"st": "1"}, "1.9 1.9 1.9", 0.0, False),
        ({"st": "1", "timemargin": "0"}, "0.5 1.1", 0.0, True),
        ({"st": "1"}, "0.5 2.1", 0.0, True),
        # Observing counts on a clock, and only if one says so for a fixed time.
        ({"tc": "10"}, "4 4", 1.5, True),
        ({"tc": "10", "count": "search"}, "4 4 0", 9.0, False),
        ({"st": "1"}, "0.5 0.5 0.5", 9.0, False),
        ({"st": "1", "count": "all"}, "0.5 0.5", 1.0, True),
        ({"nodes": "5"}, "900 900 900", 900.0, False),
    ],
)
def test_time_forfeits(
    time: Time, control: Mapping[str, str], choosing: str, observing: float, loses: bool
) -> None:
    white = Taking(time, " ".join(["g1f3 f3g1"] * 2)[: 5 * (len(choosing.split()) - 1)], choosing)
    white.observing = observing
    verdict, _ = play(white, Scripted("g8f6 f6g8 g8f6"), TimeControl.parse(**control))
    if loses:
        assert verdict == Verdict(Result(BLACK, "White lost on time"), TIME)
    else:
        assert verdict.result == Result(BLACK, "White resigned")


def test_a_real_player_that_takes_its_time() -> None:
    control = TimeControl.parse(st="0.05", timemargin="20")
    assert play(Slow(choosing="0.2"), Scripted(), control)[0].kind == TIME
    assert play(Slow(observing="0.2"), Scripted("g8f6"), control)[0].kind != TIME


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("180+2", (180, 2, None)),
        ("1:30+0.5", (90, 0.5, None)),
        ("40/60+0.6", (60, 0.6, 40)),
        ("40/1:00", (60, 0, 40)),
        (".5", (0.5, 0, None)),
    ],
)
def test_time_controls(text: str, expected: tuple[float, float, int | None]) -> None:
    control = TimeControl.parse(tc=text)
    assert (control.base, control.increment, control.moves) == expected


def test_a_new_period_gives_more_time() -> None:
    clock = PlayerClock(TimeControl.parse(tc="2/10"))
    assert clock.limits().clock == Clock(10, 0, 2)
    for spent, left, to_go in ((3, 7, 1), (4, 13, 2), (1, 12, 1)):
        clock.spend_choosing(spent)
        clock.end_of_move()
        assert clock.limits().clock == Clock(left, 0, to_go)


PAWNS_WHITE = " ".join(f"{file}2{file}3" for file in "abcdefgh")
PAWNS_BLACK = " ".join(f"{file}7{file}6" for file in "abcdefgh")


@pytest.mark.parametrize(
    ("rules", "white", "black", "expected"),
    [
        ({}, "-1 -1 -1 -1 -1 -1", "1 1 1 1 1 1", None),
        ({"max_moves": 3}, "", "", ("1/2-1/2", 6, "3 moves were played")),
        (
            {"resign_count": 2, "resign_value": 0.9},
            "0 -0.95 -0.8 -0.95 -0.9 0",
            "0 0 0 0 0 0",
            ("0-1", 9, "White is lost"),
        ),
        (
            {"resign_count": 2, "resign_value": 0.9, "resign_twosided": True},
            "-1 -1 -1 -1 -1 -1",
            "0.9 0.8 0.95 0.9 0 0",
            ("0-1", 9, "White is lost"),
        ),
        (
            {"draw_count": 2, "draw_value": 0.1, "draw_after": 0},
            "0.5 0.1 -0.1 0 0",
            "0 0 0 0 0",
            ("1/2-1/2", 5, "both players see a draw"),
        ),
        (
            {"draw_count": 1, "draw_value": 0.1, "draw_after": 4},
            "0 0 0 0 0 0",
            "0 0 0 0 0 0",
            ("1/2-1/2", 8, "both players see a draw"),
        ),
        # Values that one of them does not tell say nothing.
        ({"draw_count": 1, "draw_value": 1}, "0 0 0 0 0", "", None),
    ],
)
def test_adjudication(
    rules: Mapping[str, Any], white: str, black: str, expected: tuple[str, int, str] | None
) -> None:
    players = Scripted(PAWNS_WHITE, white), Scripted(PAWNS_BLACK, black)
    verdict, referee = play(*players, adjudication=Adjudication(**rules))
    if expected is None:
        assert verdict.kind != ADJUDICATION
    else:
        score, plies, reason = expected
        assert verdict.kind == ADJUDICATION
        assert (verdict.result.score, len(referee.plies)) == (score, plies)
        assert verdict.result.reason == reason


def answers(white: str, black: str) -> list[tuple[Any, ...]]:
    """What the process of a game would send, without a process."""
    sent: list[tuple[Any, ...]] = []
    engines = Engine("a", white), Engine("b", black)
    respond(GameRequest(*engines, STARTING_FEN, (1, 2), Adjudication()), sent.append)
    return sent


PLAYERS = Path(__file__).with_name("match_players.py")


def test_the_process_of_a_game_tells_how_far_it_is() -> None:
    moves = "moves=e2e4 d2d4"
    sent = answers(f"{PLAYERS}:Scripted({moves})", f"{PLAYERS}:Raises(moves=e7e5,where=close)")
    assert [message[0] for message in sent if message[0] in ("seed", "played", "over")] == [
        *["seed"] * 2,
        *["played"] * 3,
        "over",
    ]
    played = [message[1] for message in sent if message[0] == "played"]
    assert [ply.move for ply in played if isinstance(ply, Ply)] == ["e2e4", "e7e5", "d2d4"]
    decided = [message[1] for message in sent if message[0] == "decided"]
    assert [str(verdict.result) for verdict in decided] == [
        "1-0 (Black resigned)",
        "1-0 (Black resigned; afterwards Black failed: ZeroDivisionError: in close)",
    ]
    # Before anything that may take long, it says who is waited for.
    places = [n for n, message in enumerate(sent) if message[0] == "played"]
    assert all(sent[place - 1][0] == "waiting" for place in places)


def test_a_player_that_cannot_be_made_loses() -> None:
    sent = answers("random", f"{PLAYERS}:Nobody")
    verdict = next(message[1] for message in sent if message[0] == "decided")
    assert verdict.result.winner == WHITE
    assert "Black did not start: PlayerError" in verdict.result.reason
    assert sent[-1] == ("over",)

"""The engine behind the protocol: both forms, searches, stop, options, errors."""

import time
from collections.abc import Iterator

import chess
import pytest

from obscuro.fow import Board, Observation
from obscuro.players.score import cp_to_value
from obscuro.players.settings import option_names
from obscuro.protocol import jobs
from protocol_talk import QUICK, Talk, errors_in, fog_line, report_in

GAME = "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6"


@pytest.fixture
def talk() -> Iterator[Talk]:
    talk = Talk(*QUICK)
    yield talk
    talk.close()


def test_uci_tells_every_setting(talk: Talk) -> None:
    answer = talk.send("uci")
    assert answer[0].startswith("id name Obscuro ")
    assert answer[-2:] == ["info string fog form 1", "uciok"]
    options = [line.split(" type ")[0].removeprefix("option name ") for line in answer]
    assert {name.casefold() for name in options} >= set(option_names())
    assert {"Threads", "Hash", "UCI_Variant", "Ponder"} <= set(options)
    assert len({name.casefold() for name in options}) == len(options)


def test_both_forms_find_the_same(talk: Talk) -> None:
    plain = talk.go(f"position startpos moves {GAME}", "go nodes 1500")
    other = Talk(*QUICK)
    fog = other.go(fog_line(chess.WHITE, GAME), "go nodes 1500")
    other.close()
    assert plain[0] == fog[0]
    assert plain[1]["moves"] == fog[1]["moves"]
    assert plain[1]["belief"] == fog[1]["belief"] > 1


def test_black_sees_as_black(talk: Talk) -> None:
    _, report = talk.go("position startpos moves e2e4", "go nodes 300")
    assert report["color"] == "black"
    # What White has played is not seen: any of the twenty moves but those that show.
    assert report["belief"] > 10


@pytest.mark.parametrize("moves", ["", "e2e4", "e2e4 e7e5 g1f3"])
def test_a_move_is_legal_and_its_report_agrees(talk: Talk, moves: str) -> None:
    move, report = talk.go(f"position startpos moves {moves}", "go nodes 300")
    board = Board()
    for text in moves.split():
        board.push_uci(text)
    assert chess.Move.from_uci(move) in board.legal_moves
    assert report["move"] == move
    assert sum(report["strategy"].values()) == pytest.approx(1, abs=1e-4)
    assert report["strategy"][move] > 0


def test_the_line_for_other_tools(talk: Talk) -> None:
    answer = talk.until("bestmove", "position startpos", "go nodes 300")
    words = next(line for line in answer if line.startswith("info depth")).split()
    words.remove("cp")
    info = dict(zip(words[1::2], words[2::2], strict=True))
    report = report_in(answer)
    assert int(info["nodes"]) == report["nodes"] >= 300
    assert int(info["seldepth"]) == report["max_depth"]
    assert cp_to_value(int(info["score"])) == pytest.approx(report["value"], abs=0.01)
    assert int(info["nps"]) > 0
    assert int(info["time"]) < 60_000
    assert int(info["hashfull"]) == 0
    assert info["pv"] == answer[-1].split()[1] == report["move"]


def test_carrying_on_is_as_telling_it_whole(talk: Talk) -> None:
    # Told ply by ply, and told at once: the same belief.
    for plies in range(0, 11, 2):
        talk.send(fog_line(chess.WHITE, GAME, plies=plies))
    step_by_step = talk.go("go nodes 800")[1]
    whole = Talk(*QUICK)
    at_once = whole.go(fog_line(chess.WHITE, GAME), "go nodes 800")[1]
    whole.close()
    assert step_by_step["belief"] == at_once["belief"]
    assert step_by_step["moves"] == at_once["moves"]
    assert errors_in(talk.said) == []


def test_carrying_on_tells_only_what_is_new_and_keeps_the_tree(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    follower = talk.engine._follower
    talk.send(fog_line(chess.WHITE, GAME, plies=8))
    player = follower.player()
    move, report = talk.go("go nodes 3000")
    assert report["carried_nodes"] == 0
    board = Board()
    for text in GAME.split()[:8]:
        board.push_uci(text)
    board.push_uci(move)
    reply = next(m.uci() for m in board.legal_moves if not board.is_capture(m))
    told = []
    observe = player.observe

    def counted(observation: Observation) -> None:
        told.append(observation)
        observe(observation)

    monkeypatch.setattr(player, "observe", counted)
    game = f"{' '.join(GAME.split()[:8])} {move} {reply}"
    _, report = talk.go(fog_line(chess.WHITE, game), "go nodes 100")
    assert follower.player() is player
    assert len(told) == 2
    assert report["carried_nodes"] > 0


def test_another_game_is_told_from_the_start(talk: Talk) -> None:
    talk.go(fog_line(chess.WHITE, GAME), "go nodes 100")
    talk.go(fog_line(chess.BLACK, "d2d4"), "go nodes 100")
    start = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    move, report = talk.go(fog_line(chess.WHITE, "", start), "go nodes 100")
    assert report["belief"] == 1
    assert chess.Move.from_uci(move) in Board(start).legal_moves
    assert errors_in(talk.said) == []


# With a queen where no queen can have come after two moves.
WRONG = Board("rnbqkbnr/pppp1ppp/8/4p3/3QP3/8/PPPP1PPP/RNB1KBNR b KQkq - 0 2")


def contradiction() -> str:
    """What Black is told after 1.e4 e5 and a move that cannot be."""
    good = fog_line(chess.BLACK, "e2e4 e7e5 g1f3")
    return good.rsplit(" ; ", 1)[0] + f" ; {WRONG.observation(chess.BLACK)} moves e7e5"


def test_a_contradiction_is_an_error_and_changes_nothing(talk: Talk) -> None:
    good = fog_line(chess.BLACK, "e2e4 e7e5 g1f3")
    talk.go(good, "go nodes 200")
    (error,) = errors_in(talk.send(contradiction()))
    assert error.startswith("observation 4: ")
    assert "impossible" in error
    assert len(errors_in(talk.send(good.replace("moves e7e5", "moves e7e6")))) == 1
    after = talk.go("go nodes 200")[1]
    control = Talk(*QUICK)
    control.go(good, "go nodes 200")
    expected = control.go("go nodes 200")[1]
    control.close()
    assert after["moves"] == expected["moves"]
    assert after["carried_nodes"] == expected["carried_nodes"] > 0


def test_nothing_stays_of_a_line_that_goes_wrong_in_the_middle(talk: Talk) -> None:
    told = fog_line(chess.BLACK, "e2e4")
    talk.send(told)
    before = talk.send("d")
    # The third observation of this line can be true, the fourth cannot.
    assert errors_in(talk.send(contradiction()))[0].startswith("observation 4: ")
    assert talk.send("d") == before
    assert talk.go("go nodes 50")[0] in {move.uci() for move in chess.Board().mirror().legal_moves}
    assert talk.send(fog_line(chess.BLACK, "e2e4 e7e5 g1f3")) == []


def test_with_resync_a_contradiction_begins_the_belief_anew(talk: Talk) -> None:
    talk.send("setoption name Resync value true")
    answer = talk.send(contradiction())
    assert answer[0].startswith("info string resync observation 4: ")
    move, report = talk.go("go nodes 200")
    assert report["exactness"] == "guess"
    assert move in {legal.uci() for legal in WRONG.legal_moves}
    assert errors_in(talk.said) == []


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("position startpos moves e2e4 e2e4", "move 2: e2e4 is not legal"),
        ("position startpos moves castle", 'move 1: "castle" is not a move'),
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "position: "),
        ("position fen rubbish", "position: "),
        (
            "position fog color white observations rubbish",
            "observation 1: ",
        ),
        (
            fog_line(chess.WHITE, "e2e4 e7e5").replace(" moves e2e4", ""),
            "moves: found 0, expected 1",
        ),
        (
            fog_line(chess.WHITE, "e2e4 e7e5").replace(" moves e2e4", " moves e2e5"),
            "move 1: 'e2e5' is not legal in observation 1",
        ),
        (
            fog_line(chess.WHITE, "e2e4").replace(" b KQ", " w KQ"),
            "observation 2: found",
        ),
        (
            fog_line(chess.WHITE, "", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").replace(
                "start 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 ", ""
            ),
            "observation 1: the first observation is",
        ),
    ],
)
def test_a_wrong_position_is_refused(talk: Talk, line: str, error: str) -> None:
    # What follows is what follows without the line.
    talk.go("position startpos moves e2e4", "go nodes 100")
    expected = talk.go("go nodes 100")[0]
    talk.send("ucinewgame")
    talk.go("position startpos moves e2e4", "go nodes 100")
    (found,) = errors_in(talk.send(line))
    assert found.startswith(error)
    move, report = talk.go("go nodes 100")
    assert report["color"] == "black"
    assert move == expected


def test_a_game_that_is_over_has_no_move(talk: Talk) -> None:
    answer = talk.until(
        "bestmove", "position startpos moves e2e4 f7f6 d1h5 a7a6 h5e8", "go nodes 100"
    )
    assert errors_in(answer) == ["go: the game is over, expected a position where it goes on"]
    assert answer[-1] == jobs.NO_MOVE


def test_the_time_of_the_other_side_is_no_limit(talk: Talk) -> None:
    answer = talk.until("bestmove", "position startpos", "go btime 100")
    assert "expected wtime" in errors_in(answer)[0]
    talk.go("go wtime 100 btime 100000 winc 0")


def test_stop_ends_a_search_at_once(talk: Talk) -> None:
    talk.send("position startpos", "go infinite", "isready")
    assert talk.said[-1] == "readyok"
    assert talk.waiting_for(0.2) == []
    start = time.monotonic()
    move, report = talk.go("stop")
    assert time.monotonic() - start < 2
    assert move in report["strategy"]
    # It is over: nothing is stopped in advance.
    assert talk.send("stop", "stop") == []
    assert talk.go("go nodes 3000")[1]["nodes"] >= 3000


def test_an_answer_waits_for_stop_if_the_search_is_infinite(talk: Talk) -> None:
    assert talk.waiting_for(0.0) == []
    talk.send("position startpos", "go infinite nodes 50")
    assert talk.waiting_for(0.3) == []
    assert talk.go("stop")[1]["nodes"] >= 50


def test_ponderhit_starts_the_time(talk: Talk) -> None:
    talk.send("position startpos moves e2e4 e7e5", "go ponder movetime 50")
    assert talk.waiting_for(0.3) == []
    assert talk.go("ponderhit")[0] != "(none)"
    talk.send("go ponder nodes 50")
    assert talk.waiting_for(0.2) == []
    talk.go("ponderhit")
    talk.send("go ponder wtime 300 btime 300")
    talk.go("ponderhit")


def test_thinking_ahead_while_the_opponent_is_to_move(talk: Talk) -> None:
    line = fog_line(chess.WHITE, GAME, plies=9)
    answer = talk.until("bestmove", line, "go nodes 10")
    assert "it is not white's turn" in errors_in(answer)[0]
    talk.send("go ponder")
    assert talk.waiting_for(0.2) == []
    assert talk.until("bestmove", "stop") == [jobs.NO_MOVE]
    report = talk.go(fog_line(chess.WHITE, GAME), "go nodes 100")[1]
    assert report["carried_nodes"] > 0


def test_with_ponder_it_thinks_ahead_by_itself(talk: Talk) -> None:
    first, then = fog_line(chess.WHITE, GAME, plies=9), fog_line(chess.WHITE, GAME)
    talk.send(first)
    assert talk.go(then, "go nodes 100")[1]["carried_nodes"] == 0
    talk.send("ucinewgame", "setoption name Ponder value true", first)
    assert talk.waiting_for(0.3) == []
    assert talk.go(then, "go nodes 100")[1]["carried_nodes"] > 0
    assert errors_in(talk.said) == []


def test_commands_wait_for_the_search(talk: Talk) -> None:
    talk.send("position startpos", "go nodes 2000", "position startpos moves e2e4", "go nodes 100")
    assert [talk.go()[1]["color"], talk.go()[1]["color"]] == ["white", "black"]


def test_stop_counts_for_searches_that_wait(talk: Talk) -> None:
    talk.send("position startpos", "go infinite", "ucinewgame", "go infinite", "stop")
    talk.go()
    talk.go()
    assert errors_in(talk.said) == []


def test_what_waits_is_bounded(talk: Talk) -> None:
    answer = talk.send("position startpos", "go infinite", *["ucinewgame"] * 1001)
    assert len(errors_in(answer)) == 1
    assert "1000 commands wait" in answer[-1]
    talk.go("stop")


def test_a_failure_of_the_search_is_said_and_survived(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("all\nwrong")

    with monkeypatch.context() as patch:
        patch.setattr("obscuro.players.obscuro.ObscuroPlayer.choose", broken)
        answer = talk.until("bestmove", "position startpos", "go nodes 50")
    assert errors_in(answer) == ["internal, ZeroDivisionError: all wrong"]
    assert answer[-1] == jobs.NO_MOVE
    assert talk.send("isready") == ["readyok"]
    assert talk.go("go nodes 50")[0] != "(none)"


def test_depth_and_its_like_are_said_to_be_ignored(talk: Talk) -> None:
    answer = talk.until("bestmove", "go depth 3 searchmoves e2e4 d2d4 nodes 20")
    ignored = [line.split()[4] for line in answer if line.startswith("info string ignored")]
    assert ignored == ["depth", "searchmoves"]


def test_debug_says_how_many_positions_are_possible(talk: Talk) -> None:
    talk.send("debug on")
    assert talk.send("position startpos moves e2e4 e7e5") == [
        "info string debug 1 positions are possible"
    ]
    talk.send("debug off")
    assert talk.send("position startpos") == []


def test_ucinewgame_forgets(talk: Talk) -> None:
    talk.send("position startpos moves e2e4", "ucinewgame")
    assert talk.go("go nodes 50")[1]["color"] == "white"

"""The engine as a process, driven from outside."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chess
import chess.engine
import pytest

from obscuro.cli import main as cli
from obscuro.errors import (
    EngineEndedError,
    EngineError,
    EngineLateError,
    EngineMoveError,
    PlayerError,
)
from obscuro.fow import Board
from obscuro.match.clock import TimeControl
from obscuro.match.referee import Referee
from obscuro.players import Clock, Limits, Player, RandomPlayer, Result, UciPlayer

COMMAND = [sys.executable, "-m", "obscuro.cli", "uci"]
BOT = [sys.executable, str(Path(__file__).parent.parent / "examples" / "fog_bot.py")]
QUICK = {"Threads": "1", "seed": "1", "belief_cap": "2000", "Ponder": "true"}
TINY = Limits(nodes=60)
# A machine that is busy with other things takes its time to start a process.
PATIENCE = 240


@pytest.fixture(scope="module")
def player() -> Iterator[UciPlayer]:
    """One process for all games: to start it takes longer than to play."""
    player = UciPlayer(COMMAND, options=QUICK, start_seconds=PATIENCE)
    yield player
    player.close()


def test_python_chess_plays_with_it() -> None:
    with chess.engine.SimpleEngine.popen_uci(COMMAND, timeout=PATIENCE) as engine:
        assert engine.id["name"].startswith("Obscuro ")
        engine.configure({"Threads": 1, "Hash": 64, "preset": "fast", "seconds": "0.05"})
        board = chess.Board()
        # No king can be attacked yet: whatever is legal in fog is legal for python-chess.
        for _ in range(2):
            limit = chess.engine.Limit(nodes=60)
            played = engine.play(board, limit, info=chess.engine.INFO_ALL)
            assert played.move is not None
            assert played.move in board.legal_moves
            assert played.info["nodes"] >= 60
            assert played.info["pv"] == [played.move]
            assert played.info["score"].turn == board.turn
            board.push(played.move)
        timed = chess.engine.Limit(white_clock=1, black_clock=1, white_inc=0.01, black_inc=0.01)
        assert engine.play(chess.Board(), timed).move is not None
        kings = chess.Board("4k3/p7/8/8/8/8/P7/4K3 b - - 0 1")
        with engine.analysis(kings) as analysis:
            time.sleep(0.1)
            analysis.stop()
            best = analysis.wait()
        assert best.move is not None
        assert best.move in kings.legal_moves
        assert analysis.info["depth"] >= 0
        engine.ping()


def test_a_whole_game_in_the_fog_form(player: UciPlayer) -> None:
    board = Board()
    players: dict[chess.Color, Player] = {chess.WHITE: player, chess.BLACK: RandomPlayer(3)}
    referee = Referee(board, players, TimeControl(nodes=60))
    verdict = referee.play()
    assert verdict.kind == "rules"
    assert verdict.result.winner == chess.WHITE
    mine = [ply for ply in referee.plies[::2] if ply.search]
    assert len(mine) == len(referee.plies[::2]) > 5
    assert all("errors" not in ply.search for ply in mine)
    assert max(ply.search["belief"] for ply in mine) > 1
    assert max(ply.search["carried_nodes"] for ply in mine) > 0
    assert player.name.startswith("Obscuro ")


def test_it_thinks_on_the_opponents_time(player: UciPlayer) -> None:
    board = Board()
    player.new_game(chess.BLACK)
    player.observe(board.observation(chess.BLACK))
    board.push_uci("e2e4")
    player.observe(board.observation(chess.BLACK))
    first = player.choose(TINY)
    assert first.move is not None
    board.push(first.move)
    player.observe(board.observation(chess.BLACK))
    time.sleep(0.3)
    board.push_uci("g1h3")
    player.observe(board.observation(chess.BLACK))
    second = player.choose(Limits(clock=Clock(1.0, 0.1, 20)))
    assert second.move in board.legal_moves
    assert "errors" not in second.report
    # More than 60 nodes can have left.
    assert second.report["carried_nodes"] > 60


def fake(answers: dict[str, str], **options: Any) -> UciPlayer:  # noqa: ANN401
    """An engine that answers to the first word of a line, whatever comes after it."""
    program = (
        "import sys\n"
        f"answers = { ({'uci': 'uciok', 'isready': 'readyok'} | answers)!r}\n"
        "for line in sys.stdin:\n"
        "    answer = answers.get(line.split()[0], '')\n"
        "    if answer == 'EXIT':\n"
        "        sys.exit(3)\n"
        "    print(answer.replace('LINE', line.strip()), flush=True)\n"
    )
    return UciPlayer([sys.executable, "-ISc", program], **options)


def test_in_the_plain_form_it_is_told_all_moves() -> None:
    answers = {"position": "info string error LINE", "go": "info string error LINE\nbestmove e7e5"}
    player = fake(answers, mode="plain")
    board = Board()
    player.new_game(chess.BLACK)
    player.observe(board.observation(chess.BLACK))
    board.push_uci("e2e4")
    player.observe(board.observation(chess.BLACK))
    with pytest.raises(PlayerError, match="needs the moves"):
        player.choose(TINY)
    player.reveal(board.move_stack)
    decision = player.choose(Limits(seconds=9, clock=Clock(2.0, 0.1, 20)))
    assert decision.move == chess.Move.from_uci("e7e5")
    assert decision.report["errors"] == [
        "position startpos moves e2e4",
        "go btime 2000 binc 100 movestogo 20 movetime 9000",
    ]
    player.close()


def test_in_the_fog_form_it_is_told_no_more_than_was_seen() -> None:
    answers = {"position": "info string error LINE", "go": "bestmove e7e5"}
    player = fake(answers)
    board = Board()
    player.new_game(chess.BLACK)
    player.observe(board.observation(chess.BLACK))
    board.push_uci("d2d3")
    player.observe(board.observation(chess.BLACK))
    with pytest.raises(PlayerError, match="never shown"):
        player.reveal(board.move_stack)
    (told,) = player.choose(TINY).report["errors"]
    seen = [Board().observation(chess.BLACK), board.observation(chess.BLACK)]
    assert told == f"position fog color black observations {seen[0]} ; {seen[1]}"
    player.close()


def test_what_the_engine_refuses_is_an_error() -> None:
    options = "option name Threads type spin\noption name Clear Hash type button\nuciok"
    player = fake({"uci": options}, options={"Thraeds": "2"})
    with pytest.raises(EngineError, match="has no option 'Thraeds'; it has Threads, Clear Hash"):
        player.new_game(chess.WHITE)
    answers = {"uci": options, "setoption": "info string error not LINE"}
    player = fake(answers, options={"threads": "0"})
    with pytest.raises(EngineError, match="refuses: not setoption name Threads value 0"):
        player.new_game(chess.WHITE)


def test_the_example_bot_plays_by_the_rules() -> None:
    bot = UciPlayer(BOT, start_seconds=PATIENCE)
    for seed, color in enumerate(chess.COLORS):
        board = Board()
        players: dict[chess.Color, Player] = {color: bot, not color: RandomPlayer(seed)}
        verdict = Referee(board, players, TimeControl(nodes=1)).play()
        assert verdict.kind == "rules"
        assert len(board.move_stack) > 10
    assert bot.name == "Fog bot"
    bot.close()


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        ("bestmove e2e5", EngineMoveError, "'bestmove e2e5', which is no legal move"),
        ("info string error no idea\nbestmove a1a1", EngineMoveError, "it said: no idea"),
        ("info string error no idea\nbestmove (none)", EngineError, "has no move: no idea"),
        ("EXIT", EngineEndedError, "exit code 3"),
        ("nothing", EngineLateError, "did not say 'bestmove' within 0.2 s; it last said"),
    ],
)
def test_an_engine_that_fails(answer: str, error: type[EngineError], words: str) -> None:
    player = fake({"go": answer}, grace_seconds=0.1)
    player.new_game(chess.WHITE)
    player.observe(Board().observation(chess.WHITE))
    with pytest.raises(error, match=words.replace("(", r"\(").replace(")", r"\)")):
        player.choose(Limits(seconds=0.1 if error is EngineLateError else 30.0))
    player.game_over(Result(None, "enough"))
    player.close()


def test_it_ends_with_its_input() -> None:
    with subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        said, complaints = process.communicate(b"go infinite\nisready\n", timeout=PATIENCE)
    assert (process.returncode, said, complaints) == (0, b"readyok\n", b"")


def test_an_interrupt_is_quiet() -> None:
    with subprocess.Popen(
        COMMAND,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # Tests that run in the background of a shell inherit that interrupts are ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(b"isready\ngo infinite\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"readyok\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130
        assert process.stderr.read() == b""


def test_it_starts_without_what_other_commands_need_and_quits_at_once() -> None:
    program = (
        "import sys\n"
        "from obscuro.cli.main import run\n"
        "code = run(['uci'])\n"
        "loaded = {name.partition('.')[0] for name in sys.modules}\n"
        "print(code, sorted(loaded & {'asyncio', 'fastapi', 'rich', 'sqlite3', 'typer'}))\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        # Its input stays open: it quits while a thread of its waits for a line.
        process.stdin.write("uci\ngo infinite\nquit\n")
        process.stdin.flush()
        lines = process.stdout.read().splitlines()
        assert process.wait(PATIENCE) == 0
        assert process.stderr.read() == ""
    assert lines[0].startswith("id name Obscuro ")
    assert lines[-2:] == ["uciok", "0 []"]


def test_bench_from_the_shell(capsys: pytest.CaptureFixture[str]) -> None:
    signatures = []
    for _ in range(2):
        assert cli.run(["bench", "--nodes", "60"]) == 0
        lines = capsys.readouterr().out.splitlines()
        numbers = dict(line.split() for line in lines[-3:])
        assert int(numbers["nodes"]) >= 600
        assert int(numbers["nps"]) > 0
        signatures.append(numbers["signature"])
    assert cli.run(["bench", "--nodes", "90"]) == 0
    signatures.append(capsys.readouterr().out.split()[-1])
    assert signatures[0] == signatures[1] != signatures[2]
    assert cli.run(["bench", "--nodes", "0"]) == 2


def test_help_of_the_engine(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["uci", "--help"]) == 0
    assert "engine protocol" in capsys.readouterr().out

"""Games in processes that may be lost: crashes, silence, kill -9, and going on afterwards."""

import json
import os
import re
import shlex
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from obscuro.errors import MatchError, PlayerError
from obscuro.match import (
    Engine,
    GameRecord,
    Match,
    State,
    Store,
    TimeControl,
    play_match,
    read_engine,
    read_results,
)
from obscuro.match.local import cores
from obscuro.match.process import Ended, Process
from obscuro.match.runner import check_engines
from obscuro.match.slot import Slot

HERE = Path(__file__).parent
PLAYERS = HERE / "match_players.py"
MOCK = shlex.join([sys.executable, "-S", str(HERE / "mock_engine.py")])
# The command without the others of the command line, which take long to be imported.
COMMAND = """
import sys
from rich.console import Console
from obscuro.cli.match import play
from obscuro.match.command import read_command
sys.exit(play(read_command(sys.argv[1:]), Console(highlight=False)))
"""


@pytest.fixture(scope="module")
def slot() -> Iterator[Slot]:
    slot = Slot()
    yield slot
    slot.close()


def mock(name: str, words: str, *, proto: str = "fog", control: str = "st=5") -> Engine:
    return read_engine(
        f"name={name} cmd={shlex.quote(MOCK)} args='{words}' proto={proto} {control}"
    )


def play(
    slot: Slot, white: Engine, black: Engine, *, silence: float = 10, checked: bool = True
) -> GameRecord:
    match = Match((white, black), silence=silence, games=1)
    if checked:
        match = check_engines(match, slot)
    return slot.play(match, next(match.tasks()))


GOOD = mock("good", "shuffle")


@pytest.mark.parametrize(
    ("bad", "kind", "reason"),
    [
        (mock("bad", "crash"), "crash", "EngineEndedError: .* ended with exit code 3"),
        (mock("bad", "segv"), "crash", "EngineEndedError: .* ended with exit code -11"),
        (mock("bad", "illegal"), "illegal move", "'bestmove e2e5', which is no legal move"),
        (mock("bad", "garbage"), "illegal move", "'bestmove Qxf7#"),
        (mock("bad", "silent", control="st=0.1 timemargin=0"), "silence", "gave no answer"),
        (mock("bad", "slow 0.4", control="st=0.1 timemargin=100"), "time", "lost on time"),
        (mock("bad", "resigns"), "resignation", "White resigned"),
        (Engine("bad", f"{PLAYERS}:Crashes"), "crash", "White crashed: SIGSEGV"),
        (
            Engine("bad", f"{PLAYERS}:Hangs", control=TimeControl.parse(st="0.1", timemargin="0")),
            "silence",
            "White gave no answer",
        ),
    ],
    ids=lambda value: value.player.rpartition("/")[2] if isinstance(value, Engine) else None,
)
def test_a_program_that_fails_loses(slot: Slot, bad: Engine, kind: str, reason: str) -> None:
    # All these games are played one after another in one slot: what failed before does no harm.
    record = play(slot, bad, GOOD, silence=1, checked=False)
    assert (record.result, record.kind) == ("0-1", kind)
    assert re.search(reason, record.reason), record.reason


def test_programs_that_do_not_fail_play_on(slot: Slot) -> None:
    record = play(slot, GOOD, mock("other", "shuffle"), checked=False)
    assert (record.result, record.reason) == ("1/2-1/2", "threefold repetition")
    assert len(record.plies) == 8


def test_a_process_that_is_killed_from_outside_has_lost_nothing(slot: Slot, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    engine = Engine("victim", f"{PLAYERS}:Killed(mark={mark})")
    mark.touch()  # so that the first look at it does it no harm
    match = check_engines(Match((engine, GOOD), games=1), slot)
    mark.unlink()
    record = slot.play(match, next(match.tasks()))
    assert mark.exists()
    assert (record.result, record.reason) == ("0-1", "White resigned")
    assert [ply.move for ply in record.plies] == ["g1f3", "g8f6"]


def test_programs_are_told_the_same_where_a_player_cannot_tell(slot: Slot, tmp_path: Path) -> None:
    """As for players of Python: all lines that reach the program are the same, byte by byte."""
    logs = []
    for number, hidden in enumerate(("a7a6", "h7h5")):
        log = tmp_path / f"{number}.log"
        other = Engine("b", f"{PLAYERS}:Scripted(moves={hidden})")
        record = play(
            slot, mock("spy", f"shuffle 0 {log}", control="nodes=9"), other, checked=False
        )
        assert record.plies[1].move == hidden
        text = log.read_text()
        assert "position fog color white observations" in text
        logs.append(text)
    assert logs[0] == logs[1]


def test_programs_that_take_a_seed_get_one(slot: Slot, tmp_path: Path) -> None:
    log = tmp_path / "log"
    record = play(slot, mock("seeded", f"seeded 0 {log}"), GOOD)
    assert f"setoption name Seed value {record.white.seed}\n" in log.read_text()
    assert record.black.seed is None
    fixed = mock("seeded", "seeded", control="option.seed=5")
    assert play(slot, fixed, GOOD, checked=False).white.seed == 5


@pytest.mark.parametrize(
    ("engine", "message"),
    [
        (mock("x", "shuffle", control="option.Hush=1"), "has no option 'Hush'; it has Hash"),
        (read_engine("name=x cmd=/no/such/program"), "cannot start the engine"),
        (Engine("x", "randum"), "there is no player 'randum'; did you mean 'random'"),
        (Engine("x", f"{PLAYERS}:Nobody"), "has no player 'Nobody'; it has .*Scripted"),
        (Engine("x", "no_file.py:Bot"), "there is no file no_file.py"),
        (Engine("x", "no.such.module:Bot"), "cannot import 'no.such.module'"),
        (Engine("x", f"{PLAYERS}:Scripted(speed=3)"), "does not take these options"),
        (Engine("x", f"{PLAYERS}:Raises(where=new_game)"), "ZeroDivisionError: in new_game"),
    ],
)
def test_who_cannot_start_is_refused_before_the_match(
    slot: Slot, engine: Engine, message: str
) -> None:
    with pytest.raises(PlayerError, match=message):
        check_engines(Match((engine, GOOD)), slot)


def test_an_engine_of_the_plain_form_is_marked(slot: Slot, tmp_path: Path) -> None:
    log = tmp_path / "log"
    warned: list[str] = []
    # A chess engine that is taken for one of the fog form.
    check_engines(Match((mock("x", "plain"), GOOD)), slot, warned.append)
    assert len(warned) == 1
    assert re.match('x: .* does not say "info string fog form 1".* proto=uci', warned[0])
    peeker = mock("peeker", f"plain 0 {log}", proto="uci")
    record = play(slot, Engine("a", f"{PLAYERS}:Scripted(moves=e2e4)"), peeker)
    assert not record.black.fog_honest
    assert str(record.black) == "peeker (not fog-honest)"
    assert "position startpos moves e2e4\n" in log.read_text()


def test_games_run_on_cores_of_their_own(tmp_path: Path) -> None:
    if not hasattr(os, "sched_setaffinity"):
        pytest.skip("this system does not pin processes")
    bot = tmp_path / "bot.py"
    bot.write_text(
        "import os, sys\n"
        f"sys.path.insert(0, {str(HERE)!r})\n"
        "from match_players import Scripted\n"
        "class Bot(Scripted):\n"
        "    def choose(self, limits):\n"
        f"        with open({str(tmp_path / 'seen')!r}, 'a') as file:\n"
        "            file.write(f'{sorted(os.sched_getaffinity(0))}\\n')\n"
        "        return super().choose(limits)\n"
    )
    engines = Engine("a", f"{bot}:Bot"), Engine("b", f"{bot}:Bot")
    play_match(Match(engines, rounds=1), concurrency=1)
    seen = {tuple(json.loads(line)) for line in (tmp_path / "seen").read_text().splitlines()}
    assert seen == {(cores()[0],)}


def test_a_process_says_that_it_ended() -> None:
    process = Process()
    process.end()
    with pytest.raises(Ended):
        process.receive(5)
    with pytest.raises(Ended):
        process.send("anything")


def three_quick(rounds: int) -> Match:
    names = ("a", "b", "c")
    return Match(tuple(mock(name, "shuffle", control="nodes=1") for name in names), rounds=rounds)


def test_a_match_in_memory_and_on_disk_is_the_same_for_the_same_seed(tmp_path: Path) -> None:
    match = Match((Engine("a", "random"), Engine("b", "greedy")), rounds=2, seed=5)
    seen: list[State] = []
    one = play_match(
        match,
        file=tmp_path / "a.db",
        pgn=tmp_path / "a.pgn",
        json=tmp_path / "a.jsonl",
        concurrency=2,
        on_change=seen.append,
    )
    two = play_match(match)
    games = [
        [[ply.move for ply in record.plies] for record in results.records] for results in (one, two)
    ]
    assert games[0] == games[1]
    assert len({tuple(moves) for moves in games[0]}) == 4
    assert one.is_complete
    assert [record.number for record in one.records] == list(range(4))
    assert len(seen[-1].lines) == 4
    # What is on the disk says the same.
    stored = read_results([tmp_path / "a.db"])
    assert stored.counts() == read_results([tmp_path / "a.jsonl"]).counts("a", "b") == one.counts()
    assert (tmp_path / "a.pgn").read_text().count("[Event ") == 4
    # Another match does not go on in its file.
    with pytest.raises(MatchError, match="holds a match with other settings"):
        play_match(Match(match.engines, rounds=3, seed=5), file=tmp_path / "a.db")


def test_a_match_that_was_stopped_goes_on_without_playing_a_game_twice(tmp_path: Path) -> None:
    match = three_quick(rounds=1)
    file = tmp_path / "a.db"
    stop = threading.Event()

    def on_change(state: State) -> None:
        if len(state.lines) == 2:
            stop.set()

    first = play_match(match, file=file, on_change=on_change, stopped=stop.is_set)
    assert not first.is_complete
    assert len(first.lines) == 2
    with Store.open(file) as store:
        before = {record.number: record for record in store.records()}
    played: list[GameRecord | None] = []
    second = play_match(match, file=file, on_change=lambda state: played.append(state.last))
    assert second.is_complete
    assert {record.number: record for record in second.records if record.number in before} == before
    assert sorted(record.number for record in second.records) == list(range(6))
    assert len(played) - played.count(None) == 4


def test_sprt_stops_a_match(tmp_path: Path) -> None:
    from obscuro.match import Sprt

    engines = Engine("good", "greedy"), Engine("bad", f"{PLAYERS}:Scripted")
    match = Match(engines, rounds=500, sprt=Sprt(0, 400))
    results = play_match(match, file=tmp_path / "a.db")
    assert results.verdict == "H1"
    assert results.is_complete
    assert len(results.lines) < 60
    assert len(results.lines) % 2 == 0
    assert "SPRT: H1 is accepted" in str(results)


def start(folder: Path, words: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", COMMAND, *shlex.split(words)],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def finished_games(file: Path) -> int:
    try:
        with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as database:
            (number,) = database.execute("SELECT count(*) FROM games").fetchone()
        database.close()
    except sqlite3.Error:
        return 0
    return int(number)


def wait_for_games(file: Path, number: int, process: "subprocess.Popen[str]") -> None:
    deadline = time.monotonic() + 300
    while finished_games(file) < number:
        assert process.poll() is None, process.communicate()[0]
        assert time.monotonic() < deadline
        time.sleep(0.05)


def offspring(pid: int) -> list[int]:
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            child = int(path.parent.name)
            found += [child, *offspring(child)]
    return found


def wait_until_gone(pids: list[int]) -> None:
    deadline = time.monotonic() + 120
    while [pid for pid in pids if Path(f"/proc/{pid}").exists()]:
        assert time.monotonic() < deadline, "processes were left behind"
        time.sleep(0.1)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")
def test_kill_9_and_an_interrupt_lose_no_finished_game(tmp_path: Path) -> None:
    engines = f"-engine name=a cmd='{MOCK} shuffle' -engine name=b cmd='{MOCK} slow 0.1'"
    first = start(tmp_path, f"{engines} -each nodes=1 -rounds 4 -db a.db -pgnout a.pgn -srand 3")
    file = tmp_path / "a.db"
    wait_for_games(file, 2, first)
    left = offspring(first.pid)
    assert left  # the process of the games at least
    first.kill()
    said = first.communicate()[0]
    # It was said in time how to go on.
    command = re.search(r"obscuro match (-resume a\.db)\n", said)
    assert command is not None
    wait_until_gone(left)
    kept = finished_games(file)
    assert 2 <= kept < 8
    with Store.open(file) as store:
        before = list(store.records())
    # What an interruption in the middle of writing leaves.
    with (tmp_path / "a.pgn").open("a") as output:
        output.write('[Event "half a ga')

    second = start(tmp_path, command[1])
    wait_for_games(file, kept + 1, second)
    left = offspring(second.pid)
    second.send_signal(signal.SIGINT)
    said = second.communicate(timeout=120)[0]
    assert second.returncode == 130
    assert f"{kept} games are finished already." in said
    assert re.search(
        r"Interrupted after \d+ of 8 games; go on with:\nobscuro match -resume a.db\n", said
    )
    assert "Traceback" not in said
    wait_until_gone(left)

    third = start(tmp_path, "-resume a.db -concurrency 2")
    said = third.communicate(timeout=300)[0]
    assert third.returncode == 0
    assert "Games: 8, " in said
    with Store.open(file) as store:
        records = list(store.records())
    assert [record.number for record in records] == list(range(8))
    assert all(record in records for record in before)
    assert (tmp_path / "a.pgn").read_text().count("[Event ") == 8

"""Records of games, the file of a match, schedules and openings."""

import io
import json
import sqlite3
from functools import cache
from pathlib import Path

import chess
import chess.pgn
import pytest

from obscuro.errors import FileError, MatchError
from obscuro.fow import STARTING_FEN, Board, read_game
from obscuro.match import (
    Engine,
    GameRecord,
    Match,
    Ply,
    Referee,
    Side,
    Store,
    TimeControl,
    read_openings,
    read_results,
)
from obscuro.match.openings import arrange
from obscuro.players import make


@cache
def random_game(number: int = 0) -> GameRecord:
    board = Board()
    players = {color: make(f"random(seed={2 * number + color})") for color in (True, False)}
    referee = Referee(board, players, TimeControl.parse(tc="60+1"))
    verdict = referee.play()
    return GameRecord(
        Side("a", "random", "60+1", 2 * number + 1),
        Side("peeker", "a program", fog_honest=False),
        referee.plies,
        verdict.result.score,
        verdict.result.reason,
        verdict.kind,
        number=number,
        pair=number // 2,
    )


@pytest.mark.parametrize("number", range(3))
def test_records_round_trip(number: int) -> None:
    record = random_game(number)
    assert GameRecord.from_json(record.to_json()) == record
    assert "\n" not in record.to_json()
    assert record.board().result() == record.result


def test_a_record_holds_truth_and_both_players_observations() -> None:
    record = random_game(3)
    data = json.loads(record.to_json())
    assert data["format"] == "obscuro-game/1"
    board = Board()
    for color in chess.COLORS:
        views = data["observations"][chess.COLOR_NAMES[color]]
        assert views[0] == str(board.observation(color))
        assert len(views) == len(record.plies) + 1
        board.push_uci(record.plies[0].move)
        assert views[1] == str(board.observation(color))
        board.pop()
    assert data["end"] == record.board().fen()
    assert data["black"]["fog_honest"] is False


@pytest.mark.parametrize("number", range(3))
def test_pgn_is_read_by_us_and_by_python_chess(number: int) -> None:
    record = random_game(number)
    text = str(record.to_pgn())
    ours = read_game(text)
    assert ours is not None
    assert [move.uci() for move in ours.moves] == [ply.move for ply in record.plies]
    # Python-chess reads tags, comments and, as far as chess goes, moves.
    headers = chess.pgn.read_headers(io.StringIO(text))
    assert headers is not None
    assert headers["Variant"] == "Fog of War"
    assert headers["White"] == "a"
    assert headers["Black"] == "peeker (not fog-honest)"
    assert headers["Result"] == record.result
    assert headers["Termination"] == "normal"
    standard = chess.pgn.read_game(io.StringIO(text.replace('[Variant "Fog of War"]\n', "")))
    assert standard is not None
    theirs = [move.uci() for move in standard.mainline_moves()]
    assert theirs == [ply.move for ply in record.plies][: len(theirs)]
    board = chess.Board()
    for move in theirs:
        board.push_uci(move)
    stopped_at = [ply.move for ply in record.plies][len(theirs)]
    assert chess.Move.from_uci(stopped_at) not in board.legal_moves
    first = standard.next()
    assert first is not None
    assert "tl=" in first.comment


def test_pgn_tells_why_a_program_lost() -> None:
    record = GameRecord(
        Side("a", "random"),
        Side("b", "./bot"),
        [Ply("e2e4", 0.25, search={"value": 0.125})],
        "1-0",
        "Black crashed: {SIGSEGV}",
        "crash",
    )
    text = str(record.to_pgn())
    assert '[Termination "crash"]' in text
    assert "{ +0.125 0.250s, Black crashed: (SIGSEGV) }" in text
    assert read_game(text) is not None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "other/1"}, 'expected "format": "obscuro-game/1", got \'other/1\''),
        ({"result": "2-0"}, "KeyError"),
        ({"plies": [{"move": "e2e5", "seconds": 1}]}, "e2e5"),
        ({"plies": [{"move": "e2e4", "speed": 1}]}, "speed"),
    ],
)
def test_what_is_no_record(change: dict[str, object], message: str) -> None:
    data = json.loads(random_game().to_json())
    with pytest.raises(MatchError, match=message):
        GameRecord.from_dict({**data, **change})


def match(*, names: str = "ab", **settings: object) -> Match:
    engines = tuple(Engine(name, "random") for name in names)
    return Match(engines, **settings)  # type: ignore[arg-type]


def test_the_file_of_a_match(tmp_path: Path) -> None:
    plan = match(rounds=2, seed=7, openings=(STARTING_FEN,))
    records = [random_game(number) for number in (1, 0)]
    with Store.create(tmp_path / "a.db", plan, pgn="games.pgn") as store:
        for record in records:
            store.add(record)
        with pytest.raises(MatchError, match=r"game 1 is in .* already"):
            store.add(records[1])
    with Store.open(tmp_path / "a.db") as store:
        assert store.match == plan
        assert store.outputs == ("games.pgn", None)
        assert list(store.records()) == records[::-1]
        assert store.lines() == [record.line() for record in records[::-1]]
        assert store.finished() == {0, 1}
    with pytest.raises(MatchError, match=r"exists: go on with it by -resume"):
        Store.create(tmp_path / "a.db", plan)


def test_what_is_no_file_of_a_match(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="there is no file"):
        Store.open(tmp_path / "none.db")
    (tmp_path / "text.db").write_text("hello, this is text and no database at all " * 50)
    with pytest.raises(FileError, match="not the file of a match"):
        Store.open(tmp_path / "text.db")
    database = sqlite3.connect(tmp_path / "other.db")
    database.execute("CREATE TABLE match (format TEXT)")
    database.execute("INSERT INTO match VALUES ('other/1')")
    database.commit()
    database.close()
    with pytest.raises(FileError, match="expected obscuro-match/1"):
        Store.open(tmp_path / "other.db")
    with pytest.raises(FileError, match="cannot write"):
        Store.create(tmp_path / "no folder" / "a.db", match())


def test_exports_are_written_anew(tmp_path: Path) -> None:
    records = [random_game(number) for number in range(3)]
    outputs = {"pgn": str(tmp_path / "a.pgn"), "json": str(tmp_path / "a.jsonl")}
    with Store.create(tmp_path / "a.db", match(), **outputs) as store:
        for record in records:
            store.add(record)
        # As an interruption leaves it.
        (tmp_path / "a.jsonl").write_text(records[0].to_json()[:50])
        store.export(**outputs)
    lines = (tmp_path / "a.jsonl").read_text().splitlines()
    assert [GameRecord.from_json(line) for line in lines] == records
    assert (tmp_path / "a.pgn").read_text().count("[Event ") == 3


def test_stored_results_are_taken_together(tmp_path: Path) -> None:
    records = [random_game(number) for number in range(4)]
    engines = Engine("a", "random"), Engine("peeker", "a program", fog_honest=False)
    for name in ("one.db", "two.db"):
        with Store.create(tmp_path / name, Match(engines)) as store:
            for record in records:
                store.add(record)
    (tmp_path / "three.jsonl").write_text("\n".join(record.to_json() for record in records))
    one = read_results([tmp_path / "one.db"], records=True)
    assert list(one.records) == records
    assert one.total == 2
    files = [tmp_path / name for name in ("one.db", "two.db", "three.jsonl")]
    three = read_results(files)
    alone, together = one.counts("a"), three.counts("a")
    assert (together.games, together.points) == (12, 3 * alone.points)
    # Pairs of different files are different pairs.
    assert together.pairs == tuple(3 * number for number in alone.pairs)
    assert three.total is None
    with pytest.raises(MatchError, match="no 'c' has played here; the players are a, peeker"):
        one.counts("a", "c")


def test_what_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("{}\n")
    with pytest.raises(MatchError, match=r"x, line 1: .* expected the file of a match"):
        read_results([path])
    path.write_text("1. e4 e5")
    with pytest.raises(MatchError, match=r"x, line 1: this is no JSON"):
        read_results([path])
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FileError, match="neither the file of a match nor text"):
        read_results([path])
    with pytest.raises(FileError, match="cannot read"):
        read_results([tmp_path / "none"])
    with pytest.raises(MatchError, match="expected the file of a match"):
        read_results([])


@pytest.mark.parametrize("games", [1, 2])
@pytest.mark.parametrize("tournament", ["roundrobin", "gauntlet"])
def test_schedules_are_fair(games: int, tournament: str) -> None:
    openings = (STARTING_FEN, Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1").fen())
    plan = match(names="abcd", rounds=4, games=games, tournament=tournament, openings=openings)
    tasks = list(plan.tasks())
    assert [task.number for task in tasks] == list(range(plan.total))
    met = {frozenset((task.white, task.black)) for task in tasks}
    assert len(met) == (6 if tournament == "roundrobin" else 3)
    for pairing in met:
        one, other = pairing
        own = [task for task in tasks if {task.white, task.black} == pairing]
        assert len(own) == 4 * games
        # Each has White equally often, and all meet from the same openings.
        assert sum(task.white == one for task in own) == 2 * games
        assert sorted(task.start for task in own) == sorted(openings * (2 * games))
        assert other in {task.black for task in own}
    pairs: dict[int, list[tuple[int, int, str]]] = {}
    for task in tasks:
        pairs.setdefault(task.pair, []).append((task.white, task.black, task.start))
    if games == 2:
        assert all((second[1], second[0], second[2]) == first for first, second in pairs.values())
    else:
        assert all(len(pair) == 1 for pair in pairs.values())


def test_a_match_is_its_json() -> None:
    plan = match(names="abc", rounds=3, seed=5, openings=(STARTING_FEN,))
    assert Match.from_json(plan.to_json()) == plan


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"names": "a"}, "two engines at least, got 1"),
        ({"names": "aa"}, "two engines are called 'a'"),
        ({"games": 3}, "games=3: expected 1, or 2"),
        ({"rounds": 0}, "rounds=0"),
        ({"tournament": "swiss"}, "tournament swiss: expected roundrobin or gauntlet"),
    ],
)
def test_impossible_matches(settings: dict[str, object], message: str) -> None:
    with pytest.raises(MatchError, match=message):
        match(**settings)  # type: ignore[arg-type]


def test_openings(tmp_path: Path) -> None:
    fens = tmp_path / "some.fen"
    fens.write_text("# comment\n4k3/8/8/8/8/8/8/4K2R w K - 3 9\n\n" + STARTING_FEN + " # start\n")
    assert read_openings(fens) == ["4k3/8/8/8/8/8/8/4K2R w K - 3 9", STARTING_FEN]
    epds = tmp_path / "some.epd"
    epds.write_text('4k3/8/8/8/8/8/8/4K2R w K - hmvc 4; id "rook";\n')
    assert read_openings(epds) == ["4k3/8/8/8/8/8/8/4K2R w K - 4 1"]
    pgn = tmp_path / "some.pgn"
    pgn.write_text('[Event "?"]\n\n1. e4 e5 2. Nf3 *\n\n[Event "?"]\n\n1. d4 *\n')
    board = Board()
    board.push_san("e4")
    assert read_openings(pgn, plies=1)[0] == board.fen()
    board.push_san("e5")
    board.push_san("Nf3")
    assert read_openings(pgn)[0] == board.fen()


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.txt", "", "expected format=fen|epd|pgn"),
        ("a.fen", "# nothing\n", "there is no opening"),
        ("a.fen", STARTING_FEN + "\n4k3/8 w - -\n", "a.fen, line 2: "),
        ("a.fen", "8/8/8/8/8/8/8/4K3 w - - 0 1", "a.fen, line 1: "),
    ],
)
def test_bad_openings(tmp_path: Path, name: str, text: str, message: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(MatchError, match=message.replace("|", r"\|")):
        read_openings(path)


def test_the_order_of_openings() -> None:
    names = [str(number) for number in range(50)]
    drawn = arrange(names, order="random", seed=3)
    assert sorted(drawn) == sorted(names) != drawn
    assert drawn == arrange(names, order="random", seed=3)
    assert drawn != arrange(names, order="random", seed=4)
    assert arrange(names, order="random", seed=3, start=11) == drawn[10:] + drawn[:10]
    with pytest.raises(MatchError, match="start=51: there are 50 openings"):
        arrange(names, order="sequential", seed=0, start=51)

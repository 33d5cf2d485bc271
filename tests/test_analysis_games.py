"""Reading games for the analysis, and analyses that were kept."""

import json
from pathlib import Path

import pytest

from obscuro.analysis import FORMAT, AnalysedGame, Analysis, AnalysisSettings, Analyst, read_games
from obscuro.analysis.games import read_text
from obscuro.errors import AnalysisError, FileError, ObscuroError, PgnError
from obscuro.fow import STARTING_FEN
from obscuro.match.record import GameRecord, Side
from obscuro.match.referee import Ply
from obscuro.players import Limits

RECORD = GameRecord(
    Side("Ada", "random"),
    Side("Bob", "random"),
    [Ply("f2f3", 0.1), Ply("e7e5", 0.2), Ply("g2g4", 0.2), Ply("d8h4", 0.1)],
    "0-1",
    "White resigned",
    "resignation",
)
MOVES = ("f2f3", "e7e5", "g2g4", "d8h4")


def test_the_record_of_a_match_is_read() -> None:
    (game,) = read_games(RECORD.to_json())
    assert game == AnalysedGame("Ada", "Bob", "0-1", "White resigned", STARTING_FEN, MOVES)


def test_records_in_lines_and_in_a_list_are_read() -> None:
    text = RECORD.to_json()
    assert len(read_games(f"{text}\n{text}\n")) == 2
    assert len(read_games(f"[{text},{text},{text}]")) == 3


def test_a_pgn_with_several_games_is_read() -> None:
    games = read_games(f'{RECORD.to_pgn()}\n\n[Variant "Fog of War"]\n[White "C"]\n\n1. e4 *\n')
    assert [(game.white, game.moves) for game in games] == [("Ada", MOVES), ("C", ("e2e4",))]


@pytest.mark.parametrize("text", ["1. f3 e5 2. g4 Qh4#", "f3 e5 g4 Qh4", "f2f3 e7e5 g2g4 d8h4"])
def test_lists_of_moves_are_read(text: str) -> None:
    (game,) = read_games(text)
    assert (game.moves, game.result) == (MOVES, "*")


def test_the_end_by_the_rules_is_known() -> None:
    (game,) = read_games("1. e4 f6 2. Qh5 a6 3. Qxe8")
    assert (game.result, game.reason) == ("1-0", "king captured")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "there is no game in the text"),
        ("hello world", "move 1"),
        ("1. e4 e5 2. Ke3", "Ke3"),
        ("e2e4 e7e5 e1e4", "move 3: "),
        ('[Variant "Atomic"]\n\n1. e4 *', "Atomic"),
        ("{", "not JSON"),
        ("{}", 'expected "format": "obscuro-game/1", got \'None\''),
        ('{"format": "obscuro-game/1"}', "not a record of a game: no 'plies'"),
        ('{"format": "obscuro-game/1", "moves": ["e2e5"]}', "not a record of a game: no 'white'"),
        (RECORD.to_json().replace("g2g4", "g2g5"), "move 3"),
        ("[]", "there is no game"),
        ("[1]", "not a record of a game"),
    ],
)
def test_what_is_no_game_is_refused(text: str, words: str) -> None:
    with pytest.raises((AnalysisError, PgnError)) as caught:
        read_games(text)
    assert words in str(caught.value)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot read"):
        read_text(tmp_path / "nothing.pgn")
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FileError, match="not UTF-8"):
        read_text(binary)


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    settings = AnalysisSettings(truth_depth=1, place_sample=20).with_limits(Limits(nodes=200))
    found = Analysis(read_games("1. e4 e5 2. Qh5 a6 3. Qxf7")[0], settings)
    Analyst(found).run()
    return found


def test_an_analysis_is_kept_and_read_again(analysis: Analysis) -> None:
    text = analysis.to_json()
    assert json.loads(text)["format"] == FORMAT
    again = Analysis.from_json(text)
    assert again == analysis
    assert again.to_json() == text
    assert again.review() == analysis.review()


@pytest.mark.parametrize(
    ("place", "value", "words"),
    [
        (("format",), "obscuro-analysis/9", 'expected "format": "obscuro-analysis/1"'),
        (("plies",), None, "not an analysis"),
        (("plies", 0, "ply"), "first", "ply: Input should be a valid integer"),
        (("plies", 0, "ply"), 77, "it reports ply 77 of a game of 5"),
        (("plies", 0, "search", "moves", 0, "value"), "x", "search.moves.0.value"),
        (("plies", 0, "spy"), 1, "spy: Unexpected keyword argument"),
        (("game", "moves", 0), "e2e9", "game"),
        (("settings", "engine", "nodes"), 0, "settings: SearchError nodes is 0"),
        (("settings", "color"), "green", "color is 'green'"),
    ],
)
def test_what_is_no_analysis_is_refused(
    analysis: Analysis, place: tuple[str | int, ...], value: object, words: str
) -> None:
    data = json.loads(analysis.to_json())
    inner = data
    for part in place[:-1]:
        inner = inner[part]
    inner[place[-1]] = value
    with pytest.raises(ObscuroError) as caught:
        Analysis.from_json(json.dumps(data))
    assert isinstance(caught.value, AnalysisError)
    assert words in str(caught.value)


def test_text_that_is_no_json_is_no_analysis() -> None:
    with pytest.raises(AnalysisError, match="not an analysis: Expecting"):
        Analysis.from_json("{")

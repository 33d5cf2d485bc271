"""The suite of the paper's examples: that it asks what it says, and says what it finds."""

import json
from pathlib import Path

import chess
import pytest

from obscuro import positions
from obscuro.cli.main import run
from obscuro.errors import SearchError
from obscuro.fow import Board
from obscuro.players.settings import EngineSettings, with_options
from obscuro.positions import Options
from obscuro.positions.finding import at_least, at_most
from obscuro.positions.middlegames import BELIEVED, BLUFF, SACRIFICE
from obscuro.positions.searching import Handmade, play

PAPER = Path(__file__).resolve().parents[2] / "shared" / "paper" / "obscuro.tex"
QUICK = Options(with_options(EngineSettings(), {"eval": "simple", "expanders": "0"}), effort=0.02)


@pytest.mark.skipif(not PAPER.exists(), reason="the paper's text is not here")
@pytest.mark.parametrize("fen", [BLUFF, SACRIFICE])
def test_positions_are_the_papers(fen: str) -> None:
    assert f"addfen={fen}" in PAPER.read_text(encoding="utf-8")


def test_black_cannot_tell_the_two_boards_of_the_bluff_apart() -> None:
    played, believed = (Board(fen) for fen in (BLUFF, BELIEVED))
    assert played.observation(chess.BLACK) == believed.observation(chess.BLACK)
    for board in (played, believed):
        board.push_san("Bxd6")
    assert played.observation(chess.BLACK) == believed.observation(chess.BLACK)


def test_the_trap_is_seen_as_the_paper_draws_it() -> None:
    board = Board()
    for san in ("c4", "d5"):
        board.push_san(san)
    assert board.fen().startswith("rnbqkbnr/ppp1pppp/8/3p4/2P5/8/PP1PPPPP/RNBQKBNR w KQkq")


@pytest.mark.parametrize("name", positions.names())
def test_every_example_asks_about_legal_moves(name: str) -> None:
    found = positions.run(name, QUICK)
    assert found.checks
    assert found.rows
    for row in found.rows:
        assert row.probability is None or 0 <= row.probability <= 1 + 1e-9
        assert row.value is None or -1 - 1e-6 <= row.value <= 1 + 1e-6
    assert found.held == all(check.held for check in found.checks)


def test_a_question_in_a_game_is_about_the_side_to_move() -> None:
    board = Board()
    board.push_san("c4")
    searched = play(QUICK, ["c4"], 1.0)
    moves = {board.san(move) for move in board.legal_moves}
    assert {row.name for row in searched.rows} == moves
    assert sum(row.probability or 0.0 for row in searched.rows) == pytest.approx(1.0)
    assert searched.probability(*moves) == pytest.approx(1.0)


def test_a_handmade_root_gives_values_of_the_side_to_move() -> None:
    # White takes a queen for nothing; the same seen by Black, who has just lost it.
    study = Handmade(QUICK, [("7k/8/8/3q4/8/8/8/3RK3 w - - 0 1", (None, None))])
    study.search(10.0)
    white, black = study.after(0), study.after(0, ["Rxd5"])
    assert white.rows[0].name == "Rxd5"
    assert white.rows[0].value is not None
    assert white.rows[0].value > 0
    assert black.value == pytest.approx(-white.value)


def test_checks_hold_at_their_bounds_and_not_beyond() -> None:
    assert at_least("", 0.5, 0.5).held
    assert not at_least("", 0.499, 0.5).held
    assert at_most("", 0.5, 0.5).held
    assert not at_most("", 0.501, 0.5).held


def test_the_command_prints_and_exits_by_what_held(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["positions", "sacrifice", "--effort", "0.02", "-o", "eval=simple", "--json"]
    code = run(words)
    printed = json.loads(capsys.readouterr().out)
    assert set(printed) == {"sacrifice"}
    assert code == (0 if printed["sacrifice"]["held"] else 1)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["positions", "sacrifise"], "did you mean 'sacrifice'"),
        (["positions", "--effort", "0"], "0.0 is not above 0"),
        (["positions", "-o", "seed"], "expected name=value"),
        (["positions", "-o", "seeed=1"], "did you mean 'seed'"),
    ],
)
def test_bad_words_are_named(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(words) == 2
    assert message in capsys.readouterr().err.replace("\n", " ")


def test_an_unknown_example_is_an_error() -> None:
    with pytest.raises(SearchError, match="there is no example"):
        positions.run("none")

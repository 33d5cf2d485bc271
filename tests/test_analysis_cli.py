"""`obscuro analyse`: what it prints and writes, and how it refuses."""

import json
from pathlib import Path

import pytest

import human_games
from obscuro.analysis import Analysis, Analyst
from obscuro.cli import main as cli


@pytest.fixture
def pgn(tmp_path: Path) -> Path:
    """Two games, the second of a real one's first moves."""
    moves = human_games.human_games()[0].moves[:4]
    path = tmp_path / "games.pgn"
    path.write_text(f'1. e4 e5 *\n\n[White "Ada"]\n\n{" ".join(moves)} *\n', encoding="utf-8")
    return path


def test_a_real_game_is_analysed_reported_kept_and_deepened(
    pgn: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept, report = tmp_path / "game.json", tmp_path / "game.html"
    options = ["--game", "2", "--nodes", "300", "--json", str(kept), "--html", str(report)]
    assert cli.run(["analyse", str(pgn), *options, "--color", "white"]) == 0
    output = capsys.readouterr().out
    assert "Ada" in output
    assert "loss a move" in output
    analysis = Analysis.from_json(kept.read_text(encoding="utf-8"))
    assert analysis.is_complete
    assert [one.judgement is not None for one in analysis.review()] == [True, False] * 2
    assert report.read_text(encoding="utf-8").startswith("<!doctype html>")

    before = analysis.reports[2].search
    assert cli.run(["analyse", str(kept), "--deepen", "2", "--json", str(kept)]) == 0
    after = Analysis.from_json(kept.read_text(encoding="utf-8")).reports[2].search
    assert before is not None
    assert after is not None
    assert after.nodes > 2 * before.nodes


def test_an_interrupt_keeps_what_was_found(
    pgn: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "game.json"
    step = Analyst.step

    def step_and_stop(self: Analyst) -> object:
        report = step(self)
        if report is not None and report.ply == 1:
            self.stop()
        return report

    monkeypatch.setattr(Analyst, "step", step_and_stop)
    options = ["--game", "1", "--nodes", "200", "--json", str(kept)]
    assert cli.run(["analyse", str(pgn), *options]) == 130
    output = capsys.readouterr().out
    assert "Stopped after 2 of 3 positions." in output
    assert f"Go on with: obscuro analyse {kept}" in output
    monkeypatch.undo()
    assert len(json.loads(kept.read_text(encoding="utf-8"))["plies"]) == 2
    assert cli.run(["analyse", str(kept), "--json", str(kept)]) == 0
    assert len(json.loads(kept.read_text(encoding="utf-8"))["plies"]) == 3


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ([], "has 2 games: expected --game 1 to 2"),
        (["--game", "3"], "there is no game 3"),
        (["--game", "1", "--nodes", "5", "--seconds", "1"], "limited twice"),
        (["--game", "1", "--seconds", "0"], "--seconds is 0.0, expected a number above 0"),
        (["--game", "1", "--deepen", "9"], "--deepen is 9, expected 0 to 2"),
        (["--game", "1", "--html", "no-such-folder/x.html"], "there is no folder no-such-folder"),
        (["--game", "1", "--thresholds", "1,2"], "expected three losses"),
        (["--game", "1", "--thresholds", "0.3,0.2,0.1"], "expected them to grow"),
        (["--game", "1", "--color", "green"], "green"),
    ],
)
def test_bad_options_are_one_line(
    pgn: Path, options: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["analyse", str(pgn), *options]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert error.count("\n") == 1
    assert words in error


def test_bad_files_are_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text('{"format": "obscuro-analysis/1"}', encoding="utf-8")
    for path, words in ((tmp_path / "none", "cannot read"), (broken, "not an analysis: no 'game'")):
        assert cli.run(["analyse", str(path)]) == 2
        error = capsys.readouterr().err
        assert words in error
        assert error.count("\n") == 1

"""The laboratory: what is said of figures, and the experiments that play games."""

import json
import math
import random
import sys
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

import lab_games
from obscuro import lab
from obscuro.cli.main import run
from obscuro.errors import FileError, LabError, MissingPackageError
from obscuro.lab import paper, pictures, selfplay
from obscuro.lab.options import Bench, signature
from obscuro.lab.scaling import chain
from obscuro.lab.verdict import Group, clustered_mean, difference, exactly, match_verdict, sign
from obscuro.match import Counts, Estimate, Store
from obscuro.match.ratings import Meeting, rate

QUICK: dict[str, Any] = {"games": 2, "nodes": 50, "max_moves": 2, "players": {}}
DRAWN = ("ablation-purification", "time-scaling", "self-play", "infoset-sizes")
Z = NormalDist().inv_cdf(0.975)
MATCHES = list(paper.MATCHES)


@pytest.fixture(autouse=True)
def _in_this_process(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if "in_other_processes" not in request.fixturenames:
        monkeypatch.setattr("obscuro.lab.play.play_match", lab_games.play)


@pytest.fixture
def in_other_processes() -> None:
    """Games are played as users play them."""


def quick(folder: Path, **changes: object) -> lab.Options:
    given: dict[str, Any] = {**QUICK, "out": folder, **changes}
    return lab.Options(**given)


# The paper's numbers.


def test_the_papers_scores_are_what_the_paper_says_in_percent() -> None:
    said = {
        "ablation-purification": 70.2,
        "ablation-kluss": 58.0,
        "ablation-one-sided": 53.3,
        "ablation-resolve-prior": 53.3,
        "gtcfr-vs-zs21": 72.6,
        "eval-simple": 81.9,
        "eval-simple-vs-zs21": 55.0,
        "vs-zs21": 85.1,
        "vs-random": 100.0,
    }
    assert {name: score.counts.games for name, score in paper.MATCHES.items()} == {
        name: 10_000 if name in ("ablation-one-sided", "ablation-resolve-prior") else 1_000
        for name in said
    } | {"eval-simple-vs-zs21": 10_000}
    for name, percent in said.items():
        assert abs(100 * paper.MATCHES[name].counts.score - percent) <= 0.05 + 1e-9
    scaling = [56.4, 56.5, 56.7, 54.0, 53.7, 52.3, 52.4, 52.3]
    for score, percent in zip(paper.TIME_SCALING.values(), scaling, strict=True):
        assert score.counts.games == 10_000
        # The paper rounds 56.335 up.
        assert abs(100 * score.counts.score - percent) < 0.07
    assert abs(100 * paper.WHITE.counts.score - 57.5) < 0.05


# Verdicts.


def test_the_sign_is_told_when_the_score_is_far_from_even() -> None:
    draw = random.Random(1)
    seen = set()
    for _ in range(300):
        wins, draws, losses = (draw.randrange(1, 60) for _ in range(3))
        games = np.array([1.0] * wins + [0.5] * draws + [0.0] * losses)
        z = (games.mean() - 0.5) / (games.std() / math.sqrt(len(games)))
        expected = "too wide" if abs(z) <= Z else "agrees" if z > 0 else "contradicts"
        seen.add(expected)
        counts = Counts(wins, draws, losses)
        assert match_verdict(counts, paper.MATCHES["vs-zs21"].counts).startswith(expected)
    assert len(seen) == 3
    # Where the paper's player loses, the signs change places.
    assert sign(Estimate(0.4, 0.35, 0.45), 0.3) == "agrees in sign"
    assert sign(Estimate(0.6, 0.55, 0.65), 0.3) == "contradicts the paper in sign"
    assert sign(Estimate(0.6, 0.55, 0.65), 0.5) == "contradicts the paper in sign"


def test_sizes_are_compared_by_the_errors_of_both() -> None:
    draw = random.Random(2)
    seen = set()
    theirs = paper.MATCHES["ablation-kluss"].counts
    other = np.array([1.0] * theirs.wins + [0.5] * theirs.draws + [0.0] * theirs.losses)
    for _ in range(200):
        wins, losses = draw.randrange(20, 90), draw.randrange(20, 90)
        games = np.array([1.0] * wins + [0.5] * 10 + [0.0] * losses)
        error = math.sqrt(games.var() / len(games) + other.var() / len(other))
        z = (games.mean() - other.mean()) / error
        expected = "compatible in size" if abs(z) <= Z else "larger" if z > 0 else "smaller"
        seen.add(expected)
        words = match_verdict(Counts(wins, 10, losses), theirs).partition(", ")[2]
        assert words.startswith(expected)
    assert len(seen) == 3


def test_a_bound_of_one_side_counts_on_its_side_only() -> None:
    won = Counts(20, 0, 0).score_interval
    assert won.low < 1 == won.high
    found = difference(won, exactly(0.9))
    assert found.high == pytest.approx(0.1)
    assert found.low == pytest.approx(won.low - 0.9)


def test_the_mean_over_games_has_the_error_of_the_jackknife() -> None:
    draw = random.Random(3)
    games = []
    for _ in range(400):
        level = draw.gauss(10, 3)
        games.append([draw.gauss(level, 1) for _ in range(draw.randrange(20, 80))])
    found = clustered_mean([Group(sum(game), len(game)) for game in games])
    total, number = sum(map(sum, games)), sum(map(len, games))
    assert found.value == pytest.approx(total / number)
    left_out = np.array([(total - sum(game)) / (number - len(game)) for game in games])
    error = math.sqrt((len(games) - 1) * left_out.var())
    assert found.error == pytest.approx(Z * error, rel=0.02)
    # It is far wider than if all numbers were independent.
    flat = np.concatenate([np.array(game) for game in games])
    assert found.error > 3 * Z * flat.std() / math.sqrt(len(flat))


def test_the_row_of_elo_is_that_of_a_pool() -> None:
    steps = {0.25: Counts(60, 10, 30), 0.5: Counts(55, 10, 35), 1.0: Counts(48, 10, 42)}
    games = []
    for time, counts in steps.items():
        one, two = str(time), str(time / 2)
        half = counts.wins // 2, counts.draws // 2, counts.losses // 2
        rest = counts.wins - half[0], counts.draws - half[1], counts.losses - half[2]
        games += [Meeting(one, two, *half), Meeting(two, one, *reversed(rest))]
    pool = rate(games, anchor="1.0").elo
    for time, found in chain(steps).items():
        assert found.value == pytest.approx(pool[str(time)].value, abs=2.0)
        assert found.error == pytest.approx(pool[str(time)].error, rel=0.1, abs=1e-9)


# Experiments at a tiny scale.


@pytest.mark.parametrize("name", [*MATCHES, "time-scaling", "self-play", "infoset-sizes"])
def test_every_experiment_with_games_runs_and_repeats(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name not in DRAWN:
        # A picture of each kind is enough: drawing takes most of the time.
        monkeypatch.setitem(sys.modules, "matplotlib", None)
    given = {"eval": "zero"} if name in ("eval-simple", "ablation-kluss", "self-play") else {}
    result = lab.run(name, quick(tmp_path, players=given))
    assert result.complete
    page = (tmp_path / "result.md").read_text(encoding="utf-8")
    data = json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))
    assert page == result.to_markdown() == lab.Result.from_dict(data).to_markdown()
    assert signature() in page
    assert data["settings"]["nodes"] == 50
    assert bool(result.pictures) == (name in DRAWN)
    for picture in result.pictures:
        assert "</svg>" in (tmp_path / picture).read_text(encoding="utf-8")
    # What was played is told again, and not played again.
    again = lab.run(name, quick(tmp_path, players=given, report_only=True))
    assert [figure.ours for figure in again.figures] == [figure.ours for figure in result.figures]


def test_an_experiment_plays_what_it_says(tmp_path: Path) -> None:
    players = {}
    for name in MATCHES:
        given = {"eval": "zero"} if name == "eval-simple" else {}
        # No game is played, but the match is begun.
        lab.run(name, quick(tmp_path / name, players=given), stopped=lambda: True)
        with Store.open(tmp_path / name / "games.db") as store:
            players[name] = [engine.player for engine in store.match.engines]
            assert {str(engine.control) for engine in store.match.engines} == {"50 nodes"}
    ours = "obscuro(expanders=0)"
    assert players["ablation-purification"] == [ours, "obscuro(expanders=0,purification=stable)"]
    assert players["ablation-kluss"] == [ours, "obscuro(expanders=0,scope=klss)"]
    assert players["ablation-one-sided"] == [ours, "obscuro(expanders=0,exploring=two-sided)"]
    assert players["ablation-resolve-prior"] == [ours, "obscuro(expanders=0,prior=uniform)"]
    assert players["eval-simple"] == ["obscuro(expanders=0,eval=zero)", "simple-eval(expanders=0)"]
    assert [text.partition("(")[0] for text in players["vs-zs21"]] == ["obscuro", "zs21"]
    assert [text.partition("(")[0] for text in players["eval-simple-vs-zs21"]] == [
        "simple-eval",
        "zs21",
    ]
    assert players["vs-random"] == [ours, "random"]
    old = players["gtcfr-vs-zs21"][0]
    for setting in ("purification=stable", "scope=klss", "exploring=two-sided", "prior=uniform"):
        assert setting in old


def test_more_games_are_added_and_other_settings_refused(tmp_path: Path) -> None:
    lab.run("vs-random", quick(tmp_path))
    with Store.open(tmp_path / "games.db") as store:
        first = [record.to_json() for record in store.records()]
    result = lab.run("vs-random", quick(tmp_path, games=5))
    with Store.open(tmp_path / "games.db") as store:
        records = [record.to_json() for record in store.records()]
    # An odd number is rounded up to whole pairs.
    assert len(records) == 6
    assert records[:2] == first
    assert result.data["wins"] + result.data["draws"] + result.data["losses"] == 6
    for change, words in (
        ({"seed": 2}, "the seed is 1, asked for 2"),
        ({"nodes": 60}, "at 50 nodes, asked for .* at 60 nodes"),
        ({"games": 4}, "is for 6 games"),
        ({"games": 6, "max_moves": 4}, "drawn after another number"),
    ):
        with pytest.raises(LabError, match=words):
            lab.run("vs-random", quick(tmp_path, **{"games": 6, **change}))
    with Store.open(tmp_path / "games.db") as store:
        assert len(store.finished()) == 6


def test_what_was_played_before_an_interrupt_counts(tmp_path: Path) -> None:
    asked = iter([False, True])
    result = lab.run("vs-random", quick(tmp_path, games=6), stopped=lambda: next(asked, True))
    assert not result.complete
    assert "Not complete" in result.to_markdown()
    played = result.data["wins"] + result.data["draws"] + result.data["losses"]
    assert played == 1
    assert lab.run("vs-random", quick(tmp_path, games=6)).complete


def test_self_play_counts_what_the_games_show(tmp_path: Path) -> None:
    result = lab.run("self-play", quick(tmp_path, games=4))
    with Store.open(tmp_path / "games.db") as store:
        records = list(store.records())
    figures = {figure.name: figure.ours.value for figure in result.figures}
    assert figures["plies of a game"] == np.mean([len(record.plies) for record in records])
    nodes = [ply.search["nodes"] for record in records for ply in record.plies]
    assert figures["nodes of a search"] == pytest.approx(np.mean(nodes))
    white = np.mean([{"1-0": 1, "0-1": 0}.get(record.result, 0.5) for record in records])
    assert figures["White's score"] == pytest.approx(white)
    for place, color in ((0, True), (1, False)):
        first = selfplay.first_moves(records, color)
        assert sum(first.values()) == len(records)
        assert set(first) == {selfplay.sans(record)[place] for record in records}


def test_without_matplotlib_there_is_no_picture_but_a_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    said: list[str] = []
    result = lab.run("vs-random", quick(tmp_path), say=said.append)
    assert list(result.pictures) == []
    assert any("pip install 'obscuro[plots]'" in words for words in said)
    with pytest.raises(MissingPackageError):
        pictures.intervals({"ours": exactly(0.5)}, tmp_path / "x.svg", title="")


# The command line.


def test_the_command_line_plays_in_other_processes(
    in_other_processes: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["lab", "vs-random", "--nodes", "50", "--max-moves", "2", "--out", str(tmp_path)]
    assert run([*words, "--games", "2"]) == 0
    page = capsys.readouterr().out
    assert "score of obscuro against random" in page
    assert "100.0 % [99.6, 100.0]" in page
    assert run([*words, "--report-only"]) == 0
    assert "score of obscuro against random" in capsys.readouterr().out


def test_the_list_has_every_experiment(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["lab"], ["lab", "list"]):
        assert run(words) == 0
        listed = capsys.readouterr().out
        for name in lab.EXPERIMENTS:
            assert any(line.split()[0] == name for line in listed.splitlines() if line.strip())


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["ablation-klus"], "there is no experiment 'ablation-klus'; did you mean"),
        (["vs-random", "--games", "0"], "--games is 0, expected a whole number from 1 on"),
        (["vs-random", "--time", "-1"], "--time is -1.0, expected a number of seconds above 0"),
        (["vs-random", "--set", "eval"], "cannot read --set 'eval'"),
        (["vs-random", "--set", "evil=1"], "no player of this experiment has an option 'evil'"),
        (["common-knowledge", "--games", "5"], "plays no games, so it takes no --games"),
        (["king-vs-king", "--report-only"], "there is no result in"),
        (["vs-zs21", "--report-only"], "cannot read"),
    ],
)
def test_bad_input_is_a_line(
    words: list[str], expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["lab", *words, "--out", str(tmp_path / "out")]) == 2
    error = " ".join(capsys.readouterr().err.split())
    assert error.startswith("error: ")
    assert expected in error
    assert "Traceback" not in error


def test_a_file_that_is_no_result_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="there is no result in"):
        lab.Result.read(tmp_path)
    for text, words in (("{", "is not JSON"), ("{}", "not the result"), ("[]", "not the result")):
        (tmp_path / "result.json").write_text(text, encoding="utf-8")
        with pytest.raises(LabError, match=words):
            lab.Result.read(tmp_path)


def test_results_with_bounds_that_are_infinite_survive_their_file(tmp_path: Path) -> None:
    figure = lab.Figure("elo", Estimate(math.inf, 100.0, math.inf), None, "elo")
    lab.Result("x", "y", [figure], parts=[lab.Text("t", "u"), lab.Grid("g", ["a"], [["b"]])]).write(
        tmp_path
    )
    found = lab.Result.read(tmp_path)
    assert found.figures[0].ours == figure.ours
    assert found.to_markdown() == (tmp_path / "result.md").read_text(encoding="utf-8")


def test_a_bench_is_told_where_it_works(tmp_path: Path) -> None:
    assert lab.Options(out=tmp_path).folder("vs-random") == tmp_path
    assert lab.Options().folder("vs-random") == Path("results/lab/vs-random")
    assert Bench(lab.Options(), tmp_path).stopped() is False

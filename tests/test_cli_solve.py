"""`obscuro solve`, through its exit codes, its output and its files."""

import json
import re
import shlex
import sys
from pathlib import Path

import pytest

from obscuro.cli import main as cli

ROOT = Path(__file__).parent.parent


def solve(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, str]:
    assert cli.run(["solve", *arguments]) == 0, capsys.readouterr()
    output = capsys.readouterr().out
    return dict(re.findall(r"^([a-z]+)  +(\S.*)$", output, re.MULTILINE))


def test_prints_the_value(capsys: pytest.CaptureFixture[str]) -> None:
    said = solve(capsys, "leduc_poker", "--target", "1e-3")
    assert said["histories"] == "9,457"
    assert float(said["value"]) == pytest.approx(-0.0856064, abs=1e-3)
    assert 0 < float(said["exploitability"]) <= 1e-3
    assert said["algorithm"] == "pcfr+"


def test_prints_the_exploitability_over_time(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["solve", "kuhn_poker", "-a", "cfr+", "-n", "500"]) == 0
    rows = re.findall(
        r"^ +([\d,]+) +([\d.]+) +(\S+) +(\d\S+e\S+)$", capsys.readouterr().out, re.MULTILINE
    )
    assert 5 <= len(rows) <= 12
    assert rows[-1][0] == "500"
    assert float(rows[-1][3]) < float(rows[0][3])


@pytest.mark.parametrize("limit", [["-n", "10"], ["-s", "0.01"], ["-t", "0.1"], []])
@pytest.mark.parametrize("algorithm", ["cfr", "cfr+", "dcfr", "pcfr+"])
def test_limits_and_algorithms(
    capsys: pytest.CaptureFixture[str], limit: list[str], algorithm: str
) -> None:
    said = solve(capsys, "kuhn_poker", "--algorithm", algorithm, *limit)
    assert said["algorithm"] == algorithm
    if "-n" in limit:
        assert said["iterations"].startswith("10 in")


def test_exact(capsys: pytest.CaptureFixture[str]) -> None:
    said = solve(capsys, "kuhn_poker", "--lp")
    assert float(said["value"]) == pytest.approx(-1 / 18, abs=1e-9)
    assert said["algorithm"] == "lp"


def test_a_game_of_ones_own(capsys: pytest.CaptureFixture[str]) -> None:
    said = solve(capsys, f"{ROOT / 'examples' / 'corridor.py'}:Corridor", "--lp")
    assert float(said["value"]) == pytest.approx(5 / 32, abs=1e-9)


def test_a_game_of_openspiel(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pyspiel")
    said = solve(capsys, "openspiel:kuhn_poker", "--lp")
    assert float(said["value"]) == pytest.approx(-1 / 18, abs=1e-9)


def test_files(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    assert cli.run(["solve", "kuhn_poker", "--out", str(tmp_path / "out")]) == 0
    output = capsys.readouterr().out
    files = {path.name for path in (tmp_path / "out").iterdir()}
    assert files == {
        *("strategy.csv", "strategy.json", "strategy.md"),
        *("convergence.csv", "convergence.png", "convergence.svg"),
    }
    assert all(f"wrote {tmp_path / 'out' / name}" in output for name in files)
    data = json.loads((tmp_path / "out" / "strategy.json").read_text(encoding="utf-8"))
    assert data["game"] == "kuhn_poker"


def test_files_without_matplotlib(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert cli.run(["solve", "kuhn_poker", "--out", str(tmp_path)]) == 0
    assert "no plots: matplotlib is not installed" in capsys.readouterr().out
    assert len(list(tmp_path.iterdir())) == 4


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["leduk_poker"], "did you mean 'leduc_poker'?"),
        (["kuhn_poker", "--target", "0"], "0.0 is not above 0"),
        (["kuhn_poker", "--seconds", "-1"], "-1.0 is not above 0"),
        (["kuhn_poker", "--iterations", "0"], "--iterations"),
        (["kuhn_poker", "--algorithm", "magic"], "'cfr', 'cfr+', 'dcfr', 'pcfr+'"),
        (["phantom_ttt", "--max-histories", "100"], "more than 100 histories"),
    ],
)
def test_bad_input(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    assert cli.run(["solve", *arguments]) == cli.BAD_INPUT
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert message in error


@pytest.mark.parametrize("method", ["__init__", "observe", "state_text"])
def test_an_error_in_a_game_of_ones_own(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, method: str
) -> None:
    path = tmp_path / "broken.py"
    path.write_text(
        "from twin_games import Kuhn\n"
        "class Broken(Kuhn):\n"
        f"    def {method}(self, *asked):\n"
        "        return {}['nothing']\n",
        encoding="utf-8",
    )
    status = cli.run(["solve", f"{path}:Broken", "--out", str(tmp_path / "out")])
    assert status == cli.BAD_INPUT
    error = capsys.readouterr().err
    assert "broken.py:Broken raised KeyError: 'nothing'" in error
    assert "(broken.py, line 4)" in error
    assert "internal error" not in error


def commands() -> list[str]:
    text = (ROOT / "docs" / "own-game.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


@pytest.mark.parametrize("command", commands())
def test_the_commands_of_the_documentation(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, *arguments = shlex.split(command.replace("results", str(tmp_path)))
    assert program == "obscuro"
    monkeypatch.chdir(ROOT)
    assert cli.run(arguments) == 0

"""The command line from outside: exit codes, messages, no traceback."""

import os
import signal
import subprocess
import sys
import time

import pytest

import obscuro
from obscuro.cli import main as cli
from obscuro.errors import FenError
from obscuro.words import did_you_mean

COMMAND = [sys.executable, "-m", "obscuro.cli"]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = cli.run(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "--version") == (0, f"obscuro {obscuro.__version__}\n", "")


@pytest.mark.parametrize("arguments", [[], ["--help"], ["play", "--help"], ["perft", "-h"]])
def test_help(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    code, out, err = run(capsys, *arguments)
    assert code == 0
    assert "Usage" in out
    assert err == ""


@pytest.mark.parametrize(
    ("arguments", "suggestion"),
    [
        (["plya"], "Did you mean 'play'?"),
        (["pertf", "3"], "Did you mean 'perft'?"),
        (["--versoin"], "Did you mean '--version'?"),
        (["perft", "3", "--divied"], "Did you mean '--divide'?"),
        (["play", "--colour", "white"], "Did you mean '--color'?"),
        (["play", "--color", "blakc"], "Did you mean 'black'?"),
    ],
)
def test_unknown_words_suggest_the_nearest(
    capsys: pytest.CaptureFixture[str], arguments: list[str], suggestion: str
) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert err.endswith(f"{suggestion}\n")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["perft"], "depth"),
        (["perft", "three"], "depth"),
        (["perft", "--", "-1"], "depth"),
        (["perft", "1", "--fen", "nonsense"], "nonsense"),
        (["play", "--fen", "8/8/8/8/8/8/8/8 x - - 0 1"], "x"),
        (["play", "--seed", "-4"], "--seed"),
        (["play", "--color", "green"], "green"),
        (["play", "--opponent", "serach"], "Did you mean 'search'?"),
        (["play", "--seconds", "0"], "--seconds"),
        (["play", "--pgn", "no/such/folder/game.pgn"], "no/such/folder/game.pgn"),
    ],
)
def test_bad_input_is_one_line_that_names_it(
    capsys: pytest.CaptureFixture[str], arguments: list[str], named: str
) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert named in err
    assert err.count("\n") == 1


def test_a_defect_of_the_program_shows_no_traceback(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(**_: object) -> None:
        raise ZeroDivisionError("all wrong")

    monkeypatch.delenv(cli.TRACEBACK, raising=False)
    monkeypatch.setattr(cli, "app", broken)
    code, out, err = run(capsys)
    assert (code, out) == (1, "")
    assert "ZeroDivisionError: all wrong" in err
    assert "Traceback" not in err

    monkeypatch.setenv(cli.TRACEBACK, "1")
    with pytest.raises(ZeroDivisionError):
        cli.run([])


def test_an_error_of_the_library_is_bad_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(**_: object) -> None:
        raise FenError("this is [no] FEN")

    monkeypatch.setattr(cli, "app", refuse)
    assert run(capsys) == (2, "", "error: this is [no] FEN\n")


def test_interrupt_is_quiet() -> None:
    command = [*COMMAND, "play", "--seed", "1"]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # Tests that run in the background of a shell inherit that interrupts are ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        seen = b""
        while b"your move" not in seen:
            chunk = os.read(process.stdout.fileno(), 4096)
            assert chunk, process.stderr.read().decode()
            seen += chunk
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=10) == 130
        assert process.stderr.read() == b""


def test_a_reader_who_leaves_is_no_error_to_shout_about() -> None:
    # The first write is to a pipe that nobody reads any more.
    read_end, write_end = os.pipe()
    os.close(read_end)
    try:
        result = subprocess.run(
            [*COMMAND, "perft", "1"], stdout=write_end, stderr=subprocess.PIPE, check=False
        )
    finally:
        os.close(write_end)
    assert b"Traceback" not in result.stderr
    assert b"Exception" not in result.stderr


def test_suggestions_keep_silent_when_nothing_is_near() -> None:
    assert did_you_mean("Resign", ["resign", "quit"]) == " Did you mean 'resign'?"
    assert did_you_mean("zzz", ["resign", "quit"]) == ""

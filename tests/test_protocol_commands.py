"""The lines of the engine protocol, as data."""

import chess
import pytest

from obscuro.errors import ProtocolError
from obscuro.fow import STARTING_FEN
from obscuro.protocol.commands import (
    Bench,
    Command,
    Debug,
    FogPosition,
    Go,
    Perft,
    PlainPosition,
    SetOption,
    Word,
    parse,
)

FOG = "????????/????????/????????/????????/8/8/PPPPPPPP/RNBQKBNR w KQ - - 1"
BARE = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("uci", Word("uci")),
        ("  isready\t", Word("isready")),
        ("stop now", Word("stop")),
        ("debug on", Debug(True)),
        ("debug off", Debug(False)),
        ("bench", Bench()),
        ("bench 500", Bench(500)),
        ("perft 3", Perft(3)),
        ("divide 3", Perft(3, divide=True)),
        ("go perft 3", Perft(3, divide=True)),
        ("setoption name Hash value 64", SetOption("Hash", "64")),
        ("setoption name Clear Hash", SetOption("Clear Hash", None)),
        ("setoption name eval value my net.nnue", SetOption("eval", "my net.nnue")),
        ("setoption name eval value", SetOption("eval", "")),
        ("position startpos", PlainPosition(STARTING_FEN, ())),
        ("position startpos moves", PlainPosition(STARTING_FEN, ())),
        ("position startpos moves e2e4 e7e5", PlainPosition(STARTING_FEN, ("e2e4", "e7e5"))),
        (f"position fen {BARE} moves e1e2", PlainPosition(BARE, ("e1e2",))),
        (
            f"position fog color white observations {FOG}",
            FogPosition(chess.WHITE, STARTING_FEN, (FOG,), ()),
        ),
        (
            f"position fog color black start {BARE} observations {FOG} ; {FOG};{FOG} moves e2e4",
            FogPosition(chess.BLACK, BARE, (FOG, FOG, FOG), ("e2e4",)),
        ),
        ("go", Go()),
        (
            "go wtime 1000 btime -5 winc 10 binc 20 movestogo 40",
            Go(wtime=1000, btime=0, winc=10, binc=20, movestogo=40),
        ),
        ("go movestogo 0 movetime 0", Go(movetime=0)),
        ("go ponder nodes 7", Go(nodes=7, ponder=True)),
        ("go infinite", Go(infinite=True)),
        ("go depth 12 mate 3 nodes 9", Go(nodes=9, ignored=("depth", "mate"))),
        (
            "go searchmoves e2e4 d2d4 movetime 5",
            Go(movetime=5, ignored=("searchmoves",)),
        ),
        ("", None),
        (" \t ", None),
    ],
)
def test_a_line_is_read(line: str, command: Command | None) -> None:
    assert parse(line) == command


@pytest.mark.parametrize(
    ("line", "found", "expected"),
    [
        ("isreday", "'isreday'", "did you mean 'isready'?"),
        ("xyzzy", "'xyzzy'", "expected one of uci, isready,"),
        ("setoption Hash 3", "setoption", "expected setoption name NAME value VALUE"),
        ("setoption", "setoption", "expected setoption name NAME value VALUE"),
        ("setoption name value 3", "the name is missing", "expected setoption name NAME"),
        ("position", "position", "expected startpos, fen or fog"),
        ("position e2e4", "position", "expected startpos, fen or fog"),
        ("position startpos e2e4", "'e2e4'", "expected moves or the end"),
        ("position fen", "the FEN is missing", ""),
        ("position fen moves e2e4", "the FEN is missing", ""),
        ("position fog white", "position fog", "expected color white or color black"),
        ("position fog color red", "position fog", "expected color white or color black"),
        ("position fog color white", "the end of the line", "expected [start FEN] observations"),
        ("position fog color white moves", "'moves'", "expected [start FEN] observations"),
        ("position fog color white observations", "observation 1 is empty", ""),
        (f"position fog color white observations {FOG} ;", "observation 2 is empty", ""),
        ("go quickly", "'quickly'", "expected wtime, btime,"),
        ("go movetime", "the end of the line", "expected a whole number"),
        ("go movetime soon", "'soon'", "expected a whole number"),
        ("go movetime 1.5", "'1.5'", "expected a whole number"),
        ("go movetime ²", "'²'", "expected a whole number"),
        ("go movetime -1", "'-1'", "expected a number from 0 on"),
        ("go nodes 0", "go nodes", "expected a number of at least 1"),
        (f"go nodes {'9' * 5000}", "'999", "expected a whole number"),
        ("go depth", "go depth", "expected a whole number"),
        ("perft", "perft", "expected a whole number, found the end of the line"),
        ("go perft many", "perft", "found 'many'"),
        ("perft 21", "found 21", "expected a number up to 20"),
        ("bench -3", "bench", "found '-3'"),
        ("bench 0", "bench", "at least 1"),
        ("debug", "debug", "expected on or off"),
        ("debug maybe", "debug", "expected on or off"),
    ],
)
def test_a_wrong_line_is_an_error_that_says_what_was_expected(
    line: str, found: str, expected: str
) -> None:
    with pytest.raises(ProtocolError) as raised:
        parse(line)
    message = str(raised.value)
    assert found in message
    assert expected in message
    assert len(message) < 300

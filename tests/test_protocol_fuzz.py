"""Thousands of lines without sense: the engine says what is wrong, and lives."""

import os
import random
import threading
from collections.abc import Iterator

import chess
import pytest

from obscuro.protocol.loop import LONGEST_LINE, lines_of, serve
from protocol_talk import QUICK, Talk, errors_in, fog_line

GAME = "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6"
FOG = [fog_line(color, GAME, plies=plies) for color in chess.COLORS for plies in range(5)]
LINES = [
    "uci",
    "isready",
    "ucinewgame",
    "stop",
    "ponderhit",
    "d",
    "eval",
    "debug on",
    "debug off",
    "register later",
    "perft 1",
    "divide 1",
    "go nodes 20",
    "go ponder nodes 20",
    "go infinite",
    "go wtime 10 btime 10 winc 0 binc 0 movestogo 1",
    "go depth 3 searchmoves e2e4 movetime 1",
    "setoption name Hash value 16",
    "setoption name Ponder value true",
    "setoption name Resync value true",
    "setoption name scope value klss",
    "setoption name seconds value 0.01",
    "setoption name eval value zero",
    "setoption name Clear Hash",
    f"position startpos moves {GAME}",
    "position fen 4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1 moves e4d5",
    "position fen r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 9 moves e8g8",
    *FOG,
]
# Started, they would keep the test for long; they are tried by themselves.
SLOW = ("bench", "perft", "divide")
STRANGE = [
    "",
    "-1",
    "0",
    "99999999999999999999",
    "nan",
    "♞",
    "\x00",
    "moves",
    ";",
    "?",
    "e9e9",
    "²",
]


def mutated(rng: random.Random) -> str:
    line = rng.choice(LINES)
    for _ in range(rng.choice((0, 1, 1, 2, 4))):
        words = line.split(" ")
        place = rng.randrange(len(words))
        match rng.randrange(7):
            case 0:
                del words[place]
            case 1:
                words.insert(place, rng.choice(STRANGE))
            case 2:
                words[place] = rng.choice(rng.choice(LINES).split(" "))
            case 3:
                other = rng.choice(words)
                words[place] = other
            case 4:
                at = rng.randrange(len(words[place]) + 1)
                words[place] = words[place][:at] + chr(rng.randrange(32, 1000)) + words[place][at:]
            case 5:
                at = rng.randrange(len(words[place]) + 1)
                words[place] = words[place][:at] + words[place][at + 1 :]
            case 6:
                words = words[:place]
        line = " ".join(words)
    return line


@pytest.mark.parametrize("seed", range(2))
def test_it_survives_mutated_lines(seed: int) -> None:
    rng = random.Random(seed)
    talk = Talk(*QUICK)
    counts = {"errors": 0, "searches": 0}
    for number in range(1500):
        line = mutated(rng)
        if any(word in line.split() for word in SLOW) and len(line.split()) > 1:
            continue
        before = len(talk.said)
        talk.send(line)
        # Whatever goes on, this is answered at once.
        assert talk.send("isready")[-1] == "readyok", line
        talk.send("stop")
        talk.settle()
        answer = talk.said[before:]
        counts["errors"] += len(errors_in(answer))
        counts["searches"] += sum(said.startswith("bestmove") for said in answer)
        assert not [said for said in answer if "internal" in said], line
        assert not [said for said in answer if "\n" in said], line
        if number % 300 == 299:
            talk.send("ucinewgame", "setoption name Ponder value false")
            assert talk.go("position startpos moves e2e4", "go nodes 20")[0] != "(none)"
    talk.close()
    assert counts["errors"] > 300
    assert counts["searches"] > 30


@pytest.mark.parametrize("line", ["perft 20", "go perft 12", "bench 1000000"])
def test_what_takes_long_can_be_stopped(line: str) -> None:
    talk = Talk(*QUICK)
    talk.send(line)
    assert talk.waiting_for(0.1)[:1] in ([], ["position 1/10"])
    talk.send("stop")
    talk.settle()
    assert talk.said[-1].endswith("was stopped")
    assert talk.send("isready") == ["readyok"]
    talk.close()


def exchange(*chunks: bytes) -> tuple[int, bytes]:
    """What the process's loop returns and says when these bytes come in."""
    (ours, theirs), (answer, sink) = os.pipe(), os.pipe()
    said: list[bytes] = []

    def listen() -> None:
        while chunk := os.read(answer, 1 << 16):
            said.append(chunk)

    def speak() -> None:
        for chunk in chunks:
            os.write(theirs, chunk)
        os.close(theirs)

    threads = [threading.Thread(target=work, daemon=True) for work in (listen, speak)]
    for thread in threads:
        thread.start()
    code = serve(ours, sink)
    os.close(sink)
    for thread in threads:
        thread.join(30)
    os.close(answer)
    os.close(ours)
    return code, b"".join(said)


def test_it_survives_bytes_that_are_no_text() -> None:
    rng = random.Random(3)
    nonsense = [rng.randbytes(rng.randrange(200)) + b"\n" for _ in range(500)]
    code, said = exchange(*nonsense, b"isready\r\n", b"quit\n", b"isready\n")
    lines = said.decode().splitlines()
    assert code == 0
    assert lines[-1] == "readyok"
    assert lines.count("readyok") == 1
    assert all(line.startswith("info string error ") for line in lines[:-1])
    assert len(lines) > 300


def test_a_line_of_any_length_is_bounded() -> None:
    huge = [b"position startpos moves "] + [b"e2e4 " * 10_000] * 40 + [b"\nisready\n"]
    code, said = exchange(*huge)
    assert code == 0
    assert said.decode().splitlines() == [
        f"info string error a line is longer than {LONGEST_LINE} bytes",
        "readyok",
    ]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_lines_do_not_depend_on_the_pieces_they_come_in(size: int) -> None:
    text = "uci\r\n\nposition startpos moves e2e4\n♞ d\nqui"

    def pieces(data: bytes) -> Iterator[bytes]:
        for start in range(0, len(data), size):
            yield data[start : start + size]

    assert list(lines_of(pieces(text.encode()))) == [
        "uci",
        "",
        "position startpos moves e2e4",
        "♞ d",
    ]


def test_it_ends_when_nobody_listens() -> None:
    (ours, theirs), (answer, sink) = os.pipe(), os.pipe()
    os.close(answer)
    os.write(theirs, b"go infinite\nuci\n")
    finished = threading.Event()

    def run() -> None:
        serve(ours, sink)
        finished.set()

    threading.Thread(target=run, daemon=True).start()
    # What comes in stays open: it is the other side that has left.
    assert finished.wait(30)
    for end in (ours, theirs, sink):
        os.close(end)

"""`obscuro perft`, against counts by python-chess's pseudo-legal moves."""

import re

import chess
import pytest

from obscuro.cli import main as cli

# No king can be taken within three plies of these, and there is no castling into it: all moves
# here are the pseudo-legal ones of chess.
START = chess.STARTING_FEN
LOCKED = "4k3/p1p5/8/1P6/8/8/5p2/K7 b - - 0 20"


def count(board: chess.Board, depth: int) -> int:
    if depth == 0:
        return 1
    total = 0
    for move in board.pseudo_legal_moves:
        board.push(move)
        total += count(board, depth - 1)
        board.pop()
    return total


def perft(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert cli.run(["perft", *arguments]) == 0
    return capsys.readouterr().out


def nodes(output: str) -> int:
    found = re.search(r"^nodes +([\d,]+)$", output, re.MULTILINE)
    assert found, output
    return int(found[1].replace(",", ""))


@pytest.mark.parametrize("fen", [START, LOCKED])
@pytest.mark.parametrize("depth", [0, 1, 2, 3])
@pytest.mark.parametrize("bulk", [True, False])
def test_counts(capsys: pytest.CaptureFixture[str], fen: str, depth: int, bulk: bool) -> None:
    options = [] if bulk else ["--no-bulk"]
    output = perft(capsys, str(depth), "--fen", fen, *options)
    assert nodes(output) == count(chess.Board(fen), depth)


def test_divide_adds_up(capsys: pytest.CaptureFixture[str]) -> None:
    output = perft(capsys, "3", "--divide")
    parts = {
        move: int(number.replace(",", ""))
        for move, number in re.findall(r"^(\w{4,5}): ([\d,]+)$", output, re.MULTILINE)
    }
    assert set(parts) == {move.uci() for move in chess.Board().pseudo_legal_moves}
    assert sum(parts.values()) == nodes(output) == 8902


@pytest.mark.parametrize("options", [[], ["--no-bulk"], ["--divide"]])
def test_deep_counts_are_split_and_the_clocks_do_not_matter(
    capsys: pytest.CaptureFixture[str], options: list[str]
) -> None:
    fen = "8/8/8/8/8/p7/P7/K1k5 w - - 99 80"
    output = perft(capsys, "7", "--fen", fen, *options)
    assert nodes(output) == count_without_kings(chess.Board(fen), 7)


def count_without_kings(board: chess.Board, depth: int) -> int:
    """As `count`, for positions in which kings are taken: that ends the game."""
    if depth == 0:
        return 1
    if board.king(board.turn) is None:
        return 0
    total = 0
    for move in board.pseudo_legal_moves:
        board.push(move)
        total += count_without_kings(board, depth - 1)
        board.pop()
    return total


def test_prints_the_speed(capsys: pytest.CaptureFixture[str]) -> None:
    assert re.search(r"^nodes/s +[\d,]+$", perft(capsys, "3"), re.MULTILINE)

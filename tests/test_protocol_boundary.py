"""What is hidden stays hidden: only one module of the protocol knows a board."""

import ast
from pathlib import Path

import chess
import pytest

import obscuro.protocol
from obscuro.fow import Board
from obscuro.protocol.commands import PlainPosition
from obscuro.protocol.referee import tell
from obscuro.protocol.told import read_told
from protocol_talk import QUICK, Talk, fog_line, report_in

FOLDER = Path(obscuro.protocol.__file__).parent
# The games of each pair differ in what this player cannot see.
PAIRS = [
    ("a2a3 h7h6", "a2a3 e7e6", chess.WHITE),
    ("g1f3 b8a6 b1c3 d7d6", "g1f3 h7h6 b1c3 b8c6", chess.WHITE),
    ("a2a3", "h2h3", chess.BLACK),
    ("d2d4 e7e6 c1f4", "d2d4 e7e6 c1d2", chess.BLACK),
]


def imported(path: Path) -> set[str]:
    """All names that a module imports from elsewhere, and the modules."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            names |= {node.module or "", *(alias.name for alias in node.names)}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return names


def test_only_the_referee_knows_a_board() -> None:
    paths = sorted(FOLDER.glob("*.py"))
    knowing = {path.stem for path in paths if {"Board", "Belief"} & imported(path)}
    assert knowing == {"referee"}
    # Who follows a game and tells of searches cannot reach it by a detour.
    for name in ("follower", "told", "reports", "options", "commands"):
        names = imported(FOLDER / f"{name}.py")
        assert not {n for n in names if "referee" in n or n in ("bench", "jobs", "engine")}


@pytest.mark.parametrize(("one", "other", "color"), PAIRS)
def test_what_cannot_be_told_apart_is_answered_alike(
    one: str, other: str, color: chess.Color
) -> None:
    told = [tell(PlainPosition(chess.STARTING_FEN, tuple(game.split()))) for game in (one, other)]
    assert told[0] == told[1]
    # Every byte that does not measure time is the same.
    answers = []
    for game in (one, other):
        talk = Talk(*QUICK, "setoption name marginals value true")
        answer = talk.until("bestmove", f"position startpos moves {game}", "go nodes 150")
        report = report_in(answer)
        for name in list(report):
            if name.endswith("_seconds"):
                del report[name]
        answers.append((report, answer[-1]))
        talk.close()
    assert answers[0] == answers[1]
    assert answers[0][0]["color"] == chess.COLOR_NAMES[color]


@pytest.mark.parametrize("color", chess.COLORS)
def test_what_the_referee_tells_is_what_a_player_is_given(color: chess.Color) -> None:
    moves = "e2e4 d7d5 e4d5 d8d5 b1c3 d5e5 f1e2 c8g4" + ("" if color else " d2d4")
    told = tell(PlainPosition(chess.STARTING_FEN, tuple(moves.split())))
    line = fog_line(color, moves).removeprefix(f"position fog color {chess.COLOR_NAMES[color]} ")
    observations, _, own = line.removeprefix("observations ").partition(" moves ")
    assert told == read_told(color, chess.STARTING_FEN, observations.split(" ; "), own.split())
    assert told.last == _played(moves).observation(color)
    assert [told.own_move(n) for n in range(len(told.observations)) if told.own_move(n)] == list(
        told.moves
    )


def _played(moves: str) -> Board:
    board = Board()
    for text in moves.split():
        board.push_uci(text)
    return board


def test_in_the_fog_form_nothing_else_is_there() -> None:
    talk = Talk(*QUICK, "position startpos moves e2e4", fog_line(chess.WHITE, "e2e4 e7e5"))
    assert talk.engine._position is None
    assert talk.send("perft 1", "eval") == [
        f"info string error {word}: the position is hidden in the fog form, expected position "
        "startpos or position fen first"
        for word in ("perft", "eval")
    ]
    talk.close()

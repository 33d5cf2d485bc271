"""Games to PGN and back, and the real games that others wrote."""

import io
import random
from pathlib import Path

import chess
import chess.pgn
import pytest

from obscuro.errors import FenError, FileError, PgnError
from obscuro.fow import Board, Game, read_game, read_games


def random_game(seed: int, start: str | None = None) -> Board:
    rng = random.Random(seed)
    board = Board(start)
    while (moves := board.legal_moves) and len(board.move_stack) < 150:
        board.push(rng.choice(moves))
    return board


@pytest.mark.parametrize("seed", range(30))
def test_written_games_are_read_back(seed: int, tmp_path: Path) -> None:
    start = None if seed % 2 else "r3k2r/ppp1qppp/8/3pP3/8/8/PPPQ1PPP/R3K2R w KQkq d6 0 9"
    game = Game.from_board(random_game(seed, start), White='A "B" \\ C', Round=str(seed))
    game.comments = {0: "before", 3: "in between", len(game.moves): "after"}
    again = read_game(str(game))
    assert again is not None
    assert again == game
    assert again.board() == game.board()
    assert max(map(len, str(game).splitlines())) <= 80
    path = tmp_path / "games.pgn"
    game.save(path)
    game.save(path)
    assert list(read_games(path)) == [game, game]


def test_python_chess_reads_the_tags_and_the_moves_that_chess_knows() -> None:
    board = Board()
    for san in ["e4", "e5", "Nf3", "Nc6"]:
        board.push_san(san)
    theirs = chess.pgn.read_game(io.StringIO(str(Game.from_board(board, White="W"))))
    assert theirs is not None
    assert theirs.headers["Variant"] == "Fog of War"
    assert theirs.headers["White"] == "W"


def test_what_others_write_is_read() -> None:
    pgn = """\ufeff[Event "Live"]
[Variant "Fogofwar"]
[Result "1-0"]

1. c4 {a comment
over two lines} d5 $1 (1... e5 2. Nc3 (2. g3)) 2.Qa4+!? d4?? ; to the end
3. Qxe8# 1-0

[Variant "chess"]

1. e4 *
"""
    handle = io.StringIO(pgn)
    game = read_game(handle)
    assert game is not None
    assert [move.uci() for move in game.moves] == ["c2c4", "d7d5", "d1a4", "d5d4", "a4e8"]
    assert game.comments == {1: "a comment over two lines", 4: "to the end"}
    assert game.result == "1-0"
    with pytest.raises(PgnError, match="the game's variant is 'chess'"):
        read_game(handle)
    assert read_game(handle) is None


def test_bad_games_are_named(tmp_path: Path) -> None:
    for text, message in {
        "1. e4 e5 2. Ke3": r"move 2\.: Ke3 is not legal",
        "1. e4 )": "a variation ends that did not begin",
        "1. e4 xyz": 'move 1...: "xyz" is not a move in SAN',
        "1. c4 d5 2. Qa4 d4 3. Qxe8 d3": "the game is over",
    }.items():
        with pytest.raises(PgnError, match=message):
            read_game(text)
    with pytest.raises(FenError):
        read_game('[FEN "nonsense"]\n\n1. e4 *')
    with pytest.raises(FileError, match="cannot read"):
        list(read_games(tmp_path / "missing.pgn"))
    (tmp_path / "binary.pgn").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FileError, match="not UTF-8"):
        list(read_games(tmp_path / "binary.pgn"))
    with pytest.raises(FileError, match="cannot write"):
        Game().save(tmp_path / "no" / "such" / "folder.pgn")

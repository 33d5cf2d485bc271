"""The rules against a brute-force twin on python-chess, and by example."""

import contextlib
import random

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fow_twin
from obscuro.errors import (
    AmbiguousMoveError,
    FenError,
    GameOverError,
    IllegalMoveError,
    InvalidMoveError,
)
from obscuro.fow import Board, Move, Termination

POSITIONS = {
    "start": chess.STARTING_FEN,
    "kiwipete": "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "en passant": "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "promotions": "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "castling in check": "r3k2r/4Q3/8/8/8/8/4q3/R3K2R w KQkq - 0 1",
    "kings adjacent": "8/8/3kK3/3p4/2P1P3/8/8/8 b - - 0 1",
    "king on the wing": "4k3/1P4P1/8/8/8/8/1p4p1/4K3 b - - 0 1",
}


@pytest.mark.parametrize("fen", POSITIONS.values(), ids=POSITIONS)
def test_perft_equals_the_twin(fen: str) -> None:
    board, twin = Board(fen), chess.Board(fen)
    for depth in (1, 2, 3):
        expected = fow_twin.perft(twin, depth)
        assert board.perft(depth) == expected
        assert board.perft(depth, bulk=False) == expected
    assert sum(board.divide(3).values()) == board.perft(3)


def test_perft_of_the_start_at_depth_4_equals_the_twin() -> None:
    assert Board().perft(4) == fow_twin.perft(chess.Board(), 4)


def random_line(
    seed: int, plies: int, start: str = chess.STARTING_FEN
) -> tuple[Board, chess.Board]:
    """A random game, played on our board and on the twin's, compared at every ply."""
    rng = random.Random(seed)
    board, twin = Board(start), chess.Board(start)
    for _ in range(plies):
        moves = fow_twin.moves(twin)
        compare(board, twin, moves)
        if board.is_game_over() or not moves:
            break
        # Captures more often than by chance, so that all phases of the game are seen.
        captures = [move for move in moves if twin.is_capture(move)]
        move = rng.choice(captures if captures and rng.random() < 0.3 else moves)
        board.push(move)
        twin = fow_twin.after(twin, move)
    return board, twin


def compare(board: Board, twin: chess.Board, moves: list[Move]) -> None:
    outcome = board.outcome()
    drawn = outcome is not None and outcome.winner is None
    assert set(board.legal_moves) == (set() if drawn else set(moves))
    assert len(board.legal_moves) == len(set(board.legal_moves))
    assert board.piece_map() == twin.piece_map()
    assert board.halfmove_clock == twin.halfmove_clock
    assert board.fullmove_number == twin.fullmove_number
    if not moves:
        assert outcome is not None
        assert outcome.winner == (not twin.turn)
        lost_king = twin.king(twin.turn) is None
        assert (outcome.termination == Termination.KING_CAPTURED) == lost_king
    for color in chess.COLORS:
        assert board.vision(color) == fow_twin.vision(twin, color), (board.fen(), color)
    can_capture = any(twin.is_en_passant(move) for move in moves)
    assert board.ep_square == (twin.ep_square if can_capture else None)
    if twin.king(chess.WHITE) is not None and twin.king(chess.BLACK) is not None:
        assert board.castling_rights == chess.SquareSet(twin.clean_castling_rights())
    assert Board(board.fen()).fen() == board.fen()


@given(st.integers(0, 2**32), st.sampled_from(sorted(POSITIONS)))
@settings(max_examples=2000, deadline=None)
def test_random_games_equal_the_twin(seed: int, name: str) -> None:
    random_line(seed, 80, POSITIONS[name])


@pytest.mark.parametrize("seed", range(8))
def test_long_random_games_equal_the_twin(seed: int) -> None:
    random_line(seed, 400)


@given(st.text(max_size=90))
@settings(max_examples=500)
def test_any_text_is_a_fen_or_a_fen_error(text: str) -> None:
    with contextlib.suppress(FenError):
        Board(text)


@given(st.text(alphabet="KQRBNPabcdefgh12345678xO-=+#", max_size=8))
@settings(max_examples=1000)
def test_any_text_is_a_move_or_a_move_error(text: str) -> None:
    board = Board(POSITIONS["kiwipete"])
    before = board.fen()
    with contextlib.suppress(InvalidMoveError, IllegalMoveError, AmbiguousMoveError):
        board.parse_san(text)
    with contextlib.suppress(InvalidMoveError, IllegalMoveError):
        board.parse_uci(text)
    assert board.fen() == before


def test_capturing_the_king_wins_and_ends_the_game() -> None:
    board = Board()
    for san in ["c4", "d5", "Qa4+", "d4"]:
        board.push_san(san)
    assert board.san(Move.from_uci("a4e8")) == "Qxe8"
    board.push_san("Qxe8#")
    outcome = board.outcome()
    assert outcome is not None
    assert (outcome.result(), outcome.termination) == ("1-0", Termination.KING_CAPTURED)
    assert board.legal_moves == []
    with pytest.raises(GameOverError, match="1-0 king-captured"):
        board.push_uci("a7a6")


def test_draws_come_by_themselves_but_after_a_win() -> None:
    board = Board()
    for san in ["Nf3", "Nf6", "Ng1", "Ng8"] * 2:
        assert not board.is_game_over()
        board.push_san(san)
    outcome = board.outcome()
    assert outcome is not None
    assert outcome.termination == Termination.THREEFOLD_REPETITION
    board = Board("4k3/8/8/8/8/8/8/4RK2 w - - 99 90")
    board.push_san("Rxe8")
    assert board.result() == "1-0"
    board = Board("4k3/8/8/8/8/8/8/4RK2 w - - 99 90")
    board.push_san("Rd1")
    assert board.result() == "1/2-1/2"
    stuck = Board("7k/8/8/8/1p6/pPp5/PRP5/KB6 w - - 100 90").outcome()
    assert stuck is not None
    assert (stuck.winner, stuck.termination) == (chess.BLACK, Termination.NO_MOVES)


def test_castling_rights_and_the_en_passant_square_distinguish_repetitions() -> None:
    board = Board("r3k3/8/8/8/8/8/8/R3K3 w Qq - 0 1")
    for san in ["Rb1", "Rb8", "Ra1", "Ra8"] * 2:
        board.push_san(san)
    assert not board.is_game_over()
    # The start and the positions after 4 and 8 plies differ in rights only.
    board.push_san("Rb1")
    assert not board.is_repetition(3)
    board.push_san("Rb8")
    assert board.is_repetition(3)
    assert board.is_game_over()


def test_moves_of_python_chess_are_ours() -> None:
    board = Board()
    assert isinstance(board.legal_moves[0], chess.Move)
    assert not board.is_legal(chess.Move.null())
    with pytest.raises(IllegalMoveError):
        board.push(chess.Move.null())
    with pytest.raises(IllegalMoveError):
        board.push(chess.Move(0, 63, promotion=chess.KING))
    with pytest.raises(IndexError):
        board.pop()


def test_conversion_from_and_to_python_chess() -> None:
    theirs = chess.Board()
    for san in ["e4", "e5", "Nf3", "d6", "Bb5+", "c6"]:
        theirs.push_san(san)
    ours = Board.from_chess(theirs)
    assert ours.move_stack == theirs.move_stack
    assert ours.fen() == theirs.fen()
    assert ours.to_chess() == theirs
    assert ours.to_chess().move_stack == theirs.move_stack
    # A board that has no counterpart in chess: the king is gone.
    ours = Board("4k3/8/8/8/8/8/8/4RK2 w - - 0 1")
    ours.push_san("Rxe8")
    assert ours.to_chess().king(chess.BLACK) is None


def test_copies_are_independent() -> None:
    board = Board()
    board.push_san("e4")
    copy = board.copy()
    copy.push_san("e5")
    assert len(board.move_stack) == 1
    assert copy.root() == Board()
    assert board.peek() == Move.from_uci("e2e4")

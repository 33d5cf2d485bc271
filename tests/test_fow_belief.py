"""The belief from Python: against replay by the twin, and its errors."""

import random

import chess
import numpy as np
import pytest

import fow_twin
from obscuro.errors import IllegalMoveError, ObservationError
from obscuro.fow import Belief, Board, Move

ENDGAME = "4k3/2p3p1/8/1n6/8/3B4/PP6/4K2R w K - 0 1"


def play(
    start: str | None, color: chess.Color, plies: int, seed: int, cap: int = 100_000
) -> tuple[Board, Belief]:
    rng = random.Random(seed)
    board = Board(start)
    belief = Belief(color, board, cap=cap)
    for _ in range(plies):
        if board.is_game_over():
            break
        own = board.turn == color
        move = rng.choice(board.legal_moves)
        board.push(move)
        belief.advance(board.observation(color), move if own else None)
    return board, belief


def seen(board: chess.Board, color: chess.Color) -> tuple[object, ...]:
    """What a position of the twin shows: all that belief may go by."""
    visible = fow_twin.vision(board, color)
    own_turn = board.turn == color
    ep = (
        board.ep_square
        if own_turn and any(map(board.is_en_passant, fow_twin.moves(board)))
        else None
    )
    over = not fow_twin.moves(board)
    return (int(visible), tuple(board.piece_at(s) for s in visible), ep, over)


def identity(board: chess.Board) -> str:
    """A position without its clocks; an en-passant square only where it can be used."""
    ep = any(map(board.is_en_passant, fow_twin.moves(board)))
    square = chess.square_name(board.ep_square) if ep and board.ep_square is not None else "-"
    castling = board.castling_xfen()
    return f"{board.board_fen()} {'w' if board.turn else 'b'} {castling} {square}"


@pytest.mark.parametrize("seed", range(6))
def test_equals_replay_by_the_twin(seed: int) -> None:
    rng = random.Random(seed)
    color = bool(seed % 2)
    board, belief = Board(ENDGAME), Belief(color, Board(ENDGAME))
    truth = chess.Board(ENDGAME)
    replayed = {identity(truth): truth}
    for _ in range(6):
        if board.is_game_over():
            break
        own = board.turn == color
        move = rng.choice(board.legal_moves)
        board.push(move)
        truth = fow_twin.after(truth, move)
        belief.advance(board.observation(color), move if own else None)
        now = seen(truth, color)
        children = [
            fow_twin.after(parent, candidate)
            for parent in replayed.values()
            for candidate in ([move] if own else fow_twin.moves(parent))
        ]
        replayed = {identity(child): child for child in children if seen(child, color) == now}
        ours = [" ".join(position.fen().split()[:4]) for position in belief]
        assert sorted(ours) == sorted(replayed)


def test_marginals_are_the_shares_of_the_positions() -> None:
    board, belief = play(None, chess.WHITE, 5, seed=1)
    marginals = belief.marginals()
    assert marginals.shape == (2, 6, 64)
    expected = np.zeros((2, 6, 64))
    for position in belief:
        for square, piece in position.piece_map().items():
            expected[int(piece.color), piece.piece_type - 1, square] += 1
    np.testing.assert_allclose(marginals, expected / len(belief))
    own = board.piece_map()
    for square, piece in own.items():
        if piece.color == chess.WHITE:
            assert marginals[1, piece.piece_type - 1, square] == 1


def test_samples_are_reproducible_and_without_repetition() -> None:
    _, belief = play(None, chess.BLACK, 8, seed=2)
    assert len(belief) > 200
    sample = [position.fen() for position in belief.sample(100, seed=5)]
    assert sample == [position.fen() for position in belief.sample(100, seed=5)]
    assert sample != [position.fen() for position in belief.sample(100, seed=6)]
    assert len(set(sample)) == 100
    assert all(position in belief for position in belief.sample(100))
    assert len(belief.sample(10**9)) == len(belief)
    assert belief.sample(0) == []


def test_a_capped_belief_is_marked_and_goes_on() -> None:
    board, belief = play(None, chess.WHITE, 60, seed=3, cap=500)
    assert belief.exactness == "sample"
    assert 0 < len(belief) <= 500
    expected = board.observation(chess.WHITE)
    for position in belief:
        assert position.observation(chess.WHITE).visible == expected.visible


def test_an_impossible_observation_changes_nothing() -> None:
    board = Board()
    belief = Belief(chess.WHITE)
    board.push_san("e4")
    seen = board.observation(chess.WHITE)
    with pytest.raises(ObservationError, match=r"observation 1 is impossible.* own move d2d4"):
        belief.advance(seen, Move.from_uci("d2d4"))
    with pytest.raises(ObservationError, match="the belief is white's, the observation black's"):
        belief.advance(board.observation(chess.BLACK))
    with pytest.raises(IllegalMoveError):
        belief.advance(seen, Move(0, 0, promotion=chess.KING))
    assert list(belief) == [Board()]
    belief.advance(seen, Move.from_uci("e2e4"))
    assert board in belief
    assert Board() not in belief
    assert "text" not in belief


def test_copies_are_independent() -> None:
    board, belief = play(None, chess.WHITE, 3, seed=4)
    copy = belief.copy()
    move = board.legal_moves[0]
    board.push(move)
    copy.advance(board.observation(chess.WHITE))
    assert len(belief) != len(copy) or list(belief) != list(copy)


def test_settings_are_checked() -> None:
    with pytest.raises(ValueError, match="cap must be at least 1"):
        Belief(chess.WHITE, cap=0)
    with pytest.raises(ValueError, match="threads must be at least 1"):
        Belief(chess.WHITE, threads=0)

"""Depth-1 values once more, slowly: minimax on python-chess, sharing no code.

Nothing is cut off, and a side's pieces are looked up square by square.
"""

from collections.abc import Callable

import chess

import fow_twin

WIN = 1 << 20
WORTH = {
    chess.PAWN: 100,
    chess.KNIGHT: 320,
    chess.BISHOP: 330,
    chess.ROOK: 500,
    chess.QUEEN: 900,
    chess.KING: 20_000,
}


def simple(board: chess.Board) -> int:
    """Material, and four hundredths of a pawn for a visible square, for the side to move."""

    def side(color: chess.Color) -> int:
        material = sum(
            WORTH[piece.piece_type]
            for piece in board.piece_map().values()
            if piece.color == color and piece.piece_type != chess.KING
        )
        return material + 4 * len(fow_twin.vision(board, color))

    return side(board.turn) - side(not board.turn)


def scores(
    board: chess.Board, depth: int, static: Callable[[chess.Board], int]
) -> dict[chess.Move, int]:
    """The score of every child for the side to move."""
    return {
        move: -_quiet(fow_twin.after(board, move), depth, static) for move in fow_twin.moves(board)
    }


def _can_take_king(board: chess.Board) -> bool:
    king = board.king(not board.turn)
    return any(move.to_square == king for move in fow_twin.moves(board))


def _quiet(board: chess.Board, depth: int, static: Callable[[chess.Board], int]) -> int:
    if _can_take_king(board):
        return WIN
    children = {move: fow_twin.after(board, move) for move in fow_twin.moves(board)}
    if all(_can_take_king(child) for child in children.values()):
        return -WIN
    options = [static(board)]
    if depth > 0:
        options += [
            -_quiet(child, depth - 1, static)
            for move, child in children.items()
            if _is_considered(board, move)
        ]
    return max(options)


def _is_considered(board: chess.Board, move: chess.Move) -> bool:
    if move.promotion is not None:
        return move.promotion == chess.QUEEN
    return board.is_capture(move) and exchange(board, move) >= 0


def exchange(board: chess.Board, move: chess.Move) -> int:
    """What a capture gains if both sides then take back on that square while it pays."""
    after = board.copy(stack=False)
    if after.is_en_passant(move):
        beside = chess.square(
            chess.square_file(move.to_square), chess.square_rank(move.from_square)
        )
        after.remove_piece_at(beside)
        victim = WORTH[chess.PAWN]
    else:
        kind = after.piece_type_at(move.to_square)
        assert kind is not None
        victim = WORTH[kind]
    mover = after.remove_piece_at(move.from_square)
    assert mover is not None
    after.set_piece_at(move.to_square, mover)
    return victim - _reply(after, move.to_square, not board.turn)


def _reply(board: chess.Board, target: chess.Square, side: chess.Color) -> int:
    attackers = board.attackers(side, target)
    if not attackers:
        return 0
    kinds = {square: board.piece_type_at(square) or 0 for square in attackers}
    captor = min(attackers, key=lambda square: (kinds[square], square))
    victim = WORTH[board.piece_type_at(target) or chess.PAWN]
    after = board.copy(stack=False)
    piece = after.remove_piece_at(captor)
    after.set_piece_at(target, piece)
    return max(0, victim - _reply(after, target, not side))

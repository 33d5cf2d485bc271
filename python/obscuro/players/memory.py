"""What a player can tell of their own moves from nothing but what they see."""

import chess

from obscuro.errors import ObservationError
from obscuro.fow import Observation


def own_move(before: Observation, after: Observation) -> chess.Move:
    """The player's move between two observations, which their own pieces tell.

    >>> from obscuro.fow import Board
    >>> board = Board()
    >>> before = board.observation(chess.WHITE)
    >>> _ = board.push_san("Nf3")
    >>> own_move(before, board.observation(chess.WHITE))
    Move.from_uci('g1f3')
    """
    pieces, wanted = _own_pieces(before), _own_pieces(after)
    for move in before.legal_moves:
        if _moved(pieces, move) == wanted:
            return move
    raise ObservationError(
        f"no legal move leads from what was seen, {before}, to {after}: "
        "expected the own pieces to stand as one of them puts them"
    )


def _own_pieces(seen: Observation) -> dict[chess.Square, chess.PieceType]:
    return {s: p.piece_type for s, p in seen.piece_map().items() if p.color == seen.color}


def _moved(
    pieces: dict[chess.Square, chess.PieceType], move: chess.Move
) -> dict[chess.Square, chess.PieceType]:
    result = dict(pieces)
    kind = result.pop(move.from_square)
    result[move.to_square] = move.promotion or kind
    files = chess.square_file(move.from_square), chess.square_file(move.to_square)
    if kind == chess.KING and abs(files[0] - files[1]) == 2:
        rank = chess.square_rank(move.from_square)
        del result[chess.square(7 if files[0] < files[1] else 0, rank)]
        result[chess.square(sum(files) // 2, rank)] = chess.ROOK
    return result

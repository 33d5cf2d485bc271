"""Fog of War chess once more, slowly: on python-chess' pseudo-legal moves, sharing no code.

What python-chess lacks is written out: castling out of, through and into attack, and games without
a king or with kings in check.
"""

from collections.abc import Iterator

import chess

_CASTLINGS = {
    # from, to, the rook's square, and what must be empty
    "e1g1": ("h1", ("f1", "g1")),
    "e1c1": ("a1", ("b1", "c1", "d1")),
    "e8g8": ("h8", ("f8", "g8")),
    "e8c8": ("a8", ("b8", "c8", "d8")),
}


def moves(board: chess.Board) -> list[chess.Move]:
    """All moves of the side to move; none once its king was captured."""
    if board.king(board.turn) is None:
        return []
    # python-chess looks at attacks when it castles: its castling moves are left out, ours put in.
    found = [move for move in board.generate_pseudo_legal_moves() if not board.is_castling(move)]
    return [*found, *castlings(board)]


def castlings(board: chess.Board) -> Iterator[chess.Move]:
    for uci, (rook, between) in _CASTLINGS.items():
        move = chess.Move.from_uci(uci)
        if (
            board.piece_at(move.from_square) == chess.Piece(chess.KING, board.turn)
            and board.piece_at(chess.parse_square(rook)) == chess.Piece(chess.ROOK, board.turn)
            and board.castling_rights & chess.BB_SQUARES[chess.parse_square(rook)]
            and all(board.piece_at(chess.parse_square(name)) is None for name in between)
        ):
            yield move


def after(board: chess.Board, move: chess.Move) -> chess.Board:
    """The board after a move."""
    child = board.copy(stack=False)
    child.push(move)
    return child


def perft(board: chess.Board, depth: int) -> int:
    if depth == 0:
        return 1
    if depth == 1:
        return len(moves(board))
    return sum(perft(after(board, move), depth - 1) for move in moves(board))


def vision(board: chess.Board, viewer: chess.Color) -> chess.SquareSet:
    """The own pieces and the squares that the moves lead to, were it the viewer's turn."""
    own_turn = board.copy(stack=False)
    if own_turn.turn != viewer:
        own_turn.turn = viewer
        own_turn.ep_square = None
    seen = chess.SquareSet(own_turn.occupied_co[viewer])
    if own_turn.king(viewer) is None:
        # Without a king there is no move, yet the other pieces still see.
        spare = _spare_square(own_turn, viewer)
        bare = own_turn.copy(stack=False)
        bare.set_piece_at(spare, chess.Piece(chess.KING, viewer))
        reach = chess.SquareSet(
            m.to_square for m in bare.generate_pseudo_legal_moves() if m.from_square != spare
        )
        return seen | reach
    for move in moves(own_turn):
        seen.add(move.to_square)
        if own_turn.is_en_passant(move):
            seen.add(move.to_square + (-8 if viewer == chess.WHITE else 8))
    return seen


def _spare_square(board: chess.Board, viewer: chess.Color) -> chess.Square:
    """An empty square that no own piece reaches, so that a king on it changes nothing."""
    reached: set[chess.Square] = set()
    for square in chess.SQUARES:
        piece = board.piece_at(square)
        if piece and piece.color == viewer:
            reached |= set(board.attacks(square))
            if piece.piece_type == chess.PAWN:
                step = 8 if viewer == chess.WHITE else -8
                reached |= {square + step, square + 2 * step}
    return next(s for s in chess.SQUARES if s not in reached and board.piece_at(s) is None)

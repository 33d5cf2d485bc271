"""Moves in SAN and UCI, read and written with nothing but what a player sees.

A player knows their own pieces, their legal moves and every piece that they can capture, which is
all that the notation of their own moves depends on.
"""

import re

import chess

from obscuro.errors import AmbiguousMoveError, IllegalMoveError, InvalidMoveError
from obscuro.fow.observation import Observation

_SAN = re.compile(
    r"(?P<piece>[NBRQK])?(?P<file>[a-h])?(?P<rank>[1-8])?[x:-]?"
    r"(?P<to>[a-h][1-8])=?(?P<promotion>[NBRQKnbrq])?"
)
_CASTLING = re.compile(r"[O0o]-?[O0o](?P<long>-?[O0o])?")
_ORNAMENTS = "+#!? "


def parse_move(text: str, observation: Observation) -> chess.Move:
    """The legal move that a text means.

    >>> from obscuro.fow import Board
    >>> seen = Board().observation(chess.WHITE)
    >>> parse_move("Nf3", seen), parse_move("e2e4", seen)
    (Move.from_uci('g1f3'), Move.from_uci('e2e4'))
    """
    bare = text.rstrip(_ORNAMENTS)
    legal = list(observation.legal_moves)
    for move in legal:
        if move.uci() == bare.lower():
            return move

    if castling := _CASTLING.fullmatch(bare):
        name = "O-O-O" if castling["long"] else "O-O"
        fitting = [move for move in legal if san(move, observation) == name]
    elif match := _SAN.fullmatch(bare):
        fitting = [move for move in legal if _fits(match, move, _kind(move, observation))]
    else:
        raise InvalidMoveError(f"{text!r} is not a move, which is written as Nf3 or g1f3")

    if not fitting:
        raise IllegalMoveError(f"{text!r} is not a legal move here")
    if len(fitting) > 1:
        names = ", ".join(sorted(san(move, observation) for move in fitting))
        raise AmbiguousMoveError(f"{text!r} may be any of {names}")
    return fitting[0]


def san(move: chess.Move, observation: Observation) -> str:
    """A legal move in SAN, which tells no more than the player knows.

    >>> from obscuro.fow import Board
    >>> san(chess.Move.from_uci("g1f3"), Board().observation(chess.WHITE))
    'Nf3'
    """
    kind = _kind(move, observation)
    start, target = chess.square_name(move.from_square), chess.square_name(move.to_square)
    if kind == chess.KING and chess.square_distance(move.from_square, move.to_square) > 1:
        return "O-O" if start[0] < target[0] else "O-O-O"

    capture = observation.piece_at(move.to_square) is not None
    if kind == chess.PAWN:
        name = f"{start[0]}x{target}" if start[0] != target[0] else target
        return f"{name}={chess.piece_symbol(move.promotion).upper()}" if move.promotion else name

    rivals = [
        chess.square_name(other.from_square)
        for other in observation.legal_moves
        if other.to_square == move.to_square
        and other.from_square != move.from_square
        and _kind(other, observation) == kind
    ]
    apart = ""
    if rivals:
        if all(start[0] != rival[0] for rival in rivals):
            apart = start[0]
        elif all(start[1] != rival[1] for rival in rivals):
            apart = start[1]
        else:
            apart = start
    return f"{chess.piece_symbol(kind).upper()}{apart}{'x' if capture else ''}{target}"


def _kind(move: chess.Move, observation: Observation) -> chess.PieceType:
    piece = observation.piece_at(move.from_square)
    if piece is None:
        raise IllegalMoveError(f"there is no piece of yours to play {move.uci()}")
    return piece.piece_type


def _fits(match: re.Match[str], move: chess.Move, kind: chess.PieceType) -> bool:
    start, target = chess.square_name(move.from_square), chess.square_name(move.to_square)
    promotion = chess.piece_symbol(move.promotion).upper() if move.promotion else None
    return (
        chess.piece_symbol(kind).upper() == (match["piece"] or "P")
        and match["file"] in {None, start[0]}
        and match["rank"] in {None, start[1]}
        and match["to"] == target
        and (match["promotion"] or "").upper() == (promotion or "")
    )

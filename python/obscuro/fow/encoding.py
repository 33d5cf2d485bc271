"""Moves as the numbers that the native core takes, and back."""

import chess


def encode(move: chess.Move) -> int:
    """The number of a move; a null move or a drop is none of the game's.

    >>> encode(chess.Move.from_uci("a2a1q"))
    20488
    """
    return move.from_square | move.to_square << 6 | (move.promotion or 0) << 12


def decode(number: int) -> chess.Move:
    """The move with a number.

    >>> decode(20488)
    Move.from_uci('a2a1q')
    """
    return chess.Move(number & 63, number >> 6 & 63, number >> 12 or None)

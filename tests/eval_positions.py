"""Positions to value: of random games under these rules, and peculiar ones."""

import random

import chess

import fow_twin

PECULIAR = [
    "r3k2r/4Q3/8/8/8/8/4q3/R3K2R w KQkq - 0 1",
    "8/8/3kK3/3p4/2P1P3/8/8/8 b - - 0 1",
    "8/8/8/8/8/8/8/Kk6 w - - 0 1",
    "k7/8/8/8/8/8/8/7K b - - 0 1",
    "qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1",
    "4k3/8/8/8/8/8/4r3/3QK3 b - - 0 1",
]


def random_game(rng: random.Random, plies: int) -> list[chess.Board]:
    """The positions of a random game until a king is taken, or a side has no move."""
    board = chess.Board()
    line = [board]
    for _ in range(plies):
        moves = fow_twin.moves(board)
        captures = [move for move in moves if board.is_capture(move)]
        board = fow_twin.after(
            board, rng.choice(captures if captures and rng.random() < 0.3 else moves)
        )
        if board.king(board.turn) is None or not fow_twin.moves(board):
            break
        line.append(board)
    return line


def fow_positions(count: int, seed: int) -> list[chess.Board]:
    """The last positions of random games: kings stand in check, and side by side."""
    rng = random.Random(seed)
    return [random_game(rng, rng.randrange(120))[-1] for _ in range(count)]

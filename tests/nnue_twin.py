"""Plain inference of a Stockfish 15.1 network in NumPy: slow, whole, and sharing no code.

Written from the description of the file format; integers throughout.
"""

from dataclasses import dataclass
from pathlib import Path

import chess
import numpy as np
import numpy.typing as npt

VERSION = 0x7AF32F20
FEATURES = 22_528
WIDTH = 1024
BUCKETS = 8

_Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Stack:
    """The small layers that serve positions with a certain number of pieces."""

    biases: tuple[_Ints, _Ints, _Ints]
    weights: tuple[_Ints, _Ints, _Ints]


class Network:
    """A network, read in one go."""

    def __init__(self, path: Path) -> None:
        raw = path.read_bytes()
        at = 0

        def take(count: int, dtype: str) -> npt.NDArray[np.int64]:
            nonlocal at
            array = np.frombuffer(raw, dtype, count, at)
            at += array.nbytes
            return array

        version, _hash, length = take(3, "<u4")
        assert version == VERSION
        self.description = raw[at : at + int(length)].decode()
        at += int(length)
        take(1, "<u4")
        self.biases = take(WIDTH, "<i2")
        self.weights = take(FEATURES * WIDTH, "<i2").reshape(FEATURES, WIDTH)
        self.psqt = take(FEATURES * BUCKETS, "<i4").reshape(FEATURES, BUCKETS)
        self.stacks = []
        for _ in range(BUCKETS):
            take(1, "<u4")
            biases, weights = [], []
            for rows, columns in ((16, 1024), (32, 32), (1, 32)):
                biases.append(take(rows, "<i4").astype(np.int64))
                weights.append(take(rows * columns, "i1").astype(np.int64).reshape(rows, columns))
            self.stacks.append(
                Stack((biases[0], biases[1], biases[2]), (weights[0], weights[1], weights[2]))
            )
        assert at == len(raw)

    def half(self, board: chess.Board, viewer: chess.Color) -> tuple[_Ints, _Ints]:
        """What one side's accumulator holds: 1024 sums, and 8 of material and squares."""
        active = features(board, viewer)
        sums = self.biases.astype(np.int64) + self.weights[active].sum(0, dtype=np.int64)
        return sums, self.psqt[active].sum(0, dtype=np.int64)

    def all_buckets(self, board: chess.Board) -> list[tuple[int, int]]:
        """(material and squares, layers) of every bucket, for the side to move."""
        us, our_psqt = self.half(board, board.turn)
        them, their_psqt = self.half(board, not board.turn)
        return [
            (
                truncated(int(our_psqt[bucket] - their_psqt[bucket]), 2),
                layers(self.stacks[bucket], us, them),
            )
            for bucket in range(BUCKETS)
        ]

    def parts(self, board: chess.Board) -> tuple[int, int]:
        """(material and squares, layers) of the bucket that counts."""
        return self.all_buckets(board)[(chess.popcount(board.occupied) - 1) // 4]

    def value(self, board: chess.Board) -> int:
        """The value for the side to move in the network's units, 361 to a pawn."""
        return truncated(sum(self.parts(board)), 16)


def truncated(dividend: int, divisor: int) -> int:
    """Division towards zero, as in C."""
    return abs(dividend) // divisor * (1 if dividend >= 0 else -1)


def features(board: chess.Board, viewer: chess.Color) -> list[int]:
    """The active inputs of HalfKAv2_hm as one side sees the board.

    The board is turned so that the viewer plays up it, and mirrored so that the viewer's king is
    on the files e to h.
    """
    king = board.king(viewer)
    assert king is not None
    turned = king if viewer == chess.WHITE else chess.square_mirror(king)
    mirrored = chess.square_file(turned) < 4

    def seen(square: chess.Square) -> chess.Square:
        rank, file = chess.square_rank(square), chess.square_file(square)
        return chess.square(
            7 - file if mirrored else file, rank if viewer == chess.WHITE else 7 - rank
        )

    home = seen(king)
    bucket = (7 - chess.square_rank(home)) * 4 + (7 - chess.square_file(home))
    active = []
    for square, piece in board.piece_map().items():
        plane = 2 * (piece.piece_type - 1)
        if piece.piece_type != chess.KING and piece.color != viewer:
            plane += 1
        active.append(704 * bucket + 64 * plane + seen(square))
    return active


def layers(stack: Stack, us: _Ints, them: _Ints) -> int:
    """The small layers: 2 x 1024 sums -> 1024 products -> 15 + 1 -> 30 -> 32 -> 1."""
    clipped = [np.clip(half, 0, 127) for half in (us, them)]
    products = np.concatenate([half[:512] * half[512:] // 128 for half in clipped])
    first = stack.weights[0] @ products + stack.biases[0]
    straight = np.clip(first[:15] >> 6, 0, 127)
    squared = np.minimum(first[:15] ** 2 >> 19, 127)
    inputs = np.concatenate([squared, straight, [0, 0]])
    second = np.clip((stack.weights[1] @ inputs + stack.biases[1]) >> 6, 0, 127)
    last = int((stack.weights[2] @ second + stack.biases[2])[0])
    return last + truncated(int(first[15]) * 600 * 16, 127 * 64)

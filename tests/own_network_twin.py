"""A network of our own format in plain NumPy: its file written and read, its inference.

Written from the description of the format; integers throughout, and no code of the core's.
"""

import struct
import zlib
from dataclasses import dataclass
from pathlib import Path

import chess
import numpy as np
import numpy.typing as npt

WIDTH = 256
KING_BUCKETS = 16
PLANES = 11
FEATURES = KING_BUCKETS * PLANES * 64
STACKS = 8

_Ints = npt.NDArray[np.int64]

# The buckets of the king's squares as its side sees them: rank by rank, files e, f, g, h.
_BUCKETS = [
    [3, 2, 1, 0],
    [7, 6, 5, 4],
    [9, 9, 8, 8],
    [11, 11, 10, 10],
    [13, 13, 12, 12],
    [13, 13, 12, 12],
    [15, 15, 14, 14],
    [15, 15, 14, 14],
]


@dataclass(frozen=True)
class OwnNetwork:
    """All that a file holds, as arrays of 64-bit integers.

    Attributes:
        layers: For each stack, the biases and the weights of the three layers.
    """

    description: str
    biases: _Ints
    weights: _Ints
    psqt: _Ints
    layers: list[list[tuple[_Ints, _Ints]]]

    def write(self, path: Path) -> None:
        """Writes the file."""
        parts = [self.biases.astype("<i2"), self.weights.astype("<i2"), self.psqt.astype("<i4")]
        for stack in self.layers:
            for biases, weights in stack:
                parts += [biases.astype("<i4"), weights.astype("i1")]
        body = b"".join(part.tobytes() for part in parts)
        text = self.description.encode()
        head = b"OBSCURO1" + struct.pack("<4I", WIDTH, KING_BUCKETS, STACKS, len(text)) + text
        path.write_bytes(head + struct.pack("<I", zlib.crc32(body)) + body)

    @staticmethod
    def read(path: Path) -> "OwnNetwork":
        """Reads a file; what is wrong with it is an error of some kind."""
        raw = path.read_bytes()
        assert raw[:8] == b"OBSCURO1"
        assert struct.unpack_from("<3I", raw, 8) == (WIDTH, KING_BUCKETS, STACKS)
        (length,) = struct.unpack_from("<I", raw, 20)
        start = 24 + length + 4
        assert struct.unpack_from("<I", raw, start - 4) == (zlib.crc32(raw[start:]),)

        def take(dtype: str, *shape: int) -> _Ints:
            nonlocal start
            array = np.frombuffer(raw, dtype, int(np.prod(shape)), start)
            start += array.nbytes
            return array.reshape(shape).astype(np.int64)

        biases, weights = take("<i2", WIDTH), take("<i2", FEATURES, WIDTH)
        psqt = take("<i4", FEATURES, STACKS)
        shapes = ((16, WIDTH), (32, 32), (1, 32))
        layers = [
            [(take("<i4", rows), take("i1", rows, columns)) for rows, columns in shapes]
            for _ in range(STACKS)
        ]
        assert start == len(raw)
        return OwnNetwork(raw[24 : 24 + length].decode(), biases, weights, psqt, layers)

    def parts(self, board: chess.Board) -> tuple[int, int]:
        """(material on squares, layers) for the side to move."""
        stack = (len(board.piece_map()) - 1) // 4
        rows = [active(board, side) for side in (board.turn, not board.turn)]
        ours, theirs = (int(self.psqt[row, stack].sum()) for row in rows)
        products = []
        for row in rows:
            sums = np.clip(self.biases + self.weights[row].sum(axis=0), 0, 127)
            products.append(sums[: WIDTH // 2] * sums[WIDTH // 2 :] >> 7)
        first = dense(self.layers[stack][0], np.concatenate(products))
        bent, straight = first[:15], int(first[15])
        hidden = np.zeros(32, dtype=np.int64)
        hidden[:15] = np.minimum(bent * bent // 2**19, 127)
        hidden[15:30] = np.clip(bent >> 6, 0, 127)
        second = np.clip(dense(self.layers[stack][1], hidden) >> 6, 0, 127)
        last = int(dense(self.layers[stack][2], second)[0])
        return toward_zero(ours - theirs, 2), last + toward_zero(straight * 9600, 8128)

    def value(self, board: chess.Board) -> int:
        """The score for the side to move, 361 to a pawn."""
        return toward_zero(sum(self.parts(board)), 16)


def dense(layer: tuple[_Ints, _Ints], inputs: _Ints) -> _Ints:
    """One affine layer."""
    biases, weights = layer
    return np.asarray(biases + weights @ inputs, dtype=np.int64)


def toward_zero(number: int, divisor: int) -> int:
    """A division that rounds towards zero."""
    quotient = abs(number) // divisor
    return quotient if number >= 0 else -quotient


def active(board: chess.Board, side: chess.Color) -> list[int]:
    """The rows of the weights that count for one side."""
    seen = board if side == chess.WHITE else board.mirror()
    # Now the side is White, and plays upwards.
    king = seen.king(chess.WHITE)
    assert king is not None
    if chess.square_file(king) < 4:
        seen = seen.transform(chess.flip_horizontal)
        king = seen.king(chess.WHITE)
        assert king is not None
    bucket = _BUCKETS[chess.square_rank(king)][chess.square_file(king) - 4]
    planes = [
        seen.pieces_mask(kind, color)
        for kind in range(1, 6)
        for color in (chess.WHITE, chess.BLACK)
    ]
    planes.append(seen.kings)
    return [
        (bucket * PLANES + plane) * 64 + square
        for plane, mask in enumerate(planes)
        for square in chess.scan_forward(mask)
    ]


def random_network(seed: int) -> OwnNetwork:
    """A network of small random weights, whose sums often lie between 0 and 127."""
    rng = np.random.default_rng(seed)

    def ints(bound: int, *shape: int) -> _Ints:
        return rng.integers(-bound, bound, size=shape, dtype=np.int64, endpoint=True)

    def second() -> _Ints:
        weights = ints(127, 32, 32)
        weights[:, 30:] = 0
        return weights

    return OwnNetwork(
        description='{"made_by": "a test"}',
        biases=ints(60, WIDTH) + 30,
        weights=ints(20, FEATURES, WIDTH),
        psqt=ints(3000, FEATURES, STACKS),
        layers=[
            [
                (ints(4000, 16), ints(127, 16, WIDTH)),
                (ints(4000, 32), second()),
                (ints(4000, 1), ints(127, 1, 32)),
            ]
            for _ in range(STACKS)
        ],
    )

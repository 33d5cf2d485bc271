"""The shape of the default network, and the scales of its integers."""

KING_BUCKETS = 16
PLANES = 11 * 64
FEATURES = KING_BUCKETS * PLANES
WIDTH = 256
STACKS = 8
FIRST = 16
"""Outputs of the first small layer; the last of them goes straight to the end."""
SQUEEZED = FIRST - 1
SECOND = 32
"""Inputs (the last two are always zero) and outputs of the second."""

ONE = 127
"""Stands for 1.0 in what passes between layers."""
WEIGHT = 64
"""Stands for 1.0 in the weights of the first two small layers."""
SCORE = 600.0
"""Units of score that 1.0 of the output stands for."""
SIXTEENTHS = 16
"""The last sum is in sixteenths of a unit of score."""
LAST_WEIGHT = SCORE * SIXTEENTHS / ONE
"""Stands for 1.0 in the weights of the last layer."""
MOST = 127
"""The largest weight of a small layer."""
UNITS_PER_PAWN = 361.0
"""Units of score that are a pawn, as in the networks of Stockfish."""
SCALE = 2.0
"""Pawns that are worth tanh(1), where nothing else is said."""

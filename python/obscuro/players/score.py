"""Values as engines print them: in hundredths of a pawn."""

import math

CENTIPAWNS = 200
"""The advantage that is worth tanh(1) = 0.76: the scale with which leaves are valued."""

MOST = 2000
"""The score of a game that is decided, and the largest there is."""


def value_to_cp(value: float) -> int:
    """A value in [-1, +1] in hundredths of a pawn, from the same side.

    >>> value_to_cp(0.0), value_to_cp(0.5), value_to_cp(-1.0)
    (0, 110, -2000)
    """
    if abs(value) >= math.tanh(MOST / CENTIPAWNS):
        return MOST if value > 0 else -MOST
    return round(CENTIPAWNS * math.atanh(value))


def cp_to_value(cp: float) -> float:
    """The value of a score, which is exactly ±1 for a decided game.

    >>> cp_to_value(110) == -cp_to_value(-110) and round(cp_to_value(110), 2) == 0.5
    True
    """
    if abs(cp) >= MOST:
        return math.copysign(1.0, cp)
    return math.tanh(cp / CENTIPAWNS)

"""How much time the engine takes for a move."""

from obscuro.players.base import Clock

# Own moves that the remaining time must last for: half of the games are over after 58 (paper,
# appendix "Hardware"), and much increment is yet to come.
_MOVES = 30
# Of the increment, the rest goes into reserve.
_OF_INCREMENT = 0.75
# The most of the remaining time that one move may take.
_MOST = 0.2
# Kept in hand for what happens between the clock and the search.
_RESERVE = 0.3
_LEAST = 0.01


def budget(clock: Clock, overhead: float = 0.0) -> float:
    """Seconds of search for a move.

    `overhead` is what a move costs besides the search: updates of the belief, building the
    subgame. It counts on the clock, so it is taken off, and twice of it is kept in reserve.

    >>> 6 < budget(Clock(180, 2)) < 9
    True
    >>> budget(Clock(0.5, 0), overhead=1.0)
    0.01
    """
    moves = min(_MOVES, clock.moves_to_go) if clock.moves_to_go else _MOVES
    available = clock.remaining - _RESERVE - 2 * overhead
    wanted = available / moves + _OF_INCREMENT * clock.increment - overhead
    return max(_LEAST, min(wanted, _MOST * available))

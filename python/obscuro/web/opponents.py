"""The programs that can be played against. Strengths are listed here and nowhere else."""

from dataclasses import dataclass

from obscuro.errors import PlayerError
from obscuro.players import Clock, Limits


@dataclass(frozen=True)
class Opponent:
    """A strength of the program.

    Attributes:
        key: Its name in messages and in the store.
        label: What the player reads.
        description: A sentence about it.
        spec: The player, as `obscuro.players.make` reads it.
        seconds: Its time for a move.
        nodes: The most nodes of its tree, for those that are to be weaker than their time.
        elo: Its rating, once matches have measured it.
    """

    key: str
    label: str
    description: str
    spec: str
    seconds: float
    nodes: int | None = None
    elo: int | None = None

    def limits(self, clock: Clock | None) -> Limits:
        """What it may spend on a move: its own time, or less where the clock asks for it.

        >>> find("paper").limits(None).seconds
        5.0
        >>> find("paper").limits(Clock(remaining=20.0, increment=1.0)).seconds
        1.55
        """
        if clock is None:
            return Limits(seconds=self.seconds, nodes=self.nodes)
        planned = clock.remaining / _MOVES_AHEAD + clock.increment * _OF_INCREMENT
        least = min(_LEAST_SECONDS, self.seconds)
        seconds = max(least, min(self.seconds, planned))
        return Limits(seconds=seconds, nodes=self.nodes, clock=clock)


# A game between equals lasts about 58 moves a side; most are over sooner.
_MOVES_AHEAD = 25
# The rest of it pays for what a move costs beside the search.
_OF_INCREMENT = 0.75
_LEAST_SECONDS = 0.05

# Several of them are in memory at the same time.
_OBSCURO = "obscuro(memory_mb=512,belief_cap=500000)"

OPPONENTS = (
    Opponent(
        "random",
        "Random",
        "Plays any legal move. For a first walk in the fog.",
        "random",
        seconds=0.25,
    ),
    Opponent(
        "greedy",
        "Greedy",
        "Takes the best piece that it sees, and thinks no further.",
        "greedy",
        seconds=0.25,
    ),
    Opponent(
        "glance",
        "A glance",
        "Searches a hundred positions. It still overlooks a lot.",
        _OBSCURO,
        seconds=0.25,
        nodes=100,
    ),
    Opponent(
        "quick",
        "Quick (0.3 s)",
        "Searches for a third of a second.",
        _OBSCURO,
        seconds=0.3,
    ),
    Opponent(
        "fast",
        "Fast (1 s)",
        "Searches for a second.",
        _OBSCURO,
        seconds=1.0,
    ),
    Opponent(
        "paper",
        "Paper (5 s)",
        "The paper's time for a move: five seconds.",
        _OBSCURO,
        seconds=5.0,
    ),
)
DEFAULT = "fast"


def find(key: str, among: tuple[Opponent, ...] = OPPONENTS) -> Opponent:
    """The opponent of that name.

    >>> find("paper").label
    'Paper (5 s)'
    """
    for opponent in among:
        if opponent.key == key:
            return opponent
    known = ", ".join(opponent.key for opponent in among)
    raise PlayerError(f"there is no opponent {key!r}; expected one of {known}")

"""The clocks of a game. They run on the server, and nowhere else."""

from dataclasses import dataclass, field

import chess


@dataclass(frozen=True)
class TimeControl:
    """Seconds on each clock at the start, and what each move adds.

    >>> TimeControl(180, 2)
    TimeControl(base=180, increment=2)
    """

    base: float
    increment: float = 0.0


@dataclass
class GameClock:
    """Both clocks of a game. Times are seconds of a monotonic clock that the caller reads.

    >>> clock = GameClock(TimeControl(180, 2))
    >>> clock.start(chess.WHITE, now=10.0)
    >>> clock.press(now=13.0)
    >>> clock.left(chess.WHITE, now=20.0)
    179.0
    """

    control: TimeControl
    remaining: dict[chess.Color, float] = field(default_factory=dict)
    running: chess.Color | None = None
    since: float = 0.0

    def __post_init__(self) -> None:
        for color in (chess.WHITE, chess.BLACK):
            self.remaining.setdefault(color, float(self.control.base))

    def left(self, color: chess.Color, now: float) -> float:
        """Seconds left, none below zero."""
        spent = now - self.since if self.running == color else 0.0
        return max(0.0, self.remaining[color] - spent)

    def start(self, color: chess.Color, now: float) -> None:
        """Lets a clock run, and stops the other one."""
        self.stop(now)
        self.running, self.since = color, now

    def stop(self, now: float) -> None:
        """Lets no clock run."""
        if self.running is not None:
            self.remaining[self.running] = self.left(self.running, now)
        self.running = None

    def press(self, now: float) -> None:
        """The player whose clock runs has moved: it stops and gets its increment."""
        mover = self.running
        self.stop(now)
        if mover is not None:
            self.remaining[mover] += self.control.increment

    def has_fallen(self, now: float) -> bool:
        """Whether the running clock has no time left."""
        return self.running is not None and self.left(self.running, now) <= 0.0

"""Time controls, and the clock of one player."""

import re
from dataclasses import dataclass

from obscuro.errors import MatchError
from obscuro.players import Clock, Limits

DEFAULT_MARGIN_SECONDS = 1.0
"""How far a fixed time for a move may be overrun, unless told otherwise."""

_CONTROL = re.compile(
    r"(?:(?P<moves>\d+)/)?(?:(?P<minutes>\d+):)?(?P<seconds>\d+(?:\.\d+)?|\.\d+)"
    r"(?:\+(?P<increment>\d+(?:\.\d+)?|\.\d+))?"
)


@dataclass(frozen=True)
class TimeControl:
    """What a player may spend.

    Attributes:
        base: Seconds on the clock at the start, and for every `moves` moves.
        increment: Seconds that each move adds to the clock.
        moves: After so many own moves `base` is given again.
        seconds: A fixed time for every move (`st`).
        nodes: Nodes of the search for every move; the referee cannot check them.
        margin: Seconds by which a limit may be overrun; `None` never loses on time.
        counts_observing: Whether the time that a player spends on its observations counts, or the
            time in which it chooses only. A clock counts all by default; a fixed time for a move
            is one for the search, as in the paper.

    >>> TimeControl.parse(tc="180+2")
    TimeControl(base=180.0, increment=2.0, ...)
    >>> TimeControl.parse(tc="40/1:30+0.5").moves
    40
    >>> str(TimeControl.parse(st="0.1", nodes="5000"))
    '0.1 s/move, 5000 nodes'
    >>> str(TimeControl.parse(st="1", count="all"))
    '1 s/move with observing'
    """

    base: float | None = None
    increment: float = 0.0
    moves: int | None = None
    seconds: float | None = None
    nodes: int | None = None
    margin: float | None = None
    counts_observing: bool = True

    @classmethod
    def parse(
        cls,
        *,
        tc: str | None = None,
        st: str | None = None,
        nodes: str | None = None,
        timemargin: str | None = None,
        count: str | None = None,
    ) -> "TimeControl":
        """A time control from the words of the command line; `timemargin` is in milliseconds."""
        base = increment = moves = None
        if tc is not None and tc != "inf":
            match = _CONTROL.fullmatch(tc)
            if match is None:
                raise MatchError(
                    f"cannot read tc={tc}: expected seconds+increment as in 180+2, 1:30+0.5 or "
                    "40/60+0.6, or inf"
                )
            base = 60 * int(match["minutes"] or 0) + float(match["seconds"])
            increment = float(match["increment"] or 0)
            moves = None if match["moves"] is None else int(match["moves"])
            if moves == 0 or base + increment <= 0:
                raise MatchError(f"tc={tc} leaves no time to move")
        seconds = None if st is None else number("st", st)
        if seconds is not None and seconds <= 0:
            raise MatchError(f"st={st}: expected a number of seconds above 0")
        if base is not None and seconds is not None:
            raise MatchError("tc= and st= exclude each other: expected one of them")
        margin: float | None = None
        if timemargin is not None:
            margin = number("timemargin", timemargin) / 1000
        elif base is not None:
            margin = 0.0
        elif seconds is not None:
            margin = DEFAULT_MARGIN_SECONDS
        if count not in (None, "all", "search"):
            raise MatchError(f"count={count}: expected all or search")
        return cls(
            base=base,
            increment=increment or 0.0,
            moves=moves,
            seconds=seconds,
            nodes=None if nodes is None else whole("nodes", nodes, least=1),
            margin=margin,
            counts_observing=count == "all" or (count is None and base is not None),
        )

    def __str__(self) -> str:
        parts = []
        if self.base is not None:
            moves = f"{self.moves}/" if self.moves else ""
            increment = f"+{self.increment:g}" if self.increment else ""
            parts.append(f"{moves}{self.base:g}{increment}")
        if self.seconds is not None:
            parts.append(f"{self.seconds:g} s/move")
        if self.nodes is not None:
            parts.append(f"{self.nodes} nodes")
        if self.base is not None and not self.counts_observing:
            parts[0] += " for searching"
        if self.base is None and self.seconds is not None and self.counts_observing:
            parts[0] += " with observing"
        return ", ".join(parts) or "no limit"


def number(name: str, text: str) -> float:
    """A number from 0 on."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise MatchError(f"{name}={text}: expected a number from 0 on")
    return value


def whole(name: str, text: str, *, least: int = 0) -> int:
    """A whole number, not too small.

    >>> whole("rounds", "12")
    12
    >>> whole("rounds", "0", least=1)
    Traceback (most recent call last):
    obscuro.errors.MatchError: rounds=0: expected a whole number from 1 on
    """
    if not text.isascii() or not text.isdecimal() or int(text) < least:
        raise MatchError(f"{name}={text}: expected a whole number from {least} on")
    return int(text)


class PlayerClock:
    """What a player has spent, and has left.

    >>> clock = PlayerClock(TimeControl.parse(tc="10+1"))
    >>> clock.spend_choosing(4.0)
    >>> clock.is_overrun(), clock.remaining
    (False, 6.0)
    >>> clock.end_of_move()
    >>> clock.remaining
    7.0
    """

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self.remaining = control.base
        self._this_move = 0.0
        self._moves = 0

    def limits(self) -> Limits:
        """What the player is told that it may spend."""
        clock = None
        if self.remaining is not None:
            to_go = self.control.moves
            clock = Clock(
                remaining=max(0.0, self.remaining),
                increment=self.control.increment,
                moves_to_go=to_go and to_go - self._moves % to_go,
            )
        return Limits(seconds=self.control.seconds, nodes=self.control.nodes, clock=clock)

    def spend_observing(self, seconds: float) -> None:
        """The player took in an observation."""
        if self.control.counts_observing:
            self.spend_choosing(seconds)

    def spend_choosing(self, seconds: float) -> None:
        """The player thought about its move."""
        self._this_move += seconds
        if self.remaining is not None:
            self.remaining -= seconds

    @property
    def allowance(self) -> float | None:
        """Seconds that may pass until the player has lost on time; `None` if it cannot."""
        if self.control.margin is None:
            return None
        if self.remaining is not None:
            return self.remaining + self.control.margin
        if self.control.seconds is not None:
            return self.control.seconds + self.control.margin - self._this_move
        return None

    def is_overrun(self) -> bool:
        """Whether the player has lost on time."""
        return self.allowance is not None and self.allowance < 0

    def end_of_move(self) -> None:
        """The move was played in time."""
        self._this_move = 0.0
        self._moves += 1
        if self.remaining is not None:
            self.remaining += self.control.increment
            if self.control.moves and self._moves % self.control.moves == 0:
                assert self.control.base is not None
                self.remaining += self.control.base

"""What is shown of a match while it is played."""

import math
import time
from types import TracebackType

from rich.console import Console
from rich.live import Live
from rich.text import Text

from obscuro.match.record import GameRecord
from obscuro.match.report import RULE
from obscuro.match.results import results_of
from obscuro.match.runner import State, names
from obscuro.match.statistics import Counts


class Progress:
    """Prints a line for every game and the results now and then; on a terminal a last line lives.

    It is called with each state of the match, see `obscuro.match.runner.run`.
    """

    def __init__(self, console: Console, *, interval: int = 10) -> None:
        self._console = console
        self._interval = interval
        self._began = time.monotonic()
        self._before: int | None = None
        self._live = Live(console=console, auto_refresh=False, transient=True)

    def __enter__(self) -> "Progress":
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._live.stop()

    def __call__(self, state: State) -> None:
        """Shows how far the match is."""
        done = len(state.lines)
        if self._before is None:
            self._before = done
        if state.last is not None:
            self._print(_game_line(state.last, done, state.match.total))
            if self._interval and done % self._interval == 0 and done < state.match.total:
                self._print(f"{RULE}\n{results(state)}\n{RULE}")
        if self._console.is_terminal:
            self._live.update(Text(self._last_line(state)), refresh=True)

    def _print(self, text: str) -> None:
        self._console.print(text, markup=False, highlight=False, soft_wrap=True)

    def _last_line(self, state: State) -> str:
        done, total = len(state.lines), state.match.total
        seconds = time.monotonic() - self._began
        parts = [f"{done}/{total} games", _duration(seconds)]
        played = done - (self._before or 0)
        if played and done < total:
            parts.append(f"about {_duration(seconds / played * (total - done))} to go")
        parts += [summary(state)] if len(state.match.engines) == 2 and done else []
        return ", ".join(parts)


def results(state: State) -> str:
    """Everything that the finished games say."""
    return str(results_of(state.match, state.lines))


def summary(state: State) -> str:
    """Two engines' results in a line."""
    first, second = names(state.match)
    counts: Counts = state.counts(first, second)
    points = f"{first} {counts.points:g}-{counts.games - counts.points:g} {second}"
    elo = counts.elo
    if not (math.isfinite(elo.low) and math.isfinite(elo.high)):
        return points
    return f"{points}, Elo {elo.value:.0f} [{elo.low:.0f}, {elo.high:.0f}]"


def _game_line(record: GameRecord, done: int, total: int) -> str:
    return (
        f"{done}/{total}: game {record.number + 1}, {record.white} vs {record.black}: "
        f"{record.result} in {len(record.plies)} plies ({record.reason})"
    )


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"

"""What an experiment is told: how much of it, where, and from which seed."""

import math
import os
import platform
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from obscuro import __version__
from obscuro.errors import LabError

RESULTS = Path("results") / "lab"
"""Where results go unless told otherwise; one folder for each experiment."""


@dataclass(frozen=True)
class Options:
    """How an experiment is run. What is `None` is the experiment's own choice.

    Attributes:
        games: Games of each match.
        time: Seconds for a move.
        nodes: Nodes of the search for a move, in place of a time.
        concurrency: Games at a time.
        ray: The address of a Ray cluster, or `local`.
        seed: Of everything that is drawn.
        out: The folder of the results.
        max_moves: Games are drawn after so many moves; never by default.
        players: Options that all players are given who take them, as `eval` or `expanders`.
        report_only: Nothing is played or computed: what was found before is told again.

    >>> Options(games=100).games
    100
    >>> Options(games=0)
    Traceback (most recent call last):
    obscuro.errors.LabError: --games is 0, expected a whole number from 1 on
    """

    games: int | None = None
    time: float | None = None
    nodes: int | None = None
    concurrency: int | None = None
    ray: str | None = None
    seed: int = 1
    out: Path | None = None
    max_moves: int | None = None
    players: Mapping[str, str] = field(default_factory=dict)
    report_only: bool = False

    def __post_init__(self) -> None:
        for name in ("games", "nodes", "concurrency", "max_moves"):
            value = getattr(self, name)
            if value is not None and value < 1:
                word = name.replace("_", "-")
                raise LabError(f"--{word} is {value}, expected a whole number from 1 on")
        if self.time is not None and not 0 < self.time < math.inf:
            raise LabError(f"--time is {self.time}, expected a number of seconds above 0")
        if self.seed < 0:
            raise LabError(f"--seed is {self.seed}, expected a whole number from 0 on")

    def folder(self, name: str) -> Path:
        """Where the results of an experiment go."""
        return self.out or RESULTS / name

    def as_dict(self) -> dict[str, Any]:
        """The options that were given, by name."""
        given = {
            "games": self.games,
            "time": self.time,
            "nodes": self.nodes,
            "concurrency": self.concurrency,
            "ray": self.ray,
            "seed": self.seed,
            "max_moves": self.max_moves,
            "players": dict(self.players),
        }
        return {name: value for name, value in given.items() if value is not None and value != {}}


@dataclass(frozen=True)
class Bench:
    """What an experiment works with.

    Attributes:
        options: What it is told.
        folder: Where its files go.
        say: Tells the user how far it is.
        stopped: Whether the user wants it to end.
    """

    options: Options
    folder: Path
    say: Callable[[str], None] = lambda words: None
    stopped: Callable[[], bool] = lambda: False


def machine() -> dict[str, str]:
    """What the experiment ran on, in words.

    >>> sorted(machine())
    ['cores', 'date', 'processor', 'version']
    """
    return {
        "date": date.today().isoformat(),
        "version": signature(),
        "processor": _processor(),
        "cores": str(_cores()),
    }


def signature() -> str:
    """The version of the program, with the commit where it runs from its own sources.

    >>> signature().startswith("obscuro ")
    True
    """
    commit = _git("rev-parse", "--short=10", "HEAD")
    if not commit:
        return f"obscuro {__version__}"
    changed = _git("status", "--porcelain", "--untracked-files=no", "--", "python", "crates")
    return f"obscuro {__version__}, commit {commit}{' with changes' if changed else ''}"


def _git(*words: str) -> str:
    package = Path(__file__).resolve().parent.parent
    sources = package.parent.parent
    # Elsewhere, as in an installed package, a commit found above would be somebody else's.
    if package.parent.name != "python" or not (sources / ".git").exists():
        return ""
    try:
        done = subprocess.run(
            ["git", *words], cwd=sources, capture_output=True, text=True, check=False, timeout=30
        )
    except (OSError, subprocess.TimeoutExpired):
        # No git: the version alone has to do.
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        # Another system than Linux.
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()

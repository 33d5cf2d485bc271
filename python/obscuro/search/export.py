"""Solutions as files: tables for people, spreadsheets and programs."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

from obscuro.errors import FileError
from obscuro.search.solution import Solution
from obscuro.search.strategy import Strategy

FORMAT = "obscuro-strategy/1"


def strategy_csv(strategy: Strategy) -> str:
    """A strategy as CSV: a line for each action at each infoset.

    >>> from obscuro import games, search
    >>> table = search.Table(games.load("kuhn_poker"))
    >>> print(strategy_csv(search.Strategy.uniform(table)).splitlines()[0])
    player,infoset,action,probability
    """
    return _csv(
        ("player", "infoset", "action", "probability"),
        [
            (player, infoset, action, repr(probability))
            for player, profile in enumerate(strategy.to_dicts())
            for infoset, actions in profile.items()
            for action, probability in actions.items()
        ],
    )


def history_csv(solution: Solution) -> str:
    """How a solve went, as CSV: a line for each point of the history."""
    return _csv(
        ("iterations", "seconds", "value", "exploitability"),
        [
            (p.iterations, f"{p.seconds:.6f}", repr(p.value), repr(p.exploitability))
            for p in solution.history
        ],
    )


def solution_json(solution: Solution, game: str) -> str:
    """A solution as JSON: its value, its exploitability, and both players' strategies."""
    data = {
        "format": FORMAT,
        "game": game,
        "algorithm": solution.algorithm,
        "value": solution.value,
        "exploitability": solution.exploitability,
        "strategies": solution.strategy.to_dicts(),
    }
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def solution_markdown(solution: Solution, game: str) -> str:
    """A solution as Markdown: a table for each player, a line for each infoset."""
    lines = [
        f"# {_cell(game)}",
        "",
        f"Solved by {solution.algorithm}: the value for player 0 is {solution.value:.9g}, "
        f"the exploitability {solution.exploitability:.3g}.",
    ]
    for player, profile in enumerate(solution.strategy.to_dicts()):
        lines += ["", f"## Player {player}", "", "| infoset | strategy |", "| --- | --- |"]
        for infoset, actions in profile.items():
            played = ", ".join(f"{_cell(a)} {p:.4f}" for a, p in actions.items())
            lines.append(f"| {_cell(infoset)} | {played} |")
    return "\n".join(lines) + "\n"


def write_solution(solution: Solution, folder: str | Path, game: str) -> list[Path]:
    """Writes all of these into a folder, which is made if need be, and returns the files."""
    folder = Path(folder)
    files: dict[str, Callable[[], str]] = {
        "strategy.csv": lambda: strategy_csv(solution.strategy),
        "strategy.json": lambda: solution_json(solution, game),
        "strategy.md": lambda: solution_markdown(solution, game),
        "convergence.csv": lambda: history_csv(solution),
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (folder / name).write_text(text(), encoding="utf-8")
    except OSError as error:
        raise FileError(f"cannot write into {folder}: {error.strerror}") from error
    return [folder / name for name in files]


def _csv(head: tuple[str, ...], rows: list[tuple[object, ...]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return text.getvalue()


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", "<br>")

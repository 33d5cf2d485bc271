"""What the engine tells of a search: `info` lines for every tool, and one line of JSON with all."""

import json
import math
from collections.abc import Mapping
from typing import Any

import chess

from obscuro.players.base import Decision
from obscuro.players.score import value_to_cp

PREFIX = "info string obscuro "
"""What stands before the JSON."""

# More digits than any of the numbers means.
_DIGITS = 6


def info_lines(decision: Decision, color: chess.Color, memory_mb: int) -> list[str]:
    """The lines that come before `bestmove`.

    >>> decision = Decision(chess.Move.from_uci("e2e4"), {"e2e4": 1.0}, {"nodes": 7, "value": 0.5})
    >>> for line in info_lines(decision, chess.WHITE, 64):
    ...     print(line)
    info depth 0 seldepth 0 score cp 110 nodes 7 nps 0 hashfull 0 time 0 pv e2e4
    info string obscuro {"color": "white", "move": "e2e4", "strategy": {"e2e4": 1.0}, ...}
    """
    report = decision.report
    move = decision.move.uci() if decision.move else None
    data = {
        "color": chess.COLOR_NAMES[color],
        "move": move,
        "strategy": dict(decision.strategy),
        **report,
    }
    return [_info(report, move, memory_mb), PREFIX + json.dumps(plain(data), allow_nan=False)]


def _info(report: Mapping[str, Any], move: str | None, memory_mb: int) -> str:
    nodes = int(report.get("nodes", 0))
    new = nodes - int(report.get("carried_nodes", 0))
    steps = ("observe", "construct", "search", "choose")
    seconds = sum(report.get(f"{step}_seconds", 0.0) for step in steps)
    searching = report.get("search_seconds", 0.0)
    words: list[tuple[str, object]] = [
        ("depth", round(report.get("mean_depth", 0.0))),
        ("seldepth", report.get("max_depth", 0)),
        ("score cp", value_to_cp(report.get("value", 0.0))),
        ("nodes", nodes),
        ("nps", round(max(0, new) / searching) if searching > 0 else 0),
        ("hashfull", min(1000, round(1000 * report.get("bytes", 0) / (memory_mb << 20)))),
        ("time", round(1000 * seconds)),
    ]
    if move is not None:
        words.append(("pv", move))
    return " ".join(["info", *(f"{name} {value}" for name, value in words)])


def plain(data: Any) -> Any:  # noqa: ANN401
    """Data as JSON has it: numbers rounded, and none that is not finite.

    >>> plain({"a": (0.12345678, float("nan"))})
    {'a': [0.123457, None]}
    """
    if isinstance(data, Mapping):
        return {str(name): plain(value) for name, value in data.items()}
    if isinstance(data, list | tuple):
        return [plain(value) for value in data]
    if isinstance(data, float):
        return round(data, _DIGITS) if math.isfinite(data) else None
    return data

"""The graphs over the game: values, and what is possible."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

Point = tuple[int, float]
"""A ply, and a number."""

WIDTH, HEIGHT = 900, 250
_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 10, 12, 26


@dataclass(frozen=True)
class Line:
    """A line of a graph; `kind` is its class in the style sheet."""

    name: str
    kind: str
    points: Sequence[Point]


@dataclass(frozen=True)
class Note:
    """A sign at a ply of a graph."""

    ply: int
    value: float
    text: str
    kind: str


def value_chart(plies: int, lines: Iterable[Line], notes: Iterable[Note]) -> str:
    """Values from -1 to 1 by ply."""
    grid = [(value, f"{value:+.1f}" if value else "0") for value in (-1.0, -0.5, 0.0, 0.5, 1.0)]
    return _chart("Value over the game, White's side", plies, -1.0, 1.0, grid, lines, notes)


def size_chart(plies: int, lines: Iterable[Line]) -> str:
    """Numbers of positions by ply, the scale logarithmic."""
    logs = [
        Line(line.name, line.kind, [(ply, math.log10(max(1.0, n))) for ply, n in line.points])
        for line in lines
    ]
    top = max(1, math.ceil(max((value for line in logs for _, value in line.points), default=1.0)))
    grid = [(float(power), _power(power)) for power in range(top + 1)]
    return _chart("Number of possible positions", plies, -0.05 * top, float(top), grid, logs, ())


def legend(lines: Iterable[Line]) -> str:
    """What the lines are."""
    entries = "".join(
        f'<li><svg viewBox="0 0 26 8" aria-hidden="true"><path class="line {line.kind}" '
        f'd="M1 4H25"/></svg>{escape(line.name)}</li>'
        for line in lines
    )
    return f'<ul class="legend">{entries}</ul>'


def _chart(
    label: str,
    plies: int,
    low: float,
    high: float,
    grid: Iterable[tuple[float, str]],
    lines: Iterable[Line],
    notes: Iterable[Note],
) -> str:
    width, height = WIDTH - _LEFT - _RIGHT, HEIGHT - _TOP - _BOTTOM

    def x(ply: float) -> float:
        return round(_LEFT + width * ply / max(1, plies), 1)

    def y(value: float) -> float:
        return round(_TOP + height * (high - value) / (high - low), 1)

    parts = [
        f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}">',
    ]
    for value, words in grid:
        kind = "axis" if value == 0 else "grid"
        parts.append(f'<path class="{kind}" d="M{_LEFT} {y(value)}H{WIDTH - _RIGHT}"/>')
        parts.append(f'<text class="scale" x="{_LEFT - 7}" y="{y(value) + 4}">{words}</text>')
    for ply in range(0, plies + 1, _step(plies)):
        move = f"{ply // 2 + 1}"
        parts.append(f'<text class="ply" x="{x(ply)}" y="{HEIGHT - 7}">{move}</text>')
    for line in lines:
        path = "L".join(f"{x(ply)} {y(value)}" for ply, value in line.points)
        if path:
            parts.append(f'<path class="line {line.kind}" d="M{path}"/>')
    parts.append(f'<path class="cursor" d="M0 {_TOP}V{HEIGHT - _BOTTOM}"/>')
    for note in notes:
        place = f'x="{x(note.ply)}" y="{y(note.value) - 7}"'
        parts.append(f'<text class="note {note.kind}" {place}>{escape(note.text)}</text>')
    half = width / max(1, plies) / 2
    parts.extend(
        f'<a href="#ply-{ply}" data-x="{x(ply)}" tabindex="-1" aria-hidden="true">'
        f'<rect class="hit" x="{x(ply) - half:.1f}" '
        f'y="{_TOP}" width="{2 * half:.1f}" height="{height}"/></a>'
        for ply in range(plies + 1)
    )
    parts.append("</svg>")
    return "".join(parts)


def _power(power: int) -> str:
    return (
        f"{10**power}"
        if power < 3
        else f"{10 ** (power - 3)}k"
        if power < 6
        else f"{10 ** (power - 6)}M"
    )


def _step(plies: int) -> int:
    """Plies between two numbers below the graph: an even number."""
    return max(2, 2 * math.ceil(plies / 24))

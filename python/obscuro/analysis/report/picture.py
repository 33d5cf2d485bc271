"""Boards as SVG: what a player sees, what they believe, and what moves are thought of."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from html import escape

import chess
import chess.svg

_SQUARE = 45
_SIZE = 8 * _SQUARE
_FOG = "?"


@dataclass(frozen=True)
class Arrow:
    """An arrow from square to square; `weight` from 0 to 1 is its width, `kind` its style."""

    move: chess.Move
    weight: float = 1.0
    kind: str = "strategy"


@dataclass(frozen=True)
class Scene:
    """All that is on a board.

    Attributes:
        placement: The first field of a FEN, or of a fog FEN.
        label: What a screen reader says.
        heat: By square, how strongly it is coloured, from 0 to 1.
        ghosts: By square, a piece that may stand there, and how likely.
        arrows: Moves.
        last: The move before.
    """

    placement: str
    label: str
    heat: Mapping[chess.Square, float] = field(default_factory=dict)
    ghosts: Mapping[chess.Square, tuple[str, float]] = field(default_factory=dict)
    arrows: Iterable[Arrow] = ()
    last: chess.Move | None = None


def defs() -> str:
    """What all boards of a page share: the squares, the fog's hatching, the pieces."""
    dark = "".join(
        f"M{x * _SQUARE} {y * _SQUARE}h{_SQUARE}v{_SQUARE}h-{_SQUARE}z"
        for x in range(8)
        for y in range(8)
        if (x + y) % 2
    )
    pieces = "".join(chess.svg.PIECES.values())
    return (
        '<svg class="defs" aria-hidden="true" width="0" height="0"><defs>'
        f'<g id="squares"><rect class="light" width="{_SIZE}" height="{_SIZE}"/>'
        f'<path class="dark" d="{dark}"/></g>'
        '<pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" '
        'patternTransform="rotate(45)"><rect class="fog-fill" width="7" height="7"/>'
        '<rect class="fog-stripe" width="2" height="7"/></pattern>'
        f"{pieces}</defs></svg>"
    )


def draw(scene: Scene, *, coordinates: bool = True) -> str:
    """A board, White at the bottom.

    >>> drawn = draw(Scene("4k3/8/8/8/8/8/4P3/????K???", "a board"))
    >>> drawn.count("<use"), 'class="fog"' in drawn
    (4, True)
    """
    pieces, fog = _read(scene.placement)
    parts = [
        f'<svg class="board" viewBox="0 0 {_SIZE} {_SIZE}" role="img" '
        f'aria-label="{escape(scene.label)}"><use href="#squares"/>'
    ]
    if scene.last is not None:
        ends = (scene.last.from_square, scene.last.to_square)
        parts.append(f'<path class="last" d="{_squares(ends)}"/>')
    if fog:
        parts.append(f'<path class="fog" d="{_squares(fog)}"/>')
    parts.append(f'<g class="heat">{_heat(scene.heat)}</g>')
    parts.extend(_piece(square, symbol) for square, symbol in pieces.items())
    parts.append('<g class="ghosts">')
    parts.extend(_piece(square, *ghost) for square, ghost in scene.ghosts.items())
    parts.append("</g>")
    parts.extend(_arrow(arrow) for arrow in scene.arrows)
    if coordinates:
        parts.append(_COORDINATES)
    parts.append("</svg>")
    return "".join(parts)


def standalone(scenes: Mapping[str, Scene], *, size: int = 300) -> str:
    """Boards in a row, with captions, as a picture of its own.

    >>> picture = standalone({"Two kings": Scene("4k3/8/8/8/8/8/8/4K3", "two kings")})
    >>> picture.startswith('<svg xmlns="http://www.w3.org/2000/svg"'), "Two kings" in picture
    (True, True)
    """
    gap, caption = 20, 32
    width = len(scenes) * (size + gap) - gap
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {size + caption}" '
        f'width="{width}" height="{size + caption}"><style>{_STYLE}</style>{defs()}'
        f'<rect width="{width}" height="{size + caption}" fill="#fff"/>'
    ]
    for place, (words, scene) in enumerate(scenes.items()):
        x = place * (size + gap)
        board = draw(scene).replace("<svg ", f'<svg x="{x}" y="{caption}" ', 1)
        parts.append(f'<text class="caption" x="{x + size / 2}" y="21">{escape(words)}</text>')
        parts.append(board.replace("<svg ", f'<svg width="{size}" height="{size}" ', 1))
    return "".join([*parts, "</svg>\n"])


_STYLE = (
    "#squares .light{fill:#f1e0c2}#squares .dark{fill:#c8a377}.board .fog{fill:url(#hatch)}"
    ".fog-fill{fill:#7d8996}.fog-stripe{fill:#93a0ac}.board .last{fill:#9dbb3a;fill-opacity:.5}"
    ".heat rect{fill:#c22f46}text{font-family:sans-serif;font-weight:600}"
    ".heat text,.coordinates text{fill:#fff;font-size:11px;paint-order:stroke;"
    "stroke:#0008;stroke-width:2px}.heat text{text-anchor:end}.caption{font-size:15px;"
    "text-anchor:middle;fill:#222}.arrow{fill:#17803f;fill-opacity:.75;stroke:#fff;"
    "stroke-opacity:.5;stroke-width:.8}.arrow.played{fill:#2459c9}"
)


def _read(placement: str) -> tuple[dict[chess.Square, str], list[chess.Square]]:
    pieces, fog = {}, []
    for down, rank in enumerate(placement.split("/")):
        file = 0
        for letter in rank:
            if letter.isdigit():
                file += int(letter)
                continue
            square = chess.square(file, 7 - down)
            if letter == _FOG:
                fog.append(square)
            else:
                pieces[square] = letter
            file += 1
    return pieces, fog


def _corner(square: chess.Square) -> tuple[int, int]:
    return _SQUARE * chess.square_file(square), _SQUARE * (7 - chess.square_rank(square))


def _squares(squares: Iterable[chess.Square]) -> str:
    corners = map(_corner, squares)
    return "".join(f"M{x} {y}h{_SQUARE}v{_SQUARE}h-{_SQUARE}z" for x, y in corners)


def _piece(square: chess.Square, symbol: str, opacity: float = 1.0) -> str:
    x, y = _corner(square)
    piece = chess.Piece.from_symbol(symbol)
    name = f"{chess.COLOR_NAMES[piece.color]}-{chess.piece_name(piece.piece_type)}"
    faint = "" if opacity >= 1 else f' opacity="{opacity:.2f}"'
    return f'<use href="#{name}" x="{x}" y="{y}"{faint}/>'


def _heat(heat: Mapping[chess.Square, float]) -> str:
    parts = []
    for square, value in heat.items():
        x, y = _corner(square)
        parts.append(
            f'<rect x="{x}" y="{y}" width="{_SQUARE}" height="{_SQUARE}" opacity="{value:.2f}"/>'
        )
        if value >= 0.045:
            parts.append(f'<text x="{x + 43}" y="{y + 43}">{value * 100:.0f}</text>')
    return "".join(parts)


def _arrow(arrow: Arrow) -> str:
    """A shaft and a head as one shape, from centre to centre."""
    (x1, y1), (x2, y2) = (_corner(arrow.move.from_square), _corner(arrow.move.to_square))
    dx, dy = x2 - x1, y2 - y1
    length = (dx * dx + dy * dy) ** 0.5
    half = 1.2 + 5.3 * min(1.0, arrow.weight)
    head = half * 2.2 + 3
    ux, uy = dx / length, dy / length
    outline = [
        (8.0, half),
        (length - head * 1.3, half),
        (length - head * 1.3, head),
        (length, 0.0),
        (length - head * 1.3, -head),
        (length - head * 1.3, -half),
        (8.0, -half),
    ]
    middle = _SQUARE / 2
    points = " ".join(
        f"{x1 + middle + along * ux - aside * uy:.1f},{y1 + middle + along * uy + aside * ux:.1f}"
        for along, aside in outline
    )
    return f'<polygon class="arrow {arrow.kind}" points="{points}"/>'


_COORDINATES = (
    '<g class="coordinates">'
    + "".join(f'<text x="{i * _SQUARE + 3}" y="357">{"abcdefgh"[i]}</text>' for i in range(8))
    + "".join(f'<text x="353" y="{i * _SQUARE + 11}">{8 - i}</text>' for i in range(8))
    + "</g>"
)

"""Boards as SVG pictures."""

from collections.abc import Iterable

import chess
import chess.svg

from obscuro.fow.text import Drawable

# Darker than light and dark squares alike, and hatched: told from them without colour.
_FOG_FILL = "#6b7680"
_FOG_STRIPES = "#56606a"
# The geometry of python-chess' pictures.
_MARGIN = 15
_SQUARE = 45


def draw(
    view: Drawable,
    *,
    size: int | None = None,
    flip: bool = False,
    lastmove: chess.Move | None = None,
    arrows: Iterable[chess.svg.Arrow | tuple[chess.Square, chess.Square]] = (),
) -> str:
    """A board, or what a player sees of one, fogged squares under a hatched veil.

    >>> from obscuro.fow import Board, WHITE
    >>> draw(Board().observation(WHITE)).count('class="fog"')
    32
    """
    board = chess.BaseBoard(None)
    board.set_piece_map(view.piece_map())
    picture = chess.svg.board(
        board, orientation=not flip, size=size, lastmove=lastmove, arrows=arrows
    )
    veil = "".join(_veil(square, flip=flip) for square in ~view.visible)
    if not veil:
        return picture
    pattern = (
        '<defs><pattern id="fog" width="7" height="7" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate(45)"><rect width="7" height="7" fill="{_FOG_FILL}"/>'
        f'<rect width="3" height="7" fill="{_FOG_STRIPES}"/></pattern></defs>'
    )
    return picture.removesuffix("</svg>") + pattern + veil + "</svg>"


def _veil(square: chess.Square, *, flip: bool) -> str:
    file, rank = chess.square_file(square), chess.square_rank(square)
    x = _MARGIN + _SQUARE * (7 - file if flip else file)
    y = _MARGIN + _SQUARE * (rank if flip else 7 - rank)
    place = f'x="{x}" y="{y}" width="{_SQUARE}" height="{_SQUARE}"'
    return f'<rect class="fog" {place} fill="url(#fog)"/>'

"""Boards in letters, for terminals."""

from collections.abc import Mapping
from typing import Protocol

import chess

FOG = "░"

# Background and foreground of 256-colour terminals: light, dark, and fog of either.
_LIGHT, _DARK = 180, 137
_LIGHT_FOG, _DARK_FOG = 245, 242
_WHITE_PIECE, _BLACK_PIECE, _FOG_TEXT = 231, 16, 250


class Drawable(Protocol):
    """What can be drawn: a board, or what a player sees of one."""

    def piece_map(self) -> dict[chess.Square, chess.Piece]:
        """The pieces that are seen."""
        ...

    @property
    def visible(self) -> chess.SquareSet:
        """The squares that are seen."""
        ...


def draw(view: Drawable, *, flip: bool = False, color: bool = False) -> str:
    """A board, or what a player sees of one, rank by rank with coordinates.

    Fogged squares are hatched, with and without colour; `color` uses ANSI escape sequences.

    >>> from obscuro.fow import Board, WHITE
    >>> print(draw(Board().observation(WHITE)))
    8 ░ ░ ░ ░ ░ ░ ░ ░
    7 ░ ░ ░ ░ ░ ░ ░ ░
    6 ░ ░ ░ ░ ░ ░ ░ ░
    5 ░ ░ ░ ░ ░ ░ ░ ░
    4 · · · · · · · ·
    3 · · · · · · · ·
    2 ♙ ♙ ♙ ♙ ♙ ♙ ♙ ♙
    1 ♖ ♘ ♗ ♕ ♔ ♗ ♘ ♖
      a b c d e f g h
    """
    pieces, visible = view.piece_map(), view.visible
    ranks = range(8) if flip else range(7, -1, -1)
    files = range(7, -1, -1) if flip else range(8)
    cell = _coloured if color else _plain
    gap = "" if color else " "
    lines = [
        f"{rank + 1} " + gap.join(cell(chess.square(f, rank), pieces, visible) for f in files)
        for rank in ranks
    ]
    names = (" " if color else "") + ("  " if color else " ").join(
        chess.FILE_NAMES[f] for f in files
    )
    return "\n".join([*lines, "  " + names])


def _plain(
    square: chess.Square, pieces: Mapping[chess.Square, chess.Piece], visible: chess.SquareSet
) -> str:
    if square not in visible:
        return FOG
    return pieces[square].unicode_symbol() if square in pieces else "·"


def _coloured(
    square: chess.Square, pieces: Mapping[chess.Square, chess.Piece], visible: chess.SquareSet
) -> str:
    light = square in chess.SquareSet(chess.BB_LIGHT_SQUARES)
    if square not in visible:
        return _ansi(f"{FOG}{FOG}{FOG}", _LIGHT_FOG if light else _DARK_FOG, _FOG_TEXT)
    background = _LIGHT if light else _DARK
    piece = pieces.get(square)
    if piece is None:
        return _ansi("   ", background, _BLACK_PIECE)
    # The filled figures for both sides: outlines are hard to see on a coloured square.
    figure = chess.Piece(piece.piece_type, chess.BLACK).unicode_symbol()
    return _ansi(f" {figure} ", background, _WHITE_PIECE if piece.color else _BLACK_PIECE)


def _ansi(text: str, background: int, foreground: int) -> str:
    return f"\x1b[48;5;{background}m\x1b[38;5;{foreground}m{text}\x1b[0m"

"""Fog of War chess: boards, observations, beliefs, games and pictures.

Named as python-chess users expect; moves, squares, pieces and square sets *are* python-chess'.

>>> from obscuro import fow
>>> board = fow.Board()
>>> for san in ["c4", "d5", "Qa4", "d4", "Qxe8"]:
...     _ = board.push_san(san)
>>> board.outcome()
Outcome(termination=<Termination.KING_CAPTURED: 'king-captured'>, winner=True)
"""

from chess import (
    BLACK,
    SQUARES,
    WHITE,
    Color,
    Move,
    Piece,
    PieceType,
    Square,
    SquareSet,
    parse_square,
    square_name,
)

from obscuro.fow.belief import DEFAULT_CAP, Belief
from obscuro.fow.board import STARTING_FEN, Board
from obscuro.fow.observation import Observation
from obscuro.fow.outcome import Outcome, Termination
from obscuro.fow.pgn import Game, read_game, read_games

__all__ = [
    "BLACK",
    "DEFAULT_CAP",
    "SQUARES",
    "STARTING_FEN",
    "WHITE",
    "Belief",
    "Board",
    "Color",
    "Game",
    "Move",
    "Observation",
    "Outcome",
    "Piece",
    "PieceType",
    "Square",
    "SquareSet",
    "Termination",
    "parse_square",
    "read_game",
    "read_games",
    "square_name",
]

"""The referee in the engine: it sees the board of a plain position, and tells what a player sees.

This is the only module of the protocol that knows a board; a test holds the others to that.
"""

from typing import TYPE_CHECKING, Protocol

from obscuro.errors import FenError, GameOverError, MoveError, ProtocolError
from obscuro.fow import Board
from obscuro.protocol.commands import PlainPosition
from obscuro.protocol.told import Told

if TYPE_CHECKING:
    from obscuro.players.pimc import Judge

# What the core counts in one go, in which it hears no stop.
_STOP_EVERY = 3


def known_start(fen: str) -> str:
    """A FEN that both players know, in full and as we write it.

    >>> known_start("4k3/8/8/8/8/8/8/4K3 w - -")
    '4k3/8/8/8/8/8/8/4K3 w - - 0 1'
    """
    try:
        return Board(fen).fen()
    except FenError as error:
        raise ProtocolError(f"position: {error}") from error


def tell(position: PlainPosition) -> Told:
    """What the player whose turn it is has been told in this game.

    >>> from obscuro.fow import STARTING_FEN
    >>> len(tell(PlainPosition(STARTING_FEN, ("e2e4", "e7e5"))).observations)
    3
    """
    board = _replayed(position)
    color, moves = board.turn, board.move_stack
    board = board.root()
    observations = [board.observation(color)]
    own = []
    for move in moves:
        if board.turn == color:
            own.append(move)
        board.push(move)
        observations.append(board.observation(color))
    return Told(color, board.root().fen(), tuple(observations), tuple(own))


def draw(position: PlainPosition) -> str:
    """The true board and its FEN, for a human eye."""
    board = _replayed(position)
    return f"{board.draw()}\n\nFen: {board.fen()}"


def children(position: PlainPosition, judge: "Judge") -> dict[str, float]:
    """What each legal move is worth to the side to move, as leaves are valued.

    >>> from obscuro.players.leaf_values import LeafValues
    >>> position = PlainPosition("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", ())
    >>> found = children(position, LeafValues())
    >>> max(found, key=lambda move: found[move])
    'e4d5'
    """
    board = _replayed(position)
    if not (moves := board.legal_moves):
        return {}
    values = judge.values(board)
    return {move.uci(): value for move, value in zip(moves, values, strict=True)}


def perft(position: PlainPosition, depth: int, stopped: "Stopped") -> dict[str, int]:
    """The number of move sequences of a length below each move, as far as nobody says stop.

    >>> import threading
    >>> from obscuro.fow import STARTING_FEN
    >>> sum(perft(PlainPosition(STARTING_FEN, ()), 3, threading.Event()).values())
    8902
    """
    board = _replayed(position)
    # The draws that depend on what was before do not count, as everywhere for perft.
    board = Board(" ".join([*board.fen().split()[:4], "0", "1"]))
    counts = {}
    for move in board.legal_moves if depth > 0 else []:
        board.push(move)
        counts[move.uci()] = _count(board, depth - 1, stopped)
        board.pop()
        if stopped.is_set():
            break
    return counts


class Stopped(Protocol):
    """Whether to stop; what `threading.Event` is."""

    def is_set(self) -> bool:
        """Whether somebody said so."""
        ...


def _count(board: Board, depth: int, stopped: Stopped) -> int:
    if depth <= _STOP_EVERY:
        return board.perft(depth)
    nodes = 0
    for move in board.legal_moves:
        if stopped.is_set():
            break
        board.push(move)
        nodes += _count(board, depth - 1, stopped)
        board.pop()
    return nodes


def _replayed(position: PlainPosition) -> Board:
    board = Board(known_start(position.start))
    for number, text in enumerate(position.moves, 1):
        _push(board, number, text)
    return board


def _push(board: Board, number: int, text: str) -> None:
    try:
        board.push_uci(text)
    except (MoveError, GameOverError) as error:
        raise ProtocolError(f"move {number}: {error}") from error

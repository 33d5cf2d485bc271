"""What an installed Stockfish says of every move on a board that is fully known."""

import re
from collections.abc import Iterable

import chess

from obscuro.errors import EngineError
from obscuro.fow import Board
from obscuro.players.process import EngineProcess
from obscuro.players.score import cp_to_value

_SEARCH_SECONDS = 30.0
_MOST_LINES = 256
_LINE = re.compile(r"info .*?\bmultipv (\d+) score (cp|mate) (-?\d+).*? pv (\S+)")


class StockfishValues:
    """Values moves by an engine of chess, where the rules of chess can; by our own where not.

    The engine never gets a position in which the side to move can take the king, as it may crash
    there: taking it wins, and any other move is valued by the position that it leads to. Moves that
    chess forbids count as lost: into check, and castling out of check or through it.

    Args:
        path: The program.
        depth: How deep it searches; all moves are valued.
    """

    def __init__(self, path: str, depth: int = 1) -> None:
        if depth < 1:
            raise EngineError(f"depth is {depth}, expected at least 1")
        self._depth = depth
        self._process = EngineProcess([path])
        try:
            told = self._process.handshake()
            _check(self._process.name, told)
            self._process.send(f"setoption name MultiPV value {_MOST_LINES}")
            self._process.wait_ready()
        except EngineError:
            self._process.kill()
            raise

    def values(self, board: Board) -> list[float]:
        """The value of each legal move for the side to move, in their order."""
        enemy = board.king(not board.turn)
        if not _can_take_king(board):
            return self._ask(board)
        moves = board.legal_moves
        return [1.0 if move.to_square == enemy else self._after(board, move) for move in moves]

    def close(self) -> None:
        """Ends the engine."""
        self._process.close()

    def _after(self, board: Board, move: chess.Move) -> float:
        child = board.copy()
        child.push(move)
        if child.is_game_over():
            outcome = child.outcome()
            winner = None if outcome is None else outcome.winner
            return 0.0 if winner is None else 1.0 if winner == board.turn else -1.0
        if _can_take_king(child):
            return -1.0
        return -max(self._ask(child))

    def _ask(self, board: Board) -> list[float]:
        # In mate and stalemate the engine has no move: each of ours loses the king.
        found: dict[chess.Move, float] = {}
        if any(chess.Board(board.fen()).legal_moves):
            self._process.send(f"position fen {board.fen()}")
            self._process.send(f"go depth {self._depth}")
            found = read_values(self._process.lines_until("bestmove", _SEARCH_SECONDS))
        return [found.get(move, -1.0) for move in board.legal_moves]


def _check(name: str, told: Iterable[str]) -> None:
    if not any(line.startswith("option name MultiPV ") for line in told):
        raise EngineError(f"{name} has no option MultiPV, which it needs to value all moves")


def _can_take_king(board: Board) -> bool:
    king = board.king(not board.turn)
    return any(move.to_square == king for move in board.legal_moves)


def read_values(lines: Iterable[str]) -> dict[chess.Move, float]:
    """The values in an engine's lines, the last of each rank.

    >>> read_values(["info depth 1 multipv 1 score cp 110 nodes 20 pv e2e4 e7e5", "bestmove e2e4"])
    {Move.from_uci('e2e4'): 0.500...}
    """
    ranks: dict[str, tuple[chess.Move, float]] = {}
    for line in lines:
        if match := _LINE.match(line):
            number = int(match[3])
            mate = match[2] == "mate"
            value = (1.0 if number > 0 else -1.0) if mate else cp_to_value(number)
            ranks[match[1]] = chess.Move.from_uci(match[4]), value
    return dict(ranks.values())

"""Histories of Fog of War chess as nodes of the tree."""

import numpy as np

from obscuro import _core
from obscuro.fow import Board
from obscuro.players.zs21.tree import Infoset, Node, Turn


class Growth:
    """Makes nodes of boards, and expands them: all children at once, with their leaf values.

    Args:
        values: What values the leaves.
        white: Whether ▲ is White.
    """

    def __init__(self, values: _core.FowValues, *, white: bool) -> None:
        self._values = values
        self._white = white

    def root(self, board: Board, fullmoves: int, ours: Infoset) -> Node:
        """A possible position as an expanded node; ▼ is assumed to know it.

        Positions of a belief do not know which move it is, which the players do.
        """
        fen = " ".join([*board.fen().split()[:4], "0", str(fullmoves)])
        node = self._node(_core.FowBoard(fen), ours, Infoset(), 0.0)
        self.expand(node)
        node.value = float(node.values.max())
        return node

    def child(self, node: Node, action: int) -> Node:
        """The node after a move, which may be a leaf."""
        found = node.children.get(action)
        if found is not None:
            return found
        board: _core.FowBoard = node.state.copy()
        move = node.actions[action]
        board.push(move)
        seen, shown = board.observation(self._white), board.observation(not self._white)
        own = node.turn == Turn.OURS
        ours = node.ours.next(move if own else None, seen)
        theirs = node.theirs.next(None if own else move, shown)
        child = self._node(board, ours, theirs, float(node.values[action]))
        node.children[action] = child
        return child

    def expand(self, node: Node) -> None:
        """Adds the moves of a leaf, in the same order wherever they are the same ones."""
        if node.actions:
            return
        board: _core.FowBoard = node.state
        moves = board.legal_moves()
        sign = 1.0 if board.turn() == self._white else -1.0
        if not moves:
            outcome = board.outcome()
            winner = None if outcome is None else outcome[0]
            node.value = 0.0 if winner is None else 1.0 if winner == self._white else -1.0
            node.actions = ()
            return
        order = np.argsort(np.array(moves))
        node.actions = [moves[place] for place in order]
        node.values = sign * np.array(self._values.values(board), dtype=np.float64)[order]
        # A value of one is a captured king, or one that will be.
        node.open = np.abs(node.values) < 1.0

    def _node(self, board: _core.FowBoard, ours: Infoset, theirs: Infoset, value: float) -> Node:
        turn = Turn.OURS if board.turn() == self._white else Turn.THEIRS
        return Node(board, turn, ours, theirs, value)

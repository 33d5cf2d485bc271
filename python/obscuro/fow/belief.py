"""All positions that are consistent with what a player has observed."""

import os
from collections.abc import Iterator
from typing import Literal

import chess
import numpy as np
import numpy.typing as npt

from obscuro import _core
from obscuro.errors import ObservationError
from obscuro.fow.board import Board
from obscuro.fow.encoding import encode
from obscuro.fow.observation import Observation

DEFAULT_CAP = 4_000_000
"""The positions that a belief keeps at most, unless told otherwise."""


class Belief:
    """The set P of the paper: every position that a player considers possible.

    It starts at a position that both players know, and is advanced after every ply. There are no
    duplicates, and every position agrees with everything that was observed.

    Above `cap` positions it becomes a sample (`exactness` is then `"sample"`): the first update
    above the cap keeps each position with the same probability; later updates keep each *distinct*
    child of the sample with the same probability, so that a position that can come about in many
    ways is then somewhat likelier to be kept. A sample that dies out is drawn again by replaying
    the observations, and if that fails as well it is made from what is visible and the material
    that must be left (`"guess"`). It is never empty after a true sequence of observations.

    While it is exact, every impossible observation is an error. A sample cannot always tell one
    from bad luck: there it is an error if the own pieces do not follow from what was seen before,
    or if nothing fits.

    >>> board = Board()
    >>> belief = Belief(chess.WHITE)
    >>> move = board.push_san("e4")
    >>> belief.advance(board.observation(chess.WHITE), move)
    >>> _ = board.push_san("e5")
    >>> belief.advance(board.observation(chess.WHITE))
    >>> len(belief), board in belief
    (1, True)
    """

    def __init__(
        self,
        color: chess.Color,
        board: Board | None = None,
        *,
        cap: int = DEFAULT_CAP,
        threads: int | None = None,
        seed: int = 0,
    ) -> None:
        if cap < 1:
            raise ValueError(f"cap must be at least 1, not {cap}")
        if threads is None:
            threads = os.cpu_count() or 1
        if threads < 1:
            raise ValueError(f"threads must be at least 1, not {threads}")
        root = (board or Board())._core
        self._core = _core.FowBelief(root, color, cap, threads, seed)

    @property
    def color(self) -> chess.Color:
        """Whose belief it is."""
        return self._core.color()

    @property
    def exactness(self) -> Literal["exact", "sample", "guess"]:
        """How the belief relates to the set of all possible positions."""
        match self._core.exactness():
            case "exact":
                return "exact"
            case "sample":
                return "sample"
            case _:
                return "guess"

    def advance(self, observation: Observation, move: chess.Move | None = None) -> None:
        """Takes in what the player sees after one more ply: their own `move`, or the opponent's.

        An observation that no position explains is an `ObservationError`; the belief is then as it
        was.
        """
        if observation.color != self.color:
            names = chess.COLOR_NAMES
            raise ObservationError(
                f"the belief is {names[self.color]}'s, the observation {names[observation.color]}'s"
            )
        self._core.advance(observation._core, None if move is None else encode(move))

    def sample(self, n: int, seed: int = 0) -> list[Board]:
        """`n` different positions, all of them if there are no more; a seed gives the same ones."""
        return [Board.from_core(core) for core in self._core.sample(n, seed)]

    def contains(self, board: Board) -> bool:
        """Whether a position is possible; the clocks do not count."""
        return self._core.contains(board._core)

    def marginals(self) -> npt.NDArray[np.float64]:
        """The probability of each piece on each square if all positions are equally likely.

        The shape is (2, 6, 64): colour (`int(chess.WHITE)` is 1), kind of piece (pawn to
        king), square (a1 to h8).

        >>> marginals = Belief(chess.WHITE).marginals()
        >>> float(marginals[int(chess.BLACK), chess.KING - 1, chess.E8])
        1.0
        """
        counts = self._core.counts().reshape(2, 6, 64)[::-1]
        return np.asarray(counts / len(self), dtype=np.float64)

    def copy(self) -> "Belief":
        """A belief that can be advanced without advancing this one."""
        other = Belief.__new__(Belief)
        other._core = self._core.copy()
        return other

    def __len__(self) -> int:
        return len(self._core)

    def __iter__(self) -> Iterator[Board]:
        """All positions, in no particular order; the clocks of the boards mean nothing."""
        return (Board.from_core(self._core.get(index)) for index in range(len(self)))

    def __contains__(self, board: object) -> bool:
        return isinstance(board, Board) and self.contains(board)

    def __repr__(self) -> str:
        name = chess.COLOR_NAMES[self.color]
        return f"<Belief of {name}: {len(self)} positions, {self.exactness}>"

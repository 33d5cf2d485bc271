"""A player who plays any legal move, all with the same probability."""

import random

import chess

from obscuro.errors import PlayerError
from obscuro.fow import STARTING_FEN, Observation
from obscuro.players.base import Decision, Limits, Result


class RandomPlayer:
    """Plays a legal move drawn uniformly at random.

    >>> from obscuro.fow import Board
    >>> player = RandomPlayer(seed=7)
    >>> player.new_game(chess.WHITE)
    >>> player.observe(Board().observation(chess.WHITE))
    >>> player.choose(Limits()).move in Board().legal_moves
    True
    """

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)
        self._observation: Observation | None = None

    def new_game(self, color: chess.Color, start: str = STARTING_FEN) -> None:
        """Forgets the last game."""
        self._observation = None

    def observe(self, observation: Observation) -> None:
        """Remembers what is seen now."""
        self._observation = observation

    def choose(self, limits: Limits) -> Decision:
        """Draws a move from the legal ones."""
        moves = list(self._observation.legal_moves) if self._observation else []
        if not moves:
            raise PlayerError("asked for a move with no legal move in sight: observe comes first")
        probability = 1 / len(moves)
        strategy = {move.uci(): probability for move in moves}
        return Decision(self._random.choice(moves), strategy)

    def game_over(self, result: Result) -> None:
        """Takes it calmly."""

    def close(self) -> None:
        """Has nothing to let go of."""

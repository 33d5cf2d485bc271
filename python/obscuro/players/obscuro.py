"""The player that searches: the paper's agent."""

import chess

from obscuro import _core
from obscuro.errors import PlayerError
from obscuro.fow import STARTING_FEN, Observation
from obscuro.fow.encoding import decode, encode
from obscuro.games import fow_chess
from obscuro.players.base import Decision, Limits, Result
from obscuro.search import AgentSettings
from obscuro.search import Limits as SearchLimits

DEFAULT_SECONDS = 1.0
"""The time for a move, unless told otherwise."""

_MOST_BYTES = 2 * 2**30


class ObscuroPlayer:
    """Plays by continual search: belief, KLUSS subgame, PCFR+ on a growing tree, purified choice.

    Leaves are valued by the paper's simple evaluation (material and visible squares) with a search
    of captures.

    >>> from obscuro.fow import Board
    >>> board = Board()
    >>> player = ObscuroPlayer(AgentSettings(seed=1))
    >>> player.new_game(chess.WHITE)
    >>> player.observe(board.observation(chess.WHITE))
    >>> player.choose(Limits(nodes=2000)).move in board.legal_moves
    True
    """

    def __init__(self, settings: AgentSettings | None = None) -> None:
        self._settings = settings or AgentSettings()
        self._agent: _core.Agent | None = None
        self._started = False
        self._moved: chess.Move | None = None

    def new_game(self, color: chess.Color, start: str = STARTING_FEN) -> None:
        """Forgets the last game."""
        player = 0 if color == chess.WHITE else 1
        settings = self._settings.as_dict()
        self._agent = _core.Agent(fow_chess(start)._core, player, settings, "simple")
        self._started = False
        self._moved = None

    def observe(self, observation: Observation) -> None:
        """Takes in what is seen; the first observation is of the start."""
        if self._started and observation.outcome() is None:
            own = None if self._moved is None else encode(self._moved)
            self._playing().observe(observation._core, own)
            self._moved = None
        self._started = True

    def choose(self, limits: Limits) -> Decision:
        """Searches, and chooses a move."""
        search = SearchLimits(seconds=limits.seconds, nodes=limits.nodes, bytes=_MOST_BYTES)
        if limits.seconds is None and limits.nodes is None:
            search = SearchLimits(seconds=DEFAULT_SECONDS, bytes=_MOST_BYTES)
        number, _, report = self._playing().choose(search.as_dict())
        self._moved = decode(number)
        actions = report.pop("actions")
        strategy = {decode(a["action"]).uci(): a["played"] for a in actions if a["played"] > 0}
        report["moves"] = [{**a, "action": decode(a["action"]).uci()} for a in actions]
        return Decision(self._moved, strategy, report)

    def game_over(self, result: Result) -> None:
        """Lets the tree go."""
        self._agent = None

    def close(self) -> None:
        """Lets the tree go."""
        self._agent = None

    def _playing(self) -> _core.Agent:
        if self._agent is None:
            raise PlayerError("no game is being played: call new_game first")
        return self._agent

"""The player that searches: the paper's agent."""

import threading
import time
from typing import Any

import chess

from obscuro import _core
from obscuro.errors import ObservationError, PlayerError
from obscuro.eval.resolve import for_search
from obscuro.fow import STARTING_FEN, Board, Observation
from obscuro.fow.encoding import decode, encode
from obscuro.games import fow_chess
from obscuro.players.base import Decision, Limits, Result
from obscuro.players.settings import EngineSettings
from obscuro.players.timing import budget
from obscuro.search import Limits as SearchLimits

# Longer than any opponent thinks.
_PONDER_SECONDS = 3600.0


class ObscuroPlayer:
    """Plays by continual search: belief, KLUSS subgame, PCFR+ on a growing tree, purified choice.

    >>> from obscuro.players.settings import with_options
    >>> settings = with_options(EngineSettings(), {"seed": "1", "expanders": "0"})
    >>> board = Board()
    >>> player = ObscuroPlayer(settings)
    >>> player.new_game(chess.WHITE)
    >>> player.observe(board.observation(chess.WHITE))
    >>> player.choose(Limits(nodes=2000)).move in board.legal_moves
    True
    """

    def __init__(self, settings: EngineSettings | None = None) -> None:
        self.settings = settings or EngineSettings()
        self._color: chess.Color = chess.WHITE
        self._start = STARTING_FEN
        self._agent: _core.Agent | None = None
        self._stopper: _core.Stopper | None = None
        self._pondering: threading.Thread | None = None
        self._ponder_error: BaseException | None = None
        self._started = False
        self._moved: chess.Move | None = None
        self._observe_seconds = 0.0
        self._overhead = 0.0

    def new_game(self, color: chess.Color, start: str = STARTING_FEN) -> None:
        """Forgets the last game."""
        self._stop_pondering()
        self._color = color
        self._start = start
        settings = self.settings.search.as_dict()
        player = 0 if color == chess.WHITE else 1
        game = fow_chess(start)._core
        evaluator = for_search(game, self.settings.eval)
        self._agent = _core.Agent(game, player, settings, evaluator)
        self._stopper = self._agent.stopper()
        self._started = False
        self._moved = None
        self._observe_seconds = self._overhead = 0.0

    def observe(self, observation: Observation) -> None:
        """Takes in what is seen; the first observation is of the start.

        One that contradicts what was seen before is an `ObservationError` and changes nothing; see
        `resync`.
        """
        agent = self._playing()
        self._stop_pondering()
        if observation.color != self._color:
            raise ObservationError(
                f"the observation is {chess.COLOR_NAMES[observation.color]}'s, expected one of "
                f"{chess.COLOR_NAMES[self._color]}"
            )
        if not self._started:
            expected = Board(self._start).observation(self._color)
            if observation != expected:
                raise ObservationError(
                    f'the first observation is "{observation}", expected that of the start of the '
                    f'game, "{expected}"'
                )
            self._started = True
        elif observation.outcome() is None:
            began = time.monotonic()
            own = None if self._moved is None else encode(self._moved)
            agent.observe(observation._core, own)
            self._observe_seconds = max(self._observe_seconds, time.monotonic() - began)
            self._moved = None
        if observation.outcome() is None and (observation.turn != self._color):
            self._start_pondering()

    def resync(self, observation: Observation) -> None:
        """Goes on from an observation that contradicts what was seen before.

        The belief begins anew, as a guess: with positions that show what is seen now and have the
        material that can still be there. It takes the place of `observe` for this observation.
        """
        self._stop_pondering()
        self._playing().resync(observation._core)
        self._started = True
        self._moved = None

    def played(self, move: chess.Move) -> None:
        """Says that the player's last move was not the chosen one but this."""
        self._playing()
        self._moved = move

    def choose(self, limits: Limits) -> Decision:
        """Searches, and chooses a move."""
        agent = self._playing()
        self._stop_pondering()
        began = time.monotonic()
        search = self._limits(limits)
        try:
            number, _, report = agent.choose(search.as_dict())
        finally:
            self._reset_stop()
        self._moved = decode(number)
        spent = time.monotonic() - began
        overhead = self._observe_seconds + max(0.0, spent - report["search_seconds"])
        self._overhead = max(0.8 * self._overhead, overhead)
        self._observe_seconds = 0.0
        return self._decision(report)

    def stop(self) -> None:
        """Ends the search that is running, or else the next one, from any thread."""
        if self._stopper is not None:
            self._stopper.stop()

    def reset_stop(self) -> None:
        """Forgets a `stop` that came when the search had ended already."""
        self._reset_stop()

    def ponder(self, seconds: float = _PONDER_SECONDS) -> None:
        """Searches ahead while the opponent is to move, until `stop` or for so long.

        What is found is carried over to the next search.
        """
        agent = self._playing()
        self._stop_pondering()
        limits = SearchLimits(seconds=seconds, bytes=self.settings.memory_mb << 20)
        try:
            agent.ponder(limits.as_dict())
        finally:
            self._reset_stop()

    def game_over(self, result: Result) -> None:
        """Lets the tree go."""
        self.close()

    def close(self) -> None:
        """Lets the tree go."""
        self._stop_pondering()
        self._agent = self._stopper = None

    @property
    def belief_size(self) -> int:
        """|P|, the number of positions that are considered possible."""
        return self._playing().belief_len()

    def marginals(self) -> dict[str, list[float]]:
        """How likely each piece is to stand on each square, all of P being equally likely.

        By piece symbol, 64 numbers from a1 to h8. Only pieces of the opponent are uncertain.
        """
        agent = self._playing()
        counts = agent.marginals()
        if counts is None:
            raise PlayerError("this game has no marginals")
        total = agent.belief_len()
        return {
            symbol: [round(count / total, 4) for count in row]
            for symbol, row in zip("PNBRQKpnbrqk", counts.tolist(), strict=True)
        }

    def positions(self, n: int) -> list[tuple[str, float]]:
        """The likeliest positions of the last search's infoset, with their weights.

        As EPD, and by what the opponent's strategy at the root of the subgame makes of them.
        """
        weighted = sorted(self._playing().weighted_states(), key=lambda pair: -pair[1])
        return [(str(state), round(weight, 6)) for state, weight in weighted[:n]]

    def _playing(self) -> _core.Agent:
        if self._agent is None:
            raise PlayerError("no game is being played: call new_game first")
        return self._agent

    def _limits(self, limits: Limits) -> SearchLimits:
        settings = self.settings
        seconds, nodes = limits.seconds, limits.nodes
        if limits.clock is not None:
            planned = budget(limits.clock, self._overhead)
            seconds = planned if seconds is None else min(planned, seconds)
        if seconds is None and nodes is None:
            seconds, nodes = (
                (settings.seconds, None) if settings.nodes is None else (None, settings.nodes)
            )
        return SearchLimits(seconds=seconds, nodes=nodes, bytes=settings.memory_mb << 20)

    def _decision(self, report: dict[str, Any]) -> Decision:
        actions = report.pop("actions")
        moves = [{"move": decode(entry.pop("action")).uci(), **entry} for entry in actions]
        moves.sort(key=lambda entry: -entry["probability"])
        report["moves"] = moves
        if self.settings.marginals:
            report["marginals"] = self.marginals()
        if self.settings.positions:
            report["positions"] = self.positions(self.settings.positions)
        strategy = {entry["move"]: entry["played"] for entry in moves if entry["played"] > 0}
        return Decision(self._moved, strategy, report)

    def _start_pondering(self) -> None:
        if not self.settings.ponder or self._agent is None:
            return
        limits = SearchLimits(seconds=_PONDER_SECONDS, bytes=self.settings.memory_mb << 20)
        agent = self._agent

        def run() -> None:
            try:
                agent.ponder(limits.as_dict())
            except BaseException as error:
                self._ponder_error = error

        self._pondering = threading.Thread(target=run, name="obscuro-ponder", daemon=True)
        self._pondering.start()

    def _stop_pondering(self) -> None:
        if self._pondering is None:
            return
        stopper = self._stopper
        if stopper is not None:
            stopper.stop()
        self._pondering.join()
        self._pondering = None
        self._reset_stop()
        if self._ponder_error is not None:
            error, self._ponder_error = self._ponder_error, None
            raise error

    def _reset_stop(self) -> None:
        if self._stopper is not None:
            self._stopper.reset()

"""Games of OpenSpiel."""

import importlib
from dataclasses import dataclass, field
from difflib import get_close_matches
from types import ModuleType
from typing import TYPE_CHECKING

from obscuro.errors import GameError, MissingPackageError
from obscuro.games.base import TERMINAL

if TYPE_CHECKING:
    import pyspiel


@dataclass(frozen=True)
class OpenSpielState:
    """A state of a game of OpenSpiel, known by its history.

    Attributes:
        history: All actions and outcomes of chance so far.
    """

    history: tuple[int, ...]
    state: "pyspiel.State" = field(compare=False, repr=False)
    # What each player saw here.
    seen: tuple["OpenSpielObservation", "OpenSpielObservation"] = field(compare=False, repr=False)


@dataclass(frozen=True)
class OpenSpielObservation:
    """What a player of a game of OpenSpiel sees.

    Attributes:
        information: OpenSpiel's information state string of the player.
        turn: Whether the player is to move, as one of OpenSpiel's strings need not say.
        over: Whether the game is over.
        news: Whether any of this is new.
    """

    information: str
    turn: bool
    over: bool
    news: bool


class OpenSpielGame:
    """A two-player zero-sum game of OpenSpiel, made by `from_openspiel`."""

    def __init__(self, game: "pyspiel.Game") -> None:
        self.game = game
        self._error = _pyspiel().SpielError

    @property
    def name(self) -> str:
        """OpenSpiel's name of the game, with parameters."""
        return str(self.game)

    def root(self) -> OpenSpielState:
        """The state at the start."""
        return self._state((), self.game.new_initial_state(), None)

    def turn(self, state: OpenSpielState, /) -> int:
        """Whose turn it is: 0, 1, `CHANCE` or `TERMINAL`."""
        return int(state.state.current_player())

    def actions(self, state: OpenSpielState, /) -> list[int]:
        """What the player to move can do."""
        return list(state.state.legal_actions())

    def chance(self, state: OpenSpielState, /) -> list[tuple[int, float]]:
        """The outcomes of chance with their probabilities."""
        return [(int(outcome), float(p)) for outcome, p in state.state.chance_outcomes()]

    def apply(self, state: OpenSpielState, action: int, /) -> OpenSpielState:
        """The state after an action or an outcome of chance."""
        return self._state((*state.history, action), state.state.child(action), state)

    def observe(self, state: OpenSpielState, player: int, /) -> OpenSpielObservation:
        """What player 0 or 1 is told on arriving at a state."""
        return state.seen[player]

    def is_silent(self, observation: OpenSpielObservation, /) -> bool:
        """Whether a player who waits has learnt nothing."""
        return not observation.news

    def payoff(self, state: OpenSpielState, /) -> float:
        """What player 0 gets at the end."""
        return float(state.state.returns()[0])

    def max_payoff(self) -> float:
        """The largest absolute payoff."""
        return max(abs(float(self.game.max_utility())), abs(float(self.game.min_utility())))

    def action_text(self, state: OpenSpielState, action: int, /) -> str:
        """OpenSpiel's words for an action or an outcome of chance."""
        player = state.state.current_player()
        return str(state.state.action_to_string(player, action))

    def observation_text(self, observation: OpenSpielObservation, /) -> str:
        """OpenSpiel's string; nothing for the end, where there is none."""
        return observation.information

    def state_text(self, state: OpenSpielState, /) -> str:
        """OpenSpiel's words for the state."""
        return str(state.state)

    def _state(
        self, history: tuple[int, ...], state: "pyspiel.State", before: OpenSpielState | None
    ) -> OpenSpielState:
        seen = (self._observe(state, 0, before), self._observe(state, 1, before))
        return OpenSpielState(history, state, seen)

    def _observe(
        self, state: "pyspiel.State", player: int, before: OpenSpielState | None
    ) -> OpenSpielObservation:
        mover = int(state.current_player())
        known = "" if before is None else before.seen[player].information
        if mover == TERMINAL:
            return OpenSpielObservation(known, turn=False, over=True, news=True)
        turn = mover == player
        try:
            information = str(state.information_state_string(player))
        except self._error:
            # Some games have no string for a player who waits: such a one has learnt nothing.
            if turn:
                raise
            information = known
        news = turn or before is None or information != known
        return OpenSpielObservation(information, turn=turn, over=False, news=news)

    def __repr__(self) -> str:
        return f"<OpenSpielGame {self.name}>"


def from_openspiel(game: "str | pyspiel.Game") -> OpenSpielGame:
    """A game of OpenSpiel, by its name or as a `pyspiel.Game`, for everything that takes a game.

    It must have two players, be zero-sum, and give information state strings; simultaneous moves
    are made one after the other, hidden from each other. Any other game is a `GameError` that
    says why. A player's infoset is OpenSpiel's, with the own past remembered.

        >>> from obscuro import games, search
        >>> solution = search.solve(games.from_openspiel("leduc_poker"))  # doctest: +SKIP
    """
    pyspiel = _pyspiel()
    if isinstance(game, str):
        game = _load(pyspiel, game)
    elif not isinstance(game, pyspiel.Game):
        kind = type(game).__name__
        raise GameError(f"expected a name or a pyspiel.Game, not a {kind}")
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        game = pyspiel.convert_to_turn_based(game)
    if reason := _unsuitable(pyspiel, game):
        raise GameError(f"OpenSpiel's {game} cannot be used: {reason}")
    return OpenSpielGame(game)


def _load(pyspiel: ModuleType, name: str) -> "pyspiel.Game":
    word = name.partition("(")[0].strip()
    known = pyspiel.registered_names()
    if word not in known:
        near = get_close_matches(word, known, n=1, cutoff=0.0)[0]
        raise GameError(f"OpenSpiel has no game {word!r}; did you mean {near!r}?")
    try:
        return pyspiel.load_game(name)
    except pyspiel.SpielError as error:
        raise GameError(f"OpenSpiel cannot load {name!r}: {error}") from error


def _unsuitable(pyspiel: ModuleType, game: "pyspiel.Game") -> str | None:
    """Why a game is not one of ours."""
    kind = pyspiel.GameType
    if game.num_players() != 2:
        return f"it has {game.num_players()} players, expected 2"
    if game.get_type().dynamics != kind.Dynamics.SEQUENTIAL:
        return "its dynamics are those of a mean field, expected turns"
    if game.get_type().utility != kind.Utility.ZERO_SUM:
        return "it is not zero-sum"
    if game.get_type().chance_mode == kind.ChanceMode.SAMPLED_STOCHASTIC:
        return "its chance is sampled, expected explicit probabilities"
    if not game.get_type().provides_information_state_string:
        return "it gives no information state strings, which say what a player knows"
    return None


def _pyspiel() -> ModuleType:
    try:
        return importlib.import_module("pyspiel")
    except ImportError as error:
        raise MissingPackageError(
            "open_spiel is not installed: pip install 'obscuro[openspiel]'"
        ) from error

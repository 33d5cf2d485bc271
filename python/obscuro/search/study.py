"""Searches from roots made by hand: who knows what is given, not derived from a game."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from obscuro import _core
from obscuro.errors import SearchError
from obscuro.eval.resolve import for_search
from obscuro.games import AnyGame
from obscuro.games.check import core
from obscuro.search.agent import AgentSettings, Evaluator, Limits

A = TypeVar("A")


@dataclass(frozen=True)
class Root:
    """A state that chance may draw at the root of a study, and who can tell it from which others.

    Attributes:
        state: A state of the game; for Fog of War chess a `Board` too.
        infosets: A label for each player: roots that have the same label for a player are in one
            infoset of theirs. `None`: the player knows this state.
        probability: How often chance draws it, in any unit common to all roots.
    """

    state: Any
    infosets: tuple[Hashable, Hashable] = (None, None)
    probability: float = 1.0


@dataclass(frozen=True)
class StudyAction(Generic[A]):
    """What a study found about an action.

    Attributes:
        action: The action.
        probability: Its probability.
        value: Its value for player 0, given the infoset of the player to move, if it is known.
    """

    action: A
    probability: float
    value: float | None


class Study:
    """A search from a root made by hand.

    Chance draws one of the roots, and each player knows its own label alone. Both players'
    strategies are an equilibrium of the tree that is grown; there is no belief and no gadget.

    Here the first player of Kuhn poker has the king and has bet, and the second one, who has the
    queen, thinks that it might as well be the jack:

    >>> from obscuro import games
    >>> kuhn = games.load("kuhn_poker")
    >>> def dealt(card):
    ...     return kuhn.apply(kuhn.apply(kuhn.apply(kuhn.root(), card), 1), 1)
    >>> roots = [Root(dealt(2), ("king", "?"), 0.6), Root(dealt(0), ("jack", "?"), 0.4)]
    >>> study = Study(kuhn, roots)
    >>> _ = study.search(Limits(iterations=200))
    >>> [(kuhn.action_text(dealt(2), a.action), round(a.probability)) for a in study.strategy(0)]
    [('Pass', 0), ('Bet', 1)]
    >>> round(study.value, 2)
    0.2
    """

    def __init__(
        self,
        game: AnyGame,
        roots: Sequence[Root],
        settings: AgentSettings | None = None,
        *,
        evaluator: Evaluator = "zero",
    ) -> None:
        if not roots:
            raise SearchError("a study has no roots, expected at least one")
        self.game = game
        self.roots = tuple(roots)
        labels: tuple[dict[Hashable, int], dict[Hashable, int]] = ({}, {})
        given = []
        for place, root in enumerate(self.roots):
            numbers = []
            for player in (0, 1):
                label = root.infosets[player]
                # One that is nobody else's.
                key = ("alone", place) if label is None else ("with", label)
                numbers.append(labels[player].setdefault(key, len(labels[player])))
            state = getattr(root.state, "_core", root.state)
            given.append((state, numbers[0], numbers[1], float(root.probability)))
        settings = settings or AgentSettings()
        rules = core(game)
        leaves = for_search(rules, evaluator)
        self._core = _core.Study(rules, given, settings.as_dict(), leaves)
        self._stopper = self._core.stopper()

    def search(self, limits: Limits) -> dict[str, Any]:
        """Searches, going on where the last search ended; gives its counts as plain data."""
        try:
            return self._core.search(limits.as_dict())
        finally:
            self._stopper.reset()

    def stop(self) -> None:
        """Ends the search that is running, from any thread."""
        self._stopper.stop()

    @property
    def value(self) -> float:
        """The value for player 0, in [-1, 1]."""
        return self._core.value()

    def strategy(self, root: int, line: Sequence[Any] = ()) -> list[StudyAction[Any]]:
        """What the player to move does after a line of actions from a root.

        Empty where the game is over, where chance moves, and where the tree ends.
        """
        return [StudyAction(*found) for found in self._core.strategy(root, list(line))]

    def state(self, root: int, line: Sequence[Any] = ()) -> Any:  # noqa: ANN401
        """The state after a line of actions from a root."""
        return self._core.state(root, list(line))

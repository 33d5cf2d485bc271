"""A player of any game by continual search: the paper's five steps."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from obscuro import _core
from obscuro.errors import PlayerError
from obscuro.eval import Evaluator as LeafEvaluator
from obscuro.eval.resolve import for_search
from obscuro.games import AnyGame
from obscuro.games.check import core
from obscuro.search.exact import Exploitability, exploitability
from obscuro.search.strategy import Strategy
from obscuro.search.table import Table

A = TypeVar("A")
"""An action: a number in a native game, anything in a game of your own."""

Evaluator: TypeAlias = (
    "str | int | LeafEvaluator | Callable[[Any, list[Any], list[Any]], Sequence[float]]"
)
"""What values the leaves of the tree, from player 0's side and in [-1, 1].

`"zero"` knows nothing; `"exact"` solves the rest of the game as if nothing were hidden (small games
only); a number plays so many random games from each leaf; a function gets a state, its actions and
its children, and gives the value of each child. Fog of War chess takes an `obscuro.eval.Evaluator`
too, or the text that one is made of: `"network"`, `"simple"`, or a network's file.
"""


@dataclass(frozen=True)
class Limits:
    """When a search ends: at the first of these that is reached. One at least is needed.

    Nodes, bytes and expansions end the growing of the tree only; if seconds or iterations are
    given too, it is solved on until then.

    >>> Limits(iterations=1000).seconds is None
    True
    """

    seconds: float | None = None
    nodes: int | None = None
    bytes: int | None = None
    expansions: int | None = None
    iterations: int | None = None

    def as_dict(self) -> dict[str, Any]:
        """The limits by name."""
        return asdict(self)


@dataclass(frozen=True)
class AgentSettings:
    """All that can be switched about an agent; the defaults are the paper's, in one thread.

    Attributes:
        scope: What of the last tree belongs to the subgame: `"kluss"` (of knowledge order
            `order`), `"klss"` (the same nodes, our strategy outside our own infoset frozen) or
            `"common"` (the common-knowledge set).
        order: The k of k-KLUSS, an even number.
        gadget: `"both"`, `"resolve"` or `"maxmargin"`.
        prior: The opponent's prior in Resolve, `"mixed"` or `"uniform"`.
        alternate: Alternate values by the current `"profile"` or by `"best-response"`.
        purification: `"partial"` (mix over at most `max_actions` stable actions when safe, else
            play the likeliest), `"full"` (always the likeliest), `"stable"` (all stable actions)
            or `"off"`.
        max_actions: The most actions that partial purification mixes.
        iterate: The `"last"` iterate of the solver is the strategy, or the `"average"`.
        exploring: `"one-sided"` GT-CFR or `"two-sided"`.
        c: C of PUCT, in units of the largest payoff.
        spread: σ of PUCT, the `"variance"` or the `"deviation"`.
        samples: When a value counts for σ: `"when-chosen"` or at `"every-visit"`.
        sample: How many states of our infoset there are at least, if so many are possible.
        expanders: Expander threads beside the solver's; 0 is one thread and reproducible.
        settle: Seconds for which the solver goes on alone at the end, with threads.
        walks: Walks of the expander in turn with `iterations`, in one thread.
        iterations: Solver iterations in turn with `walks`, in one thread.
        blueprint: How long to search from the start before the game begins, if at all.
        belief_cap: The states that the belief keeps at most.
        seed: Of all random choices.
    """

    scope: Literal["kluss", "klss", "common"] = "kluss"
    order: int = 2
    gadget: Literal["both", "resolve", "maxmargin"] = "both"
    prior: Literal["mixed", "uniform"] = "mixed"
    alternate: Literal["profile", "best-response"] = "profile"
    purification: Literal["partial", "full", "stable", "off"] = "partial"
    max_actions: int = 3
    iterate: Literal["last", "average"] = "last"
    exploring: Literal["one-sided", "two-sided"] = "one-sided"
    c: float = 1.0
    spread: Literal["variance", "deviation"] = "variance"
    samples: Literal["when-chosen", "every-visit"] = "when-chosen"
    sample: int = 256
    expanders: int = 0
    settle: float = 0.05
    walks: int = 1
    iterations: int = 1
    blueprint: Limits | None = None
    belief_cap: int = 4_000_000
    seed: int = 0

    def as_dict(self) -> dict[str, Any]:
        """The settings by name."""
        return asdict(self)


@dataclass(frozen=True)
class ActionReport(Generic[A]):
    """What a search found about an action.

    Attributes:
        action: The action.
        probability: Its probability in the computed strategy.
        value: Its value for the agent, in [-1, 1], if the solver has seen it.
        stable: Whether it was played in every iteration of the second half of the search.
        played: The probability with which it is played, after purification.
    """

    action: A
    probability: float
    value: float | None
    stable: bool
    played: float


@dataclass(frozen=True)
class Decision(Generic[A]):
    """What an agent does, and why.

    Attributes:
        action: The action.
        value: What the agent expects of the game, in [-1, 1].
        actions: What it found about each legal action.
        report: Counts of the search, as plain data: `belief` (|P|), `exactness`, `sampled`,
            `nodes`, `infosets`, `iterations`, `p_max` and so on.
    """

    action: A
    value: float
    actions: tuple[ActionReport[A], ...]
    report: dict[str, Any]


class Agent:
    """Plays one game as one player; it is told observations, and nothing else.

    It is a player as `obscuro` means it: `new_game`, then `observe` after every ply, `choose` when
    it is its turn, `game_over` at the end. What is silent (`Game.is_silent`) may be told or not.

    >>> from obscuro import games
    >>> kuhn = games.load("kuhn_poker")
    >>> agent = Agent(kuhn, AgentSettings(blueprint=Limits(iterations=500)))
    >>> agent.new_game(0)
    >>> state = kuhn.root()
    >>> for card in (2, 0):
    ...     state = kuhn.apply(state, card)
    ...     agent.observe(kuhn.observe(state, 0))
    >>> decision = agent.choose(Limits(iterations=500))
    >>> decision.action in agent.actions
    True
    >>> decision.report["belief"]
    2
    """

    def __init__(
        self,
        game: AnyGame,
        settings: AgentSettings | None = None,
        *,
        evaluator: Evaluator = "zero",
    ) -> None:
        self.game = game
        self.settings = settings or AgentSettings()
        self._evaluator = evaluator
        self._core: _core.Agent | None = None
        self._chosen: Any = None

    def new_game(self, player: int) -> None:
        """Begins a game as player 0 or 1."""
        settings = self.settings.as_dict()
        game = core(self.game)
        evaluator = for_search(game, self._evaluator)
        self._core = _core.Agent(game, player, settings, evaluator)
        self._chosen = None

    def observe(self, observation: Any, action: Any = None) -> None:  # noqa: ANN401
        """Takes in what is seen after one more ply.

        `action` is the agent's own if it was its ply; left out, it is what `choose` gave. An
        observation that contradicts what was seen before is an `ObservationError` and changes
        nothing.
        """
        playing = self._playing()
        if action is None and self._chosen is not None:
            action = self._chosen[0]
        playing.observe(observation, action)
        self._chosen = None

    def choose(self, limits: Limits) -> Decision[Any]:
        """Searches, and chooses an action."""
        action, _, report = self._playing().choose(limits.as_dict())
        actions = tuple(ActionReport(**entry) for entry in report.pop("actions"))
        self._chosen = (action,)
        return Decision(action, report["value"], actions, report)

    def game_over(self, payoff: float) -> None:
        """The game has ended; player 0 got `payoff`."""
        self._playing()
        self._core = None

    @property
    def actions(self) -> list[Any]:
        """The agent's legal actions; none unless it is its turn."""
        return self._playing().actions()

    @property
    def is_our_turn(self) -> bool:
        """Whether it is the agent's turn, as far as it has been told."""
        return self._playing().is_our_turn()

    @property
    def belief_size(self) -> int:
        """|P|, the number of states that the agent considers possible."""
        return self._playing().belief_len()

    def belief(self, n: int, *, seed: int = 0) -> list[Any]:
        """`n` different states that the agent considers possible, or all if there are no more."""
        return self._playing().belief_sample(n, seed)

    def fork(self) -> "Agent":
        """An agent that stands where this one stands, and goes its own way."""
        other = Agent(self.game, self.settings, evaluator=self._evaluator)
        other._core = self._playing().fork()
        other._chosen = self._chosen
        return other

    def _playing(self) -> _core.Agent:
        if self._core is None:
            raise PlayerError("no game is being played: call new_game first")
        return self._core


def agent_strategy(
    table: Table,
    settings: AgentSettings,
    limits: Limits,
    *,
    evaluator: Evaluator = "zero",
) -> Strategy:
    """What agents with these settings play at every infoset that they can reach, for both players.

    The agent is asked at each of them, having played and seen what leads there; elsewhere the
    strategy is uniform. For small games and searches that are reproducible.
    """
    arrays = Strategy.uniform(table).probabilities
    for player in (0, 1):
        agent = Agent(table.game, settings, evaluator=evaluator)
        agent.new_game(player)
        played = agent._playing().whole_strategy(limits.as_dict())
        for infoset in table.infosets(player):
            if infoset.key in played:
                arrays[player][infoset.sequences] = played[infoset.key]
    return Strategy(table, arrays)


def agent_exploitability(
    game: AnyGame,
    settings: AgentSettings,
    limits: Limits,
    *,
    evaluator: Evaluator = "zero",
) -> Exploitability:
    """How much a perfect opponent wins against agents with these settings, exactly.

    >>> from obscuro import games
    >>> settings = AgentSettings(blueprint=Limits(iterations=300), purification="off")
    >>> found = agent_exploitability(games.load("kuhn_poker"), settings, Limits(iterations=300))
    >>> found.mean < 0.1
    True
    """
    table = Table(game)
    return exploitability(table, agent_strategy(table, settings, limits, evaluator=evaluator))

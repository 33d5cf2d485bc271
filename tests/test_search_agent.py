"""The agent from Python: it plays any game, and its errors change nothing."""

import random
from typing import Any

import pytest

from obscuro import games, search
from obscuro.errors import ContractError, GameError, ObservationError, PlayerError, SearchError
from obscuro.search import Agent, AgentSettings, Limits
from twin_games import Kuhn

QUICK = Limits(iterations=60)
PLAYED = ["kuhn_poker", "leduc_poker", "liars_dice(dice_sides=3)", "goofspiel(num_cards=3)"]
SILENT = ["phantom_ttt", "dark_hex(num_rows=2,num_cols=2)", "phantom_ttt(gameversion=abrupt)"]


def play(game: games.AnyGame, settings: AgentSettings, seed: int, **options: Any) -> float:  # noqa: ANN401
    """A game of two agents, with a referee that alone knows the state."""
    rng = random.Random(seed)
    agents = [Agent(game, settings, **options) for _ in range(2)]
    for player, agent in enumerate(agents):
        agent.new_game(player)
    state = game.root()
    while (turn := game.turn(state)) != games.TERMINAL:
        if turn == games.CHANCE:
            outcomes = game.chance(state)
            action = rng.choices([o for o, _ in outcomes], [p for _, p in outcomes])[0]
        else:
            assert agents[turn].is_our_turn
            assert not agents[1 - turn].is_our_turn
            decision = agents[turn].choose(QUICK)
            action = decision.action
            assert action in game.actions(state)
            assert [report.action for report in decision.actions] == game.actions(state)
            assert sum(report.played for report in decision.actions) == pytest.approx(1)
        state = game.apply(state, action)
        for player, agent in enumerate(agents):
            agent.observe(game.observe(state, player))
            # While the opponent moves in silence, the belief waits for news.
            if game.turn(state) == player:
                assert state in agent.belief(agent.belief_size)
    payoff = game.payoff(state)
    for agent in agents:
        agent.game_over(payoff)
    return payoff


@pytest.mark.parametrize("name", PLAYED)
def test_agents_play_native_games(name: str) -> None:
    for seed in range(4):
        play(games.load(name), AgentSettings(seed=seed), seed)


@pytest.mark.parametrize("name", SILENT)
def test_agents_play_games_with_silent_plies(name: str) -> None:
    for seed in range(2):
        play(games.load(name), AgentSettings(seed=seed, sample=40), seed)


def test_agents_play_a_game_written_in_python() -> None:
    for seed in range(4):
        play(Kuhn(), AgentSettings(seed=seed, blueprint=QUICK), seed)


def test_agents_play_fow_chess() -> None:
    game = games.fow_chess("4k3/8/8/8/8/8/3PP3/3QK3 w - - 0 1", plies=6)
    play(game, AgentSettings(sample=20), 1, evaluator=1)


def test_agents_play_in_threads() -> None:
    play(games.load("leduc_poker"), AgentSettings(expanders=1, settle=0.0), 3)


@pytest.mark.parametrize("evaluator", ["zero", "exact", 3, lambda s, a, c: [0.5] * len(c)])
def test_agents_play_with_any_evaluator(evaluator: search.Evaluator) -> None:
    play(games.load("leduc_poker"), AgentSettings(), 5, evaluator=evaluator)


def test_the_native_and_the_python_game_are_played_alike() -> None:
    settings = AgentSettings(blueprint=Limits(iterations=200), purification="off")
    for game in (games.load("kuhn_poker"), Kuhn()):
        found = search.agent_exploitability(game, settings, Limits(iterations=200))
        assert found.mean < 0.1
        assert found.value == pytest.approx(-1 / 18, abs=0.05)


def test_searches_are_reproducible() -> None:
    found = [
        search.agent_strategy(
            search.Table(games.load("leduc_poker")), AgentSettings(seed=seed), Limits(iterations=40)
        ).to_dicts()
        for seed in (1, 1, 2)
    ]
    assert found[0] == found[1]
    assert found[0] != found[2]


def dealt(agent: Agent, cards: tuple[int, int]) -> Any:  # noqa: ANN401
    """Kuhn poker after the deal, told to the agent."""
    game = agent.game
    agent.new_game(0)
    state = game.root()
    for card in cards:
        state = game.apply(state, card)
        agent.observe(game.observe(state, 0))
    return state


def test_errors_change_nothing() -> None:
    kuhn = games.load("kuhn_poker")
    agent = Agent(kuhn)
    with pytest.raises(PlayerError, match="call new_game first"):
        agent.choose(QUICK)
    agent.new_game(0)
    with pytest.raises(PlayerError, match="not its turn"):
        agent.choose(QUICK)
    state = dealt(agent, (1, 0))
    before = agent.belief(10)
    over = kuhn.apply(kuhn.apply(state, 0), 0)
    with pytest.raises(ObservationError, match="impossible"):
        agent.observe(kuhn.observe(over, 0))
    with pytest.raises(GameError, match="action 7 is not legal"):
        agent.observe(kuhn.observe(kuhn.apply(state, 0), 0), 7)
    with pytest.raises(GameError, match="is not an observation of kuhn_poker"):
        agent.observe("a card")
    with pytest.raises(SearchError, match="no limit"):
        agent.choose(Limits())
    with pytest.raises(SearchError, match="seconds is -1"):
        agent.choose(Limits(seconds=-1))
    assert agent.belief(10) == before
    assert agent.choose(QUICK).action in agent.actions
    agent.game_over(1)
    with pytest.raises(PlayerError):
        _ = agent.actions


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"scope": "all"}, "scope is 'all'|scope is \"all\""),
        ({"order": 3}, "order is 3, expected an even number"),
        ({"purification": "none"}, "expected one of partial, full, stable, off"),
        ({"seed": -1}, 'the setting "seed"'),
    ],
)
def test_wrong_settings_are_named(wrong: dict[str, Any], message: str) -> None:
    agent = Agent(games.load("kuhn_poker"), AgentSettings(**wrong))
    with pytest.raises(SearchError, match=message):
        agent.new_game(0)


def test_an_exception_of_the_evaluator_is_raised_and_changes_nothing() -> None:
    calls = 0

    def fails(state: object, actions: list[object], children: list[object]) -> list[float]:
        nonlocal calls
        calls += 1
        if calls == 5:
            raise ZeroDivisionError("on purpose")
        return [0.0] * len(children)

    agent = Agent(games.load("kuhn_poker"), evaluator=fails)
    dealt(agent, (2, 1))
    with pytest.raises(ZeroDivisionError, match="on purpose"):
        agent.choose(QUICK)
    assert agent.belief_size == 2
    assert agent.choose(QUICK).action in agent.actions


@pytest.mark.parametrize("answer", [[2.0, 0.0], [0.0], "high", [float("nan")] * 2])
def test_an_evaluator_that_gives_nonsense_is_told_so(answer: object) -> None:
    agent = Agent(games.load("kuhn_poker"), evaluator=lambda *_: answer)  # type: ignore[arg-type]
    with pytest.raises((ContractError, TypeError)):
        agent.new_game(0)


def test_an_exception_of_the_game_is_raised_and_changes_nothing() -> None:
    class Moody(Kuhn):
        moody = False

        def apply(self, state: Any, action: Any) -> Any:  # noqa: ANN401
            if self.moody:
                raise RuntimeError("not today")
            return super().apply(state, action)

    game = Moody()
    agent = Agent(game)
    agent.new_game(0)
    state = game.root()
    for _ in range(2):
        state = game.apply(state, game.chance(state)[0][0])
        agent.observe(game.observe(state, 0))
    size = agent.belief_size
    game.moody = True
    with pytest.raises(RuntimeError, match="not today"):
        agent.choose(QUICK)
    game.moody = False
    assert agent.belief_size == size
    assert agent.choose(QUICK).action in game.actions(state)


def test_forks_go_their_own_ways() -> None:
    kuhn = games.load("kuhn_poker")
    agent = Agent(kuhn)
    state = dealt(agent, (0, 2))
    other = agent.fork()
    after = kuhn.apply(state, 0)
    agent.observe(kuhn.observe(after, 0), 0)
    assert not agent.is_our_turn
    assert other.is_our_turn
    assert other.choose(QUICK).action in (0, 1)

"""Solving whole games: the CFR family against linear programs and known values."""

import itertools
import json
import math
import time
from pathlib import Path

import numpy as np
import pytest

from obscuro import games, search
from obscuro.errors import (
    ContractError,
    FileError,
    GameError,
    GameTooLargeError,
    MissingPackageError,
    SolverError,
    StrategyError,
)
from obscuro.games import registry
from obscuro.search import linear_program
from twin_games import Card, DarkHex, Kuhn, KuhnState

GOLDEN = Path(__file__).parent.parent / "crates" / "games" / "tests" / "golden" / "openspiel.json"
VALUES = {
    name: measured["value"]
    for name, measured in json.loads(GOLDEN.read_text(encoding="utf-8"))["games"].items()
    if "value" in measured
}
KNOWN = {"kuhn_poker": -1 / 18, "leduc_poker": -0.0856064}
CORRIDOR = Path(__file__).parent.parent / "examples" / "corridor.py"


@pytest.mark.parametrize(("name", "value"), KNOWN.items())
def test_known_values(name: str, value: float) -> None:
    assert search.equilibrium(games.load(name)).value == pytest.approx(value, abs=1e-7)


def test_there_are_values_to_compare_with() -> None:
    assert len(VALUES) >= 10


@pytest.mark.parametrize(("name", "value"), VALUES.items())
def test_equilibria_have_the_values_of_openspiels_trees(name: str, value: float) -> None:
    """These values come from another program, over trees walked in OpenSpiel."""
    solution = search.equilibrium(games.load(name))
    assert solution.value == pytest.approx(value, abs=1e-8)
    assert solution.exploitability < 1e-8


@pytest.mark.parametrize("algorithm", search.ALGORITHMS)
@pytest.mark.parametrize("name", VALUES)
def test_cfr_agrees_with_the_linear_program(name: str, algorithm: search.Algorithm) -> None:
    table = search.Table(games.load(name))
    solution = search.solve(table, algorithm, iterations=1000)
    exact = search.equilibrium(table)
    bound = 0.05 * table.max_payoff
    assert -1e-12 <= solution.exploitability < bound
    # The value of a strategy is off by no more than what the players could gain.
    assert abs(solution.value - exact.value) <= 2 * solution.exploitability + 1e-9


def test_an_equilibrium_of_a_game_in_python() -> None:
    assert search.equilibrium(Kuhn()).value == pytest.approx(-1 / 18)
    corridor = games.find(f"{CORRIDOR}:Corridor")
    exact = search.equilibrium(corridor)
    assert exact.value == pytest.approx(5 / 32)
    assert search.solve(corridor, target=1e-6).value == pytest.approx(exact.value, abs=1e-5)


def test_fow_chess_with_few_plies() -> None:
    # White's rook takes the king at once, unless Black is to move and steps aside.
    won = games.fow_chess("k7/8/8/8/8/8/8/R6K w - - 0 1", plies=2)
    assert search.equilibrium(won).value == pytest.approx(1)
    quiet = games.fow_chess("k7/8/8/8/8/8/8/7K w - - 0 1", plies=3)
    assert search.equilibrium(quiet).value == pytest.approx(0)


def test_exploitability_is_zero_sum_arithmetic() -> None:
    table = search.Table(games.load("leduc_poker"))
    solution = search.solve(table, iterations=20)
    found = search.exploitability(table, solution.strategy)
    assert found.value == pytest.approx(search.expected_value(table, solution.strategy))
    assert found.mean == pytest.approx(sum(found.gains) / 2) == pytest.approx(found.nash_conv / 2)
    for player in (0, 1):
        response = search.best_response(table, solution.strategy, player)
        assert response.value == pytest.approx(found.best_responses[player])
        sign = 1 - 2 * player
        assert sign * search.expected_value(table, response.strategy) == pytest.approx(
            response.value
        )


def test_expected_value_by_walking_the_game() -> None:
    game = Kuhn()
    solution = search.solve(game, "cfr", iterations=7)
    one, two = solution.strategy.to_dicts()

    def value(state: KuhnState) -> float:
        turn = game.turn(state)
        if turn == games.TERMINAL:
            return game.payoff(state)
        if turn == games.CHANCE:
            return math.fsum(p * value(game.apply(state, card)) for card, p in game.chance(state))
        played = (one, two)[turn][repr(game.observe(state, turn))]
        return math.fsum(p * value(game.apply(state, action)) for action, p in played.items())

    assert value(((), "")) == pytest.approx(solution.value, abs=1e-12)


def test_what_ends_a_solve() -> None:
    game = games.load("leduc_poker")
    assert search.solve(game).history[-1].iterations == search.DEFAULT_ITERATIONS
    assert search.solve(game, iterations=37).history[-1].iterations == 37
    reached = search.solve(game, target=0.01)
    assert reached.exploitability <= 0.01 < reached.history[-2].exploitability
    start = time.perf_counter()
    timed = search.solve(game, seconds=0.05)
    assert timed.history[-1].seconds >= 0.05
    assert time.perf_counter() - start < 5
    either = search.solve(game, target=0.01, iterations=3)
    assert either.history[-1].iterations == 3


def test_history() -> None:
    points: list[search.Point] = []
    solution = search.solve(games.load("kuhn_poker"), iterations=100, callback=points.append)
    assert tuple(points) == solution.history
    for before, after in itertools.pairwise(points):
        assert before.iterations < after.iterations <= math.ceil(before.iterations * 1.2) + 1
        assert before.seconds <= after.seconds
    assert (points[-1].value, points[-1].exploitability) == (
        solution.value,
        solution.exploitability,
    )


def test_an_exception_of_the_callback_comes_through() -> None:
    def stop(point: search.Point) -> None:
        raise InterruptedError(f"at {point.iterations}")

    with pytest.raises(InterruptedError, match="at 1"):
        search.solve(games.load("kuhn_poker"), callback=stop)


def test_the_same_solve_gives_the_same_strategy() -> None:
    game = games.load("leduc_poker")
    first, second = (search.solve(game, iterations=50).strategy for _ in range(2))
    for player in (0, 1):
        assert np.array_equal(first.probabilities[player], second.probabilities[player])


def test_pruning_changes_nothing() -> None:
    game = games.load("leduc_poker")
    plain, pruned = (search.solve(game, iterations=100, prune=prune) for prune in (False, True))
    assert pruned.value == pytest.approx(plain.value, abs=1e-12)


def test_last_iterates() -> None:
    game = games.load("kuhn_poker")
    last = search.solve(game, iterations=200, iterate="last")
    average = search.solve(game, iterations=200)
    for player in (0, 1):
        numbers = last.strategy.probabilities[player]
        assert np.array_equal(numbers, average.last.probabilities[player])
        assert not np.array_equal(numbers, average.strategy.probabilities[player])


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"algorithm": "pcfr"}, StrategyError, "expected one of cfr, cfr+, dcfr, pcfr+"),
        ({"iterate": "first"}, StrategyError, "expected 'average' or 'last'"),
        ({"iterations": 0}, ValueError, "iterations must be above 0"),
        ({"target": -1.0}, ValueError, "target must be above 0"),
        ({"seconds": math.nan}, ValueError, "seconds must be above 0"),
    ],
)
def test_wrong_options(options: dict[str, object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message.replace("+", r"\+")):
        search.solve(games.load("kuhn_poker"), **options)  # type: ignore[arg-type]


def test_games_that_are_too_large() -> None:
    with pytest.raises(GameTooLargeError, match="more than 1000 histories"):
        search.Table(games.load("phantom_ttt"), max_histories=1000)
    with pytest.raises(GameTooLargeError, match="longer than 5 plies"):
        search.Table(DarkHex(3, 3), max_depth=5)
    with pytest.raises(ValueError, match="must be at least 1"):
        search.Table(Kuhn(), max_histories=0)


def test_a_game_that_breaks_a_rule_is_not_solved() -> None:
    class Leaks(Kuhn):
        def actions(self, state: KuhnState) -> list[str]:
            return ["p", "b"] if state[0][1] is Card.KING else ["b", "p"]

    with pytest.raises(ContractError, match="must determine the legal actions and their order"):
        search.solve(Leaks())


def test_sequence_form() -> None:
    table = search.Table(games.load("leduc_poker"))
    form = table.sequence_form()
    counts = table.counts
    assert form.payoffs.shape == counts.sequences
    # Without the draws.
    assert np.count_nonzero(form.payoffs.values) == len(form.payoffs.values)
    assert 0 < len(form.payoffs.values) <= counts.payoff_entries
    strategy = search.solve(table, iterations=10).strategy
    plans = strategy.plans()
    for player in (0, 1):
        matrix, right = form.constraints[player].dense(), form.right[player]
        assert matrix.shape == (1 + len(table.infosets(player)), counts.sequences[player])
        np.testing.assert_allclose(matrix @ plans[player], right, atol=1e-12)
    value = plans[0] @ form.payoffs.dense() @ plans[1]
    assert value == pytest.approx(search.expected_value(table, strategy), abs=1e-12)
    values, columns, starts = form.payoffs.csr()
    row = 7
    part = slice(starts[row], starts[row + 1])
    dense = np.zeros(form.payoffs.shape[1])
    dense[columns[part]] = values[part]
    assert np.array_equal(dense, form.payoffs.dense()[row])


def test_infosets_have_names() -> None:
    for game in (games.load("leduc_poker"), games.load("dark_hex(num_rows=2,num_cols=2)"), Kuhn()):
        table = search.Table(game)
        for player in (0, 1):
            infosets = table.infosets(player)
            assert len({infoset.text for infoset in infosets}) == len(infosets) > 0
            assert len({infoset.key for infoset in infosets}) == len(infosets)
            used = sorted(int(s) for infoset in infosets for s in infoset.sequences)
            assert used == list(range(1, table.counts.sequences[player]))
            for infoset in infosets:
                assert infoset.player == player
                assert len(infoset.actions) == len(infoset.sequences) == len(set(infoset.actions))
                assert infoset.parent < infoset.sequences.min()


def test_infosets_with_the_same_words_are_told_apart() -> None:
    class Mumbles(Kuhn):
        def observation_text(self, seen: object) -> str:
            return "something"

        def action_text(self, state: object, action: object) -> str:
            return "does"

    table = search.Table(Mumbles())
    for player in (0, 1):
        assert len({infoset.text for infoset in table.infosets(player)}) == 6
    one, two = search.solve(table, iterations=10).strategy.to_dicts()
    again = search.Strategy.from_dicts(table, one, two)
    for given, profile in zip((one, two), again.to_dicts(), strict=True):
        assert {text: pytest.approx(actions) for text, actions in given.items()} == profile


def test_strategies_in_words() -> None:
    table = search.Table(games.load("leduc_poker"))
    strategy = search.solve(table, iterations=100).strategy
    again = search.Strategy.from_dicts(table, *strategy.to_dicts(), missing="refuse")
    for player in (0, 1):
        np.testing.assert_allclose(
            again.probabilities[player], strategy.probabilities[player], rtol=1e-12
        )
    one, two = strategy.to_dicts()
    assert search.exploitability(games.load("leduc_poker"), (one, two)).mean == pytest.approx(
        search.exploitability(table, strategy).mean
    )


@pytest.mark.parametrize(
    ("profile", "message"),
    [
        ({"0x": {"Pass": 1.0}}, "no infoset of player 0 '0x'; did you mean '0'"),
        ({"0": {"Fold": 1.0}}, "no action at infoset '0' of player 0 'Fold'"),
        ({"0": {"Pass": 0.4, "Bet": 0.4}}, "expected numbers from 0 to 1 that sum to 1"),
        ({"0": {"Pass": -0.5, "Bet": 1.5}}, "expected numbers from 0 to 1 that sum to 1"),
        ({"0": {"Pass": math.nan, "Bet": 1.0}}, "expected numbers from 0 to 1 that sum to 1"),
    ],
)
def test_words_that_are_no_strategy(profile: dict[str, dict[str, float]], message: str) -> None:
    table = search.Table(games.load("kuhn_poker"))
    with pytest.raises(StrategyError, match=message):
        search.Strategy.from_dicts(table, profile, {})


def test_what_is_no_strategy() -> None:
    kuhn, leduc = (search.Table(games.load(name)) for name in ("kuhn_poker", "leduc_poker"))
    uniform = search.Strategy.uniform(kuhn)
    with pytest.raises(StrategyError, match="nothing is given for infoset '0' of player 0"):
        search.Strategy.from_dicts(kuhn, {}, {}, missing="refuse")
    with pytest.raises(StrategyError, match="the strategy is for"):
        search.exploitability(leduc, uniform)
    with pytest.raises(StrategyError, match="who has 1093 sequences"):
        search.Strategy(leduc, uniform.probabilities)
    with pytest.raises(StrategyError, match=r"have shape \(2, 7\), expected \(13,\)"):
        search.Strategy(kuhn, (np.ones((2, 7)), np.ones(13)))
    with pytest.raises(StrategyError, match="expected numbers from 0 to 1 that sum to 1"):
        search.Strategy(kuhn, (np.ones(13), np.ones(13)))
    with pytest.raises(StrategyError, match="did you mean"):
        uniform.at(0, "1pp")
    for wrong in (-1, 2):
        with pytest.raises(GameError, match="expected 0 or 1"):
            search.best_response(kuhn, uniform, wrong)
        with pytest.raises(GameError, match="expected 0 or 1"):
            kuhn.infosets(wrong)
        with pytest.raises(GameError, match="expected 0 or 1"):
            uniform.mixed_with(uniform, wrong)
    with pytest.raises(StrategyError, match="different tables"):
        uniform.mixed_with(search.Strategy.uniform(leduc), 0)


def test_mixed_strategies() -> None:
    table = search.Table(games.load("kuhn_poker"))
    uniform, exact = search.Strategy.uniform(table), search.equilibrium(table).strategy
    half = uniform.mixed_with(exact, 1)
    assert half.to_dicts() == (uniform.to_dicts()[0], exact.to_dicts()[1])
    # Player 1 cannot be exploited any more.
    gains = search.exploitability(table, half).best_responses
    assert gains[0] == pytest.approx(-1 / 18)
    assert gains[1] > 1 / 18 + 0.01


def test_changes_of_an_array_do_not_change_a_strategy() -> None:
    table = search.Table(games.load("kuhn_poker"))
    uniform = search.Strategy.uniform(table)
    one = uniform.probabilities[0].copy()
    strategy = search.Strategy(table, (one, uniform.probabilities[1]))
    one[:] = 0
    assert strategy.to_dicts() == uniform.to_dicts()


def test_a_linear_program_that_fails_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    table = search.Table(games.load("kuhn_poker"))
    monkeypatch.setattr(linear_program, "TOLERANCE", -1.0)
    with pytest.raises(SolverError, match="lost precision"):
        search.equilibrium(table)


def test_plots(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    game = games.load("kuhn_poker")
    solutions = {name: search.solve(game, name, iterations=50) for name in ("cfr", "cfr+")}
    svg = search.plot_convergence(solutions, tmp_path / "both.svg", title="Kuhn")
    text = svg.read_text(encoding="utf-8")
    assert "<svg" in text
    again = search.plot_convergence(solutions, tmp_path / "again.svg", title="Kuhn")
    assert again.read_text(encoding="utf-8") == text
    png = search.plot_convergence(solutions["cfr"], tmp_path / "one.png", against="seconds")
    assert png.read_bytes().startswith(b"\x89PNG")
    with pytest.raises(FileError, match="cannot write"):
        search.plot_convergence(solutions, tmp_path / "missing" / "x.svg")
    with pytest.raises(ValueError, match="expected 'iterations' or 'seconds'"):
        search.plot_convergence(solutions, png, against="nodes")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="nothing to draw"):
        search.plot_convergence({}, png)


def test_plots_are_optional(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    solution = search.solve(games.load("kuhn_poker"), iterations=5)
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    with pytest.raises(MissingPackageError, match="pip install"):
        search.plot_convergence(solution, tmp_path / "x.svg")


def test_files(tmp_path: Path) -> None:
    solution = search.solve(games.load("kuhn_poker"), iterations=20)
    files = search.write_solution(solution, tmp_path / "new" / "folder", "kuhn_poker")
    csv, data, markdown, history = (file.read_text(encoding="utf-8") for file in files)
    rows = [line.split(",") for line in csv.splitlines()]
    assert rows[0] == ["player", "infoset", "action", "probability"]
    one, two = solution.strategy.to_dicts()
    assert {(int(p), i, a): float(x) for p, i, a, x in rows[1:]} == {
        (player, infoset, action, x)[:3]: x
        for player, profile in enumerate((one, two))
        for infoset, actions in profile.items()
        for action, x in actions.items()
    }
    read = json.loads(data)
    assert read["format"] == "obscuro-strategy/1"
    assert read["strategies"] == [one, two]
    assert (read["value"], read["exploitability"]) == (solution.value, solution.exploitability)
    assert "## Player 1" in markdown
    assert "| 0pb | Pass 1.0000, Bet 0.0000 |" in markdown
    assert len(history.splitlines()) == 1 + len(solution.history)
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    with pytest.raises(FileError, match="cannot write into"):
        search.write_solution(solution, blocked, "kuhn_poker")


def test_every_small_name_can_be_solved() -> None:
    for name in ("kuhn_poker", "leduc_poker", "goofspiel"):
        assert search.solve(registry.load(name), iterations=5).history[-1].iterations == 5

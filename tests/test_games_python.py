"""Games written in Python: twins of native ones, broken ones, and ones that raise."""

import sys
import threading
import traceback
from collections.abc import Callable, Iterator

import pytest

from obscuro import games, search
from obscuro.errors import ContractError
from twin_games import Card, DarkHex, HexState, Kuhn, KuhnState, Whispers


@pytest.mark.parametrize(
    ("twin", "name"),
    [
        (Kuhn(), "kuhn_poker"),
        (DarkHex(2, 2), "dark_hex(num_rows=2,num_cols=2)"),
        (DarkHex(1, 3), "dark_hex(num_rows=1,num_cols=3)"),
    ],
)
def test_twins_have_the_same_tables_and_values(twin: games.AnyGame, name: str) -> None:
    native, table = search.Table(games.load(name)), search.Table(twin)
    assert table.counts == native.counts
    assert table.max_payoff == native.max_payoff
    by_native, by_twin = search.solve(native, iterations=50), search.solve(table, iterations=50)
    assert by_twin.value == pytest.approx(by_native.value, abs=1e-12)
    assert by_twin.exploitability == pytest.approx(by_native.exploitability, abs=1e-12)


@pytest.mark.parametrize("game", [Kuhn(), DarkHex(2, 2), DarkHex(2, 3), Whispers()])
def test_twins_keep_the_rules(game: games.AnyGame) -> None:
    games.check_game(game, playouts=100)


def test_silent_plies_tell_nothing() -> None:
    table = search.Table(Whispers())
    assert table.counts.infosets == (1, 3)
    assert search.equilibrium(table).value == pytest.approx(0)


# Games that are broken, each in one way.


class LosesCards(Kuhn):
    def chance(self, state: KuhnState) -> list[tuple[Card, float]]:
        return [(card, 0.3) for card, _ in super().chance(state)]


class DealsTwice(Kuhn):
    def chance(self, state: KuhnState) -> list[tuple[Card, float]]:
        return [*[(card, p / 2) for card, p in super().chance(state)] * 2]


class HasNoActions(Kuhn):
    def actions(self, state: KuhnState) -> list[str]:
        return [] if state[1] == "pb" else super().actions(state)


class HasTheSameActionTwice(Kuhn):
    def actions(self, state: KuhnState) -> list[str]:
        return ["p", "b", "p"]


class Leaks(Kuhn):
    """The actions depend on the other's card."""

    def actions(self, state: KuhnState) -> list[str]:
        return ["b"] if state[0][1 - len(state[1]) % 2] is Card.KING else ["p", "b"]


class HidesTheTurn(Kuhn):
    def observe(self, state: KuhnState, player: int) -> tuple[object, ...]:
        return state[0][player : player + 1]

    def is_silent(self, seen: object) -> bool:
        return False

    def turn(self, state: KuhnState) -> int:
        turn = super().turn(state)
        return 1 - turn if turn >= 0 and state[0][0] is Card.KING else turn


class Forgets(Kuhn):
    """Counts how often it is asked."""

    asked = 0

    def observe(self, state: KuhnState, player: int) -> tuple[object, ...]:
        self.asked += 1
        return (*super().observe(state, player), self.asked)


class PaysTooMuch(Kuhn):
    max_payoff = 1


class PaysNothingKnown(Kuhn):
    def payoff(self, state: KuhnState) -> float:
        return float("nan")


class NeverEnds(Kuhn):
    def turn(self, state: KuhnState) -> int:
        turn = super().turn(state)
        return 0 if turn == games.TERMINAL else turn

    def apply(self, state: KuhnState, action: "Card | str") -> KuhnState:
        return state if super().turn(state) == games.TERMINAL else super().apply(state, action)


class SilentTurn(Kuhn):
    def is_silent(self, seen: object) -> bool:
        return True


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (LosesCards(), r"chance outcomes must .* sum to one, but .*JACK.* sum to 0\.89"),
        (DealsTwice(), "an outcome is there twice"),
        (HasNoActions(), "a player to move must have actions, all distinct, but there is none"),
        (HasTheSameActionTwice(), "one is there twice: .p, b, p."),
        (Leaks(), r"in one infoset player \w+ can do \[.*\] and elsewhere \[.*\]"),
        (HidesTheTurn(), "what a player saw must determine their turn"),
        (Forgets(), "must give the same answer every time, but player One saw two"),
        (PaysTooMuch(), "at most max_payoff in size, but this one is -?2 and max_payoff is 1"),
        (PaysNothingKnown(), "this one is NaN"),
        (NeverEnds(), "every playout must end"),
        (SilentTurn(), "a turn to move and the end must be news"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_broken_rule_is_found_and_shown(game: games.AnyGame, message: str) -> None:
    with pytest.raises(ContractError, match=message) as raised:
        games.check_game(game, playouts=200)
    text = str(raised.value)
    assert "the playout:\n  0. the start | One sees " in text


# Answers of the wrong kind.


class Answers(Kuhn):
    """Kuhn poker in which one method gives something else, once a bet has been made."""

    def __init__(self, method: str, answer: object) -> None:
        def answers(state: KuhnState, *arguments: object) -> object:
            original = getattr(super(Answers, self), method)
            return answer if "b" in state[1] else original(state, *arguments)

        setattr(self, method, answers)


@pytest.mark.parametrize(
    ("method", "answer", "message"),
    [
        ("turn", 7, r"Answers\.turn\(.*'p?b'.*\) gave 7, expected 0, 1, CHANCE"),
        ("turn", "me", "gave 'me', expected 0, 1"),
        ("actions", None, "gave None, expected a list of actions"),
        ("actions", [["p"], "b"], r"expected a list of actions: unhashable type: 'list'"),
        ("observe", [1], r"gave \[1\], expected an observation: unhashable type"),
        ("observe", object(), "has no __repr__ of its own"),
        ("payoff", "much", "gave 'much', expected a number"),
        ("apply", {"a": 1}, "expected a state: unhashable type: 'dict'"),
    ],
)
def test_an_answer_of_the_wrong_kind(method: str, answer: object, message: str) -> None:
    for run in (games.check_game, search.Table):
        with pytest.raises(ContractError, match=message):
            run(Answers(method, answer))


@pytest.mark.parametrize("outcomes", [[Card.JACK], [(Card.JACK, "half")], 3])
def test_chance_of_the_wrong_kind(outcomes: object) -> None:
    class Odd(Kuhn):
        def chance(self, state: KuhnState) -> object:  # type: ignore[override]
            return outcomes

    with pytest.raises(ContractError, match="expected a list of pairs of an outcome and its prob"):
        games.check_game(Odd())  # type: ignore[arg-type]


def test_what_is_no_game_at_all() -> None:
    class Half:
        def root(self) -> int:
            return 0

    with pytest.raises(ContractError, match='Half has no method "turn": a game has root, turn'):
        games.check_game(Half())  # type: ignore[arg-type]
    for most in (0, -1, "much", float("inf"), float("nan")):
        game = Kuhn()
        game.max_payoff = most  # type: ignore[assignment]
        with pytest.raises(ContractError, match=r"max_payoff is .*, expected a number above zero"):
            games.check_game(game)


# Exceptions come through.


class BoomError(Exception):
    """Raised by games of these tests alone."""


METHODS = ["root", "turn", "actions", "chance", "apply", "observe", "payoff"]


def raising(method: str) -> Kuhn:
    game = Kuhn()

    def explode(*_: object) -> object:
        raise BoomError(method)

    setattr(game, method, explode)
    return game


@pytest.mark.parametrize("method", [*METHODS, "is_silent", "state_text", "observation_text"])
@pytest.mark.parametrize(
    "run",
    [
        games.check_game,
        games.playthrough,
        search.Table,
        lambda game: search.Table(game).infosets(0),
        lambda game: search.solve(game, iterations=1),
        search.equilibrium,
    ],
)
def test_an_exception_comes_through(method: str, run: Callable[[games.AnyGame], object]) -> None:
    called = False
    game = raising(method)
    original = getattr(game, method)

    def noted(*arguments: object) -> object:
        nonlocal called
        called = True
        return original(*arguments)

    setattr(game, method, noted)
    if method not in METHODS:
        # Not everything asks for these.
        try:
            run(game)
        except BoomError:
            assert called
        else:
            assert not called
        return
    with pytest.raises(BoomError, match=method) as raised:
        run(game)
    frames = traceback.extract_tb(raised.value.__traceback__)
    assert frames[-1].name == "explode"
    if sys.version_info >= (3, 11):
        assert raised.value.__notes__[0].startswith(f"in Kuhn.{method}(")


@pytest.mark.parametrize("method", ["actions", "chance"])
@pytest.mark.parametrize("run", [games.playthrough, search.Table, search.solve])
def test_nothing_to_do(method: str, run: Callable[[games.AnyGame], object]) -> None:
    game = Kuhn()
    setattr(game, method, lambda state: ())
    with pytest.raises(ContractError, match=r"gave \(\), expected a list .* there must be one"):
        run(game)


def test_an_exception_in_a_generator_comes_through() -> None:
    class Lazy(Kuhn):
        def actions(self, state: KuhnState) -> Iterator[str]:  # type: ignore[override]
            yield "p"
            raise BoomError

    with pytest.raises(BoomError):
        games.check_game(Lazy())


def test_generators_will_do() -> None:
    class Lazy(Kuhn):
        def actions(self, state: KuhnState) -> Iterator[str]:  # type: ignore[override]
            yield from super().actions(state)

    games.check_game(Lazy())
    assert search.Table(Lazy()).counts == search.Table(Kuhn()).counts


def test_an_interrupt_ends_a_long_build() -> None:
    class Interrupted(DarkHex):
        asked = 0

        def apply(self, state: HexState, cell: int) -> HexState:
            self.asked += 1
            if self.asked == 100:
                raise KeyboardInterrupt
            assert self.asked < 100, "asked again after an interrupt"
            return super().apply(state, cell)

    with pytest.raises(KeyboardInterrupt):
        search.Table(Interrupted(3, 3))


def test_a_failure_does_not_outlive_its_call() -> None:
    game = Kuhn()
    setattr(game, "payoff", raising("payoff").payoff)  # noqa: B010
    with pytest.raises(BoomError):
        games.check_game(game)
    delattr(game, "payoff")
    games.check_game(game)


def test_two_threads_at_once() -> None:
    """One game fails, the other does not, and neither hears of it."""
    results: list[object] = []

    def good() -> None:
        results.append(search.Table(DarkHex(2, 2)).counts)

    def bad() -> None:
        with pytest.raises(BoomError):
            games.check_game(raising("observe"))

    threads = [threading.Thread(target=run) for run in (good, bad, good, bad)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 2
    assert results[0] == results[1]

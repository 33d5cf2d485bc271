"""What states, actions and observations of a game in Python may be, and when they are equal."""

import os
import subprocess
import sys
from dataclasses import dataclass, field
from enum import Enum, IntEnum

import numpy as np
import pytest

from obscuro import games, search
from obscuro.errors import ContractError


class Suit(Enum):
    RED = 1
    BLACK = 2


class Size(IntEnum):
    SMALL = 1
    LARGE = 2


@dataclass(frozen=True)
class Point:
    x: int
    y: object = None
    note: str = field(default="", compare=False)


@dataclass(frozen=True)
class OtherPoint:
    x: int
    y: object = None


@dataclass(frozen=True, repr=False)
class Named:
    """Told by its fields, whatever its text."""

    name: str

    def __repr__(self) -> str:
        return "always the same"


class Written:
    """Told by its text alone."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return f"Written({self.text})"


VALUES: list[object] = [
    None,
    *(0, 1, -1, -2, 255, 256, 2**62, 2**63, 2**64, -(2**63), -(2**63) - 1, 10**30),
    *(0.5, -0.5, 1e-300, 1e300, float("inf"), float("-inf")),
    *("", "a", "b", "ab", "1", "None", "é", "\0", "a\0"),
    *(b"", b"a", b"1"),
    *((), ((),), (1,), ("1",), (1, 2), (2, 1), ((1,), 2), (1, (2,)), ("a", "b"), ("ab",)),
    *(frozenset(), frozenset({1}), frozenset({1, 2}), frozenset({(1, 2)}), frozenset({"ab"})),
    frozenset({frozenset({1}), frozenset({2})}),
    *(Suit.RED, Suit.BLACK),
    *(Point(1), Point(1, 2), Point(2), Point(1, "2"), OtherPoint(1), Named("a"), Named("b")),
    *(Written("a"), Written("b")),
]


class Choose:
    """One player names one of the values, which is state, action and observation at once."""

    def __init__(self, values: list[object]) -> None:
        self.values = values

    def root(self) -> object:
        return "the root, which is no value"

    def turn(self, state: object) -> int:
        return 0 if state == self.root() else 1 if not isinstance(state, Done) else games.TERMINAL

    def actions(self, state: object) -> list[object]:
        return self.values if state == self.root() else ["on", "off"]

    def chance(self, state: object) -> list[tuple[object, float]]:
        return []

    def apply(self, state: object, action: object) -> object:
        return Done(state) if self.turn(state) == 1 else action

    def observe(self, state: object, player: int) -> object:
        return state

    def payoff(self, state: object) -> float:
        return 0.0


@dataclass(frozen=True)
class Done:
    value: object


def test_different_values_are_different() -> None:
    games.check_game(Choose(VALUES), playouts=300)
    # Player 1 has an infoset for each.
    assert search.Table(Choose(VALUES)).counts.infosets == (1, len(VALUES))


@pytest.mark.parametrize(
    "equal",
    [
        (1, True, 1.0, Size.SMALL, np.int64(1), np.float64(1.0)),
        (0, False, 0.0, -0.0, np.uint8(0)),
        (10**30, float(10**30) if float(10**30) == 10**30 else 10**30),
        (2**70, float(2**70)),
        ("red", type("Text", (str,), {})("red")),
        (frozenset({1, 2, 3}), frozenset({3, 2, 1.0})),
        (Point(1, 2), Point(1, 2, note="other"), Point(True, 2.0)),
        ((1, ("a", None)), (True, ("a", None))),
    ],
)
def test_equal_values_are_equal(equal: tuple[object, ...]) -> None:
    for value in equal:
        assert value == equal[0], "the test is wrong"
        with pytest.raises(ContractError, match="one is there twice"):
            games.check_game(Choose([value, equal[0]]))


@dataclass
class Mutable:
    x: int


def test_values_that_cannot_be_hashed() -> None:
    for value in ([1], {1: 2}, {1, 2}, Mutable(1), Point(1, [2]), (1, [2])):
        with pytest.raises(ContractError, match="unhashable type"):
            games.check_game(Choose([value, "other"]))


def test_an_action_comes_back_as_it_was() -> None:
    class Strict(Choose):
        def apply(self, state: object, action: object) -> object:
            if state == self.root():
                assert any(action is value for value in self.values)
            return super().apply(state, action)

    for values in ([1, 2], [True, 2], [Size.SMALL, Size.LARGE]):
        search.Table(Strict(list(values)))


def test_values_that_are_nested_too_deep() -> None:
    deep: object = ()
    for _ in range(1000):
        deep = (deep,)
    with pytest.raises(ContractError, match="nested more than"):
        games.check_game(Choose([deep]))


Wrap = tuple[str, games.GameState]


def test_values_of_native_games_will_do() -> None:
    class Wrapped:
        """A native game with its states and observations inside others."""

        native = games.load("kuhn_poker")
        max_payoff = 2.0

        def root(self) -> Wrap:
            return ("in", self.native.root())

        def turn(self, state: Wrap) -> int:
            return self.native.turn(state[1])

        def actions(self, state: Wrap) -> list[int]:
            return self.native.actions(state[1])

        def chance(self, state: Wrap) -> list[tuple[int, float]]:
            return self.native.chance(state[1])

        def apply(self, state: Wrap, action: int) -> Wrap:
            return ("in", self.native.apply(state[1], action))

        def observe(self, state: Wrap, player: int) -> object:
            return ("seen", self.native.observe(state[1], player))

        def payoff(self, state: Wrap) -> float:
            return self.native.payoff(state[1])

    games.check_game(Wrapped())
    assert search.Table(Wrapped()).counts == search.Table(games.load("kuhn_poker")).counts


KEYS = """
from obscuro import search
from test_games_values import VALUES, Choose
from twin_games import DarkHex, Kuhn
for game in (Kuhn(), DarkHex(2, 2), Choose(VALUES)):
    for player in (0, 1):
        print(search.Table(game)._core.keys(player).tolist())
"""


def test_infosets_have_the_same_keys_in_every_process() -> None:
    def run(seed: str) -> str:
        paths = os.pathsep.join([os.path.dirname(__file__), *sys.path])  # noqa: PTH120
        return subprocess.run(
            [sys.executable, "-c", KEYS],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": paths},
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        ).stdout

    first = run("1")
    assert first.count("\n") == 6
    assert first == run("2")

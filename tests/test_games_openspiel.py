"""Games against what OpenSpiel says of them, and games of OpenSpiel itself."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from obscuro import games, search
from obscuro.errors import GameError, MissingPackageError

GOLDEN = Path(__file__).parent.parent / "crates" / "games" / "tests" / "golden" / "openspiel.json"
MEASURED = json.loads(GOLDEN.read_text(encoding="utf-8"))["games"]
# What Python walks in a moment.
SMALL = 10_000
MASK = (1 << 64) - 1


def whole_walks(most: int) -> list[tuple[str, dict[str, Any]]]:
    return [
        (name, walk)
        for name, measured in MEASURED.items()
        for walk in measured.get("walks", [])
        if walk["depth"] == walk["width"] == 0 and walk["nodes"] <= most
    ]


class Hash:
    """The running hash of the script that measured OpenSpiel."""

    def __init__(self) -> None:
        self.value = 0xCBF29CE484222325

    def add(self, word: int) -> None:
        value = ((self.value ^ (word & MASK)) * 0x100000001B3) & MASK
        self.value = value ^ (value >> 32)


class Walk:
    """Its walk, through the methods of a game, with infosets by observations."""

    def __init__(self, game: games.AnyGame) -> None:
        self.game = game
        self.tree, self.partition = Hash(), Hash()
        self.infosets: tuple[dict[object, int], dict[object, int]] = ({}, {})
        root = game.root()
        self.visit(root, ((game.observe(root, 0),), (game.observe(root, 1),)))

    def visit(self, state: object, minds: tuple[tuple[object, ...], ...]) -> None:
        game, turn = self.game, self.game.turn(state)
        if turn == games.TERMINAL:
            self.tree.add(1)
            self.tree.add(round(game.payoff(state) * (1 << 30)))
            return
        if turn == games.CHANCE:
            outcomes = list(game.chance(state))
            self.tree.add(2)
            self.tree.add(len(outcomes))
            for action, probability in outcomes:
                self.tree.add(action)
                self.tree.add(round(probability * (1 << 30)))
            actions = [action for action, _ in outcomes]
        else:
            known = self.infosets[turn]
            self.partition.add(turn)
            self.partition.add(known.setdefault(minds[turn], len(known)))
            actions = list(game.actions(state))
            self.tree.add(3 + turn)
            self.tree.add(len(actions))
            for action in actions:
                self.tree.add(action)
        for action in actions:
            child = game.apply(state, action)
            after = tuple(self.mind(minds[p], turn == p, action, child, p) for p in (0, 1))
            self.visit(child, after)

    def mind(
        self, before: tuple[object, ...], own: bool, action: object, child: object, player: int
    ) -> tuple[object, ...]:
        seen = self.game.observe(child, player)
        if own:
            return (*before, "did", action, seen)
        silent: bool = self.game.is_silent(seen)  # type: ignore[attr-defined]
        return before if silent else (*before, seen)


def check_walk(game: games.AnyGame, measured: dict[str, Any]) -> None:
    walk = Walk(game)
    assert [len(known) for known in walk.infosets] == measured["infosets"]
    assert f"{walk.tree.value:016x}" == measured["tree"]
    assert f"{walk.partition.value:016x}" == measured["partition"]


@pytest.mark.parametrize(("name", "measured"), whole_walks(SMALL))
def test_native_games_through_their_methods(name: str, measured: dict[str, Any]) -> None:
    check_walk(games.load(name), measured)


@pytest.mark.parametrize(("name", "measured"), whole_walks(300_000))
def test_tables_of_native_games(name: str, measured: dict[str, Any]) -> None:
    counts = search.Table(games.load(name)).counts
    assert counts.histories == measured["nodes"]
    assert counts.terminals == measured["terminals"]
    assert counts.chance_nodes == measured["chance"]
    assert list(counts.infosets) == measured["infosets"]


@pytest.mark.parametrize(("name", "measured"), whole_walks(SMALL))
def test_games_of_openspiel(name: str, measured: dict[str, Any]) -> None:
    pytest.importorskip("pyspiel")
    game = games.from_openspiel(name)
    check_walk(game, measured)
    counts = search.Table(game).counts
    assert counts.histories == measured["nodes"]
    assert list(counts.infosets) == measured["infosets"]


@pytest.mark.parametrize(
    "name",
    [
        "kuhn_poker",
        "leduc_poker",
        "liars_dice(dice_sides=3)",
        "dark_hex(num_cols=2,num_rows=2)",
        "goofspiel(imp_info=True,num_cards=3,points_order=descending)",
        "matrix_mp",
        "phantom_ttt",
        "tic_tac_toe",
    ],
)
def test_games_of_openspiel_keep_the_rules(name: str) -> None:
    pytest.importorskip("pyspiel")
    games.check_game(games.from_openspiel(name), playouts=3)


def test_what_openspiel_games_say() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    by_name = games.from_openspiel("kuhn_poker")
    for game in (by_name, games.from_openspiel(pyspiel.load_game("kuhn_poker"))):
        assert game.name == "kuhn_poker()"
        state = game.apply(game.apply(game.root(), 2), 0)
        assert state == by_name.apply(by_name.apply(by_name.root(), 2), 0)
        assert [game.action_text(state, a) for a in game.actions(state)] == ["Pass", "Bet"]
        assert game.max_payoff() == 2
        over = game.apply(game.apply(state, 1), 0)
        assert (game.turn(over), game.payoff(over)) == (games.TERMINAL, 1)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("kuhn_poker(players=3)", "3 players"),
        ("matrix_pd", "not zero-sum"),
        ("mfg_crowd_modelling", "players|mean field"),
        ("backgammon", "no information state strings"),
        ("leduk_poker", "did you mean 'leduc_poker'"),
        ("kuhn_poker(cards=3)", r"cannot load 'kuhn_poker\(cards=3\)'"),
    ],
)
def test_unsuitable_games_of_openspiel(name: str, reason: str) -> None:
    pytest.importorskip("pyspiel")
    with pytest.raises(GameError, match=reason):
        games.from_openspiel(name)


def test_something_that_is_no_game_of_openspiel() -> None:
    pytest.importorskip("pyspiel")
    with pytest.raises(GameError, match=r"expected a name or a pyspiel\.Game, not a int"):
        games.from_openspiel(7)


def test_openspiel_is_optional(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(MissingPackageError, match="pip install"):
        games.from_openspiel("kuhn_poker")


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "liars_dice(dice_sides=3)"])
def test_exploitability_is_openspiels(name: str) -> None:
    """A uniform strategy, measured by OpenSpiel's own code."""
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game(name)
    uniform = pyspiel.UniformRandomPolicy(game)
    table = search.Table(games.load(name))
    found = search.exploitability(table, search.Strategy.uniform(table))
    assert found.mean == pytest.approx(pyspiel.exploitability(game, uniform), abs=1e-12)

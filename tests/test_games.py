"""Native games from Python: by name, and through the methods of every game."""

import random
from pathlib import Path

import pytest

from obscuro import fow, games
from obscuro.errors import FenError, GameError

EXAMPLES = [
    "kuhn_poker",
    "leduc_poker",
    "liars_dice(dice_sides=3)",
    "goofspiel(num_cards=3,points_order=random)",
    "phantom_ttt",
    "dark_hex(num_rows=2,num_cols=2)",
    "fow_chess",
    "fow_chess(fen=4k3/8/8/8/8/8/4P3/4K3 w - - 0 1,plies=4)",
]


def test_every_name_loads() -> None:
    assert len(games.names()) == len(set(games.names())) >= 7
    for name in games.names():
        assert games.load(name).name == name


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_rules_are_kept(name: str) -> None:
    games.check_game(games.load(name), playouts=20, seed=1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("leduk_poker", "did you mean 'leduc_poker'"),
        ("dark_chess", "did you mean 'dark_hex'"),
        ("", "not a word"),
        ("kuhn_poker(", r"does not end in \)"),
        ("kuhn_poker(player=2)", 'did you mean "players"'),
        ("liars_dice(dice_sides=many)", "whole number"),
        ("fow_chess(plies=0)", "at least 1"),
        ("fow_chess(plies=two)", "at least 1"),
        ("fow_chess(depth=2)", "cannot read 'depth=2'"),
        ("fow_chess(plies=2", "cannot read the game"),
        ("nowhere.py:Game", "no file nowhere.py"),
        ("nowhere.at.all:Game", "no module 'nowhere.at.all'"),
        ("obscuro.games:NativeGam", "did you mean 'NativeGame'"),
    ],
)
def test_a_name_that_is_wrong(text: str, message: str) -> None:
    with pytest.raises(GameError, match=message):
        games.find(text)


def test_a_wrong_position() -> None:
    with pytest.raises(FenError):
        games.load("fow_chess(fen=not a position)")


def test_an_error_in_a_module_is_not_a_missing_module(tmp_path: Path) -> None:
    path = tmp_path / "needs_more.py"
    path.write_text("import a_module_that_is_not_there\n", encoding="utf-8")
    with pytest.raises(ModuleNotFoundError, match="a_module_that_is_not_there"):
        games.find(f"{path}:Game")


def test_find_makes_a_game_of_a_class_and_of_a_function(tmp_path: Path) -> None:
    path = tmp_path / "some_games.py"
    path.write_text(
        "from obscuro import games\ndef make(): return games.load('kuhn_poker')\nmade = make()\n",
        encoding="utf-8",
    )
    assert games.find(f"{path}:make") == games.find(f"{path}:made") == games.load("kuhn_poker")


@pytest.mark.parametrize("name", EXAMPLES)
def test_playouts_through_the_methods(name: str) -> None:
    game = games.load(name)
    rng = random.Random(7)
    for _ in range(3):
        state, twin = game.root(), game.root()
        for _ in range(400):
            assert state == twin
            assert hash(state) == hash(twin)
            turn = game.turn(state)
            if turn == games.TERMINAL:
                assert abs(game.payoff(state)) <= game.max_payoff()
                assert not game.actions(state)
                assert not game.chance(state)
                break
            with pytest.raises(GameError, match="not over"):
                game.payoff(state)
            if turn == games.CHANCE:
                assert sum(p for _, p in game.chance(state)) == pytest.approx(1)
                choices = [outcome for outcome, _ in game.chance(state)]
                assert game.actions(state) == []
            else:
                choices = game.actions(state)
                assert game.chance(state) == []
            texts = [game.action_text(state, choice) for choice in choices]
            assert len(set(texts)) == len(texts) >= 1
            choice = rng.choice(choices)
            before, (state, twin) = state, (game.apply(state, choice), game.apply(twin, choice))
            assert before != state
            for player in (0, 1):
                seen = game.observe(state, player)
                assert seen == game.observe(twin, player)
                assert str(seen) == game.observation_text(seen)
                assert isinstance(game.is_silent(seen), bool)


def test_questions_that_have_no_answer() -> None:
    kuhn, leduc = games.load("kuhn_poker"), games.load("leduc_poker")
    root = kuhn.root()
    with pytest.raises(GameError, match=r"7 is not an action at .*, where there are \[0, 1, 2\]"):
        kuhn.apply(root, 7)
    with pytest.raises(GameError, match="belongs to kuhn_poker, not to leduc_poker"):
        leduc.turn(root)
    with pytest.raises(GameError, match="belongs to kuhn_poker, not to leduc_poker"):
        leduc.is_silent(kuhn.observe(root, 0))
    for player in (-1, 2):
        with pytest.raises(GameError, match=f"player is {player}, expected 0 or 1"):
            kuhn.observe(root, player)
    with pytest.raises(ValueError, match="playouts must be at least 1"):
        games.check_game(kuhn, playouts=0)
    with pytest.raises(ValueError, match="plies must be at least 1"):
        games.fow_chess(plies=0)


def test_fow_chess_is_the_chess_of_the_board() -> None:
    board = fow.Board("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    game = games.fow_chess(board.fen(), plies=5)
    assert games.load(game.name) == game
    state = game.root()
    for san in ["e4", "Kd7", "e5", "Ke6"]:
        assert game.turn(state) == (0 if board.turn else 1)
        moves = {game.action_text(state, action): action for action in game.actions(state)}
        assert set(moves) == {board.san(move) for move in board.legal_moves}
        board.push_san(san)
        state = game.apply(state, moves[san])
        fog_fen = board.observation(fow.BLACK).fog_fen
        assert game.observation_text(game.observe(state, 1)) == fog_fen.split()[0]
    assert game.turn(state) == 0
    last = game.apply(state, game.actions(state)[0])
    assert game.turn(last) == games.TERMINAL
    assert game.payoff(last) == 0


def test_playthroughs_are_the_same_for_the_same_seed() -> None:
    game = games.load("leduc_poker")
    texts = [games.playthrough(game, seed=seed) for seed in (1, 1, 2, 3, 4)]
    assert texts[0] == texts[1]
    assert len(set(texts)) > 1
    assert all(text.splitlines()[-1].startswith("payoff ") for text in texts)

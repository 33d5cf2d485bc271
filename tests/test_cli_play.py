"""A game at the terminal: what is shown, what is hidden, how it ends."""

import ast
import io
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import chess
import pytest
from rich.console import Console

from obscuro.cli import main as cli
from obscuro.cli.referee import play_game
from obscuro.errors import AmbiguousMoveError, IllegalMoveError, InvalidMoveError
from obscuro.fow import STARTING_FEN, Board, Observation, notation, read_games
from obscuro.fow.notation import parse_move, san
from obscuro.players import Decision, Limits, Player, RandomPlayer, Result, human
from obscuro.players.human import Human, QuitGame


class Scripted:
    """Plays the moves given, and keeps what it is told."""

    def __init__(self, *moves: str) -> None:
        self.moves = iter(moves)
        self.told: list[object] = []

    def new_game(self, color: chess.Color, start: str = STARTING_FEN) -> None:
        self.told = [color]

    def observe(self, observation: Observation) -> None:
        self.told.append(observation)

    def choose(self, limits: Limits) -> Decision:
        move = next(self.moves, None)
        return Decision(chess.Move.from_uci(move) if move else None)

    def game_over(self, result: Result) -> None:
        self.told.append(result)

    def close(self) -> None:
        self.told.append("closed")


def typed(lines: Sequence[str]) -> Callable[[str], str]:
    remaining = iter(lines)

    def read(prompt: str) -> str:
        try:
            return next(remaining)
        except StopIteration:
            raise EOFError from None

    return read


def at_terminal(lines: Sequence[str], *opponent: str, fen: str | None = None) -> tuple[str, Board]:
    """What the human playing White is shown when they type these lines, and the board left."""
    output = io.StringIO()
    console = Console(file=output, width=80)
    board = Board(fen)
    players: dict[chess.Color, Player] = {
        chess.WHITE: Human(console, typed(lines)),
        chess.BLACK: Scripted(*opponent),
    }
    try:
        play_game(board, players, Limits())
    except QuitGame:
        output.write("<quit>")
    return output.getvalue(), board


# Moves as one player writes them.


def positions(games: int) -> Iterator[Board]:
    """Every position of some random games."""
    for seed in range(games):
        choose = random.Random(seed)
        board = Board()
        while board.outcome() is None:
            yield board
            board.push(choose.choice(board.legal_moves))


def test_notation_of_a_player_is_that_of_the_board() -> None:
    compared = 0
    for board in positions(games=3):
        seen = board.observation(board.turn)
        for move in board.legal_moves:
            name = board.san(move)
            assert san(move, seen) == name
            assert parse_move(name, seen) == move
            assert parse_move(move.uci(), seen) == move
            compared += 1
    assert compared > 5_000


@pytest.mark.parametrize(
    ("text", "uci"),
    [
        ("Rad1", "a1d1"),
        ("R1a3", "a1a3"),
        ("Ra1-a3+!", "a1a3"),
        ("0-0", "e1g1"),
        ("O-O", "e1g1"),
        ("Kd2", "e1d2"),
        ("bxc8=Q", "b7c8q"),
        ("bc8N", "b7c8n"),
        ("b8=r", "b7b8r"),
        ("e1g1", "e1g1"),
    ],
)
def test_what_a_human_may_type(text: str, uci: str) -> None:
    seen = Board("2n1k3/1P6/8/R7/8/8/8/R3K2R w K - 0 1").observation(chess.WHITE)
    assert parse_move(text, seen).uci() == uci


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("Ra3", AmbiguousMoveError),
        ("bxc8", IllegalMoveError),
        ("O-O-O", IllegalMoveError),
        ("e5", IllegalMoveError),
        ("e2e4", IllegalMoveError),
        ("castle", InvalidMoveError),
        ("", InvalidMoveError),
    ],
)
def test_what_is_refused(text: str, error: type[Exception]) -> None:
    seen = Board("2n1k3/1P6/8/R7/8/8/8/R3K2R w K - 0 1").observation(chess.WHITE)
    with pytest.raises(error, match=r"not a|may be any of"):
        parse_move(text, seen)


# The referee.


def test_players_are_told_their_own_observations_and_the_result() -> None:
    white, black = Scripted("e2e4", "d1h5", "h5f7", "f7e8"), Scripted("e7e6", "a7a6", "b7b6")
    board = Board()
    result = play_game(board, {chess.WHITE: white, chess.BLACK: black}, Limits())
    assert result == Result(chess.WHITE, "king captured")

    replay = Board()
    expected = [[replay.observation(color)] for color in (chess.WHITE, chess.BLACK)]
    for move in board.move_stack:
        replay.push(move)
        for color, observations in zip((chess.WHITE, chess.BLACK), expected, strict=True):
            observations.append(replay.observation(color))
    for player, color, observations in zip(
        (white, black), (chess.WHITE, chess.BLACK), expected, strict=True
    ):
        assert [str(word) for word in player.told] == [
            str(color),
            *map(str, observations),
            "1-0 (king captured)",
        ]


def test_resigning_loses() -> None:
    board = Board()
    players = {chess.WHITE: Scripted("e2e4"), chess.BLACK: Scripted()}
    result = play_game(board, players, Limits())
    assert result == Result(chess.WHITE, "Black resigned") == players[chess.WHITE].told[-1]
    assert [move.uci() for move in board.move_stack] == ["e2e4"]


def test_an_illegal_choice_is_refused() -> None:
    board = Board()
    players = {chess.WHITE: Scripted("e2e5"), chess.BLACK: Scripted()}
    with pytest.raises(IllegalMoveError, match="White chose e2e5"):
        play_game(board, players, Limits())
    assert board.fen() == Board().fen()


def test_random_players_finish_their_games_and_a_seed_repeats_them() -> None:
    def game(seed: int) -> list[chess.Move]:
        board = Board()
        players = {chess.WHITE: RandomPlayer(seed), chess.BLACK: RandomPlayer(seed + 1)}
        result = play_game(board, players, Limits())
        assert board.result() == result.score
        return board.move_stack

    assert game(1) == game(1)
    assert game(1) != game(2)


# The human.


def test_words() -> None:
    shown, board = at_terminal(["help", "moves", "fen", "flip", "board", "", "hepl", "Nf9", "quit"])
    assert "resign" in shown
    assert "Nf3" in shown
    assert Board().observation(chess.WHITE).fog_fen in shown
    assert "Did you mean 'help'?" in shown
    assert "Did you mean 'Nf3'?" in shown
    assert shown.count("Your turn") == 3
    assert shown.endswith("<quit>")
    assert board.move_stack == []


def test_the_end_of_the_input_leaves_the_game() -> None:
    shown, board = at_terminal(["e4"], "e7e5")
    assert shown.endswith("<quit>")
    assert [move.uci() for move in board.move_stack] == ["e2e4", "e7e5"]


def test_a_loss_is_told_with_its_name() -> None:
    shown, _ = at_terminal(["e4", "a3"], "d7d5", "d5e4")
    assert "Your pawn on e4 was taken." in shown
    shown, board = at_terminal(["a3"], "h4e1", fen="4k3/8/8/8/7q/8/P7/4K3 w - - 0 1")
    assert "Your king on e1 was taken." in shown
    assert "You lose: king captured." in shown
    assert board.result() == "0-1"


def test_the_truth_stays_hidden_from_the_terminal() -> None:
    """Black's moves differ where White cannot see it: White is shown the same, byte for byte."""
    lines = ["e4", "moves", "fen", "Nc3", "help", "d3", "Kd7", "xyz", "board", "flip"]
    first, _ = at_terminal(lines, "b7b6", "c7c6", "g8f6")
    second, _ = at_terminal(lines, "g7g6", "f8g7", "g8f6")
    assert first == second
    # And they are not merely blind: a move in sight makes a difference.
    third, _ = at_terminal(lines, "b7b6", "c7c6", "e7e5")
    assert first != third


def test_the_code_of_the_terminal_cannot_reach_the_board() -> None:
    for module in (human, notation):
        tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                assert {alias.name for alias in node.names} <= {"chess", "re"}
            elif isinstance(node, ast.ImportFrom):
                names = {alias.name for alias in node.names}
                match node.module:
                    case "obscuro.fow":
                        assert names <= {"STARTING_FEN", "Observation", "text"}
                    case "obscuro.players.base":
                        assert names <= {"Decision", "Limits", "Result"}
                    case other:
                        assert other is not None
                        assert other.split(".")[0] != "obscuro" or other in {
                            "obscuro.fow.notation",
                            "obscuro.fow.observation",
                            "obscuro.words",
                            "obscuro.errors",
                        }


# The command.


def play(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    lines: Sequence[str],
    *options: str,
) -> str:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    assert cli.run(["play", "--opponent", "random", *options]) == 0
    return capsys.readouterr().out


def test_the_searching_player_is_the_opponent_unless_told_otherwise(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # It sees that the king can be taken.
    fen = "4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1"
    monkeypatch.setattr("sys.stdin", io.StringIO("Ra2\n"))
    assert cli.run(["play", "--seconds", "0.2", "--fen", fen]) == 0
    shown = capsys.readouterr().out
    assert "You play white against the searching player." in shown
    assert "You lose: king captured." in shown


def test_a_game_ends_with_the_truth_and_the_moves(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    fen = "4k3/8/8/8/8/8/8/4RK2 w - - 5 30"
    shown = play(capsys, monkeypatch, ["Rxe8"], "--fen", fen)
    before, after = shown.split("The truth at the end:")
    assert "You win: king captured." in before
    assert "30. Rxe8 1-0" in after


def test_black_plays_second_and_a_seed_repeats_the_game(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ["--color", "black", "--seed", "11"]
    first = play(capsys, monkeypatch, ["e5", "resign"], *options)
    assert "You play black" in first
    assert "You lose: Black resigned." in first
    assert first == play(capsys, monkeypatch, ["e5", "resign"], *options)
    assert first != play(capsys, monkeypatch, ["e5", "resign"], "--color", "black", "--seed", "12")


def test_a_random_colour_is_drawn_from_the_seed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = [
        play(capsys, monkeypatch, ["quit"], "--color", "random", "--seed", str(seed))
        for seed in [*range(8), 0]
    ]
    assert shown[0] == shown[8]
    assert any("You play white" in text for text in shown)
    assert any("You play black" in text for text in shown)


def test_games_are_kept_in_pgn(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "games.pgn"
    options = ["--seed", "3", "--pgn", str(path)]
    shown = play(capsys, monkeypatch, ["quit"], *options)
    assert path.read_text(encoding="utf-8") == ""
    shown = play(capsys, monkeypatch, ["e4", "Nf3", "resign"], *options)
    assert str(path) in shown.replace("\n", "")
    play(capsys, monkeypatch, ["d4", "quit"], *options, "--color", "white")
    first, second = read_games(path)
    assert [move.uci() for move in first.moves][::2] == ["e2e4", "g1f3"]
    assert (first.headers["White"], first.result) == ("Human", "0-1")
    assert (second.moves[0].uci(), second.result) == ("d2d4", "*")


def test_quitting_keeps_the_truth(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = play(capsys, monkeypatch, ["e4", "quit"], "--seed", "1")
    assert "You left the game." in shown
    assert "truth" not in shown

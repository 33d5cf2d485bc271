"""The searching player: whole games, observations only."""

import random

import chess
import pytest

from obscuro.errors import ObservationError, PlayerError
from obscuro.fow import Board, Termination
from obscuro.players import Limits, ObscuroPlayer, Player, RandomPlayer, Result
from obscuro.players.settings import EngineSettings, with_options

QUICK = Limits(nodes=3000)


def quick(seed: int = 0, **options: str) -> ObscuroPlayer:
    """A player in one thread: the same game for the same seed."""
    given = {"seed": str(seed), "expanders": "0", "belief_cap": "20000", **options}
    return ObscuroPlayer(with_options(EngineSettings(), given))


def play(board: Board, players: dict[chess.Color, Player], plies: int) -> None:
    for color, player in players.items():
        player.new_game(color)
        player.observe(board.observation(color))
    while not board.is_game_over() and len(board.move_stack) < plies:
        move = players[board.turn].choose(QUICK).move
        assert move is not None
        board.push(move)
        for color, player in players.items():
            player.observe(board.observation(color))


@pytest.mark.parametrize("seed", range(2))
def test_it_beats_the_random_player(seed: int) -> None:
    board, color = Board(), bool(seed % 2)
    play(board, {color: quick(seed), not color: RandomPlayer(seed)}, 200)
    outcome = board.outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.termination) == (color, Termination.KING_CAPTURED)


def test_it_plays_itself_and_reports_plain_data() -> None:
    board = Board()
    players: dict[chess.Color, Player] = {color: quick(seed=int(color)) for color in chess.COLORS}
    play(board, players, 12)
    decision = players[board.turn].choose(QUICK)
    assert sum(decision.strategy.values()) == pytest.approx(1)
    assert decision.report["belief"] >= 1
    assert {m["move"] for m in decision.report["moves"]} == {m.uci() for m in board.legal_moves}
    for player in players.values():
        player.game_over(Result(None, "enough"))
        with pytest.raises(PlayerError):
            player.choose(QUICK)


def test_it_takes_the_king() -> None:
    board = Board("4k3/8/8/8/8/8/4Q3/4K3 w - - 0 1")
    player = quick()
    player.new_game(chess.WHITE, board.fen())
    player.observe(board.observation(chess.WHITE))
    move = player.choose(QUICK).move
    assert move is not None
    assert board.san(move) == "Qxe8"


def test_searches_with_a_node_limit_are_reproducible() -> None:
    moves = []
    for _ in range(2):
        board = Board()
        rng = random.Random(5)
        player = quick(seed=7)
        player.new_game(chess.BLACK)
        player.observe(board.observation(chess.BLACK))
        while len(board.move_stack) < 10:
            own = board.turn == chess.BLACK
            move = player.choose(QUICK).move if own else rng.choice(board.legal_moves)
            assert move is not None
            board.push(move)
            player.observe(board.observation(chess.BLACK))
        moves.append(board.move_stack)
    assert moves[0] == moves[1]


def test_an_impossible_observation_is_an_error() -> None:
    board = Board()
    player = quick()
    player.new_game(chess.BLACK)
    player.observe(board.observation(chess.BLACK))
    # No white piece can be in front of the pawn on e7 after one ply.
    wrong = Board("rnbqkbnr/pppppppp/8/4Q3/8/8/PPPPPPPP/RNB1KBNR b KQkq - 0 1")
    with pytest.raises(ObservationError, match="impossible"):
        player.observe(wrong.observation(chess.BLACK))
    board.push_san("e4")
    player.observe(board.observation(chess.BLACK))
    assert player.choose(QUICK).move in board.legal_moves

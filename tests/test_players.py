"""Players that need no search."""

from collections import Counter

import chess
import pytest

from obscuro.errors import PlayerError
from obscuro.fow import Board
from obscuro.players import Limits, Player, RandomPlayer, Result


def test_random_player_draws_all_moves_alike() -> None:
    board = Board()
    player: Player = RandomPlayer(seed=5)
    player.new_game(chess.WHITE)
    player.observe(board.observation(chess.WHITE))
    drawn = Counter(player.choose(Limits()).move for _ in range(4000))
    assert set(drawn) == set(board.legal_moves)
    # 200 expected each, standard deviation 13.8; the seed makes it one and the same draw for ever.
    assert all(140 < count < 260 for count in drawn.values())


def test_random_player_reports_its_strategy() -> None:
    player = RandomPlayer(seed=5)
    player.new_game(chess.WHITE)
    player.observe(Board().observation(chess.WHITE))
    strategy = player.choose(Limits()).strategy
    assert len(strategy) == 20
    assert sum(strategy.values()) == pytest.approx(1)


def test_random_player_forgets_the_last_game() -> None:
    player = RandomPlayer(seed=5)
    player.observe(Board().observation(chess.WHITE))
    player.new_game(chess.WHITE)
    with pytest.raises(PlayerError, match="observe comes first"):
        player.choose(Limits())


@pytest.mark.parametrize(
    ("winner", "score"), [(chess.WHITE, "1-0"), (chess.BLACK, "0-1"), (None, "1/2-1/2")]
)
def test_result(winner: chess.Color | None, score: str) -> None:
    assert str(Result(winner, "reason")) == f"{score} (reason)"

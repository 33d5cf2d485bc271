"""The values of children against a plain twin on python-chess."""

import math
from pathlib import Path

import chess
import pytest

import eval_stockfish
import eval_twin
import human_games
import nnue_twin
from eval_positions import PECULIAR, fow_positions
from obscuro import _core
from obscuro.errors import SearchError
from obscuro.fow import Board

POSITIONS = [
    *PECULIAR[:4],
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "k7/8/1K6/8/8/8/8/7R w - - 0 1",
    "4k3/1P4P1/8/8/8/8/1p4p1/4K3 b - - 0 1",
]


def by_move(board: chess.Board, values: _core.FowValues) -> dict[chess.Move, int]:
    fow_board = _core.FowBoard(board.fen())
    numbers = fow_board.legal_moves()
    moves = [chess.Move(n & 63, n >> 6 & 63, promotion=n >> 12 or None) for n in numbers]
    return dict(zip(moves, values.scores(fow_board), strict=True))


@pytest.mark.parametrize("depth", [0, 1, 3])
def test_scores_with_the_simple_evaluation_equal_the_twin(depth: int) -> None:
    values = _core.FowValues("simple", depth=depth)
    for board in [*map(chess.Board, POSITIONS), *fow_positions(12, 10 + depth)]:
        expected = eval_twin.scores(board, depth, eval_twin.simple)
        assert by_move(board, values) == expected, board.fen()


def test_scores_with_stockfishs_network_equal_the_twin(tmp_path: Path) -> None:
    path = eval_stockfish.export_network(tmp_path)
    twin = nnue_twin.Network(path)
    network = _core.Network(str(path))
    boards = [*map(chess.Board, POSITIONS), *fow_positions(10, 20)]
    expected = [eval_twin.scores(board, 2, twin.value) for board in boards]
    for simd in _core.Network.simds():
        for cache_bits in (None, 6):
            values = _core.FowValues(network, depth=2, simd=simd, cache_bits=cache_bits)
            for board, scores in zip(boards, expected, strict=True):
                assert by_move(board, values) == scores, (board.fen(), simd, cache_bits)


def test_scores_in_human_games_equal_the_twin() -> None:
    values = _core.FowValues("simple", depth=2)
    compared = 0
    for number, game in enumerate(human_games.human_games()):
        board = Board()
        for ply, san in enumerate(game.moves):
            board.push_san(san)
            if ply % 40 == number % 40 and not board.is_game_over():
                twin = chess.Board(board.fen())
                assert by_move(twin, values) == eval_twin.scores(twin, 2, eval_twin.simple)
                compared += 1
    assert compared > 5


def test_values_are_squashed_scores() -> None:
    board = _core.FowBoard(POSITIONS[4])
    values = _core.FowValues("simple", scale=3.0)
    for value, score in zip(values.values(board), values.scores(board), strict=True):
        won = abs(score) == eval_twin.WIN
        expected = math.copysign(1, score) if won else math.tanh(score / 300)
        assert value == pytest.approx(expected, abs=1e-5)
    assert values.nodes() > 96


def test_settings_out_of_range_are_refused() -> None:
    with pytest.raises(SearchError, match="must be 0 to 32, found 99"):
        _core.FowValues("zero", depth=99)
    with pytest.raises(SearchError, match="positive number of pawns, found -1"):
        _core.FowValues("zero", scale=-1.0)
    with pytest.raises(SearchError, match="entries, found 2\\^50"):
        _core.FowValues("zero", cache_bits=50)
    with pytest.raises(ValueError, match='no evaluator "material": expected'):
        _core.FowValues("material")

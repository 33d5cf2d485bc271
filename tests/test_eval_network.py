"""Inference of Stockfish's network: against plain NumPy, and against Stockfish."""

import random
from pathlib import Path

import chess
import pytest

import eval_stockfish
import fow_twin
import nnue_twin
from eval_positions import PECULIAR, fow_positions
from obscuro import _core
from obscuro.errors import GameOverError, NetworkError


@pytest.fixture(scope="session")
def network_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return eval_stockfish.export_network(tmp_path_factory.mktemp("network"))


@pytest.fixture(scope="session")
def network(network_file: Path) -> _core.Network:
    return _core.Network(str(network_file))


@pytest.fixture(scope="session")
def twin(network_file: Path) -> nnue_twin.Network:
    return nnue_twin.Network(network_file)


def chess_positions(count: int, seed: int) -> list[chess.Board]:
    """Positions that Stockfish can be asked about: of random chess games, nobody in check."""
    rng = random.Random(seed)
    found: list[chess.Board] = []
    while len(found) < count:
        board = chess.Board()
        for _ in range(rng.randrange(150)):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
        if not board.is_check() and any(board.legal_moves):
            found.append(board)
    return found


def test_the_network_says_who_made_it(network: _core.Network) -> None:
    assert "nnue-pytorch" in network.description()


@pytest.mark.parametrize("simd", _core.Network.simds())
def test_all_integers_equal_the_twin(
    network: _core.Network, twin: nnue_twin.Network, simd: str
) -> None:
    boards = [chess.Board(fen) for fen in PECULIAR] + fow_positions(300, 1)
    assert sum(board.is_check() or board.was_into_check() for board in boards) > 20
    buckets = {(chess.popcount(board.occupied) - 1) // 4 for board in boards}
    assert len(buckets) >= 7
    for board in boards:
        assert network.parts(_core.FowBoard(board.fen()), simd) == twin.parts(board), board.fen()


def test_values_equal_what_stockfish_prints(
    network: _core.Network, twin: nnue_twin.Network
) -> None:
    boards = chess_positions(300, 2)
    printed = eval_stockfish.network_evaluations([board.fen() for board in boards])
    assert len(printed) == len(boards)
    values = _core.FowValues(network)
    for board, expected in zip(boards, printed, strict=True):
        score = values.static_score(_core.FowBoard(board.fen()))
        assert score == twin.value(board)
        for_white = score if board.turn else -score
        assert f"{for_white / 361:+.2f}" == f"{float(expected):+.2f}", board.fen()


def test_scores_along_games_equal_the_twin(network: _core.Network, twin: nnue_twin.Network) -> None:
    values = _core.FowValues(network, depth=0)
    for board in fow_positions(20, 3):
        fow_board = _core.FowBoard(board.fen())
        moves = fow_board.legal_moves()
        children = dict(zip(moves, values.scores(fow_board), strict=True))
        for move in fow_twin.moves(board):
            promotion = (move.promotion or 0) << 12
            score = children[move.from_square | move.to_square << 6 | promotion]
            child = fow_twin.after(board, move)
            if abs(score) < 1 << 20:
                assert score == -twin.value(child), child.fen()


def test_a_position_without_a_king_has_no_value(network: _core.Network) -> None:
    lost = _core.FowBoard("8/8/8/8/8/8/8/4K3 b - - 0 1")
    with pytest.raises(GameOverError, match="without a king"):
        network.parts(lost)
    values = _core.FowValues(network)
    assert values.values(lost) == []
    with pytest.raises(GameOverError, match="without a king"):
        values.static_score(lost)


def test_what_is_no_network_is_refused(network_file: Path, tmp_path: Path) -> None:
    whole = network_file.read_bytes()
    broken = tmp_path / "broken.nnue"
    for content, message in [
        (b"", "truncated: the header needs 4 more bytes, found 0"),
        (b"x" * 100, "file version 0x78787878; supported is 0x7af32f20"),
        (whole[:4] + bytes(4) + whole[8:200], "architecture 0x00000000; supported is 0x1c102ef2"),
        (whole[:1_000_000], "truncated: the feature transformer needs"),
        (whole[:-1], "truncated: a layer stack needs"),
        (whole + b"?", "corrupt: 1 bytes follow"),
        (whole[:87] + bytes(4) + whole[91:], "corrupt: the feature transformer begins with 0x0000"),
    ]:
        broken.write_bytes(content)
        with pytest.raises(NetworkError, match=message):
            _core.Network(str(broken))
    with pytest.raises(NetworkError, match="cannot read the network"):
        _core.Network(str(tmp_path / "none.nnue"))


def test_instructions_that_are_not_there_are_refused(network: _core.Network) -> None:
    with pytest.raises(ValueError, match='no instructions "MMX" here, expected one of'):
        _core.FowValues(network, simd="MMX")

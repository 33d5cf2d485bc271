"""Inference of networks of our own format, against plain NumPy that shares no code with it."""

import json
import random
import struct
from pathlib import Path

import chess
import pytest

import own_network_twin
from eval_positions import PECULIAR, fow_positions, random_game
from obscuro import _core
from obscuro.errors import NetworkError
from obscuro.eval import default_network_file

WIN = 1 << 20

# Where sums change most: castling of all kinds, promotions, en passant, kings that leave a bucket
# or cross the middle of the board.
TURNING_POINTS = [
    "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1",
    "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R b KQkq - 0 1",
    "1n2k1n1/P1P3P1/8/8/8/8/p1p3p1/1N2K1N1 w - - 0 1",
    "1n2k1n1/P1P3P1/8/8/8/8/p1p3p1/1N2K1N1 b - - 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "rnbqkbnr/pppp1ppp/8/8/3Pp3/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 3",
    "8/8/3k4/1p2p3/4P3/3K1p2/8/8 w - - 0 1",
    "8/8/3k4/1p2p3/4P3/3K1p2/8/8 b - - 0 1",
    "8/4k3/8/r2pK2q/8/8/8/8 w - - 0 1",
]


@pytest.fixture(scope="session")
def twin() -> own_network_twin.OwnNetwork:
    return own_network_twin.random_network(1)


@pytest.fixture(scope="session")
def network_file(
    twin: own_network_twin.OwnNetwork, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    path = tmp_path_factory.mktemp("own") / "random.nnue"
    twin.write(path)
    return path


@pytest.fixture(scope="session")
def network(network_file: Path) -> _core.Network:
    return _core.Network(network_file)


def scattered(count: int, seed: int) -> list[chess.Board]:
    """Positions with the kings anywhere, among some other pieces."""
    rng = random.Random(seed)
    found = []
    for _ in range(count):
        board = chess.Board(None)
        squares = rng.sample(range(64), rng.randrange(2, 32))
        for square, color in zip(squares, chess.COLORS, strict=False):
            board.set_piece_at(square, chess.Piece(chess.KING, color))
        for number, square in enumerate(squares[2:]):
            kind = rng.choice([chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN])
            if kind == chess.PAWN and chess.square_rank(square) in (0, 7):
                kind = chess.KNIGHT
            board.set_piece_at(square, chess.Piece(kind, number % 2 == 0))
        board.turn = rng.choice(chess.COLORS)
        found.append(board)
    return found


def test_the_network_says_what_it_is(network: _core.Network) -> None:
    assert network.description() == '{"made_by": "a test"}'
    assert (network.width(), network.king_buckets()) == (256, 16)


@pytest.mark.parametrize("simd", _core.Network.simds())
def test_all_integers_equal_the_twin(
    network: _core.Network, twin: own_network_twin.OwnNetwork, simd: str
) -> None:
    boards = [chess.Board(fen) for fen in PECULIAR + TURNING_POINTS]
    boards += fow_positions(150, 11) + scattered(250, 12)
    assert sum(board.is_check() for board in boards) > 50
    assert sum(board.was_into_check() for board in boards) > 50
    distances = [chess.square_distance(*chess.scan_forward(board.kings)) for board in boards]
    assert distances.count(1) > 10
    buckets = {row // 704 for board in boards for row in own_network_twin.active(board, True)}
    assert buckets == set(range(16))
    assert {(len(board.piece_map()) - 1) // 4 for board in boards} == set(range(8))
    different = set()
    for board in boards:
        found = network.parts(_core.FowBoard(board.fen()), simd)
        assert found == twin.parts(board), board.fen()
        different.add(found)
    assert len(different) > 390


@pytest.mark.parametrize("simd", _core.Network.simds())
def test_scores_along_games_equal_the_twin(
    network: _core.Network, twin: own_network_twin.OwnNetwork, simd: str
) -> None:
    rng = random.Random(13)
    values = _core.FowValues(network, depth=0, simd=simd)
    lines = [random_game(rng, 80) for _ in range(3)] + [[chess.Board(f)] for f in TURNING_POINTS]
    for board in [board for line in lines for board in line[:: rng.randrange(1, 4)]]:
        fow_board = _core.FowBoard(board.fen())
        for number, score in zip(fow_board.legal_moves(), values.scores(fow_board), strict=True):
            if abs(score) < WIN and rng.random() < 0.3:
                child = board.copy(stack=False)
                child.push(chess.Move(number & 63, number >> 6 & 63, number >> 12 or None))
                assert score == -twin.value(child), child.fen()


def test_the_package_s_network_equals_the_twin() -> None:
    path = default_network_file()
    network, twin = _core.Network(path), own_network_twin.OwnNetwork.read(path)
    assert path.stat().st_size < 8_000_000
    assert network.description() == twin.description
    assert isinstance(json.loads(twin.description), dict)
    boards = [chess.Board(fen) for fen in PECULIAR + TURNING_POINTS] + fow_positions(60, 15)
    for board in boards:
        assert network.parts(_core.FowBoard(board.fen())) == twin.parts(board), board.fen()


def test_scores_of_a_search_do_not_depend_on_what_was_searched_before(
    network: _core.Network,
) -> None:
    boards = [chess.Board(fen) for fen in PECULIAR + TURNING_POINTS] + fow_positions(60, 14)
    lasting = {simd: _core.FowValues(network, simd=simd) for simd in _core.Network.simds()}
    for board in boards:
        fow_board = _core.FowBoard(board.fen())
        fresh = _core.FowValues(network).scores(fow_board)
        for simd, values in lasting.items():
            assert values.scores(fow_board) == fresh, (simd, board.fen())


def test_what_is_no_network_is_refused(network_file: Path, tmp_path: Path) -> None:
    whole = network_file.read_bytes()
    start = 8 + 4 * 4 + len('{"made_by": "a test"}')
    broken = tmp_path / "broken.nnue"
    for content, message in [
        (whole[:7], "truncated: the header needs 8 more bytes, found 7"),
        (b"OBSCURO9" + whole[8:], 'begins with "OBSCURO9"; supported is "OBSCURO1"'),
        (whole[:8] + struct.pack("<I", 1024) + whole[12:], "has 1024 sums in each half; .* 256"),
        (whole[:12] + struct.pack("<I", 32) + whole[16:], "has 32 king buckets; supported are 16"),
        (whole[:16] + struct.pack("<I", 9) + whole[20:], "has 9 stacks; supported are 8"),
        (whole[:30], "truncated: the description needs 21 more bytes, found 6"),
        (whole[: start + 2], "truncated: the checksum needs 4 more bytes, found 2"),
        (whole[:1_000_000], "truncated: the feature transformer needs"),
        (whole[:-1], "truncated: a layer stack needs 32 more bytes, found 31"),
        (whole + b"??", "corrupt: 2 bytes follow its end"),
        (whole[:-1] + bytes([whole[-1] ^ 1]), "corrupt: its weights have the checksum 0x"),
        (whole[:start] + bytes(4) + whole[start + 4 :], "checksum 0x.*, expected 0x00000000"),
    ]:
        broken.write_bytes(content)
        with pytest.raises(NetworkError, match=message):
            _core.Network(broken)

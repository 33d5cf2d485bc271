"""The home-made player: means over sampled positions, by leaf values and by Stockfish."""

import itertools
import random
import shutil
import threading
import time
from collections.abc import Iterator

import chess
import pytest

from obscuro import _core
from obscuro.errors import EngineError, ObservationError, PlayerError, SearchError
from obscuro.fow import Belief, Board
from obscuro.players import Clock, Limits, PimcPlayer, Player, RandomPlayer, Result, make
from obscuro.players.memory import own_move
from obscuro.players.stockfish import StockfishValues, read_values

STOCKFISH = shutil.which("stockfish", path="/usr/games:/usr/local/bin:/usr/bin")
needs_stockfish = pytest.mark.skipif(STOCKFISH is None, reason="no Stockfish is installed")


def begin(player: Player, board: Board, color: chess.Color) -> None:
    player.new_game(color, board.root().fen())
    player.observe(board.observation(color))


def push(board: Board, text: str, *players: tuple[Player, chess.Color]) -> None:
    board.push_san(text)
    for player, color in players:
        player.observe(board.observation(color))


@pytest.mark.parametrize("color", chess.COLORS)
def test_it_plays_what_is_best_on_average_over_all_of_p(color: chess.Color) -> None:
    board, belief = Board(), Belief(color)
    player = PimcPlayer(samples=10_000, eval="simple")
    begin(player, board, color)
    for san in ("e4", "d5", "Nc3", "Nf6", "d4")[: 4 if color else 5]:
        own = board.turn == color
        move = board.parse_san(san)
        push(board, san, (player, color))
        belief.advance(board.observation(color), move if own else None)
    decision = player.choose(Limits())
    assert decision.report["sampled"] == decision.report["belief"] == len(belief)
    # The same by hand, position by position.
    values = _core.FowValues("simple")
    sums = dict.fromkeys((move.uci() for move in board.legal_moves), 0.0)
    for position in belief:
        for move, value in zip(position.legal_moves, values.values(position._core), strict=True):
            sums[move.uci()] += value
    means = {entry["move"]: entry["value"] for entry in decision.report["moves"]}
    assert means == pytest.approx({move: total / len(belief) for move, total in sums.items()})
    assert decision.move is not None
    assert means[decision.move.uci()] == pytest.approx(max(means.values()))
    assert decision.report["value"] == pytest.approx(max(means.values()))
    assert decision.strategy == {decision.move.uci(): 1.0}


def test_limits_on_positions() -> None:
    board = Board()
    player = PimcPlayer(samples=5)
    begin(player, board, chess.BLACK)
    push(board, "e4", (player, chess.BLACK))
    # Of the twenty first moves, Black sees none but those that its own pieces meet.
    assert player.choose(Limits()).report["belief"] > 5
    assert player.choose(Limits()).report["sampled"] == 5
    assert player.choose(Limits(nodes=3)).report["sampled"] == 3
    assert player.choose(Limits(nodes=50)).report["sampled"] == 5


def test_time_alone_values_as_many_as_fit_and_none_twice() -> None:
    board = Board()
    player = PimcPlayer()
    begin(player, board, chess.BLACK)
    push(board, "e4", (player, chess.BLACK))
    report = player.choose(Limits(seconds=60)).report
    assert report["sampled"] == report["belief"]
    assert report["search_seconds"] < 60
    assert player.choose(Limits(seconds=1e-9)).report["sampled"] == 1
    assert player.choose(Limits(clock=Clock(0.1))).report["sampled"] >= 1


def test_stop() -> None:
    class Slow:
        stopped = 0

        def values(self, board: Board) -> list[float]:
            time.sleep(0.01)
            self.stopped += 1
            return [0.0] * len(board.legal_moves)

        def close(self) -> None:
            self.stopped = -1

    board, player, judge = Board(), PimcPlayer(), Slow()
    player._judge = judge
    begin(player, board, chess.BLACK)
    push(board, "e4", (player, chess.BLACK))
    push(board, "e5", (player, chess.BLACK))
    push(board, "Nf3", (player, chess.BLACK))
    timer = threading.Timer(0.05, player.stop)
    timer.start()
    report = player.choose(Limits(seconds=600)).report
    timer.join()
    assert report["sampled"] == judge.stopped < report["belief"]
    player.stop()
    player.reset_stop()
    assert player.choose(Limits(nodes=4)).report["sampled"] == 4
    player.close()
    assert judge.stopped == -1


def test_the_same_seed_plays_the_same_moves_and_a_game_to_its_end() -> None:
    games = []
    for _ in range(2):
        board = Board()
        players: dict[chess.Color, Player] = {
            chess.WHITE: make("pimc(samples=6,seed=3,belief_cap=3000,eval=simple)"),
            chess.BLACK: RandomPlayer(4),
        }
        for color, player in players.items():
            begin(player, board, color)
        while not board.is_game_over():
            move = players[board.turn].choose(Limits()).move
            assert move is not None
            board.push(move)
            for color, player in players.items():
                player.observe(board.observation(color))
        assert board.result() == "1-0"
        games.append(board.move_stack)
        for player in players.values():
            player.game_over(Result(chess.WHITE, "king captured"))
        with pytest.raises(PlayerError, match="new_game"):
            players[chess.WHITE].observe(Board().observation(chess.WHITE))
    assert games[0] == games[1]


def test_wrong_order_bad_settings_and_impossible_observations() -> None:
    for bad, message in (
        ({"samples": 0}, "samples is 0"),
        ({"belief_cap": 0}, "belief_cap is 0"),
        ({"eval": "sinple"}, "there is no evaluator 'sinple'"),
    ):
        with pytest.raises((PlayerError, SearchError), match=message):
            PimcPlayer(**bad)
    player = PimcPlayer()
    with pytest.raises(PlayerError, match="call new_game first"):
        player.observe(Board().observation(chess.WHITE))
    player.new_game(chess.BLACK)
    with pytest.raises(PlayerError, match="observe comes first"):
        player.choose(Limits())
    with pytest.raises(ObservationError, match="expected that of the start"):
        player.observe(Board("4k3/8/8/8/8/8/8/4K3 w - - 0 1").observation(chess.BLACK))
    player.observe(Board().observation(chess.BLACK))
    wrong = Board("rnbqkbnr/pppppppp/8/4Q3/8/8/PPPPPPPP/RNB1KBNR b KQkq - 0 1")
    with pytest.raises(ObservationError):
        player.observe(wrong.observation(chess.BLACK))
    board = Board()
    push(board, "e4", (player, chess.BLACK))
    assert player.choose(Limits(nodes=1)).move in board.legal_moves


def games(starts: list[str], plies: int) -> Iterator[tuple[Board, chess.Move]]:
    """Positions with the moves that led to them, of random games that like special moves."""
    rng = random.Random(9)
    for fen in starts:
        board = Board(fen)
        for _ in range(plies):
            moves = board.legal_moves
            if not moves:
                break
            rare = [m for m in moves if m.promotion or board.san(m).startswith("O-O")]
            move = rng.choice(rare if rare and rng.random() < 0.5 else moves)
            yield board, move


def test_own_moves_are_told_by_the_own_pieces() -> None:
    starts = [
        chess.STARTING_FEN,
        "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1",
        "4k3/PPPP4/8/4Pp2/8/8/pppp4/4K3 w - f6 0 1",
        "8/k7/8/8/4pP2/8/6K1/8 b - f3 0 1",
    ]
    promoted = castled = passed = 0
    for board, move in games(starts * 6, 40):
        color, san = board.turn, board.san(move)
        promoted, castled = promoted + bool(move.promotion), castled + san.startswith("O-O")
        pawn = board.piece_at(move.from_square) == chess.Piece(chess.PAWN, color)
        passed += pawn and board.is_capture(move) and board.piece_at(move.to_square) is None
        before = board.observation(color)
        board.push(move)
        assert own_move(before, board.observation(color)) == move
    assert min(promoted, castled, passed) > 0
    with pytest.raises(ObservationError, match="no legal move leads from"):
        own_move(
            Board().observation(True), Board("4k3/8/8/8/8/8/8/4K3 w - - 0 1").observation(True)
        )


def test_lines_of_an_engine() -> None:
    lines = [
        "info string something",
        "info depth 1 seldepth 2 multipv 1 score cp 30 nodes 20 pv e2e4",
        "info depth 2 seldepth 2 multipv 1 score mate 3 nodes 40 pv d2d4 d7d5",
        "info depth 2 seldepth 2 multipv 2 score mate -2 nodes 40 pv a2a3",
        "info depth 2 seldepth 2 multipv 3 score cp -2500 nodes 40 pv e7e8q",
        "bestmove d2d4",
    ]
    moves = {move.uci(): value for move, value in read_values(lines).items()}
    assert moves == {"d2d4": 1.0, "a2a3": -1.0, "e7e8q": -1.0}


@needs_stockfish
def test_stockfish_where_the_rules_of_chess_can_and_where_they_cannot() -> None:
    assert STOCKFISH is not None
    judge = StockfishValues(STOCKFISH)
    try:
        # An ordinary position: all moves are valued, and the hanging queen is taken.
        board = Board("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1")
        values = dict(zip(board.legal_moves, judge.values(board), strict=True))
        assert max(values, key=lambda move: values[move]).uci() == "e4d5"
        # Into check: lost, though it is legal here.
        board = Board("4r1k1/8/8/8/8/8/8/3K3R w - - 0 1")
        values = dict(zip(board.legal_moves, judge.values(board), strict=True))
        assert values[chess.Move.from_uci("d1e1")] == values[chess.Move.from_uci("d1e2")] == -1.0
        # The king can be taken, or the rook; or the rook takes the queen, and kings are left.
        board = Board("4k3/8/8/8/8/8/r3Q3/4K3 w - - 0 1")
        values = dict(zip(board.legal_moves, judge.values(board), strict=True))
        assert values[chess.Move.from_uci("e2e8")] == 1.0
        assert -1.0 < values[chess.Move.from_uci("e2a2")] <= 1.0
        assert values[chess.Move.from_uci("e1f1")] == pytest.approx(0.0, abs=0.1)
        # Every chess move is mated or in check; the game goes on all the same.
        board = Board("7k/8/8/8/8/8/1r6/r6K w - - 0 1")
        assert judge.values(board) == [-1.0] * len(board.legal_moves)
        # The opponent has no move left by the rules of chess: it must give its king.
        board = Board("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1")
        assert judge.values(board) == [-1.0] * len(board.legal_moves)
    finally:
        judge.close()


@needs_stockfish
def test_a_player_with_stockfish() -> None:
    player = make(f"pimc(engine={STOCKFISH},depth=1,samples=4,seed=1)")
    board = Board()
    begin(player, board, chess.BLACK)
    for san in itertools.islice(("e4", "e5", "Qh5", "Nc6", "Qxf7"), 5):
        push(board, san, (player, chess.BLACK))
    # Whatever took the pawn, it is next to the king: it is taken by the king and nothing else.
    decision = player.choose(Limits())
    player.close()
    assert decision.move == chess.Move.from_uci("e8f7")


def test_an_engine_that_is_none() -> None:
    with pytest.raises(EngineError):
        StockfishValues("no-such-engine")
    with pytest.raises(EngineError, match="depth is 0"):
        StockfishValues("stockfish", 0)

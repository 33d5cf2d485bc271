"""Real games replay to their recorded end, in vision, belief and notation as well."""

import chess

import fow_twin
from human_games import human_games
from obscuro.fow import Belief, Board, Game, Termination, read_game


def test_every_game_replays_to_its_recorded_end() -> None:
    games = human_games()
    assert len(games) >= 20
    for game in games:
        board = Board()
        for san in game.moves:
            move = board.parse_san(san)
            assert board.parse_san(board.san(move)) == move
            board.push(move)
        outcome = board.outcome()
        if game.moves[-1].endswith("#"):
            assert outcome is not None, game.name
            assert outcome.termination == Termination.KING_CAPTURED
            assert outcome.result() == game.result
        elif game.resigned:
            assert outcome is None, game.name
            assert game.result in ("1-0", "0-1")
        elif outcome is not None:
            assert outcome.result() == game.result
        record = Game.from_board(board, Result=game.result)
        assert read_game(str(record)) == record


def test_vision_equals_the_twin_in_every_game() -> None:
    for game in human_games():
        board, twin = Board(), chess.Board()
        for san in game.moves:
            twin = fow_twin.after(twin, board.push_san(san))
            for color in chess.COLORS:
                assert board.vision(color) == fow_twin.vision(twin, color)


def test_the_belief_contains_the_truth_in_every_game() -> None:
    for game in human_games():
        for color in chess.COLORS:
            board, belief = Board(), Belief(color, cap=30_000)
            for san in game.moves:
                own = board.turn == color
                move = board.push_san(san)
                belief.advance(board.observation(color), move if own else None)
                assert len(belief) > 0
                if belief.exactness == "exact":
                    assert board in belief, (game.name, san)

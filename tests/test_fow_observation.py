"""What a player is given: right, readable, and independent of what is hidden."""

import contextlib
import random
from collections import defaultdict

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from obscuro.errors import FenError, ObservationError
from obscuro.fow import Board, Observation


def given_to(observation: Observation) -> tuple[object, ...]:
    """Everything that a player can get from an observation."""
    return (
        str(observation),
        repr(observation),
        observation.fog_fen,
        observation.visible,
        observation.captured,
        observation.turn,
        observation.color,
        observation.fullmove_number,
        observation.legal_moves,
        observation.ep_square,
        observation.castling_rights,
        observation.outcome(),
        observation.piece_map(),
        observation.draw(),
        observation.svg(),
        hash(observation),
    )


def brute_force(board: Board, color: chess.Color) -> tuple[object, ...]:
    """What the position shows a player, put together from the rules alone."""
    visible = tuple(board.vision(color))
    pieces = tuple((s, board.piece_at(s)) for s in visible)
    own_turn = board.turn == color and not board.is_game_over()
    moves = tuple(sorted(move.uci() for move in board.legal_moves)) if own_turn else ()
    rooks = int(board.castling_rights & board.pieces(chess.ROOK, color))
    ep_square = board.ep_square if own_turn else None
    return (visible, pieces, moves, rooks, ep_square, board.outcome(), board.turn)


def random_boards(seed: int, plies: int, start: str | None = None) -> list[Board]:
    rng = random.Random(seed)
    board = Board(start)
    boards = [board.copy()]
    for _ in range(plies):
        moves = board.legal_moves
        if not moves:
            break
        board.push(rng.choice(moves))
        boards.append(board.copy())
    return boards


def test_nothing_given_depends_on_what_is_hidden() -> None:
    """Positions that a player cannot tell apart give equal observations, to the byte."""
    groups: dict[tuple[object, ...], list[Board]] = defaultdict(list)
    start = Board()
    # All positions after three plies, and random continuations of many of them.
    lines = [start]
    for _ in range(3):
        lines = [child for board in lines for child in children(board)]
    rng = random.Random(1)
    for board in rng.sample(lines, 3000):
        for color in chess.COLORS:
            captured = board.captured(color)
            key = (color, board.fullmove_number, captured, brute_force(board, color))
            groups[key].append(board)
    pairs = 0
    for shown, boards in groups.items():
        color = bool(shown[0])
        first = given_to(boards[0].observation(color))
        for other in boards[1:6]:
            pairs += 1
            assert given_to(other.observation(color)) == first
    assert pairs > 1000


def children(board: Board) -> list[Board]:
    found = []
    for move in board.legal_moves:
        child = board.copy()
        child.push(move)
        found.append(child)
    return found


HIDDEN_PAIRS = {
    "enemy castling rights": (
        "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1",
        "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQ - 0 1",
    ),
    "the half-move clock": (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 9",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 60 9",
    ),
    "what blocks a pawn": (
        "4k3/8/8/8/8/4q3/4P3/3K4 w - - 0 1",
        "4k3/8/8/8/8/4n3/4P3/3K4 w - - 0 1",
    ),
    "the colour of a hidden bishop's square": (
        "4k1b1/8/8/8/8/8/8/4K3 w - - 0 1",
        "4kb2/8/8/8/8/8/8/4K3 w - - 0 1",
    ),
}


@pytest.mark.parametrize("pair", HIDDEN_PAIRS.values(), ids=HIDDEN_PAIRS)
def test_hidden_differences_do_not_show(pair: tuple[str, str]) -> None:
    one, two = (Board(fen).observation(chess.WHITE) for fen in pair)
    assert given_to(one) == given_to(two)
    assert one == two


def test_the_pawn_that_moved_does_not_learn_that_it_can_be_taken() -> None:
    with_enemy, without = (
        Board("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1"),
        Board("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
    )
    for board in (with_enemy, without):
        board.push_uci("e2e4")
    assert with_enemy.ep_square == chess.E3
    assert given_to(with_enemy.observation(chess.WHITE)) == given_to(
        without.observation(chess.WHITE)
    )
    seen = with_enemy.observation(chess.BLACK)
    assert seen.ep_square == chess.E3
    assert seen.piece_at(chess.E4) == chess.Piece.from_symbol("P")
    assert chess.E3 in seen.visible


@given(st.integers(0, 2**32))
@settings(max_examples=100, deadline=None)
def test_observations_agree_with_the_board_and_are_read_back(seed: int) -> None:
    for board in random_boards(seed, 60):
        for color in chess.COLORS:
            seen = board.observation(color)
            assert seen.visible == board.vision(color)
            assert seen.piece_map() == {
                s: piece for s, piece in board.piece_map().items() if s in seen.visible
            }
            own_turn = board.turn == color
            assert seen.legal_moves == (board.legal_moves if own_turn else [])
            assert seen.outcome() == board.outcome()
            again = Observation(str(seen), color)
            assert again == seen
            assert again.legal_moves == seen.legal_moves
    assert given_to(again) == given_to(seen)


@given(st.text(alphabet="?*12345678kqrbnpKQRBNP/ w-KQkqabcdefgh capturedover", max_size=100))
@settings(max_examples=500)
def test_any_text_is_an_observation_or_an_error(text: str) -> None:
    with contextlib.suppress(FenError, ObservationError):
        Observation(text, chess.WHITE)


def test_errors_name_what_was_wrong() -> None:
    start = str(Board().observation(chess.WHITE))
    with pytest.raises(ObservationError, match="6 fields"):
        Observation("8/8", chess.WHITE)
    with pytest.raises(ObservationError, match="e3 must be visible to White"):
        Observation(
            start.replace("/8/8/PPPP", "/8/????????/PPPP").replace(
                "????????/8/????????/P", "????????/8/4?3/P"
            ),
            chess.WHITE,
        )
    with pytest.raises(ObservationError, match="captured SQUARE"):
        Observation(f"{start} captured", chess.WHITE)
    rights = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - - 1"
    with pytest.raises(FenError, match="Black's rights are hidden"):
        Observation(rights, chess.WHITE)


def test_pictures_show_fog_and_nothing_behind_it() -> None:
    board = Board("4k3/8/8/8/3q4/8/8/4K3 w - - 0 1")
    seen = board.observation(chess.WHITE)
    assert "♛" not in seen.draw()
    assert seen.draw().count("░") == 64 - len(seen.visible)
    assert seen.svg().count('class="fog"') == 64 - len(seen.visible)
    assert 'href="#black-queen"' in board.svg()
    assert 'href="#black-queen"' not in seen.svg()
    assert seen._repr_svg_().startswith("<svg")
    black = board.observation(chess.BLACK)
    assert black.draw().splitlines()[0].startswith("1")

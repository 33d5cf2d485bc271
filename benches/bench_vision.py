"""What both players see of a position, beside OpenSpiel's dark_chess where it is installed."""

import random
import time

from rich.console import Console
from rich.table import Table

from obscuro.fow import Board

POSITIONS = 200
ROUNDS = 20_000
PLIES = 4_000


def positions(seed: int) -> list[Board]:
    """Positions of random games."""
    rng = random.Random(seed)
    found: list[Board] = []
    while len(found) < POSITIONS:
        board = Board()
        while (moves := board.legal_moves) and len(board.move_stack) < 80:
            board.push(rng.choice(moves))
            if rng.random() < 0.1:
                found.append(board.copy())
    return found[:POSITIONS]


def ours_through_python(seed: int) -> float:
    """Plies per second of random play with both observations, as text."""
    rng = random.Random(seed)
    board, plies, spent = Board(), 0, 0.0
    while plies < PLIES:
        moves = board.legal_moves
        if not moves:
            board = Board()
            continue
        move = rng.choice(moves)
        start = time.perf_counter()
        board.push(move)
        str(board.observation(True)), str(board.observation(False))
        spent += time.perf_counter() - start
        plies += 1
    return plies / spent


def openspiel_plies(seed: int) -> float | None:
    """The same with OpenSpiel's dark_chess, whose rules are those of chess."""
    try:
        import pyspiel
    except ImportError:
        return None
    rng = random.Random(seed)
    game = pyspiel.load_game("dark_chess")
    state, plies, spent = game.new_initial_state(), 0, 0.0
    while plies < PLIES:
        if state.is_terminal():
            state = game.new_initial_state()
            continue
        action = rng.choice(state.legal_actions())
        start = time.perf_counter()
        state.apply_action(action)
        state.observation_string(0), state.observation_string(1)
        spent += time.perf_counter() - start
        plies += 1
    return plies / spent


def main() -> None:
    """Prints the table."""
    boards = positions(1)
    nanoseconds = sum(b._core.time_views(ROUNDS) for b in boards) / (ROUNDS * len(boards)) * 1e9
    python = ours_through_python(2)
    openspiel = openspiel_plies(2)
    table = Table(title="Observations of both players")
    table.add_column("what")
    table.add_column("figure", justify="right")
    table.add_row("vision and view of both sides, native", f"{nanoseconds:.0f} ns a position")
    table.add_row("push and both observations as text, Python", f"{python:,.0f} plies/s")
    if openspiel is None:
        table.add_row("OpenSpiel dark_chess", "not installed")
    else:
        table.add_row("the same, OpenSpiel dark_chess", f"{openspiel:,.0f} plies/s")
        table.add_row("ratio, both through Python", f"{python / openspiel:.1f}")
    Console(width=100).print(table)


if __name__ == "__main__":
    main()

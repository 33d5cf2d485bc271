"""King against king: the game, best answers against enumeration, bounds and claims."""

import itertools
import json
import random
from collections.abc import Iterator
from pathlib import Path

import chess
import numpy as np
import pytest

from obscuro import lab
from obscuro.errors import LabError
from obscuro.fow import Board
from obscuro.lab import king_vs_king
from obscuro.lab.bounds import Payoffs, among, check, hunts, whole
from obscuro.lab.chase import BESIDE, NEAR, PAIRS, Chase, Plan, Walk
from obscuro.lab.kings import Effort, Lows, canonical, has_pair, table
from obscuro.lab.matrix_game import Growing, solve
from obscuro.lab.options import Bench

SMALL = Effort(plies=4, hunt_plies=8, steps=0, rounds=8)


def walks(chase: Chase, start: int, mine: bool) -> Iterator[Walk]:
    """All walks of one player."""
    found: list[Walk] = [(start,)]
    for ply in range(1, chase.plies):
        moves = chase.is_settlers(ply) == mine
        found = [
            (*walk, step) for walk in found for step in (BESIDE[walk[-1]] if moves else [walk[-1]])
        ]
    yield from found


def plans(chase: Chase) -> Iterator[Plan]:
    """All plans of the settler."""
    for walk in walks(chase, chase.settler, True):
        yield Plan(walk, None)
    for ply in range(1, chase.plies):
        if chase.is_settlers(ply):
            short = Chase(chase.settler, chase.walker, chase.first, ply)
            for walk in walks(short, chase.settler, True):
                yield from (Plan(walk, pair) for pair in PAIRS[walk[-1]])


def a_walk(draw: random.Random, chase: Chase, start: int, mine: bool) -> Walk:
    walk = [start]
    for ply in range(1, chase.plies):
        moves = chase.is_settlers(ply) == mine
        walk.append(draw.choice(BESIDE[walk[-1]]) if moves else walk[-1])
    return tuple(walk)


def a_plan(draw: random.Random, chase: Chase) -> Plan:
    walk = a_walk(draw, chase, chase.settler, True)
    ply = draw.randrange(1, chase.plies + 2)
    if ply >= chase.plies or not chase.is_settlers(ply):
        return Plan(walk, None)
    return Plan(walk[:ply], draw.choice(PAIRS[walk[ply - 1]]))


@pytest.mark.parametrize("first", [True, False])
def test_walks_end_as_the_rules_of_the_game_say(first: bool) -> None:
    draw = random.Random(1)
    ends = set()
    for _ in range(300):
        chase = Chase(chess.C3, chess.A1, first, 7)
        mine = a_walk(draw, chase, chase.settler, True)
        theirs = a_walk(draw, chase, chase.walker, False)
        # The settler is White here.
        board = Board(f"8/8/8/8/8/2K5/8/k7 {'w' if first else 'b'} - - 0 1")
        expected = 0.0
        for ply in range(1, chase.plies + 1):
            kings = {piece.color: s for s, piece in board.piece_map().items()}
            take = chess.Move(kings[board.turn], kings[not board.turn])
            if board.is_legal(take):
                board.push(take)
                expected = 1.0 if board.result() == "1-0" else -1.0
                break
            if ply < chase.plies:
                walk = mine if chase.is_settlers(ply) else theirs
                board.push(chess.Move(walk[ply - 1], walk[ply]))
        found = chase.payoff(Plan(mine, None), theirs)
        ends.add(expected)
        # Who has not settled when the plies are over has lost.
        assert found == (expected or -1.0)
    assert ends == {-1.0, 0.0, 1.0}


@pytest.mark.parametrize(
    ("settler", "walker", "first"),
    [
        (chess.C3, chess.A1, True),
        (chess.C3, chess.A1, False),
        (chess.B1, chess.B3, True),
        (chess.D1, chess.D4, False),
    ],
)
def test_best_answers_are_the_best_of_all(settler: int, walker: int, first: bool) -> None:
    draw = random.Random(2)
    chase = Chase(settler, walker, first, 5)
    for _ in range(3):
        weights = np.array([draw.random() for _ in range(5)])
        weights /= weights.sum()
        theirs = [a_walk(draw, chase, walker, False) for _ in weights]
        value, plan = chase.best_plan(theirs, weights.tolist())
        scores = [weights @ [chase.payoff(p, w) for w in theirs] for p in plans(chase)]
        assert value == pytest.approx(max(scores))
        assert weights @ [chase.payoff(plan, w) for w in theirs] == pytest.approx(value)

        mine = [a_plan(draw, chase) for _ in weights]
        value, walk = chase.best_walk(mine, weights.tolist())
        scores = [
            -(weights @ [chase.payoff(p, w) for p in mine]) for w in walks(chase, walker, False)
        ]
        assert value == pytest.approx(max(scores))
        assert -(weights @ [chase.payoff(p, walk) for p in mine]) == pytest.approx(value)


@pytest.mark.parametrize("first", [True, False])
def test_payoffs_at_once_are_the_payoffs_one_by_one(first: bool) -> None:
    draw = random.Random(3)
    chase = Chase(chess.B3, chess.B1, first, 12)
    many = list(hunts(chase, 2))
    assert len(set(many)) > 50
    payoffs = Payoffs(chase, many)
    seen = set()
    for _ in range(20):
        walk = a_walk(draw, chase, chase.walker, False)
        expected = [chase.payoff(plan, walk) for plan in many]
        assert payoffs.against(walk).tolist() == expected
        seen |= set(expected)
    assert seen == {-1.0, 0.0, 1.0}


def test_matrix_games() -> None:
    # Rock, paper, scissors where paper wins twice.
    payoffs = np.array([[0.0, -2.0, 1.0], [2.0, 0.0, -1.0], [-1.0, 1.0, 0.0]])
    value, rows, columns = solve(payoffs)
    np.testing.assert_allclose(rows, [0.25, 0.25, 0.5], atol=1e-9)
    np.testing.assert_allclose(columns, [0.25, 0.25, 0.5], atol=1e-9)
    assert value == pytest.approx(0.0)
    draw = np.random.default_rng(4)
    for shape in ((2, 5), (6, 3), (1, 4), (7, 7)):
        payoffs = draw.uniform(-1, 1, shape)
        game = Growing(shape[0])
        for number, column in enumerate(payoffs.T):
            game.add(column)
            value, rows, columns = game.solve()
            seen = payoffs[:, : number + 1]
            # Neither side can do better: that is what the value is.
            assert min(rows @ seen) == pytest.approx(value) == max(seen @ columns)


def test_claim_1_two_squares_to_go_to_and_fro() -> None:
    for pair, drawn in (((chess.D4, chess.D1), True), ((chess.A1, chess.C1), False)):
        chase = Chase(*pair, True, 3)
        safe = has_pair(*pair, of_mover=True)
        best = max(check(chase, [Plan((pair[0],), squares)], [1.0]) for squares in PAIRS[pair[0]])
        assert (best == 0.0) == safe == drawn
    # Whoever goes to and fro at random loses nothing to any walk.
    squares = (chess.E4, chess.E5)
    start = Chase(chess.D4, chess.D1, True, 8)
    to_and_fro = [
        (chess.D4, *(squares[((ply + 1) // 2 + phase) % 2] for ply in range(1, 9)))
        for phase in (0, 1)
    ]
    for walk in itertools.islice(walks(start, chess.D1, False), 0, None, 37):
        scores = []
        for plan in to_and_fro:
            near = [ply for ply in range(1, 8) if NEAR[plan[ply]][walk[ply]]]
            # The walker is run into, or runs into the king; afterwards it is a draw.
            scores.append(0 if not near else (1 if near[0] % 2 == 0 else -1))
        assert sum(scores) >= 0


def test_the_double_oracle_finds_the_value_of_the_small_game() -> None:
    chase = Chase(chess.C3, chess.A1, True, 4)
    found = whole(chase, rounds=40)
    payoffs = np.array(
        [[chase.payoff(p, w) for w in walks(chase, chess.A1, False)] for p in plans(chase)]
    )
    value = solve(payoffs)[0]
    assert found.value == pytest.approx(value, abs=1e-6)
    assert found.best == pytest.approx(value, abs=1e-6)
    assert check(chase, found.plans, found.weights) == pytest.approx(found.value)


def test_a_guarantee_among_some_plans_is_their_matrix_games() -> None:
    chase = Chase(chess.C3, chess.C1, False, 6)
    some = list(hunts(chase, 1))
    found = among(chase, some, rounds=60)
    payoffs = np.array([[chase.payoff(p, w) for w in walks(chase, chess.C1, False)] for p in some])
    assert found.value == pytest.approx(solve(payoffs)[0], abs=2e-3)


@pytest.fixture(scope="module")
def strategies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the strategies of a small effort."""
    folder = tmp_path_factory.mktemp("kings")
    assert table(SMALL, folder / "strategies.json") is not None
    return folder


def test_the_table_keeps_what_must_hold(strategies: Path, tmp_path: Path) -> None:
    # Nothing is looked for again, but all of it is checked.
    file = tmp_path / "strategies.json"
    file.write_bytes((strategies / "strategies.json").read_bytes())
    found = table(SMALL, file)
    assert found is not None
    assert file.read_bytes() == (strategies / "strategies.json").read_bytes()
    assert len(found.hunter_moves) == 24
    assert len(found.edge_moves) == 5
    for bounds in (*found.hunter_moves.values(), *found.edge_moves.values()):
        assert -1 <= bounds.low <= bounds.high <= 1
    draw = random.Random(5)
    for _ in range(200):
        white, black = draw.randrange(64), draw.randrange(64)
        if white != black:
            one = found.value(white, black, white_moves=True)
            other = found.value(black, white, white_moves=False)
            assert (one.low, one.high) == (-other.high, -other.low)
            turned = canonical((white, black))
            assert found.value(*turned, white_moves=True) == one
    # The guess of the corner case alone is worth a half.
    for pair in king_vs_king.CORNER:
        assert found.hunter_moves[canonical(pair)].low >= 0.5
    known = json.loads(file.read_text(encoding="utf-8"))
    key = next(iter(known))
    known[key]["plans"][0][1][0] += 1
    file.write_text(json.dumps(known), encoding="utf-8")
    with pytest.raises(LabError, match="a walk starts elsewhere"):
        table(SMALL, file)
    file.write_text("{", encoding="utf-8")
    with pytest.raises(LabError, match="cannot be read"):
        table(SMALL, file)


def test_lower_bounds_go_back_by_a_move() -> None:
    # Two squares apart, with the king on d1 to move, is supposed to be worth a tenth.
    known = ((chess.D3, chess.D1), False)
    lows = Lows({known: 0.1})
    assert lows((chess.D4, chess.D1), hunter_moves=True) == pytest.approx(0.1)
    assert lows((chess.D5, chess.D8), hunter_moves=True) == pytest.approx(0.1)
    assert lows((chess.D6, chess.D1), hunter_moves=True) == 0
    # In the corner a guess wins half of the time, and the rest is worth what follows.
    before = Lows({})((chess.C3, chess.A1), hunter_moves=True)
    after = Lows({((chess.B3, chess.B1), True): 0.1})((chess.C3, chess.A1), hunter_moves=True)
    assert before == pytest.approx(0.5)
    assert after > before


def test_the_experiment_says_what_its_bounds_show(strategies: Path) -> None:
    result = king_vs_king.run(Bench(lab.Options(), strategies), SMALL)
    assert result.complete
    verdicts = [figure.verdict for figure in result.figures]
    assert verdicts[0] == "3,384 of 3,612"
    for figure in result.figures[1:]:
        above = 0.5 if "corner" in figure.name else 0.0
        assert figure.verdict.startswith("holds") == (figure.ours.low > above + 1e-6)
    assert (strategies / "king-vs-king.svg").exists()
    stopped = Bench(lab.Options(), strategies / "other", stopped=lambda: True)
    assert not king_vs_king.run(stopped, SMALL).complete

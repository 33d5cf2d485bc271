"""The package `obscuro.eval`, and its evaluators in searches."""

import math
import shutil
import threading
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pytest

import own_network_twin
from obscuro import _core, search
from obscuro import eval as leaf
from obscuro.errors import ContractError, NetworkError, SearchError
from obscuro.fow import Board
from obscuro.games import fow_chess
from obscuro.players import Limits, ObscuroPlayer
from obscuro.players.settings import EngineSettings
from obscuro.search import AgentSettings

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


@pytest.fixture(scope="module")
def network_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("eval") / "random.nnue"
    own_network_twin.random_network(2).write(path)
    return path


def answering(answer: Any, board: object) -> Any:  # noqa: ANN401
    return answer


def test_a_network_and_its_file_value_alike(network_file: Path) -> None:
    board = Board(KIWIPETE)
    network = leaf.Network.open(network_file)
    assert (network.width, network.king_buckets) == (256, 16)
    assert network.path == network_file
    assert repr(network) == "<Network random.nnue: 16 king buckets, 256 sums>"
    by_network = leaf.Evaluator(network)
    assert by_network.children(board) == leaf.children(board, network_file)
    assert by_network.children(board) == leaf.children(board, str(network_file))
    assert by_network.static(board) == network.static(board)
    expected = own_network_twin.random_network(2).value(chess.Board(KIWIPETE))
    assert network.static(board) == expected / 361


def test_a_file_is_read_once_and_again_when_it_changes(network_file: Path, tmp_path: Path) -> None:
    path = tmp_path / "changing.nnue"
    shutil.copy(network_file, path)
    first = leaf.Network.open(path)
    assert leaf.Network.open(path)._core is first._core
    path.write_bytes(b"OBSCURO1")
    with pytest.raises(NetworkError, match="truncated"):
        leaf.Network.open(path)


def test_the_default_network_is_found_or_missed_by_name(
    network_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = Board(KIWIPETE)
    monkeypatch.setattr("obscuro.eval.network._DEFAULT", network_file)
    assert leaf.children(board) == leaf.children(board, network_file)
    monkeypatch.setattr("obscuro.eval.network._DEFAULT", network_file / "none" / "default.nnue")
    with pytest.raises(NetworkError, match=r"expected the file default.nnue .*use \"simple\""):
        leaf.children(board)
    player = ObscuroPlayer(EngineSettings(eval="network"))
    with pytest.raises(NetworkError, match="has no network of its own"):
        player.new_game(chess.WHITE)


def test_values_are_the_squashed_pawns(network_file: Path) -> None:
    for statics in ("simple", "zero", network_file):
        for scale in (0.5, 2.0, 7.0):
            evaluator = leaf.Evaluator(statics, scale=scale)
            for fen in (
                KIWIPETE,
                "4k3/4Q3/8/8/8/8/8/4K3 w - - 0 1",
                "8/8/8/8/8/8/r7/k1K5 w - - 0 1",
            ):
                board = Board(fen)
                pawns = evaluator.pawns(board)
                values = evaluator.children(board)
                assert list(pawns) == list(values) == board.legal_moves
                for move, value in values.items():
                    assert value == pytest.approx(leaf.squash(pawns[move], scale), abs=1e-6)
                    assert math.isinf(pawns[move]) == (abs(value) == 1)


@pytest.mark.parametrize("seed", range(3))
def test_a_function_is_asked_where_captures_end(seed: int) -> None:
    simple = leaf.Evaluator("simple")
    asked = []

    def by_hand(board: Board) -> float:
        asked.append(board.fen())
        return simple.static(board)

    board = Board()
    rng = np.random.default_rng(seed)
    for _ in range(12):
        moves = board.legal_moves
        board.push(moves[int(rng.integers(len(moves)))])
        if board.outcome() is not None:
            break
    given = leaf.Evaluator(by_hand)
    assert given.pawns(board) == simple.pawns(board)
    assert len(asked) >= len(board.legal_moves) / 2
    assert leaf.Evaluator(by_hand, depth=0).pawns(board) == leaf.Evaluator("simple", depth=0).pawns(
        board
    )


def test_a_function_that_raises_or_answers_nonsense() -> None:
    board = Board(KIWIPETE)
    calls = 0

    def fails_once(board: Board) -> float:
        nonlocal calls
        calls += 1
        if calls == 5:
            raise ZeroDivisionError("a bug of the user")
        return 1.0

    evaluator = leaf.Evaluator(fails_once, cache_bits=10)
    with pytest.raises(ZeroDivisionError, match="a bug of the user"):
        evaluator.children(board)
    # Nothing of the failure is remembered.
    assert evaluator.pawns(board) == leaf.Evaluator(lambda board: 1.0).pawns(board)
    answers: list[tuple[Any, type[Exception]]] = [(math.nan, ContractError), ("?", TypeError)]
    for answer, kind in answers:
        nonsense = leaf.Evaluator(partial(answering, answer))
        with pytest.raises(kind):
            nonsense.children(board)
        with pytest.raises(kind):
            nonsense.static(board)
    # Beyond all scores, but not a win.
    assert max(leaf.children(board, lambda board: -1e30).values()) < 1


def test_what_cannot_value_positions_is_refused(tmp_path: Path) -> None:
    for wrong in ("simpel", "Network", 7, None, 1.5):
        with pytest.raises(SearchError, match='expected "network", "simple", "zero"'):
            leaf.Evaluator(wrong)  # type: ignore[arg-type]
    with pytest.raises(NetworkError, match="cannot read the network"):
        leaf.Evaluator(tmp_path / "none.nnue")
    with pytest.raises(NetworkError, match="cannot read the network"):
        leaf.Evaluator(str(tmp_path / "none.nnue"))
    with pytest.raises(NetworkError, match="cannot read the network"):
        leaf.Evaluator(str(tmp_path))
    for depth in (-1, 33):
        with pytest.raises(SearchError, match=f"depth is {depth}, expected a number from 0 to 32"):
            leaf.Evaluator("zero", depth=depth)
    for scale in (0.0, -1.0, math.nan, math.inf):
        with pytest.raises(SearchError, match="the scale must be a positive number of pawns"):
            leaf.Evaluator("zero", scale=scale)
        with pytest.raises(SearchError, match="the scale must be a positive number of pawns"):
            leaf.squash(1.0, scale)
    with pytest.raises(SearchError, match="cache_bits is 29, expected a number from 0 to 28"):
        leaf.Evaluator("zero", cache_bits=29)


def choose(evaluator: search.Evaluator, fen: str, nodes: int = 1500) -> search.Decision[int]:
    """What an agent with this evaluator does at the start of a game from a position."""
    agent = search.Agent(fow_chess(fen), AgentSettings(seed=3), evaluator=evaluator)
    agent.new_game(0)
    return agent.choose(search.Limits(nodes=nodes))


def test_agents_take_evaluators_by_name_by_file_and_as_objects(network_file: Path) -> None:
    fen = "4k3/pppp4/8/3q4/4P3/8/PPPP4/4K3 w - - 0 1"
    by_file = choose(str(network_file), fen)
    assert by_file.actions == choose(leaf.Evaluator(network_file), fen).actions
    simple = choose("simple", fen)
    assert simple.actions == choose(leaf.Evaluator("simple"), fen).actions
    assert by_file.actions != simple.actions
    assert simple.actions != choose(leaf.Evaluator("simple", scale=9.0), fen).actions
    player = ObscuroPlayer(EngineSettings(search=AgentSettings(seed=1), eval=str(network_file)))
    player.new_game(chess.WHITE)
    player.observe(Board().observation(chess.WHITE))
    assert player.choose(Limits(nodes=500)).move in Board().legal_moves


def test_agents_refuse_evaluators_that_are_none() -> None:
    with pytest.raises(SearchError, match="there is no evaluator 'simpel'"):
        choose("simpel", chess.STARTING_FEN)
    other = search.Agent(fow_chess(plies=2), evaluator=leaf.Evaluator("simple"))
    with pytest.raises(SearchError, match='expected "zero", "exact"'):
        other.new_game(0)


def test_a_function_of_single_positions_serves_a_whole_search_like_the_core() -> None:
    fen = "4k3/pppp4/8/3q4/4P3/8/PPPP4/4K3 w - - 0 1"
    simple = leaf.Evaluator("simple")
    in_python = choose(leaf.Evaluator(simple.static), fen, nodes=200)
    assert in_python.actions == choose("simple", fen, nodes=200).actions


def test_a_function_of_families_serves_a_whole_search_like_the_core() -> None:
    fen = "4k3/pppp4/8/3q4/4P3/8/PPPP4/4K3 w - - 0 1"
    simple = leaf.Evaluator("simple")
    families = []

    def family(state: object, actions: list[int], children: list[Any]) -> Sequence[float]:
        board = Board(f"{state} 0 1")
        values = simple.children(board)
        families.append(len(children))
        assert [
            m.from_square | m.to_square << 6 | (m.promotion or 0) << 12 for m in values
        ] == actions
        sign = 1 if board.turn == chess.WHITE else -1
        return [sign * value for value in values.values()]

    assert choose(family, fen, nodes=400).actions == choose("simple", fen, nodes=400).actions
    assert len(families) > 3


def test_an_exception_ends_a_search_and_leaves_the_agent_as_it_was() -> None:
    fen = "4k3/pppp4/8/3q4/4P3/8/PPPP4/4K3 w - - 0 1"
    broken = False

    def static(board: Board) -> float:
        if broken:
            raise ZeroDivisionError("a bug of the user")
        return 0.25

    agent = search.Agent(fow_chess(fen), AgentSettings(seed=3), evaluator=leaf.Evaluator(static))
    agent.new_game(0)
    broken = True
    with pytest.raises(ZeroDivisionError, match="a bug of the user"):
        agent.choose(search.Limits(nodes=200))
    broken = False
    expected = choose(leaf.Evaluator(lambda board: 0.25), fen, nodes=200)
    assert agent.choose(search.Limits(nodes=200)).actions == expected.actions


def test_functions_and_networks_serve_searches_in_threads(network_file: Path) -> None:
    threads = set()

    def static(board: Board) -> float:
        threads.add(threading.get_ident())
        return 0.0

    for statics in (static, network_file):
        agent = search.Agent(
            fow_chess(), AgentSettings(expanders=2), evaluator=leaf.Evaluator(statics)
        )
        agent.new_game(0)
        decision = agent.choose(search.Limits(nodes=2000))
        assert decision.action in agent.actions
    assert len(threads) >= 2


def test_evaluators_are_one_threads_own() -> None:
    evaluator = leaf.Evaluator("simple")
    inner: list[BaseException] = []

    def static(board: Board) -> float:
        try:
            outer.children(board)
        except RuntimeError as error:
            inner.append(error)
        return evaluator.static(board)

    outer = leaf.Evaluator(static)
    assert outer.children(Board()) == evaluator.children(Board())
    assert inner, "a function that asks its own evaluator would never end"


def test_the_core_tells_units_and_squash() -> None:
    values = _core.FowValues("simple", scale=3.0)
    assert values.units_per_pawn() == 100
    for score in (-(1 << 20), -700, -1, 0, 250, 1 << 20):
        pawns = score / 100 if abs(score) < 1 << 20 else math.copysign(math.inf, score)
        assert values.squash(score) == pytest.approx(leaf.squash(pawns, 3.0), abs=1e-6)

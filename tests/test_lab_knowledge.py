"""The experiments on knowledge, on sizes of infosets, and on small games."""

import itertools
import re
from pathlib import Path

import chess
import numpy as np
import pytest

from obscuro import games, lab
from obscuro.lab import common, infosets, small_games
from obscuro.lab.diameter import Diameter, Infosets
from obscuro.lab.options import Bench
from obscuro.search import KnowledgeGraph


@pytest.mark.parametrize(
    ("name", "plies"),
    [
        ("kuhn_poker", 2),
        ("leduc_poker", 3),
        ("goofspiel(num_cards=3)", 2),
        ("goofspiel(num_cards=4)", 4),
        ("phantom_ttt(gameversion=abrupt)", 2),
    ],
)
def test_the_largest_distance_is_that_of_all_pairs(name: str, plies: int) -> None:
    graph = KnowledgeGraph(games.load(name), plies)
    distance = np.full((len(graph), len(graph)), np.inf)
    for node in range(len(graph)):
        for player in (0, 1):
            distance[node, graph.infoset(player, node)] = 1
        distance[node, node] = 0
    for middle in range(len(graph)):
        distance = np.minimum(distance, distance[:, [middle]] + distance[[middle], :])
    expected = distance[np.isfinite(distance)].max()

    sets = Infosets(graph)
    components = sets.components()
    assert sorted(itertools.chain(*components)) == list(range(len(graph)))
    for nodes in components:
        assert np.flatnonzero(np.isfinite(distance[nodes[0]])).tolist() == sorted(nodes)
    for distances in (graph.distances, sets.distances):
        found = Diameter(distances)
        assert found.run(components)
        assert found.largest == expected
        assert distance[found.pair] == expected


def test_a_stopped_search_says_so() -> None:
    graph = KnowledgeGraph(games.load("goofspiel(num_cards=4)"), 4)
    assert not Diameter(graph.distances).run(Infosets(graph).components(), lambda: True)


def test_the_papers_positions_are_nine_steps_apart_and_ten_is_the_most(tmp_path: Path) -> None:
    result = lab.run("common-knowledge", lab.Options(out=tmp_path))
    assert [(f.ours.value, f.verdict) for f in result.figures] == [(9, "equal"), (10, "equal")]
    assert len(result.data["path"]) == 10
    page = result.to_markdown()
    # Each step is somebody's infoset, and the players take turns.
    who = re.findall(r"\| 1\. .* \| (White|Black) \|", page.partition("as far apart as any")[0])
    assert len(who) == 9
    assert all(one != other for one, other in itertools.pairwise(who))
    picture = (tmp_path / "common-knowledge.svg").read_text(encoding="utf-8")
    assert picture.count("<svg") == 11
    assert len(re.findall(r'id="([^"]+)"', picture)) == len(
        set(re.findall(r'id="([^"]+)"', picture))
    )


def test_the_boards_of_a_path_are_those_of_its_histories() -> None:
    graph = KnowledgeGraph(games.fow_chess(), 1)
    history = graph[graph.find(["e4"])]
    assert common._boards([history]) == [f"1. e4\n{common._board(history)}"]
    assert common._board(history).piece_map()[chess.E4].piece_type == chess.PAWN


def by_hand(pieces: str, squares: list[chess.Square]) -> int:
    """Every arrangement written down, and told from the others."""
    light = chess.SquareSet(chess.BB_LIGHT_SQUARES)
    found = set()
    for chosen in itertools.permutations(squares, len(pieces)):
        placed = list(zip(chosen, pieces, strict=True))
        bishops = [square in light for square, piece in placed if piece == "b"]
        # One bishop alone stands on light squares, a second one on dark squares.
        if bishops in ([], [True], [True, False]):
            found.add(frozenset(placed))
    return len(found)


@pytest.mark.parametrize(
    "pieces", ["k", "kq", "knn", "kb", "kbb", "kbbn", "krr", "kqrr", "kbbnn", "nnrr"]
)
def test_arrangements_are_those_that_can_be_written_down(pieces: str) -> None:
    squares = [chess.square(file, rank) for file in range(4) for rank in range(2)]
    assert infosets.arrangements(pieces, room=8) == by_hand(pieces, squares)


def test_the_count_of_the_paper() -> None:
    # The paper's formula, as it stands there.
    whole = 12 * 12 * (22 * 21 * 20 * 19 * 18 * 17) // 2**2
    assert infosets.arrangements(infosets.PIECES) == whole == 1_933_968_960


@pytest.mark.parametrize(("pieces", "expected"), [("k", 24), ("kn", 552), ("kbb", 3168)])
def test_a_belief_grows_to_the_whole_family(pieces: str, expected: int) -> None:
    assert infosets.count_by_belief(pieces) == expected == infosets.arrangements(pieces)


def test_infoset_sizes_without_games(tmp_path: Path) -> None:
    result = lab.run("infoset-sizes", lab.Options(out=tmp_path))
    assert [figure.verdict for figure in result.figures] == ["equal to the paper's digit"] * 2
    assert result.data == {"infoset": 1_933_968_960, "common": 1_933_968_960**2}
    (grid,) = [part for part in result.parts if isinstance(part, lab.Grid)]
    assert [row[1] for row in grid.rows] == [row[2] for row in grid.rows]


def test_the_table_of_small_games(tmp_path: Path) -> None:
    bench = Bench(lab.Options(out=tmp_path), tmp_path)
    result = small_games.run(bench, names=("kuhn_poker",), iterations=(30, 60))
    assert result.complete
    (grid,) = result.parts
    assert isinstance(grid, lab.Grid)
    assert [row[:2] for row in grid.rows] == [["kuhn_poker", "30"], ["kuhn_poker", "60"]]
    # The common-knowledge variant is safe; KLUSS is not, and it shows (docs/results.md).
    values = result.data["rows"][1]
    assert values["Common, u*"] < 0.01 < values["KLUSS"] < 0.05
    again = small_games.run(bench, names=("kuhn_poker",), iterations=(60,))
    assert {k: v for k, v in again.data["rows"][0].items() if k != "seconds"} == {
        k: v for k, v in values.items() if k != "seconds"
    }

"""Knowledge distances: the paper's example, and a brute-force twin."""

import itertools

import numpy as np
import pytest

from obscuro import games, search
from obscuro.errors import GameError

POSITION_A = ["Nc3", "g5", "Nh3", "d5"]
POSITION_B = ["Nf3", "e5", "h3", "Qh4"]


def brute_force(graph: search.KnowledgeGraph) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """All distances at once (Floyd and Warshall), from the infosets alone."""
    n = len(graph)
    distance = np.full((n, n), np.inf)
    for node in range(n):
        for player in (0, 1):
            distance[node, graph.infoset(player, node)] = 1
        distance[node, node] = 0
    for middle in range(n):
        distance = np.minimum(distance, distance[:, [middle]] + distance[[middle], :])
    return distance


@pytest.mark.parametrize(
    ("name", "plies"),
    [
        ("kuhn_poker", 2),
        ("kuhn_poker", 3),
        ("leduc_poker", 3),
        ("goofspiel(num_cards=3)", 2),
        ("goofspiel(num_cards=4)", 4),
        ("phantom_ttt(gameversion=abrupt)", 2),
    ],
)
def test_distances_equal_the_twin(name: str, plies: int) -> None:
    graph = search.KnowledgeGraph(games.load(name), plies)
    expected = brute_force(graph)
    for node in range(0, len(graph), max(1, len(graph) // 10)):
        found = graph.distances([node]).astype(float)
        found[found < 0] = np.inf
        np.testing.assert_array_equal(found, expected[node])
        for k in (1, 2, 3):
            assert graph.order([node], k) == list(np.flatnonzero(expected[node] < k))
        assert graph.common([node]) == list(np.flatnonzero(np.isfinite(expected[node])))


def test_infosets_are_what_a_player_cannot_tell_apart() -> None:
    graph = search.KnowledgeGraph(games.load("kuhn_poker"), 2)
    assert len(graph) == 6
    for number in range(6):
        own = graph[number].actions[0]
        alike = [n for n in range(6) if graph[n].actions[0] == own]
        assert graph.infoset(0, number) == alike


def test_the_papers_two_positions_are_nine_steps_apart() -> None:
    graph = search.KnowledgeGraph(games.fow_chess(), 4)
    start, end = graph.find(POSITION_A), graph.find(POSITION_B)
    assert graph.distances([start])[end] == 9
    path = graph.path(start, end)
    assert path is not None
    assert [path[0].number, path[-1].number] == [start, end]
    assert len(path) == 10
    for one, other in itertools.pairwise(path):
        assert any(other.number in graph.infoset(player, one.number) for player in (0, 1))


def test_bad_questions_are_errors() -> None:
    with pytest.raises(GameError, match="plies is -1"):
        search.KnowledgeGraph(games.load("kuhn_poker"), -1)
    with pytest.raises(GameError, match="no history of the game has 9 plies"):
        search.KnowledgeGraph(games.load("kuhn_poker"), 9)
    with pytest.raises(GameError, match="more than 100 histories of 2 plies"):
        search.KnowledgeGraph(games.fow_chess(), 2, limit=100)
    graph = search.KnowledgeGraph(games.load("kuhn_poker"), 2)
    with pytest.raises(GameError, match="no history here"):
        graph.find(["Deal:0", "Deal:0"])
    with pytest.raises(IndexError, match="history 6 of 6"):
        graph[6]
    with pytest.raises(GameError, match="player is 2"):
        graph.infoset(2, 0)

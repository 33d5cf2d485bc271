"""Common knowledge: how far the two positions of the paper's first figure are apart."""

import itertools

import chess
import chess.svg

from obscuro import games
from obscuro.fow import Board
from obscuro.lab import paper
from obscuro.lab.diameter import Diameter, Infosets
from obscuro.lab.matches import options_of
from obscuro.lab.options import Bench, machine
from obscuro.lab.result import Figure, Grid, Result, Text
from obscuro.lab.verdict import exactly, size
from obscuro.search import KnowledgeGraph
from obscuro.search.knowledge import History

NAME = "common-knowledge"
TITLE = "Two positions that are nine steps of knowledge apart"
PLIES = 4

_COLUMNS = 5
_SIZE = 200
_CAPTION = 40


def run(bench: Bench) -> Result:
    """Finds a shortest path between the two positions, and the largest distance of all."""
    bench.say("listing all games of two moves each")
    graph = KnowledgeGraph(games.fow_chess(), PLIES)
    start, end = graph.find(paper.POSITION_A), graph.find(paper.POSITION_B)
    path = graph.path(start, end)
    assert path is not None
    bench.say("looking for the largest distance")
    infosets = Infosets(graph)
    sets = infosets.components()
    widest = Diameter(graph.distances, of_small=infosets.distances)
    complete = widest.run(sets, bench.stopped)
    figures = [
        Figure(
            "distance between the positions of figure 1",
            exactly(len(path) - 1),
            exactly(paper.DISTANCE),
            "whole",
            paper.SIZES,
            size(exactly(len(path) - 1), exactly(paper.DISTANCE)),
        )
    ]
    parts: list[Grid | Text] = [
        Grid("A shortest path", ["Moves", "Who cannot tell it from the next"], _rows(graph, path)),
        Text("Its positions", "\n\n".join(_boards(path))),
    ]
    if complete:
        figures.append(
            Figure(
                "largest distance after two moves each",
                exactly(widest.largest),
                exactly(paper.LARGEST_DISTANCE),
                "whole",
                paper.SIZES,
                size(exactly(widest.largest), exactly(paper.LARGEST_DISTANCE)),
            )
        )
        distant = graph.path(*widest.pair)
        assert distant is not None
        parts.append(
            Grid(
                "Two histories that are as far apart as any",
                ["Moves", "Who cannot tell it from the next"],
                _rows(graph, distant),
            )
        )
    picture = bench.folder / f"{NAME}.svg"
    picture.parent.mkdir(parents=True, exist_ok=True)
    picture.write_text(draw(path), encoding="utf-8")
    return Result(
        NAME,
        TITLE,
        figures,
        {
            "histories": f"{len(graph):,}, all of two moves each",
            "common-knowledge sets": f"{len(sets):,}, the largest of {max(map(len, sets)):,}",
            "searches for the largest distance": f"{widest.searches}, each from one history to all",
            **machine(),
        },
        options_of(bench),
        parts=parts,
        notes=[
            "Each position is linked to the next by an infoset of one of the players. The path "
            "need not be the paper's: there are several of this length."
        ],
        pictures=[picture.name],
        data={"path": [" ".join(history.actions) for history in path]},
        complete=complete,
    )


def _rows(graph: KnowledgeGraph, path: list[History]) -> list[list[str]]:
    rows = []
    for one, other in itertools.pairwise(path):
        who = [
            name
            for player, name in ((0, "White"), (1, "Black"))
            if other.number in graph.infoset(player, one.number)
        ]
        rows.append([_moves(one), " and ".join(who)])
    rows.append([_moves(path[-1]), ""])
    return rows


def _moves(history: History) -> str:
    """The moves of a history as they are written.

    >>> _moves(History(0, ("Nc3", "g5", "Nh3", "d5"), ""))
    '1. Nc3 g5 2. Nh3 d5'
    """
    return " ".join(
        f"{1 + place // 2}. {move}" if place % 2 == 0 else move
        for place, move in enumerate(history.actions)
    )


def _board(history: History) -> Board:
    board = Board()
    for move in history.actions:
        board.push_san(move)
    return board


def _boards(path: list[History]) -> list[str]:
    return [f"{_moves(history)}\n{_board(history)}" for history in path]


def draw(path: list[History]) -> str:
    """The positions of a path as one picture, in rows."""
    rows = -(-len(path) // _COLUMNS)
    width, height = _COLUMNS * _SIZE, rows * (_SIZE + _CAPTION)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}">',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    for place, history in enumerate(path):
        x, y = place % _COLUMNS * _SIZE, place // _COLUMNS * (_SIZE + _CAPTION)
        board = _board(history).to_chess()
        picture = chess.svg.board(board, size=_SIZE - 10, coordinates=False)
        inner = picture[picture.index("<svg") :].replace(
            "<svg ", f'<svg x="{x + 5}" y="{y + 5}" ', 1
        )
        parts.append(_with_own_ids(inner, place))
        parts.append(
            f'<text x="{x + _SIZE / 2}" y="{y + _SIZE + 16}" text-anchor="middle" '
            f'font-family="sans-serif" font-size="12">{place}: {_moves(history)}</text>'
        )
    return "\n".join([*parts, "</svg>", ""])


def _with_own_ids(picture: str, place: int) -> str:
    """Names of pieces must differ between the pictures of one file."""
    for word in ('id="', 'href="#'):
        picture = picture.replace(word, f"{word}b{place}-")
    return picture

"""The two ways in which the examples are searched: a game so far, and a root made by hand."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import chess

from obscuro.fow import Board
from obscuro.fow.encoding import decode, encode
from obscuro.games import fow_chess
from obscuro.players import Limits, ObscuroPlayer
from obscuro.positions.finding import Options, Row
from obscuro.search import Limits as SearchLimits
from obscuro.search import Root, Study


@dataclass(frozen=True)
class Searched:
    """What a search says of a position: its value for the side to move, and its moves."""

    value: float
    rows: tuple[Row, ...]

    def probability(self, *names: str) -> float:
        """How often any of these moves is played."""
        return sum(row.probability or 0.0 for row in self.rows if row.name in names)


def play(options: Options, sans: Sequence[str], seconds: float, seed: int = 0) -> Searched:
    """The strategy of the side to move after some moves, as the engine finds it in a game.

    It searches at each of its turns on the way, so that it comes with a tree of the last one; the
    moves are those that are given.
    """
    settings = options.settings
    search = replace(settings.search, seed=settings.search.seed + seed)
    player = ObscuroPlayer(replace(settings, search=search))
    color = chess.WHITE if len(sans) % 2 == 0 else chess.BLACK
    board = Board()
    limits = Limits(seconds=seconds * options.effort)
    player.new_game(color)
    player.observe(board.observation(color))
    for san in sans:
        ours = board.turn == color
        if ours:
            player.choose(limits)
        move = board.push_san(san)
        if ours:
            player.played(move)
        player.observe(board.observation(color))
    report = player.choose(limits).report
    player.close()
    return Searched(report["value"], _rows(board, report["moves"]))


def _rows(board: Board, moves: Iterable[dict[str, Any]]) -> tuple[Row, ...]:
    def san(uci: str) -> str:
        return board.san(chess.Move.from_uci(uci))

    return tuple(Row(san(m["move"]), m["probability"], m["value"]) for m in moves)


class Handmade:
    """A root made by hand, searched for both sides; see `obscuro.search.Study`."""

    def __init__(self, options: Options, roots: Sequence[tuple[str, tuple[Any, Any]]]) -> None:
        self.options = options
        self._boards = [Board(fen) for fen, _ in roots]
        settings = options.settings
        self._study = Study(
            fow_chess(roots[0][0]),
            [Root(board, labels) for board, (_, labels) in zip(self._boards, roots, strict=True)],
            settings.search,
            evaluator=settings.eval,
        )

    def search(self, seconds: float) -> None:
        """Searches, or goes on."""
        memory = self.options.settings.memory_mb << 20
        self._study.search(SearchLimits(seconds=seconds * self.options.effort, bytes=memory))

    def after(self, root: int, sans: Sequence[str] = ()) -> Searched:
        """What the side to move does after some moves from a root."""
        board = self._boards[root].copy()
        line = [encode(board.push_san(san)) for san in sans]
        sign = 1.0 if board.turn == chess.WHITE else -1.0
        rows = [
            Row(
                board.san(decode(found.action)),
                found.probability,
                None if found.value is None else sign * found.value,
            )
            for found in self._study.strategy(root, line)
        ]
        rows.sort(key=lambda row: -(row.probability or 0.0))
        return Searched(sign * self._study.value, tuple(rows))

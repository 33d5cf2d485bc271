"""How large infosets get: the family of locked pawns, counted exactly, and games as they are."""

import math
from collections.abc import Sequence
from random import Random

import chess

from obscuro.errors import LabError
from obscuro.fow import Belief, Board
from obscuro.lab import paper, pictures
from obscuro.lab.matches import GAMES_FILE, options_of
from obscuro.lab.options import Bench, machine
from obscuro.lab.play import scale
from obscuro.lab.result import Figure, Grid, Result, written
from obscuro.lab.selfplay import games, search_mean
from obscuro.lab.verdict import exactly, size
from obscuro.match import GameRecord, Results
from obscuro.match.statistics import quantiles, wilson

NAME = "infoset-sizes"
TITLE = "Sizes of infosets: locked pawns, and the belief |P| in games"

ROOM = 24
"""Squares of the first three ranks; half of them are light."""

PIECES = "kqrrbbnn"

SMALLER = ("k", "kn", "kb", "kbn", "knn", "kbb", "kqbb", "kqbn")
"""Families that are checked with the belief of an engine, square by square."""

_SHARES = (0.5, 0.9, 0.99, 1.0)
MILLION = 1e6


def arrangements(pieces: str, room: int = ROOM) -> int:
    """In how many ways pieces stand on three ranks behind a closed chain of pawns.

    Two bishops stand on squares of different colours, one on either; all others stand anywhere;
    equal pieces are not told apart.

    >>> f"{arrangements(PIECES):,}"
    '1,933,968,960'
    """
    bishops, others = pieces.count("b"), [p for p in pieces if p != "b"]
    ways = {0: 1, 1: room // 2, 2: (room // 2) ** 2}[bishops]
    left = room - bishops
    for number, _ in enumerate(others):
        ways *= left - number
    for piece in set(others):
        ways //= math.factorial(others.count(piece))
    return ways


def count_by_belief(pieces: str, *, seed: int = 1) -> int:
    """The same number as the belief of a player finds it, by the rules of the game.

    Black's pieces shuffle behind a closed chain of pawns, and White, who sees none of them, keeps
    all positions that are possible. That set grows until it holds the whole family.
    """
    board = Board(_locked(pieces))
    belief = Belief(chess.WHITE, board, threads=1)
    random = Random(seed)
    met = {_position(board)}
    sizes: list[int] = []
    while len(sizes) < 4 or len(set(sizes[-4:])) > 1:
        move = _quiet_move(board, random, met)
        mine = move if board.turn == chess.WHITE else None
        board.push(move)
        met.add(_position(board))
        belief.advance(board.observation(chess.WHITE), mine)
        if board.turn == chess.WHITE:
            sizes.append(len(belief))
    return sizes[-1]


def _locked(pieces: str) -> str:
    """A position with these pieces of Black, bishops on both colours, White's king and rooks."""
    rank = dict(zip("acegbdfh", pieces.replace("bb", "b"), strict=False))
    if "bb" in pieces:
        rank["h"] = "b"
    eighth = "".join(rank.get(file, "1") for file in "abcdefgh")
    return f"{eighth}/8/8/pppppppp/PPPPPPPP/8/8/R3K2R w - - 0 1"


def _position(board: Board) -> str:
    return " ".join(board.fen().split()[:4])


def _quiet_move(board: Board, random: Random, met: set[str]) -> chess.Move:
    """A move of a piece that captures nothing and leads to a position that is new."""
    pieces = board.piece_map()
    moves = [
        move
        for move in board.legal_moves
        if not board.is_capture(move) and pieces[move.from_square].piece_type != chess.PAWN
    ]
    random.shuffle(moves)
    for move in moves:
        board.push(move)
        new = _position(board) not in met
        board.pop()
        if new:
            return move
    raise LabError("no move leads to a new position")


def run(bench: Bench) -> Result:
    """Counts; and with `--games`, or where games were played before, measures |P| in games."""
    options = bench.options
    measured: Results | None = None
    if options.games is not None or (bench.folder / GAMES_FILE).exists():
        measured = games(bench, NAME)
    infoset = arrangements(PIECES)
    figures = [
        _count("an infoset of the family of locked pawns", infoset, paper.LOCKED_PAWNS_INFOSET),
        _count("its common-knowledge set", infoset**2, paper.LOCKED_PAWNS_COMMON),
    ]
    rows = []
    for pieces in SMALLER:
        if bench.stopped():
            break
        bench.say(f"counting {pieces} by the belief of a player")
        rows.append([pieces, f"{arrangements(pieces):,}", f"{count_by_belief(pieces):,}"])
    parts = [
        Grid(
            "The formula beside the belief of a player, for fewer pieces of Black",
            ["Pieces", "Formula", "Belief"],
            rows,
        )
    ]
    agree = all(row[1] == row[2] for row in rows)
    notes = [
        "The count is exact: bishops on squares of different colours (12 x 12), queen, king, two "
        "rooks and two knights on the 22 squares that are left. The paper rounds it to one digit.",
        f"The formula {'agrees' if agree else 'DISAGREES'} with the belief of a player, which "
        "knows the rules and not the formula, for every family in the table below.",
    ]
    drawn: list[str] = []
    if measured is not None:
        figures += _in_games(measured.records)
        parts.append(_sizes(measured.records))
        values = [float(v) for v in _beliefs(measured.records)]
        drawn = pictures.attempt(
            bench,
            f"{NAME}.svg",
            lambda path: pictures.histogram(
                values, path, title="Possible positions at each move", x="|P|", log=True
            ),
            wanted=bool(values),
        )
    else:
        notes.append("Sizes in games were not measured: `--games N` plays some for it.")
    return Result(
        NAME,
        TITLE,
        figures,
        machine() if measured is None else scale(bench, [measured]),
        options_of(bench),
        parts=parts,
        notes=notes,
        pictures=drawn,
        data={"infoset": infoset, "common": infoset**2},
        complete=len(rows) == len(SMALLER) and (measured is None or measured.is_complete),
    )


def _count(name: str, ours: int, theirs: float) -> Figure:
    """A count beside the paper's, which has one digit."""
    digits = 10 ** math.floor(math.log10(theirs))
    same = round(ours / digits) == round(theirs / digits)
    verdict = "equal to the paper's digit" if same else "another number"
    return Figure(name, exactly(float(ours)), exactly(theirs), "whole", paper.SIZES, verdict)


def _beliefs(records: Sequence[GameRecord]) -> list[int]:
    return [int(ply.search["belief"]) for r in records for ply in r.plies if "belief" in ply.search]


def _in_games(records: Sequence[GameRecord]) -> list[Figure]:
    mean = search_mean(records, "belief")
    theirs = exactly(paper.SEARCH["belief"])
    return [
        Figure("mean |P| at a move", mean, theirs, "number", paper.HARDWARE, size(mean, theirs))
    ]


def _sizes(records: Sequence[GameRecord]) -> Grid:
    values = _beliefs(records)
    rows = [["moves", f"{len(values):,}"]]
    if values:
        for share, value in quantiles(values, _SHARES).items():
            name = "largest" if share == 1 else f"{100 * share:g} % are at most"
            rows.append([name, f"{value:,.0f}"])
        above = sum(value > MILLION for value in values)
        rows.append(
            [
                "above a million (the paper: usually not)",
                written(wilson(above, len(values)), "percent"),
            ]
        )
    return Grid("Possible positions |P| in our games", ["", ""], rows)

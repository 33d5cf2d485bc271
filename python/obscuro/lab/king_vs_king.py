"""The experiment on king against king: all starting squares, beside the paper's claims."""

import chess

from obscuro.lab import paper, pictures
from obscuro.lab.chase import NEAR
from obscuro.lab.kings import Bounds, Effort, Lows, Table, canonical, open_positions, table, watched
from obscuro.lab.matches import options_of
from obscuro.lab.options import Bench, machine
from obscuro.lab.result import Figure, Grid, Result
from obscuro.match import Estimate

NAME = "king-vs-king"
TITLE = "King against king: the value of all starting squares"
STRATEGIES = "strategies.json"

CORNER = ((chess.B3, chess.A1), (chess.C2, chess.A1), (chess.C3, chess.A1))
"""The paper's b6, c7 and c6 against a8, upside down: White is to move."""

_EDGE = (chess.A1, chess.B1, chess.C1, chess.D1)
_NEGLIGIBLE = 1e-6


def run(bench: Bench, effort: Effort | None = None) -> Result:
    """Finds bounds for all squares; the strategies that prove them are kept in a file."""
    effort = effort or Effort()
    found = table(effort, bench.folder / STRATEGIES, say=bench.say, stopped=bench.stopped)
    if found is None:
        return Result(NAME, TITLE, settings=options_of(bench), scale=machine(), complete=False)
    drawn = pictures.attempt(
        bench,
        f"{NAME}.svg",
        lambda path: pictures.boards(_panels(found), path, title="What White gets, at least"),
    )
    proven, starts = drawn_starts()
    return Result(
        NAME,
        TITLE,
        figures(found),
        {
            "starting positions": f"{starts:,}, kings not beside each other, White to move",
            "drawn by claim 1": f"{proven:,} of them",
            "others, up to symmetry": f"{len(found.hunter_moves)} with the hunter to move, "
            f"{len(found.edge_moves)} with the king on the edge to move",
            "games for lower bounds": f"{effort.hunt_plies} plies, {effort.steps} steps of watch",
            "games for upper bounds": f"{effort.plies} plies",
            "rounds": f"{effort.rounds} at most for each bound",
            **machine(),
        },
        options_of(bench),
        parts=[_grid(found, hunter_moves=turn) for turn in (True, False)],
        notes=[_WHAT, _HOW, _LIMITS],
        pictures=drawn,
        brackets="bounds",
        data={"guarantees": {_words(*key): value for key, value in found.guarantees.items()}},
    )


_WHAT = (
    "The numbers in brackets are bounds, not estimates: each is what a strategy of one side gets "
    "against the best answer of the other side, computed exactly (up to the rounding of floating "
    "point numbers). The game is the paper's: the start is common knowledge, 0 is a draw, and "
    "kings may walk for ever, without draws by repetition or by the fifty-move rule."
)
_HOW = (
    "As long as no king is taken nobody sees anything, so strategies are mixtures of walks. To "
    "get bounds of the game without end, one side may stop by going to and fro between two safe "
    "squares for ever, which is worth a draw to it at least (claim 1); if it has not, it loses "
    "when the plies are over. Lower bounds are the hunter's: mixtures of walks along the third "
    "rank that end in retreat or in a sweep along the second rank, and what follows from them "
    "by one move back. Upper bounds are those of the king on the edge, by the double oracle "
    "method."
)
_LIMITS = (
    "`strategies.json` has the strategies; another run checks them instead of looking for them. "
    "Where the bounds are apart the value lies between; longer games would bring them closer."
)


def figures(found: Table) -> list[Figure]:
    """The paper's claims, each with what the bounds say of it."""
    proven, starts = drawn_starts()
    lows = Lows(found.guarantees)
    claimed = [
        Bounds(lows(pair, hunter_moves=turn), _high(found, pair, hunter_moves=turn))
        for pair in watched()
        for turn in (True, False)
    ]
    hunted = [*found.hunter_moves.values(), *found.edge_moves.values()]
    corner = [found.hunter_moves[canonical(pair)] for pair in CORNER]
    return [
        Figure(
            "starting positions that claim 1 proves drawn",
            Estimate(proven / starts, proven / starts, proven / starts),
            None,
            "percent",
            paper.KINGS,
            f"{proven:,} of {starts:,}",
        ),
        _claim("claim 2, two squares apart on a file: the smallest value", claimed, 0.0),
        _claim("all positions that claim 1 leaves open: the smallest value", hunted, 0.0),
        _claim("the corner case: the smallest value", corner, paper.CORNER),
    ]


def _claim(name: str, bounds: list[Bounds], above: float) -> Figure:
    """Whether all of these values are above a number."""
    low, high = min(b.low for b in bounds), min(b.high for b in bounds)
    if low > above + _NEGLIGIBLE:
        verdict = f"holds: above {above:g} in all {len(bounds)}"
    elif high <= above:
        verdict = f"does not hold: at most {high:.4f} somewhere"
    else:
        sure = sum(b.low > above + _NEGLIGIBLE for b in bounds)
        verdict = f"shown in {sure} of {len(bounds)}, undecided in the others"
    estimate = Estimate((low + high) / 2, low, high)
    return Figure(f"{name} (paper: above {above:g})", estimate, None, "fine", paper.KINGS, verdict)


def _high(found: Table, pair: tuple[int, int], *, hunter_moves: bool) -> float:
    known = found.hunter_moves if hunter_moves else found.edge_moves
    return known[canonical(pair)].high


def drawn_starts() -> tuple[int, int]:
    """How many starts with White to move claim 1 proves drawn, and of how many.

    >>> drawn_starts()
    (3384, 3612)
    """
    left = {turn: set(open_positions(hunter_moves=turn)) for turn in (True, False)}
    proven = starts = 0
    for white in chess.SQUARES:
        for black in chess.SQUARES:
            if NEAR[white][black]:
                continue
            starts += 1
            hunts = canonical((white, black)) in left[True]
            hunted = canonical((black, white)) in left[False]
            proven += not hunts and not hunted
    return proven, starts


def _grid(found: Table, *, hunter_moves: bool) -> Grid:
    known = found.hunter_moves if hunter_moves else found.edge_moves
    who = "White" if hunter_moves else "Black, on the edge,"
    rows = [
        [
            f"K{chess.square_name(hunter)} against k{chess.square_name(edge)}",
            f"{bounds.low:.4f}",
            f"{bounds.high:.4f}",
        ]
        for (hunter, edge), bounds in known.items()
    ]
    return Grid(
        f"What White gets where claim 1 leaves it open, {who} to move (up to symmetry)",
        ["", "At least", "At most"],
        rows,
    )


def _panels(found: Table) -> list[tuple[str, chess.Square, dict[chess.Square, float]]]:
    panels = []
    for white_moves in (True, False):
        for edge in _EDGE:
            values = {
                square: found.value(square, edge, white_moves=white_moves).low
                for square in chess.SQUARES
                if not NEAR[square][edge]
            }
            who = "White" if white_moves else "Black"
            panels.append((f"k{chess.square_name(edge)}, {who} to move", edge, values))
    return panels


def _words(pair: tuple[int, int], hunter_moves: bool) -> str:
    hunter, edge = (chess.square_name(square) for square in pair)
    return f"K{hunter} k{edge}, {'White' if hunter_moves else 'Black'} to move"

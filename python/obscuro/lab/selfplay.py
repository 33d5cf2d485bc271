"""Games of the agent against itself: who moves first, how games go, what searches take."""

from collections import Counter
from collections.abc import Sequence

import chess

from obscuro.fow import Board
from obscuro.lab import paper, pictures
from obscuro.lab.matches import GAMES_FILE, ONE_THREAD, options_of
from obscuro.lab.options import Bench
from obscuro.lab.play import a_match, check_options, concurrently, control, engine, play, scale
from obscuro.lab.result import Figure, Grid, Result, Text, written
from obscuro.lab.verdict import Group, clustered_mean, exactly, sign, size
from obscuro.match import Counts, Estimate, GameRecord, Results
from obscuro.match.statistics import mean_interval, wilson

NAME = "self-play"
TITLE = "The agent against itself: first moves, lengths, searches"
GAMES = 400
SECONDS = 0.1
SHORTEST_SHOWN = 10
FIRST_MOVES_SHOWN = 10

_STATISTICS = {
    "max_depth": "depth of a search, plies (the deepest node)",
    "mean_depth": "depth of a search, plies (mean of the walks)",
    "nodes": "nodes of a search",
    "infosets": "infosets of a search",
    "carried_nodes": "nodes carried over",
    "carried_infosets": "infosets carried over",
    "belief": "possible positions, |P|",
}


def run(bench: Bench) -> Result:
    """Plays the games that are left, and reads them."""
    return result(bench, games(bench, NAME))


def games(bench: Bench, event: str) -> Results:
    """Games of the agent against itself."""
    options = bench.options
    check_options(["obscuro"], options.players)
    seconds = SECONDS if options.time is None and options.nodes is None else options.time
    limit = control(seconds, options.nodes)
    one, two = (
        engine(name, "obscuro", limit, options.players, ONE_THREAD) for name in ("one", "two")
    )
    match = a_match(bench, event, (one, two), options.games or GAMES)
    return play(concurrently(bench, match), match, bench.folder / GAMES_FILE)


def result(bench: Bench, results: Results) -> Result:
    """What finished games say."""
    records = [record for record in results.records if not record.is_fault]
    white = white_counts(records)
    figures = [
        _white(white),
        _length(records),
        _share("drawn games", [r.result == "1/2-1/2" for r in records], paper.WHITE.counts),
        _short(records),
        *search_figures(records),
    ]
    lengths = [float(len(record.plies)) for record in records]
    return Result(
        NAME,
        TITLE,
        figures,
        scale(bench, [results]),
        options_of(bench),
        parts=[
            *(_first_moves(records, color) for color in (chess.WHITE, chess.BLACK)),
            _shortest(records),
        ],
        notes=[
            "Statistics of searches are means over all moves; their intervals take games, not "
            "moves, as independent. A game that was lost by a failure of a program does not count."
        ],
        pictures=pictures.attempt(
            bench,
            f"{NAME}.svg",
            lambda path: pictures.histogram(
                lengths, path, title="Length of the games", x="plies", log=False
            ),
            wanted=bool(lengths),
        ),
        data={"wins": white.wins, "draws": white.draws, "losses": white.losses},
        complete=results.is_complete,
    )


def white_counts(records: Sequence[GameRecord]) -> Counts:
    """White's wins, draws and losses: both players are the same one, so no game has a partner."""
    scores = Counter(record.score(chess.WHITE) for record in records)
    return Counts(scores[1.0], scores[0.5], scores[0.0])


def _white(counts: Counts) -> Figure:
    theirs = paper.WHITE.counts.score_interval
    found = counts.score_interval
    verdict = f"{sign(found, theirs.value)}, {size(found, theirs, percent=True)}"
    return Figure("White's score", found, theirs, "percent", paper.FIRST_MOVER, verdict)


def _length(records: Sequence[GameRecord]) -> Figure:
    found = mean_interval([float(len(record.plies)) for record in records])
    theirs = exactly(paper.GAME_PLIES)
    return Figure("plies of a game", found, theirs, "number", paper.HARDWARE, size(found, theirs))


def _share(name: str, hits: Sequence[bool], theirs: Counts) -> Figure:
    found = wilson(sum(hits), len(hits))
    given = wilson(theirs.draws, theirs.games)
    verdict = size(found, given, percent=True)
    return Figure(name, found, given, "percent", paper.FIRST_MOVER, verdict)


def _short(records: Sequence[GameRecord]) -> Figure:
    found = wilson(sum(len(r.plies) <= paper.SHORT_PLIES for r in records), len(records))
    theirs = wilson(*paper.SHORT_GAMES)
    return Figure(
        f"games of at most {paper.SHORT_PLIES} plies",
        found,
        theirs,
        "percent",
        paper.FIRST_MOVER,
        size(found, theirs, percent=True),
    )


def search_figures(records: Sequence[GameRecord]) -> list[Figure]:
    """The statistics of the searches, as the paper's section on hardware gives them."""
    found = []
    for key, words in _STATISTICS.items():
        estimate = search_mean(records, key)
        theirs = exactly(paper.SEARCH[key]) if key in paper.SEARCH else None
        found.append(
            Figure(
                words,
                estimate,
                theirs,
                "number",
                paper.HARDWARE if theirs else "",
                size(estimate, theirs) if theirs else "",
            )
        )
    return found


def search_mean(records: Sequence[GameRecord], key: str) -> Estimate:
    """The mean of a number that all searches report."""
    groups = []
    for record in records:
        values = [v for ply in record.plies if isinstance(v := ply.search.get(key), int | float)]
        groups.append(Group(float(sum(values)), len(values)))
    return clustered_mean([group for group in groups if group.number])


def _first_moves(records: Sequence[GameRecord], color: chess.Color) -> Grid:
    name = chess.COLOR_NAMES[color].capitalize()
    theirs = paper.FIRST_MOVES[name]
    counted = first_moves(records, color)
    total = sum(counted.values())
    most = [move for move, _ in counted.most_common(FIRST_MOVES_SHOWN)]
    rows = []
    for move in [*most, *(move for move in theirs if move not in most)]:
        share = f"{100 * theirs[move]:.1f} %" if move in theirs else "-"
        ours = written(wilson(counted[move], total), "percent") if total else "-"
        rows.append([move, ours, share, str(counted[move])])
    return Grid(f"First moves of {name}", ["Move", "Ours [95 %]", "Paper", "Games"], rows)


def first_moves(records: Sequence[GameRecord], color: chess.Color) -> Counter[str]:
    """How often each first move of a side was played, in SAN."""
    return Counter(
        sans(record)[place]
        for record in records
        if len(record.plies) > (place := 0 if color == chess.WHITE else 1)
    )


def sans(record: GameRecord) -> list[str]:
    """The moves of a game in SAN."""
    board = Board(record.start)
    words = []
    for ply in record.plies:
        move = board.parse_uci(ply.move)
        words.append(board.san(move))
        board.push(move)
    return words


def _shortest(records: Sequence[GameRecord]) -> Text:
    ordered = sorted(records, key=lambda record: (len(record.plies), record.number))
    lines = []
    for record in ordered[:SHORTEST_SHOWN]:
        words = sans(record)
        moves = " ".join(
            f"{1 + place // 2}. {word}" if place % 2 == 0 else word
            for place, word in enumerate(words)
        )
        lines.append(f"{moves} {record.result} ({record.reason})")
    return Text("Shortest games", "\n".join(lines) or "no game was played")

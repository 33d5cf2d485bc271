"""The whole report: one file that needs nothing else."""

from html import escape
from importlib import resources

import chess

from obscuro.analysis.document import Analysis
from obscuro.analysis.report import charts, picture
from obscuro.analysis.report.charts import Line, Note
from obscuro.analysis.report.ply import SIGNS, count, move_name, section, signed
from obscuro.analysis.review import MoveReview, Summary
from obscuro.analysis.settings import DEFAULT_THRESHOLDS, Thresholds
from obscuro.errors import AnalysisError

KINDS = {
    "any": "any piece",
    "k": "king",
    "q": "queen",
    "r": "rook",
    "b": "bishop",
    "n": "knight",
    "p": "pawn",
}


def render(analysis: Analysis, thresholds: Thresholds = DEFAULT_THRESHOLDS) -> str:
    """The report as HTML with everything in it: pictures, style, script.

    >>> from obscuro.analysis import Analyst, AnalysisSettings, read_games
    >>> from obscuro.players import Limits
    >>> settings = AnalysisSettings().with_limits(Limits(nodes=300))
    >>> analysis = Analysis(read_games("1. e4")[0], settings)
    >>> _ = Analyst(analysis).run()
    >>> render(analysis).splitlines()[0]
    '<!doctype html>'
    """
    if not analysis.reports:
        raise AnalysisError("nothing is analysed yet: there is nothing to report")
    game, sans = analysis.game, analysis.game.sans()
    reviews = {one.ply: one for one in analysis.review(thresholds)}
    plies = [analysis.reports[ply] for ply in sorted(analysis.reports)]
    title = f"{game.white} – {game.black}"
    sections = "".join(section(game, sans, report, reviews.get(report.ply)) for report in plies)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(title)}, behind the fog</title>
<style>{_asset("report.css")}</style>
</head>
<body>
{picture.defs()}
<header>
<p class="kicker">Fog of War chess, behind the fog</p>
<h1>{escape(game.white)} <span>–</span> {escape(game.black)}</h1>
<p class="muted">{_about(analysis)}</p>
</header>
<main>
{_summaries(analysis, thresholds)}
{_graphs(analysis, reviews)}
<div class="viewer">
{_controls()}
<noscript><p class="muted">Without scripts, the moves that are marked are shown here.</p></noscript>
{sections}
</div>
{_table(analysis, reviews)}
{_meaning(analysis, thresholds)}
</main>
<script>{_asset("report.js")}</script>
</body>
</html>
"""


def _asset(name: str) -> str:
    return (resources.files(__package__) / name).read_text(encoding="utf-8")


def _about(analysis: Analysis) -> str:
    game, settings = analysis.game, analysis.settings
    limits = settings.limits
    each = f"{count(limits.nodes)} nodes" if limits.nodes else f"{limits.seconds:g} s"
    result = game.result.replace("-", "–").replace("1/2", "½")
    parts = [result if result != "*" else "result unknown"]
    if game.reason:
        parts.append(game.reason)
    parts.append(f"{len(game.moves)} plies")
    parts.append(f"searched with {each} a move by Obscuro {analysis.version}")
    if not analysis.is_complete:
        parts.append(f"{len(analysis.reports)} of {analysis.total} positions so far")
    return escape(" · ".join(parts))


def _summaries(analysis: Analysis, thresholds: Thresholds) -> str:
    cards = "".join(
        _card(summary, analysis.game.name(summary.color))
        for summary in analysis.summaries(thresholds)
    )
    return f'<section class="cards">{cards}</section>'


def _card(summary: Summary, name: str) -> str:
    color = chess.COLOR_NAMES[summary.color]
    loss = "–" if summary.mean_loss is None else f"{summary.mean_loss:.3f}"
    size = "–" if summary.mean_size is None else count(summary.mean_size)
    entries = [
        ("Loss a move", loss),
        ("Inaccuracies", f"{summary.inaccuracies}"),
        ("Mistakes", f"{summary.mistakes}"),
        ("Blunders", f"{summary.blunders}"),
        ("Luck in all", signed(summary.luck)),
        ("Positions possible", size),
    ]
    listed = "".join(f"<div><dt>{what}</dt><dd>{value}</dd></div>" for what, value in entries)
    return (
        f'<article class="card"><h2><i class="side {color}"></i>{escape(name)}'
        f" <small>{color.capitalize()}</small></h2><dl>{listed}</dl></article>"
    )


def _graphs(analysis: Analysis, reviews: dict[int, MoveReview]) -> str:
    reports = [analysis.reports[ply] for ply in sorted(analysis.reports)]
    last = analysis.total - 1
    values = [
        Line("White's belief", "white", _searched(analysis, chess.WHITE)),
        Line("Black's belief", "black", _searched(analysis, chess.BLACK)),
        Line("The truth", "truth", [(report.ply, report.truth.value) for report in reports]),
    ]
    notes = [
        Note(ply, report.search.value, SIGNS[reviewed.mark], reviewed.mark)
        for ply, reviewed in reviews.items()
        if reviewed.mark and (report := analysis.reports[ply]).search is not None
    ]
    sizes, places = [], []
    for color in (chess.WHITE, chess.BLACK):
        name = chess.COLOR_NAMES[color]
        beliefs = [
            (report.ply, belief)
            for report in reports
            if (belief := report.belief(color)) is not None
        ]
        possible = [(ply, float(belief.size)) for ply, belief in beliefs]
        ranks = [(ply, float(belief.place.rank)) for ply, belief in beliefs]
        sizes.append(Line(f"{name.capitalize()}: |P|", name, possible))
        places.append(Line(f"{name.capitalize()}: place of the truth", f"{name} place", ranks))
    return (
        '<section class="graphs"><h2>Value</h2><p class="muted">What the game is worth to White, '
        "by what each player knew when it was their turn, and on the true board.</p>"
        f"{charts.value_chart(last, values, notes)}{charts.legend(values)}"
        '<h2>What was possible</h2><p class="muted">The positions that each player had to '
        "consider, and the true position's place among them, the likeliest first.</p>"
        f"{charts.size_chart(last, [*sizes, *places])}{charts.legend([*sizes, *places])}</section>"
    )


def _searched(analysis: Analysis, color: chess.Color) -> list[charts.Point]:
    return [
        (ply, report.search.value)
        for ply, report in sorted(analysis.reports.items())
        if report.search is not None and report.turn == color
    ]


def _controls() -> str:
    kinds = "".join(f'<option value="{key}">{words}</option>' for key, words in KINDS.items())
    return (
        '<nav class="controls" aria-label="Moves" hidden>'
        '<button type="button" data-go="first" aria-label="To the start">|‹</button>'
        '<button type="button" data-go="back" aria-label="One ply back">‹</button>'
        '<button type="button" data-go="forward" aria-label="One ply forward">›</button>'
        '<button type="button" data-go="last" aria-label="To the end">›|</button>'
        '<button type="button" data-go="previous">previous mistake</button>'
        '<button type="button" data-go="next">next mistake</button>'
        f'<label>Belief: <select class="kind">{kinds}</select></label></nav>'
    )


def _table(analysis: Analysis, reviews: dict[int, MoveReview]) -> str:
    rows = []
    for ply, reviewed in sorted(reviews.items()):
        report = analysis.reports[ply]
        found = reviewed.judgement
        mark = SIGNS[reviewed.mark] if reviewed.mark else ""
        cells = [
            f'<th><a href="#ply-{ply}">{escape(move_name(report, reviewed.san))}</a>'
            f'<span class="mark {reviewed.mark or ""}">{mark}</span></th>',
            "–" if report.search is None else signed(report.search.value),
            signed(report.truth.value),
            "–" if found is None else f"{found.loss:.2f}",
            "–" if found is None else signed(found.luck),
            "–" if reviewed.size is None else count(reviewed.size),
            "–" if reviewed.place is None else f"{reviewed.place * 100:.0f} %",
        ]
        rest = "".join(f"<td>{cell}</td>" for cell in cells[1:])
        fortune = f" {reviewed.fortune}" if reviewed.fortune else ""
        rows.append(
            f'<tr class="{chess.COLOR_NAMES[reviewed.color]}{fortune}">{cells[0]}{rest}</tr>'
        )
    return (
        '<section class="moves"><h2>All moves</h2><table><thead><tr><th>Move</th>'
        "<th>Value by belief</th><th>by truth</th><th>Loss</th><th>Luck</th><th>|P|</th>"
        f"<th>Place of the truth</th></tr></thead><tbody>{''.join(rows)}</tbody></table></section>"
    )


def _meaning(analysis: Analysis, thresholds: Thresholds) -> str:
    depth = analysis.settings.truth_depth
    entries = [
        (
            "Value",
            "What the game is worth, from −1 (lost) to +1 (won). By belief: to the player to "
            "move, by a search that knows what they knew and nothing else. By truth: of the true "
            f"board, if nothing were hidden, {depth} plies deep.",
        ),
        (
            "Loss",
            "What the move gives away by what its player knew. The truth has no part in it: a "
            "move that meets a piece nobody could know of loses nothing.",
        ),
        (
            "Luck",
            "What the move did on the true board, less what it did on average on the boards that "
            "its player held possible. Positive: the board was kind.",
        ),
        (
            "Marks",
            f"?! from a loss of {thresholds.inaccuracy:g}, ? from {thresholds.mistake:g}, ?? from "
            f"{thresholds.blunder:g}; never a move that the engine would play itself with "
            f"{thresholds.own * 100:.0f} % or more.",
        ),
        (
            "|P| and the place of the truth",
            "How many positions agree with all that a player has seen, and where the true one "
            "stands among them if those that are good for the opponent count as the likelier.",
        ),
        (
            "Belief",
            "Red squares: how likely an enemy piece stands there, in per cent, by the engine's "
            "weights; pale pieces: the likeliest one.",
        ),
        (
            "Strategy",
            "Probability: of each move in the computed strategy. Kept: what purification leaves "
            "of it. Stable: played all through the second half of the search. In the boards, "
            "green arrows are as wide as their moves are probable, the blue one was played.",
        ),
    ]
    listed = "".join(f"<dt>{what}</dt><dd>{words}</dd>" for what, words in entries)
    return f'<section class="meaning"><h2>What the numbers mean</h2><dl>{listed}</dl></section>'

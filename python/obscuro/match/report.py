"""What is printed of a match: the block of two engines, the crosstable, the table of ratings."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from types import MappingProxyType

import chess

from obscuro.match.engines import Engine
from obscuro.match.ratings import Ratings, meetings, rate
from obscuro.match.record import GameLine
from obscuro.match.sprt import Sprt
from obscuro.match.statistics import Counts, Estimate, count

RULE = "-" * 64


def counts_of(lines: Iterable[GameLine], first: str, second: str, *, paired: bool = True) -> Counts:
    """The counts of one player against another; the names as outputs give them."""
    counts = count(
        (line, color)
        for line in lines
        for color in (chess.WHITE, chess.BLACK)
        if (line.name(color), line.name(not color)) == (first, second)
    )
    return counts if paired else counts.unpaired()


def players_of(lines: Iterable[GameLine]) -> list[str]:
    """The players in the order in which they first appear."""
    return list(
        dict.fromkeys(line.name(color) for line in lines for color in (chess.WHITE, chess.BLACK))
    )


def engine_words(engine: Engine) -> str:
    """What an engine is and may spend, in brackets after its name.

    >>> engine_words(Engine("a", "random"))
    'random, no limit, 1t'
    """
    return f"{engine.player}, {engine.control}, {engine.threads}t"


def conditions(engines: Sequence[Engine]) -> str:
    """What engines may spend, said once if it is the same for all.

    >>> conditions([Engine("a", "random"), Engine("b", "greedy")])
    'no limit, 1t'
    """
    each = [f"{engine.control}, {engine.threads}t" for engine in engines]
    return " - ".join(each if len(set(each)) > 1 else each[:1])


def block(
    first: str, second: str, counts: Counts, *, spent: str = "", sprt: Sprt | None = None
) -> str:
    """The results of two engines, in the form that users of fastchess know, and two lines more.

    `DrawRatio` and `Ptnml` are of pairs of games; without pairs they are left out.

    >>> counts = Counts(834, 33, 133, white_points=566.5, white_wins=550, black_wins=417)
    >>> print(block("a", "b", counts, spent="5s"))
    Results of a vs b (5s):
    Elo: 302.01 +/- 29.37, nElo: 353.16 +/- 21.53
    LOS: 100.00 %
    Games: 1000, Wins: 834, Losses: 133, Draws: 33, Points: 850.5 (85.05 %)
    Score: 85.05 +/- 2.14 %, drawn games: 3.30 %
    White's score: 56.65 %, White won 550, Black won 417
    """
    elo, nelo, score = counts.elo, counts.normalized_elo, counts.score_interval
    pairs = ""
    if counts.is_paired:
        pairs = f", DrawRatio: {_percent(counts.pair_draw_ratio)}"
        pairs += f", PairsRatio: {counts.pairs_ratio:.2f}"
    lines = [
        f"Results of {first} vs {second}{f' ({spent})' if spent else ''}:",
        f"Elo: {_with_error(elo)}, nElo: {_with_error(nelo)}",
        f"LOS: {_percent(counts.superiority)}{pairs}",
        f"Games: {counts.games}, Wins: {counts.wins}, Losses: {counts.losses}, "
        f"Draws: {counts.draws}, Points: {counts.points:.1f} ({_percent(score.value)})",
    ]
    if counts.is_paired:
        won_and_lost = counts.pairs[2] - counts.drawn_pairs
        ratio = "inf" if not counts.drawn_pairs else f"{won_and_lost / counts.drawn_pairs:.2f}"
        lines.append(
            f"Ptnml(0-2): {list(counts.pairs)}, "
            f"WL/DD Ratio: {ratio if won_and_lost or counts.drawn_pairs else 'nan'}"
        )
    lines += [
        f"Score: {100 * score.value:.2f} +/- {100 * score.error:.2f} %, "
        f"drawn games: {_percent(counts.draw_ratio)}",
        f"White's score: {_percent(counts.white_score)}, "
        f"White won {counts.white_wins}, Black won {counts.black_wins}",
    ]
    if sprt is not None:
        low, high = sprt.bounds
        llr = sprt.llr(counts)
        share = llr / (high if llr > 0 else -low)
        lines.append(f"LLR: {llr:.2f} ({100 * share:.1f} %) ({low:.2f}, {high:.2f}) {sprt}")
        if verdict := sprt.verdict(counts):
            lines.append(f"SPRT: {verdict} is accepted")
    return "\n".join(lines)


def failures(lines: Sequence[GameLine]) -> list[str]:
    """A line for each player that lost games by failures of its program, and for each kind."""
    counted: Counter[tuple[str, str]] = Counter()
    for line in lines:
        if line.is_fault:
            loser = chess.BLACK if line.result == "1-0" else chess.WHITE
            counted[line.name(loser), line.kind] += 1
    return [
        f"{name} lost {number} game{'s' * (number > 1)} by failure: {kind}"
        for (name, kind), number in sorted(counted.items())
    ]


def statistics(
    lines: Sequence[GameLine],
    *,
    engines: Mapping[str, Engine] = MappingProxyType({}),
    sprt: Sprt | None = None,
    paired: bool = True,
) -> str:
    """Everything that finished games say: a block for each two players, a crosstable of more.

    `engines` gives them by the names that outputs use, in the order in which they are told.
    """
    if not lines:
        return "No game is finished."
    played = players_of(lines)
    names = [*(name for name in engines if name in played)]
    names += [name for name in played if name not in engines]
    blocks = []
    for first, second in combinations(names, 2):
        counts = counts_of(lines, first, second, paired=paired)
        if counts.games:
            met = [engines[name] for name in (first, second) if name in engines]
            blocks.append(
                block(
                    first,
                    second,
                    counts,
                    spent=conditions(met) if len(met) == 2 else "",
                    sprt=sprt if len(names) == 2 else None,
                )
            )
    if len(names) > 2:
        blocks.append(crosstable(lines))
    if faults := failures(lines):
        blocks.append("\n".join(faults))
    return f"\n{RULE}\n".join(blocks)


def crosstable(lines: Sequence[GameLine]) -> str:
    """Who scored what against whom, the best score first."""
    names = players_of(lines)
    points = {
        (first, second): counts_of(lines, first, second)
        for first in names
        for second in names
        if first != second
    }

    def share(name: str) -> float:
        mine = [counts for (first, _), counts in points.items() if first == name]
        return sum(counts.points for counts in mine) / sum(counts.games for counts in mine)

    ranked = sorted(names, key=lambda name: -share(name))
    rows = [["#", "Player", "Score", *(str(place) for place in range(1, len(names) + 1))]]
    for place, name in enumerate(ranked, start=1):
        row = [str(place), name, f"{100 * share(name):.1f} %"]
        for other in ranked:
            counts = points.get((name, other), Counts())
            row.append(f"{counts.points:g}/{counts.games}" if counts.games else "-")
        rows.append(row)
    return _table(rows)


def rating_table(lines: Sequence[GameLine], *, anchor: str | None, anchor_elo: float) -> str:
    """The ratings of all players of a pool, relative to one whose rating is fixed."""
    found = ratings(lines, anchor=anchor, anchor_elo=anchor_elo)
    rows = [["#", "Player", "Elo", "95 %", "Games", "Score"]]
    for place, (name, elo) in enumerate(found.elo.items(), start=1):
        counts = _against_all(lines, name)
        mark = "" if name not in found.one_sided else (" or more" if counts.wins else " or less")
        error = "anchor" if name == found.anchor else f"+/- {elo.error:.0f}"
        if name in found.separate:
            error = "no games link it to the anchor"
        rows.append(
            [
                str(place),
                name,
                f"{elo.value:.0f}{mark}",
                error,
                str(counts.games),
                f"{100 * counts.score:.1f} %",
            ]
        )
    white = found.white_advantage
    return f"{_table(rows)}\nWhite's advantage: {_with_error(white)} Elo"


def ratings(lines: Sequence[GameLine], *, anchor: str | None, anchor_elo: float = 0.0) -> Ratings:
    """The ratings of finished games."""
    games = ((line.name(chess.WHITE), line.name(chess.BLACK), line.score(True)) for line in lines)
    return rate(meetings(games), anchor=anchor, anchor_elo=anchor_elo)


def _against_all(lines: Iterable[GameLine], name: str) -> Counts:
    return count(
        (line, color)
        for line in lines
        for color in (chess.WHITE, chess.BLACK)
        if line.name(color) == name
    )


def _with_error(estimate: Estimate) -> str:
    if math.isinf(estimate.value):
        # All games were won, or lost: what is certain is one bound.
        bound = estimate.low if estimate.value > 0 else estimate.high
        sign = ">" if estimate.value > 0 else "<"
        return f"{estimate.value:.0f}" + (f" ({sign} {bound:.2f})" if math.isfinite(bound) else "")
    return f"{estimate.value:.2f} +/- {estimate.error:.2f}"


def _percent(share: float) -> str:
    return f"{100 * share:.2f} %"


def _table(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column == 1 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )

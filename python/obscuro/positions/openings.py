"""The first moves: the trap of the diagonal a4-e8, and what both sides begin with."""

from obscuro.positions.finding import Check, Finding, Options, Row, at_least, at_most
from obscuro.positions.searching import play

# Searches of one question, of which the mean counts: single ones differ.
_SEEDS = 3
_BEGINNINGS = 6


def trap(options: Options) -> Finding:
    """After 1.c4 d5: White takes nearly a pawn by mixing Nc3 and Qa4."""
    searches = [play(options, ["c4", "d5"], 3.0, seed) for seed in range(_SEEDS)]
    rows = _mean([searched.rows for searched in searches])
    value = sum(searched.value for searched in searches) / len(searches)
    by_name = {row.name: row.probability or 0.0 for row in rows}
    knight, queen = by_name.get("Nc3", 0.0), by_name.get("Qa4", 0.0)
    return Finding(
        rows,
        (
            at_least("White's value is clearly positive: at least 0.1", value, 0.1),
            at_least("Nc3 is played: at least 0.1", knight, 0.1),
            at_least("Qa4 is played: at least 0.01", queen, 0.01),
            Check("Nc3 is likelier than Qa4", knight - queen, knight > queen),
        ),
        value,
    )


def trapped(options: Options) -> Finding:
    """Black's answer to 1.c4, of which Black sees nothing: not d5."""
    searches = [play(options, ["c4"], 1.5, seed) for seed in range(_BEGINNINGS)]
    rows = _mean([searched.rows for searched in searches])
    return Finding(rows, (at_most("d5 at most 0.1", _of(rows, "d5"), 0.1),))


def first_moves(options: Options) -> Finding:
    """White's first move (the paper's table 1: d4 66.4 %, c4 29.6 %)."""
    searches = [play(options, [], 1.5, seed) for seed in range(_BEGINNINGS)]
    rows = _mean([searched.rows for searched in searches])
    value = sum(searched.value for searched in searches) / len(searches)
    return Finding(
        rows, (at_least("d4 and c4 together at least 0.5", _of(rows, "d4", "c4"), 0.5),), value
    )


def _of(rows: tuple[Row, ...], *names: str) -> float:
    return sum(row.probability or 0.0 for row in rows if row.name in names)


def _mean(searches: list[tuple[Row, ...]]) -> tuple[Row, ...]:
    """The rows of several searches of one position, averaged; likeliest first."""
    rows = []
    for name in sorted({row.name for rows in searches for row in rows}):
        same = [row for rows in searches for row in rows if row.name == name]
        values = [row.value for row in same if row.value is not None]
        probability = sum(row.probability or 0.0 for row in same) / len(searches)
        rows.append(Row(name, probability, sum(values) / len(values) if values else None))
    return tuple(sorted(rows, key=lambda row: -(row.probability or 0.0)))

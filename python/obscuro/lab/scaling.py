"""How strength grows with time: each time for a move against half of it."""

import itertools
import math
from collections.abc import Mapping

from obscuro.errors import LabError
from obscuro.lab import paper, pictures
from obscuro.lab.matches import ONE_THREAD, options_of
from obscuro.lab.options import Bench
from obscuro.lab.play import a_match, check_options, concurrently, control, engine, play, scale
from obscuro.lab.result import Figure, Grid, Result, written
from obscuro.lab.verdict import exactly, match_verdict
from obscuro.match import Counts, Results
from obscuro.match.statistics import Estimate

NAME = "time-scaling"
TITLE = "Each time for a move against half of it"
SHORTEST_SECONDS = 1 / 16
LONGEST_SECONDS = 1.0
GAMES = 100
HALVINGS_OF_NODES = 4


def run(bench: Bench) -> Result:
    """Plays the matches from the shortest time on, and puts the times in a row of Elo.

    `--time` is the longest one (the paper's is 16 s); with `--nodes` it is nodes that are halved.
    """
    options = bench.options
    check_options(["obscuro"], options.players)
    budgets = _budgets(options.time, options.nodes)
    found: dict[float, Results] = {}
    for shorter, longer in itertools.pairwise(budgets):
        if bench.stopped():
            break
        engines = [
            engine(
                _name(budget, options.nodes),
                "obscuro",
                control(None if options.nodes else budget, int(budget) if options.nodes else None),
                options.players,
                ONE_THREAD,
            )
            for budget in (longer, shorter)
        ]
        match = a_match(bench, NAME, (engines[0], engines[1]), options.games or GAMES)
        file = bench.folder / f"{_name(longer, options.nodes).replace(' ', '-')}.db"
        if options.report_only and not file.exists():
            continue
        bench.say(f"{engines[0].name} against {engines[1].name}")
        found[longer] = play(concurrently(bench, match), match, file)
    if options.report_only and not found:
        raise LabError(f"there are no games in {bench.folder}: expected those of an earlier run")
    return result(bench, budgets, found)


def result(bench: Bench, budgets: list[float], found: Mapping[float, Results]) -> Result:
    """What finished games say."""
    nodes = bench.options.nodes
    steps = {budget: results.counts() for budget, results in found.items()}
    figures = []
    for budget, counts in steps.items():
        given = None if nodes else paper.TIME_SCALING.get(budget)
        who = f"{_name(budget, nodes)} against {_name(budget / 2, nodes)}"
        figures.append(
            Figure(
                who,
                counts.score_interval,
                given.counts.score_interval if given else None,
                "percent",
                paper.OTHER if given else "",
                match_verdict(counts, given.counts) if given else "not in the paper",
            )
        )
    ours = chain(steps)
    # The same times, with the same one as the anchor.
    theirs = chain({t: s.counts for t, s in paper.TIME_SCALING.items() if t in steps and not nodes})
    lines = {"ours": ours, **({"paper": theirs} if theirs else {})}
    drawn = pictures.attempt(
        bench,
        f"{NAME}.svg",
        lambda path: pictures.curves(
            lines,
            path,
            title="Strength over the time for a move",
            x="nodes for a move" if nodes else "seconds for a move",
            y=f"Elo relative to {_name(max(ours), nodes)}",
        ),
        wanted=bool(ours) and all(math.isfinite(e.value) for e in ours.values()),
    )
    rows = [
        [
            _name(budget, nodes),
            written(elo, "elo"),
            written(theirs[budget], "elo") if budget in theirs else "-",
        ]
        for budget, elo in ours.items()
    ]
    return Result(
        NAME,
        TITLE,
        figures,
        scale(bench, list(found.values())),
        options_of(bench),
        parts=[Grid("Elo, anchored at the longest run", ["", "Ours", "Paper"], rows)],
        notes=[
            "Each step is a match of its own; the errors of the steps to the anchor add up in "
            "squares. The paper's curve is its own results put in a row in the same way."
        ],
        pictures=drawn,
        data={
            "steps": {
                _name(b, nodes): {"wins": c.wins, "draws": c.draws, "losses": c.losses}
                for b, c in steps.items()
            }
        },
        complete=len(found) == len(budgets) - 1 and all(r.is_complete for r in found.values()),
    )


def chain(steps: Mapping[float, Counts]) -> dict[float, Estimate]:
    """Elo by time: each step is the longer time's result against half of it; the longest has 0.

    >>> elo = chain({2.0: Counts(60, 0, 40), 1.0: Counts(60, 0, 40)})
    >>> [(time, round(found.value)) for time, found in elo.items()]
    [(0.5, -141), (1.0, -70), (2.0, 0)]
    """
    if not steps:
        return {}
    longest = max(steps)
    found = {longest: exactly(0.0)}
    time, value, below, above = longest, 0.0, 0.0, 0.0
    while time in steps:
        elo = steps[time].elo
        # A larger step is a lower place.
        value -= elo.value
        below = math.hypot(below, elo.high - elo.value)
        above = math.hypot(above, elo.value - elo.low)
        time /= 2
        found[time] = Estimate(value, value - below, value + above)
    return dict(sorted(found.items()))


def _budgets(seconds: float | None, nodes: int | None) -> list[float]:
    """The times, or numbers of nodes, from the smallest on."""
    if nodes is not None:
        return [nodes / 2**k for k in range(HALVINGS_OF_NODES, -1, -1) if nodes // 2**k >= 1]
    longest = seconds or LONGEST_SECONDS
    halvings = max(1, round(math.log2(longest / SHORTEST_SECONDS)))
    return [longest / 2**k for k in range(halvings, -1, -1)]


def _name(budget: float, nodes: int | None) -> str:
    """A time, or a number of nodes, in words.

    >>> _name(0.125, None), _name(500, 1000)
    ('0.125 s', '500 nodes')
    """
    return f"{int(budget)} nodes" if nodes else f"{budget:g} s"

"""The exploitability of the general search on small games, exactly."""

import time
from dataclasses import dataclass
from typing import Any, Literal

from obscuro import games, search
from obscuro.lab import pictures
from obscuro.lab.matches import options_of
from obscuro.lab.options import Bench, machine
from obscuro.lab.result import Figure, Grid, Result
from obscuro.lab.verdict import exactly

NAME = "small-games"
TITLE = "Exploitability of continual search on small games"
ITERATIONS = (100, 1000)
WALKS = 20

GAMES = (
    "kuhn_poker",
    "liars_dice(dice_sides=3)",
    "goofspiel(num_cards=4,points_order=descending)",
    "leduc_poker",
)


@dataclass(frozen=True)
class Variant:
    """One way to search on at a turn.

    Attributes:
        name: As the table says it.
        scope: What belongs to the subgame.
        alternate: Where alternate values come from.
    """

    name: str
    scope: Literal["kluss", "klss", "common"]
    alternate: Literal["profile", "best-response"]


VARIANTS = (
    Variant("Common, u*", "common", "best-response"),
    Variant("Common, u", "common", "profile"),
    Variant("1-KLSS", "klss", "profile"),
    Variant("KLUSS", "kluss", "profile"),
)


def settings(variant: Variant, iterations: int, seed: int) -> search.AgentSettings:
    """The agent's settings: as the paper's, but that it plays what it has computed."""
    return search.AgentSettings(
        scope=variant.scope,
        alternate=variant.alternate,
        purification="off",
        walks=WALKS,
        blueprint=search.Limits(iterations=iterations),
        seed=seed,
    )


def exploitability(name: str, variant: Variant, iterations: int, seed: int = 0) -> float:
    """What a best response wins, the mean of both players, in units of the largest payoff.

    >>> exploitability("kuhn_poker", VARIANTS[1], 100) < 0.01
    True
    """
    game = games.load(name)
    limits = search.Limits(iterations=iterations)
    found = search.agent_exploitability(game, settings(variant, iterations, seed), limits)
    return found.mean / game.max_payoff()


def uniform(name: str) -> float:
    """The same for a player who chooses at random.

    >>> round(uniform("kuhn_poker"), 4)
    0.2292
    """
    table = search.Table(games.load(name))
    found = search.exploitability(table, search.Strategy.uniform(table))
    return found.mean / table.max_payoff


def run(
    bench: Bench,
    names: tuple[str, ...] = GAMES,
    iterations: tuple[int, ...] = ITERATIONS,
) -> Result:
    """The table, row by row."""
    rows: list[list[str]] = []
    figures: list[Figure] = []
    data: list[dict[str, Any]] = []
    complete = True
    for name in names:
        for budget in iterations:
            if bench.stopped():
                complete = False
                break
            bench.say(f"{name}, {budget} iterations")
            began = time.perf_counter()
            found = {v.name: exploitability(name, v, budget, bench.options.seed) for v in VARIANTS}
            seconds = time.perf_counter() - began
            rows.append([name, f"{budget:,}", *(f"{x:.4f}" for x in found.values())])
            data.append({"game": name, "iterations": budget, "seconds": seconds, **found})
        # The largest budget is the game's figure.
        if rows and rows[-1][0] == name:
            value, chance = found["KLUSS"], uniform(name)
            verdict = f"{value / chance:.1%} of what a random player gives away ({chance:.4f})"
            figures.append(Figure(f"{name}, KLUSS", exactly(value), None, "fine", "", verdict))
    drawn = pictures.attempt(
        bench,
        f"{NAME}.svg",
        lambda path: pictures.bars(
            {row["game"]: {v.name: row[v.name] for v in VARIANTS} for row in data},
            path,
            title=f"Exploitability with {max(iterations):,} iterations",
            y="in units of the largest payoff",
        ),
        wanted=bool(data),
    )
    return Result(
        NAME,
        TITLE,
        figures,
        {
            "iterations": f"{', '.join(map(str, iterations))}, for the search before the game and "
            "for each turn",
            "walks": f"{WALKS} to one iteration",
            "threads": "1",
            "seed": str(bench.options.seed),
            **machine(),
        },
        options_of(bench),
        parts=[
            Grid(
                "Exploitability, the mean of both players",
                ["Game", "Iterations", *(v.name for v in VARIANTS)],
                rows,
            )
        ],
        notes=[
            "The agent is asked for its strategy at every infoset that it can reach by its own "
            "play, and the best response to all of it is computed on the whole game: 0 is an "
            "equilibrium. Common is the common-knowledge subgame, with alternate values by best "
            "response (u*) or by the current profile (u, the paper's). The paper has no such "
            "table: it says that KLSS and KLUSS are not always sound."
        ],
        pictures=drawn,
        data={"rows": data},
        complete=complete,
    )

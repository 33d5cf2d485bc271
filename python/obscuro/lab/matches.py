"""The matches of the paper's list of ablations, and those against other players."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from obscuro.lab import paper, pictures
from obscuro.lab.options import Bench
from obscuro.lab.play import a_match, check_options, concurrently, control, engine, play, scale
from obscuro.lab.result import Figure, Grid, Result
from obscuro.lab.verdict import match_verdict
from obscuro.match import Results

GAMES_FILE = "games.db"

ONE_THREAD = {"expanders": "0"}
"""What players of the laboratory are given unless told otherwise: several games fit on a machine,
and with a limit on nodes every game can be repeated."""

OLD_GTCFR = "obscuro(purification=stable,scope=klss,exploring=two-sided,prior=uniform)"
"""All four improvements off."""


@dataclass(frozen=True)
class MatchExperiment:
    """A match of two players, whose result the paper gives.

    Attributes:
        name: The name of the experiment.
        title: What it measures, in a line.
        first: The first player's name, and the text that makes it.
        second: The second player's.
        games: How many games are played unless told otherwise.
        seconds: Time for a move, likewise.
        usual: Options for all players who take them, unless told otherwise.
    """

    name: str
    title: str
    first: tuple[str, str]
    second: tuple[str, str]
    games: int = 400
    seconds: float = 0.1
    usual: Mapping[str, str] = field(default_factory=dict)

    def run(self, bench: Bench) -> Result:
        """Plays the games that are left, and compares."""
        options = bench.options
        seconds = options.time
        if seconds is None and options.nodes is None:
            seconds = self.seconds
        limit = control(seconds, options.nodes)
        check_options([self.first[1], self.second[1]], options.players)
        usual = {**ONE_THREAD, **self.usual}
        one, two = (
            engine(name, text, limit, options.players, usual)
            for name, text in (self.first, self.second)
        )
        match = a_match(bench, self.name, (one, two), options.games or self.games)
        bench = concurrently(bench, match)
        return self.result(bench, play(bench, match, bench.folder / GAMES_FILE))

    def result(self, bench: Bench, results: Results) -> Result:
        """What finished games say."""
        first, second = self.first[0], self.second[0]
        counts = results.counts(first, second)
        theirs = paper.MATCHES[self.name]
        figure = Figure(
            f"score of {first} against {second}",
            counts.score_interval,
            theirs.counts.score_interval,
            "percent",
            theirs.section,
            match_verdict(counts, theirs.counts),
        )
        elo = Figure("the same in Elo", counts.elo, theirs.counts.elo, "elo", theirs.section, "")
        ours = f"+{counts.wins} ={counts.draws} -{counts.losses}"
        drawn = pictures.attempt(
            bench,
            f"{self.name}.svg",
            lambda path: pictures.intervals(
                {"ours": counts.score_interval, "paper": theirs.counts.score_interval},
                path,
                title=f"Score of {first} against {second}",
            ),
            wanted=counts.games > 0,
        )
        return Result(
            self.name,
            self.title,
            [figure, elo],
            scale(bench, [results]),
            options_of(bench),
            parts=[Grid("Games", ["", "Ours", "Paper"], [["result", ours, str(theirs)]])],
            notes=[_errors(results)],
            pictures=drawn,
            data={"wins": counts.wins, "draws": counts.draws, "losses": counts.losses},
            complete=results.is_complete,
        )


def options_of(bench: Bench) -> dict[str, object]:
    """The settings of a result, without the place of its files."""
    return bench.options.as_dict()


def _errors(results: Results) -> str:
    if results.counts().is_paired:
        return (
            "Our interval takes pairs of games (colours swapped) as independent, the paper's was "
            "computed here from its wins, draws and losses, game by game."
        )
    return "Both intervals take games as independent; the paper's was computed from its result."


MATCHES: tuple[MatchExperiment, ...] = (
    MatchExperiment(
        "ablation-purification",
        "The agent against itself without purification",
        ("obscuro", "obscuro"),
        ("no-purification", "obscuro(purification=stable)"),
    ),
    MatchExperiment(
        "ablation-kluss",
        "KLUSS against 1-KLSS",
        ("obscuro", "obscuro"),
        ("1-klss", "obscuro(scope=klss)"),
    ),
    MatchExperiment(
        "ablation-one-sided",
        "One-sided GT-CFR against two-sided",
        ("obscuro", "obscuro"),
        ("two-sided", "obscuro(exploring=two-sided)"),
    ),
    MatchExperiment(
        "ablation-resolve-prior",
        "The mixed prior of Resolve against the uniform one",
        ("obscuro", "obscuro"),
        ("uniform-prior", "obscuro(prior=uniform)"),
    ),
    MatchExperiment(
        "gtcfr-vs-zs21",
        "Two-sided GT-CFR, all four improvements off, against ZS21",
        ("gtcfr", OLD_GTCFR),
        ("zs21", "zs21"),
    ),
    MatchExperiment(
        "eval-simple",
        "The agent with a network against itself with the simple evaluation",
        ("obscuro", "obscuro"),
        ("simple-eval", "simple-eval"),
        usual={"eval": "network"},
    ),
    MatchExperiment(
        "eval-simple-vs-zs21",
        "The agent with the simple evaluation against ZS21",
        ("simple-eval", "simple-eval"),
        ("zs21", "zs21"),
    ),
    MatchExperiment(
        "vs-zs21",
        "The agent against ZS21",
        ("obscuro", "obscuro"),
        ("zs21", "zs21"),
    ),
    MatchExperiment(
        "vs-random",
        "The agent against a player of random moves",
        ("obscuro", "obscuro"),
        ("random", "random"),
        games=200,
    ),
)
"""All matches of this kind, in the paper's order."""

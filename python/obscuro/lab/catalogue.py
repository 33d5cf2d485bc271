"""All experiments by name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from obscuro.errors import LabError
from obscuro.lab import common, infosets, king_vs_king, scaling, selfplay, small_games
from obscuro.lab.matches import MATCHES
from obscuro.lab.options import Bench, Options
from obscuro.lab.result import Result

SCALES = ("games", "time", "nodes", "concurrency", "ray", "max_moves", "players")
"""The options that matter to experiments that play games."""


@dataclass(frozen=True)
class Experiment:
    """An experiment of the paper.

    Attributes:
        name: Its name on the command line.
        title: What it measures, in a line.
        run: Runs it.
        plays: Whether it plays games, whose results are kept and can be told again.
    """

    name: str
    title: str
    run: Callable[[Bench], Result]
    plays: bool = False


EXPERIMENTS: Mapping[str, Experiment] = {
    entry.name: entry
    for entry in (
        *(Experiment(match.name, match.title, match.run, True) for match in MATCHES),
        Experiment(scaling.NAME, scaling.TITLE, scaling.run, True),
        Experiment(selfplay.NAME, selfplay.TITLE, selfplay.run, True),
        Experiment(common.NAME, common.TITLE, common.run),
        Experiment(infosets.NAME, infosets.TITLE, infosets.run),
        Experiment(king_vs_king.NAME, king_vs_king.TITLE, king_vs_king.run),
        Experiment(small_games.NAME, small_games.TITLE, small_games.run),
    )
}
"""All experiments by name, in the paper's order."""


def find(name: str) -> Experiment:
    """An experiment by its name.

    >>> find("vs-zs21").title
    'The agent against ZS21'
    >>> find("ablation-klus")
    Traceback (most recent call last):
    obscuro.errors.LabError: there is no experiment 'ablation-klus'; did you mean ...
    """
    if name not in EXPERIMENTS:
        near = get_close_matches(name, EXPERIMENTS, n=1, cutoff=0.0)[0]
        raise LabError(
            f"there is no experiment {name!r}; did you mean {near!r}? "
            "`obscuro lab list` lists them all"
        )
    return EXPERIMENTS[name]


def run(
    name: str,
    options: Options | None = None,
    *,
    say: Callable[[str], None] = lambda words: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Result:
    """Runs an experiment, or goes on with it, and writes its result into its folder.

    Games that were played, and strategies that were found, are in that folder: an experiment that
    was stopped goes on where it was.

    >>> from obscuro import lab
    >>> result = lab.run("vs-random", lab.Options(games=2, nodes=50))  # doctest: +SKIP
    >>> print(result.to_markdown())  # doctest: +SKIP
    """
    options = options or Options()
    experiment = find(name)
    if not (experiment.plays or name == infosets.NAME):
        given = {**options.as_dict()}
        for option in SCALES:
            if option in given:
                word = {"players": "set"}.get(option, option.replace("_", "-"))
                raise LabError(f"{name} plays no games, so it takes no --{word}")
    folder = options.folder(name)
    if options.report_only and not experiment.plays:
        return Result.read(folder)
    result = experiment.run(Bench(options, folder, say, stopped))
    result.write(folder)
    return result

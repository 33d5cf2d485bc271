"""Playing the games of an experiment; what was played is kept, and not played again."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from obscuro.errors import LabError
from obscuro.lab.options import Bench, machine
from obscuro.match import (
    Adjudication,
    Engine,
    Match,
    Results,
    Store,
    TimeControl,
    play_match,
    read_results,
)
from obscuro.match.engines import with_options
from obscuro.match.local import cores
from obscuro.match.runner import State
from obscuro.players.registry import names, options_of, parse

SECONDS_BETWEEN_WORDS = 20.0


def control(seconds: float | None, nodes: int | None) -> TimeControl:
    """The time of a move; as in the paper it is the search's, and nobody loses on time.

    >>> str(control(0.5, None)), str(control(None, 5000))
    ('0.5 s/move', '5000 nodes')
    """
    return TimeControl(seconds=seconds, nodes=nodes, margin=None, counts_observing=False)


def engine(
    name: str, player: str, limit: TimeControl, given: Mapping[str, str], usual: Mapping[str, str]
) -> Engine:
    """A player of an experiment.

    `usual` are options that the laboratory sets for all who take them, `given` those that the user
    sets; the player's own, by which it differs from the other one, stand above both.

    >>> engine("a", "obscuro(scope=klss)", control(1, None), {"eval": "zero"}, {}).player
    'obscuro(eval=zero,scope=klss)'
    """
    word, own = parse(player)
    # Whoever does not exist is told so when the match begins.
    known = options_of(word) if word in names() else []
    both = {**usual, **given}
    taken = {key: value for key, value in both.items() if key in known and key not in own}
    return Engine(name, with_options(word, {**taken, **own}), control=limit)


def check_options(players: Sequence[str], given: Mapping[str, str]) -> None:
    """An option that none of the players takes is an error."""
    kinds = [word for word in dict.fromkeys(parse(text)[0] for text in players) if word in names()]
    for option in given:
        if not any(option in options_of(word) for word in kinds):
            raise LabError(
                f"no player of this experiment has an option {option!r}; they are "
                f"{' and '.join(kinds)}"
            )


def a_match(bench: Bench, name: str, engines: tuple[Engine, Engine], games: int) -> Match:
    """So many games of two players, colours swapped; an odd number is rounded up.

    >>> from obscuro.lab.options import Options
    >>> two = Engine("a", "random"), Engine("b", "random")
    >>> a_match(Bench(Options(), Path(".")), "demo", two, 5).total
    6
    """
    return Match(
        engines,
        rounds=(games + 1) // 2,
        seed=bench.options.seed,
        adjudication=Adjudication(max_moves=bench.options.max_moves),
        event=f"laboratory: {name}",
    )


def play(bench: Bench, match: Match, file: Path) -> Results:
    """The games of a match: those that its file has, and those that are left, which are played."""
    if bench.options.report_only:
        return read_results([file], records=True)
    file.parent.mkdir(parents=True, exist_ok=True)
    if file.exists():
        _extend(file, match)
    return play_match(
        match,
        file=file,
        concurrency=bench.options.concurrency,
        ray=bench.options.ray,
        on_change=_Words(bench),
        stopped=bench.stopped,
    )


def _extend(file: Path, match: Match) -> None:
    """Makes room for more games in a file that has the same match with fewer of them.

    A game's seeds depend on its number alone, so that those that are there stay what they are.
    """
    with Store.open(file) as store:
        found = store.match
        if not replace(found, rounds=match.rounds).plan() == match.plan():
            raise LabError(
                f"{file} holds games with other settings ({_differences(found, match)}): give the "
                "same ones, or another folder with --out"
            )
        if found.rounds >= match.rounds:
            if found.rounds > match.rounds:
                raise LabError(
                    f"{file} is for {found.total} games: ask for no fewer, or give another folder "
                    "with --out"
                )
            return
        longer = file.with_name(f"{file.name}.part")
        longer.unlink(missing_ok=True)
        with Store.create(longer, replace(found, rounds=match.rounds)) as other:
            for record in store.records():
                other.add(record)
    longer.replace(file)


def _differences(found: Match, asked: Match) -> str:
    differences = [
        f"{one.name} is {one.player} at {one.control}, asked for {two.player} at {two.control}"
        for one, two in zip(found.engines, asked.engines, strict=True)
        if (one.player, one.control) != (two.player, two.control)
    ]
    if found.seed != asked.seed:
        differences.append(f"the seed is {found.seed}, asked for {asked.seed}")
    if found.adjudication != asked.adjudication:
        differences.append("games are drawn after another number of moves")
    return "; ".join(differences) or "another experiment's"


class _Words:
    """Tells now and then how far a match is."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._began = time.monotonic()
        self._told = -SECONDS_BETWEEN_WORDS
        self._before: int | None = None

    def __call__(self, state: State) -> None:
        done, total = len(state.lines), state.match.total
        if self._before is None:
            self._before = done
        now = time.monotonic() - self._began
        if done < total and now - self._told < SECONDS_BETWEEN_WORDS:
            return
        if state.last is None and done == total and self._before < done:
            return
        self._told = now
        played = done - self._before
        rest = f", about {now / played * (total - done) / 60:.0f} min to go" if played else ""
        first, second = (engine.name for engine in state.match.engines)
        counts = state.counts(first, second)
        score = f", {first} {counts.points:g}-{counts.games - counts.points:g} {second}"
        self._bench.say(
            f"{done}/{total} games{score if done else ''}{rest if done < total else ''}"
        )


def scale(bench: Bench, results: Sequence[Results]) -> dict[str, str]:
    """At what scale games were played, in words."""
    engines = list(dict.fromkeys(e for found in results for e in found.engines.values()))
    played = sum(len(found.lines) for found in results)
    asked = sum(found.total or len(found.lines) for found in results)
    plies = sum(line.plies for found in results for line in found.lines)
    faults = sum(line.is_fault for found in results for line in found.lines)
    versions = sorted({record.version for found in results for record in found.records})
    words = {
        "games": f"{played:,} of {asked:,}" if played < asked else f"{played:,}",
        "plies a game": f"{plies / played:.1f}" if played else "-",
        "lost by failure": str(faults),
        **{f"player {e.name}": f"{e.player}, {e.control}, {_threads(e)}" for e in engines},
        "paper": "5 s/move, one solver and two expander threads, 5 cores a side",
        "seed": str(bench.options.seed),
        "games of version": ", ".join(versions) or "-",
    }
    if bench.options.max_moves is not None:
        words["drawn after"] = f"{bench.options.max_moves} moves"
    return {**words, **machine()}


def _threads(engine: Engine) -> str:
    return f"{engine.threads} thread{'s' * (engine.threads > 1)}"


def concurrently(bench: Bench, match: Match) -> Bench:
    """The bench with as many games at a time as there are cores for, unless told otherwise."""
    options = bench.options
    if options.concurrency is not None or options.ray is not None:
        return bench
    threads = max(_expected_threads(engine.player) for engine in match.engines)
    return replace(bench, options=replace(options, concurrency=max(1, len(cores()) // threads)))


def _expected_threads(player: str) -> int:
    expanders = parse(player)[1].get("expanders", "")
    return 1 + int(expanders) if expanders.isdecimal() else 1

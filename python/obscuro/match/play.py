"""Playing a match from Python, as `obscuro match` does from the command line."""

from collections.abc import Callable
from pathlib import Path

from obscuro.errors import MatchError
from obscuro.match.local import Backend, LocalBackend
from obscuro.match.results import Results, results_of
from obscuro.match.runner import State, check_engines, run
from obscuro.match.schedule import Match
from obscuro.match.slot import Slot
from obscuro.match.store import Store


def play_match(
    match: Match,
    *,
    file: str | Path | None = None,
    pgn: str | Path | None = None,
    json: str | Path | None = None,
    concurrency: int | None = None,
    ray: str | None = None,
    pin: bool = True,
    on_change: Callable[[State], None] = lambda state: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Results:
    """Plays a match, or what is left of it, and returns what its games say.

    Args:
        match: Who plays whom, how often, from where.
        file: Where the games are kept as they finish. If it holds this match already, as far as it
            got, the rest of it is played. Without a file they are kept in memory.
        pgn: A file for the games in PGN.
        json: A file for the games in JSON, one a line.
        concurrency: Games at a time; one, or on a cluster as many as there is room for.
        ray: The address of a Ray cluster to play on, or `local`.
        pin: Whether each game gets cores of its own, if there are enough.
        on_change: Called whenever a game is finished, and now and then.
        stopped: Asked now and then; once it says so, the games that are going on are dropped.

    >>> from obscuro.match import Engine
    >>> match = Match((Engine("a", "greedy"), Engine("b", "random")), rounds=2, seed=1)
    >>> results = play_match(match)
    >>> results.counts("a", "b").points
    4.0
    >>> [record.result for record in results.records]
    ['1-0', '0-1', '1-0', '0-1']
    """
    slot = Slot()
    try:
        with open_store(match, file, slot, pgn=pgn, json=json) as store:
            backend = make_backend(store.match, slot, concurrency=concurrency, ray=ray, pin=pin)
            state = run(store, backend, on_change=on_change, stopped=stopped)
            records = list(store.records())
    finally:
        slot.close()
    return results_of(state.match, state.lines, verdict=state.verdict, records=records)


def open_store(
    match: Match,
    file: str | Path | None,
    slot: Slot,
    *,
    pgn: str | Path | None = None,
    json: str | Path | None = None,
) -> Store:
    """The file of a match: a new one, or the one that was begun with the same settings."""
    # Before a match goes on as well: whoever cannot start here would lose all games that are left.
    checked = check_engines(match, slot)
    outputs = [None if path is None else str(path) for path in (pgn, json)]
    if file is None or not Path(file).exists():
        return Store.create(file, checked, pgn=outputs[0], json=outputs[1])
    store = Store.open(file)
    if store.match.plan() != match.plan():
        store.close()
        raise MatchError(f"{file} holds a match with other settings: expected another file")
    return store


def make_backend(
    match: Match,
    slot: Slot,
    *,
    concurrency: int | None = None,
    ray: str | None = None,
    pin: bool = True,
) -> Backend:
    """Where the games of a match are played."""
    if concurrency is not None and concurrency < 1:
        raise MatchError(f"concurrency is {concurrency}, expected a number of at least 1")
    if ray is not None:
        # Only who plays on a cluster needs the package.
        from obscuro.match.cluster import RayBackend

        return RayBackend(match, address=ray, concurrency=concurrency)
    return LocalBackend(match, concurrency=concurrency or 1, pin=pin, slot=slot)

"""Playing the matches of the laboratory in this process: starting others takes most of a test."""

from collections.abc import Callable
from pathlib import Path

import chess

from obscuro.fow import Board
from obscuro.match import GameRecord, Match, Referee, Results, Side, Store
from obscuro.match.engines import Engine, make_player, seed_of
from obscuro.match.results import results_of
from obscuro.match.runner import State
from obscuro.match.schedule import Task


def play(
    match: Match,
    *,
    file: Path,
    concurrency: int | None,
    ray: str | None,
    on_change: Callable[[State], None],
    stopped: Callable[[], bool],
) -> Results:
    """As `obscuro.match.play_match`."""
    assert concurrency is None or concurrency > 0
    assert ray is None
    with Store.open(file) if file.exists() else Store.create(file, match) as store:
        assert store.match.plan() == match.plan()
        for task in match.tasks():
            if task.number not in store.finished() and not stopped():
                store.add(game(match, task))
                on_change(State(match, store.lines()))
        return results_of(match, store.lines(), records=list(store.records()))


def game(match: Match, task: Task) -> GameRecord:
    engines = {chess.WHITE: match.engines[task.white], chess.BLACK: match.engines[task.black]}
    players = {
        color: make_player(engine, seed_of(match.seed, task.number, color))[0]
        for color, engine in engines.items()
    }
    controls = {color: engine.control for color, engine in engines.items()}
    referee = Referee(
        Board(task.start), players, controls, adjudication=match.adjudication, forfeits=True
    )
    verdict = referee.play()
    for player in players.values():
        player.close()
    return GameRecord(
        _side(engines[chess.WHITE]),
        _side(engines[chess.BLACK]),
        referee.plies,
        verdict.result.score,
        verdict.result.reason,
        verdict.kind,
        task.start,
        task.number,
        task.round,
        task.pair,
    )


def _side(engine: Engine) -> Side:
    return Side(engine.name, engine.player, str(engine.control))

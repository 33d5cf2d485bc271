"""Matches on a Ray cluster: the driver's side with a stand-in for Ray, and all of it with Ray."""

from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from obscuro import __version__
from obscuro.errors import MatchError, MissingPackageError
from obscuro.match import Engine, Match, play_match
from obscuro.match import cluster as cluster_module
from obscuro.match.cluster import RayBackend
from obscuro.match.runner import run
from obscuro.match.schedule import Task
from obscuro.match.store import Store

PLAYERS = Path(__file__).with_name("match_players.py")
ENGINES = Engine("a", f"{PLAYERS}:Scripted"), Engine("b", "random", threads=2)


class WorkerDiedError(Exception):
    pass


class FakeRay:
    """As much of Ray as the backend uses, in this process; workers die as it is told."""

    def __init__(self, processors: float = 5, deaths: Mapping[int, int] | None = None) -> None:
        self.processors = processors
        self.deaths = dict(deaths or {})
        self.initialized = False
        self.fails_to_begin = 0
        self.options: dict[str, Any] = {}
        self.remote_options: dict[str, Any] = {}
        self.begun: list[int] = []
        self.cancelled: list[object] = []
        self.exceptions = SimpleNamespace(
            RayError=WorkerDiedError, RayTaskError=NotImplementedError
        )

    def is_initialized(self) -> bool:
        return self.initialized

    def init(self, **options: Any) -> None:  # noqa: ANN401
        if self.fails_to_begin:
            self.fails_to_begin -= 1
            raise Exception("timed out")  # noqa: TRY002 - as Ray does
        self.initialized, self.options = True, options

    def shutdown(self) -> None:
        self.initialized = False

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": self.processors}

    def put(self, thing: object) -> object:
        return thing

    def remote(self, **options: Any) -> Callable[[Callable[..., Any]], Any]:  # noqa: ANN401
        self.remote_options = options
        return lambda function: SimpleNamespace(remote=lambda *words: (function, words, object()))

    def wait(
        self, references: list[Any], num_returns: int, timeout: float
    ) -> tuple[list[Any], list[Any]]:
        return references[:num_returns], references[num_returns:]

    def get(self, reference: Any) -> Any:  # noqa: ANN401
        function, (match, task, version), _ = reference
        self.begun.append(task.number)
        if self.deaths.get(task.number, 0):
            self.deaths[task.number] -= 1
            raise WorkerDiedError
        return function(match, task, version)

    def cancel(self, reference: object, *, force: bool) -> None:
        assert force
        self.cancelled.append(reference)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeRay:
    ray = FakeRay()
    monkeypatch.setattr(cluster_module, "_import_ray", lambda: ray)
    return ray


def test_games_of_dead_workers_are_played_again(fake: FakeRay, tmp_path: Path) -> None:
    fake.deaths = {0: 1, 3: 2}
    match = Match(ENGINES, rounds=2)
    with Store.create(tmp_path / "a.db", match) as store:
        backend = RayBackend(match, address="local")
        # Five processors, two threads a game.
        assert backend.capacity == 2
        assert fake.remote_options["num_cpus"] == 2
        state = run(store, backend)
        assert store.finished() == {0, 1, 2, 3}
    assert len(state.lines) == 4
    assert backend.replayed == 3
    assert sorted(fake.begun) == [0, 0, 1, 2, 3, 3, 3]
    # It was begun here, so it is ended here.
    assert not fake.initialized
    # The slot that the games of this process were played in.
    assert cluster_module._slot is not None
    cluster_module._slot.close()


def test_a_worker_that_always_dies_ends_the_match_and_keeps_its_games(
    fake: FakeRay, tmp_path: Path
) -> None:
    fake.deaths = {1: 9}
    match = Match(ENGINES)
    with Store.create(tmp_path / "a.db", match) as store:
        with pytest.raises(MatchError, match="worker of game 2 died 3 times: WorkerDiedError"):
            run(store, RayBackend(match, address="local", concurrency=1))
        assert store.finished() == {0}
    assert cluster_module._slot is not None
    cluster_module._slot.close()


def test_a_cluster_that_does_not_begin(fake: FakeRay) -> None:
    fake.fails_to_begin = 2
    RayBackend(Match(ENGINES), address="local", concurrency=3).close()
    assert fake.options["num_cpus"] == 6
    fake.fails_to_begin = 3
    with pytest.raises(MatchError, match="no Ray cluster at 'local': timed out"):
        RayBackend(Match(ENGINES), address="local")
    fake.fails_to_begin = 1
    with pytest.raises(MatchError, match=r"no Ray cluster at '10\.0\.0\.1:6379': timed out"):
        RayBackend(Match(ENGINES), address="10.0.0.1:6379")


def test_a_cluster_that_is_too_small(fake: FakeRay) -> None:
    fake.processors = 1
    with pytest.raises(MatchError, match="has 1 processors, a game needs 2"):
        RayBackend(Match(ENGINES), address="local")


def test_games_that_go_on_are_ended(fake: FakeRay) -> None:
    fake.initialized = True
    backend = RayBackend(Match(ENGINES), address="somewhere")
    for task in list(Match(ENGINES).tasks())[:2]:
        backend.submit(task)
    backend.close()
    assert len(fake.cancelled) == 2
    # It was there before: it stays.
    assert fake.initialized


def test_machines_with_another_version_are_told_of() -> None:
    with pytest.raises(MatchError, match=f"has obscuro {__version__}, the match is run by 0.0.1"):
        cluster_module._play(Match(ENGINES), Task(0, 1, 0, 0, 1, ""), "0.0.1")


def test_without_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    with pytest.raises(MissingPackageError, match=r"pip install 'obscuro\[ray\]'"):
        RayBackend(Match(ENGINES), address="local")


@pytest.mark.filterwarnings("ignore")
def test_a_worker_of_ray_is_killed_in_the_middle(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    mark = tmp_path / "mark"
    mark.touch()  # so that the first look at the player does no harm
    killer = Engine("killer", f"{PLAYERS}:KillsWorker(mark={mark})")
    match = Match((killer, Engine("b", f"{PLAYERS}:Scripted")), rounds=2)
    mark.unlink()
    results = play_match(match, file=tmp_path / "a.db", ray="local", concurrency=1)
    assert mark.exists()
    assert results.is_complete
    assert [record.number for record in results.records] == [0, 1, 2, 3]
    assert {record.kind for record in results.records} == {"resignation"}

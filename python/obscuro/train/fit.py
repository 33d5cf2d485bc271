"""Training: from labelled positions to the numbers of a network."""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from obscuro import __version__
from obscuro.errors import TrainingError
from obscuro.train import data
from obscuro.train.model import Batch, Model, Tensor, need_torch
from obscuro.train.shape import SCALE, UNITS_PER_PAWN

TARGETS = ("static", "score")
CHECKPOINT = "checkpoint.pt"
LOG = "fit.json"
# So often it looks at the held-out positions and writes where it is.
LOOKS = 25


@dataclass(frozen=True)
class Settings:
    """How a network is trained.

    >>> Settings(passes=2.0).target
    'static'
    """

    target: str = "static"
    """What is learnt: the teacher's `static` score, or the `score` of its quiescence."""
    outcome: float = 0.0
    """The share of the game's outcome in what is learnt."""
    passes: float = 3.0
    """How often each position is seen."""
    batch: int = 8192
    """Positions in a step."""
    rate: float = 2e-3
    """The largest step of Adam; it rises at the beginning and falls along half a cosine."""
    warm_up: float = 0.02
    """The share of all steps over which it rises."""
    held_out: int = 50_000
    """Positions at the end of the data that are never learnt from."""
    seed: int = 0
    """Of the first numbers and of the order of positions."""
    scale: float = SCALE
    """Pawns that are worth tanh(1)."""

    def check(self) -> None:
        """Raises an error that says which setting cannot be used."""
        wrong = None
        if self.target not in TARGETS:
            wrong = f"the target {self.target!r}, expected one of {', '.join(TARGETS)}"
        elif not 0.0 <= self.outcome <= 1.0:
            wrong = f"a share {self.outcome} of the outcome, expected 0 to 1"
        elif not (self.passes > 0 and self.rate > 0 and self.scale > 0):
            wrong = "passes, rate or scale that are not above 0"
        elif self.batch < 1 or self.held_out < 1 or not 0.0 <= self.warm_up < 1.0:
            wrong = "no batch, nothing held out, or a warm-up that is not below 1"
        if wrong is not None:
            raise TrainingError(f"cannot train with {wrong}")


@dataclass(frozen=True)
class Look:
    """How far training is."""

    step: int
    steps: int
    loss: float
    """The mean loss of the steps since the last look."""
    held_out: float
    """The loss on the held-out positions."""
    correlation: float
    """Of values there with those of the target."""
    seconds: float
    """Since this run began."""


def target_values(
    records: data.Records, settings: Settings, units_per_pawn: float
) -> npt.NDArray[np.float32]:
    """What the network shall say of each position, as a value in [-1, 1]."""
    scores = records[settings.target].astype(np.float32)
    values = np.tanh(scores / (units_per_pawn * settings.scale))
    share = np.float32(settings.outcome)
    mixed: npt.NDArray[np.float32] = (1 - share) * values + share * records["outcome"]
    return mixed


def read_labelled(folder: Path) -> tuple[list[data.Header], data.Records]:
    """The labelled positions of a folder, without those that are decided.

    A search never asks for the static score of those.
    """
    headers, records = data.read_folder(folder)
    teachers = {json.dumps(header.teacher, sort_keys=True) for header in headers}
    if headers[0].teacher is None or len(teachers) > 1:
        raise TrainingError(
            f"{folder}: {'not all labels are' if len(teachers) > 1 else 'no labels'} of one "
            "teacher: label the folder first"
        )
    return headers, records[np.abs(records["score"].astype(np.int32)) != data.DECIDED]


def fit(
    folder: Path,
    run: Path,
    settings: Settings = Settings(),
    *,
    threads: int = 1,
    stop_after: int | None = None,
    progress: Callable[[Look], None] = lambda look: None,
) -> Model:
    """Trains a network with the data of `folder`; goes on where the folder `run` is.

    With `stop_after` it ends early, after so many steps of this run: it can go on later.
    """
    settings.check()
    torch = need_torch()
    torch.set_num_threads(threads)
    headers, records = read_labelled(folder)
    learnt = len(records) - settings.held_out
    if learnt < settings.batch:
        raise TrainingError(
            f"{folder}: {len(records):,} positions, expected at least "
            f"{settings.held_out + settings.batch:,}: {settings.held_out:,} to hold out and a batch"
        )
    teacher = headers[0].teacher or {}
    trainer = _Trainer(settings, Model(settings.seed, threads), learnt, teacher)
    trainer.resume(run)
    tail = Batch.of(records[learnt:])
    began, since = time.monotonic(), 0
    every = max(1, trainer.steps // LOOKS)
    losses = []
    while trainer.step < trainer.steps and (stop_after is None or since < stop_after):
        losses.append(trainer.advance(records))
        since += 1
        if trainer.step % every == 0 or trainer.step == trainer.steps:
            look = trainer.look(tail, losses, time.monotonic() - began)
            losses = []
            trainer.save(run, look)
            progress(look)
    return trainer.model


class _Trainer:
    """The state of training between two steps."""

    def __init__(
        self, settings: Settings, model: Model, learnt: int, teacher: Mapping[str, Any]
    ) -> None:
        self.settings, self.model, self.learnt = settings, model, learnt
        self.units = float(teacher["unitsPerPawn"])
        self.about = {
            "settings": asdict(settings),
            "learnt": learnt,
            "teacher": dict(teacher),
            "versions": {"obscuro": __version__, "torch": str(model.torch.__version__)},
        }
        self.in_pass = learnt // settings.batch
        self.steps = max(1, round(settings.passes * self.in_pass))
        self.step = 0
        self.curve: list[dict[str, float]] = []
        self.order: tuple[int, npt.NDArray[np.int64]] | None = None
        self.adam = model.torch.optim.Adam(list(model.numbers.values()), lr=1.0, fused=True)

    def advance(self, records: data.Records) -> float:
        """Makes one step and returns its loss."""
        number, at = divmod(self.step, self.in_pass)
        if self.order is None or self.order[0] != number:
            rng = np.random.default_rng([self.settings.seed, number])
            self.order = (number, rng.permutation(self.learnt))
        size = self.settings.batch
        rows = self.order[1][at * size : (at + 1) * size]
        batch = Batch.of(records[rows])
        for group in self.adam.param_groups:
            group["lr"] = self.rate()
        self.adam.zero_grad(set_to_none=True)
        loss = self.model.gradients(batch, lambda scores: self.loss(scores, batch))
        self.adam.step()
        self.model.clip()
        self.step += 1
        return loss

    def rate(self) -> float:
        """The largest step of Adam now."""
        done = (self.step + 1) / self.steps
        warm = self.settings.warm_up
        if done < warm:
            return self.settings.rate * done / warm
        return self.settings.rate * (0.5 + 0.5 * float(np.cos(np.pi * (done - warm) / (1 - warm))))

    def loss(self, scores: Tensor, batch: Batch) -> Tensor:
        """The mean squared error of the values."""
        torch = self.model.torch
        wanted = target_values(batch.records, self.settings, self.units)
        values = torch.tanh(scores / (UNITS_PER_PAWN * self.settings.scale))
        return ((values - torch.from_numpy(wanted)) ** 2).mean()

    def look(self, tail: Batch, losses: list[float], seconds: float) -> Look:
        """What the held-out positions say."""
        scores = self.model.scores(tail)
        values = np.tanh(scores / (UNITS_PER_PAWN * self.settings.scale))
        wanted = target_values(tail.records, self.settings, self.units)
        return Look(
            step=self.step,
            steps=self.steps,
            loss=float(np.mean(losses)),
            held_out=float(np.mean((values - wanted) ** 2)),
            correlation=float(np.corrcoef(values, wanted)[0, 1]),
            seconds=seconds,
        )

    def save(self, run: Path, look: Look) -> None:
        """Writes where training is."""
        run.mkdir(parents=True, exist_ok=True)
        self.curve.append(asdict(look))
        state = {
            "about": self.about,
            "step": self.step,
            "curve": self.curve,
            "numbers": {name: x.detach() for name, x in self.model.numbers.items()},
            "adam": self.adam.state_dict(),
        }
        part = run / f"{CHECKPOINT}.part"
        self.model.torch.save(state, part)
        part.replace(run / CHECKPOINT)
        log = {**self.about, "curve": self.curve}
        (run / LOG).write_text(json.dumps(log, indent=1) + "\n", encoding="utf-8")

    def resume(self, run: Path) -> None:
        """Goes on where the folder is; another run's folder is an error."""
        state = load_checkpoint(run)
        if state is None:
            return
        for name in ("settings", "learnt", "teacher"):
            if state["about"][name] != self.about[name]:
                raise TrainingError(
                    f"{run}: holds a run with {name} {state['about'][name]}, expected "
                    f"{self.about[name]}: use another folder"
                )
        with self.model.torch.no_grad():
            for name, tensor in self.model.numbers.items():
                tensor.copy_(state["numbers"][name])
        self.adam.load_state_dict(state["adam"])
        self.step, self.curve = state["step"], state["curve"]


def load_checkpoint(run: Path) -> dict[str, Any] | None:
    """What a folder holds of a run; None if there is nothing yet."""
    path = run / CHECKPOINT
    if not path.exists():
        return None
    torch = need_torch()
    try:
        state: dict[str, Any] = torch.load(path, weights_only=True)
    except (OSError, RuntimeError, ValueError, EOFError, KeyError) as error:
        raise TrainingError(f"{path}: not a checkpoint that can be read: {error}") from error
    return state

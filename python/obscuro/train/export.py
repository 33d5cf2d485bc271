"""The network's file, and the record of how it was made."""

import datetime
import json
import platform
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from obscuro import __version__
from obscuro.errors import TrainingError
from obscuro.train import data
from obscuro.train.fit import load_checkpoint, read_labelled
from obscuro.train.model import Batch, Model
from obscuro.train.quantise import Integers, check_shapes, quantise
from obscuro.train.shape import KING_BUCKETS, STACKS, UNITS_PER_PAWN, WIDTH

MAGIC = b"OBSCURO1"
# So far the integers may be from the floating-point network, in the mean of all values.
TOLERANCE = 0.01
# Positions on which they are compared.
COMPARED = 20_000


@dataclass(frozen=True)
class Check:
    """How near the integers are to the floating-point network, on held-out positions."""

    positions: int
    mean_difference: float
    """The mean absolute difference of values."""
    largest_difference: float


def to_bytes(network: Integers, description: str) -> bytes:
    """The file of a network."""
    check_shapes(network)
    body = b"".join(
        [
            network.biases.astype("<i2").tobytes(),
            network.weights.astype("<i2").tobytes(),
            network.psqt.astype("<i4").tobytes(),
            *(_stack(network, stack) for stack in range(STACKS)),
        ]
    )
    text = description.encode()
    words = [WIDTH, KING_BUCKETS, STACKS, len(text)]
    head = MAGIC + b"".join(word.to_bytes(4, "little") for word in words) + text
    return head + zlib.crc32(body).to_bytes(4, "little") + body


def _stack(network: Integers, stack: int) -> bytes:
    return b"".join(
        [
            network.first_biases[stack].astype("<i4").tobytes(),
            network.first[stack].astype("i1").tobytes(),
            network.second_biases[stack].astype("<i4").tobytes(),
            network.second[stack].astype("i1").tobytes(),
            network.third_biases[stack].astype("<i4").tobytes(),
            network.third[stack].astype("i1").tobytes(),
        ]
    )


def export(folder: Path, run: Path, out: Path) -> Check:
    """Writes the network that `run` holds to `out`, and how it was made beside it (`.json`).

    `folder` is the data it was trained with: on what was held out of it, the integers are compared
    with the floating-point network first; a network that they do not follow is not written.
    """
    state = load_checkpoint(run)
    if state is None:
        raise TrainingError(f"{run}: nothing has been trained here")
    about: Mapping[str, Any] = state["about"]
    settings = about["settings"]
    headers, records = read_labelled(folder)
    if (
        headers[0].teacher != about["teacher"]
        or len(records) - settings["held_out"] != (about["learnt"])
    ):
        raise TrainingError(f"{folder}: not the data that {run} was trained with")
    model = Model(settings["seed"])
    with model.torch.no_grad():
        for name, tensor in model.numbers.items():
            tensor.copy_(state["numbers"][name])
    network = quantise(model.folded())
    check = compare(model, network, records[about["learnt"] :][:COMPARED], settings["scale"])
    if check.mean_difference > TOLERANCE:
        raise TrainingError(
            f"the integers do not follow the network: values differ by {check.mean_difference:.4f} "
            f"on average, at most {TOLERANCE} is expected"
        )
    made = made_from(headers, state, check)
    description = {
        "name": "obscuro default",
        **{name: made[name] for name in ("date", "teacher", "positions", "settings", "versions")},
    }
    out.parent.mkdir(parents=True, exist_ok=True)
    part = out.with_suffix(f"{out.suffix}.part")
    part.write_bytes(to_bytes(network, json.dumps(description)))
    part.replace(out)
    text = json.dumps(made, indent=1) + "\n"
    out.with_suffix(".json").write_text(text, encoding="utf-8")
    return check


def compare(model: Model, network: Integers, records: data.Records, scale: float) -> Check:
    """How far the integers are from the floating-point network on some positions."""
    batch = Batch.of(records)

    ours, theirs = (
        np.tanh(np.asarray(scores, np.float64) / (UNITS_PER_PAWN * scale))
        for scores in (network.scores(batch.records), model.scores(batch))
    )
    differences = np.abs(ours - theirs)
    return Check(len(records), float(differences.mean()), float(differences.max()))


def made_from(headers: list[data.Header], state: Mapping[str, Any], check: Check) -> dict[str, Any]:
    """All that is needed to make the network again, and how that went."""
    about = state["about"]
    first = headers[0]
    return {
        "format": "obscuro-training/1",
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "positions": sum(header.count for header in headers),
        "learnt": about["learnt"],
        "data": {
            "seed": first.seed,
            "shards": len(headers),
            "shard": first.count,
            "recipe": dict(first.recipe),
            "guide": first.guide,
            "crc32": [header.crc32 for header in headers],
        },
        "teacher": about["teacher"],
        "settings": about["settings"],
        "steps": state["step"],
        "seconds": sum(
            look["seconds"]
            for look, after in zip(state["curve"], [*state["curve"][1:], None], strict=True)
            if after is None or after["seconds"] < look["seconds"]
        ),
        "curve": [
            {name: look[name] for name in ("step", "loss", "held_out", "correlation")}
            for look in state["curve"]
        ],
        "integers": {
            "positions": check.positions,
            "meanDifference": check.mean_difference,
            "largestDifference": check.largest_difference,
        },
        "versions": {
            **about["versions"],
            "obscuro": __version__,
            "python": platform.python_version(),
            "numpy": np.__version__,
        },
    }

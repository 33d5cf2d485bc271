"""From the floating-point network to integers, and what the integers say."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from obscuro import _core
from obscuro.errors import TrainingError
from obscuro.train import data
from obscuro.train.shape import (
    FEATURES,
    FIRST,
    LAST_WEIGHT,
    MOST,
    ONE,
    SCORE,
    SECOND,
    SIXTEENTHS,
    SQUEEZED,
    STACKS,
    WEIGHT,
    WIDTH,
)

Ints = npt.NDArray[np.int64]
# Positions at a time: their rows of the table are 4 bytes * 256 * 64 each.
_CHUNK = 2048
# Inputs of one side.
_SIDE = 32


@dataclass(frozen=True)
class Integers:
    """A network's numbers as they are in its file."""

    biases: npt.NDArray[np.int16]
    weights: npt.NDArray[np.int16]
    psqt: npt.NDArray[np.int32]
    first: npt.NDArray[np.int8]
    first_biases: npt.NDArray[np.int32]
    second: npt.NDArray[np.int8]
    second_biases: npt.NDArray[np.int32]
    third: npt.NDArray[np.int8]
    third_biases: npt.NDArray[np.int32]

    def scores(self, records: data.Records) -> Ints:
        """The score of each position for the side to move, as the core computes it."""
        parts = [self._scores(records[at : at + _CHUNK]) for at in range(0, len(records), _CHUNK)]
        return np.concatenate(parts)

    def _scores(self, records: data.Records) -> Ints:
        features, stacks = _core.record_inputs(data.as_bytes(records))
        # What is no input adds nothing: the row after the last one.
        rows = np.minimum(features.astype(np.int64), FEATURES).reshape(-1, 2, _SIDE)
        weights = np.concatenate([self.weights, np.zeros((1, WIDTH), np.int16)])
        psqt = np.concatenate([self.psqt, np.zeros((1, STACKS), np.int32)])
        sums = self.biases.astype(np.int64) + weights[rows].sum(2, dtype=np.int64)
        clipped = np.clip(sums, 0, ONE)
        half = WIDTH // 2
        products = (clipped[:, :, :half] * clipped[:, :, half:] // 128).reshape(-1, WIDTH)
        material = psqt[rows].sum(2, dtype=np.int64)
        chosen = material[np.arange(len(stacks)), :, stacks]
        positional = np.empty(len(stacks), np.int64)
        for stack in range(STACKS):
            at = stacks == stack
            positional[at] = self._layers(stack, products[at])
        return truncated(truncated(chosen[:, 0] - chosen[:, 1], 2) + positional, SIXTEENTHS)

    def _layers(self, stack: int, products: Ints) -> Ints:
        first = products @ self.first[stack].T.astype(np.int64) + self.first_biases[stack]
        inner, straight = first[:, :SQUEEZED], first[:, SQUEEZED]
        squared = np.minimum(inner * inner >> 19, ONE)
        inputs = np.concatenate([squared, np.clip(inner >> 6, 0, ONE)], 1)
        weights = self.second[stack][:, : 2 * SQUEEZED].astype(np.int64)
        second = np.clip((inputs @ weights.T + self.second_biases[stack]) >> 6, 0, ONE)
        last = second @ self.third[stack].astype(np.int64) + self.third_biases[stack]
        output: Ints = last + truncated(straight * round(SCORE * SIXTEENTHS), ONE * WEIGHT)
        return output


def truncated(dividend: Ints, divisor: int) -> Ints:
    """Division towards zero.

    >>> truncated(np.array([7, -7]), 2).tolist()
    [3, -3]
    """
    quotient: Ints = np.sign(dividend) * (np.abs(dividend) // divisor)
    return quotient


def quantise(numbers: Mapping[str, npt.NDArray[np.float32]]) -> Integers:
    """Rounds a network's numbers, as `Model.folded` gives them, to integers."""
    second = np.zeros((STACKS, SECOND, SECOND), np.float64)
    second[:, :, : 2 * SQUEEZED] = numbers["second"]
    return Integers(
        biases=_rounded("biases", numbers["biases"], ONE, np.int16),
        weights=_rounded("weights", numbers["weights"], ONE, np.int16),
        psqt=_rounded("psqt", numbers["psqt"], SCORE * SIXTEENTHS, np.int32),
        first=_rounded("first", numbers["first"], WEIGHT, np.int8),
        first_biases=_rounded("first_biases", numbers["first_biases"], ONE * WEIGHT, np.int32),
        second=_rounded("second", second, WEIGHT, np.int8),
        second_biases=_rounded("second_biases", numbers["second_biases"], ONE * WEIGHT, np.int32),
        third=_rounded("third", numbers["third"], LAST_WEIGHT, np.int8),
        third_biases=_rounded(
            "third_biases", numbers["third_biases"], SCORE * SIXTEENTHS, np.int32
        ),
    )


def _rounded(
    name: str, numbers: npt.NDArray[np.floating], scale: float, dtype: type[np.signedinteger]
) -> npt.NDArray[np.signedinteger]:
    scaled = np.rint(np.asarray(numbers, np.float64) * scale)
    # The small weights are clipped in training; 127 on both sides, as there.
    most = MOST if dtype is np.int8 else np.iinfo(dtype).max
    if not np.isfinite(scaled).all() or np.abs(scaled).max(initial=0) > most:
        raise TrainingError(
            f"the network cannot be rounded: {name} has {np.abs(scaled).max()}, at most {most} fits"
        )
    return scaled.astype(dtype)


def check_shapes(network: Integers) -> None:
    """Raises an error where an array has not the shape that the file needs."""
    shapes = {
        "biases": (WIDTH,),
        "weights": (FEATURES, WIDTH),
        "psqt": (FEATURES, STACKS),
        "first": (STACKS, FIRST, WIDTH),
        "first_biases": (STACKS, FIRST),
        "second": (STACKS, SECOND, SECOND),
        "second_biases": (STACKS, SECOND),
        "third": (STACKS, SECOND),
        "third_biases": (STACKS,),
    }
    for name, shape in shapes.items():
        found = getattr(network, name).shape
        if found != shape:
            raise TrainingError(f"the network's {name} have shape {found}, expected {shape}")

"""The default network in floating point: its numbers, its output, and its derivatives.

The first layer is a sum of few rows of a large table. It is computed in the core, forwards and
backwards; PyTorch does the rest.
"""

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from obscuro import _core
from obscuro.errors import MissingPackageError
from obscuro.train import data
from obscuro.train.shape import (
    FEATURES,
    FIRST,
    KING_BUCKETS,
    LAST_WEIGHT,
    MOST,
    ONE,
    PLANES,
    SCORE,
    SECOND,
    SQUEEZED,
    STACKS,
    WEIGHT,
    WIDTH,
)

# Tensors; PyTorch is optional and its types are not there where it is not.
Tensor = Any

_WORTH = (208, 208, 781, 781, 825, 825, 1276, 1276, 2538, 2538, 0)
"""Where training begins: units of score of a piece, own or not, in the order of the planes."""
_SQUARED = ONE / (ONE + 1)
"""A product of two integers is divided by 128, and 127 stands for one."""


def need_torch() -> ModuleType:
    """PyTorch, or an error that says how to get it."""
    try:
        return importlib.import_module("torch")
    except ImportError as error:
        raise MissingPackageError(
            "training needs PyTorch, which is not installed: pip install 'obscuro[train]'"
        ) from error


@dataclass(frozen=True)
class Batch:
    """Positions as the network sees them, in the order of their stacks."""

    features: npt.NDArray[np.uint16]
    stacks: npt.NDArray[np.uint8]
    counts: list[int]
    """How many there are of each stack."""
    records: data.Records

    @staticmethod
    def of(records: data.Records) -> "Batch":
        """The batch of some records."""
        features, stacks = _core.record_inputs(data.as_bytes(records))
        order = np.argsort(stacks, kind="stable")
        counts = np.bincount(stacks, minlength=STACKS).tolist()
        return Batch(features[order], stacks[order], counts, records[order])


class Model:
    """The numbers of a network, and what they make of positions."""

    def __init__(self, seed: int, threads: int = 1) -> None:
        self.torch = need_torch()
        self.threads = threads
        self._sums = np.empty((0, 2 * WIDTH), np.float32)
        generator = self.torch.Generator().manual_seed(seed)

        def uniform(*shape: int, inputs: int) -> Tensor:
            return (self.torch.rand(*shape, generator=generator) * 2 - 1) / inputs**0.5

        zeros = self.torch.zeros
        self.numbers: dict[str, Tensor] = {
            # What a piece on a square adds, wherever the king is; and how a king changes it.
            "shared": uniform(PLANES, WIDTH, inputs=120),
            "weights": zeros(KING_BUCKETS, PLANES, WIDTH),
            "biases": self.torch.full((WIDTH,), 0.4),
            "psqt": self._material(),
            # The first layer of all stacks; and how each stack changes it.
            "first_shared": uniform(FIRST, WIDTH, inputs=WIDTH),
            "first": zeros(STACKS, FIRST, WIDTH),
            "first_biases": zeros(STACKS, FIRST),
            "second": uniform(1, SECOND, 2 * SQUEEZED, inputs=30).repeat(STACKS, 1, 1),
            "second_biases": uniform(1, SECOND, inputs=30).repeat(STACKS, 1),
            "third": uniform(1, SECOND, inputs=SECOND).repeat(STACKS, 1),
            "third_biases": zeros(STACKS),
        }
        for tensor in self.numbers.values():
            tensor.requires_grad_()

    def _material(self) -> Tensor:
        worth = self.torch.tensor(_WORTH) / SCORE
        # The planes alternate between own pieces and the opponent's.
        sign = self.torch.tensor([1.0, -1.0] * 5 + [0.0])
        planes = (worth * sign).repeat_interleave(64).repeat(KING_BUCKETS)
        return planes[:, None].repeat(1, STACKS).contiguous()

    def _table(self) -> Tensor:
        with self.torch.no_grad():
            table = self.numbers["weights"] + self.numbers["shared"]
            return table.view(FEATURES, WIDTH)

    def scores(self, batch: Batch) -> npt.NDArray[np.float32]:
        """The scores of the positions of a batch, in its order."""
        with self.torch.no_grad():
            _, products, material = self._first(batch, self._table())
            scores: npt.NDArray[np.float32] = self._rest(batch, products, material).numpy()
            return scores

    def gradients(self, batch: Batch, loss: Callable[[Tensor], Tensor]) -> float:
        """Sets the derivatives of `loss`, a function of the scores; returns its value."""
        sums, products, material = self._first(batch, self._table())
        products.requires_grad_()
        material.requires_grad_()
        value = loss(self._rest(batch, products, material))
        value.backward()
        zeros = self.torch.zeros
        by_table, by_psqt = zeros(FEATURES, WIDTH), zeros(FEATURES, STACKS)
        by_biases = zeros(WIDTH)
        _core.layer_backward(
            batch.features,
            batch.stacks,
            sums,
            products.grad.numpy(),
            material.grad.numpy(),
            by_table.numpy(),
            by_biases.numpy(),
            by_psqt.numpy(),
            self.threads,
        )
        by_sets = by_table.view(KING_BUCKETS, PLANES, WIDTH)
        self.numbers["weights"].grad = by_sets
        self.numbers["shared"].grad = by_sets.sum(0)
        self.numbers["biases"].grad = by_biases
        self.numbers["psqt"].grad = by_psqt
        return float(value.detach())

    def _first(self, batch: Batch, table: Tensor) -> tuple[Any, Tensor, Tensor]:
        count = len(batch.stacks)
        # The same memory in every step: to ask for it anew costs more than to fill it.
        if len(self._sums) < count:
            self._sums = np.empty((count, 2 * WIDTH), np.float32)
        sums = self._sums[:count]
        products, material = self.torch.empty(count, WIDTH), self.torch.empty(count)
        _core.layer_forward(
            batch.features,
            batch.stacks,
            table.numpy(),
            self.numbers["biases"].detach().numpy(),
            self.numbers["psqt"].detach().numpy(),
            sums,
            products.numpy(),
            material.numpy(),
            self.threads,
        )
        return sums, products, material

    def _rest(self, batch: Batch, products: Tensor, material: Tensor) -> Tensor:
        numbers = self.numbers
        linear = self.torch.nn.functional.linear
        outputs = []
        for stack, part in enumerate(products.split(batch.counts)):
            weights = numbers["first_shared"] + numbers["first"][stack]
            first = linear(part, weights, numbers["first_biases"][stack])
            inner, straight = first[:, :SQUEEZED], first[:, SQUEEZED]
            squared = (inner * inner * _SQUARED).clamp(max=1.0)
            inputs = self.torch.cat([squared, inner.clamp(0.0, 1.0)], 1)
            second = linear(inputs, numbers["second"][stack], numbers["second_biases"][stack])
            last = second.clamp(0.0, 1.0) @ numbers["third"][stack]
            outputs.append(last + numbers["third_biases"][stack] + straight)
        return (self.torch.cat(outputs) + material) * SCORE

    def clip(self) -> None:
        """Keeps all numbers where the integers can follow."""
        with self.torch.no_grad():
            numbers = self.numbers
            most = MOST / WEIGHT
            total = numbers["first"] + numbers["first_shared"]
            numbers["first"] += total.clamp(-most, most) - total
            numbers["second"].clamp_(-most, most)
            numbers["third"].clamp_(-MOST / LAST_WEIGHT, MOST / LAST_WEIGHT)

    def folded(self) -> Mapping[str, npt.NDArray[np.float32]]:
        """All numbers as the network has them: what is shared is added to what it is shared by."""
        with self.torch.no_grad():
            numbers = self.numbers
            own = {
                "weights": self._table(),
                "first": numbers["first"] + numbers["first_shared"],
            }
            names = ("biases", "psqt", "first_biases", "second", "second_biases")
            rest = {name: numbers[name] for name in (*names, "third", "third_biases")}
            return {name: tensor.detach().numpy() for name, tensor in {**own, **rest}.items()}

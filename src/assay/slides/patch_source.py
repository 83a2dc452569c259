"""Pixels of patches, read from the slides when they are needed: memory is bounded by a budget, not by their number."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

Stack = NDArray[np.uint8]
Indices = NDArray[np.intp]

BUDGET = 1024**3
"""Bytes of pixels that are held at once."""


class PatchSource:
    """A row of patches that is indexed like an array. It keeps its pixels only where all of them fit the budget."""

    def __init__(self, read: Callable[[Indices], Stack], count: int, side: int, budget: int = BUDGET) -> None:
        self._read, self._count = read, count
        self.shape = (count, side, side, 3)
        self.at_once = max(1, budget // (side * side * 3))
        """Patches that fit the budget."""
        self._held: Stack | None = None

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, chosen: Indices) -> Stack:
        if self._count > self.at_once:
            return self._read(chosen)
        if self._held is None:
            self._held = self._read(np.arange(self._count))
        return self._held[chosen]


Inputs = NDArray[Any] | PatchSource
"""What a classifier learns from: features or pixels in memory, or pixels that are read as they are needed."""


def parts(order: Indices, inputs: Inputs, batch: int) -> Iterator[tuple[Indices, NDArray[Any]]]:
    """The inputs in this order, in parts that hold whole batches and fit the budget, or are one batch.

    Batches are those of an order that is gone through in one piece, so that a result does not depend on the budget.
    """
    held = inputs.at_once if isinstance(inputs, PatchSource) else len(inputs)
    step = max(held // batch, 1) * batch
    for start in range(0, len(order), step):
        chosen = order[start : start + step]
        yield chosen, inputs[chosen]

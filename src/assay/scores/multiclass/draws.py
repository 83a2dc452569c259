"""Random counts such as classifiers have them, to start a search from."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import permutations
from math import log

import numpy as np

from assay.scores.multiclass.domains import Integers
from assay.scores.multiclass.quantities import Quantity, Scope

_SPREADS = (0.02, 0.3)
"""How far the classifiers differ in their rates, from the least to the most."""
_TILT = 1.0
"""How unevenly wrong predictions fall on the other classes."""


def plausible_rate(quantities: Sequence[Quantity], classes: int, draw: np.random.Generator) -> float:
    """A share of correct items that one of the figures suggests."""
    quantity = quantities[int(draw.integers(len(quantities)))]
    ends = quantity.interval
    middle = float((ends.lo or 0) + (1 if ends.hi is None else ends.hi)) / 2
    if quantity.scope in (Scope.KAPPA, Scope.MCC):
        middle += (1 - middle) / classes
    return min(max(middle + float(draw.normal(0, 0.03)), 0.0), 1.0)


def plausible_counts(counts: Sequence[int], base: float, size: int, draw: np.random.Generator) -> Integers:
    """Correct and predicted counts of each class, for `size` classifiers around this rate of correct items."""
    k = len(counts)
    spread = np.exp(draw.uniform(log(_SPREADS[0]), log(_SPREADS[1]), size=(size, 1)))
    rates = np.clip(base + spread * (draw.normal(size=(size, 1)) + draw.normal(size=(size, k))), 0, 1)
    correct = draw.binomial(np.array(counts), rates)
    predicted = correct.copy()
    liking = np.exp(draw.normal(0, _TILT, size=(size, k)))
    for label, items in enumerate(counts):
        others = liking.copy()
        others[:, label] = 0
        predicted += draw.multinomial(items - correct[:, label], others / others.sum(axis=1, keepdims=True))
    return np.stack([correct.T, predicted.T])


def every_count(counts: Sequence[int]) -> Integers:
    """Correct and predicted counts of all matrices of two classes."""
    first, second = np.indices([items + 1 for items in counts]).reshape(2, -1)
    missed = counts[0] - first, counts[1] - second
    return np.array([[first, second], [first + missed[1], second + missed[0]]])


@cache
def item_moves(classes: int) -> Integers:
    """What it changes in the correct and the predicted counts that one item gets another prediction, in all ways."""
    found = []
    for old, new in permutations(range(classes), 2):
        predicted = np.zeros(classes, dtype=np.int64)
        predicted[old], predicted[new] = -1, 1
        for lost, won in ((0, 0), (1, 0), (0, 1)):  # an item of a third class, of the old one, of the new one
            correct = np.zeros(classes, dtype=np.int64)
            correct[old], correct[new] = -lost, won
            found.append([correct, predicted])
    return np.array(found).transpose(1, 2, 0)

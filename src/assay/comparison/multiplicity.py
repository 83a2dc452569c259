"""Many comparisons find something by luck: p-values corrected for their number."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from itertools import accumulate


class Correction(StrEnum):
    """What is kept below the level: the chance of any false alarm (Holm) or the share of them (Benjamini-Hochberg)."""

    HOLM = "holm"
    BENJAMINI_HOCHBERG = "bh"
    NONE = "none"

    @property
    def label(self) -> str:
        """The name for sentences and the heads of tables."""
        return {"holm": "Holm", "bh": "Benjamini-Hochberg", "none": "uncorrected"}[self.value]


def adjusted(p: Sequence[float], correction: Correction) -> list[float]:
    """The corrected p-values, in the order of the given ones."""
    order = sorted(range(len(p)), key=p.__getitem__)
    ascending = [p[i] for i in order]
    number = len(p)
    if correction is Correction.HOLM:
        raised = [(number - rank) * value for rank, value in enumerate(ascending)]
        corrected = list(accumulate(raised, max))
    elif correction is Correction.BENJAMINI_HOCHBERG:
        raised = [number / rank * value for rank, value in enumerate(ascending, 1)]
        corrected = list(accumulate(reversed(raised), min))[::-1]
    else:
        corrected = ascending
    out = [0.0] * number
    for i, value in zip(order, corrected, strict=True):
        out[i] = min(value, 1.0)
    return out

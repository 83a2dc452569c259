"""Many comparisons find something by luck: p-values corrected for their number."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from assay.statistics import benjamini_hochberg, holm


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
    if correction is Correction.HOLM:
        return holm(p)
    return benjamini_hochberg(p) if correction is Correction.BENJAMINI_HOCHBERG else list(p)

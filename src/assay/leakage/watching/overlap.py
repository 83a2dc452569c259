"""How many rows are among others, told apart from the copies that honest data hold."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay.leakage.watching.rows import Keys, Rows
from assay.leakage.watching.sketches import with_twins
from assay.records import dataclass
from assay.statistics import wilson

_MOSTLY_COPIES = 0.9
_LEVEL, _SURE = 0.95, 0.999
"""Of the intervals, where all rows are shared, and where some are: many models are asked, and chance strays in some."""
_TURN = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True)
class Overlap:
    """How far the rows that a model was asked about overlap with the rows that it learnt from."""

    rows: int
    shared: int
    """Rows whose content was learnt from."""
    same: int | None
    """Rows whose label was learnt from too; None where there are no labels."""
    learnt: int
    copies: int
    """Learnt rows that have a twin among the learnt rows."""
    identical: bool
    """Whether the rows are the learnt rows, all of them and no others."""

    @property
    def share(self) -> float:
        """The share of the rows that was learnt from."""
        return self.shared / self.rows if self.rows else 0.0

    @property
    def complete(self) -> bool:
        """Whether every row was learnt from."""
        return self.shared == self.rows

    @property
    def minor(self) -> bool:
        """Whether fewer than half of the rows were learnt from, and not all."""
        return not self.complete and self.share < 0.5

    @property
    def beyond_chance(self) -> bool:
        """Whether more rows are shared than copies in the data would explain.

        In rows drawn alike, a new row finds its twin among the learnt rows as often as a learnt row does.
        """
        if not self.shared:
            return False
        level = _LEVEL if self.complete else _SURE
        return wilson(self.shared, self.rows, level)[0] > wilson(self.copies, self.learnt, level)[1]

    @property
    def undecidable(self) -> bool:
        """Whether so many rows are alike that content does not tell one from another."""
        return self.learnt > 0 and self.copies / self.learnt > _MOSTLY_COPIES

    @property
    def other_labels(self) -> bool:
        """Whether labels say that the shared rows are others with the same content."""
        return self.same is not None and self.same < self.shared / 2


def overlap(rows: Rows, learnt: Rows) -> Overlap:
    """Hold rows against those learnt from."""
    ordered = np.sort(learnt.keys)
    same = None
    if rows.labels is not None and learnt.labels is not None:
        same = int(among(_labelled(rows), np.sort(_labelled(learnt))).sum())
    identical = len(rows) == len(learnt) > 0 and bool((np.sort(rows.keys) == ordered).all())
    shared = int(among(rows.keys, ordered).sum())
    return Overlap(len(rows), shared, same, len(learnt), with_twins(ordered), identical)


def among(keys: Keys, ordered: Keys) -> NDArray[np.bool_]:
    """Which keys are among the others, which are sorted; `numpy.isin` takes ten times as long."""
    if not len(ordered):
        return np.zeros(len(keys), dtype=np.bool_)
    at = np.minimum(np.searchsorted(ordered, keys), len(ordered) - 1)
    return np.asarray(ordered[at] == keys)


def _labelled(rows: Rows) -> Keys:
    return rows.keys if rows.labels is None else rows.keys ^ (rows.labels * _TURN)

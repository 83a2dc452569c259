"""The measures, each for many weightings of the same predictions at once.

A resample of patients is nothing but a weight for each of them, so every measure takes a column of weights for
each resample, with a row for each patient or, where few things are weighed, for each of these; the estimate itself is
the column of ones. What is undefined (no positives, say) is not a number.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from assay.records import dataclass
from assay.slides.evaluation.lesions import Hits
from assay.slides.evaluation.predictions import STAGES

if TYPE_CHECKING:
    from assay.slides.evaluation.tables import Bools, Floats

    Ints = np.ndarray[tuple[int], np.dtype[np.int64]]
    Weights = np.ndarray[tuple[int, int], np.dtype[np.float64]]

FALSE_POSITIVES = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
"""False positives per slide at which the challenge reads the sensitivity."""

Order = Literal["clinical", "alphabetical"]
Distance = Literal["quadratic", "none"]
Denominator = Literal["all", "with detections"]


@dataclass(frozen=True, slots=True)
class Conventions:
    """Choices of reporting that change a number at identical predictions; the defaults are the challenges' rules."""

    kappa_order: Order = "clinical"
    kappa_weights: Distance = "quadratic"
    froc_slides: Denominator = "all"


def shares(positive: Bools, called: Bools, patient: Ints, weights: Weights) -> dict[str, Floats]:
    """Accuracy, recall, specificity and precision of a yes-or-no call about rows that belong to patients."""

    def total(which: Bools) -> Floats:
        many: Floats = np.bincount(patient[which], minlength=len(weights)).astype(np.float64) @ weights
        return many

    tp, fn = total(positive & called), total(positive & ~called)
    fp, tn = total(~positive & called), total(~positive & ~called)
    return {
        "accuracy": divided(tp + tn, tp + tn + fp + fn),
        "recall": divided(tp, tp + fn),
        "specificity": divided(tn, tn + fp),
        "precision": divided(tp, tp + fp),
    }


def auc(positive: Bools, score: Floats, weights: Weights) -> Floats:
    """Area under the ROC curve; ties count half."""
    order = np.argsort(score, kind="stable")
    starts = np.flatnonzero(np.r_[True, np.diff(score[order]) != 0])
    yes = np.add.reduceat(weights[order] * positive[order, None], starts, axis=0)
    no = np.add.reduceat(weights[order] * ~positive[order, None], starts, axis=0)
    below = np.cumsum(no, axis=0)
    pairs = (yes * (below - no / 2)).sum(axis=0)
    return divided(pairs, yes.sum(axis=0) * below[-1])


@dataclass(frozen=True)
class Precision:
    """How many rows have at least each score that a positive has, tallied by patient.

    Only these scores matter for average precision, and there are few positives among a million patches: so a
    thousand resamples take a second.
    """

    gained: Weights
    """Positives at the score: a row for each score from the highest down, a column for each patient."""
    true: Weights
    """Positives at the score or above."""
    called: Weights
    """Everything at the score or above."""

    @classmethod
    def of(cls, positive: Bools, score: Floats, patient: Ints, patients: int) -> Precision:
        """The tallies of rows that belong to so many patients."""
        marks = -np.unique(-score[positive])

        def tally(which: Bools) -> Weights:
            first = np.searchsorted(-marks, -score[which])
            counted = first < marks.size
            cells = first[counted] * patients + patient[which][counted]
            return np.bincount(cells, minlength=marks.size * patients).reshape(marks.size, patients).astype(np.float64)

        gained = tally(positive)
        return cls(gained, np.cumsum(gained, axis=0), np.cumsum(tally(np.ones_like(positive)), axis=0))

    def average(self, weights: Weights) -> Floats:
        """Average precision: the precision at each score, weighted by the recall that it adds."""
        if not len(self.gained):
            return np.full(weights.shape[1], np.nan)
        true, called = self.true @ weights, self.called @ weights
        precision = np.divide(true, called, out=np.zeros_like(true), where=called > 0)
        return divided((self.gained @ weights * precision).sum(axis=0), true[-1])


def roc(positive: Bools, score: Floats, weights: Weights, rates: Sequence[float]) -> Weights:
    """The sensitivity at each rate of false positives (a row each), on the line between the points of the curve."""
    order = np.argsort(-score, kind="stable")
    ends = np.flatnonzero(np.r_[np.diff(score[order]) != 0, True])
    yes = np.cumsum(weights[order] * positive[order, None], axis=0)[ends]
    no = np.cumsum(weights[order] * ~positive[order, None], axis=0)[ends]
    points = np.full((len(rates), weights.shape[1]), np.nan)
    for column in np.flatnonzero((yes[-1] > 0) & (no[-1] > 0)):
        false, true = np.r_[0.0, no[:, column] / no[-1, column]], np.r_[0.0, yes[:, column] / yes[-1, column]]
        points[:, column] = np.interp(rates, false, true)
    return points


def froc(
    hits: Sequence[Hits],
    weights: Weights,
    slides: Denominator = "all",
    rates: Sequence[float] = FALSE_POSITIVES,
) -> tuple[Floats, Weights]:
    """The mean sensitivity at the challenge's six rates of false positives, and the six (a row each).

    Between the points of the curve the sensitivity is interpolated, as in the challenge's own program. That program
    skips the lowest score when every lesion is found; here no score is skipped.
    """
    kept = np.array([slides == "all" or one.detections > 0 for one in hits], dtype=bool)
    used = weights * kept[:, None]
    lesions = np.array([one.lesions for one in hits], dtype=np.float64)
    to_find, looked_at = lesions @ used, used.sum(axis=0)
    true, false = _found_and_false(hits, used)
    points = np.empty((len(rates), weights.shape[1]))
    for column in range(weights.shape[1]):
        if not to_find[column] or not looked_at[column]:
            points[:, column] = np.nan
            continue
        rate = np.r_[0.0, false[:, column] / looked_at[column]]
        points[:, column] = np.interp(rates, rate, np.r_[0.0, true[:, column] / to_find[column]])
    return points.mean(axis=0), points


def _found_and_false(hits: Sequence[Hits], weights: Weights) -> tuple[Weights, Weights]:
    """Lesions found and false positives at each score or above, a row for each score from the highest down."""
    scores = np.array([score for one in hits for score in (*one.found, *one.false)])
    lengths = [length for one in hits for length in (len(one.found), len(one.false))]
    found = np.repeat(np.tile([True, False], len(hits)), lengths)
    slide = np.repeat(np.arange(len(hits)), [len(one.found) + len(one.false) for one in hits])
    order = np.argsort(-scores, kind="stable")
    ends = np.flatnonzero(np.r_[np.diff(scores[order]) != 0, True]) if scores.size else np.zeros(0, dtype=np.int64)
    drawn, is_found = weights[slide[order]], found[order][:, None]
    return np.cumsum(drawn * is_found, axis=0)[ends], np.cumsum(drawn * ~is_found, axis=0)[ends]


def kappa(stages: Sequence[str], predicted: Sequence[str], weights: Weights, how: Conventions | None = None) -> Floats:
    """Cohen's kappa of two lists of stages, disagreements weighing by the square of their distance in the order."""
    how = how or Conventions()
    order = STAGES if how.kappa_order == "clinical" else tuple(sorted(STAGES))
    rows = np.array([[stage == one for one in order] for stage in stages], dtype=np.float64)
    columns = np.array([[stage == one for one in order] for stage in predicted], dtype=np.float64)
    observed = np.einsum("pi,pj,pb->bij", rows, columns, weights)
    place = np.arange(len(order))
    apart = (place[:, None] - place) ** 2 if how.kappa_weights == "quadratic" else place[:, None] != place
    return weighted_kappa(observed, apart)


def weighted_kappa(
    observed: np.ndarray[tuple[int, int, int], np.dtype[np.float64]],
    apart: NDArray[np.float64] | NDArray[np.int64] | NDArray[np.bool_],
) -> Floats:
    """Cohen's kappa of each confusion table, disagreements weighing as `apart` says."""
    total = observed.sum(axis=(1, 2))
    expected = observed.sum(axis=2)[:, :, None] * observed.sum(axis=1)[:, None, :]
    seen, by_chance = (observed * apart).sum(axis=(1, 2)) * total, (expected * apart).sum(axis=(1, 2))
    agreement: Floats = 1 - divided(seen, by_chance)
    return agreement


def divided(above: Floats, below: Floats) -> Floats:
    """Not a number where the measure is undefined."""
    quotient: Floats = np.divide(above, below, out=np.full(above.shape, np.nan), where=below > 0)
    return quotient

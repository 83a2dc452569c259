"""Measures of classes, grades and masks, each for many weightings of patients at once (see `measures`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assay.records import dataclass
from assay.slides.evaluation.measures import divided, weighted_kappa

if TYPE_CHECKING:
    from assay.slides.evaluation.measures import Ints, Weights
    from assay.slides.evaluation.tables import Bools, Floats

    Tables = np.ndarray[tuple[int, int, int], np.dtype[np.float64]]

BINS = 10
"""Equal bins of the calibration error, as in scikit-learn's calibration curve."""


@dataclass(frozen=True)
class Tally:
    """Numbers of cases, summed by patient, so that a resample of patients is one product of matrices."""

    by_patient: Weights
    """A row for each number, a column for each patient."""

    @classmethod
    def sums(cls, numbers: Weights, place: Ints, patients: int) -> Tally:
        """Sum the columns of `numbers` (a row for each case) over the cases of each patient."""
        out = np.zeros((patients, numbers.shape[1]))
        np.add.at(out, place, numbers)
        return cls(out.T)

    def weighted(self, weights: Weights) -> Weights:
        """The sums in each resample: a row for each number."""
        total: Weights = self.by_patient @ weights
        return total


def confusion_tally(truth: Ints, predicted: Ints, classes: int, place: Ints, patients: int) -> Tally:
    """How many cases of each class (rows) are predicted as each class (columns)."""
    return Tally.sums(np.eye(classes * classes)[truth * classes + predicted], place, patients)


def confusion_tables(tally: Tally, classes: int, weights: Weights) -> Tables:
    """The confusion table of each resample."""
    tables: Tables = tally.weighted(weights).T.reshape(-1, classes, classes)
    return tables


def class_measures(tables: Tables) -> dict[str, Floats]:
    """Accuracy, balanced accuracy, macro F1 and Cohen's kappa.

    Balanced accuracy averages over the classes that occur in the truth, F1 over those that occur in truth or
    prediction, as scikit-learn does.
    """
    right = np.diagonal(tables, axis1=1, axis2=2)
    truth, called = tables.sum(axis=2), tables.sum(axis=1)
    size = tables.shape[1]
    return {
        "accuracy": divided(right.sum(axis=1), truth.sum(axis=1)),
        "balanced_accuracy": _mean_defined(divided(right, truth)),
        "macro_f1": _mean_defined(divided(2 * right, truth + called)),
        "kappa": weighted_kappa(tables, 1 - np.eye(size)),
    }


def grade_measures(tables: Tables) -> dict[str, Floats]:
    """Quadratic kappa first; then how often the grade is right, or wrong by at most one."""
    place = np.arange(tables.shape[1])
    apart = np.abs(place[:, None] - place)
    total = tables.sum(axis=(1, 2))
    return {
        "quadratic_kappa": weighted_kappa(tables, apart**2),
        "accuracy": divided((tables * (apart == 0)).sum(axis=(1, 2)), total),
        "within_one_grade": divided((tables * (apart <= 1)).sum(axis=(1, 2)), total),
        "mean_grade_error": divided((tables * apart).sum(axis=(1, 2)), total),
    }


def calibration_tally(right: Bools, confidence: Floats, place: Ints, patients: int) -> Tally:
    """Squared error, number of cases, and for each bin the sum of confidence less success."""
    bins = np.searchsorted(np.linspace(0, 1, BINS + 1)[1:-1], confidence)
    gap = np.eye(BINS)[bins] * (confidence - right)[:, None]
    squared = (confidence - right) ** 2
    return Tally.sums(np.column_stack([squared, np.ones_like(squared), gap]), place, patients)


def calibration_measures(tally: Tally, weights: Weights) -> dict[str, Floats]:
    """Brier score and expected calibration error of a probability of success."""
    squared, count, *gaps = tally.weighted(weights)
    return {
        "brier": divided(squared, count),
        "calibration_error": divided(np.abs(np.array(gaps)).sum(axis=0), count),
    }


def overlap_tally(overlaps: Sequence[tuple[int, int, int]], place: Ints, patients: int) -> Tally:
    """Pixels in both masks, in the reference and in the prediction; then Dice, IoU and the count of defined images."""
    both, reference, predicted = np.array(overlaps, dtype=np.float64).T
    marked = reference + predicted
    dice = np.nan_to_num(divided(2 * both, marked))
    iou = np.nan_to_num(divided(both, marked - both))
    return Tally.sums(np.column_stack([both, marked, dice, iou, marked > 0]), place, patients)


def overlap_measures(tally: Tally, weights: Weights) -> dict[str, Floats]:
    """Dice and IoU: the mean over images, and once more over all pixels pooled."""
    both, marked, dice, iou, images = tally.weighted(weights)
    return {
        "dice_per_image": divided(dice, images),
        "iou_per_image": divided(iou, images),
        "dice_pooled": divided(2 * both, marked),
        "iou_pooled": divided(both, marked - both),
    }


def _mean_defined(values: NDArray[np.float64]) -> Floats:
    """The mean of each row over what is defined in it."""
    defined = ~np.isnan(values)
    return divided(np.where(defined, values, 0).sum(axis=1), defined.sum(axis=1).astype(np.float64))

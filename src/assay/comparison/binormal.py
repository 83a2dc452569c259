"""The binormal smooth of an ROC curve, as the R package pROC fits it.

Robin et al. (2011, BMC Bioinformatics 12:77) regress the probits of specificity on those of sensitivity
over all points of the empirical curve where both are finite. Under the fitted line the area has a closed
form, Φ(a / √(1 + b²)), so no curve needs to be drawn. The direction of the regression matters: the
other way round gives another area.
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr, ndtri

from assay.comparison.arrays import Floats
from assay.comparison.curves import Counts, Steps


def smoothed_line(steps: Steps) -> tuple[Floats, Floats]:
    """Intercept and slope of the fitted line for each resample; nan where there are too few points for one."""
    positives, negatives = steps.positives, steps.negatives
    present = np.ones_like(positives, dtype=bool)  # a value that was not drawn makes no point of the curve
    present[1:] = (positives[1:] != positives[:-1]) | (negatives[1:] != negatives[:-1])
    present &= (positives > 0) & (positives < positives[-1]) & (negatives > 0) & (negatives < negatives[-1])
    sensitivity = -_probits(positives) * present
    specificity = _probits(negatives) * present
    count = np.count_nonzero(present, axis=0).astype(np.float64)
    total_x, total_y = sensitivity.sum(axis=0), specificity.sum(axis=0)
    squares = np.einsum("ij,ij->j", sensitivity, sensitivity)
    products = np.einsum("ij,ij->j", sensitivity, specificity)
    spread = count * squares - total_x**2
    enough = (count > 1) & (spread > 1e-9 * np.maximum(count * squares, 1e-300))
    with np.errstate(invalid="ignore", divide="ignore"):
        slope = np.where(enough, (count * products - total_x * total_y) / spread, np.nan)
        intercept = (total_y - slope * total_x) / count
    return intercept, slope


def smoothed_auc(steps: Steps) -> Floats:
    """The area under the smoothed curve of each resample; nan where it cannot be smoothed."""
    intercept, slope = smoothed_line(steps)
    area: Floats = ndtr(intercept / np.sqrt(1 + slope**2))
    return area


def _probits(counts: Counts) -> Floats:
    """The probit of each count's share of the column's total; 0 where it would be infinite."""
    totals = counts[-1]
    if (totals == totals[0]).all():  # stratified resamples: every share is one of few, looked up
        table = np.zeros(int(totals[0]) + 1)
        table[1:-1] = ndtri(np.arange(1, table.size - 1) / totals[0])
        looked_up: Floats = np.take(table, counts.T).T
        return looked_up
    halves = np.full_like(counts, 0.5, dtype=np.float64)
    probits: Floats = ndtri(np.divide(counts, totals, out=halves, where=totals > 0))
    probits[np.isinf(probits)] = 0.0
    return probits

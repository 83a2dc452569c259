"""Decision curves: what acting on a model's probabilities is worth, by the probability at which one acts.

Vickers & Elkin, Decision curve analysis, Medical Decision Making 26 (2006): the net benefit at a threshold t counts
true positives, less false positives weighted by t/(1-t), the odds at which one is indifferent.
"""

from __future__ import annotations

import numpy as np

from assay.comparison.arrays import Bools, Floats
from assay.records import dataclass

GRID = np.round(np.arange(0.01, 0.991, 0.01), 2)


@dataclass(frozen=True, eq=False)
class DecisionCurve:
    """The net benefit of one model at each threshold of the grid."""

    model: str
    benefit: Floats


def net_benefit(y: Bools, p: Floats, thresholds: Floats) -> Floats:
    """The net benefit of treating the rows whose probability is at least the threshold."""
    order = np.argsort(p, kind="stable")
    first = np.searchsorted(p[order], thresholds, side="left")
    caught = np.append(np.cumsum(y[order][::-1])[::-1], 0)[first]
    treated = p.size - first
    benefit: Floats = (caught - (treated - caught) * thresholds / (1 - thresholds)) / p.size
    return benefit


def treat_all(y: Bools, thresholds: Floats) -> Floats:
    """The net benefit of treating every row."""
    share = float(y.mean())
    benefit: Floats = share - (1 - share) * thresholds / (1 - thresholds)
    return benefit


def decision_curve(model: str, y: Bools, p: Floats) -> DecisionCurve:
    """The curve of one model."""
    return DecisionCurve(model, net_benefit(y, p, GRID))

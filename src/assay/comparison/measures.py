"""The scores that are compared, each defined once.

Those of a ranking come from the curve, the others from sums over rows: of squared errors, of logarithms,
or of the four counts of the confusion matrix at a threshold. Sums over rows make resampling a product
of two matrices.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any

from assay.errors import InputError, suggestion
from assay.records import dataclass


class Task(StrEnum):
    """What kind of outcome is predicted."""

    BINARY = "binary"
    CLASSES = "classes"
    NUMBERS = "numbers"


class Kind(StrEnum):
    """What a score asks of a model's output."""

    RANKING = "ranking"
    """An order of the rows is enough."""
    PROBABILITY = "probability"
    """Numbers from 0 to 1 that are meant as probabilities."""
    THRESHOLD = "threshold"
    """A threshold from which on a row is called positive."""
    CLASS = "class"
    """One of several classes for each row."""
    CLASS_PROBABILITY = "class probability"
    """A probability for each of several classes."""
    NUMBER = "number"
    """A number for each row, of the same kind as the outcome."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A score: its short name, its name in sentences, and whether more of it is better."""

    name: str
    label: str
    kind: Kind
    larger_is_better: bool = True
    ratio: Callable[[Any, Any, Any, Any], Any] | None = None
    """Of true positives, false negatives, false positives and true negatives; for those with a threshold."""
    share: Callable[[Any, Any, Any, Any], tuple[Any, Any]] | None = None
    """The same as how many of how many, for those that count rows."""

    def at(self, tp: Any, fn: Any, fp: Any, tn: Any) -> Any:
        """The score of these counts, each a number or an array; for those with a threshold."""
        if self.share:
            hits, of = self.share(tp, fn, fp, tn)
            return hits / of
        return self.ratio(tp, fn, fp, tn) if self.ratio else None

    @property
    def sign(self) -> int:
        """1 where more is better, -1 where less is."""
        return 1 if self.larger_is_better else -1


def _mcc(tp: Any, fn: Any, fp: Any, tn: Any) -> Any:
    return (tp * tn - fp * fn) / ((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)) ** 0.5


def _kappa(tp: Any, fn: Any, fp: Any, tn: Any) -> Any:
    return 2 * (tp * tn - fp * fn) / ((tp + fp) * (fp + tn) + (tp + fn) * (fn + tn))


_SHARES: tuple[tuple[str, str, Callable[[Any, Any, Any, Any], tuple[Any, Any]]], ...] = (
    ("acc", "accuracy", lambda tp, fn, fp, tn: (tp + tn, tp + fn + fp + tn)),
    ("sens", "sensitivity", lambda tp, fn, fp, tn: (tp, tp + fn)),  # noqa: ARG005 - all take the same four counts
    ("spec", "specificity", lambda tp, fn, fp, tn: (tn, tn + fp)),  # noqa: ARG005 - as above
    ("ppv", "precision", lambda tp, fn, fp, tn: (tp, tp + fp)),  # noqa: ARG005 - as above
    ("npv", "negative predictive value", lambda tp, fn, fp, tn: (tn, tn + fn)),  # noqa: ARG005 - as above
)
"""Shares of rows: how many of how many."""
_OTHERS: tuple[tuple[str, str, Callable[[Any, Any, Any, Any], Any]], ...] = (
    ("bacc", "balanced accuracy", lambda tp, fn, fp, tn: (tp / (tp + fn) + tn / (tn + fp)) / 2),
    ("f1", "F1", lambda tp, fn, fp, tn: 2 * tp / (2 * tp + fp + fn)),  # noqa: ARG005 - as above
    ("mcc", "Matthews correlation", _mcc),
    ("kappa", "Cohen's kappa", _kappa),
)
AUC, SMOOTH_AUC, AP, BRIER, LOG_LOSS, ACCURACY = "auc", "auc_smooth", "ap", "brier", "logloss", "acc"

MEASURES = {
    measure.name: measure
    for measure in (
        Measure(AUC, "AUC", Kind.RANKING),
        Measure(SMOOTH_AUC, "smoothed AUC", Kind.RANKING),
        Measure(AP, "average precision", Kind.RANKING),
        Measure(BRIER, "Brier score", Kind.PROBABILITY, larger_is_better=False),
        Measure(LOG_LOSS, "log-loss", Kind.PROBABILITY, larger_is_better=False),
        *(Measure(name, label, Kind.THRESHOLD, share=share) for name, label, share in _SHARES),
        *(Measure(name, label, Kind.THRESHOLD, ratio=ratio) for name, label, ratio in _OTHERS),
    )
}
"""Every score that can be compared, by its short name."""

USUAL = (AUC, SMOOTH_AUC, AP, BRIER, LOG_LOSS, ACCURACY, "sens", "spec", "ppv", "f1", "mcc")
"""Those that are shown when none are asked for."""
TESTED = (AUC, SMOOTH_AUC, AP, BRIER, LOG_LOSS)
"""Those whose differences are then tested by the bootstrap; accuracy has McNemar's test."""


def measure(name: str) -> Measure:
    """The score with this name; an unknown one is an error that names the nearest."""
    try:
        return MEASURES[name.strip().lower()]
    except KeyError:
        fix = suggestion(name, MEASURES) or f"Known are {', '.join(MEASURES)}."
        raise InputError(f'there is no score "{name}"', fix=fix) from None

"""Averages of a score over both classes, as library functions offer them, written as scores of one matrix."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from assay.records import dataclass
from assay.scores.definitions import SCORES, Ratio, Score

Weights = Callable[[int, int], tuple[int, int]]
"""(p, n) → the weights of the positive and the negative class."""


def class_average(score: Score, weights: Weights, manner: str) -> Score:
    """The mean of a score over both classes, each taken for the positive one in turn, as a row like any other.

    Where the score of one class is 0/0, libraries put 0 or 1 in its place and average on.
    """

    def mean(tp: int, fn: int, fp: int, tn: int) -> tuple[int, int]:
        (a, b), (c, d) = score.ratio(tp, fn, fp, tn), score.ratio(tn, fp, fn, tp)
        u, v = weights(tp + fn, fp + tn)
        return u * a * d + v * c * b, (u + v) * b * d

    def without_positive(value: int) -> Ratio:
        def ratio(tp: int, fn: int, fp: int, tn: int) -> tuple[int, int]:
            c, d = score.ratio(tn, fp, fn, tp)
            u, v = weights(tp + fn, fp + tn)
            return u * value * d + v * c, (u + v) * d

        return ratio

    def without_negative(value: int) -> Ratio:
        def ratio(tp: int, fn: int, fp: int, tn: int) -> tuple[int, int]:
            a, b = score.ratio(tp, fn, fp, tn)
            u, v = weights(tp + fn, fp + tn)
            return u * a + v * value * b, (u + v) * b

        return ratio

    return Score(
        f"{score.name}_{manner}",
        f"{manner} {score.label}",
        f"mean over both classes of {score.formula}",
        mean,
        affine=score.name == "spec",
        undefined_as=(without_positive(0), without_negative(0), without_positive(1), without_negative(1)),
    )


def _equal(_p: int, _n: int) -> tuple[int, int]:
    return 1, 1


def _by_size(p: int, n: int) -> tuple[int, int]:
    return p, n


@dataclass(frozen=True, slots=True)
class ClassAverage:
    """A way to average over the classes, and what it turns each score of the positive class into."""

    name: str
    manner: str
    scores: Mapping[str, Score]


_ACC, _BACC = SCORES["acc"], SCORES["bacc"]

CLASS_AVERAGES = (
    ClassAverage(
        "weighted average",
        "weighted by their sizes",
        {"sens": _ACC} | {name: class_average(SCORES[name], _by_size, "weighted") for name in ("spec", "ppv", "f1")},
    ),
    ClassAverage(
        "macro average",
        "with equal weights",
        {"sens": _BACC, "spec": _BACC} | {name: class_average(SCORES[name], _equal, "macro") for name in ("ppv", "f1")},
    ),
    ClassAverage(
        "micro average",
        "by pooling their decisions",
        dict.fromkeys(("sens", "spec", "ppv", "f1"), _ACC),
    ),
)
"""For two classes the weighted recall is the accuracy, and so is every micro average."""

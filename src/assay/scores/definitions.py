"""The scores of a binary confusion matrix: one declarative table.

Adding a score is adding a row. A row gives the numerator and denominator as integers computed from
(tp, fn, fp, tn); everything else about the score follows from them or is said beside them. The
claims of a row (monotonicity, linearity, domain) are checked by property tests.

The definitions are the standard ones, as in Fazekas & Kovács, "Testing the consistency of
performance scores reported for binary classification problems", section 2.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum
from fractions import Fraction
from functools import cache, lru_cache
from typing import NamedTuple

from assay.errors import InputError, suggestion
from assay.patterns import regex
from assay.records import dataclass
from assay.scores.exact import INFINITY, Exact, InverseRoot, Root, decimal

Ratio = Callable[[int, int, int, int], tuple[int, int]]
"""(tp, fn, fp, tn) → (numerator, denominator); the denominator is never negative."""


class Matrix(NamedTuple):
    """A binary confusion matrix."""

    tp: int
    fn: int
    fp: int
    tn: int

    @property
    def p(self) -> int:
        """Positives in the test set."""
        return self.tp + self.fn

    @property
    def n(self) -> int:
        """Negatives in the test set."""
        return self.fp + self.tn


class Shape(StrEnum):
    """How a score's value comes from its ratio r."""

    RATIO = "r"
    ROOT = "sign(r)·√|r|"
    INVERSE_ROOT = "1/(1+√r)"


def _zero(tp: int, fn: int, fp: int, tn: int) -> tuple[int, int]:
    return 0, 1


def _one(tp: int, fn: int, fp: int, tn: int) -> tuple[int, int]:
    return 1, 1


def _minus_one(tp: int, fn: int, fp: int, tn: int) -> tuple[int, int]:
    return -1, 1


def _recall_of_the_class_present(tp: int, fn: int, fp: int, tn: int) -> tuple[int, int]:
    """scikit-learn's balanced accuracy averages over the classes that occur."""
    return (tn, fp + tn) if tp + fn == 0 else (tp, tp + fn)


@dataclass(frozen=True, slots=True)
class Score:
    """One score. `rises` holds the direction in tp and in tn (for p and n fixed): 1, -1, or 0 for constant.

    `affine` says that numerator and denominator are affine in (tp, tn), so that a reported interval is
    a pair of half-planes. `undefined_as` lists what libraries and authors print where the score is 0/0.
    """

    name: str
    label: str
    formula: str
    ratio: Ratio
    synonyms: tuple[str, ...] = ()
    shape: Shape = Shape.RATIO
    affine: bool = True
    rises: tuple[int, int] = (1, 1)
    low: Fraction | None = Fraction(0)
    high: Fraction | None = Fraction(1)
    undefined_as: tuple[Ratio, ...] = (_zero, _one)

    @property
    def whole(self) -> bool:
        """Whether the score is a count."""
        return self.name in COUNTS

    def __reduce__(self) -> tuple[object, ...]:
        """Across processes a score travels by its name: its functions cannot."""
        return (_score_named, (self.name,))

    def value(self, matrix: Matrix) -> Exact | None:
        """The exact value, or None where it is 0/0."""
        return self.of_ratio(*self.ratio(*matrix))

    def of_ratio(self, numerator: int, denominator: int) -> Exact | None:
        """The value whose ratio is numerator / denominator."""
        if denominator == 0:
            if numerator == 0:
                return None
            return Fraction(0) if self.shape is Shape.INVERSE_ROOT else INFINITY
        ratio = Fraction(numerator, denominator)
        if self.shape is Shape.ROOT:
            return Root((ratio > 0) - (ratio < 0), abs(ratio))
        if self.shape is Shape.INVERSE_ROOT:
            return InverseRoot(ratio)
        return ratio


_ANY_SIGN = (_zero, _one, _minus_one)
_MINUS_ONE = Fraction(-1)


def _mcc(tp: int, fn: int, fp: int, tn: int) -> tuple[int, int]:
    covariance = tp * tn - fp * fn
    return covariance * abs(covariance), (tp + fn) * (fp + tn) * (tp + fp) * (tn + fn)


_TABLE = (
    Score(
        "acc",
        "accuracy",
        "(tp + tn) / (p + n)",
        lambda tp, fn, fp, tn: (tp + tn, tp + fn + fp + tn),
        ("accuracy", "rand_accuracy", "correct_rate", "overall_accuracy", "oa", "ca", "classification_accuracy"),
    ),
    Score(
        "sens",
        "sensitivity",
        "tp / p",
        lambda tp, fn, fp, tn: (tp, tp + fn),
        ("sensitivity", "recall", "rec", "tpr", "true_positive_rate", "hit_rate", "se", "sn", "detection_rate"),
        rises=(1, 0),
    ),
    Score(
        "spec",
        "specificity",
        "tn / n",
        lambda tp, fn, fp, tn: (tn, fp + tn),
        ("specificity", "tnr", "true_negative_rate", "selectivity", "sp"),
        rises=(0, 1),
    ),
    Score(
        "ppv",
        "positive predictive value",
        "tp / (tp + fp)",
        lambda tp, fn, fp, tn: (tp, tp + fp),
        ("positive_predictive_value", "precision", "prec"),
    ),
    Score(
        "npv",
        "negative predictive value",
        "tn / (tn + fn)",
        lambda tp, fn, fp, tn: (tn, tn + fn),
        ("negative_predictive_value",),
    ),
    Score(
        "f1",
        "F1",
        "2·tp / (2·tp + fp + fn)",
        lambda tp, fn, fp, tn: (2 * tp, 2 * tp + fp + fn),
        ("f1p", "f1_score", "f_measure", "f_score", "dice", "dsc", "dice_coefficient", "sorensen_dice", "dc"),
    ),
    Score(
        "f1n",
        "F1 of the negative class",
        "2·tn / (2·tn + fp + fn)",
        lambda tp, fn, fp, tn: (2 * tn, 2 * tn + fp + fn),
        ("f1_negative", "f1_minus"),
    ),
    Score(
        "bacc",
        "balanced accuracy",
        "(tp/p + tn/n) / 2",
        lambda tp, fn, fp, tn: (tp * (fp + tn) + tn * (tp + fn), 2 * (tp + fn) * (fp + tn)),
        ("balanced_accuracy", "ba", "bac", "mean_recall", "average_class_accuracy"),
        undefined_as=(_recall_of_the_class_present, _zero, _one),
    ),
    Score(
        "bm",
        "informedness",
        "tp/p + tn/n - 1",
        lambda tp, fn, fp, tn: (tp * tn - fp * fn, (tp + fn) * (fp + tn)),
        ("informedness", "bookmaker_informedness", "youden", "youden_j", "youdens_j", "youden_index", "delta_p"),
        low=_MINUS_ONE,
        undefined_as=_ANY_SIGN,
    ),
    Score(
        "mk",
        "markedness",
        "tp/(tp + fp) + tn/(tn + fn) - 1",
        lambda tp, fn, fp, tn: (tp * tn - fp * fn, (tp + fp) * (tn + fn)),
        ("markedness",),
        affine=False,
        low=_MINUS_ONE,
        undefined_as=_ANY_SIGN,
    ),
    Score(
        "mcc",
        "Matthews correlation coefficient",
        "(tp·tn - fp·fn) / √(p·n·(tp + fp)·(tn + fn))",
        _mcc,
        ("matthews", "matthews_correlation", "matthews_correlation_coefficient", "phi", "phi_coefficient"),
        shape=Shape.ROOT,
        affine=False,
        low=_MINUS_ONE,
        undefined_as=_ANY_SIGN,
    ),
    Score(
        "kappa",
        "Cohen's kappa",
        "2·(tp·tn - fp·fn) / ((tp + fp)·n + (tn + fn)·p)",
        lambda tp, fn, fp, tn: (2 * (tp * tn - fp * fn), (tp + fp) * (fp + tn) + (tn + fn) * (tp + fn)),
        ("cohen_kappa", "cohens_kappa", "cohen"),
        low=_MINUS_ONE,
        undefined_as=_ANY_SIGN,
    ),
    Score(
        "fm",
        "Fowlkes-Mallows index",
        "√(tp/p · tp/(tp + fp))",
        lambda tp, fn, fp, tn: (tp * tp, (tp + fn) * (tp + fp)),
        ("fowlkes_mallows", "fowlkes_mallows_index", "fmi"),
        shape=Shape.ROOT,
        affine=False,
    ),
    Score(
        "gm",
        "geometric mean of sensitivity and specificity",
        "√(tp/p · tn/n)",
        lambda tp, fn, fp, tn: (tp * tn, (tp + fn) * (fp + tn)),
        ("gmean", "g_mean", "geometric_mean"),
        shape=Shape.ROOT,
        affine=False,
    ),
    Score(
        "ji",
        "Jaccard index",
        "tp / (tp + fp + fn)",
        lambda tp, fn, fp, tn: (tp, tp + fp + fn),
        ("jaccard", "jaccard_index", "iou", "intersection_over_union", "csi", "threat_score", "critical_success_index"),
    ),
    Score(
        "lrp",
        "positive likelihood ratio",
        "(tp/p) / (fp/n)",
        lambda tp, fn, fp, tn: (tp * (fp + tn), fp * (tp + fn)),
        ("lr+", "plr", "positive_likelihood_ratio"),
        high=None,
    ),
    Score(
        "lrn",
        "negative likelihood ratio",
        "(fn/p) / (tn/n)",
        lambda tp, fn, fp, tn: (fn * (fp + tn), tn * (tp + fn)),
        ("lr-", "nlr", "negative_likelihood_ratio"),
        rises=(-1, -1),
        high=None,
    ),
    Score(
        "dor",
        "diagnostic odds ratio",
        "tp·tn / (fp·fn)",
        lambda tp, fn, fp, tn: (tp * tn, fp * fn),
        ("diagnostic_odds_ratio", "odds_ratio"),
        affine=False,
        high=None,
    ),
    Score(
        "pt",
        "prevalence threshold",
        "√(fp/n) / (√(tp/p) + √(fp/n))",
        lambda tp, fn, fp, tn: (tp * (fp + tn), fp * (tp + fn)),
        ("prevalence_threshold",),
        shape=Shape.INVERSE_ROOT,
        rises=(-1, -1),
    ),
    Score(
        "upm",
        "unified performance measure",
        "4·tp·tn / (4·tp·tn + (tp + tn)·(fp + fn))",
        lambda tp, fn, fp, tn: (4 * tp * tn, 4 * tp * tn + (tp + tn) * (fp + fn)),
        ("p4", "unified_performance_measure"),
        affine=False,
    ),
    Score(
        "prevalence",
        "prevalence",
        "p / (p + n)",
        lambda tp, fn, fp, tn: (tp + fn, tp + fn + fp + tn),
        ("prev", "positive_share"),
        rises=(0, 0),
    ),
    Score(
        "ppr",
        "predicted-positive rate",
        "(tp + fp) / (p + n)",
        lambda tp, fn, fp, tn: (tp + fp, tp + fn + fp + tn),
        ("predicted_positive_rate", "positive_rate", "alarm_rate"),
        rises=(1, -1),
    ),
    Score("tp", "true positives", "tp", lambda tp, fn, fp, tn: (tp, 1), ("true_positives",), rises=(1, 0), high=None),
    Score(
        "fn", "false negatives", "fn", lambda tp, fn, fp, tn: (fn, 1), ("false_negatives",), rises=(-1, 0), high=None
    ),
    Score(
        "fp", "false positives", "fp", lambda tp, fn, fp, tn: (fp, 1), ("false_positives",), rises=(0, -1), high=None
    ),
    Score("tn", "true negatives", "tn", lambda tp, fn, fp, tn: (tn, 1), ("true_negatives",), rises=(0, 1), high=None),
)

SCORES: dict[str, Score] = {score.name: score for score in _TABLE}
"""Every score by its short name."""

COMPLEMENTS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "err": ("acc", "error rate", ("error", "error_rate", "misclassification_rate", "er")),
    "fnr": ("sens", "false negative rate", ("false_negative_rate", "miss_rate")),
    "fpr": ("spec", "false positive rate", ("false_positive_rate", "fall_out", "false_alarm_rate")),
    "fdr": ("ppv", "false discovery rate", ("false_discovery_rate",)),
    "for": ("npv", "false omission rate", ("for_", "false_omission_rate")),
    "ber": ("bacc", "balanced error rate", ("balanced_error_rate", "hter")),
    "jd": ("ji", "Jaccard distance", ("jaccard_distance",)),
}
"""Names that stand for one minus another score: name → (base score, label, synonyms)."""

COUNTS = frozenset({"tp", "fn", "fp", "tn"})
"""Scores that are counts, not shares: a percent sign or a decimal point makes no sense on them."""


class Named(NamedTuple):
    """What a reported name means: a score, and whether the figure is one minus it."""

    score: Score
    complement: bool


@lru_cache(maxsize=1024)
def f_beta(beta: Fraction, *, negative: bool = False) -> Score:
    """The F-beta score of the positive (or negative) class as a row like any other."""
    top, bottom = beta.numerator**2, beta.denominator**2

    def positive_class(tp: int, fn: int, fp: int, tn: int) -> tuple[int, int]:
        return (top + bottom) * tp, (top + bottom) * tp + top * fn + bottom * fp

    def negative_class(tp: int, fn: int, fp: int, tn: int) -> tuple[int, int]:
        return positive_class(tn, fp, fn, tp)

    x, miss, alarm = ("tn", "fp", "fn") if negative else ("tp", "fn", "fp")
    square = decimal(beta**2)
    return Score(
        f"f{decimal(beta)}{'n' if negative else ''}",
        f"F{decimal(beta)}{' of the negative class' if negative else ''}",
        f"(1 + {square})·{x} / ((1 + {square})·{x} + {square}·{miss} + {alarm})",
        negative_class if negative else positive_class,
    )


def _score_named(name: str) -> Score:
    return find_score(name).score


_F_BETA = regex(r"f(?:beta)?(\d+(?:\.\d+)?)(n|p|negative|positive)?")


def _key(name: str) -> str:
    """Spelling variants of a name fall together: case, spaces and punctuation do not count (but LR+ is not LR-)."""
    lowered = name.strip().lower().replace("β", "beta").replace("\N{MINUS SIGN}", "-")
    sign = lowered[-1] if lowered.endswith(("r+", "r-")) else ""
    return re.sub(r"[^a-z0-9.]", "", lowered).strip(".") + sign


@cache
def _names() -> dict[str, Named]:
    names: dict[str, Named] = {}
    for score in SCORES.values():
        for spelling in (score.name, *score.synonyms):
            names[_key(spelling)] = Named(score, complement=False)
    for short, (base, _, synonyms) in COMPLEMENTS.items():
        for spelling in (short, *synonyms):
            names[_key(spelling)] = Named(SCORES[base], complement=True)
    return names


def known_names() -> list[str]:
    """Every spelling that is understood, for suggestions and completion."""
    spelled = [s for score in SCORES.values() for s in (score.name, *score.synonyms)]
    return spelled + [s for short, (_, _, synonyms) in COMPLEMENTS.items() for s in (short, *synonyms)]


def find_score(name: str) -> Named:
    """The score a reported name stands for; an unknown name is an error with the nearest known one."""
    key = _key(name)
    if key in _names():
        return _names()[key]
    beta = _F_BETA.fullmatch(key)
    if beta and Fraction(beta[1]) > 0:
        return Named(f_beta(Fraction(beta[1]), negative=(beta[2] or "p").startswith("n")), complement=False)
    raise InputError(
        f'"{name}" is not a score this test knows',
        fix=suggestion(name, known_names()) or "`assay scores list` names them all.",
    )

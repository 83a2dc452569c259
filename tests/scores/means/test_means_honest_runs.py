"""Figures of real scikit-learn runs are never called inconsistent."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from mean_reports import rounded
from sklearn.metrics import (
    accuracy_score,
    balanced_accuracy_score,
    f1_score,
    make_scorer,
    matthews_corrcoef,
    precision_score,
    recall_score,
)
from sklearn.model_selection import KFold, StratifiedKFold, cross_validate
from sklearn.tree import DecisionTreeClassifier

from assay.findings import Verdict
from assay.scores.constraints import Constraint
from assay.scores.definitions import SCORES
from assay.scores.folds import any_kfold, stratified
from assay.scores.means import Part, Reported, solve_known, solve_unknown


def scorers(zero_division: float) -> dict[str, object]:
    return {
        "acc": make_scorer(accuracy_score),
        "sens": make_scorer(recall_score, zero_division=zero_division),
        "ppv": make_scorer(precision_score, zero_division=zero_division),
        "f1": make_scorer(f1_score, zero_division=zero_division),
        "mcc": make_scorer(matthews_corrcoef),
        "bacc": make_scorer(balanced_accuracy_score),
    }


def run(p: int, n: int, splitter: object, zero_division: float, names: tuple[str, ...]) -> list[Reported]:
    """Mean, sd, minimum and maximum of a real cross-validation, printed with three digits."""
    random = np.random.default_rng(p * 1000 + n)
    labels = np.r_[np.ones(p, dtype=int), np.zeros(n, dtype=int)]
    order = random.permutation(p + n)
    labels, features = labels[order], random.normal(size=(p + n, 3)) + labels[order, None]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = cross_validate(
            DecisionTreeClassifier(max_depth=2, random_state=0),
            features,
            labels,
            cv=splitter,
            scoring=scorers(zero_division),
        )
    report = []
    for name in names:
        values = found[f"test_{name}"]
        report.append(
            Reported(
                Constraint(SCORES[name], rounded(float(values.mean()), 3), (), name, f"{values.mean():.3f}"),
                sd=rounded(float(values.std()), 3),
                minimum=rounded(float(values.min()), 3),
                maximum=rounded(float(values.max()), 3),
            )
        )
    return report


@pytest.mark.parametrize("zero_division", [0.0, 1.0])
@pytest.mark.parametrize("names", [("acc", "sens"), ("acc", "ppv", "f1"), ("mcc", "bacc")])
@pytest.mark.parametrize(("p", "n"), [(12, 31), (7, 44)])
def test_stratified_runs_are_never_refuted(p, n, names, zero_division):
    report = run(p, n, StratifiedKFold(4), zero_division, names)
    folds = [Part(*fold) for fold in next(stratified(p, n, 4).configurations())]
    assert solve_known(folds, report).verdict is not Verdict.INCONSISTENT


@pytest.mark.parametrize("zero_division", [0.0, 1.0])
@pytest.mark.parametrize("names", [("acc", "sens"), ("sens", "bacc"), ("f1", "ppv")])
def test_runs_with_folds_without_positives_are_never_refuted(names, zero_division):
    p, n, k = 3, 22, 5
    report = [
        Reported(one.constraint, ddof=(0,), minimum=one.minimum) for one in run(p, n, KFold(k), zero_division, names)
    ]
    assert solve_unknown([any_kfold(p, n, k)], report).verdict is not Verdict.INCONSISTENT

"""Accuracy, sensitivity and specificity over unknown folds, decided class by class."""

from fractions import Fraction
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mean_reports import means

from assay.findings import Verdict
from assay.scores.check import check
from assay.scores.definitions import SCORES, Matrix
from assay.scores.folds import any_kfold
from assay.scores.means.problem import Budget
from assay.scores.means.sides import decide
from assay.scores.reading import read_words
from examples_tried import a_third_of


def _fits(model, printed):
    """By trying everything: whether some folds and matrices give the printed means, one rule for 0/0 in each score."""
    for folds in model.configurations():
        choices = [[Matrix(a, p - a, n - b, b) for a in range(p + 1) for b in range(n + 1)] for p, n in folds]
        if any(all(_gives(name, figure, chosen) for name, figure in printed.items()) for chosen in product(*choices)):
            return True
    return False


def _gives(name, figure, matrices):
    values = [SCORES[name].value(matrix) for matrix in matrices]
    defined = [value for value in values if value is not None]
    candidates = [[0 if v is None else v for v in values], [1 if v is None else v for v in values], defined]
    half = Fraction(1, 200)
    return any(abs(sum(c, Fraction(0)) / len(c) - Fraction(figure)) <= half for c in candidates if c)


def _mean(name, matrices):
    values = [SCORES[name].value(matrix) or 0 for matrix in matrices]
    return f"{float(sum(values) / len(values)):.2f}"


@given(st.integers(0, 10**6))
@settings(max_examples=a_third_of(60), deadline=None)
def test_the_verdict_is_that_of_trying_everything(seed):
    random = Random(seed)
    model = any_kfold(random.randint(2, 5), random.randint(2, 5), 2)
    folds = random.choice(list(model.configurations()))
    matrices = [Matrix(a := random.randint(0, p), p - a, n - (b := random.randint(0, n)), b) for p, n in folds]
    printed = {name: _mean(name, matrices) for name in random.choice([("acc", "sens", "spec"), ("sens", "spec")])}
    if random.random() < 0.7:
        printed["spec"] = random.choice(["0.10", "0.20", "0.33", "0.42", "0.50", "0.58", "0.67", "0.75", "0.90"])
    answer = decide(model, means(eps="0.005", **printed), Budget())
    assert (answer.verdict is Verdict.CONSISTENT) == _fits(model, printed)


@pytest.mark.parametrize(
    ("accuracy", "verdict"),
    [("0.9447", Verdict.INCONSISTENT), ("0.9433", Verdict.CONSISTENT), ("0.9633", Verdict.CONSISTENT)],
)
def test_the_study_of_preterm_birth_is_decided(accuracy, verdict):
    words = f"p=38 n=262 eps=0.0001 sens=0.9139 spec=0.9733 folds=5 fold_model=any aggregation=mean acc={accuracy}"
    assert check(read_words(words.split())).verdict is verdict


def test_conventions_start_behind_what_is_ruled_out_for_all_of_them():
    words = "p=38 n=262 eps=0.0001 sens=0.9139 spec=0.9733 folds=5 fold_model=any aggregation=mean acc=0.9433"
    result = check(read_words(words.split()))
    assert result.decisive.answer.passed > 900
    assert dict(result.conventions) == {
        "counted as 0": Verdict.INCONSISTENT,
        "counted as 1": Verdict.CONSISTENT,
        "left out": Verdict.INCONSISTENT,
    }


def test_other_scores_and_missing_ends_are_left_to_other_searches():
    model = any_kfold(5, 15, 2)
    assert decide(model, means(acc="0.7", f1="0.6"), Budget()) is None
    assert decide(model, means(sens="0.6", acc="0.7"), Budget()) is None
    assert decide(model, means(acc="0.7", sens="0.6", spec="0.7"), Budget(configurations=1)) is None

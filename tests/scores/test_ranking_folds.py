"""Mean areas under the curve over folds: honest ones are never inconsistent, impossible ones are proven so."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold

from assay.errors import InputError
from assay.findings import Verdict
from assay.scores.check import Result, check
from assay.scores.reading import read_words

MEAN = ("fold_model=stratified", "aggregation=mean")


def checked(*words: str) -> Result:
    return check(read_words(list(words)))


@settings(max_examples=30, deadline=None)
@given(st.integers(5, 30), st.integers(5, 40), st.integers(2, 5), st.integers(0, 10**6), st.integers(2, 4))
def test_areas_of_real_folds_are_never_inconsistent(p: int, n: int, k: int, seed: int, digits: int):
    random = np.random.default_rng(seed)
    truth = np.array([1] * p + [0] * n)
    scores = np.round(random.normal(truth * random.uniform(-1, 2), 1), random.integers(0, 3))  # ties included
    cut = StratifiedKFold(k, shuffle=True, random_state=seed)
    areas = np.array([roc_auc_score(truth[test], scores[test]) for _, test in cut.split(truth, truth)])
    figures = [f"auc={areas.mean():.{digits}f} ± {areas.std():.{digits}f}", f"auc_min={areas.min():.{digits}f}"]
    assert checked(f"p={p}", f"n={n}", f"folds={k}", *MEAN, *figures).verdict is not Verdict.INCONSISTENT


def test_a_mean_area_has_a_grain():
    words = ("p=5", "n=10", "folds=5", *MEAN)  # 2 pairs in each fold: steps of 1/20
    assert checked(*words, "auc=0.95").verdict is Verdict.CONSISTENT
    assert checked(*words, "auc=0.93").verdict is Verdict.INCONSISTENT
    assert checked(*words, "gini=0.90").verdict is Verdict.CONSISTENT
    assert checked(*words, "gini=0.86").verdict is Verdict.INCONSISTENT


def test_a_spread_of_areas_is_tested_too():
    words = ("p=5", "n=10", "folds=5", *MEAN, "auc=0.95")
    assert checked(*words, "auc_sd=0.10").verdict is Verdict.CONSISTENT  # four areas of 1, one of 0.75
    assert checked(*words, "auc_sd=0.30").verdict is Verdict.INCONSISTENT


def test_other_scores_over_the_folds_are_still_tested():
    assert checked("p=50", "n=70", "folds=5", *MEAN, "auc=0.90", "sens=0.93").verdict is Verdict.INCONSISTENT


def test_without_a_word_on_averaging_the_area_may_be_that_of_an_averaged_curve():
    result = checked("p=5", "n=10", "folds=5", "fold_model=stratified", "auc=0.931")
    assert result.verdict is Verdict.UNDECIDED
    assert result.hypotheses[-1].reading == "the area under one averaged curve"


def test_one_test_set_has_no_spread_of_areas():
    with pytest.raises(InputError, match="needs several folds"):
        checked("p=50", "n=70", "auc=0.81±0.03")

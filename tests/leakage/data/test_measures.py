"""The statistics agree with brute force and with independent implementations."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from assay.leakage.data.measures import (
    auc_of_counts,
    auc_of_scores,
    family_level,
    kolmogorov,
    share_difference,
)
from assay.statistics import wilson

few = settings(max_examples=40)
SCORED = st.lists(st.tuples(st.integers(0, 6), st.booleans()), min_size=4, max_size=40).filter(
    lambda rows: 1 < sum(y for _, y in rows) < len(rows) - 1
)


def split_up(rows):
    return np.array([float(s) for s, _ in rows]), np.array([y for _, y in rows])


@few
@given(SCORED)
def test_the_area_is_the_share_of_pairs_that_are_ranked_right(rows):
    scores, outcome = split_up(rows)
    pairs = [(a > b) + 0.5 * (a == b) for a in scores[outcome] for b in scores[~outcome]]
    assert auc_of_scores(scores, outcome).value == pytest.approx(np.mean(pairs))


@few
@given(SCORED)
def test_turning_the_score_round_mirrors_the_area_and_keeps_its_uncertainty(rows):
    scores, outcome = split_up(rows)
    one, other = auc_of_scores(scores, outcome), auc_of_scores(-scores, outcome)
    assert one.value == pytest.approx(1 - other.value)
    assert one.error == pytest.approx(other.error)
    assert one.p_value == pytest.approx(other.p_value)
    assert one.strength == pytest.approx(other.strength)


@few
@given(SCORED)
def test_the_error_is_never_below_delongs_and_never_zero(rows):
    scores, outcome = split_up(rows)
    positive, negative = scores[outcome], scores[~outcome]
    wins = (positive[:, None] > negative) + 0.5 * (positive[:, None] == negative)
    delong = wins.mean(axis=1).var(ddof=1) / len(positive) + wins.mean(axis=0).var(ddof=1) / len(negative)
    error = auc_of_scores(scores, outcome).error
    assert error > 0
    assert error >= math.sqrt(delong) - 1e-12


@few
@given(st.integers(0, 10_000))
def test_the_p_value_is_that_of_mann_and_whitney(seed):
    draw = np.random.default_rng(seed)
    scores, outcome = draw.integers(0, 9, 60).astype(float), draw.random(60) < 0.4
    if 2 < outcome.sum() < 58:
        theirs = stats.mannwhitneyu(scores[outcome], scores[~outcome], use_continuity=False, method="asymptotic").pvalue
        assert auc_of_scores(scores, outcome).p_value == pytest.approx(theirs, abs=1e-9)


def test_a_perfect_area_on_five_rows_is_no_miracle():
    perfect = auc_of_counts(np.array([0.0, 2.0]), np.array([3.0, 0.0]))
    assert perfect.value == 1
    assert perfect.p_value == pytest.approx(2 / math.comb(5, 2))


def test_an_area_without_positives_is_refused():
    with pytest.raises(ValueError, match="at least one positive"):
        auc_of_counts(np.array([0.0]), np.array([3.0]))


@few
@given(st.integers(0, 50), st.integers(1, 50))
def test_wilson_agrees_with_scipy_and_holds_the_share(count, more):
    total = count + more
    low, high = wilson(count, total)
    theirs = stats.binomtest(count, total).proportion_ci(method="wilson")
    assert (low, high) == (pytest.approx(theirs.low, abs=1e-9), pytest.approx(theirs.high, abs=1e-9))
    assert low <= count / total <= high


@few
@given(st.integers(0, 30), st.integers(30, 60), st.integers(0, 30), st.integers(30, 60))
def test_the_difference_of_shares_lies_in_its_interval_and_is_antisymmetric(a, m, b, n):
    difference, low, high = share_difference((a, m), (b, n))
    assert low <= difference <= high
    assert share_difference((b, n), (a, m)) == pytest.approx((-difference, -high, -low))


@few
@given(st.lists(st.integers(0, 20), min_size=5, max_size=60), st.lists(st.integers(0, 20), min_size=5, max_size=60))
def test_the_gap_of_distributions_is_kolmogorovs(first, second):
    gap, p_value = kolmogorov(np.array(first, float), np.array(second, float))
    theirs = stats.ks_2samp(first, second, method="asymp")
    assert gap == pytest.approx(theirs.statistic)
    assert 0 <= p_value <= 1


def test_many_tests_ask_for_a_higher_level():
    assert family_level(1) == pytest.approx(0.95)
    assert family_level(50) == pytest.approx(0.999)

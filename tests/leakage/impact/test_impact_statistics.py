"""Intervals, rankings and their reversal."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from assay.leakage.impact.experiment import Impact, Paired
from assay.leakage.impact.reporting import report_of

few = settings(max_examples=30)
SCORES = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=20)


def paired(pairs, share=0.0, name="m"):
    return Paired(name, tuple(a for a, _ in pairs), tuple(b for _, b in pairs), share)


@few
@given(SCORES)
def test_without_overlap_the_interval_is_students(pairs):
    one = paired(pairs)
    differences = np.array([a - b for a, b in pairs])
    if differences.std() > 1e-9:
        theirs = stats.ttest_1samp(differences, 0).confidence_interval()
        assert one.interval() == pytest.approx((theirs.low, theirs.high))


@few
@given(SCORES, st.floats(0.01, 1))
def test_shared_training_rows_widen_the_interval(pairs, share):
    (low, high), (wide_low, wide_high) = paired(pairs).interval(), paired(pairs, share).interval()
    assert wide_low <= low
    assert high <= wide_high


@few
@given(SCORES)
def test_optimism_is_the_difference_of_the_means_and_lies_in_its_interval(pairs):
    one = paired(pairs)
    low, high = one.interval()
    assert low - 1e-12 <= one.optimism <= high + 1e-12
    assert one.optimism == pytest.approx(one.means[0] - one.means[1])


def test_a_single_split_has_no_interval():
    low, high = paired([(0.9, 0.8)]).interval()
    assert low < -1e9
    assert high > 1e9


def impact(**scores):
    results = tuple(paired(pairs, name=name) for name, pairs in scores.items())
    return Impact("duplicates", "L1.4", "copies", "AUC", results)


def test_a_reversed_ranking_is_told_with_the_share_of_splits_that_show_it():
    found = impact(forest=[(0.9, 0.7), (0.9, 0.81)], logistic=[(0.8, 0.8), (0.8, 0.8)])
    assert found.ranking(leaky=True) == ["forest", "logistic"]
    assert found.ranking(leaky=False) == ["logistic", "forest"]
    assert found.flips == [("forest", "logistic", 0.5)]
    assert "LX8" in {f.code for f in report_of([found], "t").findings}


def test_the_same_ranking_is_no_reversal():
    assert impact(forest=[(0.9, 0.85)], logistic=[(0.8, 0.8)]).flips == []

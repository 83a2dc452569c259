"""Intervals, rankings and their reversal."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from assay.leakage.impact.advantage import Lead, advantage
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


SPLITS = 6


@st.composite
def leads(draw):
    """The scores of two models in some splits, leaky and clean."""
    column = st.lists(st.floats(0, 1), min_size=SPLITS, max_size=SPLITS)
    return {name: list(zip(draw(column), draw(column), strict=True)) for name in ("forest", "logistic")}


@few
@given(leads())
def test_gaps_between_models_are_those_of_the_paired_t_test(scores):
    found = advantage(impact(**scores), "forest", "logistic")
    for version, gap in enumerate((found.leaky, found.clean)):
        ours, theirs = ([pair[version] for pair in scores[name]] for name in ("forest", "logistic"))
        if np.ptp(np.subtract(ours, theirs)) < 1e-9:
            continue
        reference = stats.ttest_rel(ours, theirs)
        assert gap.p == pytest.approx(reference.pvalue)
        assert (gap.low, gap.high) == pytest.approx(tuple(reference.confidence_interval()))


@few
@given(leads())
def test_a_lead_is_called_gone_only_if_it_was_there_and_shrank(scores):
    found = advantage(impact(**scores), "forest", "logistic")
    if found.verdict in {Lead.GONE, Lead.REVERSED}:
        assert found.leaky.low > 0 >= found.clean.low
        assert found.change.value > 0


def test_a_lead_that_only_the_leak_explains_is_a_warning():
    splits = ((0.91, 0.76), (0.92, 0.75), (0.90, 0.77))
    found = impact(forest=splits, logistic=[(0.80, 0.80), (0.81, 0.79), (0.80, 0.80)])
    assert found.ranking(leaky=True) == ["forest", "logistic"]
    assert found.ranking(leaky=False) == ["logistic", "forest"]
    report = report_of([found], "t")
    [warning] = [f for f in report.findings if f.code == "LX8"]
    assert "forest beats logistic by 0.107" in warning.message
    assert "reversed" in str(report.tables[1].rows)


def test_a_change_of_ranks_within_the_noise_is_no_finding():
    found = impact(
        forest=[(0.81, 0.79), (0.85, 0.70), (0.70, 0.80)], logistic=[(0.80, 0.80), (0.75, 0.79), (0.8, 0.75)]
    )
    assert found.ranking(leaky=True) != found.ranking(leaky=False)
    assert "LX8" not in {f.code for f in report_of([found], "t").findings}

"""Calibration and net benefit agree with scikit-learn's regression and with counting by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

from assay.comparison import compare_models
from assay.comparison.calibration import calibration_curve, calibration_of
from assay.comparison.decision import net_benefit, treat_all

few = settings(max_examples=25, deadline=None)


def outcomes(seed, rows=300, slope=1.0, shift=0.0):
    draw = np.random.default_rng(seed)
    logit = draw.normal(-0.5, 1.2, rows)
    y = draw.random(rows) < 1 / (1 + np.exp(-(slope * logit + shift)))
    return y, 1 / (1 + np.exp(-logit)), logit


@few
@given(st.integers(0, 10_000))
def test_slope_is_that_of_an_unpenalised_logistic_regression(seed):
    y, p, logit = outcomes(seed)
    found = calibration_of("m", y, p, 0.95, independent=True)
    reference = LogisticRegression(C=np.inf, tol=1e-10, max_iter=1000).fit(logit[:, None], y)
    assert found.slope == pytest.approx(reference.coef_[0, 0], abs=1e-4)


@few
@given(st.integers(0, 10_000))
def test_the_intercept_makes_the_mean_prediction_the_share_that_came_true(seed):
    y, p, logit = outcomes(seed, shift=0.8)
    found = calibration_of("m", y, p, 0.95, independent=True)
    assert (1 / (1 + np.exp(-(logit + found.intercept)))).mean() == pytest.approx(y.mean())
    assert found.intercept_interval.low < found.intercept < found.intercept_interval.high


def test_intervals_cover_the_truth_as_often_as_they_promise():
    held = [calibration_of("m", *outcomes(seed)[:2], 0.95, independent=True).slope_interval for seed in range(400)]
    assert 0.92 < np.mean([one.low < 1 < one.high for one in held]) < 0.98


def test_certain_or_separating_predictions_have_no_calibration():
    y = np.array([False, False, True, True])
    assert calibration_of("m", y, np.array([0.0, 0.2, 0.7, 0.9]), 0.95, independent=True) is None
    assert calibration_of("m", y, np.array([0.1, 0.2, 0.7, 0.9]), 0.95, independent=True) is None
    assert calibration_of("m", y, np.full(4, 0.5), 0.95, independent=True) is None


def test_rows_in_groups_get_no_interval():
    y, p, _ = outcomes(1)
    assert calibration_of("m", y, p, 0.95, independent=False).slope_interval is None


def test_the_curve_has_bins_of_equal_size_in_order():
    y, p, _ = outcomes(1)
    curve = calibration_curve("m", y, p, 0.95)
    assert curve.predicted.size == 10
    assert (np.diff(curve.predicted) > 0).all()
    assert (curve.low <= curve.observed).all()
    assert np.average(curve.observed) == pytest.approx(y.mean())


@few
@given(st.integers(0, 10_000), st.floats(0.01, 0.99))
def test_net_benefit_is_counted_by_hand(seed, threshold):
    y, p, _ = outcomes(seed, rows=60)
    p = np.round(p, 1)
    treated = p >= threshold
    expected = ((treated & y).sum() - (treated & ~y).sum() * threshold / (1 - threshold)) / y.size
    assert net_benefit(y, p, np.array([threshold]))[0] == pytest.approx(expected)


def test_a_model_that_says_one_for_all_is_treating_all():
    y, _, _ = outcomes(2)
    grid = np.array([0.1, 0.5, 0.9])
    np.testing.assert_allclose(net_benefit(y, np.ones(y.size), grid), treat_all(y, grid))


def test_the_report_has_both_tables_and_both_curves():
    y, p, _ = outcomes(1)
    report = compare_models(y, {"good": p, "bold": p**2}, resamples=100).report()
    titles = " ".join(table.title for table in report.tables)
    assert "Calibration (ideal: intercept 0, slope 1)" in titles
    assert "Net benefit by threshold probability" in titles
    assert any("Calibration" in figure.title for figure in report.figures)
    scores = compare_models(y, {"good": p * 10, "bold": p * 20}, resamples=100).report()
    assert not any("Calibration" in figure.title for figure in scores.figures)

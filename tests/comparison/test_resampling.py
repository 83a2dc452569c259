"""Weights instead of copies: a resample's scores are those of the rows written out as often as drawn."""

import numpy as np
import pytest
from hypothesis import given
from made_predictions import binormal, brute_force_auc, small_tests, true_auc
from scipy.special import ndtr, ndtri
from sklearn.metrics import (
    average_precision_score,
    balanced_accuracy_score,
    brier_score_loss,
    cohen_kappa_score,
    f1_score,
    log_loss,
    matthews_corrcoef,
)

from assay.comparison.analysis import compare
from assay.comparison.binormal import smoothed_auc, smoothed_line
from assay.comparison.bootstrap import resamples, usual_resamples
from assay.comparison.curves import auc, average_precision, ranked, steps_of
from assay.comparison.measures import MEASURES
from assay.comparison.predictions import Predictions
from assay.comparison.results import Method, Settings
from assay.comparison.scorecard import scorecard_of


def of(y, **scores):
    return Predictions(np.asarray(y, dtype=bool), {k: np.asarray(v, dtype=float) for k, v in scores.items()})


@given(small_tests())
def test_weighted_curves_are_those_of_the_rows_written_out(rows):
    y, scores, _ = rows
    predictions = of(y, a=scores)
    [weights] = resamples(predictions, 8, seed=5)
    steps = steps_of(ranked(scores), y, weights)
    for column in range(8):
        drawn = np.repeat(np.arange(y.size), weights[:, column])
        assert np.isclose(auc(steps)[column], brute_force_auc(y[drawn], scores[drawn]))
        expected = average_precision_score(y[drawn], scores[drawn])
        assert np.isclose(average_precision(steps)[column], expected)


def literal_smooth(y, scores):
    """The fit as its definition reads: every distinct threshold makes a point, those with finite probits count."""
    points = [(np.mean(scores[y] > t), np.mean(scores[~y] <= t)) for t in np.unique(scores)]
    finite = [(ndtri(se), ndtri(sp)) for se, sp in points if 0 < se < 1 and 0 < sp < 1]
    if len({se for se, _ in finite}) < 2:
        return np.nan
    slope, intercept = np.polyfit(*zip(*finite, strict=True), 1)
    return ndtr(intercept / np.sqrt(1 + slope**2))


@given(small_tests(least=4))
def test_the_smooth_is_the_least_squares_line_through_the_probits(rows):
    y, scores, _ = rows
    [weights] = resamples(of(y, a=scores), 8, seed=6)
    found = smoothed_auc(steps_of(ranked(scores), y, weights))
    for column in range(8):
        drawn = np.repeat(np.arange(y.size), weights[:, column])
        assert np.isclose(found[column], literal_smooth(y[drawn], scores[drawn]), equal_nan=True)


def test_the_smooth_finds_the_line_that_made_the_scores():
    y, scores = binormal(20_000, 20_000, {"a": 1.0}, seed=1)
    steps = steps_of(ranked(scores["a"]), y, np.ones((y.size, 1), dtype=np.int32))
    [intercept], [slope] = smoothed_line(steps)
    assert intercept == pytest.approx(1.0, abs=0.05)
    assert slope == pytest.approx(-1.0, abs=0.05)
    assert smoothed_auc(steps)[0] == pytest.approx(true_auc(1.0), abs=0.01)


def test_grouped_resamples_smooth_as_well_though_their_sizes_vary():
    y, scores = binormal(20, 60, {"a": 1.0}, seed=2)
    predictions = Predictions(y, scores, groups=np.arange(80) // 4)
    [weights] = resamples(predictions, 100, seed=1)
    assert len({tuple(weights[i : i + 4].ravel()) for i in range(0, 80, 4)}) > 1
    assert (weights[0] == weights[3]).all()
    found = smoothed_auc(steps_of(ranked(scores["a"]), y, weights))
    drawn = np.repeat(np.arange(80), weights[:, 0])
    assert np.isclose(found[0], literal_smooth(y[drawn], scores["a"][drawn]))


def test_strata_keep_their_size_and_blocks_do_not_matter(monkeypatch):
    y = np.repeat([True, False], [7, 30])
    predictions = of(y, a=np.arange(37))
    [whole] = resamples(predictions, 40, seed=9)
    assert (whole[y].sum(axis=0) == 7).all()
    assert (whole[~y].sum(axis=0) == 30).all()
    monkeypatch.setattr("assay.comparison.bootstrap._CELLS", 37 * 3)
    assert np.array_equal(np.concatenate(list(resamples(predictions, 40, seed=9)), axis=1), whole)
    assert not np.array_equal(next(iter(resamples(predictions, 8, seed=8))), whole[:, :8])


def test_every_score_is_what_scikit_learn_computes():
    rng = np.random.default_rng(0)
    y = rng.random(200) < 0.3
    p = np.clip(0.2 + 0.4 * y + rng.normal(0, 0.2, 200), 0.01, 0.99)
    card = scorecard_of(of(y, a=p), list(MEASURES.values()), {}, 0.45)
    found = dict(zip(MEASURES, card.observed()[0], strict=True))
    called = p >= 0.45
    expected = {
        "ap": average_precision_score(y, p),
        "brier": brier_score_loss(y, p),
        "logloss": log_loss(y, p),
        "acc": (called == y).mean(),
        "bacc": balanced_accuracy_score(y, called),
        "sens": called[y].mean(),
        "spec": 1 - called[~y].mean(),
        "ppv": y[called].mean(),
        "npv": 1 - y[~called].mean(),
        "f1": f1_score(y, called),
        "mcc": matthews_corrcoef(y, called),
        "kappa": cohen_kappa_score(y, called),
    }
    assert {name: found[name] for name in expected} == pytest.approx(expected)


def test_the_bootstrap_agrees_with_delong_where_positives_are_many():
    y, scores = binormal(300, 300, {"a": 1.0, "b": 0.7}, seed=11)
    found = compare(of(y, **scores), Settings(measures=("auc",), resamples=1000))
    [by_delong], [by_bootstrap] = found.between("auc", Method.DELONG), found.between("auc", Method.BOOTSTRAP)
    assert by_bootstrap.statistic == pytest.approx(by_delong.statistic, rel=0.1)
    assert by_bootstrap.interval.low == pytest.approx(by_delong.interval.low, abs=0.01)


def test_bootstrap_intervals_cover_the_truth_about_as_often_as_they_promise():
    covered = {"auc": 0, "auc_smooth": 0}
    for seed in range(150):
        y, scores = binormal(40, 40, {"a": 1.0}, seed=seed)
        found = compare(of(y, **scores), Settings(measures=tuple(covered), resamples=200, seed=seed))
        for name in covered:
            within = found.estimate("a", name, Method.BOOTSTRAP).interval
            covered[name] += within.low < true_auc(1.0) < within.high
    assert all(0.87 <= number / 150 <= 0.99 for number in covered.values()), covered


def test_the_same_seed_gives_the_same_answer():
    y, scores = binormal(20, 30, {"a": 1.0, "b": 0.7}, seed=12)
    settings = Settings(resamples=100, seed=7)
    first, again = compare(of(y, **scores), settings), compare(of(y, **scores), settings)
    assert first.estimates == again.estimates
    assert first.differences == again.differences


def test_rows_of_one_group_widen_the_interval():
    y, scores = binormal(60, 60, {"a": 1.0}, seed=13)
    tiled = {name: np.tile(values, 4) for name, values in scores.items()}
    alone = Predictions(np.tile(y, 4), tiled)
    grouped = Predictions(np.tile(y, 4), tiled, groups=np.tile(np.arange(120), 4))
    settings = Settings(measures=("auc", "brier"), resamples=200)
    narrow, wide = (compare(p, settings).estimate("a", "auc", Method.BOOTSTRAP).interval for p in (alone, grouped))
    assert wide.high - wide.low > 1.6 * (narrow.high - narrow.low)


@pytest.mark.parametrize(("rows", "number"), [(20, 2_000), (50_000, 2_000), (200_000, 500), (10**7, 200)])
def test_large_sets_are_resampled_less_often_unless_the_user_says_how_often(rows, number):
    assert usual_resamples(rows) == number


def test_the_number_of_resamples_is_told_whoever_chose_it():
    y = [True, False] * 20
    scores = {"a": [i % 7 for i in range(40)], "b": [i % 5 for i in range(40)]}
    assert compare(of(y, **scores)).settings.resamples == 2_000
    assert compare(of(y, **scores), Settings(resamples=100)).settings.resamples == 100

"""DeLong's covariance agrees with counting pairs, and does not mind what it should not mind."""

import numpy as np
from hypothesis import given
from made_predictions import binormal, brute_force_placements, small_tests, true_auc

from assay.comparison.curves import ranked
from assay.comparison.delong import delong, placements


def areas(y, *models, groups=None):
    return delong(y, [ranked(np.asarray(scores, dtype=float)) for scores in models], groups)


@given(small_tests())
def test_areas_and_covariance_are_those_of_all_pairs_counted_one_by_one(rows):
    y, first, second = rows
    placed = np.stack([brute_force_placements(y, scores) for scores in (first, second)])
    found = areas(y, first, second)
    assert np.allclose(found.values, placed[:, y].mean(axis=1))
    expected = np.cov(placed[:, y]) / y.sum() + np.cov(placed[:, ~y]) / (~y).sum()
    assert np.allclose(found.covariance, expected)


@given(small_tests())
def test_rising_transforms_and_the_order_of_rows_change_nothing(rows):
    y, first, second = rows
    found = areas(y, first, second)
    transformed = areas(y, np.exp(first), 2 * second - 7)
    assert np.array_equal(found.values, transformed.values)
    assert np.array_equal(found.covariance, transformed.covariance)
    shuffle = np.random.default_rng(0).permutation(y.size)
    shuffled = areas(y[shuffle], first[shuffle], second[shuffle])
    assert np.allclose(found.covariance, shuffled.covariance)


@given(small_tests())
def test_swapping_the_classes_or_the_sign_gives_the_complement(rows):
    y, first, second = rows
    found = areas(y, first, second)
    for swapped in (areas(~y, first, second), areas(y, -first, -second)):
        assert np.allclose(swapped.values, 1 - found.values)
        assert np.allclose(swapped.covariance, found.covariance)


def test_constant_scores_have_half_the_area_and_no_spread():
    found = areas(np.array([True, True, False, False]), np.zeros(4))
    assert found.values == [0.5]
    assert found.covariance == [[0.0]]


def test_one_positive_leaves_the_covariance_open():
    y = np.array([True, False, False, False])
    assert np.isnan(areas(y, [3, 1, 2, 4]).covariance).all()


def test_groups_of_one_row_give_nearly_the_plain_covariance():
    y, scores = binormal(150, 150, {"a": 1.0, "b": 0.8}, seed=3)
    plain = areas(y, *scores.values())
    single = areas(y, *scores.values(), groups=np.arange(y.size))
    assert np.allclose(single.covariance, plain.covariance, rtol=0.02)


def test_copying_every_row_into_its_group_leaves_the_uncertainty_as_it_was():
    y, scores = binormal(40, 60, {"a": 1.0, "b": 0.8}, seed=4)
    groups = np.arange(y.size)
    once = areas(y, *scores.values(), groups=groups)
    copied = areas(np.tile(y, 5), *(np.tile(s, 5) for s in scores.values()), groups=np.tile(groups, 5))
    assert np.allclose(copied.covariance, once.covariance)
    assert areas(np.tile(y, 5), np.tile(scores["a"], 5)).covariance[0, 0] < once.covariance[0, 0] / 4


def test_intervals_cover_the_true_area_about_as_often_as_they_promise():
    covered = 0
    for seed in range(400):
        y, scores = binormal(40, 60, {"a": 1.0}, seed=seed)
        found = areas(y, scores["a"])
        covered += abs(found.values[0] - true_auc(1.0)) < 1.96 * np.sqrt(found.covariance[0, 0])
    assert 0.91 <= covered / 400 <= 0.98


def test_the_difference_of_equally_good_models_is_called_real_about_one_time_in_twenty():
    alarms = 0
    for seed in range(400):
        y, scores = binormal(40, 60, {"a": 1.0, "b": 1.0}, seed=seed)
        found = areas(y, *scores.values())
        alarms += abs(found.values[0] - found.values[1]) > 1.96 * found.error_of_difference(0, 1)
    assert 0.02 <= alarms / 400 <= 0.09


@given(small_tests())
def test_placements_of_positives_and_negatives_average_to_the_same_area(rows):
    y, scores, _ = rows
    placed = placements(ranked(scores), y)
    assert np.isclose(placed[y].mean(), placed[~y].mean())

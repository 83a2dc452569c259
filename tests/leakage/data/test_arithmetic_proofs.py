"""Leaks that arithmetic proves from the table alone: scaling, target encoding, interpolated and noisy rows."""

import numpy as np
import pytest
from made_splits import cut, honest, split_from

from assay.findings import Severity
from assay.leakage.data.encoding import target_encoding
from assay.leakage.data.interpolation import interpolated_rows
from assay.leakage.data.noise import noisy_copies
from assay.leakage.data.oversampling import oversampled
from assay.leakage.data.scaling import scaling

NUMBERS = [f"x{i}" for i in range(6)]


def standard(values, by):
    return (values - by.mean()) / by.std()


def to_range(values, by):
    return (values - by.min()) / (by.max() - by.min())


def robust(values, by):
    low, middle, high = np.quantile(by, (0.25, 0.5, 0.75))
    return (values - middle) / (high - low)


def scaled(scale, by_all, seed=0):
    whole = honest(400, seed)
    for name in NUMBERS:
        values = 50 + 7 * whole[name]
        whole[name] = scale(values, values if by_all else values[:300])
    return split_from(*cut(whole))


@pytest.mark.parametrize("scale", [standard, robust])
def test_scaling_with_all_rows_is_proven(scale):
    [finding] = scaling(scaled(scale, by_all=True)).findings
    assert finding.code == "L1.2"
    assert "6 columns were scaled with training and test rows together" in finding.message


def test_standardised_counts_of_few_values_are_a_proof_and_shares_of_few_values_are_none():
    whole = honest(400)
    draw = np.random.default_rng(1)
    for name in NUMBERS:
        rooms = draw.integers(1, 6, 400).astype(float)
        whole[name] = standard(rooms, rooms)
    [finding] = scaling(split_from(*cut(whole))).findings
    assert "6 columns" in finding.message
    for name in NUMBERS:
        whole[name] = np.where(np.arange(400) == 350, 1.0, draw.choice([0.0, 0.25, 0.5], 400))
    assert not scaling(split_from(*cut(whole))).findings


def test_a_range_over_all_rows_is_proven_where_test_rows_set_it():
    [finding] = scaling(scaled(to_range, by_all=True)).findings
    assert "minimum 0 and maximum 1" in finding.message


@pytest.mark.parametrize("scale", [standard, robust, to_range])
@pytest.mark.parametrize("seed", range(3))
def test_scaling_with_the_training_rows_is_right(scale, seed):
    assert not scaling(scaled(scale, by_all=False, seed=seed)).findings
    assert not scaling(split_from(*cut(honest(400, seed)))).findings


def encoded(weight, by_all, binary=False):
    draw = np.random.default_rng(0)
    whole = honest(800)
    town = draw.integers(0, 30, 800)
    whole["y"] = whole["y"] if binary else draw.normal(size=800) + town / 20
    by = slice(None) if by_all else slice(600)
    centre = whole["y"][by].mean()
    means = {t: _drawn(whole["y"][by][town[by] == t], weight, centre) for t in range(30)}
    whole["town"] = np.array([means[t] for t in town])
    return split_from(*cut(whole))


def _drawn(outcomes, weight, centre):
    return (outcomes.sum() + weight * centre) / (len(outcomes) + weight)


@pytest.mark.parametrize("weight", [0, 10])
@pytest.mark.parametrize("binary", [True, False])
def test_means_of_the_outcome_over_all_rows_are_proven(weight, binary):
    [finding] = target_encoding(encoded(weight, by_all=True, binary=binary)).findings
    assert finding.code == "L1.3"
    assert finding.subject == "town"
    assert finding.severity is Severity.ERROR


@pytest.mark.parametrize("weight", [0, 10])
def test_means_of_the_outcome_over_training_rows_are_right(weight):
    assert not target_encoding(encoded(weight, by_all=False)).findings
    assert not target_encoding(split_from(*cut(honest()))).findings


def interpolated(before):
    """Rows of the rarer class put between neighbours, before the split or in the training part alone."""
    draw = np.random.default_rng(0)
    whole = {k: v for k, v in honest(600).items() if k != "colour"}
    rare = (whole["y"] == 1).nonzero()[0]
    rare = rare if before else rare[rare < 450]
    points = np.column_stack([whole[name] for name in NUMBERS])
    made = []
    for start in draw.choice(rare, 150):
        other = draw.choice(rare[np.argsort(((points[rare] - points[start]) ** 2).sum(axis=1))[1:6]])
        made.append(points[start] + draw.random() * (points[other] - points[start]))
    new = {name: np.array(made)[:, place] for place, name in enumerate(NUMBERS)} | {"y": np.ones(150, int)}
    if before:
        order = draw.permutation(750)
        return split_from(*cut({k: np.concatenate([v, new[k]])[order] for k, v in whole.items()}))
    train, test = cut(whole)
    return split_from({k: np.concatenate([v, new[k]]) for k, v in train.items()}, test)


def test_rows_interpolated_before_the_split_are_named():
    [finding] = interpolated_rows(interpolated(before=True)).findings
    assert finding.code == "L1.2"
    assert "SMOTE" in finding.message
    assert finding.severity is Severity.ERROR


def test_rows_interpolated_in_the_training_part_are_right():
    outcome = interpolated_rows(interpolated(before=False))
    assert not outcome.findings
    assert not interpolated_rows(split_from(*cut(honest(600)))).findings


def test_series_interpolated_in_time_are_no_smote():
    """Census figures drawn through between the years lie on lines, in every class."""
    draw = np.random.default_rng(0)
    census = draw.normal(size=(40, 2, 5))
    at = draw.random((40, 12))[:, :, None]
    points = (census[:, :1] + at * (census[:, 1:] - census[:, :1])).reshape(-1, 5)
    whole = {f"x{i}": points[:, i] for i in range(5)} | {"y": np.repeat(np.arange(40) % 2, 12)}
    order = draw.permutation(480)
    assert not interpolated_rows(split_from(*cut({k: v[order] for k, v in whole.items()}))).findings


def test_rows_of_a_grid_lie_on_lines_by_nature():
    draw = np.random.default_rng(0)
    grid = {f"x{i}": draw.integers(0, 30, 800) / 2 for i in range(4)} | {"y": draw.integers(0, 2, 800)}
    assert not interpolated_rows(split_from(*cut(grid))).findings


def repeated(before):
    """A coarse table whose rarer class was repeated until both were equal."""
    draw = np.random.default_rng(0)
    y = np.arange(1000) % 5 == 0
    whole = {f"q{i}": draw.integers(0, 4, 1000) for i in range(5)} | {"y": y.astype(int)}
    rare = y.nonzero()[0]
    rare = rare if before else rare[rare < 750]
    lacking = 600 if before else 750 - 2 * len(rare)
    again = draw.choice(rare, lacking)
    if before:
        order = draw.permutation(1600)
        return split_from(*cut({k: np.concatenate([v, v[again]])[order] for k, v in whole.items()}))
    train, test = cut(whole)
    return split_from({k: np.concatenate([v, v[again]]) for k, v in train.items()}, test)


def test_a_class_repeated_before_the_split_is_named():
    [finding] = oversampled(repeated(before=True)).findings
    assert finding.code == "L1.2"
    assert "y = 1 were repeated" in finding.message


def test_a_class_repeated_in_the_training_part_is_right():
    assert not oversampled(repeated(before=False)).findings
    assert not oversampled(split_from(*cut(honest()))).findings


def test_copies_with_noise_in_every_number_are_found():
    train, test = cut(honest(1200))
    draw = np.random.default_rng(1)
    for name in NUMBERS:
        test[name][:30] = train[name][:30] + 0.02 * draw.normal(size=30)
    outcome = noisy_copies(split_from(train, test))
    [finding] = outcome.findings
    assert finding.code == "L1.4"
    assert set(range(1, 31)) >= set(outcome.rows[0].numbers.tolist()) - set(range(31, 301))
    assert len(outcome.rows[0].numbers) >= 20


@pytest.mark.parametrize("seed", range(3))
def test_neighbours_by_chance_are_no_noisy_copies(seed):
    assert not noisy_copies(split_from(*cut(honest(1200, seed)))).findings


def test_noisy_copies_are_looked_for_where_a_measurement_ends_before_the_test_part():
    """A column without a value in the test part, and an infinite cell, stopped the whole check."""
    train, test = cut(honest(400))
    test["x2"][:] = np.nan
    train["x3"][0] = np.inf
    assert "test rows" in noisy_copies(split_from(train, test)).line.result

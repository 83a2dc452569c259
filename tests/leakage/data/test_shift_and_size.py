"""Parts that differ, and what a test set of some size can show."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_splits import cut, honest, split_from, table_from

from assay.leakage.data.shift import label_shift_of, shift_of
from assay.leakage.data.sizes import resolution, resolution_of
from assay.leakage.rules.data import identifier_column, label_shift, test_set_too_small, train_test_shift


def test_parts_drawn_alike_cannot_be_told_apart():
    split = split_from(*cut(honest(1200)))
    assert not list(train_test_shift.check(split))
    assert not list(label_shift.check(split))


def test_a_moved_column_is_noticed_and_named():
    train, test = cut(honest(2000))
    test["x4"] += 1.0
    [finding] = train_test_shift.check(split_from(train, test))
    assert any('gap of "x4"' in name for e in finding.evidence for name, _ in e.values)


def test_the_classifier_is_judged_on_rows_it_has_not_seen():
    shift = shift_of(split_from(*cut(honest(400))))
    assert shift is not None
    assert 0.35 < shift.domain.value < 0.65


@pytest.mark.parametrize("seed", range(3))
def test_the_widest_of_many_columns_that_do_not_differ_tell_nothing(seed):
    """Columns chosen by the rows that are judged gave an AUC of 0.61 to 0.63 here."""
    rng = np.random.default_rng(seed)
    columns = {f"x{i}": rng.normal(size=600) for i in range(200)}
    train, test = ({name: values[part] for name, values in columns.items()} for part in (slice(300), slice(300, None)))
    shift = shift_of(split_from(train | {"y": np.arange(300) % 2}, test | {"y": np.arange(300) % 2}))
    assert shift is not None
    assert shift.left_out == 140
    assert abs(shift.domain.value - 0.5) < 3 * shift.domain.error


def test_no_split_has_no_shift():
    assert shift_of(table_from(honest())) is None
    assert label_shift_of(table_from(honest())) == []
    assert resolution_of(table_from(honest())) is None


def test_a_balanced_test_part_is_noticed():
    train, test = cut(honest(2000))
    test["y"] = np.random.default_rng(0).permutation(np.arange(500) % 10 < 8).astype(int)
    [finding] = label_shift.check(split_from(train, test))
    assert finding.code == "LX5"


def test_numbers_are_compared_by_their_median():
    train, test = cut(honest(800))
    train["y"], test["y"] = np.random.default_rng(0).normal(size=600), np.random.default_rng(1).normal(2, 1, 200)
    [shift] = label_shift_of(split_from(train, test))
    assert shift.train == pytest.approx(0.5)
    assert shift.low > 0.3


@given(st.integers(2, 500), st.integers(2, 500))
def test_more_rows_never_blunt_the_resolution(positives, negatives):
    one, more = resolution(positives, negatives), resolution(2 * positives, 2 * negatives)
    assert more.auc <= one.auc
    assert more.accuracy <= one.accuracy


def test_eleven_positives_among_thousands_tell_little():
    # 11 onsets of 13,748 scored country-months: the test set that the paper's second finding is about
    assert resolution(11, 13_737).auc > 0.15
    assert resolution(2_000, 2_000).auc < 0.05


def test_a_claim_is_held_against_the_size():
    from dataclasses import replace

    split = split_from(*cut(honest(400)))
    assert list(test_set_too_small.check(replace(split, claim=0.01)))
    assert not list(test_set_too_small.check(replace(split, claim=0.5)))


def test_an_identifier_that_is_declared_is_not_mentioned():
    whole = honest(400) | {"row_id": np.arange(400)}
    assert list(identifier_column.check(split_from(*cut(whole))))
    assert not list(identifier_column.check(split_from(*cut(whole), identifiers=("row_id",))))


def by_patient(named, seed=0):
    """Visits of 120 patients who differ from each other, split by patient: the right way."""
    draw = np.random.default_rng(seed)
    patient = np.repeat(np.arange(120), 8)
    marks = draw.normal(size=(120, 5))[patient]
    whole = {f"x{i}": marks[:, i] + 0.1 * draw.normal(size=960) for i in range(5)}
    whole |= {"patient_id": patient + 5000, "y": (marks[:, 0] + draw.normal(size=960) > 0).astype(int)}
    in_test = draw.permutation(120)[patient] < 30
    parts = [{k: v[flags] for k, v in whole.items()} for flags in (~in_test, in_test)]
    return split_from(*parts, groups=("patient_id",) if named else ())


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_the_right_split_by_patient_is_not_called_a_shift(named, seed):
    split = by_patient(named, seed)
    assert split.drawing.column == "patient_id"
    assert not list(train_test_shift.check(split))
    assert not list(label_shift.check(split))


def test_a_shift_between_groups_is_still_noticed():
    split = by_patient(named=True)
    assert split.test is not None
    moved = {name: split.test.get_column(name).to_numpy().copy() for name in split.test.columns}
    moved["x1"] += 4
    train = {name: split.train.get_column(name).to_numpy() for name in split.train.columns}
    [finding] = train_test_shift.check(split_from(train, moved, groups=("patient_id",)))
    assert "held-out groups" in finding.message


def test_names_that_occur_once_do_not_separate_the_parts():
    """A code learnt from training marked every name of the test part; the AUC was 0.99."""
    draw = np.random.default_rng(0)
    whole = honest(400) | {"school": np.array([f"school {i}" for i in draw.permutation(380)[np.arange(400) % 380]])}
    assert not list(train_test_shift.check(split_from(*cut(whole))))

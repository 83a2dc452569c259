"""Which folds a cross-validation can have had: against scikit-learn and against published counts."""

from __future__ import annotations

import warnings
from collections import Counter
from itertools import combinations_with_replacement, islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.model_selection import StratifiedKFold

from assay.errors import InputError
from assay.scores.folds import (
    Classes,
    any_kfold,
    any_stratified,
    listed,
    repeated,
    stratified,
    stratified_before_0_22,
)
from examples_tried import a_third_of


@pytest.mark.parametrize(
    ("p", "n", "k", "classes", "count"),
    [
        (30, 300, 5, Classes.TRAINABLE, 673),
        (30, 300, 5, Classes.BOTH, 377),
        (38, 262, 5, Classes.TRAINABLE, 1_468),
        (38, 262, 5, Classes.BOTH, 918),
        (244, 262, 5, Classes.BOTH, 2_616_607),
    ],
)
def test_the_counts_of_fazekas_and_kovacs_are_reproduced(p, n, k, classes, count):
    assert any_kfold(p, n, k, classes=classes).count == count


@given(st.integers(1, 60), st.integers(1, 60), st.integers(2, 9), st.booleans())
@settings(max_examples=a_third_of(80), deadline=None)
def test_stratified_folds_are_those_of_scikit_learn_whichever_class_comes_first(p, n, k, positives_first):
    if k > max(p, n):
        return
    labels = np.r_[np.ones(p), np.zeros(n)] if positives_first else np.r_[np.zeros(n), np.ones(p)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tests = [test for _, test in StratifiedKFold(k).split(labels, labels)]
    real = sorted((int(labels[test].sum()), int((1 - labels[test]).sum())) for test in tests)
    assert list(next(stratified(p, n, k).configurations())) == real


def test_before_0_22_both_remainders_went_to_the_first_folds():
    folds = next(stratified_before_0_22(12, 13, 5).configurations())
    assert sorted(folds) == [(2, 2), (2, 2), (2, 3), (3, 3), (3, 3)]
    assert sorted(folds) != sorted(next(stratified(12, 13, 5).configurations()))


@given(st.integers(0, 9), st.integers(0, 12), st.integers(2, 4), st.sampled_from(Classes))
@settings(max_examples=a_third_of(60), deadline=None)
def test_configurations_are_all_different_complete_and_as_many_as_counted(p, n, k, classes):
    if p + n < k:
        return
    model = any_kfold(p, n, k, classes=classes)
    found = list(model.configurations())
    assert len(found) == len(set(found)) == model.count
    size, larger = divmod(p + n, k)
    spared = 0 if classes is Classes.ANY else 1
    least = 1 if classes is Classes.BOTH else 0
    choices = [(a, s - a) for s in {size, size + 1} for a in range(s + 1)]
    for folds in combinations_with_replacement(sorted(choices), k):
        sizes = Counter(sum(fold) for fold in folds)
        proper = sizes == Counter({size + 1: larger, size: k - larger}) or (not larger and sizes == Counter({size: k}))
        allowed = all(least <= a <= p - spared and least <= b <= n - spared for a, b in folds)
        if proper and allowed and sum(a for a, _ in folds) == p:
            assert tuple(folds) in found


def test_every_kind_of_stratification_is_among_any_stratified():
    configurations = set(any_stratified(37, 263, 5).configurations())
    assert next(stratified(37, 263, 5).configurations()) in configurations
    assert next(stratified_before_0_22(37, 263, 5).configurations()) in configurations
    assert len(configurations) == 3


def test_the_most_balanced_configuration_comes_first():
    first = next(any_kfold(38, 262, 5).configurations())
    assert first == ((7, 53), (7, 53), (8, 52), (8, 52), (8, 52))


def test_repeats_are_multisets_of_partitions():
    single, twice = any_kfold(6, 9, 3), repeated(any_kfold(6, 9, 3), 2)
    assert twice.count == single.count * (single.count + 1) // 2 == len(list(twice.configurations()))
    assert all(len(folds) == 6 for folds in islice(twice.configurations(), 5))


@given(st.integers(0, 8), st.integers(0, 8), st.integers(2, 3), st.randoms(use_true_random=False))
@settings(max_examples=a_third_of(30), deadline=None)
def test_the_greatest_worth_over_all_configurations_needs_no_listing(p, n, k, random):
    if p + n < k:
        return
    model = any_kfold(p, n, k)
    worth = {fold: random.randint(-50, 50) for fold in model.types}
    assert model.greatest(worth) == max(sum(worth[fold] for fold in folds) for folds in model.configurations())


@pytest.mark.parametrize(
    "make",
    [
        lambda: stratified(3, 4, 5),
        lambda: any_kfold(2, 2, 5),
        lambda: any_kfold(-1, 5, 2),
        lambda: any_kfold(5, 5, 1),
        lambda: listed([]),
        lambda: listed([(0, 0)]),
        lambda: repeated(any_kfold(5, 5, 2), 0),
    ],
)
def test_impossible_foldings_are_refused_with_a_way_out(make):
    with pytest.raises(InputError) as caught:
        make()
    assert caught.value.fix

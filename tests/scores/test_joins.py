"""Pairs of vectors whose sums lie in windows: found where they exist, near ones where not."""

import numpy as np

from assay.scores.multiclass.joins import Window, joined


def test_pairs_in_every_window_are_found_among_many() -> None:
    draw = np.random.default_rng(1)
    left, right = draw.random((2, 5_000)), draw.random((2, 5_000))
    windows = [Window(left[i], right[i], 0.9, 0.91) for i in range(2)]
    a, b = joined(windows, draw, 50_000)
    sums = left[:, a] + right[:, b]
    assert ((sums > 0.9) & (sums < 0.91)).all(axis=0).sum() > 500
    assert len(a) <= 50_000


def test_whole_numbers_are_met_exactly() -> None:
    draw = np.random.default_rng(2)
    left, right = draw.integers(0, 1_000, 3_000), draw.integers(0, 1_000, 3_000)
    a, b = joined([Window(left, right, 700, 700, whole=True)], draw, 10_000)
    assert len(a)
    assert (left[a] + right[b] == 700).all()


def test_windows_that_nothing_hits_give_the_nearest_pairs() -> None:
    draw = np.random.default_rng(3)
    left, right = draw.random(1_000), draw.random(1_000)
    a, b = joined([Window(left, right, 2.5, 2.5001)], draw, 1_000)
    assert len(a)
    assert (left[a] + right[b]).max() > 1.5

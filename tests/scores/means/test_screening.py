"""Screens over many fold configurations: they rule out much, and never a configuration that an honest report has."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from mean_reports import means

from assay.scores.conventions import Undefined
from assay.scores.means.screens import possible_totals


def test_a_mean_between_two_steps_rules_the_configuration_out():
    # five folds of 8, 8, 8, 8 and 6 positives: the mean sensitivity moves in steps of 1/120, and 0.8393 is between two
    folds = np.array([[(8, 52), (8, 52), (8, 52), (8, 52), (6, 54)], [(8, 52), (8, 52), (8, 52), (7, 53), (7, 53)]])
    assert possible_totals(folds, means(sens="0.8393")).tolist() == [False, True]


@given(
    st.lists(st.tuples(st.integers(0, 40), st.integers(1, 40)), min_size=2, max_size=6),
    st.integers(2, 5),
    st.sampled_from([Undefined.ZERO, Undefined.ONE, Undefined.SKIP]),
    st.data(),
)
def test_no_honest_mean_is_ruled_out(folds, digits, convention, data):
    shares = [Fraction(data.draw(st.integers(0, p)), p) for p, _ in folds if p]
    if convention is not Undefined.SKIP:
        shares += [Fraction(int(convention is Undefined.ONE))] * (len(folds) - len(shares))
    if not shares:
        return
    mean = sum(shares) / len(shares)
    printed = f"{float(round(mean, digits)):.{digits}f}"
    assert possible_totals(np.array([folds]), means(f"{Fraction(1, 2 * 10**digits)}", sens=printed)).all()


def test_very_large_folds_are_left_to_the_search():
    folds = np.array([[(10**6 + i, 5) for i in range(10)]])
    assert possible_totals(folds, means(sens="0.83931234")).all()

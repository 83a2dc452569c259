"""Sizes that a report leaves open: all that fit, none that do not, smallest first."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice

from hypothesis import given, settings
from matrix_strategies import constraint_sets, fitting, printed

from assay.scores.constraints import Constraint
from assay.scores.sizes import fitting_sizes, prevalence_range

WITHOUT_SIZES = [
    printed("accuracy", ".455"),
    printed("recall", ".45"),
    printed("specificity", ".457"),
    printed("precision", ".321"),
]


def test_report_without_sizes_fits_one_small_set_its_multiples_and_one_more() -> None:
    sizes = [(p, n) for p, n, _ in fitting_sizes(WITHOUT_SIZES, 300)]
    assert sizes == [(20, 35), (40, 70), (60, 105), (80, 140), (93, 164), (100, 175)]


def test_another_digit_of_recall_leaves_the_multiples_alone() -> None:
    sharper = [printed("recall", ".450") if c.name == "recall" else c for c in WITHOUT_SIZES]
    assert [p for p, _, _ in fitting_sizes(sharper, 300)] == [20, 40, 60, 80, 100]


def test_reported_sizes_that_do_not_fit_are_not_among_them() -> None:
    assert not list(fitting_sizes(WITHOUT_SIZES, 300, p=49))
    assert [(p, n) for p, n, _ in fitting_sizes(WITHOUT_SIZES, 300, n=35)] == [(20, 35)]
    assert [(p, n) for p, n, _ in fitting_sizes(WITHOUT_SIZES, 300, p=93, n=164)] == [(93, 164)]


def test_large_limits_cost_nothing_until_they_are_reached() -> None:
    assert [p for p, _, _ in islice(fitting_sizes(WITHOUT_SIZES, 10**9), 2)] == [20, 40]


def test_scores_that_contradict_each_other_at_any_size_fit_none() -> None:
    contradicting = [printed("precision", ".321"), printed("f1", ".9"), printed("npv", ".321"), printed("acc", ".9")]
    assert prevalence_range(contradicting) is None
    assert not list(fitting_sizes(contradicting, 10**6))


def test_prevalence_follows_from_sensitivity_specificity_and_precision() -> None:
    exact = [printed(name, text, "0.0000001") for name, text in (("sens", "0.8"), ("spec", "0.9"), ("ppv", "0.5"))]
    lowest, highest = prevalence_range(exact) or (Fraction(0), Fraction(1))
    assert lowest < Fraction(1, 9) < highest
    assert highest - lowest < Fraction(1, 10**5)


@settings(max_examples=60)
@given(constraint_sets())
def test_sizes_equal_brute_force(constraints: list[Constraint]) -> None:
    every = [(p, total - p) for total in range(1, 9) for p in range(total + 1)]
    expected = [(p, n) for p, n in every if fitting(p, n, constraints)]
    found = list(fitting_sizes(constraints, 8))
    assert [(p, n) for p, n, _ in found] == expected
    assert all((m.p, m.n) == (p, n) and all(c.holds(m) for c in constraints) for p, n, m in found)

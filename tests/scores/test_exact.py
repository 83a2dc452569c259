"""Exact values are compared and rounded without error; intervals contain what they say."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.scores.exact import INFINITY, Interval, InverseRoot, Root, compare, decimal, floor_times

fractions = st.fractions(-3, 3, max_denominator=10**6)
roots = st.builds(
    lambda sign, square: Root(sign if square else 0, square), st.sampled_from([-1, 1]), st.fractions(0, 4)
)
inverse_roots = st.builds(InverseRoot, st.fractions(0, 10**4, max_denominator=10**6))
values = st.one_of(fractions, roots, inverse_roots)


def precisely(value: Fraction | Root | InverseRoot) -> Decimal:
    with localcontext() as context:
        context.prec = 60
        if isinstance(value, Fraction):
            return Decimal(value.numerator) / value.denominator
        root = (Decimal(value.square.numerator) / value.square.denominator).sqrt()
        return value.sign * root if isinstance(value, Root) else 1 / (1 + root)


@given(values, fractions)
def test_comparison_agrees_with_sixty_digits(value: Fraction | Root | InverseRoot, bound: Fraction) -> None:
    difference = precisely(value) - precisely(bound)
    if abs(difference) > Decimal("1e-40"):
        assert compare(value, bound) == (1 if difference > 0 else -1)


@given(fractions)
def test_a_root_of_a_square_equals_its_root(x: Fraction) -> None:
    assert compare(Root((x > 0) - (x < 0), x * x), x) == 0


@given(st.fractions(0, 100))
def test_an_inverse_root_of_a_square_equals_the_plain_fraction(x: Fraction) -> None:
    assert compare(InverseRoot(x * x), 1 / (1 + x)) == 0


@given(values, st.sampled_from([1, 10, 1000, 10**6, 10**9]))
def test_floor_times_brackets_the_value(value: Fraction | Root | InverseRoot, scale: int) -> None:
    below = floor_times(value, scale)
    assert compare(value, Fraction(below, scale)) >= 0
    assert compare(value, Fraction(below + 1, scale)) < 0


def test_infinity_exceeds_every_bound_and_lies_only_in_the_infinite_interval() -> None:
    assert compare(INFINITY, Fraction(10**9)) == 1
    assert INFINITY not in Interval(Fraction(0), None)
    assert INFINITY in Interval(None, None, infinite=True)
    assert Fraction(1) not in Interval(None, None, infinite=True)


@given(values, fractions, fractions, st.booleans(), st.booleans())
def test_interval_membership_follows_its_ends(
    value: Fraction | Root | InverseRoot, lo: Fraction, hi: Fraction, lo_open: bool, hi_open: bool
) -> None:
    above = compare(value, lo) > 0 or (compare(value, lo) == 0 and not lo_open)
    below = compare(value, hi) < 0 or (compare(value, hi) == 0 and not hi_open)
    assert (value in Interval(lo, hi, lo_open, hi_open)) == (above and below)


@given(fractions, fractions, fractions, st.booleans(), st.booleans())
def test_complement_holds_one_minus_each_number(
    x: Fraction, lo: Fraction, hi: Fraction, lo_open: bool, hi_open: bool
) -> None:
    interval = Interval(lo, hi, lo_open, hi_open)
    assert (x in interval) == (1 - x in interval.one_minus())
    assert interval.one_minus().one_minus() == interval


@given(fractions, st.lists(st.tuples(fractions, fractions, st.booleans(), st.booleans()), min_size=2, max_size=2))
def test_intersection_holds_what_both_hold(x: Fraction, ends: list[tuple[Fraction, Fraction, bool, bool]]) -> None:
    one, other = (Interval(*end) for end in ends)
    both = one.intersect(other)
    assert (x in both) == (x in one and x in other)
    assert not (both.empty and x in both)


@given(st.integers(-(10**12), 10**12), st.integers(0, 12))
def test_decimal_reads_back_as_the_same_number(digits: int, places: int) -> None:
    number = Fraction(digits, 10**places)
    assert Fraction(decimal(number)) == number


@pytest.mark.parametrize(
    ("number", "text"),
    [(Fraction(1, 3), "1/3"), (Fraction(-5, 4), "-1.25"), (Fraction(7), "7"), (Fraction(1, 2000), "0.0005")],
)
def test_decimal_is_written_as_people_write_it(number: Fraction, text: str) -> None:
    assert decimal(number) == text


def test_interval_prints_its_ends() -> None:
    assert str(Interval(Fraction(1, 2), None, lo_open=True)) == "(0.5, ∞)"
    assert str(Interval(None, Fraction(1, 4))) == "(-∞, 0.25]"

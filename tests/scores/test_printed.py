"""Printed digits → exact intervals."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError
from assay.scores.conventions import Rounding
from assay.scores.definitions import SCORES
from assay.scores.exact import Interval
from assay.scores.printed import read_eps, read_figure, read_spread

ACC, MCC, TP, DOR = SCORES["acc"], SCORES["mcc"], SCORES["tp"], SCORES["dor"]


def interval(text, score=ACC, **options):
    return read_figure(text, score, name=score.name, **options).interval


def closed(lo, hi):
    return Interval(Fraction(lo), Fraction(hi))


def test_trailing_zeros_are_precision():
    assert interval("0.940") == closed("0.9395", "0.9405")
    assert interval("0.94") == closed("0.935", "0.945")


@pytest.mark.parametrize("text", ["94.0%", "94.0 %", "0.940", ".940", "0,940", "9.40e-1"])
def test_one_figure_in_many_spellings(text):
    assert interval(text) == closed("0.9395", "0.9405")


def test_a_typographic_minus_is_a_minus():
    assert interval("\N{MINUS SIGN}0.5", MCC) == interval("-0.5", MCC)


def test_percent_setting_reads_bare_numbers_as_percentages():
    assert interval("94.0", percent=True) == closed("0.9395", "0.9405")
    assert interval("12.5", DOR, percent=True) == closed("12.45", "12.55"), "odds ratios are no percentages"


def test_rounding_modes():
    v, u = Fraction("0.94"), Fraction("0.01")
    assert interval("0.94", rounding=Rounding.DOWN) == Interval(v, v + u, hi_open=True)
    assert interval("0.94", rounding=Rounding.UP) == Interval(v - u, v, lo_open=True)
    assert interval("0.94", rounding=Rounding.UNKNOWN) == Interval(v - u, v + u, lo_open=True, hi_open=True)
    assert interval("-0.94", MCC, rounding=Rounding.DOWN) == Interval(-v - u, -v + u, lo_open=True, hi_open=True)


def test_an_uncertainty_given_by_hand_replaces_the_digits():
    assert interval("0.94", eps=Fraction(1, 10)) == closed("0.84", "1.04")


@pytest.mark.parametrize("text", ["0.94 ± 0.02", "0.94±0.02", "0.94 +/- 0.02", "94%±2%", "94 ± 2%", "94% ± 2"])
def test_mean_and_spread(text):
    printed = read_figure(text, ACC, name="acc")
    assert printed.interval == closed("0.935", "0.945")
    assert printed.sd == closed("0.015", "0.025")


def test_a_spread_is_never_negative():
    assert read_figure("0.94 ± 0.00", ACC, name="acc").sd == closed("0", "0.005")
    with pytest.raises(InputError, match="negative"):
        read_figure("0.94 ± -0.02", ACC, name="acc")
    with pytest.raises(InputError, match="negative"):
        read_spread("-1", name="acc sd", rounding=Rounding.NEAREST, eps=None, percent=False)


def test_an_interval_stands_for_itself():
    assert interval("[0.93, 0.95]") == closed("0.93", "0.95")
    with pytest.raises(InputError, match="smaller end first"):
        interval("[0.95, 0.93]")


def test_infinity_only_where_it_can_be():
    assert interval("inf", DOR).infinite
    with pytest.raises(InputError, match="never infinite"):
        interval("inf")


def test_counts_are_exact_whole_numbers():
    for rounding in Rounding:
        assert interval("12", TP, rounding=rounding) == closed(12, 12)
    assert interval("12", TP, eps=Fraction(1, 2)) == closed(12, 12)
    for wrong in ("12.5", "12%", "-1"):
        with pytest.raises(InputError):
            interval(wrong, TP)


def test_a_forgotten_percent_sign_is_guessed():
    with pytest.raises(InputError, match=r"94\.5%\?"):
        interval("94.5")


@pytest.mark.parametrize("text", ["ten", "", "NaN", "1.2", "-0.1", "0.9.4", "1e9999", "0.5" * 40, "0.94 ± x", "[1,2"])
def test_what_is_no_score_is_refused_with_a_message(text):
    with pytest.raises(InputError) as caught:
        interval(text)
    assert "acc" in str(caught.value)


@pytest.mark.parametrize("text", ["0", "-0.1", "1", "x"])
def test_an_eps_must_be_positive_and_small(text):
    with pytest.raises(InputError):
        read_eps(text)


@given(st.fractions(0, 1), st.integers(1, 6))
def test_the_true_value_is_always_inside_what_its_rounding_leaves_open(value, digits):
    unit = Fraction(1, 10**digits)
    down = value // unit * unit
    for printed, rounding in ((round(value / unit) * unit, Rounding.NEAREST), (down, Rounding.DOWN)):
        text = f"{float(printed):.{digits}f}"
        for mode in {rounding, Rounding.UNKNOWN}:
            assert value in interval(text, rounding=mode)

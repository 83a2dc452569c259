"""How a reproduced result stands to the original."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from assay.errors import InputError
from assay.reproduction.outcomes import (
    AttemptOutcome,
    Direction,
    Measured,
    Outcome,
    attempt_outcome,
    judge,
    summary_of_runs,
)

SAME, E, C, D, U = Outcome.IDENTICAL, Outcome.EQUIVALENT, Outcome.CONSISTENT, Outcome.DIFFERENT, Outcome.UNDECIDABLE
N = Outcome.INDISTINGUISHABLE


def outcome(original: str, reproduced: str, *baselines: str) -> Outcome:
    return judge(Measured(original), Measured(reproduced), map(Measured, baselines)).outcome


@pytest.mark.parametrize(
    ("original", "reproduced", "expected"),
    [
        ("0.83", "0.8345", SAME),
        ("0.83", "0.8399", SAME),  # cut off
        ("0.83", "0.825", SAME),
        ("0.83", "0.8249", D),
        ("0.830", "0.83", U),  # too few digits to show identity
        ("0.9905", "1", U),
        ("0.8304", "0.8", U),
        ("0.8304", "0.9", D),
        ("1e-197", "1.2e-197", SAME),
        ("-0.83", "-0.8399", SAME),  # cut off
        ("-0.83", "-0.8249", D),
        ("93.0", "0.930", U),  # perhaps a percentage
        ("0.930", "92", U),
        ("93.0%", "0.9301", SAME),
        ("93.0", "0.60", D),
        ("1", "0.01", D),
        ("83.0%", "0.8301", SAME),
        ("0.83", "0.84", D),
        ("-0.5", "-0.5", SAME),
    ],
)
def test_numbers_are_identical_at_printed_digits(original: str, reproduced: str, expected: Outcome):
    assert outcome(original, reproduced) is expected


def test_a_figure_that_was_cut_off_is_flagged():
    found = judge(Measured("0.83"), Measured("0.8399"))
    assert found.verdict == "identical, if cut off"
    assert found.reasons == ("the same only if the article cut off its digits: 0.8399 does not round to it",)
    assert not judge(Measured("0.83"), Measured("0.8345")).truncated


def test_a_coarse_reproduction_may_be_consistent_but_is_not_called_different():
    assert outcome("0.8304", "0.8", "0.75") is C
    assert outcome("0.8304", "0.8", "0.81") is U


def test_two_scales_are_asked_about():
    assert judge(Measured("93.0"), Measured("0.930"), [Measured("90.0")]).reasons == (
        "is one of 93.0 and 0.930 a percentage? Write its percent sign",
    )


def test_the_side_of_every_baseline_decides_what_is_consistent():
    assert outcome("0.8304", "0.8323", "0.8224") is C
    assert outcome("0.8304", "0.8200", "0.8224") is D
    assert outcome("0.8304", "0.8200", "0.81", "0.8224") is D


@pytest.mark.parametrize(
    ("original", "reproduced", "direction", "reason"),
    [
        (
            *("0.85", "0.80", None),
            'the claim "better than 0.80" is lost, if higher is better: the reproduction is as good as it',
        ),
        (
            *("0.85", "0.80", Direction.HIGHER),
            'the claim "better than 0.80" is lost: the reproduction is as good as it',
        ),
        (
            *("0.75", "0.80", Direction.LOWER),
            'the claim "better than 0.80" is lost: the reproduction is as good as it',
        ),
        (
            *("0.85", "0.70", Direction.LOWER),
            'the claim "worse than 0.80" is lost: the reproduction is better than it',
        ),
    ],
)
def test_a_tie_with_a_baseline_loses_the_claim_to_differ_from_it(
    original: str, reproduced: str, direction: Direction | None, reason: str
):
    found = judge(Measured(original), Measured(reproduced), [Measured("0.80")], direction=direction)
    assert (found.outcome, found.reasons) == (D, (reason,))


def test_an_original_as_good_as_its_baseline_loses_that_to_a_worse_reproduction():
    assert outcome("0.80", "0.60", "0.80") is D
    assert outcome("0.80", "0.85", "0.80") is C
    assert judge(Measured("0.80"), Measured("0.85"), [Measured("0.80")], direction=Direction.LOWER).outcome is D


def test_spreads_show_difference_and_equivalence():
    one, near, far = Measured("92.1", 0.2, 5), Measured("91.9", 0.2, 5), Measured("90.0", 0.2, 5)
    assert judge(one, near, margin=0.6).outcome is E
    assert judge(one, near, margin=0.1).outcome is N
    found = judge(one, far)
    assert found.outcome is D
    _, p = stats.ttest_ind_from_stats(92.1, 0.2, 5, 90.0, 0.2, 5, equal_var=False)
    assert found.p_different == pytest.approx(p)


def test_another_number_without_a_baseline_is_different():
    found = judge(Measured("0.815"), Measured("0.60"))
    assert (found.outcome, found.reasons) == (D, ("another number, and no baseline",))


def test_overlapping_means_are_not_distinguishable_and_show_their_interval():
    found = judge(Measured("88.0", 1.0, 10), Measured("87.9", 1.1, 5))
    assert found.outcome is N
    assert found.p_different == pytest.approx(0.87, abs=0.005)
    assert found.reasons == (
        "not distinguishable at these spreads",
        "Welch: difference -0.1, 95 % interval -1.47 to 1.27, p = 0.869",
    )


@pytest.mark.parametrize(
    ("runs", "value"),
    [
        (["0.812", "0.81", "0.809"], "0.8103"),
        (["81.2%", "81.0%"], "0.8110"),
        (["120", "131"], "125.5"),
        (["1e-197", "2e-197"], "15e-198"),
        (["-0.5"], "-0.50"),
        (["1e120", "1e-120"], "5" + "0" * 39 + "e80"),
        (["1e-999", "1e-999"], "0e-300"),
    ],
)
def test_runs_have_a_mean_with_one_digit_more(runs: list[str], value: str):
    found = summary_of_runs(runs)
    assert (found.value, found.runs) == (value, len(runs))
    assert (found.spread is None) is (len(runs) == 1)


@pytest.mark.parametrize(("items", "p"), [(10_000, 0.72), (1_000_000, 0.0003)])
def test_the_same_two_shares_mean_little_or_much_by_their_number(items: int, p: float):
    found = judge(Measured("0.8304", items=items), Measured("0.8323", items=items))
    assert found.p_different == pytest.approx(p, rel=0.2)


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        ([], AttemptOutcome.NO_RESULT),
        ([U, U], AttemptOutcome.UNDECIDED),
        ([N], AttemptOutcome.UNDECIDED),
        ([N, U, SAME], AttemptOutcome.SUCCESS),
        ([N, D], AttemptOutcome.FAILURE),
        ([SAME] * 6, AttemptOutcome.SUCCESS),
        ([SAME, E], AttemptOutcome.SUCCESS),
        ([SAME] * 3 + [C] * 3, AttemptOutcome.PARTIAL),
        ([C] + [D] * 7, AttemptOutcome.PARTIAL),
        ([D, D], AttemptOutcome.FAILURE),
    ],
)
def test_an_attempt_ends_as_its_experiments_do(outcomes: list[Outcome], expected: AttemptOutcome):
    assert attempt_outcome(outcomes) is expected


@given(st.integers(-9999, 9999), st.integers(0, 4))
def test_a_number_is_identical_to_itself_however_many_zeros_it_prints(value: int, digits: int):
    text = f"{value / 10**digits:.{digits}f}"
    longer = f"{value / 10**digits:.{digits + 2}f}"
    assert outcome(text, text) is SAME
    assert outcome(text, longer) is SAME
    assert outcome(longer, text) is U


@pytest.mark.parametrize("text", ["", "many", "0.9.3", "nan", "1/0"])
def test_what_is_no_number_is_refused(text: str):
    with pytest.raises(InputError, match="is no number"):
        _ = Measured(text).exact


def test_numbers_with_an_exponent_keep_their_digits():
    assert outcome("1.5e-197", "1.50e-197") is SAME
    assert outcome("1.5e-197", "1.6e-197") is D
    assert Measured("1.5e3").unit == 100
    assert Measured("2e-3").unit == Fraction(1, 1000)


def test_a_number_beyond_all_results_is_refused():
    with pytest.raises(InputError, match="too large"):
        judge(Measured("1e400", 1.0, 5), Measured("1e400", 1.0, 5))


def test_shares_are_equivalent_only_within_the_margin():
    one, other = Measured("0.900", items=20_000), Measured("0.905", items=20_000)
    assert judge(one, other, margin=0.02).outcome is E
    assert judge(one, other, margin=0.006).outcome is N


@given(st.integers(0, 100), st.integers(0, 100), st.integers(1, 5000), st.floats(0.001, 0.5))
def test_equivalence_of_shares_is_the_smaller_interval_within_the_margin(a: int, b: int, items: int, margin: float):
    """TOST at 5 % says the same as: the 90 % interval of the difference lies within the margin."""
    from math import sqrt

    one, other = Measured(f"{a / 100:.2f}", items=items), Measured(f"{b / 100:.2f}", items=items)
    p = judge(one, other, margin=margin).p_not_equivalent
    gap, error = (b - a) / 100, sqrt(a / 100 * (1 - a / 100) / items + b / 100 * (1 - b / 100) / items)
    reach = abs(gap) + 1.6448536269514722 * error
    if p is not None and abs(reach - margin) > 1e-9 and error:
        assert (p < 0.05) is (reach < margin)


@pytest.mark.parametrize("printed", ["1e99999999", "1e-99999999", "9" * 5000, "0." + "9" * 5000])
def test_numbers_that_would_take_forever_are_refused_at_once(printed):
    with pytest.raises(InputError, match="is too long a number"):
        _ = Measured(printed).exact

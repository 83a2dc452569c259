"""Medians over folds: honest ones are never called inconsistent, and those between two steps are excluded at once."""

from fractions import Fraction
from statistics import median

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.findings import Verdict
from assay.scores.check import Result, check
from assay.scores.definitions import SCORES, Matrix
from assay.scores.folds import stratified
from assay.scores.reading import read_words

FOLDS = ("p=100", "n=200", "folds=5", "fold_model=stratified")


def checked(*words: str) -> Result:
    return check(read_words(list(words)))


def printed(value: Fraction, digits: int, *, cut: bool) -> str:
    scaled = value * 10**digits
    return f"{float(Fraction(int(scaled) if cut else round(scaled), 10**digits)):.{digits}f}"


@settings(max_examples=10, deadline=None)
@given(
    st.tuples(st.integers(10, 40), st.integers(10, 40), st.sampled_from([3, 4, 5])),
    st.sets(st.sampled_from(["acc", "sens", "spec", "f1"]), min_size=1, max_size=2),
    st.tuples(st.integers(2, 4), st.booleans()),
    st.data(),
)
def test_honest_medians_are_never_inconsistent(
    sizes: tuple[int, int, int], names: set[str], printing: tuple[int, bool], data: st.DataObject
):
    (p, n, k), (digits, cut) = sizes, printing
    parts = next(stratified(p, n, k).configurations())
    matrices = []
    for part in parts:
        tp, tn = data.draw(st.integers(1, part.p)), data.draw(st.integers(0, part.n))
        matrices.append(Matrix(tp, part.p - tp, part.n - tn, tn))
    words = [f"p={p}", f"n={n}", f"folds={k}", "fold_model=stratified", f"rounding={'down' if cut else 'nearest'}"]
    for name in sorted(names):
        values = [Fraction(str(SCORES[name].value(matrix))) for matrix in matrices]
        words.append(f"{name}_median={printed(median(values), digits, cut=cut)}")
        if data.draw(st.booleans()):
            words.append(f"{name}_min={printed(min(values), digits, cut=cut)}")
        if data.draw(st.booleans()):
            words.append(f"{name}={printed(sum(values, Fraction(0)) / k, digits, cut=cut)}")
    assert checked(*words).verdict is not Verdict.INCONSISTENT


@pytest.mark.parametrize(
    "figures",
    [
        ("acc_median=0.9100",),  # 60 items a fold: steps of 1/60
        ("acc=0.95", "acc_median=0.8000"),  # three folds at .80 or less leave a mean of .88 at most
        ("acc_median=0.90", "acc_min=0.92"),
        ("sens_median=0.90", "spec_median=0.90", "acc_max=0.70"),
    ],
)
def test_impossible_medians_are_excluded(figures: tuple[str, ...]):
    assert checked(*FOLDS, *figures).verdict is Verdict.INCONSISTENT


def test_the_median_of_an_even_number_of_folds_is_half_the_sum_of_two():
    words = ("p=100", "n=200", "folds=10", "fold_model=stratified")
    assert checked(*words, "acc_median=0.8833").verdict is Verdict.CONSISTENT  # (26 + 27) / 60
    refuted = checked(*words, "acc_median=0.8900")
    assert refuted.verdict is Verdict.INCONSISTENT
    assert "a multiple of 1/60" in refuted.decisive.answer.reason


def test_a_witness_of_a_median_has_it():
    result = checked(*FOLDS, "acc_median=0.9000", "acc_min=0.8500", "acc=0.9033")
    values = [Fraction(m.tp + m.tn, 60) for m in result.decisive.answer.witness]
    assert median(values) == Fraction(9, 10)
    assert min(values) == Fraction(51, 60)


def test_medians_of_areas_and_of_several_classes_are_tested():
    assert checked(*FOLDS, "auc_median=0.9100", "auc_min=0.85").verdict is Verdict.CONSISTENT
    classes = ("classes=50,50,50", "folds=5", "fold_model=stratified")
    assert checked(*classes, "acc_median=0.9667", "f1_macro=0.95").verdict is Verdict.CONSISTENT
    assert checked(*classes, "acc_median=0.9500").verdict is Verdict.INCONSISTENT  # 30 items a fold


def test_pooled_counts_have_no_median_and_no_extremes():
    readings = [one.reading for one in checked("p=100", "n=200", "folds=5", "acc_median=0.9").hypotheses]
    assert not any("pooled" in reading for reading in readings)
    assert checked("p=100", "n=200", "folds=5", "acc_min=0.91", "acc_max=0.90").verdict is Verdict.INCONSISTENT


@pytest.mark.parametrize(
    "words",
    [
        "p=55 n=107 folds=5 fold_model=stratified acc_median=0.750 sens_median=0.636",
        "p=66 n=297 folds=10 fold_model=stratified spec_median=0.8000 spec_max=0.8667 f1_median=0.4706",
    ],
)
def test_parts_that_cannot_have_the_median_lie_on_both_sides_of_it(words: str) -> None:
    """Folds of 32 items can have an accuracy of 0.750 and those of 33 cannot."""
    assert check(read_words(words.split())).verdict is Verdict.CONSISTENT


@pytest.mark.no_cover
def test_wide_windows_do_not_make_the_search_endless():
    # Most pairs of sums fall into the windows of these figures: looking at all of them took 13 minutes.
    words = "p=37 n=197 folds=10 fold_model=stratified acc_median=0.809 spec_median=0.850 spec_max=0.900 spec=0.858"
    assert check(read_words(words.split())).verdict is not Verdict.INCONSISTENT


@pytest.mark.parametrize(
    "words",
    [
        "p=134 n=286 folds=10 fold_model=stratified sens_median=0.59",  # 8 of 13 beside 8 of 14
        "p=65 n=127 folds=10 fold_model=stratified f1_median=0.5167 acc_median=0.6316",
        "p=143 n=102 folds=10 fold_model=stratified spec_median=0.700 spec_max=0.727 acc_median=0.792 acc_min=0.750",
    ],
)
def test_a_median_may_lie_half_way_between_two_folds(words: str) -> None:
    """Of ten folds none has these medians, but the fifth and the sixth are on both sides of them."""
    assert check(read_words(words.split())).verdict is Verdict.CONSISTENT

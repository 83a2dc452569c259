"""Regression scores: what numpy computes is never called inconsistent, and witnesses are real residuals."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import (
    explained_variance_score,
    max_error,
    mean_absolute_error,
    mean_squared_error,
    median_absolute_error,
    r2_score,
    root_mean_squared_error,
)

from assay.errors import InputError
from assay.findings import Verdict
from assay.scores.answers import Answer
from assay.scores.check import check
from assay.scores.exact import Interval
from assay.scores.reading import read_words
from assay.scores.regression import as_squared_correlation, solve
from assay.scores.regression.relations import least_square, most_square
from assay.scores.regression.residuals import Level, evenest, mean_square, mixed, places, steepest
from examples_tried import a_third_of

CORE = ("mae", "mse", "rmse", "r2", "max_error")


def around(x: float, digits: int, steps: int = 0) -> Interval:
    unit = Fraction(1, 10**digits)
    shown = Fraction(round(float(x) * 10**digits) + steps, 10**digits)
    return Interval(shown - unit / 2, shown + unit / 2)


def sklearn_scores(actual: np.ndarray, predicted: np.ndarray) -> dict[str, float]:
    return {
        "mae": mean_absolute_error(actual, predicted),
        "mse": mean_squared_error(actual, predicted),
        "rmse": root_mean_squared_error(actual, predicted),
        "r2": r2_score(actual, predicted),
        "max_error": max_error(actual, predicted),
        "medae": median_absolute_error(actual, predicted),
        "ev": explained_variance_score(actual, predicted),
        "me": float(np.mean(predicted - actual)),
    }


@st.composite
def regressions(draw: st.DrawFn, *, whole: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Targets that vary, and predictions with errors of many kinds."""
    n = draw(st.sampled_from([2, 3, 4, 5, 10, 51, 200]))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    actual = random.normal(0, draw(st.sampled_from([2, 20])), n)
    errors = draw(st.sampled_from([random.normal(0, 1, n), random.standard_t(2, n), np.ones(n), np.zeros(n)]))
    errors = errors * draw(st.sampled_from([0.1, 1.0, 5.0]))
    if whole:
        actual, errors = np.round(actual), np.round(errors)
    actual[0] += 10
    return actual, actual + errors


def residuals_of(answer: Answer) -> list[Fraction]:
    levels = [(n.removeprefix("residuals of "), x) for n, x in answer.figures if n.startswith("residuals of ")]
    return [Fraction(size) for size, count in levels for _ in range(int(str(count)))]


def recomputed(answer: Answer) -> dict[str, float]:
    residuals = residuals_of(answer)
    n, sizes = len(residuals), sorted(map(abs, residuals))
    return {
        "mae": float(sum(sizes) / n),
        "mse": float(sum(x * x for x in sizes) / n),
        "rmse": float(sum(x * x for x in sizes) / n) ** 0.5,
        "max_error": float(sizes[-1]),
    }


@settings(max_examples=a_third_of(80), deadline=None)
@given(regressions(), st.data())
def test_figures_computed_by_scikit_learn_are_never_inconsistent(
    made: tuple[np.ndarray, np.ndarray], data: st.DataObject
):
    actual, predicted = made
    scores = sklearn_scores(actual, predicted)
    names = data.draw(st.lists(st.sampled_from(sorted(scores)), min_size=1, max_size=8, unique=True))
    digits, ddof = data.draw(st.integers(1, 5)), data.draw(st.integers(0, 1))
    variance = around(np.var(actual, ddof=ddof), digits)
    answer = solve(len(actual), {n: around(scores[n], digits) for n in names}, variance=variance)
    assert answer.verdict is not Verdict.INCONSISTENT, (answer.reason, scores)


@settings(max_examples=a_third_of(70), deadline=None)
@given(regressions(), st.integers(1, 5), st.sets(st.sampled_from(CORE), min_size=1))
def test_core_figures_always_get_a_witness(made: tuple[np.ndarray, np.ndarray], digits: int, names: set[str]):
    actual, predicted = made
    scores = sklearn_scores(actual, predicted)
    reported = {n: around(scores[n], digits) for n in sorted(names)}
    answer = solve(len(actual), reported, variance=around(np.var(actual), digits))
    assert answer.verdict is Verdict.CONSISTENT, (answer.reason, scores)
    assert len(residuals_of(answer)) == len(actual)
    again = recomputed(answer)
    assert all(abs(again[n] - scores[n]) < 1.01 * 10**-digits for n in names - {"r2"})


EVERY = (*CORE, "medae", "me", "ev")


@pytest.mark.parametrize("seed", range(12))
def test_mixtures_of_all_figures_get_a_witness(seed):
    random = np.random.default_rng(seed)
    n = int(random.choice([1, 3, 4, 10, 51, 1000, 20_000]))
    whole = bool(random.integers(2))
    actual, errors = random.normal(0, 30, n), 3 + random.standard_t(3, n) * 10
    actual, errors = (np.round(actual), np.round(errors)) if whole else (actual, errors)
    names = random.choice([name for name in EVERY if n > 1 or name not in ("r2", "ev")], 4, replace=False)
    scores = sklearn_scores(actual, actual + errors) if n > 1 else one_item(float(errors[0]))
    answer = solve(n, {str(name): around(scores[name], 2) for name in names}, integer=whole)
    assert answer.verdict is Verdict.CONSISTENT


def one_item(error: float) -> dict[str, float]:
    return {**dict.fromkeys(("mae", "rmse", "max_error", "medae"), abs(error)), "mse": error**2, "me": error}


@pytest.mark.parametrize(
    ("n", "integer", "reported"),
    [
        (10_000, True, {"rmse": "14.2571", "mae": "10.2725", "medae": "8.0000", "r2_score": "0.7759"}),
        (100, True, {"medae": "11", "r2_score": "0.7708", "ev": "0.8449", "mae": "12.40", "max_error": "44"}),
        (4, True, {"r2_score": "0.846", "ev": "0.897"}),
        (3, True, {"ev": "-1.0936", "mae": "18.0000", "r2_score": "-2.1386"}),
        (
            4,
            False,
            {"mse": "381.3961", "medae": "6.4878", "r2_score": "-2.6847", "max_error": "37.8471", "ev": "-1.2127"},
        ),
        (4, False, {"max_error": "15.0", "me": "-4.3", "r2_score": "0.9", "mse": "100.2", "ev": "1.0"}),
    ],
)
def test_honest_figures_of_real_predictions_get_a_witness(n: int, integer: bool, reported: dict[str, str]):
    windows = {name: around(float(x), len(x.partition(".")[2])) for name, x in reported.items()}
    assert solve(n, windows, integer=integer).verdict is Verdict.CONSISTENT


@pytest.mark.parametrize(
    ("n", "reported", "conflict"),
    [
        (4, {"max_error": "2.0", "me": "5.0"}, {"max_error", "me"}),
        (1, {"me": "4.0", "mae": "5.0"}, {"me", "mae"}),
        (1, {"medae": "4.0", "max_error": "5.0"}, {"medae", "max_error"}),
        (2, {"medae": "1.0", "mae": "2.0"}, {"medae", "mae"}),
    ],
)
def test_plain_relations_between_errors_are_known(n, reported, conflict):
    answer = solve(n, {name: around(float(x), 1) for name, x in reported.items()})
    assert answer.verdict is Verdict.INCONSISTENT
    assert set(answer.conflict) == conflict


def test_a_mean_of_whole_errors_moves_in_whole_steps():
    answer = solve(4, {"me": around(1.10, 2)}, integer=True)
    assert answer.verdict is Verdict.INCONSISTENT
    assert "no whole number" in answer.reason


def test_a_range_of_the_targets_is_a_scale_and_has_digits():
    # true values 3,3,3,2,4,3,3,3,3,3 on a scale from 1 to 5
    on_a_scale = solve(10, {"rmse": around(0.5, 2), "r2_score": around(-0.25, 2)}, target_range=(1, 5))
    assert on_a_scale.verdict is Verdict.CONSISTENT
    # true values 1.24 and 8.66, printed as 1.2 and 8.7
    printed = (around(1.2, 1), around(8.7, 1))
    for attained in (False, True):
        options = {"variance": around(13.76, 2), "ddof": 0, "target_range": printed, "range_attained": attained}
        assert solve(2, {"rmse": around(1, 2)}, **options).verdict is Verdict.CONSISTENT
    attained_ends = {"target_range": (1, 5), "range_attained": True}
    assert solve(2, {"rmse": around(1, 2)}, variance=around(1, 2), **attained_ends).verdict is Verdict.INCONSISTENT


@settings(max_examples=a_third_of(80), deadline=None)
@given(regressions(whole=True), st.integers(1, 5), st.sets(st.sampled_from(CORE), min_size=1))
def test_whole_numbers_are_never_inconsistent(made: tuple[np.ndarray, np.ndarray], digits: int, names: set[str]):
    actual, predicted = made
    scores = sklearn_scores(actual, predicted)
    reported = {n: around(scores[n], digits) for n in sorted(names)}
    answer = solve(len(actual), reported, variance=around(np.var(actual), digits), integer=True)
    assert answer.verdict is not Verdict.INCONSISTENT, answer.reason
    assert all(x.denominator == 1 for x in residuals_of(answer))


def test_whole_errors_agree_with_trying_all_of_them():
    n, every = 3, list(itertools.product(range(5), repeat=3))
    real = {(sum(e), sum(x * x for x in e), max(e)) for e in every}
    for total, squares, largest in itertools.product(range(9), range(30), range(5)):
        exact = {"mae": Fraction(total, n), "mse": Fraction(squares, n), "max_error": Fraction(largest)}
        answer = solve(n, {name: Interval(x, x) for name, x in exact.items()}, integer=True)
        possible = (total, squares, largest) in real
        assert answer.verdict is (Verdict.CONSISTENT if possible else Verdict.INCONSISTENT)


@pytest.mark.parametrize("n", [2, 3])
def test_signed_whole_errors_with_a_median_agree_with_trying_all_of_them(n):
    def figures(errors: tuple[int, ...]) -> tuple[Fraction, Fraction, Fraction]:
        sizes = sorted(map(abs, errors))
        middle = Fraction(sizes[(n - 1) // 2] + sizes[n // 2], 2)
        return Fraction(sum(errors), n), Fraction(sum(x * x for x in errors), n), middle

    real = {figures(errors) for errors in itertools.product(range(-5, 6), repeat=n)}
    for signed, squares, doubled in itertools.product(range(-5, 6), range(10), range(7)):
        wanted = Fraction(signed, n), Fraction(squares, n), Fraction(doubled, 2)
        reported = {name: Interval(x, x) for name, x in zip(("me", "mse", "medae"), wanted, strict=True)}
        verdict = Verdict.CONSISTENT if wanted in real else Verdict.INCONSISTENT
        assert solve(n, reported, integer=True).verdict is verdict, wanted


@given(st.lists(st.fractions(0, 5, max_denominator=7), min_size=1, max_size=6))
def test_the_mean_square_lies_between_its_bounds(sizes: list[Fraction]):
    n, mean, largest = len(sizes), sum(sizes) / len(sizes), max(sizes)
    square = sum(x * x for x in sizes) / n
    assert least_square(n, mean, largest) <= square <= most_square(n, mean, largest)


@given(st.lists(st.fractions(0, 5, max_denominator=7), min_size=1, max_size=7), st.fractions(0, 1), st.booleans())
def test_mixtures_keep_mean_largest_and_median_size(sizes: list[Fraction], share: Fraction, with_median: bool):
    n, ordered = len(sizes), sorted(sizes)
    if n % 2 == 0:  # the two middle sizes are taken for equal
        ordered[n // 2] = ordered[n // 2 - 1]
    total, largest = sum(ordered), max(ordered)
    parts = places(n, largest, ordered[n // 2] if with_median and n > 2 else None)
    even, steep = evenest(parts, total), steepest(parts, total)
    assert even is not None
    square = sum(x * x for x in ordered) / n
    assert mean_square(even, n) <= square <= mean_square(steep, n)
    levels = [Level(*level) for level in mixed(even, steep, share)]
    flat = [size for size, number in levels for _ in range(number)]
    assert (len(flat), sum(flat), max(flat)) == (n, total, largest)
    assert flat == sorted(flat)
    assert not (with_median and n > 2) or flat[n // 2] == ordered[n // 2]


@pytest.mark.parametrize(
    ("n", "reported", "conflict", "said"),
    [
        (100, {"rmse": "0.5", "mse": "0.9"}, {"rmse", "mse"}, "mean square in [0.2025, 0.3025]"),
        (100, {"r2": "1.5"}, {"r2"}, "never above 1"),
        (100, {"mae": "-1"}, {"mae"}, "never negative"),
        (4, {"rmse": "10", "mae": "0.01"}, {"rmse", "mae"}, "at most"),
        (100, {"mae": "2.1", "rmse": "1.9"}, {"mae", "rmse"}, "at least 4.2025"),
        (100, {"mae": "2.1", "max_error": "1.5"}, {"mae", "max_error"}, "cannot exceed the largest"),
        (10, {"mae": "1.0", "max_error": "11.5"}, {"mae", "max_error"}, "add up to no more than 10.5"),
        (10, {"rmse": "1.0", "max_error": "4.0"}, {"rmse", "max_error"}, "at least"),
        (10, {"mae": "1.0", "rmse": "1.5", "max_error": "4.9"}, {"mae", "rmse", "max_error"}, "at least"),
        (10, {"medae": "3.0", "mae": "1.0"}, {"medae", "mae"}, "at least 6 of 10 errors"),
        (10, {"me": "-3.0", "mae": "1.0"}, {"me", "mae"}, "never farther from 0"),
        (10, {"r2": "0.9", "ev": "0.7"}, {"r2", "ev"}, "never below R²"),
    ],
)
def test_impossible_figures_are_refuted_with_the_reason(
    n: int, reported: dict[str, str], conflict: set[str], said: str
):
    digits = {name: len(x.partition(".")[2]) for name, x in reported.items()}
    answer = solve(n, {name: around(float(x), digits[name]) for name, x in reported.items()})
    assert answer.verdict is Verdict.INCONSISTENT
    assert set(answer.conflict) == conflict
    assert said in answer.reason


def test_the_mean_square_needs_all_three_figures_when_no_two_conflict():
    # Ten errors of mean 1 with one of 4: the squares add up to 16 + 36/9 = 20 at least.
    reported = {"mae": around(1, 3), "max_error": around(4, 3)}
    assert solve(10, reported | {"mse": around(2, 3)}).verdict is Verdict.CONSISTENT
    answer = solve(10, reported | {"mse": around(1.98, 3)})
    assert answer.verdict is Verdict.INCONSISTENT
    assert set(answer.conflict) == {"mae", "max_error", "mse"}


def test_r2_is_tested_against_the_variance_of_the_targets_divided_either_way():
    r2 = {"r2": around(0.8, 4)}
    for mse in (2.0, 1.98):  # 10·(1 - 0.8), and the same times 99/100
        assert solve(100, r2 | {"mse": around(mse, 4)}, variance=10).verdict is Verdict.CONSISTENT
    assert solve(100, r2 | {"mse": around(1.98, 4)}, variance=10, ddof=0).verdict is Verdict.INCONSISTENT
    answer = solve(100, r2 | {"mse": around(1.99, 4)}, variance=10)
    assert answer.verdict is Verdict.INCONSISTENT
    assert set(answer.conflict) == {"mse", "r2", "variance"}


def test_r2_may_be_the_squared_correlation_unless_its_name_says_otherwise():
    def both(r2: float, name: str = "r2") -> tuple[Verdict, Verdict | None]:
        reported = {name: around(r2, 3), "mse": around(2, 3)}
        other = as_squared_correlation(100, reported, variance=10)
        return solve(100, reported, variance=10).verdict, other and other.verdict

    assert both(0.9) == (Verdict.INCONSISTENT, Verdict.UNDECIDED)
    assert both(0.7) == (Verdict.INCONSISTENT, Verdict.INCONSISTENT)
    assert both(0.9, "r2_score") == (Verdict.INCONSISTENT, None)
    assert both(0.9, "coefficient_of_determination") == (Verdict.INCONSISTENT, None)


@settings(max_examples=a_third_of(60))
@given(st.integers(3, 40), st.integers(0, 2**32 - 1), st.integers(2, 4))
def test_no_honest_squared_correlation_is_called_impossible(n: int, seed: int, digits: int):
    random = np.random.default_rng(seed)
    y = random.normal(0, 3, n)
    predicted = random.uniform(-1, 2) * y + random.normal(0, 2, n) + random.uniform(-1, 1)
    reported = {
        "r2": around(float(np.corrcoef(y, predicted)[0, 1] ** 2), digits),
        "rmse": around(float(np.sqrt(np.mean((y - predicted) ** 2))), digits),
        "mae": around(float(np.mean(np.abs(y - predicted))), digits),
    }
    for ddof in (0, 1):
        variance = around(float(y.var(ddof=ddof)), digits)
        for told in (None, ddof):
            answer = as_squared_correlation(n, reported, variance=variance, ddof=told)
            assert answer is not None
            assert answer.verdict is Verdict.UNDECIDED, answer.reason


def test_the_range_of_the_targets_bounds_their_variance():
    assert solve(10, {"mae": around(1, 1)}, variance=28, target_range=(0, 10)).verdict is Verdict.INCONSISTENT
    assert solve(10, {"mae": around(1, 1)}, variance=25, ddof=0, target_range=(0, 10)).verdict is Verdict.CONSISTENT
    answer = solve(10, {"r2": around(0.5, 3), "mse": around(13, 2)}, target_range=(0, 10))
    assert answer.verdict is Verdict.INCONSISTENT
    assert set(answer.conflict) == {"r2", "mse", "target_range"}


def test_equal_targets_have_an_r2_of_0_in_every_library():
    actual, found = np.array([-1, -1]), np.array([5, -7])
    assert r2_score(actual, found) == 0
    figures = {"rmse": around(6, 0), "r2_score": around(0, 0), "medae": around(6, 0)}
    ends = {"target_range": (Fraction(-1), Fraction(-1)), "integer": True}
    assert solve(2, figures, **ends).verdict is Verdict.CONSISTENT
    assert solve(2, figures | {"r2_score": around(0.7, 1)}, **ends).verdict is Verdict.INCONSISTENT


def test_whole_errors_have_sums_of_equal_parity():
    reported = {"mae": around(1.3, 2), "mse": around(2.0, 2)}  # sums 13 and 20
    assert solve(10, reported).verdict is Verdict.CONSISTENT
    answer = solve(10, reported, integer=True)
    assert answer.verdict is Verdict.INCONSISTENT
    assert "both must be odd or both even" in answer.reason
    assert solve(10, {"mae": around(1.35, 2)}, integer=True).conflict == ("mae",)


@pytest.mark.parametrize(
    ("n", "reported", "options"),
    [
        (0, {"mae": "1"}, {}),
        (10, {"mape": "1"}, {}),
        (10, {"mae": "1"}, {"variance": Fraction(0)}),
        (10, {"mae": "1"}, {"ddof": 2}),
        (10, {"mae": "1"}, {"target_range": (3, 1)}),
        (1, {"mae": "1"}, {"target_range": (1, 3), "range_attained": True}),
    ],
)
def test_bad_input_is_refused(n: int, reported: dict[str, str], options: dict[str, object]):
    with pytest.raises(InputError):
        solve(n, {name: around(float(x), 1) for name, x in reported.items()}, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("truth", [(2, 2, 2), (-1,), (5, 5)])
@pytest.mark.parametrize("error", [(0, 0, 0), (7, 7, 7), (1, 7, 3)])
def test_no_figure_of_equal_targets_is_refuted(truth: tuple[int, ...], error: tuple[int, ...]) -> None:
    """R² and explained variance of equal targets are 0/0, and scikit-learn prints 0 or 1."""
    found = [x + e for x, e in zip(truth, error, strict=False)]
    values = {"mae": mean_absolute_error(truth, found), "ev": explained_variance_score(truth, found)}
    values |= {"r2_score": r2_score(truth, found)} if len(truth) > 1 else {}
    said = [f"{name}={value:.3f}" for name, value in values.items()]
    words = ["task=regression", f"n={len(truth)}", "integer=true", f"target_range={truth[0]},{truth[0]}"]
    assert check(read_words([*words, *said])).verdict is not Verdict.INCONSISTENT

"""Printed confidence intervals of shares: what software gives is accepted, what is far too narrow is questioned."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import beta, binomtest

from assay.errors import InputError
from assay.scores.check import check
from assay.scores.confidence_intervals import least_variance
from assay.scores.proportion_intervals import METHODS
from assay.scores.reading import read_words
from assay.scores.rules import scores
from examples_tried import a_third_of


def rules_fired(*words: str) -> list[str]:
    return [finding.code for finding in scores.run(check(read_words(list(words))))]


@settings(max_examples=a_third_of(30), deadline=None)
@given(st.integers(1, 5000), st.data())
def test_the_formulas_are_those_of_scipy(n: int, data: st.DataObject):
    k = data.draw(st.integers(0, n))
    for method, name in (
        ("exact", "Clopper-Pearson"),
        ("wilson", "Wilson"),
        ("wilsoncc", "Wilson with continuity correction"),
    ):
        theirs = binomtest(k, n).proportion_ci(method=method)
        assert METHODS[name](k, n) == pytest.approx((theirs.low, theirs.high), abs=1e-9)
    if 0 < k < n:
        assert METHODS["Jeffreys"](k, n) == pytest.approx(tuple(beta.ppf([0.025, 0.975], k + 0.5, n - k + 0.5)))


@settings(max_examples=a_third_of(30), deadline=None)
@given(st.integers(2, 2000), st.sampled_from(sorted(METHODS)), st.integers(2, 3), st.data())
def test_an_interval_by_any_usual_method_is_accepted(p: int, method: str, digits: int, data: st.DataObject):
    k = data.draw(st.integers(0, p))
    low, high = METHODS[method](k, p)
    printed = f"{max(0, low):.{digits}f}-{min(1, high):.{digits}f}"
    assert rules_fired(f"p={p}", "n=50", f"sens={k / p:.{digits}f}", f"sens_ci={printed}") == []


@settings(max_examples=a_third_of(30), deadline=None)
@given(st.integers(8, 400), st.integers(0, 10**6), st.floats(0.05, 0.99))
def test_a_percentile_bootstrap_is_at_most_a_note(p: int, seed: int, share: float):
    random = np.random.default_rng(seed)
    hits = random.random(p) < share
    means = random.choice(hits, (1000, p)).mean(axis=1)
    low, high = np.percentile(means, [2.5, 97.5])
    words = (f"p={p}", "n=50", f"sens={hits.mean():.3f}", f"sens_ci={low:.3f}-{high:.3f}")
    assert set(rules_fired(*words)) <= {"S109"}


def test_an_interval_of_ten_times_as_many_items_is_far_too_narrow():
    low, high = METHODS["Wilson"](900, 1000)
    assert rules_fired("p=100", "n=100", "sens=0.90", f"sens_ci={low:.3f}-{high:.3f}") == ["S108"]
    assert rules_fired("p=1000", "n=100", "sens=0.90", f"sens_ci={low:.3f}-{high:.3f}") == []


def test_an_interval_that_leaves_out_its_own_share_is_questioned():
    assert rules_fired("p=100", "n=100", "spec=0.90", "spec_ci=0.70-0.85") == ["S108"]


@pytest.mark.parametrize(
    "figure", ["0.90 (0.83-0.94)", "90% (95% CI 83%-94%)", "0.90 [0.83, 0.94]", "0.90 (0.83 to 0.94)"]
)
def test_an_interval_may_stand_behind_the_score(figure: str):
    assert rules_fired("p=100", "n=100", f"sens={figure}") == []
    assert rules_fired("p=4000", "n=100", f"sens={figure}") == ["S109"]


def test_the_interval_of_an_error_rate_is_that_of_the_error_rate():
    assert rules_fired("p=100", "n=100", "fnr=0.10", "fnr_ci=0.06-0.17") == []
    assert rules_fired("p=100", "n=100", "fnr=0.10", "fnr_ci=0.83-0.94") == ["S108"]


def test_what_is_no_interval_is_refused():
    with pytest.raises(InputError, match="is no interval"):
        read_words(["p=100", "n=100", "sens=0.90", "sens_ci=0.02"])


def delong(positive: np.ndarray, negative: np.ndarray) -> tuple[float, float]:
    """The area and its standard error (DeLong, DeLong & Clarke-Pearson 1988)."""
    wins = (positive[:, None] > negative) + (positive[:, None] == negative) / 2
    of_positives, of_negatives = wins.mean(axis=1), wins.mean(axis=0)
    variance = of_positives.var(ddof=1) / len(positive) + of_negatives.var(ddof=1) / len(negative)
    return float(wins.mean()), float(np.sqrt(variance))


@settings(max_examples=a_third_of(60), deadline=None)
@given(st.integers(10, 150), st.integers(10, 150), st.integers(0, 10**6), st.floats(-1, 4), st.integers(0, 3))
def test_intervals_of_real_areas_are_accepted(p: int, n: int, seed: int, shift: float, digits: int):
    random = np.random.default_rng(seed)
    spread = random.uniform(0.1, 3)
    positive, negative = np.round(random.normal(shift, spread, p), digits), np.round(random.normal(0, 1, n), digits)
    area, error = delong(positive, negative)
    draws = [delong(random.choice(positive, p), random.choice(negative, n))[0] for _ in range(200)]
    low, high = np.percentile(draws, [2.5, 97.5])
    for ends in ((area - 1.96 * error, area + 1.96 * error), (low, high)):
        printed = f"{max(0, ends[0]):.3f}-{min(1, ends[1]):.3f}"
        assert rules_fired(f"p={p}", f"n={n}", f"auc={area:.3f}", f"auc_ci={printed}") == []


@settings(max_examples=a_third_of(60), deadline=None)
@given(st.integers(2, 60), st.integers(2, 60), st.integers(0, 10**6))
def test_rankings_have_at_least_the_variance_of_one_group_of_ties(p: int, n: int, seed: int):
    random = np.random.default_rng(seed)
    places = random.integers(0, random.integers(1, p + n) + 1, p + n) + random.choice([0, 3]) * (np.arange(p + n) < p)
    area, error = delong(places[:p], places[p:])
    assert least_variance(area, p, n) <= error**2 + 1e-12


def test_an_area_with_the_interval_of_ten_times_as_many_items_is_questioned():
    assert rules_fired("p=40", "n=60", "auc=0.850", "auc_ci=0.830-0.870") == ["S108"]
    assert rules_fired("p=40", "n=60", "auc=0.850 (0.830-0.870)") == ["S108"]
    assert rules_fired("p=40", "n=60", "auc=0.850", "auc_ci=0.860-0.950") == ["S108"]
    assert rules_fired("p=40", "n=60", "auc=0.850", "auc_ci=0.770-0.930") == []

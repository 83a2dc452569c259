"""The tests for pairs: closed forms, textbook numbers, and what must not matter."""

from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_predictions import binormal
from scipy.stats import binomtest, false_discovery_control, ttest_rel

from assay.comparison import compare_fold_scores, compare_models
from assay.comparison.mcnemar import Discordance, discordance
from assay.comparison.multiplicity import Correction, adjusted
from assay.comparison.results import Method
from assay.comparison.sample_size import hanley_mcneil_variance, positives_for, positives_needed
from assay.errors import InputError

P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=12)


@given(st.integers(0, 40), st.integers(0, 40))
def test_mcnemar_is_the_binomial_test_of_discordant_rows(first, second):
    split = Discordance(first, second)
    if first + second:
        assert split.p(mid=False) == pytest.approx(binomtest(first, first + second).pvalue)
        greater = binomtest(first, first + second, alternative="greater").pvalue
        assert split.p(mid=False, one_sided=True) == pytest.approx(greater)
    else:
        assert split.p(mid=False) == 1.0
    assert split.p(mid=True) <= split.p(mid=False)
    assert split.p(mid=True) == Discordance(second, first).p(mid=True)


def test_mid_p_takes_half_of_the_observed_split():
    # 1 against 9 of 10: exact 2 (1 + 10) / 2^10, mid-p without one of the two terms for the split itself.
    assert Discordance(1, 9).p(mid=False) == pytest.approx(2 * 11 / 1024)
    assert Discordance(1, 9).p(mid=True) == pytest.approx((2 * 11 - comb(10, 1)) / 1024)
    assert Discordance(5, 5).p(mid=True) == 1.0


def test_discordance_counts_who_was_right():
    y = np.array([1, 1, 0, 0], dtype=bool)
    assert discordance(y, y, ~y) == Discordance(4, 0)
    assert discordance(y, np.array([1, 0, 0, 1], dtype=bool), np.array([0, 1, 0, 0], dtype=bool)) == Discordance(1, 2)


@given(P_VALUES)
def test_benjamini_hochberg_is_scipys(p):
    assert adjusted(p, Correction.BENJAMINI_HOCHBERG) == pytest.approx(list(false_discovery_control(p)))


@given(P_VALUES)
def test_holm_rejects_what_its_definition_rejects(p):
    for level in (0.01, 0.05, 0.2):
        rejected = set()
        for rank, i in enumerate(sorted(range(len(p)), key=p.__getitem__)):
            if p[i] * (len(p) - rank) >= level:
                break
            rejected.add(i)
        assert {i for i, value in enumerate(adjusted(p, Correction.HOLM)) if value < level} == rejected


@given(P_VALUES)
def test_no_correction_makes_a_p_value_smaller(p):
    for correction, (i, value) in product(Correction, enumerate(p)):
        assert value <= adjusted(p, correction)[i] <= 1 or correction is Correction.NONE
    assert adjusted(p, Correction.NONE) == p


def test_corrected_t_is_the_plain_one_shrunk_by_the_overlap():
    first, second = [0.81, 0.84, 0.80, 0.83, 0.82], [0.79, 0.80, 0.80, 0.79, 0.80]
    found = compare_fold_scores({"new": first, "old": second})
    [corrected], [plain] = (found.between("score", m) for m in (Method.CORRECTED_T, Method.PLAIN_T))
    expected = ttest_rel(first, second)
    assert plain.statistic == pytest.approx(expected.statistic)
    assert plain.p == pytest.approx(expected.pvalue)
    # Five folds: 1/5 becomes 1/5 + (1/5)/(4/5).
    assert corrected.statistic == pytest.approx(expected.statistic * np.sqrt((1 / 5) / (1 / 5 + 1 / 4)))
    assert corrected.p > plain.p
    assert "5x2cv" in found.left_out[-1]


def test_five_by_two_statistics_are_those_of_their_definitions():
    rng = np.random.default_rng(1)
    gaps = rng.normal(0.02, 0.02, (5, 2))
    old = rng.uniform(0.7, 0.8, (5, 2))
    found = compare_fold_scores({"new": (old + gaps).ravel(), "old": old.ravel()}, repeats=5)
    spread = sum((a - (a + b) / 2) ** 2 + (b - (a + b) / 2) ** 2 for a, b in gaps)
    [t], [f] = (found.between("score", m) for m in (Method.FIVE_BY_TWO_T, Method.FIVE_BY_TWO_F))
    assert t.statistic == pytest.approx(gaps[0, 0] / np.sqrt(spread / 5))
    assert f.statistic == pytest.approx((gaps**2).sum() / (2 * spread))
    assert 0 < f.p < 1


def test_corrected_t_keeps_its_promise_where_the_plain_one_does_not():
    """Scores that share a part, as folds with common training rows do: correlation 1/5 of the variance."""
    rng = np.random.default_rng(2)
    alarms = dict.fromkeys((Method.CORRECTED_T, Method.PLAIN_T), 0)
    for _ in range(300):
        gaps = np.sqrt(0.2) * rng.normal() + np.sqrt(0.8) * rng.normal(size=(10, 5))
        found = compare_fold_scores({"new": gaps.ravel(), "old": np.zeros(50)}, repeats=10, test_share=0.2)
        for method in alarms:
            alarms[method] += found.between("score", method)[0].p < 0.05
    assert alarms[Method.CORRECTED_T] / 300 < 0.1
    assert alarms[Method.PLAIN_T] / 300 > 0.4


def test_folds_that_all_agree_do_not_divide_by_zero():
    found = compare_fold_scores({"new": [0.5, 0.5], "old": [0.25, 0.25], "same": [0.25, 0.25]})
    by_pair = {(d.first, d.second): d for d in found.between("score", Method.CORRECTED_T)}
    assert by_pair["new", "old"].statistic == np.inf
    assert by_pair["old", "same"].p == 1.0


@pytest.mark.parametrize(
    ("scores", "words", "said"),
    [
        ({"a": [1.0], "b": [2.0]}, {}, "one fold only"),
        ({"a": [1.0, np.nan], "b": [2.0, 1.0]}, {}, "no score"),
        ({"a": [1.0, 2.0], "b": [2.0]}, {}, "no table"),
        ({"a": [1.0, 2.0]}, {"test_share": 1.5}, "test share"),
        ({"a": [1.0, 2.0, 3.0]}, {"repeats": 2}, "no table"),
    ],
)
def test_bad_folds_are_refused(scores, words, said):
    with pytest.raises(InputError, match=said):
        compare_fold_scores(scores, **words)


def test_one_sided_asks_whether_the_claimed_model_is_better_also_where_less_is():
    rng = np.random.default_rng(3)
    y = rng.random(300) < 0.5
    good, bad = np.where(y, 0.8, 0.2), rng.uniform(0.2, 0.8, 300)
    words = {"claim": "good", "one_sided": True, "resamples": 200, "measures": ("auc", "brier")}
    found = compare_models(y, {"bad": bad, "good": good}, **words)
    for d in found.differences:
        assert d.p < 0.01, d
    reverse = compare_models(y, {"bad": bad, "good": good}, **{**words, "claim": "bad"})
    assert all(d.p > 0.99 for d in reverse.differences)


def test_z_is_about_four_times_as_sure_with_sixteen_times_the_rows():
    small, large = (
        compare_models(*binormal(n, n, {"a": 1.0, "b": 0.7}, seed=5), resamples=0).decisive()[0] for n in (200, 3200)
    )
    widths = [d.interval.high - d.interval.low for d in (small, large)]
    assert widths[0] / widths[1] == pytest.approx(4, rel=0.15)


def test_positives_needed_are_enough_and_no_more():
    needed = positives_needed(0.8, 0.05, negatives_per_positive=2, correlation=0.3)

    def power_reached(positives):
        first, second = (hanley_mcneil_variance(a, positives, 2 * positives) for a in (0.8, 0.85))
        error = np.sqrt(first + second - 0.6 * np.sqrt(first * second))
        return 0.05 / error >= 1.959964 + 0.841621

    assert power_reached(needed)
    assert not power_reached(needed - 1)


def test_positives_needed_from_data_find_the_difference_four_times_in_five():
    y, scores = binormal(100, 100, {"a": 1.2, "b": 0.8}, seed=8)
    found = compare_models(y, scores, resamples=0, detect=(0.08,))
    needed = found.needed[0].positives
    hits = 0
    true_gap = 0.0891  # Φ(1.2/√2) - Φ(0.8/√2)
    for seed in range(100):
        one = compare_models(*binormal(needed, needed, {"a": 1.2, "b": 0.8}, seed=100 + seed), resamples=0)
        hits += one.decisive()[0].p < 0.05
    assert true_gap > 0.08
    assert 0.7 <= hits / 100 <= 0.97


@pytest.mark.parametrize("words", [(0.0, 0.1), (0.9, 0.2), (0.8, 0.0)])
def test_impossible_plans_are_refused(words):
    with pytest.raises(InputError):
        positives_needed(*words)


def test_models_that_agree_everywhere_need_no_number():
    assert positives_for(0.05, positives=10, error=0.0) is None
    assert positives_for(0.05, positives=10, error=float("nan")) is None

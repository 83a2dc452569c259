"""Intervals and corrected p-values, held against other formulas than those they are computed by."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

from assay.reproduction.intervals import (
    of_areas,
    of_correlation,
    of_mean,
    of_means,
    of_share,
    of_shares,
    student_tail,
)
from assay.statistics import benjamini_hochberg, holm

Z = stats.norm.ppf(0.975)
counts = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
summaries = st.tuples(st.floats(-5, 5), st.floats(0.01, 3), st.integers(2, 40))
many_p = st.lists(st.floats(0, 1), min_size=1, max_size=12)


@given(counts)
def test_the_ends_of_wilsons_interval_are_where_the_score_test_just_rejects(count: tuple[int, int]):
    hits, n = count
    found = of_share(hits / n, n)
    for end in (found.low, found.high):
        if 1e-9 < end < 1 - 1e-9:
            assert abs(hits / n - end) / math.sqrt(end * (1 - end) / n) == pytest.approx(Z, rel=1e-6)
    assert found.low <= hits / n <= found.high


@given(counts, counts)
def test_newcombes_interval_holds_the_difference_and_turns_with_it(one: tuple[int, int], other: tuple[int, int]):
    (a, n), (b, m) = one, other
    forth, back = of_shares(a / n, n, b / m, m), of_shares(b / m, m, a / n, n)
    assert forth.interval.low <= forth.value <= forth.interval.high
    assert forth.interval.low == pytest.approx(-back.interval.high)
    assert forth.p == pytest.approx(back.p)
    assert forth.interval.low >= -1
    assert forth.interval.high <= 1


def test_newcombes_interval_is_the_printed_one():
    """Newcombe (1998), table II, method 10: 56/70 against 48/80 gives 0.0524 to 0.3339."""
    found = of_shares(48 / 80, 80, 56 / 70, 70)
    assert (found.interval.low, found.interval.high) == pytest.approx((0.0524, 0.3339), abs=5e-5)


@given(summaries, summaries)
def test_welch_is_that_of_scipy(one: tuple[float, float, int], other: tuple[float, float, int]):
    found = of_means(one, other)
    p = stats.ttest_ind_from_stats(*one, *other, equal_var=False).pvalue
    assert found.p == pytest.approx(p, abs=1e-12)
    within = found.interval.low <= 0 <= found.interval.high
    if abs(p - 0.05) > 1e-6:
        assert within is bool(p > 0.05)


def test_means_without_spread_differ_or_do_not():
    assert of_means((1.0, 0.0, 3), (1.0, 0.0, 3)).p == 1
    assert of_means((1.0, 0.0, 3), (2.0, 0.0, 3)).p == 0


@given(st.lists(st.floats(-10, 10), min_size=2, max_size=20))
def test_the_interval_of_a_mean_is_that_of_scipy(values: list[float]):
    found = of_mean(values)
    error = float(stats.sem(values))
    if found is not None and error > 1e-9:
        low, high = stats.t.interval(0.95, len(values) - 1, loc=sum(values) / len(values), scale=error)
        assert (found.low, found.high) == pytest.approx((low, high), rel=1e-6, abs=1e-9)


@given(st.floats(-0.99, 0.99), st.integers(4, 500))
def test_the_interval_of_a_correlation_is_that_of_fisher_and_wider_for_ranks(r: float, n: int):
    plain, ranks = of_correlation(r, n, ranks=False), of_correlation(r, n, ranks=True)
    assert plain is not None
    assert ranks is not None
    assert (math.atanh(plain.high) - math.atanh(plain.low)) == pytest.approx(2 * Z / math.sqrt(n - 3), rel=1e-4)
    assert ranks.low <= plain.low <= r <= plain.high <= ranks.high


def test_a_correlation_of_three_pairs_has_no_interval():
    assert of_correlation(0.9, 3, ranks=True) is None
    assert of_correlation(1.0, 30, ranks=True) is None
    assert of_mean([1.0]) is None


def test_rank_intervals_cover_what_they_promise():
    """Of 400 samples of 20 pairs from a normal law with Spearman 0.48, between 90 and 99 % cover it."""
    import numpy as np

    rng = np.random.default_rng(1)
    true = 6 / math.pi * math.asin(0.5 / 2)
    pairs = rng.multivariate_normal([0, 0], [[1, 0.5], [0.5, 1]], size=(400, 20))
    covered = 0
    for sample in pairs:
        found = of_correlation(float(stats.spearmanr(sample[:, 0], sample[:, 1]).statistic), 20, ranks=True)
        assert found is not None
        covered += found.low <= true <= found.high
    assert 360 <= covered <= 396


def test_areas_vary_as_hanley_and_mcneil_say_where_scores_are_exponential():
    """600 simulated areas of 40 positives and 30 negatives; the interval is of two of them."""
    import numpy as np

    rng = np.random.default_rng(2)
    positives, negatives = rng.exponential(6, (600, 40)), rng.exponential(1, (600, 30))
    areas = (positives[:, :, None] > negatives[:, None, :]).mean(axis=(1, 2))
    found = of_areas(6 / 7, 6 / 7, 40, 30)
    error = (found.interval.high - found.interval.low) / 2 / Z / math.sqrt(2)
    assert error == pytest.approx(areas.std(), rel=0.08)


@given(st.floats(-6, 6), st.floats(1, 300))
def test_the_tail_of_student_is_that_of_scipy(t: float, freedom: float):
    assert student_tail(t, freedom) == pytest.approx(float(stats.t.sf(t, freedom)), rel=1e-9, abs=1e-15)
    assert student_tail(t, math.inf) == pytest.approx(float(stats.norm.sf(t)), rel=1e-9)


@given(many_p)
def test_holm_is_the_smallest_level_at_which_each_is_rejected(values: list[float]):
    corrected = holm(values)
    for level in (0.01, 0.05, 0.2, 0.5):
        rejected, left = set(), sorted(range(len(values)), key=values.__getitem__)
        for rank, index in enumerate(left):
            if values[index] * (len(values) - rank) > level:
                break
            rejected.add(index)
        assert {i for i, p in enumerate(corrected) if p <= level} == rejected


@given(many_p)
def test_benjamini_hochberg_is_that_of_scipy(values: list[float]):
    assert benjamini_hochberg(values) == pytest.approx(list(stats.false_discovery_control(values)))


@settings(max_examples=20, deadline=None)
@given(counts, counts)
def test_newcombes_interval_is_near_the_exact_profile(one: tuple[int, int], other: tuple[int, int]):
    """Where both samples are large, it is within 0.03 of the likelihood interval, which is computed otherwise."""
    (a, n), (b, m) = ((min(max(hits, 5), size + 35), size + 40) for hits, size in (one, other))

    def deviance(gap: float) -> float:
        def minus_log_likelihood(p: float) -> float:
            q = min(max(p + gap, 1e-12), 1 - 1e-12)
            return -(a * math.log(p) + (n - a) * math.log(1 - p) + b * math.log(q) + (m - b) * math.log(1 - q))

        low, high = max(1e-9, 1e-9 - gap), min(1 - 1e-9, 1 - 1e-9 - gap)
        best = optimize.minimize_scalar(minus_log_likelihood, bounds=(low, high), method="bounded").fun
        at_most = -sum(
            hits * math.log(hits / size) + (size - hits) * math.log(1 - hits / size)
            for hits, size in ((a, n), (b, m))
            if 0 < hits < size
        )
        return 2 * (best - at_most) - Z * Z

    found = of_shares(a / n, n, b / m, m)
    gap = found.value
    low = optimize.brentq(deviance, max(-1 + 1e-6, gap - 0.9), gap)
    high = optimize.brentq(deviance, gap, min(1 - 1e-6, gap + 0.9))
    assert (found.interval.low, found.interval.high) == pytest.approx((low, high), abs=0.03)

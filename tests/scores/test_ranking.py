"""AUC and operating points: real rankings are never called inconsistent, and bounds are exact."""

import itertools
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score, roc_curve

from assay.errors import InputError
from assay.findings import Verdict
from assay.scores.answers import Answer
from assay.scores.constraints import Constraint, substitutes_for
from assay.scores.conventions import Undefined
from assay.scores.definitions import SCORES, Matrix, find_score
from assay.scores.exact import Interval
from assay.scores.ranking import OperatingPoint, roc_point, solve_auc
from assay.scores.ranking.curve import Block, Spot, area_of, chain, curve, half_pairs, stops
from assay.scores.ranking.points import runs
from examples_tried import a_third_of


def around(x: Fraction | float | str, digits: int, steps: int = 0) -> Interval:
    unit = Fraction(1, 10**digits)
    shown = Fraction(round(Fraction(x) * 10**digits) + steps, 10**digits)
    return Interval(shown - unit / 2, shown + unit / 2)


def having(name: str, interval: Interval) -> Constraint:
    score, complement = find_score(name)
    told = interval.one_minus() if complement else interval
    return Constraint(score, told, substitutes_for(score, Undefined.ANY), name, str(interval))


def blocks_of(answer: Answer) -> list[Block]:
    blocks = []
    for part in str(dict(answer.figures)["ranking, best first"]).split():
        positives, negatives = re.search(r"(\d+)\+", part), re.search(r"(\d+)-", part)
        blocks.append(Block(int(positives[1]) if positives else 0, int(negatives[1]) if negatives else 0))
    return blocks


def labels_and_scores(blocks: Sequence[Block]) -> tuple[list[int], list[int]]:
    items = [
        (y, -at)
        for at, b in enumerate(blocks)
        for y, count in ((1, b.positives), (0, b.negatives))
        for _ in range(count)
    ]
    return [y for y, _ in items], [s for _, s in items]


@st.composite
def rankings(draw: st.DrawFn) -> tuple[int, int, np.ndarray, np.ndarray]:
    """Positives, negatives, labels and scores; the scores are often tied."""
    p, n = draw(st.integers(1, 60)), draw(st.integers(1, 200))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    scores = np.concatenate([random.normal(draw(st.sampled_from([0, 1, 3])), 1, p), random.normal(0, 1, n)])
    decimals = draw(st.sampled_from([0, 1, 8]))
    return p, n, np.repeat([1, 0], [p, n]), np.round(scores, decimals)


@settings(max_examples=a_third_of(80), deadline=None)
@given(rankings(), st.data())
def test_what_scikit_learn_computes_is_always_consistent(
    made: tuple[int, int, np.ndarray, np.ndarray], data: st.DataObject
):
    p, n, labels, scores = made
    area = Fraction(round(roc_auc_score(labels, scores) * 2 * p * n), 2 * p * n)
    fpr, tpr, _ = roc_curve(labels, scores, drop_intermediate=False)
    digits = data.draw(st.integers(2, 5))
    points: list[OperatingPoint] = []
    for at in data.draw(st.lists(st.integers(0, len(fpr) - 1), max_size=3)):
        fp, tp = round(fpr[at] * n), round(tpr[at] * p)
        if data.draw(st.booleans()):
            points.append(roc_point(around(Fraction(fp, n), digits), around(Fraction(tp, p), digits)))
        else:
            points.append([having("acc", around(Fraction(tp + n - fp, p + n), digits))])
    answer = solve_auc(p, n, around(area, digits), points)
    assert answer.verdict is Verdict.CONSISTENT, answer.reason
    again = roc_auc_score(*labels_and_scores(blocks_of(answer)))
    assert abs(again - float(area)) < 1.01 * 10**-digits
    for point, matrix in zip(points, answer.witness, strict=True):
        assert (matrix.p, matrix.n) == (p, n)
        assert all(c.holds(matrix) for c in point)


def all_rankings(p: int, n: int) -> Iterator[list[Block]]:
    """Every way to cut p positives and n negatives into blocks of equal score."""
    if p == n == 0:
        yield []
    for a, b in itertools.product(range(p + 1), range(n + 1)):
        if a or b:
            yield from ([Block(a, b), *rest] for rest in all_rankings(p - a, n - b))


@pytest.mark.parametrize("ties", [True, False])
def test_agrees_with_trying_every_ranking(ties: bool):
    p, n = 2, 3
    every = [b for b in all_rankings(p, n) if ties or not any(x.positives and x.negatives for x in b)]
    spots = [Spot(fp, tp) for fp in range(n + 1) for tp in range(p + 1)]
    for one, other in itertools.combinations_with_replacement(spots, 2):
        real = {area_of(b) for b in every if {one, other} <= stops(b)}
        points = [roc_point(*(Interval(x, x) for x in (Fraction(s.fp, n), Fraction(s.tp, p)))) for s in (one, other)]
        for half in range(2 * p * n + 1):
            area = Fraction(half, 2 * p * n)
            answer = solve_auc(p, n, Interval(area, area), points, ties=ties)
            assert answer.verdict is (Verdict.CONSISTENT if half in real else Verdict.INCONSISTENT)


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 5)), max_size=3), st.data())
def test_every_half_pair_between_the_bounds_has_a_curve(corners: list[tuple[int, int]], data: st.DataObject):
    spots = chain(5, 6, [Spot(*c) for c in corners])
    if spots is None:
        return
    least, most = half_pairs(spots)
    area = data.draw(st.integers(least, most))
    blocks = curve(spots, area)
    assert area_of(blocks) == area
    assert set(spots) <= stops(blocks)


@settings(max_examples=a_third_of(60), deadline=None)
@given(st.data())
def test_the_matrices_of_an_operating_point_are_all_found(data: st.DataObject):
    p, n = data.draw(st.integers(1, 8)), data.draw(st.integers(1, 8))
    tp, tn = data.draw(st.integers(0, p)), data.draw(st.integers(0, n))
    names = data.draw(st.lists(st.sampled_from(sorted(SCORES)), min_size=1, max_size=3, unique=True))
    point = []
    for name in names:
        value = SCORES[name].value(Matrix(tp, p - tp, n - tn, tn))
        if value is not None and float(value) != float("inf"):
            point.append(having(name, around(float(value), data.draw(st.integers(1, 3)))))
    every = [(a, b) for a in range(p + 1) for b in range(n + 1)]
    wanted = [(a, b) for a, b in every if all(c.holds(Matrix(a, p - a, n - b, b)) for c in point)]
    found = [(run.tp, b) for run in runs(p, n, point) for b in range(run.low, run.high + 1)]
    assert sorted(found) == wanted


def test_inconsistent_when_the_area_is_no_count_of_half_pairs():
    answer = solve_auc(5, 7, around("0.850", 3))
    assert answer.verdict is Verdict.INCONSISTENT
    assert "between 29.7325 and 29.7675 of the 5·7 = 35 pairs" in answer.reason
    assert solve_auc(5, 7, around("0.843", 3)).verdict is Verdict.CONSISTENT  # 29.5 pairs: one tie
    assert solve_auc(5, 7, around("0.843", 3), ties=False).verdict is Verdict.INCONSISTENT


def test_an_operating_point_bounds_the_area_from_both_sides():
    point = roc_point(around("0.10", 2), around("0.80", 2))
    for area, verdict in (
        ("0.70", "inconsistent"),
        ("0.72", "consistent"),
        ("0.98", "consistent"),
        ("0.99", "inconsistent"),
    ):
        answer = solve_auc(200, 200, around(area, 2), [point])
        assert answer.verdict == verdict, area
    assert answer.conflict == ("auc", "fpr", "tpr")
    assert "thresholds on the scores" in answer.reason


def test_an_accuracy_alone_bounds_the_area():
    point = [having("acc", around("0.95", 2))]
    assert solve_auc(100, 100, around("0.80", 2), [point]).verdict is Verdict.INCONSISTENT
    assert solve_auc(100, 100, around("0.91", 2), [point]).verdict is Verdict.CONSISTENT
    assert solve_auc(10, 190, around("0.30", 2), [point]).verdict is Verdict.CONSISTENT  # all called negative


def test_two_points_bound_the_area_more_tightly_than_each_alone():
    low = roc_point(around("0.1", 3), around("0.5", 3))
    high = roc_point(around("0.5", 3), around("0.9", 3))
    for point in (low, high):
        assert solve_auc(100, 100, around("0.92", 3), [point]).verdict is Verdict.CONSISTENT
    answer = solve_auc(100, 100, around("0.92", 3), [low, high])
    assert answer.verdict is Verdict.INCONSISTENT
    assert "at most the area 0.91" in answer.reason


def test_points_of_one_curve_rise_together():
    points = [roc_point(around("0.1", 3), around("0.8", 3)), roc_point(around("0.2", 3), around("0.7", 3))]
    answer = solve_auc(100, 100, None, points)
    assert answer.verdict is Verdict.INCONSISTENT
    assert "no fewer true and no fewer false positives" in answer.reason


def test_gini_is_twice_the_area_minus_one():
    assert solve_auc(50, 50, around("0.8", 3), gini=around("0.6", 3)).verdict is Verdict.CONSISTENT
    assert solve_auc(50, 50, around("0.8", 3), gini=around("0.7", 3)).conflict == ("auc", "gini")


def test_impossible_figures_of_a_point_are_named():
    answer = solve_auc(10, 10, around("0.9", 2), [[having("sens", around("0.85", 3))]])
    assert answer.verdict is Verdict.INCONSISTENT
    assert answer.conflict == ("sens",)


def test_no_verdict_without_pairs_or_beyond_the_budget():
    assert solve_auc(0, 10, around("0.5", 2)).verdict is Verdict.UNDECIDED
    point = [having("acc", around("0.9", 2))]
    assert solve_auc(10**6, 10**6, around("0.9", 2), [point]).verdict is Verdict.UNDECIDED
    with pytest.raises(InputError):
        solve_auc(-1, 10, around("0.5", 2))


def test_a_curve_between_the_likely_ones_is_found():
    acc = [[having("acc", around(Fraction(share, 19), 2))] for share in (17, 13)]
    answer = solve_auc(1, 18, around(Fraction(29, 36), 2), acc)
    assert answer.verdict is Verdict.CONSISTENT, answer.reason


@settings(max_examples=a_third_of(150))
@given(st.integers(1, 3), st.integers(1, 4), st.data())
def test_several_points_are_decided_as_by_trying_every_ranking(p: int, n: int, data: st.DataObject):
    shares = st.builds(Fraction, st.integers(0, 20), st.just(20))
    points = [[having("acc", around(data.draw(shares), 1))] for _ in range(data.draw(st.integers(2, 3)))]
    area = around(data.draw(shares), 2)

    def possible(blocks: list[Block]) -> bool:
        matrices = [Matrix(s.tp, p - s.tp, s.fp, n - s.fp) for s in stops(blocks)]
        fits = all(any(c.holds(m) for m in matrices) for point in points for c in point)
        return fits and Fraction(area_of(blocks), 2 * p * n) in area

    verdict = Verdict.CONSISTENT if any(map(possible, all_rankings(p, n))) else Verdict.INCONSISTENT
    assert solve_auc(p, n, area, points).verdict is verdict

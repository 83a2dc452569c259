"""Scores without sizes: no honest report is excluded, and what is excluded no matrix of any size gives."""

import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from matrix_strategies import EVERY_SCORE, intervals, matrices, printed
from sklearn import metrics

from assay.cli import main
from assay.errors import InputError
from assay.findings import Verdict
from assay.scores import check_without_sizes
from assay.scores.check import check
from assay.scores.constraints import Constraint, substitutes_for
from assay.scores.conventions import Undefined
from assay.scores.definitions import COUNTS, Matrix
from assay.scores.exact import INFINITY, Interval, floor_times
from assay.scores.reading import read_words
from assay.scores.sizeless.requirements import AreaRequirement, ScoreRequirement
from assay.scores.sizeless.search import search
from examples_tried import a_third_of

SHARES = [score for score in EVERY_SCORE if score.name not in COUNTS]


def figure(value, digits):
    """The value to so many decimals."""
    steps = floor_times(value, 2 * 10**digits)
    whole = steps // 2 + steps % 2
    sign, whole = ("-", -whole) if whole < 0 else ("", whole)
    return f"{sign}{whole // 10**digits}.{whole % 10**digits:0{digits}d}"


@st.composite
def requirements(draw):
    """Some scores with intervals of any kind."""
    chosen = draw(st.lists(st.sampled_from(SHARES), min_size=1, max_size=3, unique_by=lambda score: score.name))
    policy = draw(st.sampled_from(list(Undefined)))
    return [
        ScoreRequirement(Constraint(score, draw(intervals(score)), substitutes_for(score, policy), score.name))
        for score in chosen
    ]


SMALL = [matrix for p in range(7) for n in range(7) if p + n for matrix in matrices(p, n)]


@settings(max_examples=a_third_of(300), deadline=None)
@given(requirements())
def test_what_is_excluded_fits_no_small_matrix_and_what_is_found_fits(wanted):
    found = search(wanted, budget=150)
    if found.matrix is not None:
        assert all(requirement.holds(found.matrix) for requirement in wanted)
    elif found.finished:
        assert not [m for m in SMALL if all(requirement.holds(m) for requirement in wanted)]


counts = st.integers(0, 10**6)


@settings(max_examples=a_third_of(300), deadline=None)
@given(st.tuples(counts, counts, counts, counts), st.lists(st.sampled_from(SHARES), min_size=1, max_size=5), st.data())
def test_no_honest_report_of_one_test_set_is_excluded(cells, scores, data):
    matrix = Matrix(*cells)
    assume(sum(matrix))
    values = {score.name: score.value(matrix) for score in scores}
    digits = data.draw(st.integers(1, 5))
    shown = {
        name: figure(value, digits) for name, value in values.items() if value is not None and value is not INFINITY
    }
    assume(shown)
    assert check_without_sizes(shown, aggregation="pooled").verdict is not Verdict.INCONSISTENT


@settings(max_examples=a_third_of(200), deadline=None)
@given(st.tuples(*[st.integers(0, 300)] * 4), st.integers(0, 10**6), st.integers(2, 4))
def test_no_honest_area_is_excluded(cells, place, digits):
    matrix = Matrix(*cells)
    assume(matrix.p and matrix.n)
    pairs = matrix.p * matrix.n
    least, most = Fraction(matrix.tp * matrix.tn, pairs), 1 - Fraction(matrix.fn * matrix.fp, pairs)
    area = least + (most - least) * Fraction(place, 10**6)
    printed = {"auc": figure(area, digits)}
    for name, part, whole in (("sens", matrix.tp, matrix.p), ("spec", matrix.tn, matrix.n)):
        printed[name] = figure(Fraction(part, whole), digits)
    assert check_without_sizes(printed, aggregation="pooled").verdict is not Verdict.INCONSISTENT


@pytest.mark.no_cover
@settings(max_examples=a_third_of(150), deadline=None)
@given(st.integers(2, 6), st.integers(5, 60), st.integers(0, 10**6), st.sampled_from([0, 1, np.nan]))
def test_no_honest_mean_over_classes_is_excluded(classes, size, seed, undefined):
    """What scikit-learn prints for macro and weighted averages, with any of its conventions for 0/0."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, classes, size)
    guess = np.where(rng.random(size) < rng.random(), truth, rng.integers(0, classes, size))
    for average in ("macro", "weighted"):
        options = {"average": average, "zero_division": undefined}
        printed = {
            "ppv": metrics.precision_score(truth, guess, **options),
            "sens": metrics.recall_score(truth, guess, **options),
            "f1": metrics.f1_score(truth, guess, **options),
            "ji": metrics.jaccard_score(truth, guess, average=average, zero_division=0),
            "acc": metrics.accuracy_score(truth, guess),
            "bacc": metrics.recall_score(truth, guess, average="macro", zero_division=0),
        }
        kept = {name: f"{value:.3f}" for name, value in printed.items() if not np.isnan(value)}
        if undefined != 0:  # scikit-learn's Jaccard index knows no other convention
            kept.pop("ji")
        assert check_without_sizes(kept).verdict is not Verdict.INCONSISTENT


@settings(max_examples=a_third_of(150), deadline=None)
@given(st.integers(0, 10**9), st.integers(2, 8), st.integers(2, 4))
def test_no_honest_mean_over_folds_is_excluded(seed, folds, digits):
    rng = random.Random(seed)
    parts = []
    for _ in range(folds):
        p, n = rng.randint(1, 60), rng.randint(1, 60)
        tp, tn = rng.randint(0, p), rng.randint(0, n)
        parts.append(Matrix(tp, p - tp, n - tn, tn))
    names = rng.sample(["acc", "sens", "spec", "ppv", "npv", "f1", "f2", "f1n", "bacc", "bm", "ji", "kappa"], 4)
    scores = {score.name: score for score in SHARES}
    printed = {}
    for name in names:
        values = [scores[name].value(part) for part in parts]
        mean = sum((value for value in values if value is not None), Fraction(0)) / folds  # 0/0 counts 0
        printed[name] = figure(mean, digits)
    assert check_without_sizes(printed, aggregation="mean").verdict is not Verdict.INCONSISTENT


@pytest.mark.parametrize(
    ("words", "conflict", "said"),
    [
        ("ppv=0.91 sens=0.89 f1=0.93", {"ppv", "sens", "f1"}, "harmonic mean"),
        ("dice=0.90 iou=0.75", {"dice", "iou"}, "F1 / (2 - F1)"),
        ("acc=0.90 sens=0.80 spec=0.80", {"acc", "sens", "spec"}, "lies between them"),
        ("bacc=0.90 sens=0.80 spec=0.80", {"bacc", "sens", "spec"}, "is the mean of"),
        ("mcc=0.90 acc=0.85", {"mcc", "acc"}, "at most 0.7"),
        ("kappa=0.90 acc=0.80", {"kappa", "acc"}, "at most the accuracy"),
        ("ppv=0.30 npv=0.90 prevalence=0.50", {"ppv", "npv", "prevalence"}, "between 1 - NPV and PPV"),
        ("auc=0.60 sens=0.90 spec=0.90", {"auc", "sens", "spec"}, "sens·spec to 1"),
        ("f2=0.92 ppv=0.90 sens=0.90", {"f2", "ppv", "sens"}, "at most 0.90"),
        ("gm=0.90 sens=0.80 spec=0.80 acc=0.80", {"gm", "sens", "spec"}, "√(sensitivity · specificity)"),
        ("acc=0.91 sens=0.80 spec=0.92 ppv=0.9", {"acc", "sens", "spec", "ppv"}, "leave accuracy at most 0.8836"),
        ("acc=0.91 ppv=0.80 npv=0.90", {"acc", "ppv", "npv"}, "less than 0.905"),
    ],
)
def test_what_no_size_gives_is_excluded_with_the_relation_that_it_breaks(words, conflict, said):
    printed = dict(word.split("=") for word in words.split())
    result = check_without_sizes(printed, aggregation="pooled")
    answer = result.decisive.answer
    assert result.verdict is Verdict.INCONSISTENT
    assert set(answer.conflict) == conflict
    assert said in answer.reason
    assert len(answer.reason) < 330


@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        ("ppv=0.91 sens=0.89 f1=0.95", Verdict.INCONSISTENT),  # a concave function: no mean exceeds it
        ("ppv=0.91 sens=0.89 f1=0.78", Verdict.INCONSISTENT),  # below the sum minus 1
        ("ppv=0.91 sens=0.89 f1=0.85", Verdict.UNDECIDED),  # macro averages do that
        ("dice=0.90 iou=0.95", Verdict.INCONSISTENT),
        ("dice=0.90 iou=0.86", Verdict.UNDECIDED),
        ("dice=0.95 ppv=0.91 sens=0.89", Verdict.UNDECIDED),  # an empty image may count 1
        ("acc=0.90 sens=0.80 spec=0.80", Verdict.UNDECIDED),
        ("ppv=0.91 sens=0.89 f1=0.90", Verdict.CONSISTENT),
        ("ppv=0.0 sens=0.0 f1=0.0 spec=1.0", Verdict.CONSISTENT),
        ("ppv=0.91±0.02 sens=0.89±0.03 f1=0.95±0.02", Verdict.INCONSISTENT),
        ("folds=5 ppv=0.91 sens=0.89 f1=0.95", Verdict.INCONSISTENT),
        ("auc=0.93", Verdict.CONSISTENT),
        ("gini=0.86 sens=0.99 spec=0.99", Verdict.UNDECIDED),
    ],
)
def test_means_are_excluded_where_the_relation_is_convex_and_left_open_elsewhere(words, verdict):
    assert check_without_sizes(dict(word.split("=") for word in words.split())).verdict is verdict


def test_balanced_accuracy_is_excluded_over_folds_with_both_classes_only():
    result = check_without_sizes({"bacc": "0.90", "sens": "0.80", "spec": "0.80"}, aggregation="mean")
    assert [h.answer.verdict for h in result.hypotheses] == [Verdict.INCONSISTENT, Verdict.UNDECIDED]
    assert "both classes" in result.hypotheses[0].reading


def test_a_witness_is_a_matrix_of_few_items_that_gives_the_scores():
    matrix = check_without_sizes({"ppv": "0.91", "sens": "0.89", "f1": "0.90"}).decisive.answer.witness[0]
    assert sum(matrix) <= 1000
    assert Fraction(905, 1000) <= Fraction(matrix.tp, matrix.tp + matrix.fp) <= Fraction(915, 1000)


def test_the_area_is_bounded_by_the_staircases_of_its_point():
    fits = AreaRequirement("auc", "0.81", Interval(Fraction(81, 100), Fraction(81, 100)))
    assert fits.holds(Matrix(9, 1, 1, 9))
    assert not fits.holds(Matrix(95, 5, 5, 95))


def test_the_command_answers_without_sizes(capsys):
    assert main(["scores", "check", "ppv=0.91", "sens=0.89", "f1=0.95"]) == 1
    out = capsys.readouterr().out
    assert "S107" in out
    assert "whatever the size of the test set" in " ".join(out.split())
    assert main(["scores", "check", "ppv=0.91", "sens=0.89", "f1=0.90"]) == 0


@pytest.mark.parametrize(
    ("scores", "settings", "needle"),
    [
        ({"tp": "5", "acc": "0.9"}, {}, "counts need the sizes"),
        ({"acc": "0.9"}, {"aggregation": "weighted"}, "weighted mean needs"),
        ({}, {}, "no score is given"),
        ({"acuracy": "0.9"}, {}, "accuracy"),
    ],
)
def test_what_cannot_be_checked_without_sizes_is_refused(scores, settings, needle):
    with pytest.raises(InputError, match=needle):
        check_without_sizes(scores, **settings)


def partial(words):
    return check(read_words(words.split()))


@settings(max_examples=a_third_of(150), deadline=None)
@given(
    st.tuples(*[st.integers(0, 40)] * 4),
    st.lists(st.sampled_from(SHARES), min_size=1, max_size=3, unique_by=lambda score: score.name),
    st.sampled_from(["total={}", "p={}", "n={}", "range"]),
    st.integers(2, 4),
)
def test_no_honest_report_of_a_partly_known_size_is_excluded(cells, scores, known, digits):
    matrix = Matrix(*cells)
    assume(sum(matrix))
    values = {score.name: score.value(matrix) for score in scores}
    words = [f"{name}={figure(v, digits)}" for name, v in values.items() if v is not None and v is not INFINITY]
    assume(words)
    size = {"total={}": sum(matrix), "p={}": matrix.p, "n={}": matrix.n}.get(known)
    given_size = f"total={sum(matrix)}-{sum(matrix) + 3}" if size is None else known.format(size)
    assert partial(" ".join([given_size, *words])).verdict is not Verdict.INCONSISTENT


@settings(max_examples=a_third_of(150), deadline=None)
@given(st.integers(1, 9), st.integers(0, 1000), st.integers(0, 1000), st.sampled_from(["ppv", "f1", "npv", "spec"]))
def test_every_division_of_a_known_total_is_decided(total, one, other, name):
    words = f"total={total} sens=0.{one:03} {name}=0.{other:03}"
    wanted = [printed("sens", f"0.{one:03}"), printed(name, f"0.{other:03}")]
    every = [m for p in range(total + 1) for m in matrices(p, total - p)]
    fits = any(all(constraint.holds(matrix) for constraint in wanted) for matrix in every)
    expected = Verdict.CONSISTENT if fits else Verdict.INCONSISTENT
    assert partial(f"{words} aggregation=pooled").verdict is expected


@pytest.mark.parametrize(
    ("words", "verdict", "said"),
    [
        ("total=300 acc=0.9447", Verdict.INCONSISTENT, "283.39 and 283.43 correct ones"),
        ("total=300 acc=0.9447 folds=5", Verdict.UNDECIDED, "parts of unknown sizes"),
        ("p=38 sens=0.9139", Verdict.INCONSISTENT, "of 38 positives"),
        ("n=38 spec=0.9130", Verdict.CONSISTENT, "smallest first"),  # 38 items in all may be meant
        ("p=20 ppv=.321 sens=.45 acc=.455", Verdict.CONSISTENT, "smallest first: 20 + 35"),
        ("total=50-60 acc=.455 recall=.45 spec=.457 ppv=.321", Verdict.CONSISTENT, "smallest first: 20 + 35"),
        ("total=56-60 acc=.455 recall=.45 spec=.457 ppv=.321", Verdict.INCONSISTENT, "division"),
        ("total=1000000 acc=0.92 sens=0.91 mcc=0.83", Verdict.CONSISTENT, "for example"),
        ("p=7 ppv=0.55 sens=0.714", Verdict.INCONSISTENT, "up to a billion items"),
        ("total=100 p=40 acc=0.931", Verdict.INCONSISTENT, "of 100 items"),
        ("tp=45 fn=5 fp=3 tn=47 acc=0.95", Verdict.INCONSISTENT, "50 positives and 50 negatives"),
        ("tp=45 fn=5 acc=0.95", Verdict.CONSISTENT, "50 + 41"),
    ],
)
def test_a_partly_known_size_is_decided(words, verdict, said):
    result = partial(words)
    assert result.verdict is verdict
    assert said in result.decisive.answer.reason


@pytest.mark.parametrize(
    ("words", "needle"),
    [
        ("p=20 n=10 total=40 acc=0.9", "not the total"),
        ("p=50 total=40 acc=0.9", "more items than the total"),
        ("total=many acc=0.9", "is not a number of items"),
        ("total=30-20 acc=0.9", "is empty"),
    ],
)
def test_sizes_that_contradict_each_other_are_refused(words, needle):
    with pytest.raises(InputError, match=needle):
        read_words(words.split())

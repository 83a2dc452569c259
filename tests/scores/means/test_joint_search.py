"""All ways to form the folds in one search, and the arithmetic that makes it quick."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mean_reports import matrices, means, reported, rounded

from assay.findings import Verdict
from assay.scores.definitions import SCORES, Matrix
from assay.scores.folds import any_kfold
from assay.scores.means import Budget, Part, solve_known, solve_unknown
from assay.scores.means.patterns import table
from assay.scores.means.sums import product
from assay.scores.means.verify import holds
from assay.scores.means.windows import SCALE, measures


@given(st.integers(0, 10**6), st.integers(1, 60))
@settings(max_examples=60, deadline=None)
def test_products_in_floating_point_are_exact(seed, bits):
    random = np.random.default_rng(seed)
    vectors = random.integers(-(2**bits), 2**bits, (20, 3))
    directions = random.integers(-50, 50, (3, 4))
    exact = vectors.astype(object) @ directions.astype(object)
    if np.abs(exact).max() < 2**62:
        assert (product(vectors, directions) == exact).all()


@given(st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_a_true_standard_deviation_is_never_filtered_out(seed):
    random = Random(seed)
    parts = [Part(random.randint(1, 6), random.randint(1, 6)) for _ in range(random.randint(2, 5))]
    truth = [random.choice(matrices(part)) for part in parts]
    values = [float(SCORES["acc"].value(matrix)) for matrix in truth]
    mean, ddof = sum(values) / len(values), random.choice([0, 1])
    sd = (sum((v - mean) ** 2 for v in values) / (len(values) - ddof)) ** 0.5
    digits = random.randint(1, 4)
    middle = rounded(mean, digits)
    one = reported("acc", str(float((middle.lo + middle.hi) / 2)), Fraction(1, 2 * 10**digits), sd=rounded(sd, digits))
    (measure,) = measures(parts, [one])
    values_window, squares_window = measure.windows
    sums = np.zeros(2, dtype=np.int64)
    for part, matrix in zip(parts, truth, strict=True):
        found = table(part, [measure])
        score = SCORES["acc"].value(matrix)
        sums += next(
            v for c, v in zip(found.cells, found.vectors, strict=True) if SCORES["acc"].value(Matrix(*c)) == score
        )
    assert squares_window.spread is not None
    assert squares_window.spread.unit == SCALE
    assert squares_window.spread.fits(sums[:1], sums[1:]).all()
    assert values_window.low <= sums[0] <= values_window.high


def test_a_report_of_unbalanced_folds_gets_a_witness_with_its_folds():
    truth = [Matrix(1, 1, 3, 20), Matrix(9, 2, 4, 10), Matrix(3, 1, 2, 19), Matrix(8, 5, 1, 11), Matrix(2, 0, 6, 17)]
    names = ("acc", "f1", "ppv")
    report = means(
        eps="0.00005",
        **{n: f"{float(sum(SCORES[n].value(m) for m in truth) / len(truth)):.4f}" for n in names},
    )
    p, n = sum(m.p for m in truth), sum(m.n for m in truth)
    answer = solve_unknown([any_kfold(p, n, 5)], report)
    assert answer.verdict is Verdict.CONSISTENT
    assert (sum(m.p for m in answer.witness), sum(m.n for m in answer.witness)) == (p, n)
    assert holds([Part(m.p, m.n) for m in answer.witness], report, answer.witness)


@pytest.mark.parametrize("scores", [{"f1": "0.85", "ppv": "0.30"}, {"acc": "0.99", "f1": "0.20"}])
def test_the_certificate_for_all_folds_holds_for_each_of_them(scores):
    model = any_kfold(12, 18, 3)
    answer = solve_unknown([model], means(**scores))
    assert answer.verdict is Verdict.INCONSISTENT
    for folds in list(model.configurations())[:4]:
        known = solve_known([Part(*fold) for fold in folds], means(**scores))
        assert known.verdict is Verdict.INCONSISTENT


def test_a_certificate_on_restricted_tables_names_what_restricts_them():
    f1 = reported("f1", "0.60", Fraction("0.005"), minimum=rounded(0.5, 2))
    sens = reported("sens", "0.2", Fraction("0.05"))
    folds = [Part(7, 53, 2), Part(8, 52, 3)]
    answer = solve_known(folds, [f1, sens])
    assert answer.verdict is Verdict.INCONSISTENT
    assert set(answer.conflict) == {"f1", "sens"}
    assert "whatever the predictions, its" not in answer.reason


def test_more_folds_than_can_be_listed_are_admitted():
    model = any_kfold(10**8, 10**9, 10)
    assert model.beyond_listing
    assert solve_unknown([model], means(acc="0.91", sens="0.85")).verdict is Verdict.CONSISTENT
    open_one = solve_unknown(
        [model], means(eps="0.0000001", f1="0.8123456", acc="0.9"), budget=Budget(sums=1000, nearby=1000)
    )
    assert open_one.verdict is Verdict.UNDECIDED


def test_sizes_of_folds_that_are_not_listed_are_not_taken_for_known():
    from assay.scores.folds import any_stratified

    uneven = any_stratified(1000, 1000, 400)
    assert solve_unknown([uneven], means(acc="0.9123")).verdict is not Verdict.INCONSISTENT

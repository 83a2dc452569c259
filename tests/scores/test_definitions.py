"""The claims of the table of scores: direction, linearity, domain, and where a score has no value."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matrix_strategies import EVERY_SCORE, matrices, order

from assay.errors import InputError
from assay.scores.definitions import COMPLEMENTS, SCORES, Matrix, Score, f_beta, find_score
from assay.scores.exact import Infinite, compare
from assay.scores.regions import polynomials

SMALL = list(product((0, 1, 2, 4), repeat=2))
by_name = pytest.mark.parametrize("score", EVERY_SCORE, ids=lambda score: score.name)


def kind(score: Score, matrix: Matrix) -> str:
    value = score.value(matrix)
    return "0/0" if value is None else "infinite" if score.ratio(*matrix)[1] == 0 else "finite"


@by_name
def test_score_rises_as_claimed_between_all_comparable_matrices(score: Score) -> None:
    in_tp, in_tn = score.rises
    for p, n in SMALL:
        known = [(m, value) for m in matrices(p, n) if (value := score.value(m)) is not None]
        for (one, low), (other, high) in product(known, repeat=2):
            more_tp, more_tn = (other.tp - one.tp) * (in_tp or 1), (other.tn - one.tn) * (in_tn or 1)
            if more_tp >= 0 and more_tn >= 0:
                assert order(low) <= order(high)
            if (in_tp == 0 or more_tp == 0) and (in_tn == 0 or more_tn == 0):
                assert order(low) == order(high)


@by_name
@pytest.mark.parametrize(("p", "n"), [(0, 3), (4, 0), (3, 5), (7, 2)])
def test_numerator_and_denominator_are_the_polynomials_claimed(score: Score, p: int, n: int) -> None:
    forms = polynomials(score.ratio, p, n)
    if score.affine:
        assert all(form.straight for form in forms)
    signed_square = score.name == "mcc"
    for tp, tn in product(range(-3, 9), repeat=2):
        top, bottom = score.ratio(tp, p - tp, n - tn, tn)
        assert bottom == forms[1].at(tp, tn)
        assert signed_square or top == forms[0].at(tp, tn)


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(-5, 10**6), st.integers(-5, 10**6))
def test_numerator_of_mcc_is_the_signed_square_of_an_affine_form(p: int, n: int, tp: int, tn: int) -> None:
    covariance = n * tp + p * tn - n * p
    assert SCORES["mcc"].ratio(tp, p - tp, n - tn, tn)[0] == covariance * abs(covariance)


@by_name
def test_score_stays_in_its_domain_and_has_a_denominator_of_zero_or_more(score: Score) -> None:
    for p, n in product(range(7), repeat=2):
        for matrix in matrices(p, n):
            assert score.ratio(*matrix)[1] >= 0
            value = score.value(matrix)
            if value is None:
                continue
            assert score.low is None or compare(value, score.low) >= 0
            assert score.high is None or compare(value, score.high) <= 0
            assert score.high is None or not isinstance(value, Infinite)


@by_name
def test_domain_is_not_claimed_wider_than_it_is(score: Score) -> None:
    values = [v for p, n in product(range(6), repeat=2) for m in matrices(p, n) if (v := score.value(m)) is not None]
    assert score.low is None or any(compare(value, score.low) == 0 for value in values)
    assert score.high is None or any(compare(value, score.high) == 0 for value in values)


@by_name
def test_score_is_of_one_kind_inside_the_box_on_each_side_and_where_finite_at_the_corners(score: Score) -> None:
    for p, n in product(range(6), repeat=2):
        for some_tp, some_tn in product(([0], list(range(1, p)), [p]), ([0], list(range(1, n)), [n])):
            kinds = {kind(score, Matrix(tp, p - tp, n - tn, tn)) for tp in some_tp for tn in some_tn}
            assert len(kinds) <= 1
        corners = {kind(score, Matrix(tp, p - tp, n - tn, tn)) for tp in (0, p) for tn in (0, n)}
        if corners == {"finite"}:
            assert {kind(score, matrix) for matrix in matrices(p, n)} == {"finite"}


@by_name
def test_at_most_one_substitute_of_a_score_varies(score: Score) -> None:
    for p, n in product(range(4), repeat=2):
        varying = [s for s in score.undefined_as if any(any(form[1:]) for form in polynomials(s, p, n))]
        assert len(varying) <= 1


def test_scores_agree_with_scikit_learn() -> None:
    from sklearn import metrics

    names = {
        "acc": metrics.accuracy_score,
        "sens": metrics.recall_score,
        "ppv": metrics.precision_score,
        "f1": metrics.f1_score,
        "bacc": metrics.balanced_accuracy_score,
        "mcc": metrics.matthews_corrcoef,
        "kappa": metrics.cohen_kappa_score,
        "ji": metrics.jaccard_score,
        "spec": lambda true, said: metrics.recall_score(true, said, pos_label=0),
        "npv": lambda true, said: metrics.precision_score(true, said, pos_label=0),
        "f1n": lambda true, said: metrics.f1_score(true, said, pos_label=0),
        "lrp": lambda true, said: metrics.class_likelihood_ratios(true, said)[0],
        "lrn": lambda true, said: metrics.class_likelihood_ratios(true, said)[1],
    }
    for tp, fn, fp, tn in ((3, 4, 5, 6), (1, 8, 2, 3), (9, 1, 1, 20)):
        true = [1] * (tp + fn) + [0] * (fp + tn)
        said = [1] * tp + [0] * fn + [1] * fp + [0] * tn
        for name, theirs in names.items():
            value = SCORES[name].value(Matrix(tp, fn, fp, tn))
            assert value is not None
            assert float(value) == pytest.approx(theirs(true, said))
        assert float(f_beta(Fraction(2)).value(Matrix(tp, fn, fp, tn))) == pytest.approx(
            metrics.fbeta_score(true, said, beta=2)
        )


@given(st.integers(0, 50), st.integers(0, 50), st.integers(0, 50), st.integers(0, 50))
def test_f_beta_with_beta_one_is_f1(tp: int, fn: int, fp: int, tn: int) -> None:
    matrix = Matrix(tp, fn, fp, tn)
    assert f_beta(Fraction(1)).value(matrix) == SCORES["f1"].value(matrix)
    assert f_beta(Fraction(1), negative=True).value(matrix) == SCORES["f1n"].value(matrix)


def test_every_name_leads_to_one_score_only() -> None:
    for score in SCORES.values():
        for name in (score.name, *score.synonyms):
            assert find_score(name) == (score, False)
    for short, (base, _, synonyms) in COMPLEMENTS.items():
        for name in (short, *synonyms):
            assert find_score(name) == (SCORES[base], True)


@pytest.mark.parametrize(
    ("spelled", "name"),
    [
        ("F1-Score", "f1"),
        ("Balanced Accuracy", "bacc"),
        ("LR+", "lrp"),
        ("lr\N{MINUS SIGN}", "lrn"),
        ("F2", "f2"),
        ("Fβ0.5", "f0.5"),
    ],
)
def test_names_are_understood_as_people_spell_them(spelled: str, name: str) -> None:
    assert find_score(spelled).score.name == name


def test_unknown_name_is_refused_with_the_nearest_known_one() -> None:
    with pytest.raises(InputError, match='Did you mean "accuracy"'):
        find_score("acuracy")

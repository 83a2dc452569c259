"""Means over folds that a report does not list."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import islice
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mean_reports import means, printed_by_author, reported, rounded, some_matrix_set_fits

from assay.findings import Verdict
from assay.scores.check import check
from assay.scores.constraints import Constraint
from assay.scores.definitions import SCORES, Matrix
from assay.scores.folds import Classes, any_kfold, repeated
from assay.scores.means import Budget, Part, Reported, solve_known, solve_unknown
from assay.scores.means.verify import holds
from assay.scores.reading import read_words
from examples_tried import a_third_of

PRETERM = any_kfold(38, 262, 5, classes=Classes.BOTH)


def test_the_preterm_report_is_refuted_for_all_folds_by_granularity():
    answer = solve_unknown([PRETERM], means(acc="0.9447", sens="0.9139", spec="0.9733"))
    assert answer.verdict is Verdict.INCONSISTENT
    assert "steps of 1/300" in answer.reason


def test_with_an_attainable_accuracy_all_918_configurations_are_ruled_out():
    answer = solve_unknown([PRETERM], means(acc="0.9433", sens="0.9139", spec="0.9733"))
    assert answer.verdict is Verdict.INCONSISTENT
    figures = dict(answer.figures)
    assert figures.pop("configurations") == 918 == sum(figures.values())


@pytest.mark.parametrize(
    ("model", "accuracy"),
    [(PRETERM, "0.9633"), (any_kfold(244, 262, 5), "0.9447"), (any_kfold(38, 262, 10), "0.9633")],
)
def test_a_consistent_report_gets_a_witness_with_the_right_totals(model, accuracy):
    report = means(acc=accuracy, sens="0.9139", spec="0.9733")
    answer = solve_unknown([model], report)
    assert answer.verdict is Verdict.CONSISTENT
    folds = [Part(m.p, m.n) for m in answer.witness]
    assert holds(folds, report, answer.witness)
    assert (sum(m.p for m in answer.witness), sum(m.n for m in answer.witness)) == (model.p, model.n)
    assert Counter(m.p + m.n for m in answer.witness).keys() <= {(model.p + model.n) // model.k + i for i in (0, 1)}


def test_any_scores_out_of_reach_are_refuted_for_all_configurations_together():
    answer = solve_unknown([PRETERM], means(acc="0.8867", f1="0.85", ppv="0.55"))
    assert answer.verdict is Verdict.INCONSISTENT
    assert set(answer.conflict) <= {"acc", "f1", "ppv"}


@given(st.integers(0, 10**6))
@settings(max_examples=a_third_of(40), deadline=None)
def test_small_cases_agree_with_trying_every_configuration(seed):
    random = Random(seed)
    model = any_kfold(random.randint(1, 4), random.randint(2, 4), 2)
    configurations = [[Part(*fold) for fold in folds] for folds in model.configurations()]
    parts = random.choice(configurations)
    truth = [Matrix(a := random.randint(0, x.p), x.p - a, x.n - (b := random.randint(0, x.n)), b) for x in parts]
    names = random.sample(sorted(SCORES), random.randint(1, 3))
    wrong = random.random() < 0.5
    report = [r for name in names if (r := printed_by_author(parts, truth, name, random, wrong=wrong))]
    if not report:
        return
    answer = solve_unknown([model], report)
    fits = {some_matrix_set_fits(folds, report) for folds in configurations}
    if not wrong:
        assert answer.verdict is not Verdict.INCONSISTENT
    if answer.verdict is Verdict.CONSISTENT:
        assert True in fits
    if answer.verdict is Verdict.INCONSISTENT:
        assert fits == {False}


def test_repeats_and_several_datasets_are_combined():
    twice = repeated(any_kfold(5, 15, 2), 2)
    assert solve_unknown([twice], means(acc="0.7", sens="0.6")).verdict is Verdict.CONSISTENT
    assert solve_unknown([twice], means(acc="0.7301")).verdict is Verdict.INCONSISTENT
    two = [any_kfold(5, 15, 2), any_kfold(6, 24, 3)]
    assert solve_unknown(two, means(acc="0.75", sens="0.65")).verdict is Verdict.CONSISTENT
    assert solve_unknown(two, means(acc="0.99", sens="0.1", spec="0.2")).verdict is Verdict.INCONSISTENT


def test_too_many_configurations_are_admitted_not_guessed():
    budget = Budget(configurations=10, nodes=10)
    answer = solve_unknown([PRETERM], means(acc="0.9433", sens="0.9139", spec="0.9733"), budget=budget)
    assert answer.verdict is Verdict.UNDECIDED


def test_an_honest_mean_between_the_corners_is_not_called_impossible():
    # Folds of 15 + 39, 15 + 39 and 16 + 39 give these: 10, 10 and 11 true positives, 24, 24 and 29 true negatives.
    words = "p=46 n=117 folds=3 aggregation=mean fold_model=any bacc=0.6659 acc=0.6622 spec=0.6581"
    assert check(read_words(words.split())).verdict is not Verdict.INCONSISTENT


def test_what_0_by_0_counts_as_does_not_hide_the_matrix_that_has_the_value_by_itself():
    # A model that never finds one of 3 positives in 5 folds: scikit-learn gives the balanced accuracy of folds without
    # positives as that of the negatives, which is 1 where all of these are right, and F1 as 0.
    words = "p=3 n=20 folds=5 aggregation=mean fold_model=any bacc=0.695 bacc_min=0.375 ppv=0.000 f1=0.000"
    assert check(read_words(words.split())).verdict is Verdict.CONSISTENT


@given(st.integers(0, 10**6))
@settings(max_examples=a_third_of(80), deadline=None)
def test_models_that_hardly_ever_say_yes_are_never_refuted(seed):
    random = Random(seed)
    model = any_kfold(random.randint(1, 3), random.randint(8, 20), random.randint(3, 5))
    parts = [Part(*fold) for fold in random.choice(list(islice(model.configurations(), 50)))]
    truth = [Matrix(0, x.p, x.n - (b := random.randint(x.n // 2, x.n)), b) for x in parts]
    report = []
    for name in random.sample(["bacc", "f1", "ppv", "sens", "npv", "kappa", "mcc"], 2):
        score = SCORES[name]
        # the first convention is that of the libraries
        counted = [v if (v := score.value(m)) is not None else Fraction(*score.undefined_as[0](*m)) for m in truth]
        mean = rounded(sum(map(float, counted)) / len(counted), random.randint(3, 4))
        report.append(Reported(Constraint(score, mean, (), name, "?")))
    assert solve_unknown([model], report).verdict is not Verdict.INCONSISTENT
    assert solve_known(parts, report).verdict is not Verdict.INCONSISTENT


def test_a_spread_over_large_unknown_folds_is_never_refuted_by_corners():
    # honest: five folds of 141 and 142 items, too many matrices to tabulate; the squares of a score are not linear
    spec = reported("spec", "0.7509", Fraction("0.00005"), sd=rounded(0.0245, 4))
    answer = solve_unknown([any_kfold(179, 530, 5)], [spec])
    assert answer.verdict is Verdict.CONSISTENT

"""Means over known folds: worked examples, brute force on small folds, certificates."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mean_reports import means, printed_by_author, reported, rounded, some_matrix_set_fits

from assay.errors import InputError
from assay.findings import Verdict
from assay.scores.conventions import Undefined
from assay.scores.definitions import SCORES, Matrix
from assay.scores.exact import Interval
from assay.scores.folds import stratified
from assay.scores.means import Budget, Part, solve_known
from assay.scores.means.problem import each
from assay.scores.means.verify import holds
from examples_tried import a_third_of

WORKED_EXAMPLE = [Part(100, 201), Part(100, 200, 2), Part(101, 200, 2)]
PRETERM = [Part(fold.p, fold.n) for fold in next(stratified(38, 262, 5).configurations())]


def test_the_worked_example_has_a_witness():
    report = means(acc="0.8290", sens="0.7391", spec="0.8741")
    answer = solve_known(WORKED_EXAMPLE, report)
    assert answer.verdict is Verdict.CONSISTENT
    assert holds(WORKED_EXAMPLE, report, answer.witness)


def test_the_worked_example_with_another_accuracy_is_refuted_by_an_inequality_over_three_scores():
    report = means(acc="0.8280", sens="0.7391", spec="0.8741")
    answer = solve_known(WORKED_EXAMPLE, report)
    assert answer.verdict is Verdict.INCONSISTENT
    assert answer.conflict == ("acc", "sens", "spec")
    weights = {name: Fraction(str(weight)) for name, weight in answer.figures}
    need = sum(w * (r.mean.lo if w > 0 else r.mean.hi) for r in report if (w := weights[r.name]))
    for part in WORKED_EXAMPLE:
        most = max(sum(w * SCORES[s].value(corner) for s, w in weights.items()) for corner in part.corners)
        assert most < need


def test_accuracy_between_two_steps_is_refuted_in_a_sentence():
    answer = solve_known(PRETERM, means(acc="0.9447", sens="0.9139", spec="0.9733"))
    assert answer.verdict is Verdict.INCONSISTENT
    assert answer.conflict == ("acc",)
    assert answer.reason == (
        "300 items in 5 equal parts: the mean accuracy is a whole number of steps of 1/300."
        " acc 0.9447 means between 283.38 and 283.44 such steps: no whole number."
    )


@given(st.integers(0, 10**6))
@settings(max_examples=a_third_of(100), deadline=None)
def test_verdicts_on_small_folds_agree_with_trying_everything(seed):
    random = Random(seed)
    parts = [Part(random.randint(0, 3), random.randint(1, 3)) for _ in range(random.choice([2, 2, 3]))]
    if random.random() < 0.2:
        parts = [Part(part.p, part.n, 1, Fraction(random.randint(1, 3), 2)) for part in parts]
    truth = [Matrix(a := random.randint(0, x.p), x.p - a, x.n - (b := random.randint(0, x.n)), b) for x in parts]
    names = random.sample(sorted(SCORES), random.randint(1, 3))
    wrong = random.random() < 0.5
    report = [r for name in names if (r := printed_by_author(parts, truth, name, random, wrong=wrong))]
    if not report:
        return
    answer = solve_known(parts, report)
    fits = some_matrix_set_fits(parts, report)
    if not wrong:
        assert answer.verdict is not Verdict.INCONSISTENT
    if answer.verdict is Verdict.CONSISTENT:
        assert fits
        assert holds(parts, report, answer.witness)
    if answer.verdict is Verdict.INCONSISTENT:
        assert fits is False


@pytest.mark.parametrize("names", [("acc", "f1", "ppv"), ("acc", "sens", "spec", "f1", "mcc"), ("kappa", "pt", "lrp")])
def test_honest_means_of_any_scores_over_real_sized_folds_have_a_witness(names):
    random = Random(len(names))
    truth = []
    for part in PRETERM:
        tp = sum(random.random() < 0.8 for _ in range(part.p))
        fp = 1 + sum(random.random() < 0.1 for _ in range(part.n - 1))
        truth.append(Matrix(tp, part.p - tp, fp, part.n - fp))
    printed = {s: f"{sum(float(SCORES[s].value(m)) for m in truth) / 5:.3f}" for s in names}
    report = means("0.0005", **printed)
    answer = solve_known(PRETERM, report)
    assert answer.verdict is Verdict.CONSISTENT
    assert holds(PRETERM, report, answer.witness)


def test_a_combination_of_nonlinear_scores_out_of_reach_is_refuted():
    answer = solve_known(PRETERM, means(ppv="0.55", f1="0.85"))
    assert answer.verdict is Verdict.INCONSISTENT
    assert set(answer.conflict) == {"ppv", "f1"}


def test_a_standard_deviation_can_refute_what_the_mean_allows():
    folds = [Part(10, 10, 4)]
    allowed = reported("acc", "0.75", Fraction(1, 200), sd=rounded(0.06, 2))
    too_wide = reported("acc", "0.75", Fraction(1, 200), sd=rounded(0.62, 2))
    assert solve_known(folds, [allowed]).verdict is Verdict.CONSISTENT
    assert solve_known(folds, [too_wide]).verdict is Verdict.INCONSISTENT


def test_minimum_and_maximum_must_be_attained_by_a_fold():
    folds = [Part(3, 3, 3)]
    attained = reported("sens", "0.667", Fraction(1, 2000), minimum=rounded(0.333, 3), maximum=rounded(1, 3))
    between = reported("sens", "0.667", Fraction(1, 2000), minimum=rounded(0.5, 3))
    assert solve_known(folds, [attained]).verdict is Verdict.CONSISTENT
    assert solve_known(folds, [between]).verdict is Verdict.INCONSISTENT


def test_a_fold_without_positives_may_count_zero_one_or_nothing_but_alike_everywhere():
    folds = [Part(0, 5), Part(0, 5), Part(4, 5)]
    for policy, printed, verdict in (
        (Undefined.ANY, "0.25", Verdict.CONSISTENT),
        (Undefined.ZERO, "0.25", Verdict.CONSISTENT),
        (Undefined.ONE, "0.25", Verdict.INCONSISTENT),
        (Undefined.SKIP, "0.25", Verdict.CONSISTENT),
        (Undefined.SKIP, "0.3333", Verdict.INCONSISTENT),
        (Undefined.ZERO, "0.3333", Verdict.CONSISTENT),
        (Undefined.ANY, "0.6", Verdict.INCONSISTENT),
        (Undefined.NEVER, "0.25", Verdict.INCONSISTENT),
    ):
        answer = solve_known(folds, [reported("sens", printed, Fraction(1, 10_000), undefined=policy)])
        assert answer.verdict is verdict, (policy, printed)


def test_a_witness_says_what_it_counts_where_a_score_is_undefined():
    answer = solve_known([Part(0, 5), Part(4, 5)], [reported("sens", "0.125", Fraction(1, 100))])
    assert answer.reason == "This holds if sens counts 0 on parts on which it is 0/0."


def test_folds_too_large_to_tabulate_may_still_have_a_witness_but_are_not_refuted():
    folds = [Part(900, 2000, 5)]
    report = means("0.0005", f1="0.7", mcc="0.55")
    answer = solve_known(folds, report)
    assert answer.verdict is Verdict.CONSISTENT
    assert holds(folds, report, answer.witness)
    assert solve_known(folds, means("0.0005", f1="0.2", mcc="0.95")).verdict is Verdict.UNDECIDED


def test_a_hundred_folds_of_three_kinds_are_decided_by_their_totals():
    folds = [Part(f.p, f.n) for _ in range(10) for f in next(stratified(1234, 5678, 10).configurations())]
    report = means("0.00005", acc="0.8123", sens="0.7001", spec="0.8367")
    answer = solve_known(folds, report)
    assert answer.verdict is Verdict.CONSISTENT
    assert len(answer.witness) == 100
    assert holds(folds, report, answer.witness)


def test_a_mean_over_datasets_weighs_each_dataset_alike():
    parts = [Part(10, 10, 2, Fraction(1, 2), 0), Part(50, 50, 5, Fraction(1, 5), 1)]
    witness = [Matrix(10, 0, 0, 10)] * 2 + [Matrix(25, 25, 25, 25)] * 5
    assert holds(parts, means(acc="0.75"), witness)
    assert solve_known(parts, means(acc="0.75", sens="0.75")).verdict is Verdict.CONSISTENT


def test_without_budget_the_verdict_is_undecided_and_repeats():
    report = means("0.00005", acc="0.8867", f1="0.64", mcc="0.59")
    answers = {solve_known(PRETERM, report, budget=Budget(patterns=10, nearby=10)) for _ in range(2)}
    assert [answer.verdict for answer in answers] == [Verdict.UNDECIDED]


def test_questions_without_meaning_are_refused():
    for parts, report in (
        ([], means(acc="0.5")),
        ([Part(1, 1)], []),
        ([Part(1, 1), Part(1, 1, 1, Fraction(2))], [reported("acc", "0.5", Fraction(1, 10), sd=rounded(0.1, 1))]),
    ):
        with pytest.raises(InputError):
            solve_known(parts, report)
    assert len(list(each([Part(1, 1, 3)]))) == 3


@pytest.mark.parametrize("sd", ["0.05", "0.30", "0.01"])
def test_where_few_matrices_are_left_they_are_all_tried_before_any_is_proposed(sd: str):
    spread = Interval(Fraction(sd) - Fraction("0.005"), Fraction(sd) + Fraction("0.005"))
    report = [reported("sens", "0.8393", Fraction("0.0001"), sd=spread), *means(acc="0.9633")]
    budget = Budget()
    assert solve_known(PRETERM, report, budget=budget).verdict is Verdict.INCONSISTENT
    assert "nearby" not in budget.spent

"""One confusion matrix: verdicts are true, counts exact, witnesses hold, conflicts are minimal."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matrix_strategies import constraint_sets, fitting, honest_reports, printed

from assay.errors import InputError
from assay.findings import Verdict
from assay.scores.constraints import Constraint, substitutes_for
from assay.scores.conventions import Undefined
from assay.scores.definitions import SCORES, Matrix
from assay.scores.exact import Interval
from assay.scores.single import solve
from examples_tried import a_third_of

CONSISTENT, INCONSISTENT, UNDECIDED = Verdict.CONSISTENT, Verdict.INCONSISTENT, Verdict.UNDECIDED
few = st.integers(0, 12)


@settings(max_examples=a_third_of(250))
@given(few, few, constraint_sets())
def test_verdict_and_count_equal_brute_force(p: int, n: int, constraints: list[Constraint]) -> None:
    expected = fitting(p, n, constraints)
    answer = solve(p, n, constraints)
    assert answer.verdict is (CONSISTENT if expected else INCONSISTENT)
    assert answer.count == len(expected)
    assert all(matrix in expected for matrix in answer.witness)
    assert len(answer.witness) == bool(expected)


@settings(max_examples=a_third_of(40))
@given(st.integers(30, 60), st.integers(30, 60), constraint_sets(scores=[s for s in SCORES.values() if not s.affine]))
def test_verdict_equals_brute_force_where_boxes_have_to_be_split(p: int, n: int, constraints: list[Constraint]) -> None:
    expected = fitting(p, n, constraints)
    answer = solve(p, n, constraints)
    assert answer.verdict is (CONSISTENT if expected else INCONSISTENT)
    assert answer.count in (len(expected), None)


@settings(max_examples=a_third_of(200))
@given(honest_reports())
def test_scores_of_a_real_matrix_are_never_called_inconsistent(report: tuple[Matrix, list[Constraint]]) -> None:
    matrix, constraints = report
    assert all(constraint.holds(matrix) for constraint in constraints)
    answer = solve(matrix.p, matrix.n, constraints)
    assert answer.verdict is CONSISTENT
    assert all(constraint.holds(answer.witness[0]) for constraint in constraints)
    assert (answer.witness[0].p, answer.witness[0].n) == (matrix.p, matrix.n)


@settings(max_examples=a_third_of(120))
@given(few, few, constraint_sets(most=5))
def test_conflict_is_impossible_and_any_fewer_of_its_scores_are_possible(
    p: int, n: int, constraints: list[Constraint]
) -> None:
    answer = solve(p, n, constraints)
    if answer.verdict is INCONSISTENT:
        conflict = [constraint for constraint in constraints if constraint.name in answer.conflict]
        assert answer.conflict == tuple(constraint.name for constraint in conflict)
        assert not fitting(p, n, conflict)
        assert all(fitting(p, n, fewer) for fewer in combinations(conflict, len(conflict) - 1) if fewer)
        assert not any(
            not fitting(p, n, smaller) for smaller in combinations(constraints, len(conflict) - 1) if smaller
        )


def example(acc: str) -> list[Constraint]:
    return [printed(name, text, "0.0001") for name, text in (("acc", acc), ("npv", "0.9401"), ("f1", "0.4004"))]


def test_exactly_two_matrices_have_the_scores_of_the_worked_example() -> None:
    answer = solve(1000, 6000, example("0.6821"))
    assert (answer.verdict, answer.count, answer.witness) == (CONSISTENT, 2, (Matrix(743, 257, 1969, 4031),))
    for tn, holds in ((4030, False), (4031, True), (4032, True), (4033, False)):
        matrix = Matrix(743, 257, 6000 - tn, tn)
        assert all(constraint.holds(matrix) for constraint in example("0.6821")) is holds


@pytest.mark.parametrize(("p", "acc"), [(1000, "0.6801"), (1000, "0.6831"), (1100, "0.6821")])
def test_worked_example_is_inconsistent_when_one_figure_is_off(p: int, acc: str) -> None:
    assert solve(p, 6000, example(acc)).verdict is INCONSISTENT


@pytest.mark.parametrize(("p", "conflict"), [(200, ("acc", "sens", "spec")), (100, ("acc", "spec"))])
def test_accuracy_above_equal_sensitivity_and_specificity_is_impossible(p: int, conflict: tuple[str, ...]) -> None:
    reported = [printed("acc", ".90"), printed("sens", ".80"), printed("spec", ".80")]
    answer = solve(p, 200, reported)
    assert (answer.verdict, answer.conflict) == (INCONSISTENT, conflict)


def test_ties_may_have_been_rounded_either_way() -> None:
    # 85 of 100, 170 of 200 and 255 of 300 are all .85, which is printed .8 by one rule and .9 by another
    answer = solve(100, 200, [printed(name, text) for name, text in (("acc", ".9"), ("sens", ".8"), ("spec", ".8"))])
    assert answer.witness == (Matrix(85, 15, 30, 170),)


@pytest.mark.parametrize("names", [("acc", "sens", "spec"), ("acc", "npv", "f1"), ("acc", "mcc", "f1")])
@pytest.mark.parametrize("size", [100, 10**4, 10**6, 10**9])
def test_a_figure_off_by_three_hundredths_is_caught_at_any_size(names: tuple[str, ...], size: int) -> None:
    matrix = Matrix(size * 83 // 100, size * 17 // 100, size * 23 // 100, size * 77 // 100)
    half = Fraction(1, 20000)
    constraints = []
    for name in names:
        value = Fraction(round(float(SCORES[name].value(matrix) or 0), 4)).limit_denominator(10**4)
        constraints.append(Constraint(SCORES[name], Interval(value - half, value + half), name=name))
    assert solve(size, size, constraints).verdict is CONSISTENT
    off = constraints[0].interval
    moved = Interval(*(end + Fraction(3, 100) for end in (off.lo, off.hi) if end is not None))
    constraints[0] = Constraint(constraints[0].score, moved, name=names[0])
    assert solve(size, size, constraints).verdict is INCONSISTENT


def test_open_ends_are_excluded() -> None:
    half = Fraction(1, 2)
    for interval, count in (
        (Interval(half, Fraction(1)), 6),
        (Interval(half, Fraction(1), lo_open=True), 5),
        (Interval(half, Fraction(1), lo_open=True, hi_open=True), 4),
    ):
        assert solve(10, 0, [Constraint(SCORES["sens"], interval)]).count == count


def test_infinite_odds_ratio_needs_an_empty_cell_of_errors() -> None:
    infinite = Interval(None, None, infinite=True)
    answer = solve(3, 4, [Constraint(SCORES["dor"], infinite)])
    assert answer.count == len([m for m in fitting(3, 4, []) if 0 in (m.fn, m.fp) and m.tp and m.tn])
    assert solve(3, 4, [Constraint(SCORES["acc"], infinite)]).verdict is INCONSISTENT


def test_set_without_positives_has_the_sensitivity_that_the_policy_allows() -> None:
    for policy, verdict in ((Undefined.ANY, CONSISTENT), (Undefined.ZERO, CONSISTENT), (Undefined.NEVER, INCONSISTENT)):
        assert solve(0, 5, [printed("sens", "0.00", policy=policy)]).verdict is verdict
    assert solve(0, 5, [printed("sens", "0.50")]).verdict is INCONSISTENT


def test_balanced_accuracy_of_one_class_may_be_the_recall_of_that_class() -> None:
    answer = solve(0, 5, [printed("bacc", "0.60")])
    assert answer.witness == (Matrix(0, 0, 2, 3),)
    assert answer.count == 1


def test_a_matrix_counts_once_though_several_substitutes_fit() -> None:
    anything = Interval(Fraction(-1), Fraction(1))
    score = SCORES["bacc"]
    assert solve(0, 5, [Constraint(score, anything, substitutes_for(score, Undefined.ANY))]).count == 6


def test_without_constraints_every_matrix_fits() -> None:
    assert solve(3, 4, []).count == 20
    assert solve(0, 0, []).witness == (Matrix(0, 0, 0, 0),)


def test_budget_that_runs_out_leaves_the_question_open() -> None:
    answer = solve(10**6, 10**6, [printed("mcc", "0.71234567890123")], max_boxes=10)
    assert answer.verdict is UNDECIDED
    assert "10 boxes" in answer.reason
    assert answer.count is None


def test_same_question_gets_the_same_answer() -> None:
    constraints = [printed(name, text) for name, text in (("mcc", ".61"), ("gm", ".80"), ("f1", ".79"))]
    assert solve(500, 700, constraints) == solve(500, 700, constraints)


def test_ties_between_conflicts_go_by_the_order_of_the_report() -> None:
    constraints = [printed("acc", "0.501"), printed("sens", "0.501"), printed("spec", "0.501")]
    assert solve(10, 10, constraints).conflict == ("acc",)
    assert solve(10, 10, constraints[::-1]).conflict == ("spec",)


def test_negative_sizes_are_refused() -> None:
    with pytest.raises(InputError, match="cannot be negative"):
        solve(-1, 5, [])

"""Reasons are true, short, and name figures that a reader can re-check."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matrix_strategies import EVERY_SCORE, constraint_sets, fitting, intervals, printed

from assay.findings import Verdict
from assay.scores.certificates import Case, explain
from assay.scores.constraints import Constraint
from assay.scores.definitions import SCORES, Score
from assay.scores.exact import Interval, compare
from assay.scores.nearest import interval_width, neighbours
from assay.scores.regions import Statement
from assay.scores.single import solve
from examples_tried import a_third_of


def reason(p: int, n: int, **reported: str) -> str:
    answer = solve(p, n, [printed(name, text) for name, text in reported.items()])
    assert answer.verdict is Verdict.INCONSISTENT
    return answer.reason


EQUAL_RECALLS = {"acc": ".90", "sens": ".80", "spec": ".80"}


@pytest.mark.parametrize(
    ("p", "n", "reported", "words"),
    [
        (38, 262, {"acc": ".9447"}, "of 300 items means between 283.39 and 283.43 correct ones: no whole number."),
        (38, 9, {"fnr": ".0139"}, "of 38 positives means between 37.46 and 37.48 true positives: no whole number."),
        (38, 262, {"bacc": ".91317"}, "means 131·tp + 19·tn between 9091.47 and 9091.58: no whole number."),
        (30, 70, {"ppr": ".3333"}, "of 100 items means between 33.32 and 33.34 predicted positives: no whole number."),
        (200, 200, EQUAL_RECALLS, "sens .80 and spec .80 leave accuracy between 0.795 and 0.805"),
        (200, 200, EQUAL_RECALLS, "acc .90 means between 0.895 and 0.905."),
        (40, 70, {"acc": ".927", "tp": "30"}, "tp 30 leaves accuracy between 0.2681 and 0.9137"),
        (100, 200, {"tp": "120"}, "true positives can only be between 0 and 100"),
        (100, 200, {"prevalence": ".30"}, "prevalence can only be between 0.3333 and 0.3334"),
        (100, 200, {"gm": ".9", "sens": ".5"}, "between 0 and 0.7417; gm .9 means between 0.85 and 0.95."),
        (0, 20, {"sens": ".5"}, "sensitivity is 0/0, for which sens .5 cannot stand."),
        (3, 5, {"ppv": ".55"}, "predictive value is 0.5 (tp = 1, tn = 4) or 0.6 (tp = 3, tn = 3)"),
        (3, 5, {"mcc": ".321"}, "correlation coefficient is 0.2927 (tp = 3, tn = 1) or 0.4473 (tp = 3, tn = 2)"),
    ],
)
def test_reason_is_the_plainest_argument(p: int, n: int, reported: dict[str, str], words: str) -> None:
    assert words in reason(p, n, **reported)


def test_reason_names_the_whole_number_that_is_missing() -> None:
    constraints = [
        printed(name, text, "0.0001") for name, text in (("acc", ".6821"), ("npv", ".9401"), ("f1", ".4004"))
    ]
    answer = solve(1100, 6000, constraints)
    assert answer.conflict == ("acc", "f1")
    assert "leave only tp = 754; tp = 754 needs tn between 4088.2 and 4088.71: no whole number." in answer.reason


def test_reason_says_that_undefined_scores_were_considered() -> None:
    assert "0/0 or infinite" in reason(100, 200, ppv="1.2")
    assert "0/0" not in reason(100, 200, acc="1.2")


def test_infinite_accuracy_is_refused_by_its_formula() -> None:
    answer = solve(3, 4, [Constraint(SCORES["acc"], Interval(None, None, infinite=True))])
    assert "accuracy = (tp + tn) / (p + n) is never infinite" in answer.reason


def test_excluded_ends_are_called_strict() -> None:
    third = Interval(Fraction(1, 3), Fraction(2, 3), lo_open=True, hi_open=True)
    answer = solve(3, 0, [Constraint(SCORES["sens"], third, printed="between 1/3 and 2/3")])
    assert "means strictly between 1 and 2 true positives: no whole number." in answer.reason


few = st.integers(0, 9)


@settings(max_examples=a_third_of(150))
@given(few, few, constraint_sets())
def test_figures_of_a_bound_hold_for_every_matrix_with_the_other_scores(
    p: int, n: int, constraints: list[Constraint]
) -> None:
    answer = solve(p, n, constraints)
    conflict = [constraint for constraint in constraints if constraint.name in answer.conflict]
    for figure, bound in answer.figures:
        for target in conflict:
            label = target.score.label
            if figure not in (f"{label} at least", f"{label} at most") or "no whole number" in answer.reason:
                continue
            others = [constraint for constraint in conflict if constraint is not target]
            for matrix in fitting(p, n, others):
                value = target.score.value(matrix)
                if value is not None and all(other.score.value(matrix) is not None for other in others):
                    side = compare(value, Fraction(str(bound)))
                    assert side >= 0 if figure.endswith("least") else side <= 0 or target.score.ratio(*matrix)[1] == 0


@settings(max_examples=a_third_of(150))
@given(few, few, constraint_sets())
def test_every_impossible_case_gets_a_short_reason(p: int, n: int, constraints: list[Constraint]) -> None:
    if not fitting(p, n, constraints):
        told, figures = explain(Case(p, n, tuple(constraints)))
        assert told.endswith(".")
        assert told.count(". ") <= 2
        assert all(isinstance(value, int | str) for value in figures.values())


@settings(max_examples=a_third_of(150))
@given(st.data(), few, few, st.sampled_from(EVERY_SCORE))
def test_neighbours_are_attained_and_none_is_nearer(data: st.DataObject, p: int, n: int, score: Score) -> None:
    interval = data.draw(intervals(score))
    if interval.infinite or interval.empty:
        return
    others = data.draw(constraint_sets(most=1))
    target = Constraint(score, interval)
    found = neighbours(target, [Statement.from_constraint(other, p, n) for other in others], p, n)
    values = [v for m in fitting(p, n, others) if (v := score.value(m)) is not None and score.ratio(*m)[1]]
    for attained, end, sign in zip(found, (interval.lo, interval.hi), (-1, 1), strict=True):
        beyond = [] if end is None else [v for v in values if compare(v, end) * sign > 0]
        if attained is None:
            assert not beyond
            continue
        assert attained.value == score.value(attained.matrix)
        assert attained.matrix in fitting(p, n, others)
        assert attained.value not in interval
        if attained.nearest and beyond:
            gap = float(interval_width(interval)) / 4 + 1e-6
            assert min(abs(float(v) - float(end)) for v in beyond) >= abs(float(attained.value) - float(end)) - gap

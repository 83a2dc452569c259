"""Short proofs over small parts: right, complete, and found where they exist."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.findings import Verdict
from assay.scores.constraints import Constraint
from assay.scores.conventions import Undefined
from assay.scores.definitions import SCORES, Matrix
from assay.scores.exact import Interval
from assay.scores.means import Part, Reported, solve_known
from assay.scores.means.case_lists import MOST_LINES, Branch, Gap, OutOfRange, Proof, prove
from assay.scores.means.verify import holds


def matrices(part: Part) -> list[Matrix]:
    pairs = product(range(part.p + 1), range(part.n + 1))
    return [Matrix(tp, part.p - tp, part.n - tn, tn) for tp, tn in pairs]


def reported(name: str, figure: str, undefined: Undefined = Undefined.ANY) -> Reported:
    half = Fraction(1, 2 * 10 ** len(figure.partition(".")[2]))
    interval = Interval(Fraction(figure) - half, Fraction(figure) + half)
    return Reported(Constraint(SCORES[name], interval, name=name, printed=figure), undefined=undefined)


def scores_used(proof: Proof) -> set[str]:
    further = proof.cases if isinstance(proof, Branch) else ()
    return {proof.one.name}.union(*(scores_used(one) for _, one in further))


sizes = st.tuples(st.integers(1, 4), st.integers(1, 4))
names = st.sets(
    st.sampled_from(["acc", "sens", "spec", "ppv", "npv", "f1", "ji", "kappa", "bacc"]), min_size=1, max_size=3
)


@settings(max_examples=150, deadline=None)
@given(st.lists(sizes, min_size=1, max_size=2), names, st.data(), st.sampled_from([Undefined.ANY, Undefined.NEVER]))
def test_a_proof_is_never_given_where_matrices_fit(
    folds: list[tuple[int, int]], chosen: set[str], data: st.DataObject, undefined: Undefined
) -> None:
    parts = [Part(p, n) for p, n in folds]
    digits = data.draw(st.integers(1, 3))
    figures = [
        reported(name, f"{data.draw(st.integers(0, 10**digits)) / 10**digits:.{digits}f}", undefined)
        for name in sorted(chosen)
    ]
    proof = prove(parts, figures)
    if proof is None:
        return
    assert proof.lines <= MOST_LINES
    used = [one for one in figures if one.name in scores_used(proof)]
    assert not any(holds(parts, used, witness) for witness in product(*map(matrices, parts)))


@settings(max_examples=100, deadline=None)
@given(st.lists(sizes, min_size=1, max_size=3), names, st.data(), st.integers(1, 4))
def test_honest_means_are_never_refuted(
    folds: list[tuple[int, int]], chosen: set[str], data: st.DataObject, digits: int
) -> None:
    parts = [Part(p, n) for p, n in folds]
    witness = [data.draw(st.sampled_from(matrices(part))) for part in parts]
    figures = []
    for name in sorted(chosen):
        values = [SCORES[name].value(matrix) for matrix in witness]
        known = [value for value in values if isinstance(value, Fraction)]
        if known:  # parts on which the score is 0/0 are left out, or count 0
            count = data.draw(st.sampled_from([len(known), len(values)]))
            figures.append(reported(name, f"{float(sum(known, Fraction(0)) / count):.{digits}f}"))
    if figures:
        assert prove(parts, figures) is None


@pytest.mark.parametrize(
    ("folds", "figures", "words"),
    [
        ([(1, 7), (6, 12)], {"npv": "0.9610"}, "needs between 0.9219 and 0.9221 on 6 + 12 items"),
        ([(14, 11), (6, 8)], {"acc": "0.646", "bacc": "0.598"}, "acc = 18/25 on 14 + 11 items and 4/7 on 6 + 8 items"),
        ([(11, 13), (8, 1)], {"kappa": "0.46", "spec": "0.23"}, "The mean kappa is between -0.4001 and 0.22"),
        ([(1, 3), (12, 10)], {"ppv": "0.092"}, "the nearest possible are"),
    ],
)
def test_small_folds_get_a_list_of_cases(folds: list[tuple[int, int]], figures: dict[str, str], words: str) -> None:
    parts = [Part(p, n) for p, n in folds]
    answer = solve_known(parts, [reported(name, text, Undefined.NEVER) for name, text in figures.items()])
    assert answer.verdict is Verdict.INCONSISTENT
    assert words in answer.reason
    assert not answer.by_search


def test_kinds_of_steps_are_those_that_the_figures_ask_for() -> None:
    parts = [Part(3, 4), Part(2, 5)]
    assert isinstance(prove(parts, [reported("sens", "1.20")]), OutOfRange)
    assert isinstance(prove(parts, [reported("sens", "0.95")]), Gap)
    assert isinstance(prove(parts, [reported("sens", "1.000"), reported("f1", "0.300")]), Branch)
    assert prove([Part(100, 100)], [reported("sens", "0.95")]) is None

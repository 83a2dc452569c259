"""Equal numbers are printed alike, whichever way a tie is rounded."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.findings import Verdict
from assay.scores import ties
from assay.scores.constraints import Undefined
from assay.scores.definitions import SCORES, Matrix
from assay.scores.reading import read_words


def solve(words):
    experiment = read_words(words.split())
    whole = experiment.datasets[0].whole
    return ties.solve(whole.p, whole.n, experiment.reported, Undefined.ANY)


def test_a_tie_cannot_be_rounded_up_and_down_at_once():
    answer = solve("p=100 n=200 acc=0.9 sens=0.8 spec=0.8")
    assert answer.verdict is Verdict.INCONSISTENT
    assert "0.85" in answer.reason
    assert set(answer.conflict) == {"acc", "sens", "spec"}


def test_a_tie_may_be_rounded_either_way_when_all_agree():
    assert solve("p=100 n=200 acc=0.9 sens=0.9 spec=0.9").verdict is Verdict.CONSISTENT
    assert solve("p=20 n=20 acc=0.9 sens=0.8").verdict is Verdict.CONSISTENT


@pytest.mark.parametrize(
    "words",
    [
        "p=100 n=200 err=0.1 sens=0.8 spec=0.8",  # 1 - accuracy may be off in the last bit
        "p=100 n=200 acc=0.9 sens=0.8 spec=0.8 eps=0.05",  # an uncertainty is not a rounding
        "p=100 n=200 acc=[0.85,0.95] sens=0.8 spec=0.8",
    ],
)
def test_where_nothing_says_that_equal_values_are_printed_alike_ties_stay_free(words):
    assert solve(words).verdict is Verdict.CONSISTENT


NAMES = sorted(ties.QUOTIENTS_OF_COUNTS)


def rounded(value: Fraction, digits: int, tie_up: bool) -> str:
    unit = Fraction(1, 10**digits)
    steps, rest = divmod(value, unit)
    up = rest > unit / 2 or (rest == unit / 2 and tie_up)
    return f"{float((steps + up) * unit):.{digits}f}"


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_whatever_way_ties_go_honest_figures_stay_possible_and_the_count_is_exact(data):
    p, n = data.draw(st.integers(1, 12)), data.draw(st.integers(1, 12))
    tp, tn = data.draw(st.integers(0, p)), data.draw(st.integers(0, n))
    digits, tie_up = data.draw(st.integers(1, 2)), data.draw(st.booleans())
    matrix = Matrix(tp, p - tp, n - tn, tn)
    names = data.draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=4, unique=True))
    values = {name: SCORES[name].value(matrix) for name in names}
    printed = {name: rounded(v, digits, tie_up) for name, v in values.items() if v is not None}
    if not printed:
        return
    reported = read_words([f"p={p}", f"n={n}", *(f"{k}={v}" for k, v in printed.items())]).reported
    answer = ties.solve(p, n, reported, Undefined.NEVER)
    assert answer.verdict is Verdict.CONSISTENT
    fitting = [
        m
        for m in (Matrix(a, p - a, n - b, b) for a in range(p + 1) for b in range(n + 1))
        if all(r.constraint(Undefined.NEVER).holds(m) for r in reported) and printed_alike(m, printed)
    ]
    assert answer.count == len(fitting)
    assert answer.witness[0] in fitting


def printed_alike(matrix: Matrix, printed: dict[str, str]) -> bool:
    texts: dict[object, set[str]] = {}
    for name, text in printed.items():
        texts.setdefault(SCORES[name].value(matrix), set()).add(text)
    return all(len(t) == 1 for t in texts.values())

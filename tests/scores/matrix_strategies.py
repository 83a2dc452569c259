"""What the property tests of the scores room draw: scores, intervals, constraints, and honest reports of a matrix."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from hypothesis import strategies as st

from assay.scores.constraints import Constraint, substitutes_for
from assay.scores.conventions import Undefined
from assay.scores.definitions import SCORES, Matrix, Score, f_beta, find_score
from assay.scores.exact import Exact, Infinite, Interval, InverseRoot, Root, compare, floor_times

EVERY_SCORE = [*SCORES.values(), f_beta(Fraction(2)), f_beta(Fraction(1, 2)), f_beta(Fraction(3, 2), negative=True)]


def matrices(p: int, n: int) -> Iterator[Matrix]:
    """All matrices of p positives and n negatives."""
    return (Matrix(tp, p - tp, n - tn, tn) for tp in range(p + 1) for tn in range(n + 1))


def fitting(p: int, n: int, constraints: Sequence[Constraint]) -> list[Matrix]:
    """Those that satisfy all constraints, by trying each."""
    return [matrix for matrix in matrices(p, n) if all(constraint.holds(matrix) for constraint in constraints)]


def order(value: Exact) -> Fraction | float:
    """A number that orders the values of one score as the values themselves are ordered."""
    if isinstance(value, Infinite):
        return float("inf")
    if isinstance(value, Root):
        return value.sign * value.square
    return 1 / (1 + value.square) if isinstance(value, InverseRoot) else value


def printed(name: str, text: str, eps: str | None = None, policy: Undefined = Undefined.ANY) -> Constraint:
    """A reported figure: half a unit of its last digit either way, unless `eps` says otherwise."""
    score, complement = find_score(name)
    half = Fraction(eps) if eps else Fraction(1, 2 * 10 ** len(text.partition(".")[2]))
    interval = Interval(Fraction(text) - half, Fraction(text) + half)
    return Constraint(
        score, interval.one_minus() if complement else interval, substitutes_for(score, policy), name, text
    )


@st.composite
def intervals(draw: st.DrawFn, score: Score) -> Interval:
    """Wide and narrow, open and closed, one-sided, infinite, sometimes out of range."""
    if draw(st.integers(0, 15)) == 0:
        return Interval(None, None, infinite=True)
    unit = draw(st.sampled_from([2, 3, 4, 7, 10, 12, 100, 1000]))
    most = unit * (draw(st.sampled_from([1, 4, 12])) if score.high is None else 1)
    lo = Fraction(draw(st.integers(-unit if score.low == -1 else -1, most + 1)), unit)
    hi = lo + Fraction(draw(st.integers(0, 3)), draw(st.sampled_from([4, 10, 20, 100])))
    return Interval(
        None if draw(st.integers(0, 11)) == 0 else lo,
        None if draw(st.integers(0, 11)) == 0 else hi,
        draw(st.booleans()),
        draw(st.booleans()),
    )


@st.composite
def constraint_sets(draw: st.DrawFn, most: int = 3, scores: Sequence[Score] = EVERY_SCORE) -> list[Constraint]:
    """Constraints on a few different scores, with all policies for 0/0."""
    chosen = draw(st.lists(st.sampled_from(scores), min_size=1, max_size=most, unique_by=lambda score: score.name))
    return [
        Constraint(s, draw(intervals(s)), substitutes_for(s, draw(st.sampled_from(Undefined))), s.name) for s in chosen
    ]


@st.composite
def honest_reports(draw: st.DrawFn, most: int = 5) -> tuple[Matrix, list[Constraint]]:
    """A matrix of any size and its scores, printed with 1 to 6 decimals, ties rounded either way."""
    p, n = (draw(st.integers(0, 10 ** draw(st.integers(0, 9)))) for _ in range(2))
    tp, tn = draw(st.integers(0, p)), draw(st.integers(0, n))
    matrix = Matrix(tp, p - tp, n - tn, tn)
    unit = Fraction(1, 10 ** draw(st.integers(1, 6)))
    constraints = []
    for score in draw(st.lists(st.sampled_from(EVERY_SCORE), min_size=1, max_size=most, unique_by=lambda s: s.name)):
        value = score.value(matrix)
        if value is None:
            defined = [Fraction(*pair) for pair in (s(*matrix) for s in score.undefined_as) if pair[1]]
            value = draw(st.sampled_from(defined))
        if isinstance(value, Infinite):
            interval = Interval(None, None, infinite=True)
        else:
            below = floor_times(value, unit.denominator) * unit
            side = compare(value, below + unit / 2)
            figure = below + (unit if side > 0 or (side == 0 and draw(st.booleans())) else 0)
            interval = Interval(figure - unit / 2, figure + unit / 2)
        constraints.append(Constraint(score, interval, score.undefined_as, score.name))
    return matrix, constraints

"""Why no confusion matrix has these scores, in sentences that a reader can re-check.

Arguments are tried from the plainest to the most laborious: a range that the figure misses, a count
that would not be whole, a polygon without lattice points, and at last the exhaustive search with the
nearest values that are possible.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import gcd

from assay.findings import Value
from assay.records import dataclass
from assay.scores.boxes import Form
from assay.scores.constraints import Constraint
from assay.scores.definitions import Score, Shape
from assay.scores.exact import Exact, Infinite, Interval, decimal
from assay.scores.nearest import Attained, interval_width, neighbours
from assay.scores.phrases import between, between_whole, claim, claims, many, outward, rounded
from assay.scores.polygon import Plane, Polygon, Vertex
from assay.scores.regions import Statement, finite_forms, matrix_at, polynomials

Told = tuple[str, dict[str, Value]]
"""The sentences, and the figures in them."""

_COUNTED = {
    "acc": "correct ones",
    "sens": "true positives",
    "spec": "true negatives",
    "ppr": "predicted positives",
    "tp": "true positives",
    "fn": "false negatives",
    "fp": "false positives",
    "tn": "true negatives",
}
"""What the numerator counts, for scores whose numerator is a count."""

_FEW = 5
"""So many cases are listed one by one."""


@dataclass(frozen=True, slots=True)
class Case:
    """Scores that no matrix of p positives and n negatives has together, although it could have any fewer of them.

    `boxes` is what the search took, if the scores are not all affine.
    """

    p: int
    n: int
    constraints: tuple[Constraint, ...]
    boxes: int = 0

    @property
    def sizes(self) -> str:
        """The test set in words."""
        return f"{many(self.p, 'positive')} and {many(self.n, 'negative')}"

    @property
    def only(self) -> Constraint | None:
        """The constraint that is impossible alone, if it is one."""
        return self.constraints[0] if len(self.constraints) == 1 else None

    @property
    def elsewhere(self) -> str:
        """What to add to an argument about finite scores."""
        if all(Statement.from_constraint(constraint, self.p, self.n).everywhere for constraint in self.constraints):
            return ""
        return " Nor does a matrix fit on which one of the scores is 0/0 or infinite."

    def targets(self) -> Iterator[tuple[Constraint, tuple[Constraint, ...]]]:
        """Each score beside the others: first those that are not affine, then those that hang on both classes."""
        scores = [constraint.score for constraint in self.constraints]
        for i in sorted(range(len(scores)), key=lambda i: (scores[i].affine, 0 in scores[i].rises)):
            yield self.constraints[i], self.constraints[:i] + self.constraints[i + 1 :]

    def polygon(self, constraints: Sequence[Constraint]) -> Polygon | None:
        """The real points (tp, tn) that scores leave, ends of intervals included; None if it is not a polygon."""
        planes: list[Plane] = []
        for constraint in constraints:
            interval = constraint.interval
            closed = replace(constraint, interval=Interval(interval.lo, interval.hi, infinite=interval.infinite))
            alternatives = list(finite_forms(closed, self.p, self.n))
            if not alternatives or not constraint.score.affine:
                return None
            planes += [(form.x, form.y, -form.one) for forms in alternatives for form in forms]
        polygon = Polygon.of_box((0, self.p, 0, self.n)).clipped(planes)
        return None if polygon.empty else polygon


def explain(case: Case) -> Told:
    """Why the case is impossible."""
    for argument in (_no_value, _out_of_bounds, _no_whole_numerator, _no_whole_count, _no_whole_pair):
        told = argument(case)
        if told:
            return told
    return _exhausted(case)


def _no_value(case: Case) -> Told | None:
    """The figure itself cannot be: nothing between its bounds, or a score that these sizes leave without a value."""
    if not case.only:
        return None
    score, interval = case.only.score, case.only.interval
    if interval.empty:
        return f"{claim(case.only)} leaves no value at all: {interval}.", {}
    if not any(polynomials(score.ratio, case.p, case.n)[1]):
        return f"With {case.sizes}, {score.label} is 0/0, for which {claim(case.only)} cannot stand.", {}
    if interval.infinite:
        return f"With {case.sizes}, {score.label} = {score.formula} is never infinite.", {}
    return None


def _out_of_bounds(case: Case) -> Told | None:
    """All scores but one bound that one, and its interval lies outside."""
    for target, others in case.targets():
        polygon = case.polygon(others)
        if polygon is None or target.interval.infinite:
            continue
        room = _room(target.interval, *_extremes(case, target, polygon))
        if room is None:
            continue
        label, (low, high) = target.score.label, room
        given = f"{_leave(others)} {label}" if others else f"{label} can only be"
        meant = f"{claim(target)} means {between(target.interval.lo, target.interval.hi)}"
        figures = {f"{label} at least": low, f"{label} at most": high}
        return (
            f"With {case.sizes}, {given} {between(low, high)}; {meant}.{case.elsewhere}",
            {name: decimal(bound) for name, bound in figures.items() if bound is not None},
        )
    return None


def _leave(constraints: Sequence[Constraint]) -> str:
    return f"{claims(constraints)} {'leaves' if len(constraints) == 1 else 'leave'}"


def _values_at_vertices(case: Case, score: Score, polygon: Polygon) -> list[Fraction]:
    """The values of a ratio at the vertices; none unless its denominator is positive at all of them."""
    top, bottom = polynomials(score.ratio, case.p, case.n)
    pairs = [(_scaled(top, vertex), _scaled(bottom, vertex)) for vertex in polygon.vertices]
    return [Fraction(*pair) for pair in pairs] if all(denominator > 0 for _, denominator in pairs) else []


def _extremes(case: Case, target: Constraint, polygon: Polygon) -> tuple[Exact | None, Exact | None]:
    """The smallest and largest value of the target's score on the polygon; None where it has no bound.

    A ratio of affine forms has them at vertices. Any other score rises or falls all along with tp and with
    tn, so that two corners of the smallest box around the lattice points bound it.
    """
    score = target.score
    at_vertices = _values_at_vertices(case, score, polygon) if score.affine and score.shape is Shape.RATIO else []
    if at_vertices:
        return min(at_vertices), max(at_vertices)
    x0, x1, y0, y1 = polygon.bounds()
    if x0 > x1 or y0 > y1:
        return None, None
    xs, ys = (x0, x1)[:: score.rises[0] or 1], (y0, y1)[:: score.rises[1] or 1]
    lowest, highest = (score.value(matrix_at(corner, case.p, case.n)) for corner in zip(xs, ys, strict=True))
    return None if isinstance(lowest, Infinite) else lowest, None if isinstance(highest, Infinite) else highest


def _scaled(form: Form, vertex: Vertex) -> int:
    """The value of an affine form at a vertex, times the vertex's own denominator."""
    x, y, w = vertex
    return form.one * w + form.x * x + form.y * y


def _room(
    interval: Interval, lowest: Exact | None, highest: Exact | None
) -> tuple[Fraction | None, Fraction | None] | None:
    """Rounded bounds that the interval misses, or None if it does not miss them."""
    digits = _digits(interval)
    low = high = None
    if lowest is not None:
        low = outward(lowest, -1, lambda x: interval.intersect(Interval(x, None)).empty, digits)
    if highest is not None:
        high = outward(highest, 1, lambda x: interval.intersect(Interval(None, x)).empty, digits)
    if low is None and high is None:
        return None
    if low is None and lowest is not None:
        low = rounded(lowest, -1, digits)
    if high is None and highest is not None:
        high = rounded(highest, 1, digits)
    return low, high


def _digits(interval: Interval) -> int:
    """How many decimals, four at least, show differences as small as the interval is wide."""
    width, digits = interval_width(interval), 4
    while digits < 10 and width * 10**digits < 10:
        digits += 1
    return digits


def _no_whole_numerator(case: Case) -> Told | None:
    """One score with a fixed denominator: what its numerator counts would not be a whole number."""
    if not case.only or not case.only.score.affine or case.only.score.shape is not Shape.RATIO:
        return None
    score, interval = case.only.score, case.only.interval
    top, bottom = polynomials(score.ratio, case.p, case.n)
    step = gcd(top.x, top.y)
    if any(bottom[1:]) or not step or interval.lo is None or interval.hi is None:
        return None
    counted = _COUNTED.get(score.name)
    fixed = 0 if counted else top.one
    low, high = ((bound * bottom.one - fixed) / step for bound in (interval.lo, interval.hi))
    words = between_whole(low, high, low_open=interval.lo_open, high_open=interval.hi_open)
    if words is None:
        return None
    meant = f"{words} {counted}" if counted else f"{top.x // step}·tp + {top.y // step}·tn {words}"
    return (
        f"{claim(case.only)} of {_base(case, case.only)} means {meant}: no whole number.",
        {"positives": case.p, "negatives": case.n, "count at least": decimal(low), "count at most": decimal(high)},
    )


def _base(case: Case, constraint: Constraint) -> str:
    """What the score is a share of."""
    in_tp, in_tn = constraint.score.rises
    if not in_tn:
        return many(case.p, "positive")
    if not in_tp:
        return many(case.n, "negative")
    return many(case.p + case.n, "item") if constraint.score.name in _COUNTED else case.sizes


def _no_whole_count(case: Case) -> Told | None:
    """The scores together leave some count a range without a whole number."""
    polygon = case.polygon(case.constraints)
    if polygon is None:
        return None
    for counted, form in (
        ("true positives", Form(0, 1, 0)),
        ("true negatives", Form(0, 0, 1)),
        ("correct ones", Form(0, 1, 1)),
        ("predicted positives", Form(case.n, 1, -1)),
    ):
        low, high = _range(polygon, form)
        words = between_whole(low, high)
        if words:
            return (
                f"With {case.sizes}, {_leave(case.constraints)} {words} {counted}: no whole number.{case.elsewhere}",
                {f"{counted} at least": decimal(low), f"{counted} at most": decimal(high)},
            )
    return None


def _range(polygon: Polygon, form: Form) -> tuple[Fraction, Fraction]:
    """The least and largest value of an affine form on a polygon."""
    values = [Fraction(_scaled(form, vertex), vertex[2]) for vertex in polygon.vertices]
    return min(values), max(values)


def _no_whole_pair(case: Case) -> Told | None:
    """The scores together leave few values of one count, and for each of them no whole number for the other."""
    polygon = case.polygon(case.constraints)
    if polygon is None:
        return None
    x0, x1, y0, y1 = polygon.bounds()
    tp, tn = Form(0, 1, 0), Form(0, 0, 1)
    for name, other, fixed, free, first, last in (("tp", "tn", tp, tn, x0, x1), ("tn", "tp", tn, tp, y0, y1)):
        needs = _needs(polygon, fixed, free, range(first, last + 1)) if last - first < _FEW else []
        if needs and None not in dict(needs).values():
            return _needs_in_words(case, (name, other), (first, last), needs)
    return None


def _needs_in_words(
    case: Case, names: tuple[str, str], ends: tuple[int, int], needs: Sequence[tuple[int, str | None]]
) -> Told:
    (name, other), (first, last) = names, ends
    values = f"{name} = {first}" if first == last else f"{name} from {first} to {last}"
    each = ", ".join(f"{name} = {value} needs {other} {words}" for value, words in needs)
    given = f"With {case.sizes}, {_leave(case.constraints)} only {values}"
    figures: dict[str, Value] = {f"{name} at least": first, f"{name} at most": last}
    return f"{given}; {each}: no whole number.{case.elsewhere}", figures


def _needs(polygon: Polygon, fixed: Form, free: Form, values: range) -> list[tuple[int, str | None]]:
    """Between which numbers the free count lies, for each value of the fixed one; no words if one of them is whole."""
    lines = (polygon.clipped([(fixed.x, fixed.y, value), (-fixed.x, -fixed.y, -value)]) for value in values)
    return [(value, between_whole(*_range(line, free))) for value, line in zip(values, lines, strict=True)]


def _outside(target: Constraint, attained: Attained, direction: int) -> str | None:
    """An attained value with as few digits as keep it outside of the target's interval."""
    shown = outward(attained.value, direction, lambda x: x not in target.interval, _digits(target.interval))
    return None if shown is None else decimal(shown)


def _exhausted(case: Case) -> Told:
    """Nothing shorter than the search itself: say what it covered, and what would have been possible."""
    target, others = next(case.targets())
    matrices = (case.p + 1) * (case.n + 1)
    having = f" with {claims(others)}" if others else ""
    reason = f"None of the {matrices:,} matrices of {case.sizes}{having} has {claim(target)}"
    figures: dict[str, Value] = {"matrices": matrices, "boxes": case.boxes}
    statements = [Statement.from_constraint(other, case.p, case.n) for other in others]
    beside = (None, None) if target.interval.infinite else neighbours(target, statements, case.p, case.n)
    told, nearest = [], True
    for attained, direction, word in zip(beside, (-1, 1), ("below", "above"), strict=True):
        shown = attained and _outside(target, attained, direction)
        if attained and shown is not None:
            told.append(f"{shown} (tp = {attained.matrix.tp}, tn = {attained.matrix.tn})")
            nearest = nearest and attained.nearest
            figures[f"possible {word}"] = shown
    if told:
        label = target.score.label
        reason += (
            f"; {f'the nearest possible {label} is' if nearest else f'possible {label} nearby:'} {' or '.join(told)}"
        )
    searched = f" in {many(case.boxes, 'step')}" if case.boxes else ""
    return f"{reason}. An exhaustive search{searched} by exact arithmetic excludes all.", figures

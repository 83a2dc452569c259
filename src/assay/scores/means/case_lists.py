"""Short proofs over a few small parts: lists of cases that a reader can re-check by hand.

Three kinds of step. *Range*: a mean lies outside what the parts allow. *Gap*: whatever a score is on all parts but one,
that one would need a value between two possible ones. *Branch*: few values of a score on the parts give its mean, and
each of them is followed further. All values are exact fractions. Parts on which a score is 0/0 are cases of their own,
under every convention that is allowed, so that a proof holds for all of them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import islice, product
from math import prod

from assay.records import dataclass
from assay.scores.conventions import Undefined
from assay.scores.definitions import Matrix
from assay.scores.exact import Interval
from assay.scores.means.problem import Part, Reported, each

MOST_LINES = 10
"""Longer lists are no better than a search."""
_MOST_BRANCHES = 4
_MOST_PARTS = 4
_MOST_MATRICES = 1_500
_MOST_PARTIAL = 2_500
"""Ways to choose a value on all parts but one."""

Value = Fraction | None
"""What a part adds to a mean; None where it is left out because the score is 0/0."""
Matrices = tuple[tuple[Matrix, ...], ...]
"""For each part those that are still possible."""


@dataclass(frozen=True, slots=True)
class OutOfRange:
    """The mean lies between two bounds, and the reported one does not."""

    one: Reported
    low: Fraction
    high: Fraction

    @property
    def lines(self) -> int:
        """Statements to re-check."""
        return 1


@dataclass(frozen=True, slots=True)
class Miss:
    """Values on the other parts, what the last part would then need, and its nearest possible values."""

    others: tuple[Value, ...]
    needed: Interval
    below: Fraction | None
    above: Fraction | None


@dataclass(frozen=True, slots=True)
class Gap:
    """Every choice of values on the other parts leaves the last one without a value; only `misses` come near."""

    one: Reported
    last: int
    misses: tuple[Miss, ...]

    @property
    def lines(self) -> int:
        """Statements to re-check."""
        return 1 + len(self.misses)


@dataclass(frozen=True, slots=True)
class Branch:
    """The only values of a score on the parts that give its mean, each with what rules it out."""

    one: Reported
    cases: tuple[tuple[tuple[Value, ...], Proof], ...]

    @property
    def lines(self) -> int:
        """Statements to re-check."""
        return 1 + sum(proof.lines for _, proof in self.cases)


Proof = OutOfRange | Gap | Branch


@dataclass(frozen=True, slots=True)
class _Score:
    """One reported mean over single parts: the values it may have on each, and the matrices with each value."""

    one: Reported
    weights: tuple[Fraction, ...]
    matrices: tuple[dict[Value, tuple[Matrix, ...]], ...]

    @property
    def values(self) -> list[list[Fraction]]:
        """The values on each part, from the smallest to the largest."""
        return [sorted(value for value in found if value is not None) for found in self.matrices]

    @property
    def always_counted(self) -> bool:
        """Whether no part is ever left out."""
        return all(None not in found for found in self.matrices)

    def mean(self, chosen: Sequence[Value]) -> Fraction | None:
        """The mean of these values; None where every part is left out."""
        counted = [(w, v) for w, v in zip(self.weights, chosen, strict=True) if v is not None]
        weight = sum((w for w, _ in counted), Fraction(0))
        return sum((w * v for w, v in counted), Fraction(0)) / weight if weight else None

    def needed(self, others: Sequence[Value], last: int) -> Interval:
        """What the last part would need for the reported mean."""
        rest = [w for i, w in enumerate(self.weights) if i != last]
        counted = [(w, v) for w, v in zip(rest, others, strict=True) if v is not None]
        total = self.weights[last] + sum((w for w, _ in counted), Fraction(0))
        already = sum((w * v for w, v in counted), Fraction(0))
        ends = self.one.mean.lo, self.one.mean.hi
        low, high = (None if end is None else (end * total - already) / self.weights[last] for end in ends)
        return Interval(low, high, self.one.mean.lo_open, self.one.mean.hi_open)

    def partial(self, last: int) -> Iterator[tuple[Value, ...]]:
        """Every choice of values on the parts but the last."""
        return product(*(list(found) for i, found in enumerate(self.matrices) if i != last))

    def partial_count(self, last: int) -> int:
        """How many there are."""
        return prod(len(found) for i, found in enumerate(self.matrices) if i != last)


def prove(parts: Sequence[Part], reported: Sequence[Reported]) -> Proof | None:
    """A short proof that no matrices of the parts give the reported means, if there is one."""
    singles = list(each(parts))
    small = sum((part.p + 1) * (part.n + 1) for part in singles) <= _MOST_MATRICES
    if len(singles) > _MOST_PARTS or not small or len({part.group for part in singles}) > 1:
        return None
    return _shortest(singles, reported, tuple(map(_every_matrix, singles)), MOST_LINES)


def _every_matrix(part: Part) -> tuple[Matrix, ...]:
    pairs = product(range(part.p + 1), range(part.n + 1))
    return tuple(Matrix(tp, part.p - tp, part.n - tn, tn) for tp, tn in pairs)


def _shortest(parts: Sequence[Part], reported: Sequence[Reported], left: Matrices, most: int) -> Proof | None:
    """The proof with the fewest lines, at most so many."""
    best: Proof | None = None
    for at, one in enumerate(reported):
        others = [*reported[:at], *reported[at + 1 :]]
        score = _score(parts, one, left)
        found = None if score is None else _step(parts, score, others, most if best is None else best.lines - 1)
        best = found or best
    return best


def _score(parts: Sequence[Part], one: Reported, left: Matrices) -> _Score | None:
    """The values of a score on the matrices that are left; None where they are no fractions."""
    found: list[dict[Value, tuple[Matrix, ...]]] = []
    for matrices in left:
        by_value: dict[Value, list[Matrix]] = {}
        for matrix in matrices:
            values = _values(one, matrix)
            if values is None:
                return None
            for value in values:
                by_value.setdefault(value, []).append(matrix)
        found.append({value: tuple(chosen) for value, chosen in by_value.items()})
    return _Score(one, tuple(part.weight for part in parts), tuple(found))


def _values(one: Reported, matrix: Matrix) -> list[Value] | None:
    """What the matrix may count: one value, or one for each convention where it is 0/0."""
    value = one.score.value(matrix)
    if isinstance(value, Fraction):
        return [value]
    if value is not None:
        return None
    found: list[Value] = []
    for convention in one.conventions:
        if convention is Undefined.SKIP:
            found.append(None)
        elif not isinstance(convention, Undefined):
            top, bottom = convention(*matrix)
            found += [Fraction(top, bottom)] if bottom else []
    return list(dict.fromkeys(found))


def _step(parts: Sequence[Part], score: _Score, others: Sequence[Reported], most: int) -> Proof | None:
    """The proof that starts with this score: out of range, a gap, or a few branches."""
    if score.one.mean.infinite or not all(score.matrices) or most < 1:
        return None
    outside = _out_of_range(score) if score.always_counted else None
    if outside is not None:
        return outside
    last = min(range(len(parts)), key=score.partial_count)
    if score.partial_count(last) > _MOST_PARTIAL:
        return None
    reached = list(islice(_reached(score, last), _MOST_BRANCHES + 1))
    if not reached:
        return _gap(score, most)
    return _branches(parts, score, reached, others, most) if len(reached) <= _MOST_BRANCHES else None


def _out_of_range(score: _Score) -> OutOfRange | None:
    """The range of a mean that the reported one misses."""
    low, high = (score.mean([values[end] for values in score.values]) for end in (0, -1))
    if low is None or high is None or not score.one.mean.intersect(Interval(low, high)).empty:
        return None
    return OutOfRange(score.one, low, high)


def _reached(score: _Score, last: int) -> Iterator[tuple[Value, ...]]:
    """Every choice of values that gives the reported mean."""
    values, skips = score.values[last], None in score.matrices[last]
    for others in score.partial(last):
        fitting: list[Value] = list(_inside(values, score.needed(others, last)))
        alone = score.mean([*others[:last], None, *others[last:]]) if skips else None
        fitting += [None] if alone is not None and alone in score.one.mean else []
        yield from ((*others[:last], value, *others[last:]) for value in fitting)


def _inside(values: Sequence[Fraction], interval: Interval) -> Sequence[Fraction]:
    """Those of the sorted values that lie in the interval."""
    from_here = bisect_right if interval.lo_open else bisect_left
    up_to = bisect_left if interval.hi_open else bisect_right
    first = 0 if interval.lo is None else from_here(values, interval.lo)
    return values[first:] if interval.hi is None else values[first : up_to(values, interval.hi)]


def _gap(score: _Score, most: int) -> Gap | None:
    """Where no choice gives the mean: the choices that come near, seen from the part where they are fewest."""
    best: Gap | None = None
    for last, values in enumerate(score.values):
        if score.partial_count(last) > _MOST_PARTIAL or not values or None in score.matrices[last]:
            continue
        within = Interval(values[0], values[-1])
        near = (
            Miss(others, needed, *_beside(values, needed))
            for others in score.partial(last)
            if not (needed := score.needed(others, last)).intersect(within).empty
        )
        found = Gap(score.one, last, tuple(islice(near, most)))
        if found.lines <= (most if best is None else best.lines - 1):
            best = found
    return best


def _beside(values: Sequence[Fraction], needed: Interval) -> tuple[Fraction | None, Fraction | None]:
    """The values next to an interval that holds none."""
    at = bisect_right(values, needed.hi) if needed.lo is None and needed.hi is not None else 0
    if needed.lo is not None:
        at = bisect_left(values, needed.lo) if not needed.lo_open else bisect_right(values, needed.lo)
    return values[at - 1] if at else None, values[at] if at < len(values) else None


def _branches(
    parts: Sequence[Part],
    score: _Score,
    reached: Sequence[tuple[Value, ...]],
    others: Sequence[Reported],
    most: int,
) -> Branch | None:
    """Each way to reach the mean, ruled out by the other scores."""
    cases, room = [], most - 1
    for chosen in reached:
        left = tuple(found[value] for found, value in zip(score.matrices, chosen, strict=True))
        proof = _shortest(parts, others, left, room)
        if proof is None:
            return None
        cases.append((chosen, proof))
        room -= proof.lines
    return Branch(score.one, tuple(cases)) if room >= 0 else None

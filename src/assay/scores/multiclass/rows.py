"""Inequalities that every confusion matrix with the reported figures satisfies, each a sum over the classes.

A row gives points to each class for its pair (correct, predicted); the points of all classes and the
row's constant must add up to zero or more. Reported means give such rows directly: "mean ≥ b" says that
the class scores minus b add up to zero or more. Kappa does once its fraction is cleared. For the
correlation and for the F1 of two means the rows are implied, not equivalent. In statements, c, d and q are
the items, the correct and the predicted ones of a class, and N all items.

Points are whole numbers, in units of 1/`UNIT`, always rounded in the row's favour: what fails a row
fails the figure.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial

import numpy as np

from assay.records import dataclass
from assay.scores.definitions import Score, Shape
from assay.scores.exact import Interval, decimal
from assay.scores.multiclass.domains import Domain, Integers, ratio, undefined, wide
from assay.scores.multiclass.quantities import Quantity, Scope
from assay.scores.multiclass.values import (
    ClassSize,
    Gap,
    Mean,
    Reading,
    averages,
    precision_and_recall,
    substitute,
)

UNIT = 1 << 36
_ROOT = np.frompyfunc(math.isqrt, 1, 1)
CURVED = frozenset({"ji", "gm", "upm"})
"""Scores of a class that, for a fixed number of predictions, do not rise in equal steps with the correct ones."""
_SHARE = Interval(Fraction(0), Fraction(1))


@dataclass(frozen=True)
class Row:
    """`constant` plus the classes' points is never negative; `names` are the figures that say so."""

    statement: str
    names: tuple[str, ...]
    points: Callable[[int, Integers, Integers], Integers]
    """(class, correct, predicted) → points; for a fixed `predicted` they rise or fall with `correct` throughout."""
    constant: int = 0
    linear: bool = True
    """Whether, for a fixed `predicted`, they do so in equal steps (but for rounding)."""
    wide: bool = False
    """Whether the points take Python's integers to compute, which is slow."""


@dataclass(frozen=True)
class Setting:
    """What the rows are about: class counts, the possible numbers of correct items, the domains, the reading."""

    counts: tuple[int, ...]
    correct: range
    domains: Sequence[Domain]
    reading: Reading

    @property
    def items(self) -> int:
        """All items."""
        return sum(self.counts)

    def size(self, label: int) -> ClassSize:
        """The items of a class among all."""
        return ClassSize(self.counts[label], self.items)


def rows(setting: Setting, quantities: Sequence[Quantity]) -> list[Row]:
    """All rows that follow from the figures, and from every item being predicted once."""
    made = [*_totals(setting, quantities)]
    for quantity, mean in averages(quantities, setting.reading).items():
        made += _mean(setting, mean, quantity.interval, (quantity.name,), quantity.name)
    for quantity in quantities:
        if quantity.scope is Scope.KAPPA:
            made += _kappa(setting, quantity)
        elif quantity.scope is Scope.MCC:
            made += _mcc(setting, quantity)
        elif quantity.averaged_f1 and setting.reading.f1_of_means:
            made += _f1_of_means(setting, quantity, quantities)
    return made


def _linear(
    setting: Setting,
    statement: str,
    names: tuple[str, ...],
    *,
    correct: Fraction = Fraction(0),
    predicted: Callable[[int], Fraction] = lambda _: Fraction(0),
    squares: Fraction = Fraction(0),
    constant: Fraction = Fraction(0),
) -> Row:
    """A row linear in the correct and predicted counts and the squares of the latter."""
    items = setting.items

    def points(label: int, d: Integers, q: Integers) -> Integers:
        linear = _times(correct, d, items) + _times(predicted(setting.counts[label]), q, items)
        return linear + _times(squares, q * q, items * items) if squares else linear

    return Row(statement, names, points, math.ceil(constant * UNIT))


def _times(factor: Fraction, x: Integers, largest: int) -> Integers:
    """⌈factor · x · UNIT⌉ or a little more, for 0 ≤ x ≤ largest, in 64 bits."""
    whole = math.ceil(abs(factor) * UNIT) * largest
    shift = max(0, 61 - whole.bit_length())
    multiplier = math.ceil(factor * UNIT * (1 << shift))
    return -((-multiplier * x) >> shift)


def _totals(setting: Setting, quantities: Sequence[Quantity]) -> Iterator[Row]:
    one, items = Fraction(1, setting.items), setting.items
    yield _linear(setting, f"items predicted ≥ {items}", (), predicted=lambda _: one, constant=Fraction(-1))
    yield _linear(setting, f"items predicted ≤ {items}", (), predicted=lambda _: -one, constant=Fraction(1))
    names = tuple(q.name for q in quantities if q.scope is Scope.CORRECT)
    least, most = setting.correct.start, setting.correct.stop - 1
    if names:
        yield _linear(setting, f"items correct ≥ {least}", names, correct=one, constant=-least * one)
        yield _linear(setting, f"items correct ≤ {most}", names, correct=-one, constant=most * one)


def _mean(setting: Setting, mean: Mean, interval: Interval, names: tuple[str, ...], title: str) -> Iterator[Row]:
    """Rows of a mean over the classes: the deviations from a bound add up to one side of it."""
    gap, items = setting.reading.gap, setting.items
    stand_in = substitute(mean, gap)
    linear = mean.score.name not in CURVED and not (mean.score.name == "f1" and gap is Gap.SKIP_MISSED)

    def row(bound: Fraction, side: int) -> Row:
        def points(label: int, d: Integers, q: Integers) -> Integers:
            size = setting.size(label)
            hollow = undefined(mean.score, size, d, q, gap)
            given = upward(mean.score, size, d, q, side) - math.floor(side * bound * UNIT)
            filler = 0 if stand_in is None else math.ceil(side * (stand_in - bound) * UNIT)
            kept = np.where(hollow, filler, given)
            return -((-kept * size.items) // items) if mean.scope is Scope.WEIGHTED else kept

        shown, sign = (1 - bound, -side) if mean.complement else (bound, side)
        statement = f"{title} {'≥' if sign > 0 else '≤'} {decimal(shown)}"
        return Row(statement, names, points, linear=linear, wide=wide(mean.score, items))

    if interval.lo is not None:
        yield row(tamed(interval.lo), 1)
    if interval.hi is not None:
        yield row(tamed(interval.hi), -1)


def upward(score: Score, size: ClassSize, correct: Integers, predicted: Integers, side: int) -> Integers:
    """⌈side · score · UNIT⌉ or a little more; anything where the score is 0/0."""
    top, bottom = ratio(score, size, correct, predicted)
    whole = np.where(bottom == 0, 1, bottom)
    if score.shape is Shape.RATIO:
        return (-((-side * top * UNIT) // whole)).astype(np.int64)
    roots: Integers = _ROOT((abs(top.astype(object)) * (UNIT * UNIT)) // whole)
    return np.where(side * top > 0, roots + 1, -roots).astype(np.int64)


def tamed(bound: Fraction) -> Fraction:
    """A bound on a score from -1 to 1 that excludes no more than the given one and keeps all points small."""
    return min(max(bound, Fraction(-2)), Fraction(2))


def _sides(quantity: Quantity) -> Iterator[tuple[Fraction, int, str]]:
    """(bound, 1 or -1 for a lower or upper one, the statement) of a figure."""
    for bound, side, symbol in ((quantity.interval.lo, 1, "≥"), (quantity.interval.hi, -1, "≤")):
        if bound is not None:
            yield tamed(bound), side, f"{quantity.name} {symbol} {decimal(bound)}"


def _kappa(setting: Setting, quantity: Quantity) -> Iterator[Row]:
    """A kappa ≥ b says N·Σd - Σcq ≥ b·(N² - Σcq); the rows are that, divided by N²."""
    n = setting.items
    for bound, side, statement in _sides(quantity):
        yield _linear(
            setting,
            f"{statement}, that is Σd/N - {_short(1 - bound)}·Σcq/N² {'≥' if side > 0 else '≤'} {_short(bound)}",
            (quantity.name,),
            correct=Fraction(side, n),
            predicted=partial(operator.mul, -side * (1 - bound) / (n * n)),
            constant=-side * bound,
        )


def _mcc(setting: Setting, quantity: Quantity) -> Iterator[Row]:
    """MCC ≥ b says X ≥ b·√(C·Y), with X = N·Σd - Σcq, C = N² - Σc², Y = N² - Σq².

    √Y lies above its chord over the possible range of Y and below (Y + s²) / 2s for every s > 0.
    """
    n = setting.items
    spread = n * n - sum(c * c for c in setting.counts)
    for bound, side, statement in _sides(quantity):
        # Needed: side·X - side·bound·√C·√Y ≥ 0; the sign in front says on which side the roots may be off.
        factor = -side * bound * _root(spread, up=side * bound < 0)
        for slope, offset in _chord(setting) if side * bound > 0 else _tangents(setting):
            line = f"{_short(-side * factor * (slope + offset / (n * n)))} + {_short(side * factor * slope)}·Σq²/N²"
            yield _linear(
                setting,
                f"{statement}, so Σd/N - Σcq/N² {'≥' if side > 0 else '≤'} {line}",
                (quantity.name,),
                correct=Fraction(side, n),
                predicted=partial(operator.mul, Fraction(-side, n * n)),
                squares=-factor * slope / (n * n),
                constant=factor * (slope + offset / (n * n)),
            )


def _short(x: Fraction) -> str:
    """For the eye: six digits."""
    return f"{float(x):.6g}"


def _root(x: int, *, up: bool) -> Fraction:
    """√x from below or above, to some 12 digits."""
    fine = 1 << 40
    root = math.isqrt(x * fine * fine)
    return Fraction(root + (up and root * root != x * fine * fine), fine)


def _spread_of_predictions(setting: Setting) -> tuple[int, int]:
    """Bounds of Y = N² - Σq²."""
    n, k = setting.items, len(setting.counts)
    largest = [int(d.predicted.max()) for d in setting.domains]
    most = min(n * n, n * max(largest), sum(q * q for q in largest))
    least = max(sum(int(d.predicted.min()) ** 2 for d in setting.domains), -(-n * n // k))
    return max(0, n * n - most), max(0, n * n - least)


def _chord(setting: Setting) -> list[tuple[Fraction, Fraction]]:
    """(slope, offset) of a line below √Y."""
    least, most = _spread_of_predictions(setting)
    left, right = _root(least, up=False), _root(most, up=False)
    slope = (right - left) / (most - least) if most > least else Fraction(0)
    return [(slope, left - slope * least)]


def _tangents(setting: Setting) -> list[tuple[Fraction, Fraction]]:
    """(slope, offset) of lines above √Y."""
    least, most = _spread_of_predictions(setting)
    touching = {_root(least + (most - least) * i // 4, up=True) for i in range(5)}
    # Lines that touch near 0 are steep and say nothing elsewhere; without them all points stay small.
    return [(1 / (2 * s), s / 2) for s in sorted(touching) if 64 * s > setting.items]


def _f1_of_means(setting: Setting, quantity: Quantity, quantities: Iterable[Quantity]) -> Iterator[Row]:
    """F = 2PR/(P + R) rises in P and in R: bounds on F and on one mean bound the other one."""
    scope = quantity.scope
    known = _known_means(setting, scope, quantities)
    precision, recall = precision_and_recall(scope)
    lo, hi = quantity.interval.lo, quantity.interval.hi
    for mean, other in ((precision, recall), (recall, precision)):
        box, names = known.get(other.score.name, (_SHARE, ()))
        least = _partner(lo, box.hi, Fraction(2)) if lo is not None and lo > 0 else None
        most = _partner(hi, box.lo, None) if hi is not None and hi > 0 else None
        title = f"{scope.value} {mean.score.label} by {quantity.name}"
        yield from _mean(setting, mean, Interval(least, most), (quantity.name, *names), title)


def _known_means(
    setting: Setting, scope: Scope, quantities: Iterable[Quantity]
) -> dict[str, tuple[Interval, tuple[str, ...]]]:
    """What is known of each mean of this scope, and the figures it is known by."""
    n, correct = setting.items, setting.correct
    known: dict[str, tuple[Interval, tuple[str, ...]]] = {
        q.score.name: (q.interval.intersect(_SHARE), (q.name,))
        for q in quantities
        if q.scope is scope and not q.complement  # where undefined, a complement is filled in differently
    }
    if scope is Scope.WEIGHTED or len(set(setting.counts)) == 1:  # the mean recall is accuracy
        names = tuple(q.name for q in quantities if q.scope is Scope.CORRECT)
        known["sens"] = Interval(Fraction(correct.start, n), Fraction(correct.stop - 1, n)), names
    return known


def _partner(f1: Fraction, mean: Fraction | None, otherwise: Fraction | None) -> Fraction | None:
    """The mean that together with the other `mean` gives this F1; `otherwise` where that is out of reach."""
    return f1 * mean / (2 * mean - f1) if mean is not None and 2 * mean > f1 else otherwise

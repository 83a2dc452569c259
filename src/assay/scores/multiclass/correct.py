"""How many items can be correct: the figures that depend on that number alone.

With one label per item, every wrong prediction is a false positive of one class and a false negative
of another. So accuracy, all micro averages, recall weighted by class counts and the mean
one-versus-rest accuracy are functions of one whole number, and must all agree on it. A mean F1, precision,
recall or intersection over union of 0 belongs to them: it leaves no correct item at all.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

from assay.records import dataclass
from assay.scores.answers import Answer, inconsistent
from assay.scores.exact import Exact, compare
from assay.scores.multiclass.quantities import AVERAGES, Quantity, Scope
from assay.scores.multiclass.values import pooled

_ZERO_WITHOUT_CORRECT = frozenset({"sens", "ppv", "f1", "ji"})
"""Scores of a class that are 0 exactly when none of its items is correct, as far as they are defined."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: the classes and their items, and the figures."""

    counts: tuple[int, ...]
    names: tuple[str, ...]
    quantities: tuple[Quantity, ...]

    @property
    def correct(self) -> range:
        """The numbers of correct items that all figures allow."""
        windows = _windows(self).values()
        start = max((w.start for w in windows), default=0)
        return range(start, min((w.stop for w in windows), default=sum(self.counts) + 1))

    @property
    def premise(self) -> str:
        """Why no item can be correct, where a mean over the classes leaves none; else nothing."""
        least = sum(self.counts) * max(sum(self.counts), len(self.counts))
        needing = [q for q in self.quantities if _needs_no_correct_item(self.counts, q)]
        return "".join(
            f"{_printed(q)} leaves no correct item: a single one would give 1/{least} or more. " for q in needing[:1]
        )

    def about(self, names: Iterable[str]) -> Question:
        """The same with some of the figures only."""
        kept = set(names)
        return replace(self, quantities=tuple(q for q in self.quantities if q.name in kept))


def disagreement(question: Question) -> Answer | None:
    """INCONSISTENT when no number of correct items gives a figure, or the same one two of them."""
    counts = question.counts
    windows = _windows(question)
    for quantity, window in windows.items():
        if not window:
            return inconsistent(_no_whole_number(counts, quantity), {"items": sum(counts)}, (quantity.name,))
    for (a, of_a), (b, of_b) in combinations(windows.items(), 2):
        if of_a.stop <= of_b.start or of_b.stop <= of_a.start:
            said = [f"{_printed(q)} needs {span(w)} correct items" for q, w in ((a, of_a), (b, of_b))]
            return inconsistent(f"{said[0]}, but {said[1]}.", {"items": sum(counts)}, (a.name, b.name))
    return None


def _windows(question: Question) -> dict[Quantity, range]:
    """The numbers of correct items that each figure allows, for figures that limit it by themselves."""
    windows = {q: possible_correct(question.counts, q) for q in question.quantities if q.scope is Scope.CORRECT}
    nothing = range(1)
    return windows | {q: nothing for q in question.quantities if _needs_no_correct_item(question.counts, q)}


def _needs_no_correct_item(counts: Sequence[int], quantity: Quantity) -> bool:
    """Whether a mean over the classes is below what a single correct item gives.

    The class of a correct item has at least 1/items in each of these scores, and at least 1/items or 1/classes of the
    weight in the mean, whatever 0/0 counts elsewhere. The harmonic mean of two such means is no smaller either.
    """
    if quantity.scope not in AVERAGES or quantity.score.name not in _ZERO_WITHOUT_CORRECT:
        return False
    hi, items = quantity.interval.hi, sum(counts)
    return hi is not None and hi * items * max(items, len(counts)) < 1


def possible_correct(counts: Sequence[int], quantity: Quantity) -> range:
    """The numbers of correct items that give this figure; each of these scores rises or falls with that number."""
    interval = quantity.interval
    lower = _passes(counts, quantity, interval.lo, interval.lo_open)
    upper = _passes(counts, quantity, interval.hi, not interval.hi_open)
    start, end = (lower, upper) if _rises(quantity) else (upper, lower)
    first, last = start or 0, sum(counts) + 1 if end is None else end
    return range(first, max(first, last))


def _rises(quantity: Quantity) -> bool:
    return sum(quantity.score.rises) >= 0


def _passes(counts: Sequence[int], quantity: Quantity, bound: Fraction | None, beyond: bool) -> int | None:
    """The first number of correct items with which the score has reached a bound, or is beyond it."""
    if bound is None:
        return None
    rises = _rises(quantity)

    def passed(correct: int) -> bool:
        return (compare(_value(counts, quantity, correct), bound) >= beyond) is rises

    return bisect_left(range(sum(counts) + 1), True, key=passed)


def _value(counts: Sequence[int], quantity: Quantity, correct: int) -> Exact:
    return pooled(quantity.score, correct, sum(counts), len(counts))


def _no_whole_number(counts: Sequence[int], quantity: Quantity) -> str:
    items, classes = sum(counts), len(counts)
    lo, hi = quantity.interval.lo, quantity.interval.hi
    share = quantity.score.name in ("sens", "ppv", "f1")
    if share and lo is not None and hi is not None and 0 <= lo <= hi <= 1:
        ends = f"between {float(lo * items):.4f} and {float(hi * items):.4f} correct ones"
        return f"{_printed(quantity)} means {ends} of {items} items: no whole number."
    end = _passes(counts, quantity, lo, quantity.interval.lo_open) or 0
    near = (end - 1, end) if 0 < end <= items else (0, items)
    steps = [f"{d} correct give {_number(quantity, _value(counts, quantity, d))}" for d in near]
    where = f"{items} items in {classes} classes"
    return f"{_printed(quantity)} is not attainable with {where}: {' and '.join(steps)}."


def _printed(quantity: Quantity) -> str:
    because = f" ({quantity.identity})" if quantity.identity else ""
    return f"{quantity.name} in {quantity.printed}{because}"


def _number(quantity: Quantity, value: Exact) -> str:
    return f"{1 - float(value) if quantity.complement else float(value):.6f}"


def span(window: range) -> str:
    """A range of counts in words."""
    return str(window.start) if len(window) == 1 else f"{window.start} to {window.stop - 1}"

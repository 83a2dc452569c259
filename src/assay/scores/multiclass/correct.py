"""How many items can be correct: the figures that depend on that number alone.

With one label per item, every wrong prediction is a false positive of one class and a false negative
of another. So accuracy, all micro averages, recall weighted by class counts and the mean
one-versus-rest accuracy are functions of one whole number, and must all agree on it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations

from assay.records import dataclass
from assay.scores.answers import Answer, inconsistent
from assay.scores.exact import Exact, compare
from assay.scores.multiclass.naming import Quantity, Scope
from assay.scores.multiclass.values import pooled


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: the classes and their items, and the figures."""

    counts: tuple[int, ...]
    names: tuple[str, ...]
    quantities: tuple[Quantity, ...]

    @property
    def correct(self) -> range:
        """The numbers of correct items that all figures allow."""
        windows = [possible_correct(self.counts, q) for q in self.quantities if q.scope is Scope.CORRECT]
        start = max((w.start for w in windows), default=0)
        return range(start, min((w.stop for w in windows), default=sum(self.counts) + 1))

    def about(self, names: Iterable[str]) -> Question:
        """The same with some of the figures only."""
        kept = set(names)
        return replace(self, quantities=tuple(q for q in self.quantities if q.name in kept))


def disagreement(question: Question) -> Answer | None:
    """INCONSISTENT when no number of correct items gives a figure, or the same one two of them."""
    counts = question.counts
    windows = {q: possible_correct(counts, q) for q in question.quantities if q.scope is Scope.CORRECT}
    for quantity, window in windows.items():
        if not window:
            return inconsistent(_no_whole_number(counts, quantity), {"items": sum(counts)}, (quantity.name,))
    for (a, of_a), (b, of_b) in combinations(windows.items(), 2):
        if of_a.stop <= of_b.start or of_b.stop <= of_a.start:
            said = [f"{_told(q)} needs {span(w)} correct items" for q, w in ((a, of_a), (b, of_b))]
            return inconsistent(f"{said[0]}, but {said[1]}.", {"items": sum(counts)}, (a.name, b.name))
    return None


def possible_correct(counts: Sequence[int], quantity: Quantity) -> range:
    """The numbers of correct items that give this figure; all these scores rise with that number."""
    first = _first_not_below(counts, quantity)
    hi, open_ = quantity.interval.hi, quantity.interval.hi_open
    if hi is None:
        return range(first, sum(counts) + 1)
    end = bisect_left(range(sum(counts) + 1), 1 - open_, key=lambda d: compare(_value(counts, quantity, d), hi))
    return range(first, max(first, end))


def _first_not_below(counts: Sequence[int], quantity: Quantity) -> int:
    lo, open_ = quantity.interval.lo, quantity.interval.lo_open
    if lo is None:
        return 0
    return bisect_left(range(sum(counts) + 1), int(open_), key=lambda d: compare(_value(counts, quantity, d), lo))


def _value(counts: Sequence[int], quantity: Quantity, correct: int) -> Exact:
    return pooled(quantity.score, correct, sum(counts), len(counts))


def _no_whole_number(counts: Sequence[int], quantity: Quantity) -> str:
    items, classes = sum(counts), len(counts)
    lo, hi = quantity.interval.lo, quantity.interval.hi
    if quantity.score.name in ("sens", "ppv", "f1") and lo is not None and hi is not None and lo >= 0 and hi <= 1:
        ends = f"between {float(lo * items):.4f} and {float(hi * items):.4f} correct ones"
        return f"{_told(quantity)} means {ends} of {items} items: no whole number."
    end = _first_not_below(counts, quantity)
    near = (end - 1, end) if 0 < end <= items else (0, items)
    steps = [f"{d} correct give {_shown(quantity, _value(counts, quantity, d))}" for d in near]
    where = f"{items} items in {classes} classes"
    return f"{_told(quantity)} is not attainable with {where}: {' and '.join(steps)}."


def _told(quantity: Quantity) -> str:
    because = f" ({quantity.identity})" if quantity.identity else ""
    return f"{quantity.name} in {quantity.printed}{because}"


def _shown(quantity: Quantity, value: Exact) -> str:
    return f"{1 - float(value) if quantity.complement else float(value):.6f}"


def span(window: range) -> str:
    """A range of counts in words."""
    return str(window.start) if len(window) == 1 else f"{window.start} to {window.stop - 1}"

"""How many items of each class are in each fold.

scikit-learn's StratifiedKFold sorts the labels (classes in the order in which they first occur) and deals the items out
one by one. The order of the classes is not reported, so every order that gives different folds is a case of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice, permutations

from assay.records import dataclass

_MOST_ORDERS = 720
"""Orders of the classes that are tried: all of them up to six classes."""

Counts = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Folds:
    """Folds by their class counts: each kind with how many folds are of that kind."""

    kinds: tuple[tuple[Counts, int], ...]

    @property
    def count(self) -> int:
        """How many folds there are."""
        return sum(times for _, times in self.kinds)

    def repeated(self, times: int) -> Folds:
        """The folds of a cross-validation that is run several times."""
        return Folds(tuple((counts, many * times) for counts, many in self.kinds))


def listed(folds: Sequence[Counts]) -> Folds:
    """Folds whose class counts are known."""
    return Folds(tuple(sorted(Counter(folds).items(), reverse=True)))


def stratified(counts: Counts, k: int) -> Iterator[Folds]:
    """The folds that scikit-learn makes since version 0.22, for each order of the classes."""
    seen: set[Folds] = set()
    for order in islice(permutations(range(len(counts))), _MOST_ORDERS):
        folds = listed(_dealt(counts, order, k))
        if folds not in seen:
            seen.add(folds)
            yield folds


def stratified_before_0_22(counts: Counts, k: int) -> Folds:
    """The folds of older versions: the left-over items of every class go to the first folds."""
    return listed([tuple(c // k + (fold < c % k) for c in counts) for fold in range(k)])


def _dealt(counts: Counts, order: Sequence[int], k: int) -> list[Counts]:
    """Fold i gets the items i, i + k, i + 2k, … of the sorted labels."""
    folds = [[0] * len(counts) for _ in range(k)]
    start = 0
    for label in order:
        end = start + counts[label]
        for fold in range(k):
            folds[fold][label] = _multiples(end, fold, k) - _multiples(start, fold, k)
        start = end
    return [tuple(fold) for fold in folds]


def _multiples(end: int, fold: int, k: int) -> int:
    """How many of the numbers fold, fold + k, … are below `end`."""
    return max(0, -((fold - end) // k))

"""All ways to form the folds in one search.

A fold that is not known draws from the matrices of every fold that may be in its place, and the
numbers of positives and negatives are two more quantities whose sums are known exactly. What is refuted
here is refuted for all configurations together; a matrix that is dropped here is in no solution of any
of them; and a draw that fits is a witness together with its folds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from assay.records import dataclass
from assay.scores.definitions import Matrix
from assay.scores.folds import FoldModel
from assay.scores.means.patterns import Table, together
from assay.scores.means.problem import Part
from assay.scores.means.search import Search
from assay.scores.means.windows import Window

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Place:
    """`count` folds of one dataset, each of which may be any of `kinds`."""

    count: int
    kinds: tuple[Part, ...]
    dataset: int

    def part(self, matrix: Matrix) -> Part:
        """The fold that has this matrix."""
        return next(kind for kind in self.kinds if (kind.p, kind.n) == (matrix.p, matrix.n))


def places_of(models: Sequence[FoldModel], kinds: Sequence[Part]) -> list[Place]:
    """Where folds must be filled in; independent repeats are counted together."""
    found = []
    for dataset, model in enumerate(models):
        by_counts = {(kind.p, kind.n): kind for kind in kinds if kind.group == dataset}
        found += [Place(s.count * model.repeats, tuple(by_counts[c] for c in s.choices), dataset) for s in model.slots]
    return found


def joined(
    models: Sequence[FoldModel],
    places: Sequence[Place],
    tables: Mapping[Part, Table],
    windows: Sequence[Window],
) -> Search:
    """The search over all configurations, given a table for each kind of fold."""
    parts = sum(place.count for place in places)
    more = list(_class_totals(models, places, parts))
    columns = [(dataset, negative) for dataset, negative, _ in more]
    combined = [_pooled([tables[kind] for kind in place.kinds], place.dataset, columns) for place in places]
    counts = [place.count for place in places]
    return Search(combined, counts, [*windows, *(window for _, _, window in more)])


def _class_totals(
    models: Sequence[FoldModel], places: Sequence[Place], parts: int
) -> Iterator[tuple[int, bool, Window]]:
    """The classes whose totals say something, each with its window: negatives follow where fold sizes are known."""
    for dataset, model in enumerate(models):
        own = [place.kinds for place in places if place.dataset == dataset]
        where = f" (dataset {dataset + 1})" if len(models) > 1 else ""
        positives, negatives = model.p * model.repeats, model.n * model.repeats
        if max(map(len, own)) > 1:
            yield dataset, False, Window(f"positives{where}", "", positives, positives, parts)
        if max(map(_sizes, own)) > 1:
            yield dataset, True, Window(f"negatives{where}", "", negatives, negatives, parts)


def _sizes(kinds: Sequence[Part]) -> int:
    """How many sizes the folds of a place may have."""
    return len({kind.p + kind.n for kind in kinds})


def _pooled(tables: Sequence[Table], dataset: int, columns: Sequence[tuple[int, bool]]) -> Table:
    """The tables as one, with columns for the class totals of every dataset."""
    whole = together(tables)
    by_class = whole.cells[:, :2].sum(axis=1), whole.cells[:, 2:].sum(axis=1)
    totals = [by_class[negative] * int(dataset == own) for own, negative in columns]
    return Table(whole.cells, np.column_stack([whole.vectors, *totals]), whole.without)


def thinned(search: Search, places: Sequence[Place], quantities: int) -> dict[Part, Table]:
    """What a search has left of the table of each kind of fold, of the first `quantities` alone.

    A fold that may be in several places has what any of them has left.
    """
    found: dict[Part, Table] = {}
    for place, table in zip(places, search.tables, strict=True):
        p, n = table.cells[:, :2].sum(axis=1), table.cells[:, 2:].sum(axis=1)
        for kind in place.kinds:
            rows = (p == kind.p) & (n == kind.n)
            left = Table(table.cells[rows], table.vectors[rows, :quantities], table.without)
            found[kind] = together([found[kind], left]) if kind in found else left
    return found

"""Back from the rows that a model met to the steps that made them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from assay.leakage.watching.journal import Fit, Journal, Made
from assay.leakage.watching.overlap import overlap
from assay.leakage.watching.rows import Keys, Rows
from assay.leakage.watching.sketches import Recognised, recognise
from assay.records import dataclass

_MOST_STEPS = 20
_COVERED = 0.5
"""A step explains rows when it made more than this share of them."""
_COVERED_BY_SAMPLER = 0.99
"""A sampler leaves rows as they are, so that some in common say nothing: it explains rows when it made them all."""
_DEEPEST = 5
_TASTE = 64
"""So many rows are looked up first, for most steps have made none of them."""


@dataclass(frozen=True, slots=True)
class Met:
    """A step on the way to a model, and the rows in question before and after it."""

    fit: Fit
    given: Rows
    made: Rows
    one_to_one: bool
    sampled: bool = False
    """Whether the rows are some of those in question, recognised by cells of single columns."""
    origin: Made | None = None
    """The call that made them, with all the rows that it was given."""


@dataclass
class Lineage:
    """All that was made of rows, arranged for looking back."""

    journal: Journal
    made: list[Made] = field(init=False)
    """What was made, each once: a loop that repeats a step on the same rows makes nothing new."""
    _sorted: dict[int, tuple[Keys, NDArray[np.intp]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Keep the first of equal steps."""
        self.made = list({_content(made): made for made in reversed(self.journal.made)}.values())[::-1]

    def steps_behind(self, rows: Rows, before: int) -> Iterator[Met]:
        """The steps that made these rows, the last first. `before` is the order of the event that they were seen in."""
        candidates = [made for made in self.made if made.order < before]
        for _ in range(_MOST_STEPS):
            found = self._best(rows, candidates)
            if found is None:
                return
            met = self._met(rows, found)
            yield met
            rows = met.given
            candidates = [made for made in candidates if made.order < found.order]

    def columns_behind(self, rows: Rows, before: int) -> Iterator[Met]:
        """The steps that made a column of these rows, and the steps behind those."""
        asked, followed = [(rows, before)], set[int]()
        for _ in range(_DEEPEST):
            origins = [origin for one, order in asked for origin in self._column_origins(one, order)]
            new = {id(made): (made, met) for made, met in origins if id(made) not in followed}
            followed |= new.keys()
            yield from (met for _, met in new.values())
            asked = [(made.given, made.order) for made, _ in new.values()]

    def _column_origins(self, rows: Rows, before: int) -> Iterator[tuple[Made, Met]]:
        """For each column the call that made it: most of its cells and, of several such calls, the fewest others."""
        best: dict[int, tuple[tuple[float, int, int], Made, Recognised]] = {}
        for made in self.made:
            for found in _columns_of(rows, made) if made.order < before else ():
                rank = (found.share, -len(made.made), made.order)
                if found.column not in best or rank > best[found.column][0]:
                    best[found.column] = (rank, made, found)
        for _, made, found in best.values():
            given = Rows(made.given.keys[found.origins]) if made.one_to_one else made.given
            yield made, Met(made.fit, given, Rows(rows.keys[found.rows]), made.one_to_one, True, made)

    def _best(self, rows: Rows, candidates: list[Made]) -> Made | None:
        """What made most of the rows; of several, the one that made the fewest others, and the latest of those.

        Where rows are coarse (one chosen feature of few values) a test row may look like a transformed training row
        too. The call that made the test part made all of it and little else.
        """
        best: tuple[int, int, int] = (0, 0, 0)
        chosen = None
        for made in candidates:
            if not len(rows) or not self._found(rows.keys[:_TASTE], made)[1].any():
                continue
            at, found = self._found(rows.keys, made)
            count = int(found.sum())
            if not self._may_have_made(made, rows, at[found]):
                continue
            enough = _COVERED if made.one_to_one else _COVERED_BY_SAMPLER
            rank = (count, -len(made.made), made.order)
            if count > enough * len(rows) and rank > best:
                best, chosen = rank, made
        return chosen

    def _may_have_made(self, made: Made, rows: Rows, places: NDArray[np.intp]) -> bool:
        """Whether the step changed any of the rows that were found: an imputer leaves complete rows as they are.

        Of columns that a selector chose, few values make rows of other parts alike.
        """
        if made.chosen and not overlap(rows, made.made).beyond_chance:
            return False
        return not made.one_to_one or bool((made.made.keys[places] != made.given.keys[places]).any())

    def _found(self, keys: Keys, made: Made) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
        """For each key, its place among the rows made, and whether it is there at all."""
        if id(made) not in self._sorted:
            order = np.argsort(made.made.keys, kind="stable")
            self._sorted[id(made)] = (made.made.keys[order], order)
        ordered, order = self._sorted[id(made)]
        if not len(ordered):
            return np.zeros(len(keys), dtype=np.intp), np.zeros(len(keys), dtype=np.bool_)
        at = np.minimum(np.searchsorted(ordered, keys), len(ordered) - 1)
        return order[at], ordered[at] == keys

    def _met(self, rows: Rows, made: Made) -> Met:
        at, found = self._found(rows.keys, made)
        through = rows.only(found)
        if not made.one_to_one:  # what a sampler left as it was has kept its key
            kept = np.isin(through.keys, made.given.keys, kind="sort")
            return Met(made.fit, through.only(kept), through, one_to_one=False)
        labels = None if made.given.labels is None else made.given.labels[at[found]]
        given = Rows(made.given.keys[at[found]], labels)
        return Met(made.fit, given, through, one_to_one=True, origin=made)


def _columns_of(rows: Rows, made: Made) -> Iterator[Recognised]:
    """The columns of these rows that a call made; of a sampler, all cells must be there."""
    if rows.sketch is None or made.made.sketch is None or rows.sketch.is_foreign(made.made.sketch):
        return
    enough = 0.0 if made.one_to_one else _COVERED_BY_SAMPLER
    found = recognise(rows.sketch, made.made.sketch, made.given.sketch, in_place=made.one_to_one)
    yield from (column for column in found if column.share >= enough)


def _content(made: Made) -> tuple[object, ...]:
    """What makes two steps equal: the same kind of estimator, line, rows learnt from, rows given and rows made."""
    rows = (made.fit.rows, made.given, made.made)
    return (made.fit.step, made.fit.place, made.one_to_one, *(hash(each.keys.tobytes()) for each in rows))

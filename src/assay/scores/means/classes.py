"""One class after the other: a search that ends where sensitivity or specificity are reported.

Sensitivity depends on the true positives alone, specificity on the true negatives, accuracy on a sum
of both. So all ways to choose the true positives of every part are listed first; those that leave the
same rest of the sums form a group; for each group follow all ways to choose the true negatives. The
printed digits leave few of either. What all other scores are then is looked up, and what fits is
verified exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from assay.scores.means.kinds import Kind
from assay.scores.means.problem import Budget
from assay.scores.means.sums import (
    MOST_KEPT,
    Addend,
    Adding,
    Lookup,
    Outcome,
    Sums,
    TooManySumsError,
    repeated,
    slices,
    within,
)
from assay.scores.means.windows import Reads, Window

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from assay.scores.means.search import Check

    Integers = NDArray[np.int64]
    Places = NDArray[np.intp]

_MOST_PARTS = 60
_LARGEST = 2**55
"""So many values of this size still add up within 64 bits."""
_MOST_CHOICES = 300_000
"""Choices of true positives that are worth going on with."""
_MOST_CHECKS = 500
"""Exact checks of what falls into all windows; rounding makes failures rare."""
_BLOCK = 200_000


def applies(windows: Sequence[Window], parts: int, sizes: Sequence[int]) -> bool:
    """Whether this search may be worth while: something is reported of each class, of one of them alone.

    `sizes` are the largest absolute values of the quantities.
    """
    reads = {window.reads for window in windows}
    enough = {Reads.TP, Reads.TN} <= reads or (Reads.SUM in reads and reads & {Reads.TP, Reads.TN})
    return bool(enough) and parts <= _MOST_PARTS and max(sizes) < _LARGEST


class Classes:
    """A search over `count` parts, each of one of the `kinds`; sums of true positives serve all searches."""

    def __init__(self, kinds: Sequence[Kind], count: int, windows: Sequence[Window]) -> None:
        self._kinds, self._count = kinds, count
        ends = {read: [(w.low, w.high) for w in windows if w.reads is read] for read in Reads}
        self._of_positives, self._of_negatives, self._of_sums, self._of_others = (
            np.array(ends[read], dtype=np.int64).reshape(-1, 2).T for read in Reads
        )
        # the sums less whatever parts of any kind hold beside their true positives
        lowest = np.min([kind.rest[0] + kind.negatives.shares.min(axis=0) for kind in kinds], axis=0)
        highest = np.max([kind.rest[1] + kind.negatives.shares.max(axis=0) for kind in kinds], axis=0)
        rest = self._of_sums - count * np.stack([highest, lowest])
        self._windows = np.concatenate([self._of_positives, rest], axis=1)
        self._adding = Adding([kind.positives.addend for kind in kinds], self._windows)
        self._known: dict[tuple[int, ...], Sums] = {}
        self._sorted: dict[tuple[int, ...], Lookup] = {}

    def search(self, parts: Sequence[int], check: Check, budget: Budget) -> Outcome:
        """Look for matrices of parts of these kinds (equal ones side by side)."""
        outcome = Outcome()
        kinds = [self._kinds[index] for index in parts]
        try:
            positives = self._positives(tuple(parts), budget)
            if not len(positives):
                return Outcome(settled=True)
            groups = _Groups(positives.values[self._of_positives.shape[1] :], self._of_sums)
            for group, negatives in self._negatives(kinds, groups, budget):
                for chosen, source in groups.members(group):
                    outcome.tested += len(chosen)
                    pairs = self._in_sum(kinds, positives.rows[:, chosen], negatives[:, source])
                    fitting = self._fitting(kinds, *pairs, budget)
                    self._verify(kinds, fitting, check, outcome)
                    if outcome.witness:
                        return outcome
        except TooManySumsError:
            return outcome
        outcome.settled = not outcome.doubtful
        return outcome

    def _positives(self, parts: tuple[int, ...], budget: Budget) -> Sums:
        """Every way to choose the true positives that some choice of true negatives may complete."""
        middle = len(parts) // 2
        first, second = parts[:middle], parts[middle:]
        alike = first[-1:] == second[:1]
        if first not in self._sorted:
            self._sorted[first] = Lookup(self._sums(first, budget), self._windows)
        lookup, other = self._sorted[first], self._sums(second, budget)

        def joined() -> Iterator[Sums]:
            yield Sums(other.values[:, :0], np.zeros((len(parts), 0), dtype=np.int64))
            for left, right in lookup.pairs(other.values):
                rows = np.concatenate([lookup.sums.rows[:, left], other.rows[:, right]])
                found = Sums(lookup.sums.values[:, left] + other.values[:, right], rows)
                # equal parts are interchangeable, also across the middle
                yield found[np.flatnonzero(rows[middle - 1] <= rows[middle])] if alike else found

        return Sums.joined(joined(), most=_MOST_CHOICES)

    def _sums(self, parts: tuple[int, ...], budget: Budget) -> Sums:
        """The sums of true positives over some parts; those over the first of them are at hand from other searches."""
        if not parts:
            return self._adding.nothing
        if parts not in self._known:
            beyond = self._adding.farthest(self._count - len(parts))
            grown = self._adding.grow(self._sums(parts[:-1], budget), parts, beyond, budget)
            self._known[parts] = Sums.joined(grown, most=MOST_KEPT)
        return self._known[parts]

    def _negatives(self, kinds: Sequence[Kind], groups: _Groups, budget: Budget) -> Iterator[tuple[Integers, Integers]]:
        """Every way to choose the true negatives, in blocks: for which group, and the states of all parts."""
        rest = [sum(kind.rest[end] for kind in kinds) for end in (1, 0)]
        windows = np.concatenate([self._of_negatives, self._of_sums - [rest[0] + groups.spread, rest[1]]], axis=1)
        # a group is one more part: it adds its share to the sums, and nothing to the rest
        shares = np.pad(groups.sums.T, ((0, 0), (self._of_negatives.shape[1], 0)))
        adding = Adding([Addend.from_table(shares), *(kind.negatives.addend for kind in kinds)], windows)
        left = adding.drop_hopeless()
        if not all(map(len, left)):
            return
        order = tuple(range(len(left)))
        first, second = order[: len(order) // 2], order[len(order) // 2 :]
        lookup = Lookup(adding.all(second, adding.reach(first), budget), windows)
        other = adding.all(first, adding.reach(second), budget)
        for sorted_place, place in lookup.pairs(other.values):
            for start in range(0, len(place), _BLOCK):
                some = other.rows[:, place[start : start + _BLOCK]]
                more = lookup.sums.rows[:, sorted_place[start : start + _BLOCK]]
                states = [places[rows] for places, rows in zip(left, [*some, *more], strict=True)]
                yield states[0], np.stack(states[1:])

    def _in_sum(self, kinds: Sequence[Kind], positives: Integers, negatives: Integers) -> tuple[Integers, Integers]:
        """Those states of both classes whose own sums fall into their windows; a group holds some that do not."""
        total = np.zeros((self._of_sums.shape[1], positives.shape[1]), dtype=np.int64)
        for kind, p, n in zip(kinds, positives, negatives, strict=True):
            total += (kind.positives.shares[p] + kind.negatives.shares[n]).T
        lowest, highest = (sum(kind.rest[end] for kind in kinds) for end in (0, 1))
        fits = within(total, self._of_sums[0] - highest, self._of_sums[1] - lowest)
        return positives[:, fits], negatives[:, fits]

    def _fitting(
        self, kinds: Sequence[Kind], positives: Integers, negatives: Integers, budget: Budget
    ) -> Iterator[tuple[Integers, Integers]]:
        """Those states of both classes whose other scores fall into their windows."""
        cells = [kind.cells(p, n) for kind, p, n in zip(kinds, positives, negatives, strict=True)]
        copies = np.prod([kind.sizes[cell] for kind, cell in zip(kinds, cells, strict=True)], axis=0)
        if not budget.spend("sums", int(copies.sum())):
            raise TooManySumsError
        for part in slices(copies, _BLOCK):
            chosen = np.arange(part.start, part.stop)
            total = np.zeros((self._of_others.shape[1], len(chosen)), dtype=np.int64)
            once = bool((copies[part] == 1).all())
            for kind, cell in zip(kinds, cells, strict=True):
                again, nth = (slice(None), 0) if once else repeated(kind.sizes[cell[chosen]])
                chosen = chosen[again]
                total = total[:, again] + kind.others[:, kind.starts[cell[chosen]] + nth]
            fits = chosen[within(total, *self._of_others)]
            yield from zip(positives[:, fits].T, negatives[:, fits].T, strict=True)

    @staticmethod
    def _verify(
        kinds: Sequence[Kind], fitting: Iterator[tuple[Integers, Integers]], check: Check, outcome: Outcome
    ) -> None:
        """Check exactly what falls into all windows, until there is a witness."""
        for positives, negatives in fitting:
            outcome.checks += 1
            if outcome.checks > _MOST_CHECKS:
                outcome.doubtful = True
                return
            witness = [kind.matrix(tp, tn) for kind, tp, tn in zip(kinds, positives, negatives, strict=True)]
            verdict = check(witness)
            if verdict:
                outcome.witness = witness
                return
            outcome.doubtful = outcome.doubtful or verdict is None


class _Groups:
    """Choices of true positives by what they add to the sums: from `sums` to `sums + spread` for each group."""

    def __init__(self, sums: Integers, windows: Integers) -> None:
        group = np.zeros(sums.shape[1], dtype=np.int64)
        for line, width in zip(sums, np.maximum(windows[1] - windows[0], 1), strict=True):
            step = np.unique(line // width, return_inverse=True)[1]
            group = np.unique(group * (len(step) + 1) + step, return_inverse=True)[1]
        self._order = np.argsort(group, kind="stable")
        self._sizes = np.bincount(group)
        self._starts = np.cumsum(self._sizes) - self._sizes
        self.sums = np.minimum.reduceat(sums[:, self._order], self._starts, axis=1)
        self.spread = (np.maximum.reduceat(sums[:, self._order], self._starts, axis=1) - self.sums).max(axis=1)

    def members(self, groups: Integers) -> Iterator[tuple[Places, Places]]:
        """All members of each of these groups, in blocks: which choice, and at which place of `groups`."""
        sizes = self._sizes[groups]
        for part in slices(sizes, _BLOCK):
            source, nth = repeated(sizes[part])
            yield self._order[self._starts[groups[part][source]] + nth], part.start + source

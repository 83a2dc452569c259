"""Sums over several parts, one row from the table of each: all that matter, and those of two halves that fit.

Arrays hold one line for each quantity, one column for each sum: that is several times faster than the
other way round, for there are few quantities and many sums.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.records import dataclass
from assay.scores.definitions import Matrix
from assay.scores.means.problem import Budget
from assay.scores.means.windows import FAR

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]
    Places = NDArray[np.intp]

MOST_KEPT = 1_500_000
"""Sums of one half that are kept in memory."""
_BLOCK = 300_000
_EXACT = 2**53
"""Floating-point numbers hold all whole numbers up to this."""
_MOST_EXPANDED = 2_000_000


class TooManySumsError(Exception):
    """The budget, or the memory, does not suffice for all sums: nothing follows."""


@dataclass(slots=True)
class Outcome:
    """What a search came to: a witness, or whether it is `settled` that there is none."""

    witness: list[Matrix] | None = None
    settled: bool = False
    tested: int = 0
    checks: int = 0
    doubtful: bool = False


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums of quantities over some parts, and for each sum the row chosen in the table of every part."""

    values: Integers
    rows: Integers

    def __len__(self) -> int:
        return int(self.values.shape[1])

    def __getitem__(self, chosen: Places | slice) -> Sums:
        return Sums(self.values[:, chosen], self.rows[:, chosen])

    @staticmethod
    def joined(blocks: Iterable[Sums], *, most: int) -> Sums:
        """The blocks as one, unless they hold more than so many sums."""
        kept: list[Sums] = []
        for block in blocks:
            kept.append(block)
            if sum(len(sums) for sums in kept) > most:
                raise TooManySumsError
        if len(kept) == 1:
            return kept[0]
        return Sums(*(np.concatenate([getattr(sums, name) for sums in kept], axis=1) for name in ("values", "rows")))


def needed(directions: Integers, windows: Integers) -> list[int]:
    """The least value of each column of `directions` over the windows; -FAR where it has none."""
    ends = np.where(directions > 0, windows[0][:, None], windows[1][:, None])
    endless = ((directions != 0) & (np.abs(ends) >= FAR // 2)).any(axis=0)
    # Python's integers: windows may be far wider than what is left in play
    least = (directions.astype(object) * ends).sum(axis=0).tolist()
    return [-FAR if has_none else max(x, -FAR) for x, has_none in zip(least, endless, strict=True)]


def product(vectors: Integers, directions: Integers) -> Integers:
    """`vectors @ directions`; in floating point, which is many times faster, where that is exact."""
    largest = int((np.abs(vectors).max(axis=0, initial=0).astype(object) @ np.abs(directions)).max(initial=0))
    if largest >= _EXACT:
        return vectors @ directions
    found: Integers = (vectors.astype(float) @ directions.astype(float)).astype(np.int64)
    return found


def within(values: Integers, low: Integers, high: Integers) -> Places:
    """The columns whose values lie between the ends."""
    inside = np.ones(values.shape[1], dtype=bool)
    for line, least, most in zip(values, low, high, strict=True):
        inside &= line >= least
        inside &= line <= most
    return np.flatnonzero(inside)


def repeated(sizes: Integers) -> tuple[Places, Places]:
    """Each place as often as its size says, with a running number."""
    places = np.repeat(np.arange(len(sizes)), sizes)
    return places, np.arange(len(places)) - np.repeat(np.cumsum(sizes) - sizes, sizes)


def slices(sizes: Integers, most: int) -> Iterator[slice]:
    """Consecutive places whose sizes together stay within `most` (a single one may exceed it)."""
    ends = np.cumsum(sizes)
    start = 0
    while start < len(sizes):
        done = int(ends[start - 1]) if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, done + most, "right")))
        yield slice(start, stop)
        start = stop


@dataclass(frozen=True, slots=True)
class Addend:
    """What one part may add: a table, with a line for each quantity, and how far it reaches up and down."""

    values: Integers
    reach: Integers

    @staticmethod
    def from_table(table: Integers) -> Addend:
        """From a table with a row for each possibility."""
        values = np.ascontiguousarray(table.T)
        return Addend(values, np.concatenate([values.max(axis=1), -values.min(axis=1)]))


class Adding:
    """Sums over parts, each of which draws from one of the addends, that may still end in the windows.

    What the parts to come cannot make up for is dropped at once. `directions` are combinations of the
    quantities, one in each column, for which the same is done with sums over at most so many `parts`.
    """

    def __init__(
        self, addends: Sequence[Addend], windows: Integers, *, directions: Integers | None = None, parts: int = 0
    ) -> None:
        self._values, self._reach = [addend.values for addend in addends], [addend.reach for addend in addends]
        self._width = windows.shape[1]
        self._need = np.concatenate([windows[0], -windows[1]])
        self._directions: list[NDArray[Any]] = []
        if directions is not None:
            largest = np.max([np.abs(addend.values).max(axis=1) for addend in addends], axis=0)
            exact = int((largest.astype(object) @ np.abs(directions)).max()) * parts < _EXACT
            self._directions = list(directions.T.astype(float) if exact else directions.T)
            self._need = np.concatenate([self._need, needed(directions, windows)])
            peaks = [(directions.T @ values).max(axis=1) for values in self._values]
            self._reach = [np.concatenate(both) for both in zip(self._reach, peaks, strict=True)]

    def reach(self, parts: Iterable[int]) -> Integers:
        """The most that the parts may add, up and down in every quantity and in every direction."""
        total: Integers = sum((self._reach[index] for index in parts), 0 * self._need)
        return total

    def farthest(self, parts: int) -> Integers:
        """The most that so many parts may add, whatever they draw from."""
        greatest: Integers = np.max(self._reach, axis=0)
        return parts * greatest

    @property
    def nothing(self) -> Sums:
        """The sum over no parts."""
        return Sums(np.zeros((self._width, 1), dtype=np.int64), np.zeros((0, 1), dtype=np.int64))

    def drop_hopeless(self) -> list[Places]:
        """Where one part draws from each addend: drop what the others cannot make up for; return what is left."""
        whole = self.reach(range(len(self._values)))
        left = [self._hopeful(v, whole - reach) for v, reach in zip(self._values, self._reach, strict=True)]
        self._values = [values[:, places] for values, places in zip(self._values, left, strict=True)]
        return left

    def _hopeful(self, values: Integers, beyond: Integers) -> Places:
        """The columns of `values` that may still end in the windows, given the reach of the parts beyond."""
        need = self._need - beyond
        places = within(values, need[: self._width], -need[self._width : 2 * self._width])
        if not self._directions:
            return places
        left = values[:, places].astype(self._directions[0].dtype)
        for direction, least in zip(self._directions, need[2 * self._width :], strict=True):
            good = np.flatnonzero(direction @ left >= least)
            if len(good) < len(places):
                places, left = places[good], left[:, good]
        return places

    def all(self, parts: Sequence[int], beyond: Integers, budget: Budget) -> Sums:
        """Every sum over these parts, given the reach of those beyond."""
        sums = self.nothing
        for position in range(len(parts)):
            to_come = beyond + self.reach(parts[position + 1 :])
            sums = Sums.joined(self.grow(sums, parts[: position + 1], to_come, budget), most=MOST_KEPT)
        return sums

    def grow(self, sums: Sums, parts: Sequence[int], beyond: Integers, budget: Budget) -> Iterator[Sums]:
        """Add the last of `parts` to sums over the others; parts with the same addend draw in rising order."""
        values = self._values[parts[-1]]
        size = values.shape[1]
        rising = parts[-2:-1] == parts[-1:]
        step = max(1, _BLOCK // max(1, size))
        for start in range(0, max(1, len(sums)), step):
            some = sums[start : start + step] if len(sums) > step else sums
            if not budget.spend("sums", len(some) * size):
                raise TooManySumsError
            added = (some.values[:, :, None] + values[:, None, :]).reshape(self._width, -1)
            places = self._hopeful(added, beyond)
            i, j = np.divmod(places, size)
            if rising:
                later = j >= some.rows[-1, i]
                places, i, j = places[later], i[later], j[later]
            yield Sums(added[:, places], np.concatenate([some.rows[:, i], j[None]]))


class Lookup:
    """Sums sorted by the two quantities whose windows are narrowest against their spread."""

    def __init__(self, sums: Sums, windows: Integers) -> None:
        low, high = self._low, self._high = windows
        self.sums = sums
        if not len(sums):
            return
        self._base, self._top = sums.values.min(axis=1), sums.values.max(axis=1)
        spread = (self._top - self._base + 1).astype(float)
        self._order = np.argsort((high / 2 - low / 2) / spread, kind="stable")
        self._first, self._second = int(self._order[0]), int(self._order[min(1, len(self._order) - 1)])
        # a window touches at most two buckets of the first quantity
        self._bucket = max(1, int(high[self._first]) - int(low[self._first]) + 1)
        buckets = int(self._top[self._first] - self._base[self._first]) // self._bucket + 3
        span = int(self._top[self._second] - self._base[self._second])
        self._grain = max(1, -(-span * buckets // 2**60))
        self._stride = span // self._grain + 3
        keys = self._key(sums.values[self._first], sums.values[self._second])
        place = np.argsort(keys, kind="stable")
        self._keys, self.sums = keys[place], sums[place]

    def _key(self, first: Integers, second: Integers) -> Integers:
        bucket: Integers = (first - self._base[self._first]) // self._bucket
        grain: Integers = (second - self._base[self._second]) // self._grain
        return bucket * self._stride + grain

    def pairs(self, values: Integers, budget: Budget | None = None) -> Iterator[tuple[Places, Places]]:
        """Positions of sorted sums and of `values` that together fall into every window, or those within a budget."""
        if not len(self.sums):
            return
        hopeful = within(values, self._low - self._top, self._high - self._base)
        first, second = values[self._first, hopeful], values[self._second, hopeful]
        bucket = (self._low[self._first] - first - self._base[self._first]) // self._bucket
        base, top = self._base[self._second], self._top[self._second]
        start = (np.maximum(self._low[self._second] - second, base) - base) // self._grain
        stop = (np.minimum(self._high[self._second] - second, top) - base) // self._grain
        # in either bucket the sums that fit are neighbours
        keys = np.stack([bucket, bucket + 1]) * self._stride
        begin = np.searchsorted(self._keys, (keys + start).ravel(), "left")
        end = np.searchsorted(self._keys, (keys + stop).ravel(), "right")
        yield from self._verified(values, np.tile(hopeful, 2), begin, np.maximum(end - begin, 0), budget)

    def _verified(
        self, values: Integers, hopeful: Places, begin: Places, counts: Places, budget: Budget | None
    ) -> Iterator[tuple[Places, Places]]:
        """Expand the ranges found, in slices, so that a coarse window cannot fill the memory."""
        for part in slices(counts, _MOST_EXPANDED):
            if budget is not None and not budget.spend("nearby", int(counts[part].sum())):
                return
            source, nth = repeated(counts[part])
            position, place = begin[part][source] + nth, hopeful[part][source]
            for quantity in self._order:
                total = self.sums.values[quantity, position] + values[quantity, place]
                good = np.flatnonzero((total >= self._low[quantity]) & (total <= self._high[quantity]))
                position, place = position[good], place[good]
            if len(position):
                yield position, place

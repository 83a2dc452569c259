"""Whole numbers around a real-valued solution: every combination for a few parts, while the others are rounded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from math import isqrt, prod
from typing import TYPE_CHECKING

import numpy as np

from assay.scores.definitions import Matrix
from assay.scores.means.goals import Goal
from assay.scores.means.problem import Budget
from assay.scores.means.sums import Lookup, Sums
from assay.scores.means.windows import FAR

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

Check = Callable[[list[Matrix]], bool]
"""Whether matrices, one for each part, give everything reported."""
_RANGE = 2.0**50
"""The sums of each quantity, as whole numbers, stay within this."""
_MOST_CHECKS = 12
"""Exact checks of combinations that fall into all windows in floating point."""
_FEW = 49
"""Matrices of each part to which it may move while all parts settle."""
_SWEEPS = 6
_SLACK = 1e-9
"""Windows are that much wider than reported: what lies on an end is for the exact check to decide."""


class Neighbours:
    """Matrices near `counts`, the true positives and negatives of every part, not yet whole."""

    def __init__(self, goals: Sequence[Goal], sizes: Floats, counts: Floats, generator: np.random.Generator) -> None:
        self._goals, self._sizes, self._generator = goals, sizes, generator
        self._whole = np.rint(counts).astype(np.int64)
        windows = [window for goal in goals for window in _windows(goal, sizes.shape[1])]
        self._windows = np.array(windows, dtype=np.int64).T

    def settle(self) -> None:
        """Move one part after the other to where all sums together miss their windows least."""
        parts = self._sizes.shape[1]
        tables = [self._box(part, _FEW, shaped=False) for part in range(parts)]
        current = np.stack([self._quantities(part, self._whole[:, part : part + 1])[0][:, 0] for part in range(parts)])
        total = current.sum(axis=0)
        halves = np.maximum((self._windows[1] - self._windows[0]) / 2, 1.0)
        for _ in range(_SWEEPS):
            before = total
            for part in self._generator.permutation(parts):
                values, cells = tables[part]
                moved = (total - current[part])[:, None] + values
                beyond = np.maximum(self._windows[0][:, None] - moved, moved - self._windows[1][:, None])
                away = ((np.maximum(beyond, 0) / halves[:, None]) ** 2).sum(axis=0)
                if not len(away):
                    return
                best = int(np.argmin(away))
                total, current[part], self._whole[:, part] = moved[:, best], values[:, best], cells[:, best]
            if (before == total).all():
                return

    def search(self, active: Integers, size: int, check: Check, budget: Budget) -> list[Matrix] | None:
        """A combination that stands the exact check, among so many sums of each half of the active parts."""
        parts = active.tolist()
        middle = (len(parts) + 1) // 2
        halves = parts[:middle], parts[middle:]
        tables = {part: self._box(part, int(size ** (1 / len(half)))) for half in halves for part in half}
        if not all(values.shape[1] for values, _ in tables.values()):
            return None
        windows = self._windows - self._sum_without(parts)
        if not budget.spend("nearby", sum(prod(tables[part][0].shape[1] for part in half) for half in halves)):
            return None
        lookup, other = Lookup(self._sums(halves[0], tables), windows), self._sums(halves[1], tables)
        for rows in islice(_fitting(lookup, other, budget), _MOST_CHECKS):
            chosen = {part: tables[part][1][:, row] for part, row in zip(parts, rows, strict=True)}
            matrices = self._matrices(chosen)
            if check(matrices):
                return matrices
        return None

    def _sum_without(self, active: Sequence[int]) -> Integers:
        """What the parts that stay as they are add to each sum."""
        total = np.zeros(self._windows.shape[1], dtype=np.int64)
        for part in set(range(self._sizes.shape[1])) - set(active):
            total += self._quantities(part, self._whole[:, part : part + 1])[0][:, 0]
        return total

    def _box(self, part: int, room: int, *, shaped: bool = True) -> tuple[Integers, Integers]:
        """The quantities and the counts of about so many matrices around one part, in a box of random shape."""
        stretch = float(2 ** self._generator.uniform(-1.5, 1.5)) if shaped else 1.0
        tall = max(1, round(isqrt(max(3, room)) * stretch))
        lines = [self._around(0, part, tall)]
        lines.append(self._around(1, part, max(3, room) // len(lines[0])))
        if len(lines[1]) * len(lines[0]) < room:
            lines[0] = self._around(0, part, room // len(lines[1]))
        tp, tn = (axis.ravel() for axis in np.meshgrid(*lines, indexing="ij"))
        cells = np.stack([tp, tn])
        values, possible = self._quantities(part, cells)
        return values[:, possible], cells[:, possible]

    def _around(self, line: int, part: int, wanted: int) -> Integers:
        """About so many whole numbers around the present one, as far to one side as to the other."""
        present, limit = int(self._whole[line, part]), int(self._sizes[line, part])
        reach = min(max(wanted // 2, 0), max(present, limit - present))
        return np.arange(max(0, present - reach), min(limit, present + reach) + 1)

    def _quantities(self, part: int, cells: Integers) -> tuple[Integers, NDArray[np.bool_]]:
        """What matrices of a part add to each sum, in whole numbers, and which of them may occur at all."""
        p, n = self._sizes[:, part : part + 1]
        tp, tn = cells.astype(float)
        lines: list[Floats] = []
        possible = np.ones(cells.shape[1], dtype=bool)
        for goal in self._goals:
            if not goal.counted[part]:
                lines += [np.zeros(len(tp))] * len(_scales(goal))
                continue
            values = goal.values(tp, tn, p, n, goal.undefined[part : part + 1])
            low, high = goal.limits
            possible &= np.isfinite(values) & (values >= low - _SLACK) & (values <= high + _SLACK)
            values = np.where(possible, values, 0.0)
            lines += [line * scale for line, scale in zip(_lines(goal, part, values), _scales(goal), strict=True)]
        return np.rint(np.array(lines)).astype(np.int64), possible

    def _sums(self, half: Sequence[int], tables: dict[int, tuple[Integers, Integers]]) -> Sums:
        """Every sum over one half."""
        values = np.zeros((self._windows.shape[1], 1), dtype=np.int64)
        rows = np.zeros((0, 1), dtype=np.int64)
        for part in half:
            added = tables[part][0]
            places, chosen = np.divmod(np.arange(values.shape[1] * added.shape[1]), added.shape[1])
            values = (values[:, :, None] + added[:, None, :]).reshape(len(values), -1)
            rows = np.concatenate([rows[:, places], chosen[None]])
        return Sums(values, rows)

    def _matrices(self, chosen: Mapping[int, Integers]) -> list[Matrix]:
        """One matrix for each part, some of them as chosen."""
        whole, sizes = self._whole.copy(), self._sizes.astype(np.int64)
        for part, cell in chosen.items():
            whole[:, part] = cell
        counts = zip(whole.T.tolist(), sizes.T.tolist(), strict=True)
        return [Matrix(tp, p - tp, n - tn, tn) for (tp, tn), (p, n) in counts]


def _fitting(lookup: Lookup, other: Sums, budget: Budget) -> Iterator[list[int]]:
    """The rows of all parts, for each pair of sums that falls into every window, as far as the budget goes."""
    for places, others in lookup.pairs(other.values, budget):
        for a, b in zip(places, others, strict=True):
            yield [*lookup.sums.rows[:, a].tolist(), *other.rows[:, b].tolist()]


def _lines(goal: Goal, part: int, values: Floats) -> Iterator[Floats]:
    """The quantities of one score, in the order of its windows."""
    yield goal.weights[part] * values
    if goal.sd is not None:
        yield (values - goal.centre) ** 2
    for bound in (goal.minimum, goal.maximum):
        if bound is not None:
            yield ((values >= bound[0] - _SLACK) & (values <= bound[1] + _SLACK)).astype(float)


def _scales(goal: Goal) -> list[float]:
    """What one unit of each quantity is as a whole number."""
    reach = max(1.0, *(abs(end) for end in goal.mean if np.isfinite(end)))
    scale = _RANGE / (4 * reach * len(goal.weights))
    return (
        [scale]
        + [scale / (4 * reach)] * (goal.sd is not None)
        + [1.0] * ((goal.minimum is not None) + (goal.maximum is not None))
    )


def _windows(goal: Goal, parts: int) -> Iterator[tuple[int, int]]:
    """Between which ends each sum lies."""
    mean, *rest = _scales(goal)
    low, high = goal.mean
    yield _scaled(low - _SLACK, mean), _scaled(high + _SLACK, mean)
    if goal.sd is not None:
        away = parts * (high - low) ** 2 / 4 if np.isfinite(high - low) else np.inf
        least, most = (goal.divisor * end**2 for end in goal.sd)
        yield _scaled(least - _SLACK, rest[0]), _scaled(most + away + _SLACK, rest[0])
    for bound in (goal.minimum, goal.maximum):
        if bound is not None:
            yield 1, FAR


def _scaled(end: float, scale: float) -> int:
    return round(min(max(end * scale, -FAR), FAR))

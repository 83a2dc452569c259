"""Whole numbers around a real-valued solution: every combination for a few parts, while the others are rounded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from math import isqrt
from typing import TYPE_CHECKING

import numpy as np

from assay.scores.definitions import Matrix
from assay.scores.means.goals import Goal
from assay.scores.means.sums import Lookup, Sums
from assay.scores.means.windows import FAR

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

_RANGE = 2.0**50
"""The sums of each quantity, as whole numbers, stay within this."""
_MOST_CHECKS = 12
"""Exact checks of combinations that fall into all windows in floating point."""
_SLACK = 1e-9
"""Windows are that much wider than reported: what lies on an end is for the exact check to decide."""


class Neighbours:
    """Matrices near `counts`, the true positives and negatives of every part, not yet whole."""

    def __init__(self, goals: Sequence[Goal], sizes: Floats, counts: Floats, active: Integers) -> None:
        self._goals, self._sizes, self._counts, self._active = goals, sizes, counts, active
        self._whole = np.rint(counts).astype(np.int64)
        fixed = np.setdiff1d(np.arange(counts.shape[1]), active)
        fixed_sums = sum((self._quantities(i, self._whole[:, i : i + 1])[0][:, 0] for i in fixed.tolist()), 0)
        windows = [window for goal in goals for window in _windows(goal, sizes.shape[1])]
        self._windows = np.array(windows, dtype=np.int64).T - fixed_sums

    def search(
        self, size: int, generator: np.random.Generator, check: Callable[[list[Matrix]], bool]
    ) -> list[Matrix] | None:
        """A combination that stands the exact check, among so many sums of each half of the active parts."""
        middle = (len(self._active) + 1) // 2
        halves = self._active[:middle].tolist(), self._active[middle:].tolist()
        tables = {part: self._box(part, size, len(half), generator) for half in halves for part in half}
        if not all(values.shape[1] for values, _ in tables.values()):
            return None
        lookup = Lookup(self._sums(halves[0], tables), self._windows)
        other = self._sums(halves[1], tables)
        for rows in islice(_fitting(lookup, other), _MOST_CHECKS):
            matrices = self._matrices(
                [tables[part][1][:, row] for part, row in zip(self._active.tolist(), rows, strict=True)]
            )
            if check(matrices):
                return matrices
        return None

    def _box(self, part: int, size: int, parts: int, generator: np.random.Generator) -> tuple[Integers, Integers]:
        """The quantities and the counts of about size^(1/parts) matrices around one part, in a box of random shape."""
        room = max(3, int(size ** (1 / parts)))
        side = max(1, isqrt(room))
        tall = max(1, min(room, round(side * float(2 ** generator.uniform(-1.5, 1.5)))))
        sides = [tall, max(1, room // tall)]
        lines = []
        for line, wanted in enumerate(sides):
            limit = int(self._sizes[line, part])
            least = int(np.floor(self._counts[line, part] - wanted / 2 + 0.5))
            lines.append(np.arange(max(0, min(least, limit)), min(limit, max(0, least + wanted - 1)) + 1))
        tp, tn = (axis.ravel() for axis in np.meshgrid(*lines, indexing="ij"))
        cells = np.stack([tp, tn])
        values, possible = self._quantities(part, cells)
        return values[:, possible], cells[:, possible]

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

    def _matrices(self, chosen: Sequence[Integers]) -> list[Matrix]:
        """One matrix for each part, those of the active parts as chosen."""
        whole = self._whole.copy()
        for part, cell in zip(self._active.tolist(), chosen, strict=True):
            whole[:, part] = cell
        sizes = self._sizes.astype(np.int64)
        return [
            Matrix(*(int(x) for x in (tp, p - tp, n - tn, tn)))
            for (tp, tn), (p, n) in zip(whole.T, sizes.T, strict=True)
        ]


def _fitting(lookup: Lookup, other: Sums) -> Iterator[list[int]]:
    """The rows of all parts, for each pair of sums that falls into every window."""
    for places, others in lookup.pairs(other.values):
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

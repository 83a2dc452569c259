"""The nearest values that a score could have had: what an author may have meant, and how far off a figure is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from assay.records import dataclass
from assay.scores.constraints import Constraint
from assay.scores.definitions import Matrix
from assay.scores.exact import Exact, Infinite, Interval, floor_times
from assay.scores.regions import Statement, explore, matrix_at

_RESOLUTION = 4
"""No other value is nearer by more than this part of the width of the reported interval."""
_STEPS = 24
"""How often to look farther away, and how often to halve the gap."""
_BOXES = 300
"""The effort for one side; a neighbour is not worth a longer wait."""


class Attained(NamedTuple):
    """A value of the score and a matrix that has it; `nearest` unless the effort ended before that was certain."""

    value: Exact
    matrix: Matrix
    nearest: bool


def neighbours(
    target: Constraint, others: Sequence[Statement], p: int, n: int
) -> tuple[Attained | None, Attained | None]:
    """Attainable values next below and next above the target's interval, while the other statements hold.

    None where there is no such value, or none was found with little effort.
    """
    interval = target.interval
    below = _Side(target, others, p, n, sign=-1)
    above = _Side(target, others, p, n, sign=1)
    return (
        None if interval.lo is None else below.closest(interval.lo, included=interval.lo_open),
        None if interval.hi is None else above.closest(interval.hi, included=interval.hi_open),
    )


@dataclass(frozen=True, slots=True)
class _Side:
    """The values of the target's score below (sign -1) or above (1) its interval."""

    target: Constraint
    others: Sequence[Statement]
    p: int
    n: int
    sign: int

    def closest(self, end: Fraction, *, included: bool) -> Attained | None:
        """Look ever farther from the end until a value is there, then halve the gap in between."""
        width = interval_width(self.target.interval)
        reach, left = width, _BOXES
        best: Attained | None = None
        for _ in range(_STEPS):
            best, spent = self._between(end, end + self.sign * reach, left, included=included)
            left -= spent
            if best or left <= 0:
                break
            end, included, reach = end + self.sign * reach, False, 4 * reach
        return self._approached(best, end, left, included=included) if best else None

    def _approached(self, best: Attained, end: Fraction, left: int, *, included: bool) -> Attained:
        """The value nearest to the end that halving the gap finds with the boxes that are left."""
        width = interval_width(self.target.interval)
        for _ in range(_STEPS):
            if left <= 0:
                break
            reached = _rational(best.value, width)
            if abs(reached - end) <= width / _RESOLUTION:
                return best._replace(nearest=True)
            middle = (end + reached) / 2
            closer, spent = self._between(end, middle, left, included=included)
            left -= spent
            if closer:
                best = closer
            else:
                end, included = middle, False
        return best

    def _between(self, near: Fraction, far: Fraction, boxes: int, *, included: bool) -> tuple[Attained | None, int]:
        """A value between the two, and the boxes it took; `included` says whether it may be the near one."""
        ends = Interval(near, far, lo_open=not included) if self.sign > 0 else Interval(far, near, hi_open=not included)
        asked = Statement.from_constraint(replace(self.target, interval=ends, substitutes=()), self.p, self.n)
        found = explore(self.p, self.n, [asked, *self.others], max_boxes=boxes, counting=0)
        if found.point is None:
            return None, found.boxes if found.finished else boxes
        matrix = matrix_at(found.point, self.p, self.n)
        value = self.target.score.value(matrix)
        return None if value is None else Attained(value, matrix, nearest=False), found.boxes


def interval_width(interval: Interval) -> Fraction:
    """How far apart the ends are; a ten-thousandth where that says nothing."""
    width = Fraction(0) if interval.lo is None or interval.hi is None else interval.hi - interval.lo
    return width if width > 0 else Fraction(1, 10**4)


def _rational(value: Exact, width: Fraction) -> Fraction:
    """A fraction that stands for the value when distances much smaller than the width do not matter."""
    if isinstance(value, Infinite):
        raise TypeError("an infinite value has no neighbours")
    scale = min(10**12, 1000 * (1 + int(1 / width)))
    return value if isinstance(value, Fraction) else Fraction(floor_times(value, scale), scale)

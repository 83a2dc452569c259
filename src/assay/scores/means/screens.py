"""Rule out many fold configurations at once, in whole numbers.

Two screens. *Class totals*: a mean sensitivity bounds the total of true positives (the smallest
folds filled first, or the largest), specificity that of the true negatives, and accuracy their sum;
all three are whole numbers, and the means themselves move in steps. *Directions*: for a combination L
of the scores, each fold adds at most the maximum over its matrices, so that a table of maxima by kind
of fold bounds every configuration.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from assay.scores.conventions import Undefined
from assay.scores.means.problem import Part, Reported

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]
    Flags = NDArray[np.bool_]

_WHOLE_NUMBERS = 2**62
"""Products below this fit into the whole numbers of an array."""


def possible_totals(folds: Integers, reported: Sequence[Reported]) -> Flags:
    """Which configurations leave whole-number totals for accuracy, sensitivity and specificity.

    `folds` holds p and n of every fold of every configuration.
    """
    by_name = {one.score.name: one for one in reported}
    tp_low, tp_high = _total_range(folds[:, :, 0], by_name.get("sens"))
    tn_low, tn_high = _total_range(folds[:, :, 1], by_name.get("spec"))
    alive = (tp_low <= tp_high) & (tn_low <= tn_high)
    alive &= _hits_a_step(folds[:, :, 0], by_name.get("sens")) & _hits_a_step(folds[:, :, 1], by_name.get("spec"))
    accuracy = by_name.get("acc")
    if accuracy is not None and accuracy.mean.lo is not None and accuracy.mean.hi is not None:
        sizes = folds.sum(axis=2)
        count = folds.shape[1]
        smallest, largest = int(sizes.min()), int(sizes.max())
        low = math.ceil(accuracy.mean.lo * count * smallest)
        high = math.floor(accuracy.mean.hi * count * largest)
        alive &= (low <= high) & (tp_low + tn_low <= high) & (tp_high + tn_high >= low)
    return alive


def _hits_a_step(members: Integers, one: Reported | None) -> Flags:
    """Which configurations have a mean share of the class inside its interval, given the steps in which it moves.

    A sum of fractions over the members of the folds is a whole multiple of 1 / (their least common multiple). Where
    the numbers grow too large for the machine's, nothing is ruled out.
    """
    if one is None or one.mean.lo is None or one.mean.hi is None:
        return np.ones(len(members), dtype=bool)
    alive = np.zeros(len(members), dtype=bool)
    absent = (members == 0).sum(axis=1)
    largest = max(int(members.max(initial=1)), 1) ** members.shape[1]
    for missing in np.unique(absent):
        rows = absent == missing
        steps = np.lcm.reduce(np.maximum(members[rows], 1), axis=1)
        for least, most in sum_ranges(one, members.shape[1], int(missing)):
            digits = max(abs(end.numerator) + end.denominator for end in (least, most))
            alive[rows] |= largest * digits >= _WHOLE_NUMBERS or _some_whole_number(steps, least, most)
    return alive


def _some_whole_number(steps: Integers, least: Fraction, most: Fraction) -> Flags:
    """Where there is a whole number of steps between the two ends."""
    first = -(-steps * least.numerator // least.denominator)
    flags: Flags = first <= steps * most.numerator // most.denominator
    return flags


def _total_range(members: Integers, one: Reported | None) -> tuple[Integers, Integers]:
    """The least and greatest total found in one class, given the mean share of the class that is found."""
    low, high = np.zeros(len(members), dtype=np.int64), members.sum(axis=1)
    if one is None or one.mean.lo is None or one.mean.hi is None:
        return low, high
    rising = np.sort(members, axis=1)
    absent = (members == 0).sum(axis=1)
    count = members.shape[1]
    for missing in np.unique(absent):
        rows = absent == missing
        present = rising[rows][:, missing:]
        ends = sum_ranges(one, count, int(missing))
        low[rows] = _fill(present, min(least for least, _ in ends), up=True)
        high[rows] = _fill(present[:, ::-1], max(most for _, most in ends), up=False)
    return low, high


def sum_ranges(one: Reported, count: int, missing: int) -> list[tuple[Fraction, Fraction]]:
    """Between which ends Σ found/members over the folds with members lies, for each convention for the others."""
    lo, hi = one.mean.lo or Fraction(0), one.mean.hi or Fraction(0)
    if not missing:
        return [(count * lo, count * hi)]
    ends = []
    for convention in one.conventions:
        if isinstance(convention, Undefined):
            counted, added = count - missing, Fraction(0)
        else:
            top, bottom = convention(0, 0, 0, 0)
            counted, added = count, missing * Fraction(top, bottom or 1)
        ends.append((counted * lo - added, counted * hi - added))
    return ends


def _fill(members: Integers, target: Fraction, *, up: bool) -> Integers:
    """Items needed (or allowed) for a sum of shares of `target`, folds being filled in the order given.

    A fold filled to the last item adds 1 whatever its size. An impossible target gives an empty range.
    """
    width = members.shape[1]
    if target < 0:
        return np.full(len(members), 0 if up else -1, dtype=np.int64)
    whole = math.floor(target)
    part = target - whole
    if whole >= width:
        full: Integers = members.sum(axis=1) + int(up and target > width)
        return full
    scaled = part.numerator * members[:, whole]
    more: Integers = -(-scaled // part.denominator) if up else scaled // part.denominator
    filled: Integers = members[:, :whole].sum(axis=1) + more
    return filled


class Pool:
    """Directions with their tables of maxima, each valid for every configuration."""

    def __init__(self, kinds: Iterable[Part]) -> None:
        self._place = {kind: place for place, kind in enumerate(kinds)}
        self._entries: list[tuple[Integers, int]] = []

    def add(self, maxima: Mapping[Part, int], need: int) -> None:
        """A direction by its maximum on each kind of part and by what the report needs."""
        table = np.zeros(len(self._place), dtype=np.int64)
        for kind, value in maxima.items():
            table[self._place[kind]] = value
        self._entries.append((table, need))

    def possible(self, places: Integers, since: int = 0) -> Flags:
        """Which configurations, as places in the list of kinds, no direction (from entry `since` on) rules out."""
        alive = np.ones(len(places), dtype=bool)
        for table, need in self._entries[since:]:
            rows = np.nonzero(alive)[0]
            alive[rows] = table[places[rows]].sum(axis=1) >= need
        return alive

    def __len__(self) -> int:
        return len(self._entries)

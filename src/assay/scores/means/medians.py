"""Medians over parts: a step that no median of shares can leave, and witnesses whose parts all have the median.

The median of an odd number of shares is one of them, a multiple of 1 over the items of some part; of an even number it
is half the sum of two. That excludes most wrong medians in one sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations_with_replacement
from math import ceil, floor, lcm

from assay.scores.answers import Answer, inconsistent
from assay.scores.exact import Interval
from assay.scores.means.problem import Part, Reported

_ITEMS = {"sens": (1, 0), "spec": (0, 1), "acc": (1, 1)}
"""How often positives and negatives count in the denominator of a share."""


def refuted(parts: Sequence[Part], reported: Sequence[Reported]) -> Answer | None:
    """INCONSISTENT if the median of some share falls between two steps."""
    for one in reported:
        sizes = _sizes(parts, one)
        if one.median is None or not sizes or any(_hits(one.median, step) for step in _steps(parts, sizes)):
            continue
        finest = max(_steps(parts, sizes))
        even = max(sizes) < finest
        which = "half the sum of two of its values" if even else "one of its values"
        reason = (
            f"The median of {one.name} over {sum(part.count for part in parts)} parts is {which}, so a multiple of "
            f"1/{finest}" + (" or of a larger step" if len(sizes) > 1 else "") + f". None lies in {one.median}."
        )
        return inconsistent(reason, {"step": f"1/{finest}"}, (one.name,))
    return None


def _sizes(parts: Sequence[Part], one: Reported) -> list[int]:
    """The different denominators of a share; none where the score is another, or 0/0 on some part."""
    of_p, of_n = _ITEMS.get(one.score.name, (0, 0))
    sizes = {of_p * part.p + of_n * part.n for part in parts}
    return [] if 0 in sizes else sorted(sizes)


def _steps(parts: Sequence[Part], sizes: Sequence[int]) -> Iterator[int]:
    """Every median is a multiple of one over one of these."""
    if sum(part.count for part in parts) % 2:
        yield from sizes
    else:
        yield from (2 * lcm(*pair) for pair in combinations_with_replacement(sizes, 2))


def _hits(interval: Interval, step: int) -> bool:
    if interval.lo is None or interval.hi is None:
        return True
    first, last = interval.lo * step, interval.hi * step
    low = floor(first) + 1 if interval.lo_open else ceil(first)
    high = ceil(last) - 1 if interval.hi_open else floor(last)
    return low <= high


def flattened(reported: Sequence[Reported]) -> list[Reported] | None:
    """A stricter report without medians, every part but the extremes having it; None where no median is reported."""
    if not any(one.median for one in reported):
        return None
    return [_flat(one) for one in reported]


def _flat(one: Reported) -> Reported:
    if one.median is None:
        return one
    alone = one.minimum is None and one.maximum is None
    mean = one.mean.intersect(one.median) if alone and one.sd is None else one.mean
    return replace(
        one,
        constraint=replace(one.constraint, interval=mean),
        minimum=one.minimum or one.median,
        maximum=one.maximum or one.median,
        median=None,
    )

"""Medians over parts: a step that no median of shares can leave, and witnesses whose parts all have the median.

The median of an odd number of shares is one of them, a multiple of 1 over the items of some part; of an even number it
is half the sum of two. That excludes most wrong medians in one sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations_with_replacement, cycle, product
from math import ceil, floor, lcm

from assay.scores.answers import Answer, inconsistent
from assay.scores.definitions import Matrix
from assay.scores.exact import Interval
from assay.scores.means.problem import Part, Reported
from assay.scores.means.verify import within_extremes

_MOST_MATRICES = 20_000
"""Matrices of different parts that are looked through for the medians."""
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


def balanced(parts: Sequence[Part], reported: Sequence[Reported]) -> list[Matrix] | None:
    """Matrices with every median where a part can have them; of the others one half is as low, one as high as allowed.

    A proposal for single parts: whether the medians come out is left to the exact check.
    """
    if sum((part.p + 1) * (part.n + 1) for part in set(parts)) > _MOST_MATRICES:
        return None
    allowed = {part: _allowed(part, reported) for part in set(parts)}
    if not all(allowed.values()):
        return None
    middles = {part: _middle(matrices, reported) for part, matrices in allowed.items()}
    pick = cycle((min, max))
    return [middles[part] or next(pick)(allowed[part], key=allowed[part].__getitem__) for part in parts]


def _allowed(part: Part, reported: Sequence[Reported]) -> dict[Matrix, float]:
    """The matrices within the reported extremes on which every score is defined, and how high their scores are."""
    found: dict[Matrix, float] = {}
    for tp, tn in product(range(part.p + 1), range(part.n + 1)):
        matrix = Matrix(tp, part.p - tp, part.n - tn, tn)
        values = [(one, one.score.value(matrix)) for one in reported]
        if all(value is not None and within_extremes(one, value) for one, value in values):
            found[matrix] = sum(float(value) for _, value in values if value is not None)
    return found


def _middle(matrices: Iterable[Matrix], reported: Sequence[Reported]) -> Matrix | None:
    """A matrix whose scores are the medians, if there is one."""
    medians = [(one.score, one.median) for one in reported if one.median is not None]
    for matrix in matrices:
        values = [(score.value(matrix), median) for score, median in medians]
        if all(value is not None and value in median for value, median in values):
            return matrix
    return None

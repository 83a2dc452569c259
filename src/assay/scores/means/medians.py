"""Medians over parts: a step that no median of shares can leave, and witnesses whose parts all have the median.

The median of an odd number of shares is one of them, a multiple of 1 over the items of some part; of an even number it
is half the sum of two. That excludes most wrong medians in one sentence.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, cycle, islice, product
from math import ceil, floor, lcm
from operator import itemgetter

from assay.scores.answers import Answer, inconsistent
from assay.scores.definitions import Matrix, Score
from assay.scores.exact import Interval
from assay.scores.means.problem import Part, Reported
from assay.scores.means.verify import within_extremes

_MOST_MATRICES = 20_000
"""Matrices of different parts that are looked through for the medians."""
_MOST_PROPOSALS = 20
"""Choices for two parts of the same kinds that are handed to the exact check."""
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


def around_two(parts: Sequence[Part], reported: Sequence[Reported]) -> Iterator[list[Matrix]]:
    """For an even number of parts: two whose values have every median half way, and as many low ones as high ones.

    Proposals for single parts, as those of `balanced`.
    """
    small = sum((part.p + 1) * (part.n + 1) for part in set(parts)) <= _MOST_MATRICES
    allowed = {part: _allowed(part, reported) for part in set(parts)} if small and len(parts) % 2 == 0 else {}
    if not allowed or not all(allowed.values()):
        return
    for pair in _different(parts):
        rest = _half_and_half(parts, pair, allowed)
        for middle in islice(_half_way([allowed[parts[i]] for i in pair], reported), _MOST_PROPOSALS):
            chosen = rest | dict(zip(pair, middle, strict=True))
            yield list(map(chosen.__getitem__, range(len(parts))))


def _half_and_half(
    parts: Sequence[Part], pair: tuple[int, int], allowed: dict[Part, dict[Matrix, float]]
) -> dict[int, Matrix]:
    """The lowest and the highest matrix in turn for all other parts."""
    pick = cycle((min, max))
    others = ((i, allowed[part]) for i, part in enumerate(parts) if i not in pair)
    return {i: next(pick)(found, key=found.__getitem__) for i, found in others}


def _different(parts: Sequence[Part]) -> Iterator[tuple[int, int]]:
    """A pair of places for each pair of kinds of parts."""
    places = {frozenset((parts[i], parts[j])): (i, j) for i, j in combinations(range(len(parts)), 2)}
    yield from places.values()


def _half_way(allowed: Sequence[Iterable[Matrix]], reported: Sequence[Reported]) -> Iterator[tuple[Matrix, Matrix]]:
    """Matrices of two parts with every median half way between their scores."""
    medians = [(one.score, one.median) for one in reported if one.median is not None]
    first, second = ([(_scores(matrix, medians), matrix) for matrix in side] for side in allowed)
    second.sort(key=itemgetter(0))
    heights = [values[0] for values, _ in second]
    for values, matrix in first:
        for theirs, other in second[_partners(heights, values[0], medians[0][1])]:
            if _around(medians, values, theirs):
                yield matrix, other


def _around(medians: Sequence[tuple[Score, Interval]], one: Sequence[Fraction], other: Sequence[Fraction]) -> bool:
    """Whether every median is half way between these scores."""
    return all((a + b) / 2 in median for a, b, (_, median) in zip(one, other, medians, strict=True))


def _partners(heights: Sequence[Fraction], value: Fraction, median: Interval) -> slice:
    """Where the values are that may have the median half way to this one."""
    low = 0 if median.lo is None else bisect_left(heights, 2 * median.lo - value)
    high = len(heights) if median.hi is None else bisect_right(heights, 2 * median.hi - value)
    return slice(low, high)


def _scores(matrix: Matrix, medians: Sequence[tuple[Score, Interval]]) -> list[Fraction]:
    """The scores that have a median; what is no fraction is below all others."""
    values = (score.value(matrix) for score, _ in medians)
    return [value if isinstance(value, Fraction) else Fraction(-2) for value in values]


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

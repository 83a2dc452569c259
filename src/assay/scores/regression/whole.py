"""Targets and predictions that are whole numbers: counts, grades, ages in years.

Then the errors are whole, and so are their sum and the sum of their squares. As x and x² are both odd or
both even, so are the two sums.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from assay.scores.exact import Interval
from assay.scores.regression.integer_search import whole_range
from assay.scores.regression.relations import Conflict, Sizes

_LARGEST = 20_000
"""Pairs of sums that are tried one by one."""


def whole_numbers(interval: Interval, factor: int = 1) -> range | None:
    """The whole numbers in factor · interval; None without an upper end."""
    if interval.hi is None:
        return None
    lo = interval.lo * factor if interval.lo is not None else 0
    hi = interval.hi * factor
    first = math.floor(lo) + 1 if interval.lo_open else math.ceil(lo)
    return range(max(0, first), (math.ceil(hi) - 1 if interval.hi_open else math.floor(hi)) + 1)


def sums(known: Sizes) -> Iterator[tuple[int, int, int | None]]:
    """(sum, sum of squares, largest) of whole errors that the figures and the easy bounds allow."""
    n = known.n
    of_squares = whole_numbers(known.square.interval, n)
    totals = whole_numbers(known.mean.interval, n)
    if totals is None:
        totals = range(of_squares.stop if of_squares is not None else n + 1)
    largest = whole_numbers(known.largest.interval) if known.largest.names else None
    for total in totals:
        for top in largest if largest is not None else (None,):
            for squares in _sums_of_squares(n, total, top, of_squares):
                yield total, squares, top


def _sums_of_squares(n: int, total: int, top: int | None, reported: range | None) -> range:
    """The reported sums of squares that go with this sum and this largest size; the least where none is reported."""
    least, most = _squares(n, total, top)
    options = reported if reported is not None else range(least, least + 1)
    first = max(least, options.start)
    return range(first + (first - total) % 2, min(most, options.stop - 1) + 1, 2)


def _squares(n: int, total: int, top: int | None) -> tuple[int, int]:
    """Bounds on the sum of squares of n whole sizes with this sum and this largest one."""
    if top is None:
        each, more = divmod(total, n)
        return n * each**2 + more * (2 * each + 1), total**2
    rest = total - top
    if rest < 0 or rest > (n - 1) * top:
        return 1, 0
    each, more = divmod(rest, n - 1) if n > 1 else (0, 0)
    full, left = divmod(rest, top) if top else (0, 0)
    return top**2 + (n - 1) * each**2 + more * (2 * each + 1), top**2 * (1 + full) + left**2


def conflicts_of_whole(known: Sizes) -> Iterator[Conflict]:
    """Relations that only whole errors have to satisfy."""
    n = known.n
    for one, what, factor in (
        (known.mean, "the errors add up to", n),
        (known.square, "the squared errors add up to", n),
        (known.largest, "the largest error is", 1),
        (known.bias, "the errors, with their signs, add up to", n),
        (known.median, "the median, or the sum of the two middle errors, is", 1 if n % 2 else 2),
    ):
        least, most = whole_range(one.interval, factor)
        if one.names and least > most:
            yield (
                f"{one.words} with {n} items: {what} something in {one.interval.times(factor)}, no whole number.",
                one.names,
            )
            return
    names = tuple(dict.fromkeys(name for k in (known.mean, known.square, known.largest) for name in k.names))
    if _few(known) and next(sums(known), None) is None:
        words = " and ".join(k.words for k in (known.mean, known.square, known.largest) if k.words)
        yield (
            f"{words} with {n} items: no whole sums of errors and of squared errors go together. {_parity(known)}",
            names,
        )


def _few(known: Sizes) -> bool:
    sizes = [
        len(whole_numbers(k.interval, f) or range(_LARGEST)) if k.names else 1
        for k, f in ((known.mean, known.n), (known.largest, 1))
    ]
    return bool(known.mean.names and known.square.names) and math.prod(sizes) <= _LARGEST


def _parity(known: Sizes) -> str:
    totals, squares = (whole_numbers(k.interval, known.n) or range(0) for k in (known.mean, known.square))
    spans = [str(w.start) if len(w) == 1 else f"{w.start} to {w.stop - 1}" for w in (totals, squares)]
    return (
        f"The sums are {spans[0]} and {spans[1]}; both must be odd or both even, and the squares of "
        f"{known.n} whole numbers with that sum have bounds of their own."
    )

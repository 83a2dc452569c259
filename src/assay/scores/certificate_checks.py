"""Try a certificate again, by plain enumeration: this module shares no code with the search that wrote it.

Each test set has (p + 1)·(n + 1) confusion matrices. Their scores, as fractions, are added over the test sets one by
one; sums that can no longer reach the printed figures are dropped. If any is left at the end, the certificate is wrong.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from operator import add
from typing import Any, NamedTuple

from assay.records import dataclass

MOST_SUMS = 2_000_000


class Counts(NamedTuple):
    """A confusion matrix."""

    tp: int
    fn: int
    fp: int
    tn: int


FORMULAS: dict[str, Callable[[Counts], tuple[int, int]]] = {
    "acc": lambda m: (m.tp + m.tn, sum(m)),
    "sens": lambda m: (m.tp, m.tp + m.fn),
    "spec": lambda m: (m.tn, m.tn + m.fp),
    "ppv": lambda m: (m.tp, m.tp + m.fp),
    "npv": lambda m: (m.tn, m.tn + m.fn),
    "f1": lambda m: (2 * m.tp, 2 * m.tp + m.fp + m.fn),
    "f1n": lambda m: (2 * m.tn, 2 * m.tn + m.fp + m.fn),
    "ji": lambda m: (m.tp, m.tp + m.fp + m.fn),
    "bm": lambda m: (m.tp * m.tn - m.fp * m.fn, (m.tp + m.fn) * (m.tn + m.fp)),
    "mk": lambda m: (m.tp * m.tn - m.fp * m.fn, (m.tp + m.fp) * (m.tn + m.fn)),
    "prevalence": lambda m: (m.tp + m.fn, sum(m)),
}

Sums = set[tuple[Fraction, ...]]


class NotCoveredError(Exception):
    """What the file asks for is beyond enumeration."""


def verify(text: str) -> Iterator[tuple[str, bool, int]]:
    """For each reading: its words, whether nothing fits, and how many sums were tried."""
    document = json.loads(text)
    figures = [figure for figure in document["figures"] if figure["score"] in FORMULAS]
    for case in document["cases"]:
        if case["mean over"] is None:
            raise NotCoveredError(f"{case['reading']}: its test sets are not listed in the file")
        if not figures:
            raise NotCoveredError(f"no formula for {', '.join(figure['score'] for figure in document['figures'])}")
        left, tried = _sums(case["mean over"], figures)
        if left and (document["further figures"] or len(figures) < len(document["figures"])):
            raise NotCoveredError(f"{case['reading']}: the scores that are enumerated here do not exclude it")
        yield case["reading"], not left, tried


def _sums(parts: list[list[int]], figures: list[dict[str, Any]]) -> tuple[Sums, int]:
    vectors = [_vectors(p, n, figures) for p, n in parts]
    ends = [_ends(figure, len(parts)) for figure in figures]
    sums: Sums = {tuple(Fraction(0) for _ in figures)}
    tried = 0
    for index, own in enumerate(vectors):
        tried += len(sums) * len(own)
        if tried > MOST_SUMS:
            raise NotCoveredError(f"more than {MOST_SUMS:,} sums")
        low, high = _reach(vectors[index + 1 :], len(figures))
        added = (tuple(map(add, s, v)) for s, v in product(sums, own))
        sums = {s for s in added if _may_end(s, low, high, ends)}
    return sums, tried


def _reach(rest: list[Sums], figures: int) -> tuple[list[Fraction], list[Fraction]]:
    """The least and the most that the parts still to come can add to each figure."""
    least, most = (
        [sum((end(v[k] for v in other) for other in rest), Fraction(0)) for k in range(figures)] for end in (min, max)
    )
    return least, most


def _may_end(sums: tuple[Fraction, ...], low: list[Fraction], high: list[Fraction], ends: list[Ends]) -> bool:
    return all(end.reached(x + a, x + b) for x, a, b, end in zip(sums, low, high, ends, strict=True))


def _vectors(p: int, n: int, figures: list[dict[str, Any]]) -> Sums:
    """The scores of each matrix of p positives and n negatives."""
    if (p + 1) * (n + 1) > MOST_SUMS:
        raise NotCoveredError(f"more than {MOST_SUMS:,} matrices")
    cells = product(range(p + 1), range(n + 1))
    matrices = (Counts(tp, p - tp, n - tn, tn) for tp, tn in cells)
    return {v for matrix in matrices for v in product(*(_values(figure, matrix) for figure in figures))}


def _values(figure: dict[str, Any], matrix: Counts) -> list[Fraction]:
    top, bottom = FORMULAS[figure["score"]](matrix)
    return [Fraction(top, bottom)] if bottom else [Fraction(text) for text in figure["0/0 counts as"]]


@dataclass(frozen=True)
class Ends:
    """What a sum over all parts must lie between."""

    low: Fraction | None
    high: Fraction | None
    with_low: bool
    with_high: bool

    def reached(self, least: Fraction, most: Fraction) -> bool:
        """Whether a sum that can become anything from the least to the most can end there."""
        above = self.low is None or most > self.low or (self.with_low and most == self.low)
        return above and (self.high is None or least < self.high or (self.with_high and least == self.high))


def _ends(figure: dict[str, Any], parts: int) -> Ends:
    low, high = (None if figure[end] is None else Fraction(figure[end]) * parts for end in ("at least", "at most"))
    return Ends(low, high, *figure["ends included"])

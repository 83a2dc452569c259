"""Try a certificate again, by plain enumeration: this module shares no code with the search that wrote it.

Each test set has (p + 1)·(n + 1) confusion matrices. Their scores, as fractions, are added over the test sets one by
one; sums that can no longer reach the printed figures are dropped. If any is left at the end, the certificate is wrong.
That is done for every way to count 0/0, the same on all test sets, which may also be left out of a mean.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
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
    "bacc": lambda m: (m.tp * (m.tn + m.fp) + m.tn * (m.tp + m.fn), 2 * (m.tp + m.fn) * (m.tn + m.fp)),
    "kappa": lambda m: (
        2 * (m.tp * m.tn - m.fp * m.fn),
        (m.tp + m.fp) * (m.fp + m.tn) + (m.tn + m.fn) * (m.tp + m.fn),
    ),
    "f2": lambda m: (5 * m.tp, 5 * m.tp + 4 * m.fn + m.fp),
    "f0.5": lambda m: (5 * m.tp, 5 * m.tp + m.fn + 4 * m.fp),
    "bm": lambda m: (m.tp * m.tn - m.fp * m.fn, (m.tp + m.fn) * (m.tn + m.fp)),
    "mk": lambda m: (m.tp * m.tn - m.fp * m.fn, (m.tp + m.fp) * (m.tn + m.fn)),
    "prevalence": lambda m: (m.tp + m.fn, sum(m)),
}

Term = tuple[Fraction, int]
"""A sum of scores, and of how many test sets; one where the score is left out adds (0, 0)."""
Sums = set[tuple[Term, ...]]
LEFT_OUT = "left out"
NEVER = "never"
OF_THE_CLASS = "the recall of the class that is there"


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
        left, tried = _left(case["mean over"], figures)
        if left and (document["further figures"] or len(figures) < len(document["figures"])):
            raise NotCoveredError(f"{case['reading']}: the scores that are enumerated here do not exclude it")
        yield case["reading"], not left, tried


def _left(parts: list[list[int]], figures: list[dict[str, Any]]) -> tuple[bool, int]:
    """Whether sums fit under some way to count 0/0, and how many were tried under all."""
    tried, left = 0, False
    for counted in product(*(_conventions(figure, parts) for figure in figures)):
        more, left = _sums(parts, figures, counted)
        tried += more
        if tried > MOST_SUMS:
            raise NotCoveredError(f"more than {MOST_SUMS:,} sums")
        if left:
            break
    return left, tried


def _conventions(figure: dict[str, Any], parts: list[list[int]]) -> list[str]:
    """What 0/0 may count as; where it cannot happen, all are alike."""
    formula = FORMULAS[figure["score"]]
    happens = any(formula(matrix)[1] == 0 for p, n in parts for matrix in _matrices(p, n))
    return (figure["0/0 counts as"] or [NEVER]) if happens else [NEVER]


def _sums(parts: list[list[int]], figures: list[dict[str, Any]], counted: tuple[str, ...]) -> tuple[int, bool]:
    """How many sums were tried, and whether one fits."""
    vectors = [_vectors(p, n, figures, counted) for p, n in parts]
    ends = [_ends(figure) for figure in figures]
    sums: Sums = {tuple((Fraction(0), 0) for _ in figures)}
    tried = 0
    for index, own in enumerate(vectors):
        tried += len(sums) * len(own)
        if tried > MOST_SUMS:
            raise NotCoveredError(f"more than {MOST_SUMS:,} sums")
        reach = [_reach(vectors[index + 1 :], k) for k in range(len(figures))]
        sums = _following(sums, own, reach, ends)
    return tried, bool(sums)


def _following(sums: Sums, own: Sums, reach: list[Reach], ends: list[Ends]) -> Sums:
    """The sums with one more test set that may still become what is printed."""
    added = (tuple(map(_added, s, v)) for s, v in product(sums, own))
    return {s for s in added if all(map(_may_end, s, reach, ends))}


def _added(one: Term, other: Term) -> Term:
    return one[0] + other[0], one[1] + other[1]


Reach = tuple[Fraction, Fraction, int, int]
"""The least and the most that the parts still to come add to a sum, and to the number of parts."""


def _reach(rest: list[Sums], figure: int) -> Reach:
    values = [{vector[figure][0] for vector in other} for other in rest]
    numbers = [{vector[figure][1] for vector in other} for other in rest]
    zero = Fraction(0)
    least, most = sum(map(min, values), zero), sum(map(max, values), zero)
    return least, most, sum(map(min, numbers)), sum(map(max, numbers))


def _may_end(term: Term, reach: Reach, ends: Ends) -> bool:
    """Whether a mean with this beginning can lie between the ends."""
    (total, number), (least, most, fewest, all_of_them) = term, reach
    return any(
        ends.reached((total + least) / (number + more), (total + most) / (number + more))
        for more in range(fewest, all_of_them + 1)
        if number + more
    )


def _matrices(p: int, n: int) -> Iterator[Counts]:
    if (p + 1) * (n + 1) > MOST_SUMS:
        raise NotCoveredError(f"more than {MOST_SUMS:,} matrices")
    return (Counts(tp, p - tp, n - tn, tn) for tp, tn in product(range(p + 1), range(n + 1)))


def _vectors(p: int, n: int, figures: list[dict[str, Any]], counted: tuple[str, ...]) -> Sums:
    """The scores of each matrix of p positives and n negatives."""
    found = ([_term(*each, matrix) for each in zip(figures, counted, strict=True)] for matrix in _matrices(p, n))
    return {tuple(term for term in terms if term) for terms in found if None not in terms}


def _term(figure: dict[str, Any], convention: str, matrix: Counts) -> Term | None:
    """One score of one matrix; none where it is 0/0 and that did not occur."""
    top, bottom = FORMULAS[figure["score"]](matrix)
    if bottom:
        return Fraction(top, bottom), 1
    if convention == OF_THE_CLASS:
        return Fraction(matrix.tp + matrix.tn, sum(matrix)), 1
    if convention == NEVER:
        return None
    return (Fraction(0), 0) if convention == LEFT_OUT else (Fraction(convention), 1)


@dataclass(frozen=True)
class Ends:
    """What a mean must lie between."""

    low: Fraction | None
    high: Fraction | None
    with_low: bool
    with_high: bool

    def reached(self, least: Fraction, most: Fraction) -> bool:
        """Whether a mean that can become anything from the least to the most can end there."""
        above = self.low is None or most > self.low or (self.with_low and most == self.low)
        return above and (self.high is None or least < self.high or (self.with_high and least == self.high))


def _ends(figure: dict[str, Any]) -> Ends:
    low, high = (None if figure[end] is None else Fraction(figure[end]) for end in ("at least", "at most"))
    return Ends(low, high, *figure["ends included"])

"""One test set, with ties treated alike.

A figure rounded to the nearest leaves both ends of its interval open to debate, for a tie may have
gone up or down. But it went the same way everywhere: two quotients of counts that are exactly equal
are the same number in every program and are printed the same. So where one score could only be a
tie that was rounded up and another only the same tie rounded down, they cannot both be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product

from assay.findings import Verdict
from assay.scores import single
from assay.scores.answers import Answer, inconsistent
from assay.scores.constraints import Undefined
from assay.scores.exact import Interval, decimal
from assay.scores.experiment import Reported
from assay.scores.printed import Rounding

QUOTIENTS_OF_COUNTS = frozenset({"acc", "sens", "spec", "ppv", "npv"})
"""Scores that every program computes by one division, so that equal values are equal to the last bit."""


_WAYS = ("up", "down", "neither")


def solve(p: int, n: int, reported: Sequence[Reported], policy: Undefined, *, argued: bool = True) -> Answer:
    """Whether one matrix of p positives and n negatives gives all the reported scores."""
    answer = single.solve(p, n, [r.constraint(policy) for r in reported], argued=argued)
    ties = _ties(reported)
    if answer.verdict is not Verdict.CONSISTENT or not ties:
        return answer
    answers = {
        choice: single.solve(p, n, [_decided(r, ties, choice).constraint(policy) for r in reported], argued=False)
        for choice in product(_WAYS, repeat=len(ties))
    }
    decided = [a for choice, a in answers.items() if "neither" not in choice]
    possible = [a for a in decided if a.verdict is Verdict.CONSISTENT]
    if possible:
        return replace(possible[0], count=_count(answers))
    if any(a.verdict is Verdict.UNDECIDED for a in decided):
        return next(a for a in decided if a.verdict is Verdict.UNDECIDED)
    return _printed_unlike(reported, ties)


def _ties(reported: Sequence[Reported]) -> list[Fraction]:
    """The values that one score would have to be rounded up from, and another down."""
    plain = [r.interval for r in reported if r.interval is not None and _is_rounded_quotient(r)]
    ends = {(b.hi.numerator, b.hi.denominator) for b in plain if b.hi is not None}
    low = [a for a in plain if a.lo is not None and (a.lo.numerator, a.lo.denominator) in ends]
    return sorted({a.lo for a in low for b in plain if a.lo is not None and a.lo == b.hi and _width(a) == _width(b)})


def _width(interval: Interval) -> Fraction | None:
    return None if interval.lo is None or interval.hi is None else interval.hi - interval.lo


def _is_rounded_quotient(r: Reported) -> bool:
    to_nearest = r.wording.rounding is Rounding.NEAREST and r.wording.eps is None and "[" not in r.printed
    return to_nearest and not r.complement and r.score.name in QUOTIENTS_OF_COUNTS


def _decided(r: Reported, ties: Sequence[Fraction], choice: Sequence[str]) -> Reported:
    """The score when each tie has gone the chosen way: the figures on the other side of it are not that tie."""
    if r.interval is None or not _is_rounded_quotient(r):
        return r
    way = dict(zip(ties, choice, strict=True))
    interval = replace(
        r.interval,
        lo_open=way.get(r.interval.lo, "up") != "up" if r.interval.lo is not None else False,
        hi_open=way.get(r.interval.hi, "down") != "down" if r.interval.hi is not None else False,
    )
    return replace(r, interval=interval)


def _count(answers: dict[tuple[str, ...], Answer]) -> int | None:
    """Matrices that fit some way of breaking the ties, each counted once (inclusion and exclusion)."""
    if any(a.count is None for a in answers.values()):
        return None
    return sum((a.count or 0) * (-1 if choice.count("neither") % 2 else 1) for choice, a in answers.items())


def _printed_unlike(reported: Sequence[Reported], ties: Sequence[Fraction]) -> Answer:
    involved = [
        r for r in reported if r.interval and _is_rounded_quotient(r) and {r.interval.lo, r.interval.hi} & set(ties)
    ]
    told = ", ".join(f"{r.name} {r.printed}" for r in involved)
    values = " or ".join(decimal(t) for t in ties)
    return inconsistent(
        f"These figures fit only if scores that are printed differently are both exactly {values} ({told}). "
        "Equal numbers are printed alike, whichever way a tie is rounded.",
        {"tie": values},
        tuple(r.name for r in involved),
    )

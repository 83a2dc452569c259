"""Can this area under the ROC curve be true.

The empirical AUC of p positives and n negatives is a count of pairs: a positive above a negative counts
one, a tie one half, and the sum is divided by p·n. So it has a grain of 1/(2·p·n), and confusion matrices
that come from thresholds on the same scores bound it from both sides.

`solve_auc` answers like every engine. `Answer.witness` holds the confusion matrix of each operating point;
`Answer.figures` describes the whole ranking: ``("ranking, best first", "12+ 3- 1+=1- …")``, blocks of
equal score with their positives and negatives.

What the answer takes for granted: the AUC is the empirical one over the same items (not smoothed, not a mean
over folds), and the operating points are thresholds on the very scores it was computed from.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations

from assay.errors import InputError
from assay.findings import Value, Verdict
from assay.records import dataclass
from assay.scores.answers import Answer, inconsistent, undecided
from assay.scores.definitions import Matrix
from assay.scores.exact import Interval
from assay.scores.ranking.curve import Block, Spot, area_of, chain, curve, half_pairs, stops
from assay.scores.ranking.points import OperatingPoint, Run, described, roc_point, runs

__all__ = ["OperatingPoint", "roc_point", "solve_auc"]

BUDGET = 2_000_000
"""Confusion matrices looked at before giving up."""
_MOST_POINTS = 6
_ASSUMED = "taking the points for thresholds on the scores that the AUC was computed from"


def solve_auc(
    p: int,
    n: int,
    auc: Interval | None = None,
    points: Sequence[OperatingPoint] = (),
    *,
    gini: Interval | None = None,
    ties: bool = True,
    budget: int = BUDGET,
) -> Answer:
    """Whether scores of p positives and n negatives exist with this AUC and these operating points.

    `gini` is 2·AUC - 1. Without `ties` no positive shares its score with a negative.
    """
    if min(p, n) < 0:
        raise InputError(f"{p} positives and {n} negatives", fix="Counts are 0 or more.")
    if len(points) > _MOST_POINTS:
        raise InputError(f"{len(points)} operating points", fix=f"Give the {_MOST_POINTS} that matter most.")
    if min(p, n) == 0:
        return undecided(
            "With one class only there are no pairs to rank: the AUC is 0/0, and tools print what they like."
        )
    claim = _claim(p, n, auc, gini, ties=ties)
    if claim.told.empty or not claim.window:
        return inconsistent(_no_such_count(claim), {"pairs": p * n}, claim.names)
    if sum(p * 2 * n.bit_length() for point in points for _ in point) > budget:
        return undecided(f"{p} positives are too many to list the matrices of the operating points.")
    candidates = [runs(p, n, point) for point in points]
    refuted = next(filter(None, map(partial(_refuted_by_one, claim), points, candidates)), None)
    if refuted:
        return refuted
    if len(points) > 1:
        return _several(claim, points, candidates)
    return _witness(claim, points, list(map(partial(_spot, claim), candidates)))


@dataclass(frozen=True, slots=True)
class _Claim:
    """The reported area: as an interval, and as the counts of half pairs that it leaves open."""

    p: int
    n: int
    told: Interval
    window: range
    names: tuple[str, ...]
    words: str

    def share(self, half: int) -> str:
        """A count of half pairs as an area."""
        return f"{half / (2 * self.p * self.n):.6g}"


def _claim(p: int, n: int, auc: Interval | None, gini: Interval | None, *, ties: bool) -> _Claim:
    """Both names of the area together, in half pairs."""
    told, names, words = Interval(Fraction(0), Fraction(1)), [], []
    for name, interval in (("auc", auc), ("gini", gini)):
        if interval is not None:
            told = told.intersect(interval if name == "auc" else _shifted(interval))
            names.append(name)
            words.append(f"{name} in {interval}")
    pairs = told.times(2 * p * n)
    if told.empty or pairs.lo is None or pairs.hi is None:
        return _Claim(p, n, told, range(0), tuple(names), " and ".join(words))
    first = math.floor(pairs.lo) + 1 if pairs.lo_open else math.ceil(pairs.lo)
    last = math.ceil(pairs.hi) - 1 if pairs.hi_open else math.floor(pairs.hi)
    window = range(first, last + 1) if ties else range(first + first % 2, last - last % 2 + 1, 2)
    return _Claim(p, n, told, window, tuple(names), " and ".join(words))


def _shifted(gini: Interval) -> Interval:
    """The AUC of a Gini coefficient."""
    ends = [None if end is None else (1 + end) / 2 for end in (gini.lo, gini.hi)]
    return Interval(ends[0], ends[1], gini.lo_open, gini.hi_open)


def _no_such_count(claim: _Claim) -> str:
    pairs, told = claim.p * claim.n, claim.told
    if told.empty or told.lo is None or told.hi is None:
        return f"{claim.words}: no area between 0 and 1 is {'both' if len(claim.names) > 1 else 'that'}."
    ends = f"between {float(told.lo * pairs):.4f} and {float(told.hi * pairs):.4f}"
    ranked = f"{claim.words} means that {ends} of the {claim.p}·{claim.n} = {pairs} pairs are ranked right"
    grain = "neither a whole nor a half number" if claim.window.step == 1 else "no whole number, and there are no ties"
    return f"{ranked}: {grain}."


def _names(point: OperatingPoint) -> tuple[str, ...]:
    return tuple(c.name or c.score.name for c in point)


def _spot(claim: _Claim, found: Sequence[Run]) -> Spot | None:
    """A point whose areas, from tp·tn to p·n - fp·fn pairs, overlap what is claimed."""
    p, n, first, last = claim.p, claim.n, claim.window[0], claim.window[-1]
    for tp, low, high in found:
        most = min(high, last // (2 * tp)) if tp else high
        least = max(low, n - (2 * p * n - first) // (2 * (p - tp))) if tp < p else low
        if least <= most:
            return Spot(n - least, tp)
    return None


def _refuted_by_one(claim: _Claim, point: OperatingPoint, found: Sequence[Run]) -> Answer | None:
    """INCONSISTENT when a single point is impossible, or excludes the area."""
    p, n = claim.p, claim.n
    if not found:
        reason = f"No confusion matrix of {p} positives and {n} negatives has {described(point)}."
        return inconsistent(reason, conflict=_names(point))
    if _spot(claim, found):
        return None
    lowest = min(found, key=lambda run: run.tp * run.low)
    highest = max(found, key=lambda run: p * n - (p - run.tp) * (n - run.high))
    least, most = lowest.tp * lowest.low, p * n - (p - highest.tp) * (n - highest.high)
    known = f"{described(point)} with {p} positives and {n} negatives"
    if claim.window[-1] < 2 * least:
        how = f"tp·tn/(p·n) = {lowest.tp}·{lowest.low}/({p}·{n}) = {claim.share(2 * least)} or more"
    elif claim.window[0] > 2 * most:
        wrong = f"{p - highest.tp}·{n - highest.high}"
        how = f"1 - fn·fp/(p·n) = 1 - {wrong}/({p}·{n}) = {claim.share(2 * most)} or less"
    else:
        how = "in a range from tp·tn/(p·n) to 1 - fn·fp/(p·n) that misses it for each possible matrix"
    reason = f"{known} puts the area under the curve at {how}, but {claim.words} ({_ASSUMED})."
    return inconsistent(reason, {"pairs": p * n}, (*claim.names, *_names(point)))


def _several(claim: _Claim, points: Sequence[OperatingPoint], candidates: Sequence[Sequence[Run]]) -> Answer:
    """The answer for points that have to lie on one curve."""
    from assay.scores.ranking.chains import bounds, meeting, spots

    p, n = claim.p, claim.n
    listed = [found for found in (spots(n, c) for c in candidates) if found is not None]
    if len(listed) < len(points):
        return undecided("The operating points leave too many confusion matrices to compare all of them.")
    for one, other in combinations(range(len(points)), 2):
        if bounds(p, n, [listed[one], listed[other]]) is None:
            return _out_of_order(points[one], points[other])
    found = bounds(p, n, listed)
    names = (*claim.names, *(name for point in points for name in _names(point)))
    if found is None:
        return inconsistent(f"No curve passes through all {len(points)} points.", conflict=names)
    if claim.window[-1] < found.least:
        return inconsistent(_beyond(claim, "at least", found.least, found.lowest), {"pairs": p * n}, names)
    if claim.window[0] > found.most:
        return inconsistent(_beyond(claim, "at most", found.most, found.highest), {"pairs": p * n}, names)
    met = meeting(p, n, listed, claim.window)
    if met.chain:
        return _witness(claim, points, met.chain[1:-1])
    if met.searched:
        reason = (
            f"Every curve through these points has an area that {claim.words} excludes, for each of the possible "
            f"matrices at each point ({_ASSUMED})."
        )
        return inconsistent(reason, {"pairs": p * n}, names)
    return undecided("The area lies within the bounds that the points set, but no curve with exactly it was found.")


def _out_of_order(one: OperatingPoint, other: OperatingPoint) -> Answer:
    """INCONSISTENT, as no curve passes through both points."""
    reason = (
        f"{described(one)}, but {described(other)}: of two thresholds on the same scores the "
        "lower one finds no fewer true and no fewer false positives."
    )
    return inconsistent(reason, conflict=(*_names(one), *_names(other)))


def _beyond(claim: _Claim, how: str, half: int, steps: Sequence[Spot]) -> str:
    """The bound on the area, with the steps that attain it."""
    corners = ", ".join(f"({s.fp}/{claim.n}, {s.tp}/{claim.p})" for s in steps)
    return (
        f"A curve through these points has {how} the area {claim.share(half)}, that of the steps through "
        f"(fpr, tpr) = {corners}, but {claim.words} ({_ASSUMED})."
    )


def _witness(claim: _Claim, points: Sequence[OperatingPoint], chosen: Sequence[Spot | None]) -> Answer:
    """CONSISTENT, with a whole ranking that has been verified."""
    p, n = claim.p, claim.n
    spots_ = chain(p, n, [s for s in chosen if s])
    least, most = half_pairs(spots_) if spots_ else (1, 0)
    areas = range(max(least, claim.window[0]), min(most, claim.window[-1]) + 1)
    even = [area for area in areas[:2] if area % 2 == 0]
    blocks = curve(spots_, even[0] if even else areas[0]) if spots_ and areas else []
    matrices = _matched(points, p, n, blocks)
    if matrices is None or not _verified(claim, blocks):
        return undecided("A curve with this area exists on paper, but its verification failed.")
    figures: dict[str, Value] = {
        "ranking, best first": " ".join(map(str, blocks)),
        "area under the curve": area_of(blocks) / (2 * p * n),
    }
    reason = f"This ranking has the reported area{' and passes through the points' if points else ''}."
    return Answer(Verdict.CONSISTENT, matrices, reason=reason, figures=tuple(figures.items()))


def _verified(claim: _Claim, blocks: Sequence[Block]) -> bool:
    """Whether the blocks are these items with the claimed area."""
    p, n = sum(b.positives for b in blocks), sum(b.negatives for b in blocks)
    area = Fraction(area_of(blocks), 2 * claim.p * claim.n)
    tied = any(b.positives and b.negatives for b in blocks)
    return (p, n) == (claim.p, claim.n) and area in claim.told and not (tied and claim.window.step == 2)


def _matched(points: Sequence[OperatingPoint], p: int, n: int, blocks: Sequence[Block]) -> tuple[Matrix, ...] | None:
    """For each operating point a threshold of the ranking that gives its figures."""
    every = [Matrix(s.tp, p - s.tp, s.fp, n - s.fp) for s in sorted(stops(blocks))]
    found = [next((m for m in every if all(c.holds(m) for c in point)), None) for point in points]
    matrices = tuple(m for m in found if m is not None)
    return matrices if len(matrices) == len(points) else None

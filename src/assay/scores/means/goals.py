"""What is reported of each score as goals in floating point, for a search that only proposes witnesses.

Nothing here is exact, and nothing needs to be: every proposal is verified in whole numbers before it counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import TYPE_CHECKING

import numpy as np

from assay.records import dataclass
from assay.scores.conventions import Undefined
from assay.scores.definitions import Score, Shape
from assay.scores.exact import Interval
from assay.scores.means.problem import Convention, Part, Reported, shares
from assay.scores.newton import Ends

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Flags = NDArray[np.bool_]

_MOST_WAYS = 12
"""Combinations of conventions that are tried."""


@dataclass(frozen=True, slots=True)
class Goal:
    """One reported score over single parts; `weights` are their shares in the mean, 0 where a part is left out."""

    score: Score
    weights: Floats
    counted: Flags
    undefined: Floats
    """What each part counts where the score is 0/0."""
    mean: Ends
    sd: Ends | None
    divisor: int
    """Of the sum of squared deviations."""
    minimum: Ends | None
    maximum: Ends | None

    def values(self, tp: Floats, tn: Floats, p: Floats, n: Floats, undefined: Floats) -> Floats:
        """The score of each matrix."""
        return np.where(np.isnan(found := score_values(self.score, tp, tn, p, n)), undefined, found)

    @property
    def centre(self) -> float:
        """The middle of the reported mean, from which squares are taken."""
        finite = [end for end in self.mean if np.isfinite(end)]
        return sum(finite) / max(1, len(finite))

    @property
    def limits(self) -> Ends:
        """No counted part may lie outside of these."""
        low = -np.inf if self.minimum is None else self.minimum[0]
        return low, np.inf if self.maximum is None else self.maximum[1]


def score_values(score: Score, tp: Floats, tn: Floats, p: Floats, n: Floats) -> Floats:
    """A score of many matrices; not a number where it is 0/0."""
    top, bottom = score.ratio(tp, p - tp, n - tn, tn)  # type: ignore[arg-type]  # arithmetic works on arrays
    ratio = np.broadcast_to(np.asarray(top) / np.asarray(bottom), np.broadcast_shapes(tp.shape, p.shape))
    if score.shape is Shape.ROOT:
        return np.asarray(np.sign(ratio) * np.sqrt(np.abs(ratio)))
    if score.shape is Shape.INVERSE_ROOT:
        return np.asarray(1 / (1 + np.sqrt(ratio)))
    return np.asarray(ratio)


def ways(parts: Sequence[Part], reported: Sequence[Reported]) -> Iterator[tuple[Goal, ...]]:
    """The goals under each way to count parts that are 0/0 in any case, and each divisor of the standard deviations.

    A report takes all its standard deviations with one divisor, or nearly all reports do.
    """
    divisors = sorted({ddof for one in reported if one.sd is not None for ddof in one.ddof}) or [0]
    for ddof in divisors:
        yield from islice(product(*(_goals(parts, one, ddof) for one in reported)), _MOST_WAYS)


def _goals(parts: Sequence[Part], one: Reported, ddof: int) -> list[Goal]:
    """The goals of one score, under each convention that makes a difference."""
    blank = [all(one.score.value(corner) is None for corner in part.corners) for part in parts]
    conventions = one.conventions if any(blank) else one.conventions[:1]
    goals = [_goal(parts, one, convention, ddof, blank) for convention in conventions]
    return [goal for goal in goals if goal is not None]


def _goal(
    parts: Sequence[Part], one: Reported, convention: Convention, ddof: int, blank: Sequence[bool]
) -> Goal | None:
    counted = [not (empty and convention is Undefined.SKIP) for empty in blank]
    if not any(counted) or (convention is Undefined.NEVER and any(blank)):
        return None
    undefined = [_substitute(part, convention) for part in parts]
    return Goal(
        one.score,
        np.array([float(share) for share in shares(parts, counted)]),
        np.array(counted),
        np.array(undefined),
        _ends(one.mean, one.score),
        None if one.sd is None else _ends(one.sd, None),
        max(1, sum(counted) - ddof),
        None if one.minimum is None else _ends(one.minimum, one.score),
        None if one.maximum is None else _ends(one.maximum, one.score),
    )


def _substitute(part: Part, convention: Convention) -> float:
    """What a part counts where the score is 0/0; not a number where that must not happen."""
    if isinstance(convention, Undefined):
        return np.nan
    top, bottom = convention(*part.corners[0])
    return top / bottom if bottom else np.nan


def _ends(interval: Interval, score: Score | None) -> Ends:
    """The interval, cut to what the score can be; an sd is never negative."""
    least, most = (0, None) if score is None else (score.low, score.high)
    low = -np.inf if least is None else float(least)
    high = np.inf if most is None else float(most)
    if interval.lo is not None:
        low = max(low, float(interval.lo))
    if interval.hi is not None:
        high = min(high, float(interval.hi))
    return low, high

"""Outcomes are computed, never typed in: of one reproduced number, and of a whole attempt.

The rule for attempts is that of Cappelen & Mølnå (2018), section 3.5. For single results theirs knows identical,
consistent and different; between them stands what they wished for: equivalence within a stated margin.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from assay.errors import InputError


class Outcome(StrEnum):
    """How a reproduced result stands to the original, from best to worst."""

    IDENTICAL = "identical"
    """The same at the digits that were printed."""
    EQUIVALENT = "equivalent"
    """Shown to differ by less than a stated margin."""
    CONSISTENT = "consistent"
    """Another number, but on the same side of every baseline."""
    DIFFERENT = "different"
    UNDECIDABLE = "undecidable"
    """Nothing was reported that the number could be held against."""


class AttemptOutcome(StrEnum):
    """How an attempt ended."""

    SUCCESS = "Success"
    PARTIAL = "Partial Success"
    FAILURE = "Failure"
    NO_RESULT = "No Result"


@dataclass(frozen=True, slots=True)
class Measured:
    """A result as printed, with its spread over runs if that was printed too."""

    value: str
    spread: float | None = None
    runs: int | None = None
    """Over how many runs the value is a mean; with `items`, of how many answers it is a share."""
    items: int | None = None

    @property
    def exact(self) -> Fraction:
        """The printed number; a percent sign divides by a hundred."""
        text = self.value.strip().replace("−", "-")
        try:
            value = Fraction(text.rstrip("% "))
        except (ValueError, ZeroDivisionError):
            raise InputError(f'"{self.value}" is no number', fix="Write the figure as printed, as in 0.930.") from None
        return value / 100 if text.endswith("%") else value

    @property
    def unit(self) -> Fraction:
        """What one in the last printed digit is worth."""
        text = self.value.strip()
        unit = Fraction(1, 10 ** len(text.rstrip("% ").partition(".")[2]))
        return unit / 100 if text.endswith("%") else unit


@dataclass(frozen=True, slots=True)
class Judged:
    """An outcome with the reasons for it, and the p-values that were computed on the way."""

    outcome: Outcome
    reasons: tuple[str, ...] = ()
    p_different: float | None = None
    """Of the two results being the same; small when they differ."""
    p_not_equivalent: float | None = None
    """Of the difference being at least the margin; small when they are equivalent."""


def measured_from(runs: Sequence[float], digits: int = 6) -> Measured:
    """The mean of raw runs, with their spread."""
    if not runs or not all(math.isfinite(run) for run in runs):
        raise InputError("runs must be finite numbers", fix="Leave out runs that failed, and say so.")
    mean = sum(runs) / len(runs)
    spread = math.sqrt(sum((r - mean) ** 2 for r in runs) / (len(runs) - 1)) if len(runs) > 1 else None
    return Measured(f"{mean:.{digits}f}", spread, len(runs))


def judge(
    original: Measured,
    reproduced: Measured,
    baselines: Iterable[Measured] = (),
    *,
    margin: float | None = None,
    alpha: float = 0.05,
) -> Judged:
    """How one reproduced result stands to the original."""
    same = _identical(original, reproduced)
    if same:
        return Judged(Outcome.IDENTICAL, (same,))
    reasons: list[str] = []
    differ = _p_different(original, reproduced, reasons)
    not_equivalent = _p_not_equivalent(original, reproduced, margin, reasons)
    if not_equivalent is not None and not_equivalent < alpha:
        return Judged(Outcome.EQUIVALENT, tuple(reasons), differ, not_equivalent)
    rivals = list(baselines)
    if rivals:
        sides = [_crossed(original, reproduced, rival) for rival in rivals]
        crossed = [rival.value for rival, across in zip(rivals, sides, strict=True) if across]
        told = f"on the other side of {', '.join(crossed)}" if crossed else "on the same side of every baseline"
        outcome = Outcome.DIFFERENT if crossed else Outcome.CONSISTENT
        return Judged(outcome, (*reasons, told), differ, not_equivalent)
    if differ is not None and differ < alpha:
        return Judged(Outcome.DIFFERENT, (*reasons, "no baseline to be consistent with"), differ, not_equivalent)
    return Judged(Outcome.UNDECIDABLE, (*reasons, "another number, and no baseline"), differ, not_equivalent)


def attempt_outcome(outcomes: Iterable[Outcome]) -> AttemptOutcome:
    """The outcome of an attempt from those of its experiments that were run; equivalent counts as identical."""
    known = [o for o in outcomes if o is not Outcome.UNDECIDABLE]
    if not known:
        return AttemptOutcome.NO_RESULT
    alike = {Outcome.IDENTICAL, Outcome.EQUIVALENT}
    if all(o in alike for o in known):
        return AttemptOutcome.SUCCESS
    if any(o in {*alike, Outcome.CONSISTENT} for o in known):
        return AttemptOutcome.PARTIAL
    return AttemptOutcome.FAILURE


def _identical(one: Measured, other: Measured) -> str:
    """In words when two figures agree at the digits that both print, by rounding or by cutting off; else empty."""
    unit = max(one.unit, other.unit)
    coarse, fine = (one, other) if one.unit == unit else (other, one)
    digits = len(coarse.value.strip().rstrip("% ").partition(".")[2])
    if abs(coarse.exact - fine.exact) <= (unit / 2 if fine.unit < unit else 0):
        return f"the same at {digits} printed digits"
    if fine.unit < unit and coarse.exact <= fine.exact < coarse.exact + unit:
        return f"the same at {digits} digits if they were cut off, not rounded"
    return ""


def _crossed(original: Measured, reproduced: Measured, baseline: Measured) -> bool:
    """Whether the two stand strictly on opposite sides of a baseline; a tie is on neither."""
    return (original.exact - baseline.exact) * (reproduced.exact - baseline.exact) < 0


def _p_different(one: Measured, other: Measured, reasons: list[str]) -> float | None:
    """Welch's test from means and spreads, or the test of two shares when the numbers of answers are known."""
    from scipy import stats

    if _has_spread(one) and _has_spread(other):
        t, p = stats.ttest_ind_from_stats(*_summary(one), *_summary(other), equal_var=False)
        reasons.append(f"Welch's t = {t:.2f}, p = {p:.3g}")
        return float(p)
    if one.items and other.items and 0 <= one.exact <= 1 and 0 <= other.exact <= 1:
        a, b, n, m = float(one.exact), float(other.exact), one.items, other.items
        pooled = (a * n + b * m) / (n + m)
        error = math.sqrt(pooled * (1 - pooled) * (1 / n + 1 / m))
        p = 1.0 if error == 0 else float(2 * stats.norm.sf(abs(a - b) / error))
        reasons.append(f"as shares of {n} and {m} answers, p = {p:.3g} (as if the answers were independent)")
        return p
    return None


def _p_not_equivalent(one: Measured, other: Measured, margin: float | None, reasons: list[str]) -> float | None:
    """Two one-sided tests (TOST) of the difference against a margin."""
    if margin is None or not (_has_spread(one) and _has_spread(other)):
        return None
    from scipy import stats

    (m1, s1, n1), (m2, s2, n2) = _summary(one), _summary(other)
    v1, v2 = s1 * s1 / n1, s2 * s2 / n2
    error = math.sqrt(v1 + v2)
    gap = m1 - m2
    if error == 0:
        p = 0.0 if abs(gap) < margin else 1.0
    else:
        freedom = (v1 + v2) ** 2 / (v1 * v1 / (n1 - 1) + v2 * v2 / (n2 - 1))
        p = float(max(stats.t.sf((gap + margin) / error, freedom), stats.t.cdf((gap - margin) / error, freedom)))
    reasons.append(f"equivalence within {margin:g}: p = {p:.3g}")
    return p


def _has_spread(result: Measured) -> bool:
    return result.spread is not None and result.runs is not None and result.runs > 1


def _summary(result: Measured) -> tuple[float, float, int]:
    return float(result.exact), result.spread or 0.0, result.runs or 0

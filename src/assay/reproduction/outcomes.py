"""Outcomes are computed, never typed in: of one reproduced number, and of a whole attempt.

The rule for attempts is that of Cappelen & Mølnå (2018), section 3.5. For single results theirs knows identical,
consistent and different; between them stands what they wished for: equivalence within a stated margin.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from decimal import Decimal
from enum import Enum, StrEnum
from fractions import Fraction
from functools import lru_cache, partial

from assay.errors import InputError
from assay.records import dataclass
from assay.reproduction.intervals import Difference, of_means, of_shares, student_tail, welch_error

ALPHA = 0.05
_LONGEST, _LONGEST_EXPONENT = 100, 3
_MOST_DECIMALS, _MOST_DIGITS = 15, 40
_SMALLEST = Fraction(1, 10**300)
_STANDING = {1: "better than", 0: "as good as", -1: "worse than"}
_PERCENT_SLACK = Fraction(1, 5)
"""A number within a fifth of a hundred times another is asked about: nearer scores than that are common."""
_LARGEST = 10**150
"""Beyond it, squares no longer fit into floating-point numbers; no result is as large."""


class Outcome(StrEnum):
    """How a reproduced result stands to the original, from best to worst."""

    IDENTICAL = "identical"
    """The same at the precision that the article prints."""
    EQUIVALENT = "equivalent"
    """Shown to differ by less than a stated margin."""
    CONSISTENT = "consistent"
    """Another number, but on the same side of every baseline."""
    INDISTINGUISHABLE = "not distinguishable"
    """Another number, and the spreads or test sizes are too wide to show a difference or the lack of one."""
    DIFFERENT = "different"
    """Neither of the above: another number, with no baseline to be consistent with, or across one."""
    UNDECIDABLE = "undecidable"
    """There is no reproduced number that can be compared with the original."""


UNDECIDED = frozenset({Outcome.INDISTINGUISHABLE, Outcome.UNDECIDABLE})
"""Shown to be neither alike nor different; an experiment that ended so was run, but decides nothing."""


class AttemptOutcome(StrEnum):
    """How an attempt ended."""

    SUCCESS = "Success"
    PARTIAL = "Partial Success"
    FAILURE = "Failure"
    NO_RESULT = "No Result"
    UNDECIDED = "Undecided"
    """Experiments were run, and none of them is shown to be alike or different."""


class Direction(StrEnum):
    """Which way a metric gets better."""

    HIGHER = "higher"
    LOWER = "lower"


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
        return _exact(self.value)

    @property
    def unit(self) -> Fraction:
        """What one in the last printed digit is worth."""
        return _unit(self.value)


@lru_cache(maxsize=2**17)
def _exact(printed: str) -> Fraction:
    """Kept, as the unit is, because every comparison asks for it again and reading a fraction is slow."""
    text = printed.strip().replace("−", "-")
    exponent = text.rstrip("% ").lower().partition("e")[2].lstrip("+-")
    if len(text) > _LONGEST or len(exponent) > _LONGEST_EXPONENT:  # ten to the power of a billion is never computed
        raise InputError(
            f'"{printed[:_LONGEST]}" is too long a number', fix="Write the figure as printed, as in 0.930."
        )
    try:
        value = Fraction(text.rstrip("% "))
    except (ValueError, ZeroDivisionError):
        raise InputError(f'"{printed}" is no number', fix="Write the figure as printed, as in 0.930.") from None
    if abs(value) > _LARGEST:
        raise InputError(f'"{printed}" is too large a number', fix="Write it in another unit.")
    return value / 100 if text.endswith("%") else value


@lru_cache(maxsize=2**17)
def _unit(printed: str) -> Fraction:
    text = printed.strip()
    mantissa, _, exponent = text.rstrip("% ").lower().partition("e")
    unit = Fraction(10) ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
    return unit / 100 if text.endswith("%") else unit


def summary_of_runs(runs: Sequence[str]) -> Measured:
    """Mean, standard deviation and number of printed runs; the mean has one digit more than the finest of them."""
    values = [_exact(run) for run in runs]
    mean = sum(values, Fraction(0)) / len(values)
    finest = max(min(map(_unit, runs)) / 10, _SMALLEST)
    excess = len(str(abs(round(mean / finest)))) - _MOST_DIGITS
    unit = finest * 10 ** max(excess, 0)
    value = _printed(round(mean / unit), unit)
    spread = statistics.stdev(map(float, values)) if len(values) > 1 else None
    return Measured(value, spread, len(values))


def _printed(count: int, unit: Fraction) -> str:
    """So many of a unit, which is a power of ten, as a number."""
    exponent = 1 - len(str(unit.denominator)) if unit < 1 else len(str(unit.numerator)) - 1
    if -_MOST_DECIMALS <= exponent <= 0:
        return f"{Decimal(count).scaleb(exponent):f}"
    return f"{count}e{exponent}"


@dataclass(frozen=True, slots=True)
class Judged:
    """An outcome with the reasons for it, and the p-values that were computed on the way."""

    outcome: Outcome
    reasons: tuple[str, ...] = ()
    p_different: float | None = None
    """Of the two results being the same; small when they differ."""
    p_not_equivalent: float | None = None
    """Of the difference being at least the margin; small when they are equivalent."""
    truncated: bool = False
    """Identical only if the article cut off its digits instead of rounding."""

    @property
    def verdict(self) -> str:
        """The outcome as tables show it."""
        return f"{self.outcome.value}, if cut off" if self.truncated else self.outcome.value


@dataclass(frozen=True, slots=True)
class Tested:
    """What statistical tests say of two results, where enough is known to run them."""

    reasons: tuple[str, ...] = ()
    p_different: float | None = None
    p_not_equivalent: float | None = None


def judge(
    original: Measured,
    reproduced: Measured,
    baselines: Iterable[Measured] = (),
    *,
    margin: float | None = None,
    alpha: float = ALPHA,
    direction: Direction | None = None,
) -> Judged:
    """How one reproduced result stands to the original."""
    difference = difference_of(original, reproduced)
    tested = put_to_test(original, reproduced, difference, margin)
    return settled(original, reproduced, baselines, tested, alpha=alpha, direction=direction)


def difference_of(original: Measured, reproduced: Measured) -> Difference | None:
    """The difference with its interval: of means when spreads are known, of shares when numbers of answers are."""
    if _has_spread(original) and _has_spread(reproduced):
        return of_means(_summary(original), _summary(reproduced))
    if original.items and reproduced.items and 0 <= original.exact <= 1 and 0 <= reproduced.exact <= 1:
        return of_shares(float(original.exact), original.items, float(reproduced.exact), reproduced.items)
    return None


def put_to_test(
    original: Measured, reproduced: Measured, difference: Difference | None, margin: float | None = None
) -> Tested:
    """Whether the two differ, and whether they differ by less than the margin."""
    if difference is None:
        return Tested()
    interval = difference.interval
    size = f"difference {difference.value:.3g}, 95 % interval {interval.low:.3g} to {interval.high:.3g}"
    reasons = [f"{difference.method}: {size}, p = {difference.p:.3g}{_assumed(original, reproduced)}"]
    not_equivalent = None if margin is None else _p_not_equivalent(original, reproduced, margin)
    if not_equivalent is not None:
        reasons.append(f"equivalence within {margin:g}: p = {not_equivalent:.3g}")
    return Tested(tuple(reasons), difference.p, not_equivalent)


def settled(
    original: Measured,
    reproduced: Measured,
    baselines: Iterable[Measured],
    tested: Tested,
    *,
    alpha: float = ALPHA,
    direction: Direction | None = None,
) -> Judged:
    """The outcome, given what the tests say: the first that can be shown."""
    if printed := _as_printed(original, reproduced):
        return printed
    judged = partial(_judged, tested)
    if tested.p_not_equivalent is not None and tested.p_not_equivalent < alpha:
        return judged(Outcome.EQUIVALENT)
    rivals = list(baselines)
    lost = [claim for rival in rivals if (claim := _lost_claim(original, reproduced, rival, direction))]
    if rivals and not lost:
        return judged(Outcome.CONSISTENT, "every comparison with a baseline holds")
    if _too_coarse(original, reproduced):
        fewer = f"{reproduced.value} has fewer digits than {original.value}"
        return judged(Outcome.UNDECIDABLE, f"{fewer}: give as many as the article to show identity")
    if lost:
        return judged(Outcome.DIFFERENT, *lost)
    if tested.p_different is None or tested.p_different < alpha:
        return judged(Outcome.DIFFERENT, "another number, and no baseline")
    return Judged(
        Outcome.INDISTINGUISHABLE,
        (f"not distinguishable at these {_noise(original, reproduced)}", *tested.reasons),
        tested.p_different,
        tested.p_not_equivalent,
    )


def _noise(original: Measured, reproduced: Measured) -> str:
    return "spreads" if _has_spread(original) and _has_spread(reproduced) else "test sizes"


def _judged(tested: Tested, outcome: Outcome, *reasons: str) -> Judged:
    return Judged(outcome, (*tested.reasons, *reasons), tested.p_different, tested.p_not_equivalent)


def attempt_outcome(outcomes: Iterable[Outcome]) -> AttemptOutcome:
    """The outcome of an attempt from those of its experiments that were run; equivalent counts as identical."""
    run = list(outcomes)
    known = [o for o in run if o not in UNDECIDED]
    if not known:
        return AttemptOutcome.UNDECIDED if run else AttemptOutcome.NO_RESULT
    alike = {Outcome.IDENTICAL, Outcome.EQUIVALENT}
    if all(o in alike for o in known):
        return AttemptOutcome.SUCCESS
    if any(o in {*alike, Outcome.CONSISTENT} for o in known):
        return AttemptOutcome.PARTIAL
    return AttemptOutcome.FAILURE


class _Agreement(Enum):
    """How a figure with fewer digits agrees with one that has at least as many."""

    NONE = "none"
    ROUNDED = "rounded"
    TRUNCATED = "truncated"


def _agreement(coarse: Measured, fine: Measured) -> _Agreement:
    if coarse.exact == fine.exact:
        return _Agreement.ROUNDED
    if fine.unit < coarse.unit and abs(coarse.exact - fine.exact) <= coarse.unit / 2:
        return _Agreement.ROUNDED
    beyond = abs(fine.exact) - abs(coarse.exact)
    same_sign = coarse.exact * fine.exact >= 0
    if same_sign and fine.unit < coarse.unit and 0 <= beyond < coarse.unit:
        return _Agreement.TRUNCATED
    return _Agreement.NONE


def _as_printed(original: Measured, reproduced: Measured) -> Judged | None:
    """What the printed digits alone decide: identity at the precision of the article, or two scales."""
    if reproduced.unit <= original.unit:
        match _agreement(original, reproduced):
            case _Agreement.ROUNDED:
                return Judged(Outcome.IDENTICAL, ("the same at the precision of the article",))
            case _Agreement.TRUNCATED:
                reason = f"the same only if the article cut off its digits: {reproduced.value} does not round to it"
                return Judged(Outcome.IDENTICAL, (reason,), truncated=True)
    if _percent_suspected(original, reproduced):
        question = f"is one of {original.value} and {reproduced.value} a percentage? Write its percent sign"
        return Judged(Outcome.UNDECIDABLE, (question,))
    return None


def _percent_suspected(one: Measured, other: Measured) -> bool:
    """Whether one looks like a hundred times the other, neither with a percent sign."""
    if "%" in one.value + other.value:
        return False
    small, large = sorted((abs(one.exact), abs(other.exact)))
    return small <= 1 < large <= 100 and abs(large - 100 * small) <= large * _PERCENT_SLACK


def _too_coarse(original: Measured, reproduced: Measured) -> bool:
    """Whether the reproduction agrees with the article, but has too few digits to show that it is the same."""
    return reproduced.unit > original.unit and _agreement(reproduced, original) is not _Agreement.NONE


def _lost_claim(original: Measured, reproduced: Measured, baseline: Measured, direction: Direction | None) -> str:
    """What the original could say of a baseline and the reproduction cannot; empty if nothing.

    A reproduction that ties with a baseline has lost the claim to differ from it. An original that ties claims to be
    as good, which a worse reproduction loses. Without a direction, higher is taken as better, and the reason says so.
    """
    sign = -1 if direction is Direction.LOWER else 1
    before = _sign(sign * (original.exact - baseline.exact))
    after = _sign(sign * (reproduced.exact - baseline.exact))
    if after == before or (before == 0 and after > 0):
        return ""
    condition = "" if direction else ", if higher is better"
    claim = f'the claim "{_STANDING[before]} {baseline.value}" is lost'
    return f"{claim}{condition}: the reproduction is {_STANDING[after]} it"


def _sign(value: Fraction) -> int:
    return (value > 0) - (value < 0)


def _p_not_equivalent(one: Measured, other: Measured, margin: float) -> float | None:
    """Two one-sided tests (TOST) of the difference against a margin."""
    gap = float(one.exact - other.exact)
    if _has_spread(one) and _has_spread(other):
        error, freedom = welch_error(one.spread or 0.0, one.runs or 0, other.spread or 0.0, other.runs or 0)
    elif one.items and other.items:
        a, b = float(one.exact), float(other.exact)
        error, freedom = math.sqrt(a * (1 - a) / one.items + b * (1 - b) / other.items), math.inf
    else:
        return None
    if error == 0:
        return 0.0 if abs(gap) < margin else 1.0
    return max(student_tail((gap + margin) / error, freedom), student_tail((margin - gap) / error, freedom))


def _assumed(one: Measured, other: Measured) -> str:
    return "" if _has_spread(one) and _has_spread(other) else " (as if the answers were independent)"


def _has_spread(result: Measured) -> bool:
    return result.spread is not None and result.runs is not None and result.runs > 1


def _summary(result: Measured) -> tuple[float, float, int]:
    return float(result.exact), result.spread or 0.0, result.runs or 0

"""One test set of unknown size: a matrix that fits, or why none of any size does."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor

from assay.findings import Value
from assay.scores.answers import Answer, consistent, inconsistent, undecided
from assay.scores.constraints import subsets_without_witness
from assay.scores.definitions import Matrix
from assay.scores.exact import Interval, decimal
from assay.scores.nearest import interval_width
from assay.scores.phrases import between
from assay.scores.sizeless.relations import relation
from assay.scores.sizeless.requirements import Requirement
from assay.scores.sizeless.search import BUDGET, Searched, search

_SEARCHED_ONE_BY_ONE = 7
"""Up to so many figures every set of them is a candidate for the smallest conflict."""

_DERIVED = (
    *("f1", "f1n", "ji", "bacc", "gm", "fm", "bm", "mk", "kappa", "mcc", "auc", "dor", "lrp", "lrn", "acc"),
    *("npv", "ppv", "spec", "sens", "prevalence", "ppr"),
)
"""Scores that are said to follow from others come first."""


def solve(requirements: Sequence[Requirement], *, argued: bool = True) -> Answer:
    """Whether a test set of some size gives all the figures; why not is left out where nobody reads it."""
    found = _search(requirements)
    if found.matrix is not None:
        if not all(requirement.holds(found.matrix) for requirement in requirements):
            raise AssertionError(f"{found.matrix} was found but does not satisfy {requirements}")
        return consistent(_rounded_matrix(found.matrix, requirements))
    if not found.finished:
        return undecided(f"{found.cones:,} ranges of rates were examined: no matrix found, not all excluded.")
    if not argued:
        return inconsistent("")
    conflict = smallest_conflict(requirements)
    reason, figures = explain(conflict)
    return inconsistent(reason, figures, tuple(requirement.name for requirement in conflict))


def _search(requirements: Sequence[Requirement]) -> Searched:
    """The search, with an attempt first on the scores that depend on sensitivity and specificity alone."""
    of_rates = [one for one in requirements if one.value_like((2, 2, 1, 1))]
    if 1 < len(of_rates) < len(requirements):
        found = search(of_rates, budget=BUDGET // 5)
        if found.matrix is None and found.finished:
            return found
    return search(requirements)


def smallest_conflict(requirements: Sequence[Requirement]) -> tuple[Requirement, ...]:
    """The first of the smallest sets that no matrix of any size satisfies; of many figures, one that cannot shrink."""
    if len(requirements) > _SEARCHED_ONE_BY_ONE:
        return _irreducible(requirements)
    satisfied: list[set[int]] = []
    for chosen in subsets_without_witness(len(requirements), satisfied):
        found = search([requirements[i] for i in chosen], budget=BUDGET // 5)
        if found.matrix is not None:
            satisfied.append(_held_by(found.matrix, requirements))
        elif found.finished:
            return tuple(requirements[i] for i in chosen)
    return tuple(requirements)


def _held_by(matrix: Matrix, requirements: Sequence[Requirement]) -> set[int]:
    return {i for i, requirement in enumerate(requirements) if requirement.holds(matrix)}


def _irreducible(requirements: Sequence[Requirement]) -> tuple[Requirement, ...]:
    """Leave out what is not needed for the conflict, one figure after the other."""
    kept = list(requirements)
    for requirement in requirements:
        fewer = [one for one in kept if one is not requirement]
        found = search(fewer, budget=BUDGET // 5)
        if found.matrix is None and found.finished:
            kept = fewer
    return tuple(kept)


def _rounded_matrix(matrix: Matrix, requirements: Sequence[Requirement]) -> Matrix:
    """A matrix of a round number of items that fits as well, if there is one nearby."""
    total = sum(matrix)
    for size in (step * 10**power for power in range(1, 10) for step in (1, 2, 5)):
        cells = [size * cell // total for cell in matrix]
        rests = sorted(range(4), key=lambda k: -(size * matrix[k] % total))
        for k in rests[: size - sum(cells)]:
            cells[k] += 1
        smaller = Matrix(*cells)
        if size < total and all(requirement.holds(smaller) for requirement in requirements):
            return smaller
    return matrix


# --- why -------------------------------------------------------------------------------------------

Explained = tuple[str, dict[str, Value]]


def explain(conflict: Sequence[Requirement]) -> Explained:
    """Why no test set gives these figures together: what all but one leave to that one."""
    known = relation(requirement.short for requirement in conflict)
    opening = f"{known}. " if known else ""
    if len(conflict) == 1:
        return f"{opening}{_alone(conflict[0])}", {}
    for target in sorted(conflict, key=_rank):
        others = [requirement for requirement in conflict if requirement is not target]
        room = _room(target, others)
        if room is not None:
            reason, figures = _left_by(others, target, room)
            return f"{opening}{reason}", figures
    return f"{opening}No matrix of any size has {_claims(conflict)} together.", {}


def _left_by(
    others: Sequence[Requirement], target: Requirement, room: tuple[Fraction | None, Fraction | None]
) -> Explained:
    """What the others leave to the target, and what is reported."""
    leave = f"{_claims(others)} {'leaves' if len(others) == 1 else 'leave'} {target.label} {_limit(target, room)}"
    meant = f"{_claim(target)} means {between(target.interval.lo, target.interval.hi)}"
    figures = {f"{target.label} at least": room[0], f"{target.label} at most": room[1]}
    return (
        f"{leave}, whatever the size of the test set; {meant}.",
        {name: decimal(bound) for name, bound in figures.items() if bound is not None},
    )


def _limit(target: Requirement, room: tuple[Fraction | None, Fraction | None]) -> str:
    """The bound in words; one that the printed figure would reach is not attained."""
    low, high = room
    if low is not None and low in target.interval:
        return f"more than {decimal(low)}"
    if high is not None and high in target.interval:
        return f"less than {decimal(high)}"
    return between(low, high)


def _alone(requirement: Requirement) -> str:
    low, high = requirement.range
    return f"{requirement.label} is {between(low, high)}; {_claim(requirement)} is not, whatever the test set."


def _rank(requirement: Requirement) -> int:
    return _DERIVED.index(requirement.short) if requirement.short in _DERIVED else -1


def _claim(requirement: Requirement) -> str:
    return f"{requirement.name} {requirement.printed}"


def _claims(requirements: Sequence[Requirement]) -> str:
    words = [_claim(requirement) for requirement in requirements]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _room(target: Requirement, others: Sequence[Requirement]) -> tuple[Fraction | None, Fraction | None] | None:
    """What the others leave to the target, on the side of its interval where anything is left; None if on both."""
    lo, hi = target.interval.lo, target.interval.hi
    below = lo is not None and _possible(target, others, Interval(None, lo))
    above = hi is not None and _possible(target, others, Interval(hi, None))
    if below and not above and lo is not None:
        return None, _last_possible(target, others, lo)
    if above and not below and hi is not None:
        return _first_possible(target, others, hi), None
    return None


def _possible(target: Requirement, others: Sequence[Requirement], interval: Interval) -> bool:
    """Whether the target may lie there beside the others, as far as the search can exclude it."""
    found = search([*others, target.within(interval)], budget=BUDGET // 5)
    return found.matrix is not None or not found.finished


def _digits(interval: Interval) -> int:
    width, digits = interval_width(interval), 4
    while digits < 8 and width * 10**digits < 10:
        digits += 1
    return digits


def _last_possible(target: Requirement, others: Sequence[Requirement], below: Fraction) -> Fraction:
    """The smallest number of so many digits above which the target is excluded."""
    scale = 10 ** _digits(target.interval)
    low, high = floor((target.range[0] or Fraction(0)) * scale) - 1, floor(below * scale)
    while high - low > 1:
        middle = (low + high) // 2
        if _possible(target, others, Interval(Fraction(middle, scale), None, lo_open=True)):
            low = middle
        else:
            high = middle
    return Fraction(high, scale)


def _first_possible(target: Requirement, others: Sequence[Requirement], above: Fraction) -> Fraction:
    """The largest number of so many digits below which the target is excluded."""
    scale = 10 ** _digits(target.interval)
    low = ceil(above * scale)
    high = low + 1
    while _excluded_below(target, others, high, scale):
        low, high = high, low + 2 * (high - low) + 1
    while high - low > 1:
        middle = (low + high) // 2
        if _excluded_below(target, others, middle, scale):
            low = middle
        else:
            high = middle
    return Fraction(low, scale)


def _excluded_below(target: Requirement, others: Sequence[Requirement], steps: int, scale: int) -> bool:
    return not _possible(target, others, Interval(None, Fraction(steps, scale), hi_open=True))

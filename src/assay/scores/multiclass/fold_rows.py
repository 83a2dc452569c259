"""Inequalities that every cross-validation with the reported means satisfies, each a sum over folds and classes.

They are those of `rows`, fold by fold, with one difference: where the score of a class is undefined in a fold, or some
library leaves the class out, any value in the score's range may stand for it. That covers every convention at once,
since leaving a class out of a mean is the same as counting the mean of the others for it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np

from assay.records import dataclass
from assay.scores.definitions import SCORES, Score
from assay.scores.enclosures import enclose
from assay.scores.exact import Infinite, Interval, decimal
from assay.scores.multiclass.class_folds import Counts, Folds
from assay.scores.multiclass.domains import Domain, Integers, Mask, domains, ratio, wide
from assay.scores.multiclass.figures import Figure
from assay.scores.multiclass.quantities import Scope
from assay.scores.multiclass.rows import CURVED, UNIT, Row, tamed, upward
from assay.scores.multiclass.values import ClassSize, Gap, pooled


@dataclass(frozen=True, slots=True)
class Block:
    """One class in the folds of one kind."""

    counts: Counts
    label: int
    times: int

    @property
    def size(self) -> ClassSize:
        """The items of the class in such a fold."""
        return ClassSize(self.counts[self.label], sum(self.counts))


def blocks(folds: Folds) -> list[Block]:
    """Every class in every kind of fold."""
    return [Block(counts, label, times) for counts, times in folds.kinds for label in range(len(counts))]


def block_domains(folds: Folds) -> list[Domain]:
    """All pairs (correct, predicted) of each block."""
    return [d for counts, _ in folds.kinds for d in domains(counts, range(sum(counts) + 1), (), Gap.ZERO)]


def fold_rows(folds: Folds, figures: Sequence[Figure], *, f1_of_means: bool) -> list[Row]:
    """All rows that follow from the means and the extremes of the figures."""
    every = blocks(folds)
    made = [*_totals(folds, every)]
    for figure in figures:
        quantity, title = figure.quantity, figure.quantity.name
        for interval, kind in (
            (quantity.interval, None),
            *((_above(figure.minimum), counts) for counts, _ in folds.kinds if figure.minimum),
            *((_below(figure.maximum), counts) for counts, _ in folds.kinds if figure.maximum),
        ):
            chosen = [i for i, block in enumerate(every) if kind in (None, block.counts)]
            words = title if kind is None else f"{title} of each fold"
            made += _of_figure(every, chosen, figure, interval, words, f1_of_means=f1_of_means)
    return made


def _above(minimum: Interval | None) -> Interval:
    return Interval(minimum.lo if minimum else None, None)


def _below(maximum: Interval | None) -> Interval:
    return Interval(None, maximum.hi if maximum else None)


def _totals(folds: Folds, every: Sequence[Block]) -> Iterator[Row]:
    """In each fold every item is predicted once."""
    for counts, times in folds.kinds:
        items = sum(counts)
        for side, sign in ((1, "≥"), (-1, "≤")):

            def points(at: int, _d: Integers, q: Integers, side: int = side, counts: Counts = counts) -> Integers:
                if every[at].counts != counts:
                    return np.zeros_like(q)
                return every[at].times * -((-side * q * UNIT) // sum(counts))

            where = "fold" if len(folds.kinds) == 1 else f"fold of {' + '.join(map(str, counts))} items"
            yield Row(f"items predicted in each {where} {sign} {items}", (), points, -side * times * UNIT)


@dataclass(frozen=True, slots=True)
class _Claim:
    """A figure lies on one side of a bound, on average over the chosen blocks."""

    every: Sequence[Block]
    chosen: Sequence[int]
    figure: Figure
    bound: Fraction
    side: int
    statement: str

    def concerns(self, at: int) -> bool:
        """Whether the figure depends on this block."""
        quantity = self.figure.quantity
        return at in self.chosen and (quantity.scope is not Scope.CLASS or self.every[at].label == quantity.label)


def _of_figure(
    every: Sequence[Block], chosen: Sequence[int], figure: Figure, interval: Interval, title: str, *, f1_of_means: bool
) -> Iterator[Row]:
    quantity = figure.quantity
    if quantity.scope in (Scope.KAPPA, Scope.MCC):
        return
    for bound, side in ((interval.lo, 1), (interval.hi, -1)):
        if bound is None:
            continue
        shown, sign = (1 - bound, -side) if quantity.complement else (bound, side)
        claim = _Claim(every, chosen, figure, bound, side, f"{title} {'≥' if sign > 0 else '≤'} {decimal(shown)}")
        if quantity.scope is Scope.CORRECT:
            yield _accuracy(claim)
        elif quantity.averaged_f1 and f1_of_means and side > 0:
            # F1 of two means ≤ their plain mean; downwards it is ≥ the mean of the F1 scores (Jensen).
            weaker = replace(claim, statement=f"mean of precision and recall, by {claim.statement}")
            yield _share(weaker, (SCORES["ppv"], SCORES["sens"]))
        else:
            yield _share(claim, (quantity.score,))


def _share(claim: _Claim, scores: Sequence[Score]) -> Row:
    """The scores of the classes (or the mean of two of them), minus the bound, add up to one side of 0."""
    side, limit = claim.side, tamed(claim.bound)
    weighted = claim.figure.quantity.scope is Scope.WEIGHTED

    def points(at: int, d: Integers, q: Integers) -> Integers:
        if not claim.concerns(at):
            return np.zeros_like(q)
        size, total = claim.every[at].size, np.zeros_like(q)
        for score in scores:
            extreme = (score.high if side > 0 else score.low) or Fraction(0)
            best = math.ceil(side * extreme * UNIT)
            total = total + np.where(_open(score, size, d, q), best, upward(score, size, d, q, side))
        given = -(-total // len(scores)) - math.floor(side * limit * UNIT)
        if weighted:
            given = -((-given * size.items) // size.total)
        return claim.every[at].times * given

    linear = all(score.name not in CURVED for score in scores)
    slow = any(wide(score, block.size.total) for score in scores for block in claim.every)
    return Row(claim.statement, (claim.figure.quantity.name,), points, linear=linear, wide=slow)


def _open(score: Score, size: ClassSize, correct: Integers, predicted: Integers) -> Mask:
    """Where some library would not count the score of the class itself."""
    if size.items == 0:
        return np.ones(correct.shape, dtype=bool)
    top, bottom = ratio(score, size, correct, predicted)
    hollow: Mask = (top == 0) & (bottom == 0)
    return hollow | (correct == 0) if score.name == "f1" else hollow


def _accuracy(claim: _Claim) -> Row:
    """A figure that rises in equal steps with the share of correct items, as a statement about that share."""
    every, chosen, side, name = claim.every, claim.chosen, claim.side, claim.figure.quantity.name
    start, slope = accuracy_line(claim.figure.quantity.score, len(every[0].counts))
    limit = tamed((claim.bound - start) / slope)

    def points(at: int, d: Integers, _q: Integers) -> Integers:
        block = every[at]
        return block.times * -((-side * d * UNIT) // block.size.total) if at in chosen else np.zeros_like(d)

    folds = sum(every[at].times for at in chosen if every[at].label == 0)
    return Row(claim.statement, (name,), points, -math.floor(side * limit * folds * UNIT))


def accuracy_line(score: Score, classes: int) -> tuple[Fraction, Fraction]:
    """(start, slope) of a micro average as a function of the accuracy; slope 0 where it is no straight line."""
    values = [pooled(score, correct, 4, classes) for correct in range(5) if score.name != "upm"]
    ends = [enclose(value) for value in values if not isinstance(value, Infinite)]
    if len(ends) < 5 or any(low != high for low, high in ends):
        return Fraction(0), Fraction(0)
    exact = [low for low, _ in ends]
    steps = {later - earlier for earlier, later in pairwise(exact)}
    return (exact[0], exact[-1] - exact[0]) if len(steps) == 1 else (Fraction(0), Fraction(0))

"""Fold models: the test sets that a cross-validation can have had.

A report seldom lists its folds. It says "5-fold", perhaps "stratified", and leaves open how many
positives and negatives each fold held. A `FoldModel` is one hypothesis about that. It knows every
configuration (a multiset of folds) it allows, counts them without listing them, and lists them
lazily, balanced ones first, because honest experiments are mostly balanced.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import cached_property
from itertools import islice, product
from math import comb
from typing import NamedTuple

from assay.errors import InputError
from assay.records import dataclass


class Classes(StrEnum):
    """What is known about the classes in each fold when the labels were not stratified."""

    ANY = "any"
    """Nothing: unshuffled folds of sorted data may hold a whole class. The safe default."""
    TRAINABLE = "trainable"
    """No fold holds a whole class, since its training set would lack that class."""
    BOTH = "both"
    """Every fold, and so every training set, has both classes."""


_DISTRIBUTED = {
    Classes.ANY: "classes distributed in any way",
    Classes.TRAINABLE: "none with a whole class",
    Classes.BOTH: "each with both classes",
}


_MOST_WORK = 2_000_000
"""Steps in which the configurations of unstratified folds may be counted."""
_MOST_STRATIFIED = 100
"""Stratified folds whose configurations are counted."""
_MOST_FOLDS = 300
"""Unstratified folds whose configurations are listed; the listing takes them one within the other."""


class Fold(NamedTuple):
    """A test set by its class counts."""

    p: int
    n: int


Configuration = tuple[Fold, ...]
"""One way in which the folds may have been, as a sorted tuple."""


@dataclass(frozen=True)
class Slots:
    """`count` interchangeable folds; each is one of `choices`, which are sorted."""

    count: int
    choices: tuple[Fold, ...]


@dataclass(frozen=True)
class FoldModel:
    """Every assignment of a choice to each slot whose positives and negatives add up to `p` and `n`.

    `repeats` independent partitions of the same data make a repeated cross-validation; all of their
    folds count alike in a mean.
    """

    description: str
    p: int
    n: int
    slots: tuple[Slots, ...]
    repeats: int = 1
    beyond_listing: bool = False
    """Whether there are so many configurations that the slots hold the most balanced one alone."""
    sizes_known: bool = True
    """Whether then at least the sizes of the folds are those of that one."""

    @property
    def k(self) -> int:
        """Folds in one partition."""
        return sum(slots.count for slots in self.slots)

    @cached_property
    def types(self) -> tuple[Fold, ...]:
        """Every fold that some configuration may contain."""
        return tuple(sorted({fold for slots in self.slots for fold in slots.choices}))

    @property
    def single(self) -> FoldModel:
        """The model of one partition."""
        return replace(self, repeats=1)

    @cached_property
    def count(self) -> int:
        """The exact number of configurations, by dynamic programming over the totals."""
        totals = {(0, 0): 1}
        for slots in self.slots:
            totals = _ways(totals, slots, self)
        return comb(totals.get((self.p, self.n), 0) + self.repeats - 1, self.repeats)

    def configurations(self) -> Iterator[Configuration]:
        """Each configuration once, the most balanced branch first."""
        return self._repeated(self.repeats, 0)

    def greatest(self, worth: Mapping[Fold, int]) -> int | None:
        """The greatest sum of `worth` over the folds of any configuration, by the same programming."""
        best: dict[Fold, int] = {Fold(0, 0): 0}
        for slots in self.slots:
            best = _best(best, slots, self, worth)
        found = best.get(Fold(self.p, self.n))
        return None if found is None else self.repeats * found

    def _repeated(self, repeats: int, start: int) -> Iterator[Configuration]:
        """Multisets of partitions: the later ones never come before the earlier ones in the listing."""
        for position, first in enumerate(islice(self._partitions(), start, None), start):
            if repeats == 1:
                yield first
            else:
                yield from (first + rest for rest in self._repeated(repeats - 1, position))

    def _partitions(self) -> Iterator[Configuration]:
        if not self.slots:
            return
        order = [slots for slots in self.slots for _ in range(slots.count)]
        if all(len(slots.choices) == 1 for slots in order):
            yield from self._only_configuration([slots.choices[0] for slots in order])
            return
        for folds in _assign(order, 0, Fold(self.p, self.n), _reach(order)):
            yield tuple(sorted(folds))

    def _only_configuration(self, only: list[Fold]) -> Iterator[Configuration]:
        """The one configuration of these folds, if they add up."""
        if (sum(fold.p for fold in only), sum(fold.n for fold in only)) == (self.p, self.n):
            yield tuple(sorted(only))


def _ways(totals: dict[tuple[int, int], int], slots: Slots, model: FoldModel) -> dict[tuple[int, int], int]:
    """How many multisets of `slots.count` choices lead on from each total (coin change, coin by coin)."""
    by_used: list[dict[tuple[int, int], int]] = [defaultdict(int) for _ in range(slots.count + 1)]
    by_used[0].update(totals)
    most_p, most_n = model.p, model.n
    for more_p, more_n in slots.choices:
        for used in range(slots.count):
            reached = by_used[used + 1]
            for (p, n), ways in by_used[used].items():
                if p + more_p <= most_p and n + more_n <= most_n:
                    reached[p + more_p, n + more_n] += ways  # plain pairs: most of the time is spent here
    return by_used[slots.count]


def _best(best: dict[Fold, int], slots: Slots, model: FoldModel, worth: Mapping[Fold, int]) -> dict[Fold, int]:
    """The greatest sum with which each total can be reached by `slots.count` more choices."""
    for _ in range(slots.count):
        reached: dict[Fold, int] = {}
        for (p, n), value in best.items():
            for choice in slots.choices:
                total = Fold(p + choice.p, n + choice.n)
                if total.p <= model.p and total.n <= model.n:
                    reached[total] = max(reached.get(total, value + worth[choice]), value + worth[choice])
        best = reached
    return best


def _reach(order: Sequence[Slots]) -> list[tuple[Fold, Fold]]:
    """The least and the greatest totals that the slots from each position on can add."""
    reach = [(Fold(0, 0), Fold(0, 0))]
    for slots in reversed(order):
        (low_p, low_n), (high_p, high_n) = reach[-1]
        ps, ns = [c.p for c in slots.choices], [c.n for c in slots.choices]
        reach.append((Fold(low_p + min(ps), low_n + min(ns)), Fold(high_p + max(ps), high_n + max(ns))))
    return reach[::-1]


def _count_alike(order: Sequence[Slots], position: int) -> int:
    return sum(1 for other in order[position:] if other is order[position])


def _assign(
    order: Sequence[Slots], position: int, left: Fold, reach: list[tuple[Fold, Fold]], floor: int = 0
) -> Iterator[tuple[Fold, ...]]:
    """Fill the slots from `position` on; equal slots take choices in rising order, so that none comes twice."""
    if position == len(order):
        yield ()
        return
    slots, (low, high) = order[position], reach[position + 1]
    alike = _count_alike(order, position)
    low_after, high_after = reach[position + alike]
    choices, remaining = slots.choices, len(order) - position
    # the slots alike take no fewer positives than this one and no more than the last choice
    least_p = max(left.p - high.p, left.p - choices[-1].p * (alike - 1) - high_after.p)
    most_p = min(left.p - low.p, (left.p - low_after.p) // alike)
    least_n, most_n = left.n - high.n, left.n - low.n
    candidates = [
        (abs(p * remaining - left.p), index)
        for index, (p, n) in enumerate(choices[floor:], floor)
        if least_p <= p <= most_p and least_n <= n <= most_n
    ]
    for _, index in sorted(candidates):
        p, n = choice = choices[index]
        next_floor = index if alike > 1 else 0
        for folds in _assign(order, position + 1, Fold(left.p - p, left.n - n), reach, next_floor):
            yield (choice, *folds)


def listed(folds: Iterable[tuple[int, int]]) -> FoldModel:
    """The folds are known: (positives, negatives) of each."""
    chosen = [Fold(*fold) for fold in folds]
    for fold in chosen:
        if min(fold) < 0 or sum(fold) == 0:
            raise InputError(
                f"a fold cannot have {fold.p} positives and {fold.n} negatives",
                fix="Every fold holds at least one item.",
            )
    if not chosen:
        raise InputError("no folds are listed", fix="Give (positives, negatives) for at least one fold.")
    return _fixed("the folds as listed", chosen)


def stratified(p: int, n: int, k: int) -> FoldModel:
    """scikit-learn's StratifiedKFold since version 0.22: the sorted labels are dealt out like cards.

    The second class goes on where the first one stopped, so that fold sizes differ by at most one.
    Which class comes first does not change the multiset of folds.
    """
    _check(p, n, k, stratified_folds=True)
    return _fixed(f"{k} stratified folds (scikit-learn 0.22 or later)", _dealt(p, n, k))


def stratified_before_0_22(p: int, n: int, k: int) -> FoldModel:
    """scikit-learn's StratifiedKFold before version 0.22: the remainder of each class goes to the first folds."""
    _check(p, n, k, stratified_folds=True)
    folds = [Fold(len(range(i, p, k)), len(range(i, n, k))) for i in range(k)]
    return _fixed(f"{k} stratified folds (scikit-learn before 0.22)", folds)


def any_stratified(p: int, n: int, k: int, *, classes: Classes = Classes.ANY) -> FoldModel:
    """Every fold has its share of each class, rounded down or up, in any combination."""
    _check(p, n, k, stratified_folds=True)
    description = f"{k} folds, stratified in any way"
    if k > _MOST_STRATIFIED:
        open_ = bool(p % k or n % k)
        return replace(_fixed(description, _dealt(p, n, k)), beyond_listing=open_, sizes_known=not open_)
    choices = product(_shares(p, k), _shares(n, k))
    return _open(description, p, n, [(k, choices)], classes)


def any_kfold(p: int, n: int, k: int, *, classes: Classes = Classes.ANY) -> FoldModel:
    """Fold sizes differ by at most one, as in KFold; the classes may fall into the folds in any way."""
    _check(p, n, k)
    description = f"{k} folds of equal size, {_DISTRIBUTED[classes]}"
    size, larger = divmod(p + n, k)
    fewer = min(p, n)
    too_many = k > _MOST_FOLDS or k * fewer * min(size, fewer) > _MOST_WORK
    if too_many and (classes is Classes.ANY or k <= fewer):
        return replace(_fixed(description, _dealt(p, n, k)), beyond_listing=True)
    slots = [(larger, _splits(size + 1, p, n)), (k - larger, _splits(size, p, n))]
    return _open(description, p, n, slots, classes)


def repeated(model: FoldModel, repeats: int) -> FoldModel:
    """The same kind of folds, drawn `repeats` times independently."""
    if repeats < 1:
        raise InputError(f"{repeats} repeats make no cross-validation", fix="Give a whole number from 1 on.")
    return replace(model, repeats=model.repeats * repeats, description=f"{repeats} times {model.description}")


def _dealt(p: int, n: int, k: int) -> list[Fold]:
    """The items of one class after the other, dealt out like cards."""
    return [Fold(len(range(i, p, k)), len(range((i - p) % k, n, k))) for i in range(k)]


def _splits(size: int, p: int, n: int) -> list[tuple[int, int]]:
    """Every (positives, negatives) that a fold of this size may have when there are p and n in all."""
    return [(a, size - a) for a in range(max(0, size - n), min(p, size) + 1)]


def _shares(total: int, k: int) -> tuple[int, ...]:
    return tuple(sorted({total // k, -(-total // k)}))


def _fixed(description: str, folds: Sequence[Fold]) -> FoldModel:
    """A model with one configuration."""
    kinds = sorted(set(folds))
    slots = tuple(Slots(folds.count(fold), (fold,)) for fold in kinds)
    return FoldModel(description, sum(f.p for f in folds), sum(f.n for f in folds), slots)


def _open(
    description: str, p: int, n: int, slots: Iterable[tuple[int, Iterable[tuple[int, int]]]], classes: Classes
) -> FoldModel:
    """A model with choices; impossible ones (more positives than there are) are left out."""
    least = 1 if classes is Classes.BOTH else 0
    spared = 0 if classes is Classes.ANY else 1
    made = []
    for count, choices in slots:
        allowed = [Fold(a, b) for a, b in choices if least <= a <= p - spared and least <= b <= n - spared]
        if count:
            made.append(Slots(count, tuple(sorted(allowed))))
    return FoldModel(description, p, n, tuple(made) if all(s.choices for s in made) else ())


def _check(p: int, n: int, k: int, *, stratified_folds: bool = False) -> None:
    if p < 0 or n < 0 or p + n == 0:
        raise InputError(f"{p} positives and {n} negatives make no data set", fix="Counts are whole numbers from 0 on.")
    if k < 2:
        raise InputError(f"{k} folds make no cross-validation", fix="Give at least 2 folds.")
    if k > p + n:
        raise InputError(f"{p + n} items cannot fill {k} folds", fix="Give at most as many folds as items.")
    if stratified_folds and k > max(p, n):
        raise InputError(
            f"neither class has {k} members, so that {k} stratified folds cannot be made",
            fix="scikit-learn refuses this as well; use ordinary folds.",
        )

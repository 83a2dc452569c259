"""Means of scores when the folds are not known: every configuration that the fold models allow.

No solver is called for each configuration. What holds whatever the folds is tried first; then the
most balanced configuration, which is usually the true one; then all of them in one search; and only what
that leaves open is gone through one by one (`sweep`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from assay.errors import InputError
from assay.findings import Verdict
from assay.scores.answers import Answer, consistent, inconsistent, undecided
from assay.scores.definitions import Matrix
from assay.scores.folds import Fold, FoldModel, Slots
from assay.scores.means import known, linear, relaxation, sides
from assay.scores.means.halves import Halves
from assay.scores.means.joint import Place, joined, places_of, thinned
from assay.scores.means.patterns import Table, table
from assay.scores.means.problem import Budget, Part, Reported, check, merged
from assay.scores.means.search import Search, inequality, none_fit, screen
from assay.scores.means.sweep import FARTHEST_DOWN, Sweep
from assay.scores.means.system import is_linear
from assay.scores.means.verify import conventions_used, holds
from assay.scores.means.windows import measures

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]

_RANDOM_DIRECTIONS = 60
_MOST_WORK = 2_000_000
"""Steps of the dynamic programme over all configurations that are worth while."""
_SHARE_OF_FIRST = 6
"""The most balanced configuration may spend this part of the budget."""
_SHARE_OF_ALL = 2
"""All of them in one search may spend this part."""
_SHARE_OF_DRAWS = 8
_MOST_DRAWS = 16
"""Configurations that are drawn at random."""
_LARGEST_DRAWN = 10**8
"""Items of a dataset whose folds are drawn; with more of them the most balanced folds do."""
_ATTEMPTS_EACH = (2_000, 20_000)
_MOST_HOPELESS = 4
"""So many of them without a real-valued solution end it."""
Parts = tuple[Part, ...]
T = TypeVar("T")


def solve(models: Sequence[FoldModel], reported: Sequence[Reported], budget: Budget, passed: int = 0) -> Answer:
    """Whether some configuration of the folds gives what is reported.

    The first `passed` configurations are known to give nothing, from a question that allows more conventions.
    """
    if not all(model.count for model in models):
        raise InputError("no folds at all satisfy the description", fix="Allow folds without one of the classes.")
    study = _Study(models, reported, budget)
    answer = (
        study.whatever_the_folds()
        or study.balanced()
        or study.class_by_class(passed)
        or study.refuted_together()
        or study.searched_together()
        or study.one_by_one()
    )
    return answer if answer.verdict is not Verdict.UNDECIDED else study.drawn_at_random() or answer


def datasets_as_parts(models: Sequence[FoldModel]) -> Iterator[Parts]:
    """Every combination of configurations, all datasets having the same weight in the mean."""
    weights = [Fraction(1, model.k * model.repeats) if len(models) > 1 else Fraction(1) for model in models]
    return combined(
        models,
        [
            {fold: Part(fold.p, fold.n, 1, weight, group) for fold in model.types}
            for group, (model, weight) in enumerate(zip(models, weights, strict=True))
        ],
    )


def draw_folds(models: Sequence[FoldModel], generator: np.random.Generator) -> Parts | None:
    """One configuration as shuffling would cut it; None where the model does not allow what is drawn."""
    if any(model.p + model.n > _LARGEST_DRAWN for model in models):
        return None
    folds: list[Part] = []
    for group, model in enumerate(models):
        weight = Fraction(1, model.k * model.repeats) if len(models) > 1 else Fraction(1)
        drawn = list(_drawn(model, generator))
        if not all(_allowed(model, fold) for fold in drawn):
            return None
        folds += [Part(fold.p, fold.n, 1, weight, group) for fold in drawn]
    return tuple(folds)


def _drawn(model: FoldModel, generator: np.random.Generator) -> Iterator[Fold]:
    """The folds of every repeat, their positives drawn."""
    sizes = [fold.p + fold.n for fold in next(model.single.configurations())]
    for _ in range(model.repeats):
        positives = generator.multivariate_hypergeometric(sizes, model.p).tolist()
        yield from (Fold(p, size - p) for p, size in zip(positives, sizes, strict=True))


def _allowed(model: FoldModel, fold: Fold) -> bool:
    """Whether the model has such folds; where they are too many to list, all of the known sizes with both classes."""
    if model.beyond_listing:
        return model.sizes_known and min(fold) > 0
    return fold in model.types


def combined(models: Sequence[FoldModel], called: Sequence[Mapping[Fold, T]]) -> Iterator[tuple[T, ...]]:
    """Every combination of configurations, each fold as it is called."""
    if not models:
        yield ()
        return
    for configuration in models[0].configurations():
        head = tuple(called[0][fold] for fold in configuration)
        for rest in combined(models[1:], called[1:]):
            yield head + rest


class _Study:
    """One question about unknown folds, with the tables that all its configurations share."""

    def __init__(self, models: Sequence[FoldModel], reported: Sequence[Reported], budget: Budget) -> None:
        self.models, self.reported, self.budget = models, reported, budget
        self.count = prod(model.count for model in models)
        self.beyond_listing = any(model.beyond_listing for model in models)
        self.first = next(datasets_as_parts(models))
        check(self.first, reported)
        self.linear = [one.mean_alone for one in reported if is_linear(one)]
        only_linear = len(self.linear) == len(reported) and all(one.only_mean for one in reported)
        self.kinds = self._kinds()
        # tables of every kind of fold when they are affordable, else those of the linear scores alone
        tabulated = only_linear or budget.spend("patterns", known.table_size(self.kinds))
        self.corners = only_linear or not tabulated
        # corners bound what is linear in the counts: of a linear score its mean, but not its spread
        screened = reported if tabulated else self.linear
        self.measures = measures(self.first, screened) if screened else []
        self.windows = [window for measure in self.measures for window in measure.windows]
        self.tables: dict[Part, Table] = {}
        self.directions = np.zeros((len(self.windows), 0), dtype=np.int64)
        self.places: Sequence[Place] = ()
        self.joint: Search | None = None

    def _kinds(self) -> list[Part]:
        by_group = {part.group: part.weight for part in self.first}
        return [
            Part(fold.p, fold.n, 1, by_group[group], group)
            for group, model in enumerate(self.models)
            for fold in model.types
        ]

    def whatever_the_folds(self) -> Answer | None:
        """Accuracy depends on fold sizes only; where these are known it may be refuted for all configurations."""
        accuracy = [one for one in self.linear if one.score.name == "acc"]
        if not accuracy:
            return None
        sizes = [Part(part.p + part.n, 0, 1, part.weight, part.group) for part in self.first]
        for model in self.models:
            if not model.sizes_known or any(
                len({sum(choice) for choice in slots.choices}) > 1 for slots in model.slots
            ):
                return None
        answer = linear.solve(merged(sizes), accuracy, self.budget)
        return answer if answer.verdict is Verdict.INCONSISTENT else None

    def balanced(self) -> Answer | None:
        """The first configuration, with every means."""
        if self.count == 1 and not self.beyond_listing:
            answer = known.solve(self.first, self.reported, self.budget)
            return answer if answer.verdict is not Verdict.UNDECIDED else None
        share = self.budget.share(_SHARE_OF_FIRST)
        answer = known.solve(self.first, self.reported, share)
        self.budget.charge(share)
        return answer if answer.verdict is Verdict.CONSISTENT else None

    def class_by_class(self, passed: int) -> Answer | None:
        """Accuracy, sensitivity and specificity over few small folds; a refutation in one sentence is preferred."""
        if len(self.models) > 1:
            return None
        answer = sides.decide(self.models[0], self.reported, self.budget, passed)
        if answer is None or answer.witness or passed:
            return answer
        return self.refuted_together() or answer

    def refuted_together(self) -> Answer | None:
        """What rules out all configurations at once; it leaves smaller tables and some directions otherwise."""
        if (
            self.beyond_listing
            or not self.measures
            or not all(known.covered(measure, self.kinds) for measure in self.measures)
        ):
            return None
        self.tables = {part: table(part, self.measures, side=2 if self.corners else None) for part in self.kinds}
        if self.corners:
            return self._in_one_inequality()
        self.places = places_of(self.models, self.kinds)
        self.joint = joined(self.models, self.places, self.tables, self.windows)
        return screen(self.joint, self.budget)

    def drawn_at_random(self) -> Answer | None:
        """A witness on folds as shuffling would cut them: most honest reports have one on many of those."""
        generator = np.random.default_rng(0)
        draws = (draw_folds(self.models, generator) for _ in range(_MOST_DRAWS))
        share = self.budget.share(_SHARE_OF_DRAWS)
        hopeless = 0
        for folds in filter(None, draws):
            found = relaxation.propose(merged(folds), self.reported, share, _ATTEMPTS_EACH)
            if found.witness:
                self.budget.charge(share)
                return known.in_order(consistent(*found.witness), folds, self.reported)
            hopeless += not found.solvable
            if hopeless == _MOST_HOPELESS:
                break
        self.budget.charge(share)
        return None

    def searched_together(self) -> Answer | None:
        """All configurations in one search over tables."""
        return None if self.joint is None else self._in_one_search(self.joint)

    def _in_one_inequality(self) -> Answer | None:
        """Linear scores: one direction may rule out every configuration."""
        parts = merged(self.first)
        tables = [self.tables[replace(part, count=1)] for part in parts]
        if not all(map(len, tables)):  # a score is 0/0 where that was ruled out
            return None
        search = known.prepare(parts, self.measures, tables)
        directions = [search.axes(), search.random_directions(_RANDOM_DIRECTIONS, seed=5)]
        if self.budget.spend("programmes"):
            directions.append(search.dual_direction())
        self.directions = np.concatenate(directions, axis=1)
        if self._beyond_all(search, directions[-1]):
            found = inequality(search, directions[-1])
            return inconsistent(
                f"{found.reason} No other way to form the folds gets there either.", dict(found.figures), found.conflict
            )
        return None

    def _beyond_all(self, search: Search, direction: Integers) -> bool:
        """Whether even the configuration that suits the direction best falls short."""
        if sum(model.k * model.p * len(model.types) for model in self.models) > _MOST_WORK:
            return False
        total = 0
        for group, model in enumerate(self.models):
            own = [part for part in self.kinds if part.group == group]
            tops = ((self.tables[part].vectors @ direction).max(initial=FARTHEST_DOWN) for part in own)
            worth = {Fold(part.p, part.n): int(top) for part, top in zip(own, tops, strict=True)}
            total += model.greatest(worth) or 0
        return total < search.need(direction)[0]

    def _in_one_search(self, search: Search) -> Answer | None:
        """Any scores: the folds themselves are part of what is searched for."""
        places = self.places
        answer = self._drawn(search, places)
        if answer:
            return answer
        directions = [search.axes(), search.random_directions(_RANDOM_DIRECTIONS, seed=5)]
        self.directions = np.concatenate(directions, axis=1)[: len(self.windows)]
        self.tables = thinned(search, places, len(self.windows))
        possible = {(part.group, part.p, part.n) for part, left in self.tables.items() if len(left)}
        self.models = [_without(model, group, possible) for group, model in enumerate(self.models)]
        return None

    def _drawn(self, search: Search, places: Sequence[Place]) -> Answer | None:
        """A witness with its folds, or the proof that there is none, from sums over halves of the folds."""
        if any(model.repeats > 1 for model in self.models):  # the folds of every repeat have totals of their own
            return None
        owners = [place for place in places for _ in range(place.count)]

        def folds_of(witness: Sequence[Matrix]) -> Parts:
            return tuple(place.part(matrix) for place, matrix in zip(owners, witness, strict=True))

        share = self.budget.share(_SHARE_OF_ALL)
        halves = Halves(search, lambda witness: holds(folds_of(witness), self.reported, witness), share)
        witness = halves.run()
        self.budget.charge(share)
        if witness:
            return consistent(*witness, reason=conventions_used(folds_of(witness), self.reported, witness))
        return none_fit(search, halves.tested) if halves.settled else None

    def one_by_one(self) -> Answer:
        """Every configuration that is still possible."""
        if self.beyond_listing:
            return undecided("The most balanced folds do not settle it, and there are too many others to list them.")
        left = prod(model.count for model in self.models)
        if left > self.budget.left("configurations"):
            return undecided(f"There are {self.count:,} ways to form the folds, more than can be looked at.")
        called = [
            {Fold(part.p, part.n): place for place, part in enumerate(self.kinds) if part.group == group}
            for group in range(len(self.models))
        ]
        sweep = Sweep(
            self.reported, self.kinds, self.budget, measures=self.measures, tables=self.tables, corners=self.corners
        )
        sweep.learn(self.directions)
        return sweep.run(combined(self.models, called), self.models, self.count - left)


def _without(model: FoldModel, group: int, possible: set[tuple[int, int, int]]) -> FoldModel:
    """The model without the folds that have no possible matrix."""
    slots = [Slots(s.count, tuple(c for c in s.choices if (group, *c) in possible)) for s in model.slots]
    return replace(model, slots=tuple(slots))

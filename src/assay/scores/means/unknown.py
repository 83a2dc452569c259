"""Means of scores when the folds are not known: every configuration that the fold models allow.

No solver is called for each configuration. What holds whatever the folds is tried first; then the
most balanced configuration, which is usually the true one; then all of them, screened in bulk, so
that only the survivors are searched. A linear programme that refutes one survivor gives a direction
that joins the pool and mostly refutes its neighbours too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from math import prod
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from assay.errors import InputError
from assay.findings import Verdict
from assay.scores.answers import Answer, consistent, inconsistent, undecided
from assay.scores.folds import Fold, FoldModel
from assay.scores.means import known, linear, wording
from assay.scores.means.classes import Classes, applies
from assay.scores.means.kinds import kind_of
from assay.scores.means.patterns import FAR, Table, measures, table
from assay.scores.means.problem import Budget, Part, Reported, check, merged
from assay.scores.means.screening import Pool, possible_totals
from assay.scores.means.search import Search, inequality, screen
from assay.scores.means.sums import Outcome
from assay.scores.means.system import is_linear
from assay.scores.means.verify import holds

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]

_MOST_UNDECIDED = 8
_NODES_EACH = 20_000
_FEW_NODES = 300
_RANDOM_DIRECTIONS = 60
_MOST_WORK = 2_000_000
"""Steps of the dynamic programme over all configurations that are worth while."""
Parts = tuple[Part, ...]
T = TypeVar("T")


def solve(models: Sequence[FoldModel], reported: Sequence[Reported], budget: Budget) -> Answer:
    """Whether some configuration of the folds gives what is reported."""
    if not all(model.count for model in models):
        raise InputError("no folds at all satisfy the description", fix="Allow folds without one of the classes.")
    study = _Study(models, reported, budget)
    return study.whatever_the_folds() or study.balanced() or study.in_one_inequality() or study.all_configurations()


def datasets_as_parts(models: Sequence[FoldModel]) -> Iterator[Parts]:
    """Every combination of configurations, all datasets having the same weight in the mean."""
    weights = [Fraction(1, model.k * model.repeats) if len(models) > 1 else Fraction(1) for model in models]
    return _combined(
        models,
        [
            {fold: Part(fold.p, fold.n, 1, weight, group) for fold in model.types}
            for group, (model, weight) in enumerate(zip(models, weights, strict=True))
        ],
    )


def _combined(models: Sequence[FoldModel], called: Sequence[Mapping[Fold, T]]) -> Iterator[tuple[T, ...]]:
    """Every combination of configurations, each fold as it is called."""
    if not models:
        yield ()
        return
    for configuration in models[0].configurations():
        head = tuple(called[0][fold] for fold in configuration)
        for rest in _combined(models[1:], called[1:]):
            yield head + rest


class _Study:
    """One question about unknown folds, with the tables and directions that all its configurations share."""

    def __init__(self, models: Sequence[FoldModel], reported: Sequence[Reported], budget: Budget) -> None:
        self.models, self.reported, self.budget = models, reported, budget
        self.count = prod(model.count for model in models)
        self.first = next(datasets_as_parts(models))
        check(self.first, reported)
        self.linear = [one for one in reported if is_linear(one)]
        self.only_linear = len(self.linear) == len(reported) and all(one.only_mean for one in reported)
        self.kinds = self._kinds()
        # tables of every kind of fold when they are affordable, else those of the linear scores alone
        self.tabulated = self.only_linear or budget.spend("patterns", known.table_size(self.kinds))
        self.screened = [*reported] if self.tabulated else self.linear
        self.corners = self.only_linear or not self.tabulated
        self.measures = measures(self.first, self.screened) if self.screened else []
        self.tables: dict[Part, Table] = {}
        self.by_class: Classes | None = None
        self.filled = np.arange(len(self.kinds))
        """For each kind its place among those that have any possible matrix, -1 for the others."""
        self.pool = Pool(self.kinds)

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
            if any(len({sum(choice) for choice in slots.choices}) > 1 for slots in model.slots):
                return None
        answer = linear.solve(merged(sizes), accuracy, self.budget)
        return answer if answer.verdict is Verdict.INCONSISTENT else None

    def balanced(self) -> Answer | None:
        """The first configuration, with every means."""
        answer = known.solve(self.first, self.reported, self.budget)
        decided = answer.verdict is Verdict.CONSISTENT or (self.count == 1 and answer.verdict is not Verdict.UNDECIDED)
        return answer if decided else None

    def in_one_inequality(self) -> Answer | None:
        """Gather a pool of directions; a refutation if one of them rules out all configurations together."""
        if not self.measures or not all(known.covered(measure, self.kinds) for measure in self.measures):
            return None
        self.tables = {part: table(part, self.measures, side=2 if self.corners else None) for part in self.kinds}
        filled = np.array([len(self.tables[part].cells) > 0 for part in self.kinds])
        self.filled = np.where(filled, np.cumsum(filled) - 1, -1)
        search = self._search(self.first)
        if search is None:
            return None
        if not self.corners and applies(search.windows, len(self.first), search.sizes()):
            kinds = [kind_of(t, search.windows) for t in self.tables.values() if len(t.cells)]
            self.by_class = Classes(kinds, len(self.first), search.windows)
        directions = [search.axes(), search.random_directions(_RANDOM_DIRECTIONS, seed=5)]
        if self.budget.spend("programmes"):
            directions.append(search.dual_direction())
        self._learn(search, np.concatenate(directions, axis=1))
        if self._beyond_all(search, directions[-1]):
            found = inequality(search, directions[-1][:, :1])
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
            worth = {Fold(part.p, part.n): self._most(part, direction)[0] for part in self.kinds if part.group == group}
            total += model.greatest(worth) or 0
        return total < search.need(direction)[0]

    def _most(self, part: Part, directions: Integers) -> list[int]:
        """The maximum of each direction on one kind of fold; far down where the fold has no possible matrix."""
        vectors = self.tables[part].vectors
        if not len(vectors):
            return [-FAR // 1000] * directions.shape[1]
        return [int(x) for x in (vectors @ directions).max(axis=0)]

    def _learn(self, search: Search, directions: Integers) -> None:
        """Put directions into the pool."""
        maxima = {part: self._most(part, directions) for part in self.kinds}
        for column, need in enumerate(search.need(directions)):
            self.pool.add({part: most[column] for part, most in maxima.items()}, max(need, -FAR))

    def all_configurations(self) -> Answer:
        """Screen every configuration and search the survivors."""
        if self.count > self.budget.left("configurations"):
            return undecided(f"There are {self.count:,} ways to form the folds, more than can be looked at.")
        place = {part: place for place, part in enumerate(self.kinds)}
        called = [
            {Fold(part.p, part.n): place[part] for part in self.kinds if part.group == g}
            for g in range(len(self.models))
        ]
        stream = _combined(self.models, called)
        fate: Counter[str] = Counter()
        size = 64
        while fate["undecided"] <= _MOST_UNDECIDED and (batch := list(islice(stream, size))):
            self.budget.spend("configurations", len(batch))
            witness = self._batch(np.array(batch), fate)
            if witness:
                return witness
            size = min(size * 4, 20_000)
        if fate["undecided"]:
            ruled_out = sum(fate.values()) - fate["undecided"]
            told = f"{ruled_out:,} of {self.count:,} ways to form the folds are ruled out"
            return undecided(f"{told}, the others are open after {self.budget}.")
        return self._none_left(fate)

    def _batch(self, places: Integers, fate: Counter[str]) -> Answer | None:
        """Settle some configurations, each a line of places in the list of kinds; a witness ends the matter."""
        if len(self.models) == 1:
            folds = np.array([(part.p, part.n) for part in self.kinds])[places]
            fitting = possible_totals(folds, self.linear)
            fate["totals"] += len(places) - int(fitting.sum())
            places = places[fitting]
        if self.tables:  # a fold without any possible matrix rules a configuration out
            possible = (self.filled >= 0)[places].all(axis=1)
            fate["search"] += len(places) - int(possible.sum())
            places = places[possible]
        alive = self.pool.possible(places)
        fate["directions"] += len(places) - int(alive.sum())
        for row, chosen in enumerate(places):
            if fate["undecided"] > _MOST_UNDECIDED:
                break
            if not alive[row]:
                continue
            directions_before = len(self.pool)
            answer = self._one(sorted(chosen.tolist()), fate)
            if answer:
                return answer
            alive[row] = False
            if len(self.pool) > directions_before:
                rest = np.nonzero(alive)[0]
                alive[rest] = self.pool.possible(places[rest], since=directions_before)
                fate["directions"] += len(rest) - int(alive.sum())
        return None

    def _one(self, places: list[int], fate: Counter[str]) -> Answer | None:
        """Settle one configuration and note its fate; an answer only if it is a witness."""
        parts = tuple(self.kinds[place] for place in places)
        if self.only_linear:
            answer = linear.settle(merged(parts), self.linear, self.budget, _NODES_EACH)
            if answer and answer.witness:
                return known.in_order(answer, parts, self.reported)
            if answer:
                fate["search"] += 1
            elif not self._refuted_by_direction(parts, fate):
                fate["undecided"] += 1
            return None
        if self.by_class:
            found = self._class_by_class(self.by_class, places, parts)
            if found.witness:
                return known.in_order(consistent(*found.witness), parts, self.reported)
            if found.settled or not self.budget.left("sums"):
                fate["search" if found.settled else "undecided"] += 1
                return None
        if self._refuted_by_direction(parts, fate):
            return None
        linear_part = linear.settle(merged(parts), self.linear, self.budget, _FEW_NODES) if self.linear else None
        if linear_part and not linear_part.witness:
            fate["search"] += 1
            return None
        return self._by_tables(parts, fate)

    def _class_by_class(self, classes: Classes, places: list[int], parts: Parts) -> Outcome:
        """Search one configuration class by class, on a share of the budget."""
        share = self.budget.share(20)
        found = classes.search(
            [self.filled[place] for place in places], lambda witness: holds(parts, self.reported, witness), share
        )
        self.budget.charge(share)
        return found

    def _refuted_by_direction(self, parts: Parts, fate: Counter[str]) -> bool:
        """Ask a linear programme for a direction; one that refutes this configuration joins the pool.

        Failing that, axes and random directions on shrinking tables may still refute it.
        """
        search = self._search(parts) if self.tables else None
        if search is None:
            fate["search"] += bool(self.tables)
            return bool(self.tables)
        if self.budget.spend("programmes"):
            direction = search.dual_direction()
            if not search.prune(direction):
                self._learn(search, direction)
                fate["directions"] += 1
                return True
        refuted = screen(search, Budget(programmes=0)) is not None
        fate["directions"] += refuted
        return refuted

    def _by_tables(self, parts: Parts, fate: Counter[str]) -> Answer | None:
        """The full search for one configuration, on a share of the budget."""
        search = None if self.corners or not self.tables else self._search(parts)
        if search is None:
            fate["undecided"] += 1
            return None
        share = self.budget.share(20)
        answer = known.by_tables(merged(parts), self.measures, search.tables, share)
        self.budget.charge(share)
        if answer.witness:
            return known.in_order(answer, parts, self.reported)
        fate["search" if answer.verdict is Verdict.INCONSISTENT else "undecided"] += 1
        return None

    def _none_left(self, fate: Counter[str]) -> Answer:
        names = tuple(one.name for one in self.reported)
        told = {
            "totals": "because no whole numbers of true positives and true negatives fit",
            "directions": "because a combination of the scores stays out of reach",
            "search": "by exhaustive search",
        }
        ways = "; ".join(f"{fate[key]:,} {words}" for key, words in told.items() if fate[key])
        models = " and ".join(f"{model.p} + {model.n} items: {model.description}" for model in self.models)
        reason = (
            f"{models}. None of the {self.count:,} ways to form the folds gives {wording.join(names)}: {ways} fail."
        )
        return inconsistent(reason.replace(" fail.", "."), {"configurations": self.count, **fate}, names)

    def _search(self, parts: Parts) -> Search | None:
        """The search for one configuration, None when one of its folds has no possible matrix."""
        kinds = merged(parts)
        singles = [Part(part.p, part.n, 1, part.weight, part.group) for part in kinds]
        if any(not len(self.tables[part].vectors) for part in singles):
            return None
        return known.prepared(kinds, self.measures, [self.tables[part] for part in singles])

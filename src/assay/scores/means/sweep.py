"""Configurations of folds one by one, as far as bulk screening leaves any.

Whole blocks of configurations are ruled out by class totals and by a pool of directions. A linear
programme that refutes a survivor gives a direction that joins the pool and mostly refutes its
neighbours too; what is left is searched exhaustively, on a share of the budget each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from assay.findings import Verdict
from assay.scores.answers import Answer, consistent, undecided
from assay.scores.folds import FoldModel
from assay.scores.means import known, linear, sentences
from assay.scores.means.classes import Classes, applies
from assay.scores.means.kinds import kind_of
from assay.scores.means.patterns import Table
from assay.scores.means.problem import Budget, Part, Reported, merged
from assay.scores.means.screens import Pool, possible_totals
from assay.scores.means.search import Search, refuted, screen
from assay.scores.means.sums import Outcome
from assay.scores.means.system import is_linear
from assay.scores.means.verify import holds
from assay.scores.means.windows import FAR, Measure

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]

FARTHEST_DOWN = -FAR // 1000
"""What stands for the maximum over no matrix at all."""
_MOST_UNDECIDED = 8
_NODES_EACH = 20_000
_FEW_NODES = 300
_COST_OF_ONE = 3_000
_COST_OF_SCREENING = 16_000
"""What a look at one configuration costs, searches aside, in the time of so many sums."""
_SHARE = 20
"""One configuration may spend this part of the budget on each search."""
Parts = tuple[Part, ...]


class Sweep:
    """A question about many configurations, each a line of places in the list of `kinds`.

    `tables` holds what may be possible on each kind of fold; it is empty where that could not be tabulated.
    """

    def __init__(
        self,
        reported: Sequence[Reported],
        kinds: Sequence[Part],
        budget: Budget,
        *,
        measures: Sequence[Measure],
        tables: Mapping[Part, Table],
        corners: bool,
    ) -> None:
        self.reported, self.kinds, self.budget = reported, kinds, budget
        self.measures, self.tables, self.corners = measures, tables, corners
        self.linear = [one.mean_alone for one in reported if is_linear(one)]
        self.only_linear = len(self.linear) == len(reported) and all(one.only_mean for one in reported)
        self.windows = [window for measure in measures for window in measure.windows]
        self.pool = Pool(kinds)
        self.fate: Counter[str] = Counter()
        filled = np.array([not tables or len(tables[part]) > 0 for part in kinds])
        self.filled = np.where(filled, np.cumsum(filled) - 1, -1)
        """For each kind its place among those that have any possible matrix, -1 for the others."""

    def learn(self, directions: Integers) -> None:
        """Put directions into the pool."""
        if not self.tables:
            return
        maxima = {part: self._most(part, directions) for part in self.kinds}
        for column, need in enumerate(Search([], [], self.windows).need(directions)):
            self.pool.add({part: most[column] for part, most in maxima.items()}, max(need, -FAR))

    def _most(self, part: Part, directions: Integers) -> list[int]:
        """The maximum of each direction on one kind of fold; far down where the fold has no possible matrix."""
        vectors = self.tables[part].vectors
        if not len(vectors):
            return [FARTHEST_DOWN] * directions.shape[1]
        return [int(x) for x in (vectors @ directions).max(axis=0)]

    def run(self, configurations: Iterator[tuple[int, ...]], models: Sequence[FoldModel], ruled_out: int) -> Answer:
        """Screen every configuration and search the survivors; so many more were ruled out before."""
        self.fate["directions"] += ruled_out
        by_class = self._classes(sum(model.k * model.repeats for model in models))
        size = 64
        while self.fate["undecided"] <= _MOST_UNDECIDED and (batch := list(islice(configurations, size))):
            self.budget.spend("configurations", len(batch))
            witness = self._batch(np.array(batch), by_class, one_dataset=len(models) == 1)
            if witness:
                return witness
            size = min(size * 4, 20_000)
        if self.fate["undecided"]:
            done = sum(self.fate.values()) - self.fate["undecided"]
            return undecided(f"{done:,} ways to form the folds are ruled out, others are open after {self.budget}.")
        return sentences.no_configuration(models, self.reported, self.fate)

    def _classes(self, parts: int) -> Classes | None:
        """A search class by class whose sums serve all configurations, where the scores allow it."""
        filled = [self.tables[part] for part in self.kinds if len(self.tables[part])] if self.tables else []
        if (
            self.corners
            or not filled
            or not applies(self.windows, parts, Search(filled, [1] * len(filled), self.windows).sizes())
        ):
            return None
        return Classes([kind_of(table, self.windows) for table in filled], parts, self.windows)

    def _batch(self, places: Integers, by_class: Classes | None, *, one_dataset: bool) -> Answer | None:
        """Settle some configurations; a witness ends the matter."""
        fate = self.fate
        if one_dataset:
            folds = np.array([(part.p, part.n) for part in self.kinds])[places]
            fitting = possible_totals(folds, self.linear)
            fate["totals"] += len(places) - int(fitting.sum())
            places = places[fitting]
        possible = (self.filled >= 0)[places].all(axis=1)  # a fold without any possible matrix rules it out
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
            answer = self._one(sorted(chosen.tolist()), by_class)
            if answer:
                return answer
            alive[row] = False
            if len(self.pool) > directions_before:
                rest = np.nonzero(alive)[0]
                alive[rest] = self.pool.possible(places[rest], since=directions_before)
                fate["directions"] += len(rest) - int(alive.sum())
        return None

    def _one(self, places: list[int], by_class: Classes | None) -> Answer | None:
        """Settle one configuration and note its fate; an answer only if it is a witness."""
        parts = tuple(self.kinds[place] for place in places)
        if self.only_linear:
            return self._linear(parts)
        if by_class and self.budget.spend("sums", _COST_OF_ONE):
            found = self._class_by_class(by_class, places, parts)
            if found.witness:
                return known.in_order(consistent(*found.witness), parts, self.reported)
            if found.settled:
                self.fate["search"] += 1
                return None
        if not self.budget.spend("sums", _COST_OF_SCREENING):
            self.fate["undecided"] += _MOST_UNDECIDED + 1  # there is no use in going on
            return None
        if self._refuted_by_direction(parts) or self._refuted_by_totals(parts):
            return None
        return self._by_tables(parts)

    def _refuted_by_totals(self, parts: Parts) -> bool:
        """Whether a short search finds no totals that give the scores whose means are linear in them."""
        answer = linear.settle(merged(parts), self.linear, self.budget, _FEW_NODES) if self.linear else None
        if answer is None or answer.witness:
            return False
        self.fate["search"] += 1
        return True

    def _linear(self, parts: Parts) -> Answer | None:
        answer = linear.settle(merged(parts), self.linear, self.budget, _NODES_EACH)
        if answer and answer.witness:
            return known.in_order(answer, parts, self.reported)
        if answer:
            self.fate["search"] += 1
        elif not self._refuted_by_direction(parts):
            self.fate["undecided"] += 1
        return None

    def _class_by_class(self, classes: Classes, places: list[int], parts: Parts) -> Outcome:
        """Search one configuration class by class, on a share of the budget."""
        share = self.budget.share(_SHARE)
        found = classes.search(
            [self.filled[place] for place in places], lambda witness: holds(parts, self.reported, witness), share
        )
        self.budget.charge(share)
        return found

    def _refuted_by_direction(self, parts: Parts) -> bool:
        """Ask a linear programme for a direction; one that refutes this configuration joins the pool.

        Failing that, axes and random directions on shrinking tables may still refute it, if the tables are whole: of
        corners alone none may be taken away, for what lies between them would go with it.
        """
        if not self.tables:
            return False
        search = self._search(parts)
        if self.budget.spend("programmes"):
            direction = search.dual_direction()
            if not search.prune(direction):
                self.learn(direction)
                self.fate["directions"] += 1
                return True
        if self.corners:
            return False
        screened = screen(search, Budget(programmes=0)) is not None
        self.fate["directions"] += screened
        return screened

    def _by_tables(self, parts: Parts) -> Answer | None:
        """The full search for one configuration, on a share of the budget."""
        if self.corners or not self.tables:
            self.fate["undecided"] += 1
            return None
        share = self.budget.share(_SHARE)
        search = self._search(parts)
        answer = refuted(search, share) or known.exhausted(merged(parts), self.reported, search, share)
        self.budget.charge(share)
        if answer.witness:
            return known.in_order(answer, parts, self.reported)
        self.fate["search" if answer.verdict is Verdict.INCONSISTENT else "undecided"] += 1
        return None

    def _search(self, parts: Parts) -> Search:
        """The search for one configuration, each of whose folds has a possible matrix."""
        kinds = merged(parts)
        singles = [Part(part.p, part.n, 1, part.weight, part.group) for part in kinds]
        return known.prepare(kinds, self.measures, [self.tables[part] for part in singles])

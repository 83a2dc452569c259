"""Accuracy, sensitivity and specificity over many configurations of small folds, decided class by class.

Once the folds are fixed, sensitivity depends on the positives alone, specificity on the negatives alone, and accuracy
adds the two. So the solutions of each class are listed for a whole block of configurations at once, as errors (or
hits, if these are fewer) in each fold, and a configuration is possible if one of each add up to the accuracy.

The sums are floating-point numbers with a margin far above their error: what is listed is never too little, and a
witness counts only after an exact check.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from assay.records import dataclass
from assay.scores.answers import Answer, consistent, inconsistent
from assay.scores.definitions import Matrix
from assay.scores.folds import Configuration, FoldModel
from assay.scores.means import known, linear, sentences
from assay.scores.means.problem import Budget, Part, Reported, merged
from assay.scores.means.screens import possible_totals, sum_ranges
from assay.scores.means.verify import holds

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]
    Floats = NDArray[np.float64]

_MARGIN = 1e-7
"""Far above the error of a sum of a few hundred shares, far below a step of any printed mean."""
_LARGEST_FOLD = 100_000
_MOST_ROWS = 400_000
"""Partial solutions of one class that are kept for a block of configurations."""
_MOST_KEYS = 2**62
_MOST_CONFIGURATIONS = 20_000
_FIRST_BLOCK, _LARGEST_BLOCK = 32, 1_024
_NODES_EACH = 20_000
_MOST_CHECKED = 40
"""Candidates of one configuration that are checked exactly."""


class Listing:
    """The configurations of a model, listed as far as they were asked for."""

    def __init__(self, model: FoldModel) -> None:
        self._rest = model.configurations()
        self._listed: list[Configuration] = []
        self._lock = Lock()

    def block(self, start: int, size: int) -> Integers:
        """So many configurations from a place on: p and n of each fold."""
        with self._lock:
            self._listed += islice(self._rest, max(0, start + size - len(self._listed)))
        return np.array(self._listed[start : start + size], dtype=np.int64)


listing = lru_cache(maxsize=4)(Listing)
"""The same model is asked about under several conventions."""


def decide(model: FoldModel, reported: Sequence[Reported], budget: Budget, passed: int = 0) -> Answer | None:
    """Whether some configuration from the place `passed` on gives the means; None where that is beyond a listing."""
    sides = Sides.for_scores(reported, budget)
    if sides is None or model.beyond_listing or model.count > _MOST_CONFIGURATIONS:
        return None
    listed, start, size = listing(model), passed, _FIRST_BLOCK
    fate = Counter({"search": passed})
    while len(folds := listed.block(start, size)):
        if not budget.spend("configurations", len(folds)):
            return None
        fitting = np.nonzero(possible_totals(folds, reported))[0]
        fate["totals"] += len(folds) - len(fitting)
        fate["search"] += len(fitting)
        place, answer = sides.first_answer(folds[fitting])
        if answer is None:
            return None
        if answer.witness:
            return replace(answer, passed=start + int(fitting[place]))
        start, size = start + len(folds), min(4 * size, _LARGEST_BLOCK)
    return sentences.no_configuration([model], reported, fate)


@dataclass(frozen=True, slots=True)
class Solutions:
    """What one class may look like: the configuration of each row, its hits in each fold, their weight in accuracy."""

    owner: Integers
    hits: Integers
    weight: Integers


class Sides:
    """A question about the means of sensitivity and specificity, with or without that of accuracy."""

    def __init__(self, reported: Mapping[str, Reported], budget: Budget) -> None:
        self.reported, self.budget = reported, budget

    @staticmethod
    def for_scores(reported: Sequence[Reported], budget: Budget) -> Sides | None:
        """The question, if it is one of these scores with both ends of each mean."""
        by_name = {one.score.name: one for one in reported}
        both_ends = all(one.only_mean and None not in (one.mean.lo, one.mean.hi) for one in reported)
        fits = len(by_name) == len(reported) and {"sens", "spec"} <= set(by_name) <= {"acc", "sens", "spec"}
        return Sides(by_name, budget) if fits and both_ends else None

    def first_answer(self, folds: Integers) -> tuple[int, Answer | None]:
        """The first configuration with a witness; place -1 where none has one, and no answer where that stays open."""
        found = self._not_ruled_out(folds)
        if found is None:
            return -1, None
        reported = list(self.reported.values())
        for place, listed in found.items():
            parts = tuple(Part(p, n) for p, n in folds[place].tolist())
            answer = listed or linear.settle(merged(parts), reported, self.budget, _NODES_EACH)
            if answer is None or answer.witness:
                return place, answer and known.in_order(answer, parts, reported)
        return -1, inconsistent("none of these configurations")

    def _not_ruled_out(self, folds: Integers) -> dict[int, Answer | None] | None:
        """Go through configurations (p and n of each fold) in turn, up to the first with a witness.

        Each that is not ruled out by its place, with its witness if there is one; None if there is too much to list.
        """
        if not len(folds):
            return {}
        sizes = folds.sum(axis=2)
        scale = math.lcm(*np.unique(sizes).tolist())
        largest = 2 * folds.shape[1] * scale + 1
        if sizes.max() > _LARGEST_FOLD or largest * len(folds) > _MOST_KEYS:
            return None
        positives = self._class(folds[:, :, 0], scale // sizes, self.reported["sens"])
        negatives = self._class(folds[:, :, 1], scale // sizes, self.reported["spec"]) if positives else None
        if positives is None or negatives is None:
            return None
        return self._joined(folds, positives, negatives, scale)

    def _class(self, members: Integers, weights: Integers, one: Reported) -> Solutions | None:
        """Every way to hit the members of a class that gives the mean, with some convention for folds without any."""
        absent = (members == 0).sum(axis=1)
        found = []
        for missing in np.unique(absent):
            rows = np.nonzero(absent == missing)[0]
            for least, most in sum_ranges(one, members.shape[1], int(missing)):
                listed = self._hits(members[rows], least, most)
                if listed is None:
                    return None
                owner, hits = listed
                found.append((rows[owner], hits))
        owner = np.concatenate([rows for rows, _ in found])
        hits = np.concatenate([hits for _, hits in found])
        return Solutions(owner, hits, (hits * weights[owner]).sum(axis=1))

    def _hits(self, members: Integers, least: Fraction, most: Fraction) -> tuple[Integers, Integers] | None:
        """Hits in each fold whose shares add up to something between the ends: by errors where these are fewer."""
        present = members.shape[1] - int((members[0] == 0).sum())
        by_errors = least + most > present
        ends = (present - most, present - least) if by_errors else (least, most)
        found = self._compositions(members, float(ends[0]), float(ends[1]))
        if found is None:
            return None
        owner, counts = found
        return owner, members[owner] - counts if by_errors else counts

    def _compositions(self, members: Integers, least: float, most: float) -> tuple[Integers, Integers] | None:
        """Whole numbers up to the members of each fold whose shares of them add up to something between the ends."""
        order = np.argsort(members, axis=1, kind="stable")
        rising = np.take_along_axis(members, order, axis=1)
        owner = np.arange(len(members))
        counts = np.zeros((len(members), 0), dtype=np.int64)
        total = np.zeros(len(members))
        for fold in range(members.shape[1]):
            size = rising[owner, fold]
            later = (rising[owner, fold + 1 :] > 0).sum(axis=1)
            first = np.maximum(0, np.ceil((least - total - later) * size - _MARGIN)).astype(np.int64)
            last = np.minimum(size, np.floor((most - total) * size + _MARGIN)).astype(np.int64)
            ways = np.maximum(0, last - first + 1)
            rows = int(ways.sum())
            if rows > _MOST_ROWS or not self.budget.spend("sums", rows):
                return None
            before = np.repeat(np.arange(len(owner)), ways)
            chosen = np.arange(rows) - np.repeat(np.cumsum(ways) - ways, ways) + first[before]
            total = total[before] + chosen / np.maximum(size[before], 1)
            owner, counts = owner[before], np.column_stack((counts[before], chosen))
        inside = (total >= least - _MARGIN) & (total <= most + _MARGIN)  # a class without members leaves no choice
        in_order = np.zeros_like(counts)
        np.put_along_axis(in_order, order[owner], counts, axis=1)
        return owner[inside], in_order[inside]

    def _joined(
        self, folds: Integers, positives: Solutions, negatives: Solutions, scale: int
    ) -> dict[int, Answer | None]:
        """One solution of each class for the same configuration that add up to the accuracy."""
        largest = 2 * folds.shape[1] * scale + 1
        low, high = self._accuracy(folds.shape[1] * scale)
        keys = negatives.owner * largest + negatives.weight
        order = np.argsort(keys, kind="stable")
        start = positives.owner * largest
        first = np.searchsorted(keys[order], start + np.maximum(0, low - positives.weight))
        after = np.searchsorted(keys[order], start + np.maximum(-1, high - positives.weight), side="right")
        found: dict[int, Answer | None] = {}
        for place in np.unique(positives.owner[after > first]).tolist():
            rows = np.nonzero((positives.owner == place) & (after > first))[0]
            pairs = ((positives.hits[r], negatives.hits[order[key]]) for r in rows for key in range(first[r], after[r]))
            found[place] = self._checked(folds[place], islice(pairs, _MOST_CHECKED))
            if found[place]:
                break
        return found

    def _checked(self, folds: Integers, pairs: Iterable[tuple[Integers, Integers]]) -> Answer | None:
        """The first pair of solutions that holds exactly."""
        parts = [Part(p, n) for p, n in folds.tolist()]
        for tps, tns in pairs:
            hits = zip(parts, tps.tolist(), tns.tolist(), strict=True)
            witness = tuple(Matrix(tp, part.p - tp, part.n - tn, tn) for part, tp, tn in hits)
            if holds(parts, list(self.reported.values()), witness):
                return consistent(*witness)
        return None

    def _accuracy(self, whole: int) -> tuple[int, int]:
        """Between which whole numbers the weights of all hits must lie."""
        one = self.reported.get("acc")
        if one is None or one.mean.lo is None or one.mean.hi is None:
            return 0, whole
        return math.ceil(one.mean.lo * whole), math.floor(one.mean.hi * whole)

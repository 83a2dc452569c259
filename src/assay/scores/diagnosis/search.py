"""Which single slip would explain impossible scores: try them all, keep what fits, rank by plausibility.

The ranking is Bayes' rule with three factors, each of which a reader can look up or recount:

* how often slips of that kind are made (`kinds.PRIORS`, a table of judgements);
* shared among all slips of that kind that could have been made here, so that a kind which offers a
  thousand ways out is not believed because one of the thousand fits;
* the chance that an honest result, every confusion matrix being equally likely, would be printed
  as the mended figures: the number of witnesses over the number of matrices. Loose figures and large
  test sets fit nearly everything, and are believed less than a repair that had to be exact.

The products are scaled to add up to one over all repairs found. A repair says what *would* make the
scores possible, never what happened.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from math import isqrt
from typing import TYPE_CHECKING

from assay.errors import InputError
from assay.findings import Verdict
from assay.scores.diagnosis import figures, meanings, methods, sets
from assay.scores.diagnosis.kinds import PRIORS, Change, RepairKind
from assay.scores.diagnosis.misprints import scattered
from assay.scores.experiment import Experiment
from assay.scores.sizes import fitting_sizes

if TYPE_CHECKING:
    from assay.scores.answers import Answer
    from assay.scores.check import Result

CHECKS_OF_ONE_SET = 2000
CHECKS_OF_FOLDS = 150
"""How many changes are checked unless told otherwise: a check of means over folds takes a thousand times longer."""
SHOWN = 8
SHOWN_OF_A_KIND = 3
_LISTED = 10_000
"""No more changes of one kind are written down; the likeliest come first."""
_SIZES_KEPT = 300

_SLIPS: dict[RepairKind, Callable[[Experiment], Iterator[Change]]] = {
    RepairKind.DIGIT: figures.misprinted_digits,
    RepairKind.TRANSPOSED: figures.transposed_digits,
    RepairKind.POINT: figures.moved_points,
    RepairKind.EXCHANGED: figures.exchanged_figures,
    RepairKind.ROUNDING: figures.other_roundings,
    RepairKind.CLASSES: meanings.exchanged_classes,
    RepairKind.NAME: meanings.other_names,
    RepairKind.CLASS_AVERAGE: meanings.averages_over_classes,
    RepairKind.AGGREGATION: methods.other_aggregations,
    RepairKind.FOLDS: methods.other_folds,
    RepairKind.MISCOUNT: sets.miscounted,
    RepairKind.PART: sets.parts_and_multiples,
    RepairKind.OVERSAMPLED: sets.oversampled,
    RepairKind.UNDERSAMPLED: sets.undersampled,
}


@dataclass(frozen=True, slots=True)
class Repair:
    """A change that makes the scores consistent, with the witness in `answer`.

    `fitted` of the `tried` changes of this kind do; `smallest` is the least size among them when the kind
    is about sizes. `plausibility` is the share of this repair among all that were found.
    """

    kind: RepairKind
    what: str
    experiment: Experiment
    answer: Answer
    tried: int
    fitted: int
    plausibility: float
    smallest: tuple[int, int] | None = None

    @property
    def sentence(self) -> str:
        """What would have to be otherwise, and how telling that is."""
        if self.tried == 1:
            return f"It would be consistent if {self.what}."
        extent = f", the smallest with {self.smallest[0]:,} + {self.smallest[1]:,} items" if self.smallest else ""
        telling = f"{self.fitted:,} of {self.tried:,} changes of this kind would do{extent}"
        return f"It would be consistent if {self.what} ({telling})."


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The most plausible repairs, best first, out of `fitted` that fit among `tried` changes.

    `left_out` says what was not tried, so that an empty diagnosis is read for what it is worth.
    """

    repairs: tuple[Repair, ...]
    tried: int
    fitted: int
    left_out: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """How much was tried, and with what success."""
        would = "none would make" if not self.fitted else f"{self.fitted:,} would make"
        return f"Of {self.tried:,} single changes that were tried, {would} these scores consistent."


@dataclass(frozen=True, slots=True)
class _Fit:
    change: Change
    answer: Answer
    odds: float


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What came of the changes of one kind; `complete` when all of them were tried."""

    kind: RepairKind
    tried: int
    fits: tuple[_Fit, ...]
    complete: bool


def diagnose(
    experiment: Experiment,
    check: Callable[[Experiment], Result],
    *,
    budget: int | None = None,
    sizes_up_to: int | None = None,
) -> Diagnosis:
    """Single changes that would make an inconsistent experiment consistent.

    At most `budget` changes are checked. Beyond them, a test set of any size up to `sizes_up_to` items is
    considered where there is only one (by default, as many sizes as the budget).
    """
    one_set = len(experiment.datasets) == 1 and experiment.datasets[0].folding is None
    left = budget if budget is not None else CHECKS_OF_ONE_SET if one_set else CHECKS_OF_FOLDS
    outcomes = []
    if one_set:
        outcomes.append(_another_set(experiment, check, isqrt(2 * left) if sizes_up_to is None else sizes_up_to))
    core = _core(experiment, check)
    families = {kind: list(islice(slips(experiment), _LISTED)) for kind, slips in _SLIPS.items()}
    waiting = sorted((kind for kind in families if families[kind]), key=lambda kind: len(families[kind]))
    for position, kind in enumerate(waiting):
        # What small families do not use of their share goes to the large ones.
        outcome, spent = _try(kind, families[kind], check, core, left // (len(waiting) - position))
        outcomes.append(outcome)
        left -= spent
    return Diagnosis(
        _ranked(outcomes),
        sum(o.tried for o in outcomes),
        sum(len(o.fits) for o in outcomes),
        tuple(f"{o.kind.value}: only {o.tried:,} changes were tried" for o in outcomes if not o.complete),
    )


def _core(experiment: Experiment, check: Callable[[Experiment], Result]) -> frozenset[str]:
    """Scores that conflict already among themselves: a change of figures that touches none of them cannot help."""
    named = frozenset(name for hypothesis in check(experiment).hypotheses for name in hypothesis.answer.conflict)
    among = tuple(reported for reported in experiment.reported if reported.name in named)
    if among and check(replace(experiment, reported=among)).verdict is Verdict.INCONSISTENT:
        return named
    return frozenset(reported.name for reported in experiment.reported)


def _try(
    kind: RepairKind,
    changes: list[Change],
    check: Callable[[Experiment], Result],
    core: frozenset[str],
    quota: int,
) -> tuple[_Outcome, int]:
    """Check the changes of one kind: all, or the weightiest and an even choice of the others."""
    hopeful = [change for change in changes if change.touched is None or change.touched & core]
    chosen = hopeful
    if len(hopeful) > quota:
        order = sorted(range(len(hopeful)), key=lambda i: (-hopeful[i].weight, scattered(i)))
        chosen = [hopeful[i] for i in sorted(order[:quota])]
    total = sum(change.weight for change in changes)
    fits = [fit for change in chosen if (fit := _fit(change, check, change.weight / total))]
    skipped = len(hopeful) - len(chosen)
    complete = not skipped and len(changes) < _LISTED
    return _Outcome(kind, len(changes) - skipped, tuple(fits), complete), len(chosen)


def _another_set(experiment: Experiment, check: Callable[[Experiment], Result], limit: int) -> _Outcome:
    """Test sets of whatever size, the smallest first."""
    constraints = [reported.constraint(experiment.undefined) for reported in experiment.reported]
    sizes = [(p, n) for p, n, _ in islice(fitting_sizes(constraints, limit), _SIZES_KEPT)]
    complete = len(sizes) < _SIZES_KEPT
    tried = _sizes_before(limit + 1, 0) if complete else _sizes_before(sum(sizes[-1]), sizes[-1][0] + 1)
    found = (fit for size in sizes if (fit := _fit(sets.another(experiment, size), check, 1 / tried)))
    return _Outcome(RepairKind.ANOTHER_SET, tried, tuple(found), complete)


def _sizes_before(total: int, p: int) -> int:
    """How many (p, n) come before this total and p, counted from p + n = 1 on."""
    return total * (total + 1) // 2 - 1 + p


def _fit(change: Change, check: Callable[[Experiment], Result], share: float) -> _Fit | None:
    """The change with its odds if it makes the scores consistent; `share` is its share in its kind."""
    try:
        result = check(change.experiment)
    except InputError:
        return None  # a spread without parts, say: not an experiment
    if result.verdict is not Verdict.CONSISTENT:
        return None
    answer = result.decisive.answer
    p, n = (sum(getattr(d.whole, count) for d in change.experiment.datasets) for count in "pn")
    witnessed = (answer.count or 1) / ((p + 1) * (n + 1))  # an unknown number of witnesses counts as one
    return _Fit(change, answer, PRIORS[change.kind].share * share * witnessed)


def _ranked(outcomes: list[_Outcome]) -> tuple[Repair, ...]:
    """The best repairs, not too many of a kind; what comes to the same is one repair under its likeliest name."""
    same: dict[object, list[tuple[_Outcome, _Fit]]] = {}
    for outcome in outcomes:
        for fit in outcome.fits:
            same.setdefault(_identity(fit.change.experiment), []).append((outcome, fit))
    total = sum(fit.odds for outcome in outcomes for fit in outcome.fits)
    merged = []
    for found in same.values():
        outcome, fit = max(found, key=lambda pair: pair[1].odds)
        merged.append(_repair(outcome, fit, sum(f.odds for _, f in found) / total))
    shown: Counter[RepairKind] = Counter()
    best = []
    for repair in sorted(merged, key=lambda repair: -repair.plausibility):
        if shown[repair.kind] < SHOWN_OF_A_KIND:
            shown[repair.kind] += 1
            best.append(repair)
    return tuple(best[:SHOWN])


def _repair(outcome: _Outcome, fit: _Fit, plausibility: float) -> Repair:
    sizes = [d.whole for f in outcome.fits for d in f.change.experiment.datasets[:1]]
    smallest = min(((s.p, s.n) for s in sizes), key=sum) if outcome.kind in sets.RESIZING and len(sizes) > 1 else None
    change = fit.change
    return Repair(
        outcome.kind,
        change.what,
        change.experiment,
        fit.answer,
        outcome.tried,
        len(outcome.fits),
        plausibility,
        smallest,
    )


def _identity(experiment: Experiment) -> object:
    """What a check sees: equal for repairs that differ in their words only."""
    scores = tuple((r.score.name, r.interval, r.sd, r.minimum, r.maximum) for r in experiment.reported)
    return experiment.datasets, experiment.aggregation, scores

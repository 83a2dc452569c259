"""The search for repairs: every single change is checked, as far as the budget goes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from math import isqrt
from typing import TYPE_CHECKING

from assay.errors import InputError
from assay.findings import Verdict
from assay.scores.diagnosis import figures, meanings, methods, sets
from assay.scores.diagnosis.kinds import Change, RepairKind
from assay.scores.diagnosis.misprints import scattered
from assay.scores.diagnosis.order import Diagnosis, Fit, Outcome, ranked
from assay.scores.experiment import Aggregation, Dataset, Experiment, FoldModel
from assay.scores.sizes import fitting_sizes

if TYPE_CHECKING:
    from assay.scores.check import Result

CHECKS_OF_ONE_SET = 2000
CHECKS_OF_LINEAR_MEANS = 1000
CHECKS_OF_MEANS = 150
"""How many changes are checked by default: a few seconds' worth, for means of F1 and its like a minute's."""
_LINEAR = frozenset({"acc", "sens", "spec", "bacc", "bm"})
_LISTED = 10_000
"""No more changes of one kind are written down; the likeliest come first."""
_SIZES_KEPT = 300
_POOLED_FIRST = 1000
_OPEN_MODELS = frozenset({FoldModel.ANY_STRATIFIED, FoldModel.BOTH_CLASSES, FoldModel.ANY, FoldModel.UNKNOWN})
"""Fold models that leave more than one configuration open, the stratified one among them."""

Check = Callable[[Experiment], "Result"]
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
_BESIDE_ROUNDING = (RepairKind.CLASS_AVERAGE, RepairKind.CLASSES, RepairKind.AGGREGATION, RepairKind.NAME)
"""Slips that another rounding may hide: they change what all figures mean, not a single digit."""
_CHECKS_OF_PAIRS = 100
_OF_FIGURES = frozenset(
    {
        RepairKind.DIGIT,
        RepairKind.TRANSPOSED,
        RepairKind.POINT,
        RepairKind.EXCHANGED,
        RepairKind.ROUNDING,
        RepairKind.NAME,
        RepairKind.CLASS_AVERAGE,
    }
)
"""Kinds that leave the test set as it is described."""


def diagnose(
    experiment: Experiment,
    check: Check,
    *,
    budget: int | None = None,
    sizes_up_to: int | None = None,
) -> Diagnosis:
    """Single changes that would make an inconsistent experiment consistent.

    At most `budget` changes are checked as described. Beyond them, a test set of any size up to `sizes_up_to` items is
    considered where there is only one (by default, as many sizes as the budget).
    """
    left = _usual_budget(experiment) if budget is None else budget
    outcomes = []
    if experiment.one_test_set and not experiment.alternatives:
        outcomes.append(_another_set(experiment, check, isqrt(2 * left) if sizes_up_to is None else sizes_up_to))
    quick = _with_stratified_folds(experiment, check)
    core = _core(experiment, check)
    tried, left = _try_families(_families(experiment), quick, core, left)
    outcomes += tried
    if not any(outcome.fits for outcome in outcomes):
        spare = left if budget is not None else max(left, _CHECKS_OF_PAIRS)
        outcomes += _try_pairs(experiment, quick, core, spare)
    left_out = {
        "changes of the test set were not tried, as several may be meant": bool(experiment.alternatives),
        "changes were tried with stratified folds only": quick is not check,
    }
    return _summary(outcomes, [words for words, applies in left_out.items() if applies])


def _families(experiment: Experiment) -> list[tuple[RepairKind, list[Change]]]:
    """The changes of each kind that can be tried."""
    kinds = [kind for kind in _SLIPS if kind in _OF_FIGURES or not experiment.alternatives]
    families = [(kind, list(islice(_SLIPS[kind](experiment), _LISTED))) for kind in kinds]
    return [(kind, changes) for kind, changes in families if changes]


def _try_families(
    families: Sequence[tuple[RepairKind, list[Change]]], check: Check, core: frozenset[str], left: int
) -> tuple[list[Outcome], int]:
    """The changes of each kind, the small families first, and the checks that are left."""
    outcomes = []
    for position, (kind, changes) in enumerate(sorted(families, key=lambda family: len(family[1]))):
        # What small families do not use of their share goes to the large ones.
        outcome, spent = _try(kind, changes, check, core, left // (len(families) - position))
        outcomes.append(outcome)
        left -= spent
    return outcomes, left


def _try_pairs(experiment: Experiment, check: Check, core: frozenset[str], spare: int) -> list[Outcome]:
    """Two slips at once."""
    pairs = list(islice(_pairs(experiment), _LISTED)) if spare else []
    return [_try(RepairKind.PAIR, pairs, check, core, spare)[0]] if pairs else []


def _summary(outcomes: Sequence[Outcome], left_out: Sequence[str]) -> Diagnosis:
    cut_short = [f"{o.kind.value}: only {o.tried:,} changes were tried" for o in outcomes if not o.complete]
    tried, fitted = sum(o.tried for o in outcomes), sum(len(o.fits) for o in outcomes)
    in_pairs = any(o.kind is RepairKind.PAIR for o in outcomes)
    return Diagnosis(ranked(outcomes), tried, fitted, (*cut_short, *left_out), in_pairs)


def _pairs(experiment: Experiment) -> Iterator[Change]:
    """Figures that were rounded in another way, and mean something else as well."""
    kinds = [kind for kind in _BESIDE_ROUNDING if kind in _OF_FIGURES or not experiment.alternatives]
    for first in figures.other_roundings(experiment):
        for kind in kinds:
            for second in _SLIPS[kind](first.experiment):
                what = f"{first.what}, and {second.what}"
                yield Change(RepairKind.PAIR, what, second.experiment, weight=first.weight * second.weight)


def _usual_budget(experiment: Experiment) -> int:
    if experiment.one_test_set:
        return CHECKS_OF_ONE_SET
    linear = all(r.score.name in _LINEAR and not r.sd for r in experiment.reported)
    return CHECKS_OF_LINEAR_MEANS if linear else CHECKS_OF_MEANS


def _with_stratified_folds(experiment: Experiment, check: Check) -> Check:
    """The check narrowed to stratified folds where the report leaves them open.

    Excluding every configuration of unknown folds takes minutes when repeated for each change. To show that
    a change helps, one configuration suffices, and stratified folds are among all those left open.
    """
    models = {
        dataset.folding.model for dataset in experiment.datasets if dataset.folding and not dataset.folding.listed
    }
    if not models & _OPEN_MODELS:
        return check

    def narrowed(dataset: Dataset) -> Dataset:
        folding = dataset.folding
        if folding is None or folding.listed or folding.model not in models & _OPEN_MODELS:
            return dataset
        return replace(dataset, folding=replace(folding, model=FoldModel.STRATIFIED))

    def quick(changed: Experiment) -> Result:
        return check(replace(changed, datasets=tuple(narrowed(dataset) for dataset in changed.datasets)))

    return quick


def _core(experiment: Experiment, check: Check) -> frozenset[str]:
    """Scores that conflict already among themselves: a change of figures that touches none of them cannot help."""
    named = frozenset(name for hypothesis in check(experiment).hypotheses for name in hypothesis.answer.conflict)
    among = tuple(reported for reported in experiment.reported if reported.name in named)
    if among and check(replace(experiment, reported=among)).verdict is Verdict.INCONSISTENT:
        return named
    return frozenset(reported.name for reported in experiment.reported)


def _try(
    kind: RepairKind,
    changes: list[Change],
    check: Check,
    core: frozenset[str],
    quota: int,
) -> tuple[Outcome, int]:
    """Check the changes of one kind, all or as many as the quota allows."""
    hopeful = [change for change in changes if change.touched is None or change.touched & core]
    chosen = hopeful if len(hopeful) <= quota else _chosen(hopeful, check, quota)
    total = sum(change.weight for change in changes)
    fits = [fit for change in chosen if (fit := _fit(change, check, change.weight / total))]
    skipped = len(hopeful) - len(chosen)
    complete = not skipped and len(changes) < _LISTED
    return Outcome(kind, len(changes) - skipped, tuple(fits), complete), len(chosen)


def _chosen(changes: list[Change], check: Check, quota: int) -> list[Change]:
    """The weightiest changes and an even choice of the others.

    A mean over folds of equal size is close to the score of the pooled counts. So where there are folds,
    changes that fit without them, which is quickly seen, come first.
    """
    folded = any(dataset.folding for dataset in changes[0].experiment.datasets)
    first = {i for i, change in enumerate(changes[:_POOLED_FIRST]) if folded and _fits_pooled(change.experiment, check)}
    order = sorted(range(len(changes)), key=lambda i: (i not in first, -changes[i].weight, scattered(i)))
    return [changes[i] for i in sorted(order[:quota])]


def _fits_pooled(experiment: Experiment, check: Check) -> bool:
    datasets = tuple(replace(dataset, folding=None) for dataset in experiment.datasets)
    scores = tuple(replace(r, sd=None, minimum=None, maximum=None, median=None) for r in experiment.reported)
    pooled = replace(experiment, datasets=datasets, reported=scores, aggregation=Aggregation.POOLED)
    return check(pooled).verdict is Verdict.CONSISTENT


def _another_set(experiment: Experiment, check: Check, limit: int) -> Outcome:
    """Test sets of any size, the smallest first."""
    constraints = [reported.constraint(experiment.undefined) for reported in experiment.reported]
    sizes = [(p, n) for p, n, _ in islice(fitting_sizes(constraints, limit), _SIZES_KEPT)]
    complete = len(sizes) < _SIZES_KEPT
    tried = _sizes_before(limit + 1, 0) if complete else _sizes_before(sum(sizes[-1]), sizes[-1][0] + 1)
    found = (fit for size in sizes if (fit := _fit(sets.another(experiment, size), check, 1 / tried)))
    return Outcome(RepairKind.ANOTHER_SET, tried, tuple(found), complete)


def _sizes_before(total: int, p: int) -> int:
    """How many (p, n) come before this total and p, counted from p + n = 1 on."""
    return total * (total + 1) // 2 - 1 + p


def _fit(change: Change, check: Check, share: float) -> Fit | None:
    """The change with its witness if it makes the scores consistent; `share` is its share in its kind."""
    try:
        result = check(change.experiment)
    except InputError:
        return None  # a spread without parts, say: not an experiment
    return Fit(change, result.decisive.answer, share) if result.verdict is Verdict.CONSISTENT else None

"""Experiments summed up in another way than described: averaging, pooling, other folds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from assay.scores.diagnosis.kinds import Change, RepairKind
from assay.scores.experiment import Aggregation, Dataset, Experiment, Folding, FoldModel

_USUAL_FOLDS = (10, 5, 3, 2, 4)
_BROUGHT_TOGETHER = {
    Aggregation.POOLED: "pooled (counts summed, then scored)",
    Aggregation.MEAN: "averaged (each scored, then the mean taken)",
    Aggregation.WEIGHTED: "averaged with their sizes as weights",
}
_CUT = {
    FoldModel.STRATIFIED: "stratified",
    FoldModel.STRATIFIED_BEFORE_0_22: "stratified as scikit-learn did before version 0.22",
    FoldModel.ANY_STRATIFIED: "stratified in some other way",
    FoldModel.BOTH_CLASSES: "cut so that each has both classes, not stratified",
    FoldModel.ANY: "cut without regard to the classes",
}


def other_aggregations(experiment: Experiment) -> Iterator[Change]:
    """The figures of folds or of test sets were brought together in another way than the paper says."""
    inner, outer = _aggregations(experiment)
    if Aggregation.UNKNOWN in inner | outer:
        return
    ways = [tuple(_BROUGHT_TOGETHER) if each else (None,) for each in (inner, outer)]
    for within, across in product(*ways):
        if ({within} - {None}, {across} - {None}) != (inner, outer):
            yield _brought_together(experiment, within, across)


def _aggregations(experiment: Experiment) -> tuple[set[Aggregation], set[Aggregation]]:
    """How the figures of folds, and those of test sets, were brought together as described."""
    inner = {d.aggregation for d in experiment.datasets if d.folding is not None}
    outer = {experiment.aggregation} if len(experiment.datasets) > 1 else set()
    if inner | outer == {Aggregation.UNKNOWN}:  # pooling and the plain mean have been tried
        return (inner and {Aggregation.MEAN}), (outer and {Aggregation.MEAN})
    return inner, outer


def _brought_together(experiment: Experiment, within: Aggregation | None, across: Aggregation | None) -> Change:
    datasets = tuple(replace(d, aggregation=within or d.aggregation) for d in experiment.datasets)
    repaired = replace(experiment, datasets=datasets, aggregation=across or experiment.aggregation)
    parts = ("the folds", within), ("the test sets", across)
    said = [f"{what} were {_BROUGHT_TOGETHER[way]}" for what, way in parts if way]
    return Change(RepairKind.AGGREGATION, " and ".join(said), repaired)


def other_folds(experiment: Experiment) -> Iterator[Change]:
    """The data were cut into folds in another way, or into another number of them, or not at all."""
    if len(experiment.datasets) != 1 or experiment.datasets[0].folding is None:
        return
    (dataset,) = experiment.datasets
    folding = experiment.datasets[0].folding
    for cut, what in _other_cuts(folding, dataset.whole.p + dataset.whole.n):
        yield _cut(experiment, dataset, cut, what)
    if not any(r.spread_out for r in experiment.reported):
        yield _cut(experiment, dataset, None, "the scores came from one test of the whole dataset, not from folds")


def _other_cuts(folding: Folding, items: int) -> Iterator[tuple[Folding, str]]:
    for model, manner in _CUT.items():
        if model in (FoldModel.BOTH_CLASSES, FoldModel.ANY) and folding.repeats > 1:
            continue  # repeated folds of any kind are beyond a check that is one of many
        if folding.model not in (model, FoldModel.UNKNOWN) or folding.listed:
            yield replace(folding, model=model, listed=()), f"the folds were {manner}"
    for k in _USUAL_FOLDS:
        if k != folding.k and k <= items:
            yield replace(folding, k=k, listed=()), f"there were {k} folds, not {folding.k}"


def _cut(experiment: Experiment, dataset: Dataset, folding: Folding | None, what: str) -> Change:
    return Change(RepairKind.FOLDS, what, replace(experiment, datasets=(replace(dataset, folding=folding),)))

"""The readings of an experiment: what a paper leaves unsaid about folds and averages, spelled out.

Each reading fixes how figures were summed up and what is known of the folds. Pooled counts make one
test set; a mean is taken over parts, whose class counts are known or described by a fold model.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from assay.errors import InputError
from assay.records import dataclass
from assay.scores import folds
from assay.scores.conflicts import both_classes
from assay.scores.experiment import Aggregation, Dataset, Experiment, Folding, FoldModel, TestSet


@dataclass(frozen=True, slots=True)
class Pooled:
    """All counts are summed and then scored, as if there were one test set."""

    words: str
    p: int
    n: int

    @property
    def setting(self) -> str:
        """The reading as the end of a sentence."""
        return f"for {self.words}"


@dataclass(frozen=True, slots=True)
class Averaged:
    """Scores are averaged over parts: each dataset is a model of its folds (a whole dataset is one fold).

    `spreads` says whether a reported standard deviation, minimum or maximum is over these very parts;
    in a mean of means it is not known over what.
    """

    words: str
    models: tuple[folds.FoldModel, ...]
    spreads: bool
    weighted: bool = False
    """Whether the parts count by their numbers of items."""
    covers: str = ""
    """Words of a reading that this one includes: what is possible there is possible here."""
    narrower: Averaged | None = None
    """A stricter reading that is worth a question of its own where this one needs folds without one of the classes."""

    @property
    def setting(self) -> str:
        """The reading as the end of a sentence."""
        return f"as {self.words}"


Reading = Pooled | Averaged


def readings(experiment: Experiment) -> Iterator[Reading]:
    """Every reading that the description allows, the most specific first."""
    over_parts = any(r.median for r in experiment.reported) or not any(r.interval for r in experiment.reported)
    for name, datasets in experiment.alternatives or (("", experiment.datasets),):
        for reading in _readings(datasets, experiment.aggregation):
            if not (over_parts and isinstance(reading, Pooled)):  # pooled counts have no median and no extremes
                yield replace(reading, words=f"{name}, {reading.words}") if name else reading


def _readings(datasets: tuple[Dataset, ...], aggregation: Aggregation) -> Iterator[Reading]:
    several, folded = len(datasets) > 1, any(d.folding for d in datasets)
    across = aggregation if several else Aggregation.UNKNOWN
    if across is Aggregation.WEIGHTED or _has_weighted_folds(datasets):
        yield from _weighted(datasets, several=several, folded=folded)
        return
    poolable = _all_may(datasets, Aggregation.POOLED)
    if across is not Aggregation.MEAN and poolable:
        yield _pooled(datasets)
    if across is Aggregation.POOLED:
        return
    if several and (poolable or not folded):
        yield _over_datasets(datasets, folded=folded)
    if folded and _all_may(datasets, Aggregation.MEAN):
        yield from _over_folds(datasets)


def _over_datasets(datasets: tuple[Dataset, ...], *, folded: bool) -> Averaged:
    """The mean over datasets that were scored as a whole each, with their folds pooled where they have any."""
    if folded:
        words = f"the mean over {len(datasets)} datasets, each with its folds pooled"
        return Averaged(words, tuple(_whole(d) for d in datasets), spreads=True)
    words = f"the mean over {len(datasets)} test sets"
    return Averaged(words, (folds.listed((d.whole.p, d.whole.n) for d in datasets),), spreads=True)


def _has_weighted_folds(datasets: tuple[Dataset, ...]) -> bool:
    return any(d.folding and d.aggregation is Aggregation.WEIGHTED for d in datasets)


def _weighted(datasets: tuple[Dataset, ...], *, several: bool, folded: bool) -> Iterator[Averaged]:
    """The mean of scores in which larger parts count more."""
    if several and folded:
        raise InputError(
            "a weighted mean over the folds of several datasets is not tested", fix="Give the datasets one by one."
        )
    if several:
        words = f"the mean over {len(datasets)} test sets, weighted by their sizes"
        yield Averaged(words, (folds.listed((d.whole.p, d.whole.n) for d in datasets),), spreads=False, weighted=True)
    else:
        for reading in _over_folds(datasets):
            words = f"{reading.words}, weighted by their sizes"
            yield replace(reading, words=words, spreads=False, weighted=True, covers="")


def _may(dataset: Dataset, aggregation: Aggregation) -> bool:
    """Whether the dataset's folds may have been summed up like this."""
    return dataset.folding is None or dataset.aggregation in (aggregation, Aggregation.UNKNOWN)


def _all_may(datasets: tuple[Dataset, ...], aggregation: Aggregation) -> bool:
    return all(_may(d, aggregation) for d in datasets)


def _pooled(datasets: tuple[Dataset, ...]) -> Pooled:
    sizes = [_size(d) for d in datasets]
    p, n = sum(s.p for s in sizes), sum(s.n for s in sizes)
    if len(datasets) == 1 and datasets[0].folding is None:
        return Pooled(f"one test set of {both_classes(p, n)}", p, n)
    parts = f"{datasets[0].folding.k} folds" if len(datasets) == 1 and datasets[0].folding else f"{len(datasets)} sets"
    return Pooled(f"counts pooled over {parts} ({both_classes(p, n)})", p, n)


def _size(dataset: Dataset) -> TestSet:
    """The dataset as often as it was tested."""
    times = dataset.folding.repeats if dataset.folding else 1
    return TestSet(dataset.whole.p * times, dataset.whole.n * times)


def _whole(dataset: Dataset) -> folds.FoldModel:
    size = _size(dataset)
    return folds.listed([(size.p, size.n)])


def _over_folds(datasets: tuple[Dataset, ...]) -> Iterator[Averaged]:
    seen: set[tuple[folds.FoldModel, ...]] = set()
    today = ""
    for name in _models_to_try(datasets):
        models = _models(datasets, name)
        if models is None or models in seen:
            continue
        seen.add(models)
        words = f"the mean over {models[0].description}"
        if len(datasets) > 1:
            words = f"the mean over {len(datasets)} datasets of the mean over folds ({models[0].description})"
        # Folds of equal size include today's stratified ones, but not those of old: they differ by two items.
        found = Averaged(words, models, spreads=len(datasets) == 1)
        if name is FoldModel.ANY:
            found = replace(found, covers=today, narrower=_with_both_classes(datasets))
        yield found
        today = words if name is FoldModel.STRATIFIED else today


def _models(datasets: tuple[Dataset, ...], name: FoldModel) -> tuple[folds.FoldModel, ...] | None:
    """The folds of each dataset, cut like this; None where too few items can be stratified by default."""
    try:
        return tuple(_model(d, name) for d in datasets)
    except InputError:  # that reading does not exist
        if _have_names(datasets):
            raise
        return None


def _with_both_classes(datasets: tuple[Dataset, ...]) -> Averaged | None:
    """The mean over folds of equal size of which each has both classes, where the datasets have enough of them."""
    try:
        models = tuple(_model(dataset, FoldModel.BOTH_CLASSES) for dataset in datasets)
    except InputError:
        return None
    words = f"the mean over {models[0].description}"
    if len(datasets) > 1:
        words = f"the mean over {len(datasets)} datasets of the mean over folds ({models[0].description})"
    return Averaged(words, models, spreads=len(datasets) == 1)


def _have_names(datasets: tuple[Dataset, ...]) -> bool:
    return all(d.folding is None or d.folding.listed or d.folding.model is not FoldModel.UNKNOWN for d in datasets)


def _models_to_try(datasets: tuple[Dataset, ...]) -> list[FoldModel]:
    """From the most specific to the least."""
    if _have_names(datasets):
        return [FoldModel.UNKNOWN]
    return [FoldModel.STRATIFIED, FoldModel.STRATIFIED_BEFORE_0_22, FoldModel.ANY]


def _model(dataset: Dataset, unless_named: FoldModel) -> folds.FoldModel:
    folding = dataset.folding
    if folding is None or dataset.aggregation is Aggregation.POOLED:
        return _whole(dataset)
    if folding.listed:
        return folds.listed((f.p, f.n) for f in folding.listed)
    name = unless_named if folding.model is FoldModel.UNKNOWN else folding.model
    return _of_kind(dataset.whole, folding, name)


def _of_kind(whole: TestSet, folding: Folding, name: FoldModel) -> folds.FoldModel:
    make = {
        FoldModel.STRATIFIED: folds.stratified,
        FoldModel.STRATIFIED_BEFORE_0_22: folds.stratified_before_0_22,
        FoldModel.ANY_STRATIFIED: folds.any_stratified,
        FoldModel.BOTH_CLASSES: _both_classes,
        FoldModel.ANY: folds.any_kfold,
    }[name]
    model = make(whole.p, whole.n, folding.k)
    return folds.repeated(model, folding.repeats) if folding.repeats > 1 else model


def _both_classes(p: int, n: int, k: int) -> folds.FoldModel:
    if k > min(p, n):
        raise InputError(
            f"{p} positives and {n} negatives are too few for both classes in each of {k} folds",
            fix='Give fold_model = "any", which allows folds without one of the classes.',
        )
    return folds.any_kfold(p, n, k, classes=folds.Classes.BOTH)

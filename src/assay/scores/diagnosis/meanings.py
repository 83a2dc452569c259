"""Figures that are right but mean something else: the other class, another score, an average over classes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from assay.scores.definitions import COMPLEMENTS, SCORES, Named
from assay.scores.diagnosis.averages import CLASS_AVERAGES, ClassAverage
from assay.scores.diagnosis.figures import with_reported
from assay.scores.diagnosis.kinds import Change, RepairKind
from assay.scores.diagnosis.misprints import reread
from assay.scores.experiment import Dataset, Experiment, Reported, TestSet

MISTAKEN_FOR: dict[str, tuple[str, ...]] = {
    "acc": ("bacc", "sens", "f1"),
    "sens": ("spec", "ppv", "acc", "bacc"),
    "spec": ("sens", "npv", "ppv", "acc"),
    "ppv": ("npv", "spec", "sens", "acc"),
    "npv": ("ppv", "spec"),
    "f1": ("f1n", "ji", "fm", "acc", "gm"),
    "f1n": ("f1",),
    "ji": ("f1",),
    "bacc": ("acc", "gm"),
    "gm": ("fm", "bacc", "f1"),
    "fm": ("gm", "f1"),
    "mcc": ("kappa", "bm"),
    "kappa": ("mcc", "bm"),
    "bm": ("mk", "bacc", "kappa"),
    "mk": ("bm",),
    "lrp": ("dor", "lrn"),
    "lrn": ("lrp",),
    "dor": ("lrp",),
}
"""Printed under the first name, a figure may really be one of the others: rival definitions and namesakes."""

_COMPLEMENT_LABELS = {base: label for base, label, _ in COMPLEMENTS.values()}


def exchanged_classes(experiment: Experiment) -> Iterator[Change]:
    """The scores take the other class for the positive one."""
    if all(d.whole.p == d.whole.n for d in experiment.datasets):
        return
    mirrored = replace(experiment, datasets=tuple(_mirrored(d) for d in experiment.datasets))
    p, n = sum(d.whole.p for d in experiment.datasets), sum(d.whole.n for d in experiment.datasets)
    yield Change(RepairKind.CLASSES, f"the class of {n:,} were the positive one, not that of {p:,}", mirrored)


def _mirrored(dataset: Dataset) -> Dataset:
    folding = dataset.folding
    if folding is not None:
        folding = replace(folding, listed=tuple(_turned(fold) for fold in folding.listed))
    return replace(dataset, whole=_turned(dataset.whole), folding=folding)


def _turned(part: TestSet) -> TestSet:
    return replace(part, p=part.n, n=part.p)


def other_names(experiment: Experiment) -> Iterator[Change]:
    """One figure is another score than its name says, or what is missing from one (an error rate).

    That a score was printed twice, also under its own name, is less likely.
    """
    taken = {reported.score.name for reported in experiment.reported}
    for index, reported in enumerate(experiment.reported):
        base = reported.score.name
        for meant in _other_meanings(reported):
            label = _label(meant)
            corrected = _read_as(reported, meant, label)
            if corrected is not None:
                what = f"the figure called {reported.name} ({reported.printed}) were the {label}"
                repaired = with_reported(experiment, (index, corrected))
                weight = 0.3 if meant.score.name in taken - {base} else 1.0
                yield Change(RepairKind.NAME, what, repaired, frozenset({reported.name}), weight)


def _other_meanings(reported: Reported) -> list[Named]:
    base = reported.score.name
    meanings = [Named(SCORES[name], reported.complement) for name in MISTAKEN_FOR.get(base, ())]
    if base in _COMPLEMENT_LABELS:
        meanings.append(Named(reported.score, not reported.complement))
    return meanings


def _label(meant: Named) -> str:
    if not meant.complement:
        return meant.score.label
    return _COMPLEMENT_LABELS.get(meant.score.name, f"complement of the {meant.score.label}")


def _read_as(reported: Reported, meant: Named, label: str) -> Reported | None:
    return reread(reported, reported.wording, meant, f"{reported.name} (read as {label})")


def averages_over_classes(experiment: Experiment) -> Iterator[Change]:
    """Some of the scores are averages over both classes instead of scores of the positive class."""
    for average in CLASS_AVERAGES:
        averageable = _averageable(experiment, average.scores)
        # Libraries average all they compute; specificity they do not compute.
        usual = averageable, _averageable(experiment, frozenset(average.scores) - {"spec"})
        for chosen in _selections(averageable):
            weight = 4.0 if chosen in usual else 1.0
            yield from _if_averaged(experiment, chosen, average, weight)


def _averageable(experiment: Experiment, scores: Collection[str]) -> list[tuple[int, Reported]]:
    return [(i, r) for i, r in enumerate(experiment.reported) if r.score.name in scores and not r.complement]


def _if_averaged(
    experiment: Experiment, chosen: Sequence[tuple[int, Reported]], average: ClassAverage, weight: float
) -> Iterator[Change]:
    """The change, where all of the chosen figures can be such averages."""
    corrected = _averaged(chosen, average)
    if len(corrected) == len(chosen):
        names = [r.name for _, r in chosen]
        what = f"{_enumeration(names)} were averaged over both classes, {average.manner}"
        repaired = with_reported(experiment, *corrected)
        yield Change(RepairKind.CLASS_AVERAGE, what, repaired, frozenset(names), weight=weight)


def _selections(figures: Sequence[tuple[int, Reported]]) -> Iterator[list[tuple[int, Reported]]]:
    """Every choice of some of the figures, all of them first."""
    for size in range(len(figures), 0, -1):
        yield from map(list, combinations(figures, size))


def _averaged(chosen: Iterable[tuple[int, Reported]], average: ClassAverage) -> list[tuple[int, Reported]]:
    """The chosen figures, with their places, read as averages; without those that cannot be."""
    read = [(i, _read_as(r, Named(average.scores[r.score.name], False), average.name)) for i, r in chosen]
    return [(i, r) for i, r in read if r is not None]


def _enumeration(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"

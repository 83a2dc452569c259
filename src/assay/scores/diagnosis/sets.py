"""Scores of another test set than described: miscounted, a part or a multiple of it, resampled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor

from assay.scores.diagnosis.kinds import Change, RepairKind
from assay.scores.diagnosis.misprints import one_digit, transposed
from assay.scores.experiment import Experiment

_NEAR = (1, -1, 2, -2, 3, -3, 4, -4, 5, -5)
_HELD_OUT = tuple(Fraction(*f) for f in ((1, 5), (3, 10), (1, 10), (1, 4), (1, 3), (1, 2), (2, 5), (3, 20)))
_MULTIPLES = (2, 3, 4, 5, 6, 8, 10)
_MOST_COPIES = 20
_MOST_SETS = 200
RESIZING = frozenset({RepairKind.OVERSAMPLED, RepairKind.UNDERSAMPLED, RepairKind.ANOTHER_SET})
"""Kinds that run through many sizes in rising order."""

Size = tuple[int, int]
"""Positives and negatives."""


def with_size(experiment: Experiment, size: Size) -> Experiment:
    """The experiment on a dataset of this size."""
    (dataset,) = experiment.datasets
    p, n = size
    return replace(experiment, datasets=(replace(dataset, whole=replace(dataset.whole, p=p, n=n)),))


def size_of(experiment: Experiment) -> Size | None:
    """(p, n) of the only dataset; None when there are several, or folds whose sizes are listed."""
    if len(experiment.datasets) != 1:
        return None
    (dataset,) = experiment.datasets
    if dataset.folding is not None and dataset.folding.listed:
        return None
    return dataset.whole.p, dataset.whole.n


def miscounted(experiment: Experiment) -> Iterator[Change]:
    """A class count was misprinted, or a few items were lost, added or labelled anew."""
    size = size_of(experiment)
    if size is None:
        return
    p, n = size
    slips = [(slip, n) for slip in _slips(p)] + [(p, slip) for slip in _slips(n)]
    relabelled = [(p + d, n - d) for d in _NEAR]
    for other in _distinct(experiment, [*slips, *relabelled]):
        yield _resized(RepairKind.MISCOUNT, experiment, other, f"there were {_in_words(other)}, not {_in_words(size)}")


def _slips(count: int) -> Iterator[int]:
    """Counts that one slip turns into this one."""
    text = str(count)
    yield from (int(slip) for slip in (*transposed(text), *one_digit(text)))
    yield from (count + d for d in _NEAR)


def parts_and_multiples(experiment: Experiment) -> Iterator[Change]:
    """The counts are those of all data, the scores those of a held-out or training part, or of augmented data."""
    size = size_of(experiment)
    if size is None:
        yield from _one_left_out(experiment)
        return
    told = _other_sizes(*size)
    words = dict(reversed(told))
    for other in _distinct(experiment, [said for said, _ in told]):
        yield _resized(RepairKind.PART, experiment, other, words[other])


def _other_sizes(p: int, n: int) -> list[tuple[Size, str]]:
    """Sizes of parts and of multiples of the data, each with what would have happened."""
    told: list[tuple[Size, str]] = []
    if p != n:
        told.append(((p, n - p) if n > p else (p - n, n), f"{max(p, n):,} were all items, not one class"))
    for share in _HELD_OUT:
        told += _part_sizes(p, n, share, "held out")
        told += _part_sizes(p, n, 1 - share, "trained on")
    told.extend(
        ((p * k, n * k), f"the test set had been multiplied by {k} to {_in_words((p * k, n * k))}") for k in _MULTIPLES
    )
    return told


def _part_sizes(p: int, n: int, part: Fraction, whose: str) -> Iterator[tuple[Size, str]]:
    """The sizes of such a part of the data, each class rounded down or up."""
    for a in sorted({floor(p * part), ceil(p * part)}):
        for b in sorted({floor(n * part), ceil(n * part)}):
            yield (a, b), f"only {_percent(part)} of the data ({whose}) were scored: {_in_words((a, b))}"


def _one_left_out(experiment: Experiment) -> Iterator[Change]:
    """One of several test sets was not scored."""
    everything = experiment.datasets
    for i, left_out in enumerate(everything[:_MOST_SETS]):
        name = left_out.whole.name or f"number {i + 1}"
        repaired = replace(experiment, datasets=everything[:i] + everything[i + 1 :])
        if repaired.datasets:
            yield Change(RepairKind.PART, f"the test set {name} had been left out", repaired)


def another(experiment: Experiment, size: Size) -> Change:
    """The scores belong to a test set of this size."""
    return _resized(RepairKind.ANOTHER_SET, experiment, size, f"the test set held {_in_words(size)}")


def oversampled(experiment: Experiment) -> Iterator[Change]:
    """Copies or synthetic items of the smaller class were tested as well (Fazekas & Kovács, section 5.2)."""
    size = size_of(experiment)
    if size is None or min(size) == 0:
        return
    few, many = sorted(size)
    usual = [few * k for k in range(2, _MOST_COPIES + 1) if few * k < many]
    yield from _resampled(RepairKind.OVERSAMPLED, experiment, range(few + 1, many + 1), balanced=many, usual=usual)


def undersampled(experiment: Experiment) -> Iterator[Change]:
    """Items of the larger class were left out of the test as well."""
    size = size_of(experiment)
    if size is None or min(size) == 0:
        return
    few, many = sorted(size)
    usual = [few * k for k in range(2, 6) if few * k < many]
    yield from _resampled(RepairKind.UNDERSAMPLED, experiment, range(few, many), balanced=few, usual=usual)


def _resampled(
    kind: RepairKind, experiment: Experiment, counts: range, *, balanced: int, usual: Sequence[int]
) -> Iterator[Change]:
    """Half of the weight is on balanced classes, a quarter on whole multiples, the rest on all other counts.

    The usual ones come first, then all in rising order, so that a search that stops early knows where.
    """
    (p, n), verb = size_of(experiment) or (0, 0), "over" if kind is RepairKind.OVERSAMPLED else "under"
    positives = (p <= n) == (kind is RepairKind.OVERSAMPLED)
    old, noun = (p, "positives") if positives else (n, "negatives")

    def change(count: int, weight: float) -> Change:
        said = f"{count:,}, as many as the other class" if count == balanced else f"{count:,}"
        what = f"the {old:,} {noun} had been {verb}sampled to {said}, and these were tested"
        return _resized(kind, experiment, (count, n) if positives else (p, count), what, weight)

    if balanced in counts:
        yield change(balanced, 0.5)
    yield from (change(count, 0.25 / len(usual)) for count in usual)
    rest = (count for count in counts if count != balanced and count not in usual)
    yield from (change(count, 0.25 / len(counts)) for count in rest)


def _distinct(experiment: Experiment, sizes: Iterable[Size]) -> Iterator[Size]:
    """Each possible size once, the described one left out."""
    seen = {size_of(experiment)}
    folding = experiment.datasets[0].folding
    least = folding.k if folding else 1
    for p, n in sizes:
        if p >= 0 and n >= 0 and p + n >= least and (p, n) not in seen:
            seen.add((p, n))
            yield p, n


def _resized(kind: RepairKind, experiment: Experiment, size: Size, what: str, weight: float = 1.0) -> Change:
    return Change(kind, what, with_size(experiment, size), weight=weight)


def _in_words(size: Size) -> str:
    return f"{size[0]:,} positives and {size[1]:,} negatives"


def _percent(share: Fraction) -> str:
    return f"{float(share):.0%}"

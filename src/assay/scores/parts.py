"""What the matrices of a witness are called: by the names of the test sets, where they have names."""

from __future__ import annotations

from collections.abc import Sequence

from assay.scores.definitions import Matrix
from assay.scores.experiment import Dataset, Experiment, TestSet


def by_name(experiment: Experiment, reading: str, witness: Sequence[Matrix]) -> dict[str, Matrix]:
    """Each matrix under the name of its test set, in the order of the sets; else numbered.

    Equal sets are interchangeable, so that a matrix belongs to any set of its size.
    """
    numbered = {f"part {i}": matrix for i, matrix in enumerate(witness, 1)}
    sets = _sets(_datasets(experiment, reading))
    names = [one.name for one in sets]
    if len(sets) != len(witness) or not all(names) or len(set(names)) < len(names):
        return numbered
    waiting: dict[tuple[int, int], list[Matrix]] = {}
    for matrix in witness:
        waiting.setdefault((matrix.p, matrix.n), []).append(matrix)
    found = {one.name: waiting[one.p, one.n].pop(0) for one in sets if waiting.get((one.p, one.n))}
    return found if len(found) == len(witness) else numbered


def _datasets(experiment: Experiment, reading: str) -> tuple[Dataset, ...]:
    """Those that the reading is about, where a description may mean several."""
    meant = (datasets for name, datasets in experiment.alternatives if reading.startswith(f"{name}, "))
    return next(meant, experiment.datasets)


def _sets(datasets: Sequence[Dataset]) -> list[TestSet]:
    """The sets that were scored one by one: listed folds, or whole datasets."""
    if len(datasets) == 1 and datasets[0].folding:
        return list(datasets[0].folding.listed)
    return [dataset.whole for dataset in datasets]

"""The leaks that can be staged: each makes a leaky and a clean version, on the same test rows where it can."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from assay.errors import InputError, suggestion
from assay.leakage.data.measures import Flags, Floats, Ints
from assay.leakage.impact.imputers import impute
from assay.leakage.impact.material import Material
from assay.records import dataclass

Fold = tuple[Ints, Ints]
"""Training rows and test rows."""

_COPIED = 0.3
"""Share of test rows whose copies are put into training."""
_FLIPPED = 0.05
_BORDERLINE = 0.3
_SELECTED = 10


@dataclass(frozen=True, slots=True)
class Version:
    """One experiment: what is trained on and what is tested on."""

    train_x: Floats
    train_y: Floats
    test_x: Floats
    test_y: Floats
    columns: tuple[int, ...] | None = None
    """The columns that exist in this version, where the leak is about columns."""


Stage = Callable[[Material, Fold, np.random.Generator], tuple[Version, Version]]


@dataclass(frozen=True)
class Leak:
    """A leak that can be staged: its place in the taxonomy, what it needs, and how it is done."""

    name: str
    code: str
    title: str
    stage: Stage
    needs: str = ""
    folds: str = "random"


def plain_version(m: Material, train: Ints, test: Ints, x: Floats | None = None) -> Version:
    """These rows for training and those for testing, of the table or of another version of its cells."""
    cells = m.x if x is None else x
    return Version(cells[train], m.y[train], cells[test], m.y[test])


def _no_test_set(m: Material, fold: Fold, _draw: np.random.Generator) -> tuple[Version, Version]:
    train, test = fold
    return plain_version(m, train, train), plain_version(m, train, test)


def _oversampling(m: Material, fold: Fold, draw: np.random.Generator) -> tuple[Version, Version]:
    """Copies of the rarer class (of the upper half, for numbers): of all its rows, or of training rows alone."""
    train, test = fold
    rare = m.y > (0.5 if m.classes else np.median(m.y[train]))
    wanted = max(int((~rare[train]).sum() - rare[train].sum()), len(train) // 10)
    everywhere, inside = np.concatenate(fold), train
    leaky, clean = (draw.choice(rows[rare[rows]], wanted) for rows in (everywhere, inside))
    return plain_version(m, np.r_[train, leaky], test), plain_version(m, np.r_[train, clean], test)


def _imputed_together(m: Material, fold: Fold, _draw: np.random.Generator) -> tuple[Version, Version]:
    train, test = fold
    everything = np.sort(np.concatenate(fold))
    return plain_version(m, train, test, impute(m.x, everything)), plain_version(m, train, test, impute(m.x, train))


def _imputed_with_outcome(m: Material, fold: Fold, _draw: np.random.Generator) -> tuple[Version, Version]:
    train, test = fold
    with_outcome = impute(m.x, np.sort(np.concatenate(fold)), m.y)
    return plain_version(m, train, test, with_outcome), plain_version(m, train, test, impute(m.x, train))


def _imputed_before(m: Material, fold: Fold, draw: np.random.Generator) -> tuple[Version, Version]:
    """A table that somebody imputed with the outcome, then cut at random whatever the time and group of its rows."""
    train, test = fold
    shuffled = draw.permutation(np.concatenate(fold))
    cut = plain_version(m, shuffled[len(test) :], shuffled[: len(test)], impute(m.x, np.arange(m.rows), m.y))
    return cut, plain_version(m, train, test, impute(m.x, train))


def _computed_cells(m: Material, fold: Fold, _draw: np.random.Generator) -> tuple[Version, Version]:
    """The table as it is, and without the cells whose digits say that they were computed."""
    if m.computed is None or not m.computed.any():
        raise InputError("no cell of the table looks imputed", fix="Choose another leak, or the table as published.")
    train, test = fold
    return plain_version(m, train, test), plain_version(m, train, test, np.where(m.computed, np.nan, m.x))


def _selection(m: Material, fold: Fold, _draw: np.random.Generator) -> tuple[Version, Version]:
    train, test = fold
    leaky, clean = (_strongest(m, rows) for rows in (np.concatenate(fold), train))
    whole = plain_version(m, train, test)
    parts = (whole.train_x, whole.train_y, whole.test_x, whole.test_y)
    return Version(*parts, tuple(leaky)), Version(*parts, tuple(clean))


def _strongest(m: Material, rows: Ints) -> list[int]:
    """The columns that correlate most with the outcome on these rows; gaps count as the mean."""
    x = m.x[rows] - np.nan_to_num(np.nanmean(np.where(np.isnan(m.x[rows]).all(axis=0), 0.0, m.x[rows]), axis=0))
    x = np.nan_to_num(x)
    y = m.y[rows] - m.y[rows].mean()
    size = np.sqrt((x**2).sum(axis=0) * (y**2).sum())
    correlation = np.abs(x.T @ y) / np.where(size > 0, size, 1.0)
    number = max(1, min(_SELECTED, m.x.shape[1] // 2))
    return sorted(int(i) for i in np.argsort(-correlation, kind="stable")[:number])


def _copies(m: Material, fold: Fold, draw: np.random.Generator) -> tuple[Version, Version]:
    train, test = fold
    number = max(1, int(_COPIED * len(test)))
    leaky, clean = draw.choice(test, number, replace=False), draw.choice(train, number)
    return plain_version(m, np.r_[train, leaky], test), plain_version(m, np.r_[train, clean], test)


def _proxy(m: Material, fold: Fold, draw: np.random.Generator) -> tuple[Version, Version]:
    """With and without the columns named as proxies, or one that is the outcome but for some noise."""
    train, test = fold
    if m.proxies:
        whole = plain_version(m, train, test)
        kept = tuple(i for i, name in enumerate(m.names) if name not in m.proxies)
        return whole, replace(whole, columns=kept)
    if m.classes:
        flipped = draw.random(m.rows) < _FLIPPED
        proxy = np.where(flipped, 1 - m.y, m.y)
    else:
        proxy = m.y + draw.normal(scale=0.2 * m.y.std(), size=m.rows)
    with_it = plain_version(m, train, test, np.column_stack([m.x, proxy]))
    return with_it, plain_version(m, train, test)


def _dependent(m: Material, fold: Fold, draw: np.random.Generator) -> tuple[Version, Version]:
    """Half of the rows of the held-out part is tested; the other half is trained on in place of as many others.

    The held-out part are whole groups, or all rows after a date, so the two versions differ in nothing but
    whether training knows the groups, or the time, of the test rows.
    """
    train, held_out = fold
    shuffled = draw.permutation(held_out)
    known, test = np.sort(shuffled[: len(shuffled) // 2]), np.sort(shuffled[len(shuffled) // 2 :])
    kept = draw.permutation(train)[: max(len(train) - len(known), 1)]
    return plain_version(m, np.r_[kept, known], test), plain_version(m, train, test)


def _picked(m: Material, fold: Fold, _draw: np.random.Generator) -> tuple[Version, Version]:
    """Borderline test rows left out: those that a plain model of the training rows is least sure about."""
    from assay.leakage.impact.models import Model, estimator_of

    train, test = fold
    reference = estimator_of(Model("reference", "logistic"), classes=m.classes, seed=0).fit(m.x[train], m.y[train])
    said = reference.predict_proba(m.x[test])[:, 1] if m.classes else reference.predict(m.x[test])
    middle = np.quantile(said, 1 - m.y[train].mean()) if m.classes else np.median(said)
    doubt = np.argsort(np.abs(said - middle), kind="stable")[: int(_BORDERLINE * len(test))]
    sure = np.delete(test, doubt)
    if m.classes and len(np.unique(m.y[sure])) < 2:
        sure = test
    return plain_version(m, train, sure), plain_version(m, train, test)


LEAKS = {
    leak.name: leak
    for leak in (
        Leak("no-test-set", "L1.1", "scored on the training rows", _no_test_set),
        Leak("oversampling", "L1.4", "the rarer class copied before the split", _oversampling),
        Leak("imputation-together", "L1.2", "training and test rows imputed together", _imputed_together, "gaps"),
        Leak(
            "imputation-outcome",
            "L1.2",
            "imputed together, with the outcome as a helper",
            _imputed_with_outcome,
            "gaps",
        ),
        Leak("imputation-reuse", "L1.2", "a table reused that was imputed with the outcome", _imputed_before, "gaps"),
        Leak("imputed-cells", "L1.2", "cells kept whose digits say that they were imputed", _computed_cells),
        Leak("selection", "L1.3", "features selected on all rows", _selection),
        Leak("duplicates", "L1.4", "copies of test rows among the training rows", _copies),
        Leak("proxy", "L2", "a feature that stands for the outcome", _proxy),
        Leak("time", "L3.1", "training rows from the time of the test rows", _dependent, "time", "time"),
        Leak("groups", "L3.2", "training rows from the groups of the test rows", _dependent, "group", "group"),
        Leak("picked", "L3.3", "borderline rows left out of the test part", _picked),
    )
}
"""The eight kinds of the taxonomy; L1.2 in several forms, three of them those of the case study on civil war."""


def find_leak(name: str) -> Leak:
    """A leak by its name or by its code in the taxonomy (the first of that code)."""
    by_code = {leak.code.lower(): leak for leak in reversed(LEAKS.values())}
    found = LEAKS.get(name.lower()) or by_code.get(name.lower())
    if found is None:
        fix = suggestion(name, LEAKS) or f"Known: {', '.join(LEAKS)}; or a code from L1.1 to L3.3."
        raise InputError(f'there is no leak "{name}"', fix=fix)
    return found


def folds_for(leak: Leak, m: Material, folds: int, seed: int) -> Iterator[Fold]:
    """Training and test rows, in the way that the clean version needs them."""
    if leak.needs == "gaps" and not np.isnan(m.x).any():
        raise InputError(
            "the table has no gaps to impute", fix="Give the table before imputation, or --leak imputed-cells."
        )
    if leak.folds == "time":
        in_test = _later_rows(m, folds)
    else:
        key = _fold_of_rows(leak, m, folds, seed)
        in_test = (key == number for number in range(folds))
    for test in in_test:
        yield (~test).nonzero()[0], test.nonzero()[0]


def _later_rows(m: Material, folds: int) -> Iterator[Flags]:
    if m.times is None:
        raise InputError("the leak is about time", fix="Name the column with --time.")
    times = m.times
    return (times > np.quantile(times, share) for share in np.linspace(0.5, 0.85, folds))


def _fold_of_rows(leak: Leak, m: Material, folds: int, seed: int) -> Ints:
    if leak.folds != "group":
        return _stratified(m.y, folds, seed) if m.classes else np.random.default_rng(seed).permutation(m.rows) % folds
    if m.groups is None:
        raise InputError("the leak is about groups", fix="Name the column with --group.")
    return np.asarray(np.random.default_rng(seed).permutation(int(m.groups.max()) + 1)[m.groups] % folds)


def _stratified(y: Floats, folds: int, seed: int) -> Ints:
    """A fold for each row, so that every fold has its part of each class."""
    draw = np.random.default_rng(seed)
    key = np.empty(len(y), np.int64)
    for value in np.unique(y):
        rows = draw.permutation((y == value).nonzero()[0])
        key[rows] = (np.arange(len(rows)) + draw.integers(folds)) % folds
    return key

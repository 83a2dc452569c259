"""What was fitted, transformed and evaluated under a watch: keys of rows, or small tables that have yet to get them."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterator
from dataclasses import field
from typing import Any

from assay.leakage.watching.places import Place
from assay.leakage.watching.rows import Rows
from assay.records import dataclass

MOST_EVENTS = 50_000
MOST_ROWS = 100_000_000
"""Keys kept in all: 800 MB, more than any run that fits in a notebook has."""
MOST_COPIED = 64_000_000
"""Bytes of small tables whose keys may wait until the report."""


@dataclass(frozen=True, slots=True)
class Part:
    """A class by its full dotted name, and the plain settings of the object."""

    name: str
    settings: tuple[tuple[str, object], ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """An estimator as it was when it was fitted."""

    name: str
    parts: tuple[Part, ...]
    """Its own class, or those of the steps inside it."""
    learns: bool = True
    """False where the fit left nothing behind, or scikit-learn declares that none is needed."""


@dataclass(frozen=True, eq=False, slots=True)
class Fit:
    """An estimator that learnt from rows."""

    order: int
    step: Step
    rows: Rows
    place: Place


@dataclass(frozen=True, eq=False, slots=True)
class Made:
    """Rows that a fitted step made of others: one of each (`transform`), or more or fewer (`fit_resample`)."""

    order: int
    fit: Fit
    given: Rows
    made: Rows
    one_to_one: bool
    chosen: bool = False
    """Whether they are the columns that a selector chose when it was fitted; the program may take them by itself."""


@dataclass(frozen=True, eq=False, slots=True)
class Evaluation:
    """A model that was asked about rows."""

    order: int
    fit: Fit
    rows: Rows
    method: str
    place: Place


@dataclass
class Journal:
    """The events in their order. Safe to write from several threads."""

    made: list[Made] = field(default_factory=list)
    evaluations: list[Evaluation] = field(default_factory=list)
    left_out: dict[str, int] = field(default_factory=dict)
    """What was not seen, and how often."""
    fits: int = 0
    _latest: dict[int, tuple[weakref.ref[Any], Fit]] = field(default_factory=dict, repr=False)
    _kept: int = 0
    _copied: int = 0
    _order: int = 0
    _lock: Any = field(default_factory=threading.Lock, repr=False)

    def fitted(self, estimator: Any, step: Step, rows: Rows, place: Place, *, further: bool = False) -> None:
        """The estimator has learnt from these rows, in addition to the earlier ones if `further`."""
        with self._lock:
            if not self._room(rows):
                return
            before = self._fit_of(estimator) if further else None
            whole = Rows(_joined(before.rows, rows)) if before else rows
            self.fits += 1
            self._latest[id(estimator)] = (weakref.ref(estimator), Fit(self._next(), step, whole, place))

    def transformed(self, estimator: Any, given: Rows, made: Rows, *, one_to_one: bool, chosen: bool = False) -> None:
        """The estimator has made rows of others."""
        with self._lock:
            fit = self._fit_of(estimator)
            if fit is not None and self._room(given) and self._room(made):
                self.made.append(Made(self._next(), fit, given, made, one_to_one, chosen))

    def evaluated(self, estimator: Any, rows: Rows, method: str, place: Place) -> None:
        """The model was asked about these rows."""
        with self._lock:
            fit = self._fit_of(estimator)
            if fit is None:
                self._miss("models that were fitted outside the watch, or copied since, were asked for predictions")
            elif self._room(rows):
                self.evaluations.append(Evaluation(self._next(), fit, rows, method, place))

    def missed(self, what: str) -> None:
        """Something happened that cannot be followed."""
        with self._lock:
            self._miss(what)

    def gaps(self) -> Iterator[str]:
        """What was not seen, as sentences."""
        for what, count in self.left_out.items():
            yield f"{what} ({count} times)" if count > 1 else what

    def _fit_of(self, estimator: Any) -> Fit | None:
        held = self._latest.get(id(estimator))
        return held[1] if held and held[0]() is estimator else None

    def _miss(self, what: str) -> None:
        self.left_out[what] = self.left_out.get(what, 0) + 1

    def _room(self, rows: Rows) -> bool:
        self._kept += len(rows)
        self._copied += rows.copied
        if self._copied > MOST_COPIED:
            rows.settle()
        if self._order < MOST_EVENTS and self._kept <= MOST_ROWS:
            return True
        self._miss("calls beyond the limits of what is remembered were not followed")
        return False

    def _next(self) -> int:
        self._order += 1
        return self._order

    def __deepcopy__(self, _memo: object) -> Journal:
        """One journal for a wrapped estimator and all its clones."""
        return self


def _joined(first: Rows, second: Rows) -> Any:
    import numpy as np

    return np.concatenate([first.keys, second.keys])

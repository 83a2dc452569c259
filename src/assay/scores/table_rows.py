"""Rows of a long table, read quickly: most have the sizes of one test set and plain figures, and most figures recur.

Such a row needs no validation that its header did not get already, and a figure that was met before is not read again.
Every other row, and every row with something wrong in it, goes the usual way, so that nothing is understood
differently here and errors read the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from assay.errors import InputError
from assay.findings import Location
from assay.records import dataclass
from assay.scores.compilation import experiment_of
from assay.scores.definitions import find_score
from assay.scores.experiment import Dataset, Experiment, Reported, TestSet, Wording
from assay.scores.printed_scores import read_wording
from assay.scores.study import is_plain_score, nested
from assay.scores.tasks import AnyExperiment, is_area

_KEPT = 20_000
"""So many figures are remembered: tens of megabytes."""
_DIGITS = 15

Cells = Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class _Plan:
    """Where things stand in rows with these columns."""

    p: int
    n: int
    scores: tuple[int, ...]


def read_row(cells: Cells, *, name: str, where: str, location: Location | None = None) -> AnyExperiment:
    """The experiment that a row describes; `name` is what it is called unless a cell says so."""
    return _plain(cells, name, location) or _usual(cells, name, where, location)


def _usual(cells: Cells, name: str, where: str, location: Location | None) -> AnyExperiment:
    data = nested(cells, where=where)
    data.setdefault("name", name)
    return experiment_of(data, where=where, location=location)


def _plain(cells: Cells, name: str, location: Location | None) -> Experiment | None:
    plan = _planned(tuple(column for column, _ in cells))
    if plan is None:
        return None
    p, n = _count(cells[plan.p][1]), _count(cells[plan.n][1])
    if p is None or n is None or p + n == 0:
        return None
    try:
        reported = tuple(_figure(*cells[i]) for i in plan.scores)
    except InputError:
        return None
    if any(figure.sd is not None for figure in reported):
        return None
    return Experiment(name, (Dataset(TestSet(p, n, name)),), reported, location=location)


@lru_cache(1000)
def _planned(columns: tuple[str, ...]) -> _Plan | None:
    """The plan for a row of one test set: p, n and scores by names that are understood, each once."""
    places = {column: place for place, column in enumerate(columns)}
    scores = [column for column in places if column not in {"p", "n"}]
    if len(places) < len(columns) or not {"p", "n"} <= places.keys() or not scores:
        return None
    if not all(is_plain_score(column) and not is_area(column) and _known(column) for column in scores):
        return None
    return _Plan(places["p"], places["n"], tuple(places[column] for column in scores))


def _known(name: str) -> bool:
    try:
        find_score(name)
    except InputError:
        return False
    return True


def _count(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _DIGITS else None


@lru_cache(_KEPT)
def _figure(name: str, text: str) -> Reported:
    return read_wording(name, Wording(text), find_score(name))

"""Rows of several tables become one study: every row finds what it belongs to, every value is what it should be."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any, TypeVar

from assay.errors import suggestion
from assay.reproduction import cells
from assay.reproduction.levels import Naming
from assay.reproduction.rows import Row
from assay.reproduction.study import Attempt, Paper, Study

_ABOUT = ("title", "source", "levels", "attainable")
"""The keys of study.toml."""
_ATTEMPT = ("paper", "attempt")
_EXPERIMENT = (*_ATTEMPT, "experiment")

COLUMNS: dict[str, tuple[str, ...] | None] = {
    "papers": cells.PAPER,
    "components": None,  # one for each component
    "assessments": ("paper", *cells.ASSESSMENT),
    "attempts": ("paper", *cells.ATTEMPT),
    "protocols": (*_ATTEMPT, *cells.PROTOCOL),
    "log": (*_ATTEMPT, *cells.SPENT),
    "experiments": (*_ATTEMPT, *cells.EXPERIMENT),
    "results": (*_EXPERIMENT, *cells.RESULT),
    "discrepancies": (*_ATTEMPT, *cells.DISCREPANCY),
    "claims": cells.CLAIM,
    "scales": cells.SCALE,
}
"""The tables of a study, and their columns."""

Tables = Mapping[str, Sequence[Row]]
Key = tuple[str, ...]
T = TypeVar("T")


def assemble(about: Mapping[str, Any], tables: Tables, *, where: str, today: date) -> Study:
    """One study from the rows of all its tables."""
    study = _about(about, where)
    results = _grouped(tables["results"], _EXPERIMENT, cells.read_result)
    experiments = _grouped(
        tables["experiments"],
        _ATTEMPT,
        lambda row: cells.read_experiment(row, study.naming, results.pop(_key(row, _EXPERIMENT), ())),
    )
    _all_claimed(tables["results"], results, _EXPERIMENT)
    log = _grouped(tables["log"], _ATTEMPT, lambda row: cells.read_spent(row, today))
    discrepancies = _grouped(tables["discrepancies"], _ATTEMPT, cells.read_discrepancy)
    protocols = _grouped(tables["protocols"], _ATTEMPT, lambda row: cells.read_protocol(row, today))
    _no_twins(tables["protocols"], _ATTEMPT)

    def attempt(row: Row) -> Attempt:
        key = _key(row, _ATTEMPT)
        parts = (log.pop(key, ()), experiments.pop(key, ()), discrepancies.pop(key, ()))
        return cells.read_attempt(row, *parts, next(iter(protocols.pop(key, ())), None), today=today)

    attempts = _grouped(tables["attempts"], _ATTEMPT[:1], attempt)
    unclaimed: dict[str, Mapping[Key, object]] = {
        "log": log,
        "experiments": experiments,
        "discrepancies": discrepancies,
        "protocols": protocols,
    }
    for name, left in unclaimed.items():
        _all_claimed(tables[name], left, _ATTEMPT)
    assessments = _grouped(tables["assessments"], ("paper",), lambda row: cells.read_assessment(row, today))
    components = {_key(row, ("paper",)): cells.read_components(row) for row in tables["components"]}
    papers = tuple(
        cells.read_paper(row, study.naming, components.get(key, ()), attempts.get(key, ()), assessments.get(key, ()))
        for row in tables["papers"]
        for key in (_key(row, ("id",)),)
    )
    _no_twins(tables["papers"], ("id",))
    _no_twins(tables["attempts"], _ATTEMPT)
    _no_twins(tables["experiments"], _EXPERIMENT)
    _no_twins(tables["components"], ("paper",))
    for name in ("attempts", "components", "assessments"):
        _known_papers(tables[name], papers)
    return Study(
        title=study.title,
        source=study.source,
        naming=study.naming,
        papers=papers,
        claims=tuple(map(cells.read_claim, tables["claims"])),
        scales=tuple(map(cells.read_scale, tables["scales"])),
        attainable=study.attainable,
    )


def _about(about: Mapping[str, Any], where: str) -> Study:
    """The fields that study.toml holds, as a study without papers."""
    row = Row(where, {key: value for key, value in about.items() if isinstance(value, str)})
    for key, value in about.items():
        _check_about(row, key, value)
    attainable = tuple((name, tuple(map(str, listed))) for name, listed in about.get("attainable", {}).items())
    for name, values in attainable:
        _check_fractions(row, name, values)
    naming = row.choice("levels", Naming) or Naming.THESIS
    return Study(row.text("title"), row.text("source"), naming, attainable=attainable)


def _check_about(row: Row, key: str, value: object) -> None:
    if key not in _ABOUT:
        raise row.error(f'unknown key "{key}"', suggestion(key, _ABOUT) or f"Known keys: {', '.join(_ABOUT)}.")
    if key != "attainable":
        if not isinstance(value, str):
            raise row.error(f'"{key}" = {value!r} should be text', "Put it in quotes.")
    elif not isinstance(value, dict) or not all(isinstance(listed, list) for listed in value.values()):
        raise row.error('"attainable" should give a list of values for each component')


def _check_fractions(row: Row, name: str, values: tuple[str, ...]) -> None:
    for value in values:
        above, _, below = value.partition("/")
        if not (above.isdecimal() and (below or "1").isdecimal() and int(below or "1")):
            raise row.error(f'"attainable.{name}": {value[:40]!r} is no fraction', 'Write it as "0" or "5/6".')


# --- what belongs to what --------------------------------------------------------------------------


def _key(row: Row, columns: Sequence[str]) -> Key:
    return tuple(row.needed(column) for column in columns)


def _grouped(rows: Sequence[Row], columns: Sequence[str], make: Callable[[Row], T]) -> dict[Key, tuple[T, ...]]:
    groups: dict[Key, list[T]] = {}
    for row in rows:
        groups.setdefault(_key(row, columns), []).append(make(row))
    return {key: tuple(made) for key, made in groups.items()}


def _all_claimed(rows: Sequence[Row], left: Mapping[Key, object], columns: Sequence[str]) -> None:
    """What is left over belongs to nothing."""
    for row in rows if left else ():
        key = _key(row, columns)
        if key in left:
            kind = columns[-1]
            raise row.error(f'there is no {kind} "{key[-1]}" of paper "{key[0]}"', f"Add it to {kind}s.csv.")


def _no_twins(rows: Sequence[Row], columns: Sequence[str]) -> None:
    seen: dict[Key, str] = {}
    for row in rows:
        key = _key(row, columns)
        if key in seen:
            raise row.error(f'"{" / ".join(key)}" is there twice', f"It stands at {seen[key]} too.")
        seen[key] = row.where


def _known_papers(rows: Sequence[Row], papers: Sequence[Paper]) -> None:
    known = {paper.id for paper in papers}
    for row in rows:
        if row.needed("paper") not in known:
            name = row.needed("paper")
            raise row.error(f'there is no paper "{name}"', suggestion(name, known) or "Add it to papers.csv.")

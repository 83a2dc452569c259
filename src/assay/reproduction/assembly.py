"""Rows of several tables become one study: every row finds what it belongs to, every value is what it should be."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any, TypeVar

from assay.errors import InputError, suggestion
from assay.reproduction.categories import category, severities
from assay.reproduction.outcomes import AttemptOutcome, Measured
from assay.reproduction.rows import Row
from assay.reproduction.study import (
    DEFAULT_BUDGET,
    Attempt,
    Claim,
    Counts,
    Direction,
    Discrepancy,
    Experiment,
    Naming,
    Paper,
    Reason,
    Result,
    Scale,
    Spent,
    Status,
    Study,
    level_named,
)

_ATTEMPT = ("paper", "attempt")
_EXPERIMENT = (*_ATTEMPT, "experiment")
_COUNTS = ("experiments", "identical", "consistent", "different", "not_run")
_MEASURED = ("", "_spread", "_runs", "_items")

COLUMNS: dict[str, tuple[str, ...] | None] = {
    "papers": ("id", "title", "year", "level", "metric"),
    "components": None,  # one for each component
    "attempts": (
        *("paper", "attempt", "people", "budget", "hours", "started", "ended", "environment", "reasons", "outcome"),
        *_COUNTS,
    ),
    "log": ("paper", "attempt", "day", "hours", "activity"),
    "experiments": ("paper", "attempt", "experiment", "method", "data", "status", "reason"),
    "results": (
        *("paper", "attempt", "experiment", "metric", "direction"),
        *(f"{which}{part}" for which in ("original", "reproduced") for part in _MEASURED),
        *("baselines", "runs", "margin"),
    ),
    "discrepancies": (
        *("paper", "attempt", "category", "instances", "severity", "effect", "effect_on", "because", "together"),
        "note",
    ),
    "claims": ("where", "says", "measure", "of", "value"),
    "scales": ("where", "question", "scores"),
}
"""The tables of a study, and their columns."""

Tables = Mapping[str, Sequence[Row]]
Key = tuple[str, ...]
T = TypeVar("T")


def assemble(about: Mapping[str, Any], tables: Tables, *, where: str, today: date) -> Study:
    """One study from the rows of all its tables."""
    told = _about(about, where)
    results = _grouped(tables["results"], _EXPERIMENT, _result)
    experiments = _grouped(tables["experiments"], _ATTEMPT, lambda row: _experiment(row, results))
    _all_claimed(tables["results"], results, _EXPERIMENT)
    log = _grouped(tables["log"], _ATTEMPT, lambda row: _spent(row, today))
    discrepancies = _grouped(tables["discrepancies"], _ATTEMPT, _discrepancy)

    def attempt(row: Row) -> Attempt:
        key = _key(row, _ATTEMPT)
        parts = (log.pop(key, ()), experiments.pop(key, ()), discrepancies.pop(key, ()))
        return _attempt(row, *parts, today=today)

    attempts = _grouped(tables["attempts"], _ATTEMPT[:1], attempt)
    for name, left in (("log", log), ("experiments", experiments), ("discrepancies", discrepancies)):
        _all_claimed(tables[name], left, _ATTEMPT)
    components = {_key(row, ("paper",)): (row, _component_values(row)) for row in tables["components"]}
    papers = tuple(_paper(row, told.naming, components, attempts) for row in tables["papers"])
    _no_twins(tables["papers"], ("id",))
    _no_twins(tables["attempts"], _ATTEMPT)
    _no_twins(tables["experiments"], _EXPERIMENT)
    _no_twins(tables["components"], ("paper",))
    for name in ("attempts", "components"):
        _known_papers(tables[name], papers)
    return Study(
        title=told.title,
        source=told.source,
        naming=told.naming,
        papers=papers,
        claims=tuple(map(_claim, tables["claims"])),
        scales=tuple(Scale(r.text("where"), r.needed("question"), r.all_printed("scores")) for r in tables["scales"]),
        attainable=told.attainable,
    )


def _about(about: Mapping[str, Any], where: str) -> Study:
    """The fields that study.toml holds, as a study without papers."""
    row = Row(where, {key: value for key, value in about.items() if isinstance(value, str)})
    known = ("title", "source", "levels", "attainable")
    for key, value in about.items():
        if key not in known:
            raise row.error(f'unknown key "{key}"', suggestion(key, known) or f"Known keys: {', '.join(known)}.")
        if key != "attainable" and not isinstance(value, str):
            raise row.error(f'"{key}" = {value!r} should be text', "Put it in quotes.")
    attainable = about.get("attainable", {})
    if not isinstance(attainable, dict) or not all(isinstance(v, list) for v in attainable.values()):
        raise row.error('"attainable" should give a list of values for each component')
    values = tuple((name, tuple(str(value) for value in listed)) for name, listed in attainable.items())
    for name, listed in values:
        _check_fractions(row, name, listed)
    naming = row.choice("levels", Naming) or Naming.THESIS
    return Study(row.text("title"), row.text("source"), naming, attainable=values)


def _check_fractions(row: Row, name: str, values: tuple[str, ...]) -> None:
    for value in values:
        above, _, below = value.partition("/")
        if not (above.isdecimal() and (below or "1").isdecimal() and int(below or "1")):
            raise row.error(f'"attainable.{name}": {value[:40]!r} is no fraction', 'Write it as "0" or "5/6".')


def _paper(
    row: Row, naming: Naming, components: Mapping[Key, tuple[Row, Any]], attempts: Mapping[Key, tuple[Attempt, ...]]
) -> Paper:
    name = row.needed("id")
    try:
        level = level_named(row.text("level").strip(), naming) if row.text("level").strip() else None
    except InputError as error:
        raise row.error(error.what, error.fix) from None
    return Paper(
        id=name,
        title=row.text("title"),
        year=row.count("year"),
        level=level,
        components=components.get((name,), (None, ()))[1],
        stated_metric=row.printed("metric"),
        attempts=attempts.get((name,), ()),
    )


def _component_values(row: Row) -> tuple[tuple[str, str], ...]:
    names = [name for name, cell in row.cells.items() if name != "paper" and cell.strip()]
    return tuple((name, "" if row.text(name).strip() == "-" else _score(row, name)) for name in names)


def _score(row: Row, name: str) -> str:
    """A component's value as printed; a sign, an exponent or a percentage is none of its forms."""
    value = row.text(name).strip()
    if not value.replace(".", "", 1).isdecimal() or not value[0].isdecimal():
        raise row.error(f'"{name}" = {value[:40]!r} is no score', 'Write it as 0.50, or "-" if it does not apply.')
    return value


def _attempt(
    row: Row,
    log: tuple[Spent, ...],
    experiments: tuple[Experiment, ...],
    discrepancies: tuple[Discrepancy, ...],
    *,
    today: date,
) -> Attempt:
    budget = row.number("budget")
    numbers = [row.count(column) for column in _COUNTS]
    given = [number for number in numbers if number is not None]
    if given and len(given) < len(numbers):
        missing = _COUNTS[numbers.index(None)]
        raise row.error(f'"{missing}" is empty', "Give all five counts, or none and the experiments one by one.")
    if given and experiments:
        raise row.error("has counts and experiments", "Leave out the counts: they are computed.")
    _check_causes(row, discrepancies)
    return Attempt(
        id=row.needed("attempt"),
        people=row.words("people"),
        budget=DEFAULT_BUDGET if budget is None else budget,
        stated_hours=row.number("hours"),
        started=row.day("started", today),
        ended=row.day("ended", today),
        environment=row.text("environment"),
        reasons=row.choices("reasons", Reason),
        stated_outcome=row.choice("outcome", AttemptOutcome),
        counts=Counts(*given) if given else None,
        log=log,
        experiments=experiments,
        discrepancies=discrepancies,
    )


def _check_causes(row: Row, discrepancies: tuple[Discrepancy, ...]) -> None:
    there = {d.category for d in discrepancies}
    for d in discrepancies:
        for cause in d.because:
            if cause not in there:
                raise row.error(f"{d.category} is there because of {cause}, which the attempt does not have")


def _spent(row: Row, today: date) -> Spent:
    row.needed("hours")
    return Spent(row.day("day", today), row.number("hours") or Decimal(0), row.text("activity"))


def _experiment(row: Row, results: dict[Key, tuple[Result, ...]]) -> Experiment:
    key = _key(row, _EXPERIMENT)
    found = results.pop(key, ())
    status = row.choice("status", Status) or (Status.RUN if found else Status.PLANNED)
    reason = row.choice("reason", Reason)
    if reason and status is Status.RUN:
        raise row.error("was run and has a reason why it was not", "Empty the reason, or write not run.")
    return Experiment(key[-1], row.text("method"), row.text("data"), status, reason, found)


def _result(row: Row) -> Result:
    row.needed("metric", "Name what was measured, as in accuracy.")
    original = _measured(row, "original")
    if original is None:
        raise row.error('"original" is empty', "Write the number that the paper prints.")
    margin = row.number("margin")
    return Result(
        metric=row.text("metric"),
        original=original,
        reproduced=_measured(row, "reproduced"),
        baselines=tuple(map(Measured, row.all_printed("baselines"))),
        direction=row.choice("direction", Direction),
        runs=row.all_printed("runs"),
        margin=None if margin is None else float(margin),
    )


def _measured(row: Row, column: str) -> Measured | None:
    value = row.printed(column)
    if not value:
        return None
    spread = row.number(f"{column}_spread")
    runs, items = row.count(f"{column}_runs"), row.count(f"{column}_items")
    return Measured(value, None if spread is None else float(spread), runs, items)


def _discrepancy(row: Row) -> Discrepancy:
    try:
        code = category(row.needed("category")).code
        because = tuple(category(cause).code for cause in row.words("because"))
    except InputError as error:
        raise row.error(error.what, error.fix) from None
    severity, instances = row.count("severity"), row.count("instances")
    if severity is not None and severity >= len(severities()):
        raise row.error(f'"severity" = {severity} is off the scale', f"It goes from 0 to {len(severities()) - 1}.")
    if instances == 0:
        raise row.error('"instances" = 0', "Leave out what did not occur.")
    return Discrepancy(
        category=code,
        instances=instances or 1,
        severity=severity,
        effect=row.printed("effect"),
        effect_on=row.text("effect_on"),
        because=because,
        together=row.text("together"),
        note=row.text("note"),
    )


def _claim(row: Row) -> Claim:
    pairs = [word.partition("=") for word in row.words("of")]
    if wrong := next((key for key, sign, _ in pairs if not sign), None):
        raise row.error(f'"of": {wrong[:40]!r} has no value', "Write it as level=R1; lacks=P1.")
    of = tuple((key.strip(), value.strip()) for key, _, value in pairs)
    return Claim(row.text("where"), row.text("says"), row.needed("measure"), of, row.needed("value"))


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

"""Runs that were made elsewhere: a CSV table, or the files that MLflow keeps. Nothing is executed.

A row is bound to a run of the plan by its seed and by the values of the keys that the plan varies, or by a column that
has the label of an item and names an alternative. Rows that fit no run of the plan are listed.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from assay.ablation.design import Run, Setting, runs_of
from assay.ablation.plan import Item, Plan, shown
from assay.ablation.store import Outcome, Status
from assay.errors import InputError
from assay.files import read_text
from assay.records import dataclass
from assay.tables import sniff_delimiter

MOST_RUNS = 100_000
_AS_STATED = frozenset({"", "as stated", "base"})


@dataclass(frozen=True)
class ImportedRuns:
    """The plan with the seeds that were found, what its runs gave, and what fits none of them."""

    plan: Plan
    results: dict[Run, Outcome]
    left_out: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Row:
    where: str
    parameters: Mapping[str, str]
    metrics: Mapping[str, float]


def imported_runs(plan: Plan, path: Path) -> ImportedRuns:
    """The runs of the plan that a CSV file or a folder of MLflow holds."""
    rows = list(_mlflow_rows(path) if path.is_dir() else _csv_rows(plan, path))
    if not rows:
        fix = "Give a CSV with a row for each run, or a folder mlruns."
        raise InputError("holds no runs", where=str(path), fix=fix)
    seeds = {seed for row in rows if (seed := _seed(plan, row)) is not None}
    imported = _bound_to_runs(replace(plan, seeds=tuple(sorted(seeds)) or plan.seeds, joint=0), rows)
    if not imported.results:
        fix = imported.left_out[0] if imported.left_out else "Check the plan."
        raise InputError("holds no run of the plan", where=str(path), fix=fix)
    return imported


def _bound_to_runs(plan: Plan, rows: Sequence[_Row]) -> ImportedRuns:
    """Each row as the run of the plan whose seed and setting it has."""
    found: dict[Run, Outcome] = {}
    left_out: list[str] = []
    wanted = set(runs_of(plan))
    for row in rows:
        run = _run(plan, row)
        if run is None or run not in wanted or not row.metrics:
            left_out.append(f"{row.where}: {_trouble(plan, row)}")
            continue
        if run in found:
            left_out.append(f"{row.where}: the same run as an earlier one; this one is used")
        found[run] = Outcome(Status.DONE, row.metrics, 0.0)
    return ImportedRuns(plan, found, tuple(left_out))


def _run(plan: Plan, row: _Row) -> Run | None:
    setting, seed = _setting(plan, row), _seed(plan, row)
    return None if setting is None or seed is None else Run(setting, seed)


def _trouble(plan: Plan, row: _Row) -> str:
    if _seed(plan, row) is None:
        return "it has no seed"
    if not row.metrics:
        return "it has no metrics"
    if _setting(plan, row) is None:
        return "its settings fit none of the plan"
    return "its combination of settings is not in the plan"


# --- reading ---------------------------------------------------------------------------------------


def _csv_rows(plan: Plan, path: Path) -> Iterator[_Row]:
    """The seed, keys and items of the plan are parameters; other columns with numbers are metrics."""
    named = {"seed", plan.seed_key, *(item.label for item in plan.items), *(k for i in plan.items for k in i.keys)}
    for number, cells in enumerate(_csv_cells(read_text(path)), 2):
        metrics = {
            name: value for name, cell in cells.items() if name not in named and (value := _number(cell)) is not None
        }
        yield _Row(f"{path}:{number}", {name: cell for name, cell in cells.items() if name in named}, metrics)


def _csv_cells(text: str) -> Iterator[dict[str, str]]:
    """The cells of each row by their headings; a decimal comma is read where commas do not separate cells."""
    delimiter = sniff_delimiter(text[:65536])
    read = str if delimiter == "," else _with_point
    for row in csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter):
        yield {name: read(value.strip()) for name, value in row.items() if name and isinstance(value, str)}


def _mlflow_rows(folder: Path) -> Iterator[_Row]:
    """A run of MLflow's file store is a folder with `params` and `metrics`, a small file for each name."""
    places = [folder, *sorted(folder.glob("*")), *sorted(folder.glob("*/*"))]
    runs = [place for place in places if not place.is_symlink() and (place / "metrics").is_dir()]
    if len(runs) > MOST_RUNS:
        raise InputError(f"holds more than {MOST_RUNS:,} runs", where=str(folder), fix="Name one experiment.")
    for place in runs:
        if "lifecycle_stage: deleted" in _text(place / "meta.yaml"):
            continue
        yield _Row(str(place), dict(_files(place / "params")), dict(_last_values(place / "metrics")))


def _last_values(folder: Path) -> Iterator[tuple[str, float]]:
    """The last value of each metric: a line of MLflow is "time value step"."""
    for name, text in _files(folder):
        words = text.split("\n")[-1].split(" ")
        value = _number(words[1]) if len(words) > 1 else None
        if value is not None:
            yield name, value


def _files(folder: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
        if path.is_file() and not path.is_symlink():
            yield path.relative_to(folder).as_posix(), _text(path).strip()


def _text(path: Path) -> str:
    return read_text(path) if path.is_file() else ""


def _with_point(cell: str) -> str:
    """A decimal comma as a decimal point; other words stay as they are."""
    return cell if _number(pointed := cell.replace(",", ".")) is None else pointed


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


# --- binding ---------------------------------------------------------------------------------------


def _seed(plan: Plan, row: _Row) -> int | None:
    text = row.parameters.get(plan.seed_key or "seed", row.parameters.get("seed", ""))
    return int(text) if text.isdecimal() else None


def _setting(plan: Plan, row: _Row) -> Setting | None:
    """The setting that the row's values make; None if they make none."""
    choices = []
    for place, item in enumerate(plan.items):
        level = _level(plan, item, row.parameters)
        if level is None:
            return None
        if level:
            choices.append((place, level - 1))
    return Setting(tuple(choices))


def _level(plan: Plan, item: Item, parameters: Mapping[str, str]) -> int | None:
    """0 for the base, else the number of the alternative, counted from 1; None if the values fit neither."""
    if item.label in parameters and item.label not in item.keys:
        return _named_level(item, parameters[item.label])
    given = {key: parameters[key] for key in item.keys if parameters.get(key)}
    base = {key: plan.base.get(key) for key in item.keys}
    levels = [base, *(base | dict(one.changes) for one in item.alternatives)]
    fitting = [at for at, values in enumerate(levels) if all(_equal(given[key], values[key]) for key in given)]
    return fitting[0] if fitting else None


def _named_level(item: Item, name: str) -> int | None:
    if name in _AS_STATED or name == item.stated:
        return 0
    names = [one.name for one in item.alternatives]
    return names.index(name) + 1 if name in names else None


def _equal(text: str, value: Any) -> bool:
    """Whether a text is how somebody writes a value: as YAML, Python or JSON do, or with other digits."""
    if text in {str(value), shown(value)}:
        return True
    try:
        return bool(json.loads(text.lower() if text in {"True", "False"} else text) == value)
    except ValueError:
        return False

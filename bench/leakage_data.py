"""Checks of tables at 10^6 rows and 20 columns: CPU seconds and peak memory, from Parquet and from CSV.

    python bench/leakage_data.py [rows] [parquet|csv]

The table is generated with known faults: 2 % exact copies under new identifiers, 2 % copies with one number changed,
30 % of groups on both sides, a random split over dates, a proxy with 1 % of its labels flipped, one shifted column.
Every fault must be found. The measured process does nothing but read and check; generating is a process of its own.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import polars as pl

from assay.leakage.data.checking import check_split
from assay.leakage.data.split import Roles, split_of_tables
from assay.tables import read_table

EXPECTED = {"L1.4", "L2", "L3.1", "L3.2", "LX3", "LX6"}
MOST_SECONDS, MOST_MEGABYTES = 6.0, 1_000


def generate(rows: int, folder: Path, ending: str) -> None:
    draw = np.random.default_rng(0)
    y = (draw.random(rows) < 0.2).astype(int)
    table = {f"x{i}": draw.normal(size=rows) + (0.3 * y if i < 4 else 0) for i in range(11)}
    table["drifted"] = draw.normal(size=rows)
    for number, levels in enumerate((4, 12, 50)):
        table[f"c{number}"] = np.array([f"v{j}" for j in range(levels)])[draw.integers(0, levels, rows)]
    table["row_id"], table["group"] = np.arange(rows), draw.integers(0, max(rows // 20, 10), rows)
    table["date"] = np.datetime64("2015-01-01T00:00", "us") + draw.integers(0, 87_600, rows).astype("timedelta64[h]")
    table["proxy"] = np.where(draw.random(rows) < 0.01, 1 - y, y).astype(float)
    table["label"] = y
    groups = int(table["group"].max()) + 1
    together, side = draw.random(groups) < 0.7, draw.random(groups) < 0.25
    in_test = np.where(together[table["group"]], side[table["group"]], draw.random(rows) < 0.25)
    train = {k: v[~in_test] for k, v in table.items()}
    test = {k: v[in_test].copy() for k, v in table.items()}
    test["drifted"] += 0.3
    number = int(0.02 * in_test.sum())
    copies = draw.choice(in_test.sum(), 2 * number, replace=False)
    originals = draw.choice(rows - in_test.sum(), 2 * number, replace=False)
    for name in table:
        if name != "row_id":
            test[name][copies] = train[name][originals]
    test["x10"][copies[number:]] += draw.normal(scale=1e-3, size=number)
    for name, part in (("train", train), ("test", test)):
        frame = pl.DataFrame(part)
        path = folder / f"{name}.{ending}"
        frame.write_csv(path) if ending == "csv" else frame.write_parquet(path)


def measure(folder: Path, ending: str) -> None:
    began = time.process_time()
    train, test = (read_table(folder / f"{name}.{ending}") for name in ("train", "test"))
    reading = time.process_time()
    report, _ = check_split(split_of_tables(train, test, Roles(target="label")))
    ended = time.process_time()
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    for finding in report.findings:
        print(f"  {finding.code:5} {finding.message}")
    missed = EXPECTED - {f.code for f in report.findings}
    print(
        f"{train.frame.height + test.frame.height:,} rows x {train.frame.width} columns from {ending}: "
        f"reading {reading - began:.2f} s, checks {ended - reading:.2f} s CPU, peak {megabytes:.0f} MB"
    )
    within = ended - reading <= MOST_SECONDS and megabytes <= MOST_MEGABYTES
    sys.exit(f"missed: {sorted(missed)}" if missed else None if within else "over the limit of 6 s or 1,000 MB")


def main() -> None:
    if sys.argv[1:2] == ["measure"]:
        return measure(Path(sys.argv[2]), sys.argv[3])
    rows, ending = int((sys.argv[1:2] or ["1000000"])[0]), (sys.argv[2:3] or ["parquet"])[0]
    with tempfile.TemporaryDirectory() as folder:
        generate(rows, Path(folder), ending)
        ended = subprocess.run([sys.executable, __file__, "measure", folder, ending], check=False)
    return sys.exit(ended.returncode)


if __name__ == "__main__":
    main()

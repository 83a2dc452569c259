"""What `assay corpus query` and `report` cost on a million subjects, before and after the files are merged.

    python bench/corpus_million.py [--subjects N] [--full]

A small real run of `assay corpus run --instrument repo` is multiplied: each part is copied with new row numbers, so the
number of files and of rows is real and compression is flattering. `--full` takes 10^6 subjects; the default is 10^5.
The targets at 10^6: `query` in one second, `report` in 15 s and 1 GB.
"""

from __future__ import annotations

import argparse
import csv
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import polars as pl
from startup import machine

from assay.corpus.store import Store
from assay.corpus.tables import TABLES
from repository import repository

ASSAY = str(Path(sys.executable).parent / "assay")
SEED_SUBJECTS = 50
QUERIES = {
    "query of prevalence": "select code, subjects from prevalence order by 2 desc limit 5",
    "query of distinct rows": "select code, count(distinct row) from findings group by code order by 2 desc limit 5",
}


def small_run(folder: Path) -> Path:
    """Fifty generated repositories, examined."""
    names = []
    for number in range(SEED_SUBJECTS):
        place = folder / "repositories" / f"r{number}"
        repository(place, 5 + number % 10)
        names.append((str(place), "even" if number % 2 == 0 else "odd"))
    with (folder / "list.csv").open("w", newline="") as stream:
        csv.writer(stream).writerows([("path", "parity"), *names])
    out = folder / "small"
    command = [ASSAY, "corpus", "run", str(folder / "list.csv"), "--instrument", "repo", "--out", str(out)]
    subprocess.run(command, check=True, capture_output=True)
    return out


def multiplied(small: Path, large: Path, subjects: int) -> None:
    """The same rows again and again, under new numbers, in parts of fifty."""
    tables = {table: pl.concat([pl.read_parquet(p) for p in Store(small).parts(table)], how="diagonal")
              for table in TABLES if Store(small).parts(table)}  # fmt: skip
    manifest = json.loads((small / "run.json").read_text())
    manifest["list"]["rows"] = subjects
    for table, frame in tables.items():
        (large / table).mkdir(parents=True)
        for number in range(subjects // SEED_SUBJECTS):
            shifted = frame.with_columns(pl.col("row") + number * SEED_SUBJECTS)
            shifted.write_parquet(large / table / f"part-{number:07d}.parquet")
    (large / "run.json").write_text(json.dumps(manifest))


def cost(*command: str) -> tuple[float, float]:
    """CPU seconds and peak megabytes of a command."""
    code = (
        "import resource, subprocess, sys;"
        "subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=False);"
        "u = resource.getrusage(resource.RUSAGE_CHILDREN);"
        "print(u.ru_utime + u.ru_stime, u.ru_maxrss / 1024)"
    )
    done = subprocess.run([sys.executable, "-c", code, *command], capture_output=True, text=True, check=True)
    seconds, megabytes = map(float, done.stdout.split()[-2:])
    return seconds, megabytes


def main() -> None:
    """Print a line for each command and state of the files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--subjects", type=int, default=100_000)
    parser.add_argument("--full", action="store_true")
    given = parser.parse_args()
    subjects = 1_000_000 if given.full else given.subjects
    print(machine())
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        large = folder / "large"
        multiplied(small_run(folder), large, subjects)
        for state in ("as written", "merged"):
            if state == "merged":
                started, before = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
                Store(large).compact()
                peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
                spent = time.process_time() - started
                print(f"merging: {spent:.1f} CPU s, peak {before / 1024:.0f} -> {peak / 1024:.0f} MB")
            files = sum(1 for _ in large.rglob("*.parquet"))
            for name, command in (
                *((name, (ASSAY, "corpus", "query", str(large), sql)) for name, sql in QUERIES.items()),
                ("report", (ASSAY, "corpus", "report", str(large), "-o", str(folder / f"{state}.json"), "--force")),
            ):
                seconds, megabytes = cost(*command)
                print(f"{subjects:,} subjects, {files:,} files {state}: {name} {seconds:.2f} CPU s, {megabytes:.0f} MB")


if __name__ == "__main__":
    main()

"""The cost of `assay corpus run`: rows of scores, repositories, memory, and what a second worker brings.

    python bench/corpus.py [--rows N] [--repositories N | --folder DIR] [--full] [--only PART]

Every run is the whole command in a process of its own, examining processes included; CPU time is that of all of them,
and is what counts on a machine that is busy with other things. With `--full` there are as many subjects as the targets
speak of: a million rows, 100,000 subjects for memory. With `--folder` the repositories are those in that folder.
The targets: a million single-set rows in 300 s on two cores; repositories of 50 files at 50 a second and core without
reading from disk, 15 a second end to end on two cores; at most 500 MB for a worker; 1.8 times faster with two workers
than with one, here and on a Dask cluster.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from startup import machine

from assay.garbage import look_rarely
from assay.repository.check import assess
from assay.repository.facts import read_repository
from assay.tree.opening import tree_of
from repository import repository

ASSAY = str(Path(sys.executable).parent / "assay")
FILES = 50
TARGET_ROWS, TARGET_SECONDS = 1_000_000, 300.0


@dataclass(frozen=True)
class Cost:
    """What a command took: wall and CPU seconds, its children's included."""

    wall: float
    cpu: float

    @property
    def busy(self) -> float:
        """Cores kept busy."""
        return self.cpu / self.wall


def measured(command: list[str]) -> Cost:
    """Run a command to its end."""
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{command} ended with {process.returncode}")
    return Cost(time.perf_counter() - started, usage.ru_utime + usage.ru_stime)


def run(listing: Path, instrument: str, out: Path, *options: str) -> Cost:
    return measured([ASSAY, "corpus", "run", str(listing), "--instrument", instrument, "--out", str(out), *options])


def asked(out: Path, sql: str) -> list[float]:
    told = subprocess.run([ASSAY, "corpus", "query", str(out), sql, "-f", "json"], capture_output=True, check=True)
    return [float(value) for value in json.loads(told.stdout)[0].values()]


def score_rows(path: Path, many: int) -> Path:
    """Rows of one test set with four scores of four digits; one in ten has a wrong accuracy."""
    rng = random.Random(1)
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(("p", "n", "acc", "sens", "spec", "f1"))
        for _ in range(many):
            p, n = rng.randint(20, 2000), rng.randint(20, 2000)
            tp, tn = rng.randint(p // 2, p), rng.randint(n // 2, n)
            acc = (tp + tn) / (p + n)
            acc = acc + 0.01 if rng.random() < 0.1 and acc < 0.98 else acc
            f1 = 2 * tp / (tp + p + n - tn)
            writer.writerow((p, n, f"{acc:.4f}", f"{tp / p:.4f}", f"{tn / n:.4f}", f"{f1:.4f}"))
    return path


def scores(folder: Path, many: int) -> None:
    two = ("--workers", "2")
    cost = run(score_rows(folder / "scores.csv", many), "scores", folder / "scores", *two, "--batch", "2000")
    started = run(score_rows(folder / "few.csv", 10), "scores", folder / "few", *two)
    each = (cost.cpu - started.cpu) / many
    [examining] = asked(folder / "scores", "select sum(cpu_seconds) from timings")
    print(f"{many:,} rows of scores: {cost.wall:.1f} s wall, {cost.cpu:.1f} s CPU ({cost.busy:.2f} cores busy)")
    reckoned = started.cpu + each * TARGET_ROWS
    print(
        f"  {each * 1e6:.0f} µs CPU a row, {examining / many * 1e6:.0f} of them to examine it; "
        f"{TARGET_ROWS:,} rows: {reckoned / 2:.0f} s "
        f"on two idle cores (target {TARGET_SECONDS:.0f})"
    )


def repositories(folder: Path, made: list[Path]) -> None:
    """Repositories examined in memory by one process, and from disk by the whole command."""
    held = [{str(f.relative_to(one)): f.read_bytes() for f in one.rglob("*") if f.is_file()} for one in made]
    look_rarely()
    assess(read_repository(tree_of(held[0])))
    started = time.process_time()
    for files in held:
        assess(read_repository(tree_of(files)))
    each = (time.process_time() - started) / len(held)
    python = sum(name.endswith((".py", ".ipynb")) for files in held for name in files) / len(held)
    of_files = f"{sum(map(len, held)) / len(held):.0f} files, {python:.0f} of them Python"
    print(f"{len(held)} repositories of {of_files}, already in memory: {1 / each:.1f} a second and core (target 50)")
    for name, some in (("warm", made[:1]), ("repositories", made)):
        (folder / f"{name}.csv").write_text("path\n" + "".join(f"{one}\n" for one in some))
    run(folder / "warm.csv", "repo", folder / "warm")
    cost = run(folder / "repositories.csv", "repo", folder / "repo", "--workers", "2")
    print(f"  end to end on two workers: {len(held) / cost.wall:.1f} a second by the clock (target 15)")
    print(f"  {cost.cpu / len(held):.3f} s CPU each, the start of the processes included")


def examples(folder: Path, many: int) -> Iterator[tuple[str, list[Path]]]:
    """Made-up repositories: all files Python, or as in public research code, where not half of them are.

    Thirty public repositories of 40 to 60 files had 22 Python files with 148 lines each, pictures, pages and tables.
    """
    yield "all", [repository(folder / f"all{i}", FILES) for i in range(many)]
    mixed = [repository(folder / f"mixed{i}", 22) for i in range(many)]
    for one in mixed:
        for i in range(14):
            (one / f"figure{i}.png").write_bytes(bytes(range(256)) * 200)
        for i in range(6):
            (one / f"notes{i}.md").write_text(f"# Notes {i}\n\n" + "Trained on the data set as described. " * 40)
        for i in range(6):
            (one / f"table{i}.csv").write_text("a,b,c\n" + "1,2,3\n" * 500)
    yield "mixed", mixed


def _repositories(folder: Path, real: Path | None, many: int) -> None:
    found = {"real": [one for one in real.iterdir() if one.is_dir()]} if real else dict(examples(folder, many))
    for name, made in found.items():
        (folder / f"run-{name}").mkdir()
        repositories(folder / f"run-{name}", made)


def memory(folder: Path, sizes: tuple[int, ...]) -> None:
    """The largest that an examining process has been, and the driver, as the number of subjects grows."""
    made = repository(folder / "one", FILES)
    for many in sizes:
        listing = score_rows(folder / f"m{many}.csv", many)
        run(listing, "scores", folder / f"m{many}", "--workers", "2")
        [rows] = asked(folder / f"m{many}", "select max(peak_mb) from timings")
        few = max(1, many // 100)
        (folder / f"k{many}.csv").write_text("path\n" + f"{made}\n" * few)
        run(folder / f"k{many}.csv", "repo", folder / f"k{many}", "--workers", "2")
        [repos] = asked(folder / f"k{many}", "select max(peak_mb) from timings")
        print(f"peak of a worker: {rows:.0f} MB after {many:,} rows of scores", end="")
        print(f", {repos:.0f} MB after {few:,} repositories")


@contextmanager
def dask(folder: Path, workers: int) -> Iterator[tuple[str, Callable[[], float]]]:
    """A scheduler and its workers; the function ends them and gives their CPU seconds."""
    told = folder / f"scheduler-{workers}.json"
    module = [sys.executable, "-m"]
    common = ["--no-dashboard", "--scheduler-file", str(told)]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    here = ["distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0"]
    processes = [subprocess.Popen([*module, *here, *common], **quiet)]
    while not told.exists():
        time.sleep(0.1)
    worker = ["distributed.cli.dask_worker", "--nthreads", "1", "--no-nanny", *common]
    processes += [subprocess.Popen([*module, *worker], **quiet) for _ in range(workers)]

    def end() -> float:
        spent = 0.0
        for process in processes:
            os.kill(process.pid, signal.SIGTERM)  # Popen's own way would take the usage of one that has ended
            _, _, usage = os.wait4(process.pid, 0)
            process.returncode = 0
            spent += usage.ru_utime + usage.ru_stime
        processes.clear()
        return spent

    try:
        yield json.loads(told.read_text())["address"], end
    finally:
        end()


def speedup(folder: Path, many: int) -> None:
    """Wall time with one worker and with two; on a busy machine look at the CPU time, which should not grow."""
    listing = score_rows(folder / "speed.csv", many)
    run(score_rows(folder / "first.csv", 200), "scores", folder / "first")
    one, two = (run(listing, "scores", folder / f"w{w}", "--workers", str(w)) for w in (1, 2))
    _told("this machine", one, two)
    found = []
    for workers in (1, 2):
        with dask(folder, workers) as (address, end):
            run(score_rows(folder / "warm.csv", 200), "scores", folder / f"warm{workers}", "--scheduler", address)
            cost = run(listing, "scores", folder / f"d{workers}", "--scheduler", address)
            found.append(Cost(cost.wall, cost.cpu + end()))
    _told("Dask", *found)


def _told(where: str, one: Cost, two: Cost) -> None:
    print(
        f"{where}: {one.wall:.1f} s with one worker, {two.wall:.1f} s with two: {one.wall / two.wall:.2f} times faster "
        f"(target 1.8); CPU {one.cpu:.1f} and {two.cpu:.1f} s"
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=8000)
    parser.add_argument("--repositories", type=int, default=10)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--only", choices=("scores", "repositories", "memory", "speedup"))
    given = parser.parse_args()
    rows = TARGET_ROWS if given.full else given.rows
    print(machine())
    print(f"load {os.getloadavg()[0]:.1f} before the start")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # byte code is warm when measuring begins
    parts: dict[str, Callable[[Path], None]] = {
        "scores": lambda folder: scores(folder, rows),
        "repositories": lambda folder: _repositories(folder, given.folder, given.repositories),
        "memory": lambda folder: memory(folder, (100, 10_000, 100_000) if given.full else (100, given.rows)),
        "speedup": lambda folder: speedup(folder, 100_000 if given.full else given.rows),
    }
    for name, part in parts.items():
        if given.only in (None, name):
            with tempfile.TemporaryDirectory() as place:
                os.environ["PYTHONPYCACHEPREFIX"] = f"{place}/bytecode"
                part(Path(place))


if __name__ == "__main__":
    main()

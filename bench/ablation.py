"""What the ablation engine adds to each run, and what two workers gain.

    python bench/ablation.py

The command of a run is a Python that sleeps for a known time and prints one metric, so that all else is overhead:
the start of the interpreter, the configuration, the temporary folder, the stored result.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from assay.ablation.configuration import Configuration, FileFormat
from assay.ablation.design import runs_of
from assay.ablation.plan import Alternative, Item, Plan
from assay.ablation.running import execute
from assay.ablation.store import Store

RUNS = 40
SLEEP = 0.2
_PROGRAM = "import sys, time; time.sleep({}); print('{{\"score\": 1}}')"


def plan(folder: Path, sleep: float) -> Plan:
    """A plan of so many runs: one item with one alternative, half as many seeds."""
    base = Configuration("base", FileFormat.JSON, {"key": 0})
    items = (Item("item", "0", (Alternative("1", {"key": 1}),)),)
    command = ("{python}", "-IS", "-c", _PROGRAM.format(sleep), "{config}", "{seed}")
    return Plan("bench", base, command, items, tuple(range(RUNS // 2)), folder)


def seconds(sleep: float, workers: int, folder: Path) -> tuple[float, float]:
    """How long a series takes from nothing, and when all of it is stored."""
    wanted = plan(folder, sleep)
    store = Store(folder / f"runs-{sleep}-{workers}", wanted)
    taken = []
    for _ in range(2):
        began = time.perf_counter()
        made = list(execute(wanted, runs_of(wanted), store, workers=workers))
        taken.append(time.perf_counter() - began)
        assert len(made) == RUNS
    return taken[0], taken[1]


def bare() -> float:
    """How long the same Python takes to start and stop without the engine."""
    began = time.perf_counter()
    for _ in range(RUNS):
        subprocess.run([sys.executable, "-IS", "-c", _PROGRAM.format(0)], check=True, capture_output=True)
    return (time.perf_counter() - began) / RUNS


def main() -> None:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        start = bare()
        one, stored = seconds(0, 1, folder)
        print(f"interpreter alone      {1000 * start:6.1f} ms a run")
        print(
            f"through the engine     {1000 * one / RUNS:6.1f} ms a run, {1000 * (one / RUNS - start):.1f} ms of it ours"
        )
        print(f"stored already         {1000 * stored / RUNS:6.2f} ms a run")
        slow, fast = (seconds(SLEEP, workers, folder)[0] for workers in (1, 2))
        print(
            f"{RUNS} runs of {SLEEP} s: 1 worker {slow:.1f} s, 2 workers {fast:.1f} s, {slow / fast:.2f} times as fast"
        )


if __name__ == "__main__":
    main()

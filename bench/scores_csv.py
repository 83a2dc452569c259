"""A long results table at once: so many mixed checks from one CSV file, read, checked and reported.

    python bench/scores_csv.py [--checks N] [--workers N]

The rows are one-set checks of straight and of curved scores at sizes from 1 to 10^9, means over known and
over unknown folds; nine in ten are honest, one has a misprint. The whole command is
timed, processes included: `assay scores check table.csv --quick`. The target is 60 seconds for 10,000 on two cores.
"""

from __future__ import annotations

import argparse
import csv
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from honest import ANY, LINEAR, folds, one_test_set

ASSAY = str(Path(sys.executable).parent / "assay")
TARGET = 60.0
KINDS = {
    "one test set": (0.80, one_test_set),
    "known folds, linear scores": (0.10, lambda rng: folds(rng, LINEAR, known=True)),
    "unknown folds, linear scores": (0.06, lambda rng: folds(rng, LINEAR, known=False)),
    "known folds, any scores": (0.04, lambda rng: folds(rng, ANY, known=True)),
}


def misprinted(words: list[str], rng: random.Random) -> list[str]:
    """One digit of one score replaced by another."""
    place = rng.choice([i for i, word in enumerate(words) if "=0." in word] or [len(words) - 1])
    name, _, figure = words[place].partition("=")
    if not figure.startswith("0."):
        return words
    digit = rng.randrange(figure.index(".") + 1, len(figure))
    return [*words[:place], f"{name}={figure[:digit]}{rng.randrange(10)}{figure[digit + 1 :]}", *words[place + 1 :]]


def rows(checks: int, rng: random.Random) -> list[dict[str, str]]:
    """So many experiments, kinds mixed."""
    makers, shares = [make for _, make in KINDS.values()], [share for share, _ in KINDS.values()]
    found: list[dict[str, str]] = []
    while len(found) < checks:
        words = rng.choices(makers, shares)[0](rng)
        if words:
            words = misprinted(words, rng) if rng.random() < 0.1 else words
            found.append({"name": f"row {len(found) + 1}", **dict(word.split("=", 1) for word in words)})
    return found


def cpu_of_children() -> float:
    """CPU seconds of all child processes that have ended, and of theirs."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def main() -> int:
    parser = argparse.ArgumentParser(description="Time a long table of score checks.")
    parser.add_argument("--checks", type=int, default=10_000)
    parser.add_argument("--workers", type=int, default=min(2, os.cpu_count() or 1))
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        table, report = Path(folder) / "table.csv", Path(folder) / "report.csv"
        made = rows(asked.checks, random.Random(1))
        with table.open("w", newline="") as file:
            writer = csv.DictWriter(file, list(dict.fromkeys(key for row in made for key in row)))
            writer.writeheader()
            writer.writerows(made)
        command = [ASSAY, "scores", "check", str(table), "--quick", "--workers", str(asked.workers)]
        before, used = time.monotonic(), cpu_of_children()
        done = subprocess.run([*command, "--output", str(report)], check=False, capture_output=True, text=True)
        seconds, used = time.monotonic() - before, cpu_of_children() - used
        if done.returncode not in (0, 1):
            print(done.stderr, file=sys.stderr)
            return done.returncode
        with report.open(newline="") as file:
            verdicts = Counter(row["verdict"] for row in csv.DictReader(file) if row["kind"] == "judgement")
    told = ", ".join(f"{count:,} {verdict}" for verdict, count in verdicts.most_common())
    print(f"{asked.checks:,} checks with {asked.workers} processes: {seconds:.1f} s, {used:.1f} s CPU in all ({told})")
    busy = " (the machine is busy: go by CPU)" if os.getloadavg()[0] > 1.5 * asked.workers else ""
    print(f"{'met' if seconds <= TARGET * asked.checks / 10_000 else 'MISSED'}: the target is 60 s for 10,000{busy}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

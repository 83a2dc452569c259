"""How long the slide pipeline takes, and whether a slide split leaks in the synthetic world.

    python bench/slides.py            `small` and `default` from nothing, and once more with what was kept
    python bench/slides.py leak       patient split against slide split, with and without patient effects

CPU seconds count all processes; on two idle cores the wall clock shows a little more than half of them.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from startup import ASSAY, machine

from assay.slides.configuration import read_configuration
from assay.slides.run import Run, run
from assay.slides.world import make_world

TARGETS = {"small": 20.0, "default": 180.0}
"""Seconds on two idle cores."""
SPLITS = range(8)


def timed(*arguments: str) -> tuple[float, float]:
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([ASSAY, "slides", "run", *arguments], check=True, capture_output=True)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def speed(folder: Path) -> None:
    print(f"{'seconds':<46}{'wall':>8}{'CPU':>8}   load {os.getloadavg()[0]:.1f}")
    for name, target in TARGETS.items():
        out = folder / name
        wall, cpu = timed(name, "--out", str(out))
        print(f"{name + ', from nothing':<46}{wall:>8.1f}{cpu:>8.1f}   target {target:g} s wall", flush=True)
        common = ["--data", str(out / "data"), "--cache", str(out / "cache"), "--workers", "1"]
        wall, cpu = timed(name, "--out", str(folder / f"{name}-again"), "--seed", "1", *common)
        print(f"{name + ', another seed, slides and patches kept':<46}{wall:>8.1f}{cpu:>8.1f}", flush=True)


def leak(folder: Path) -> None:
    """Test scores by patient and by slide split; the slides of `small` with twice as many patients."""
    print(f"{'':<28}{'patch PR-AUC':>14}{'slide AUC':>12}   means over {len(SPLITS)} splits")
    for effect in (1.0, 0.0):
        base = {"data.world.patients": 24, "data.world.patient_effect": effect, "metrics.resamples": 0}
        data = folder / f"effect{effect:g}"
        make_world(data, read_configuration("small", base).data.world, workers=2)
        for unit in ("patient", "slide"):
            found = []
            for split in SPLITS:
                changes = {"split.unit": unit, "split.accept_leakage": unit == "slide", "split.seed": split}
                configuration = read_configuration("small", base | changes)
                out = folder / f"{effect:g}-{unit}-{split}"
                done = run(Run(configuration, "", out, data, folder / "cache", 2)).evaluation
                assert done is not None
                found.append([done.metrics()["test"][m] for m in ("patch_pr_auc", "slide_auc")])
            patch, slide = np.mean(found, axis=0)
            print(f"patient effect {effect:g}, by {unit:<10}{patch:>12.3f}{slide:>12.3f}", flush=True)


def main() -> None:
    print(machine(), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        (leak if "leak" in sys.argv[1:] else speed)(Path(folder))


if __name__ == "__main__":
    main()

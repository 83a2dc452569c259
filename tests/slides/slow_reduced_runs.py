"""What takes too long for every day: the reduced configurations of three papers, run whole, and memory: `make slow`."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from assay.slides.configuration import read_configuration
from assay.slides.run import Run, run


@pytest.mark.parametrize("name", ["wang", "lee", "liu"])
def test_a_reduced_run_ends_with_measures_of_every_set(name: str, tmp_path: Path) -> None:
    configuration = read_configuration(f"{name}-reduced")
    outcome = run(Run(configuration, "", tmp_path / "run"))
    assert outcome.evaluation is not None
    measured = outcome.evaluation.metrics()
    assert set(measured) == set(configuration.metrics.sets)
    assert all({"slide_auc", "patch_accuracy"} <= found.keys() for found in measured.values())
    assert (tmp_path / "run" / "manifest.json").exists()


_TRAIN = """
import os, resource, sys
from pathlib import Path
from assay.slides.cache import Cache
from assay.slides.configuration import read_configuration
from assay.slides.patch_model import Lesson, learn
from assay.slides.pipeline import begin
from assay.slides.training_sample import pool_of
from assay.slides.world import make_world

folder, patches, budget = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
changes = {
    "data.world": {"patients": 4, "slides_per_patient": 1, "side": 4096, "um_per_pixel": 2.0, "levels": 4},
    "split.train": 0.5, "split.validation": 0.25, "patches.size": 64, "patches.stride": 16, "heatmap.stride": 64,
    "patches.per_class": patches // 2, "patches.replacement": True, "classifier.architecture": "cnn",
    "classifier.width": 4, "classifier.batch": 64, "classifier.epochs": 1, "mining.rounds": 0,
}
configuration = read_configuration("small", changes)
make_world(folder / "data", configuration.data.world)
start = begin(configuration, folder / "data", folder / "cache")
nobody = pool_of(start.slides, dict.fromkeys(start.sets, "train"), configuration, "validation")
import torch
now = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (now + 448 * 2**20,) * 2)
lesson = Lesson(configuration, start.pool, nobody, start.chosen, start.template, 1, budget)
assert len(start.chosen) == patches
learn(lesson, Cache(folder / f"learnt-{os.getpid()}"))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""
"""Trains with at most 448 MiB more than the process had before. Pixels of 40,000 patches are 469 MiB."""


@pytest.mark.skipif(sys.platform != "linux", reason="the size of the process is read from /proc")
def test_memory_does_not_grow_with_the_patches(tmp_path: Path) -> None:
    def trained(patches: int, megabytes: int) -> subprocess.CompletedProcess[str]:
        arguments = [str(tmp_path), str(patches), str(megabytes * 2**20)]
        return subprocess.run([sys.executable, "-c", _TRAIN, *arguments], capture_output=True, text=True, check=False)

    trained(4_000, 16)  # makes the slides, which takes more memory than to read them
    few, many, held = trained(4_000, 16), trained(40_000, 16), trained(40_000, 1_024)
    assert few.returncode == many.returncode == 0, few.stderr + many.stderr
    assert int(many.stdout) < int(few.stdout) + 64, "ten times as many patches"
    assert re.search("MemoryError|Unable to allocate|can't allocate", held.stderr), "the limit binds"

"""A run from configuration to measures, resumable at every step."""

from __future__ import annotations

import time
from dataclasses import field
from pathlib import Path

from assay.extras import require
from assay.findings import Figure
from assay.records import dataclass
from assay.slides.configuration import Configuration
from assay.slides.environment import environment
from assay.slides.evaluation import Conventions, Evaluation, evaluate
from assay.slides.pictures import slide_pictures
from assay.slides.pipeline import Tracker, begin, finish, untracked
from assay.slides.reading import read_cohort
from assay.slides.run_folder import open_run, write_manifest, write_result, write_start
from assay.slides.storage import stored_safely, write_json
from assay.slides.world import make_world


@dataclass(frozen=True)
class Run:
    """Where a run reads, writes and keeps its steps. Without `data`, synthetic slides are made in the run's folder."""

    configuration: Configuration
    text: str
    """The configuration as its file has it."""
    out: Path
    data: Path | None = None
    cache: Path | None = None
    workers: int = 1
    track: Tracker = field(default=untracked)
    pictures: bool = False
    """Whether slides are drawn: a run whose report shows no picture does without."""

    @property
    def kept(self) -> Path:
        """The folder of finished steps."""
        return self.cache or self.out / "cache"


@dataclass(frozen=True)
class Outcome:
    """What a run gave; no evaluation when it stopped before training."""

    evaluation: Evaluation | None
    notes: tuple[str, ...]
    pictures: tuple[Figure, ...] = ()


def run(task: Run, *, counts_only: bool = False) -> Outcome:
    """Run everything, or all up to the training sample. What was finished before is not done again."""
    configuration, began = task.configuration, time.perf_counter()
    _require_packages(configuration)
    if task.data is not None:
        read_cohort(task.data)  # most slips are here: they are told before anything is written
    with stored_safely(task.out):
        open_run(task.out, configuration, task.text)
        data = task.data or task.out / "data"
        if task.data is None:
            make_world(data, configuration.data.world, task.workers, task.track)
        start = begin(configuration, data, task.kept, task.workers, task.track)
        write_start(task.out, start)
        if counts_only:
            return Outcome(None, start.notes)
        prepared = round(time.perf_counter() - began, 3)
        result = finish(start, task.kept, task.workers, task.track)
        write_result(task.out, start, result)
        found = _evaluated(task)
        write_json(task.out / "metrics.json", found.metrics())
        seconds = {"slides and patches": prepared, **result.seconds}
        record = environment(configuration.classifier.architecture, task.workers)
        write_json(task.out / "environment.json", record | {"seconds": seconds})
        write_manifest(task.out)
        picture = slide_pictures(start, result) if task.pictures else None
    return Outcome(found, start.notes, (picture,) if picture else ())


def _require_packages(configuration: Configuration) -> None:
    """What the choices need beyond the slides extra, said before hours of work and not after them."""
    if configuration.classifier.architecture != "light":
        require("torch")
    if configuration.slide.model == "xgboost":
        require("xgboost")


def _evaluated(task: Run) -> Evaluation:
    choice, split = task.configuration.metrics, task.configuration.split
    return evaluate(
        task.out / "predictions",
        sets=choice.sets,
        threshold=choice.threshold,
        resamples=choice.resamples,
        seed=choice.seed,
        conventions=Conventions(choice.kappa_order, choice.kappa_weights, choice.froc_slides),
        shared_patients=split.accept_leakage,
    )

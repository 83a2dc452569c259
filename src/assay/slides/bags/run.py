"""A run on bags: read, split, train, predict, measure. The folder is that of a patch pipeline, without patches."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.records import dataclass
from assay.slides.bags.attention import BagLearner, BagSet, Said, train
from assay.slides.bags.synthetic import make_bags
from assay.slides.bags.table import Bag, read_bags
from assay.slides.cache import fingerprint
from assay.slides.classifier.epochs import Epoch
from assay.slides.configuration.bag_steps import BagConfiguration
from assay.slides.division import divided
from assay.slides.environment import environment
from assay.slides.evaluation import Evaluation, Settings, Task, evaluate_task
from assay.slides.pipeline import Tracker, untracked
from assay.slides.reading.feature_files import Features, read_features
from assay.slides.run import Outcome
from assay.slides.run_folder import csv_bytes, number, open_run, write_manifest
from assay.slides.storage import stored_safely, write_arrays, write_bytes, write_json


@dataclass(frozen=True)
class BagRun:
    """Where a run on bags reads and writes. Without `data`, bags of synthetic slides are made in the run's folder."""

    configuration: BagConfiguration
    text: str
    out: Path
    data: Path | None = None
    workers: int = 1
    track: Tracker = untracked


@dataclass(frozen=True)
class Loaded:
    """All bags of a table, divided and scaled."""

    table: tuple[Bag, ...]
    sets: Mapping[str, str]
    classes: tuple[str, ...]
    features: tuple[Features, ...]

    def only(self, name: str) -> BagSet:
        """The bags of one set."""
        places = [place for place, bag in enumerate(self.table) if self.sets[bag.slide] == name]
        labels = np.array([self.classes.index(self.table[place].label) for place in places], np.int64)
        return BagSet([self.features[place] for place in places], labels)


def run_bags(task: BagRun) -> Outcome:
    """Run everything; the evaluation, and what a reader of it should know."""
    configuration, began = task.configuration, time.perf_counter()
    if task.data is not None:
        read_bags(task.data)  # most slips are here: they are reported before anything is written
    with stored_safely(task.out):
        open_run(task.out, configuration, task.text)
        data = task.data or task.out / "data"
        if task.data is None:
            make_bags(data, configuration.data.synthetic, task.workers, task.track)
        loaded, notes = load(data, configuration, task.track)
        learner, history = _trained(loaded, configuration)
        said = [learner.say(bag) for bag in loaded.features]
        _write(task.out, loaded, learner, history, said)
        found = _evaluated(task.out, loaded, configuration)
        write_json(task.out / "metrics.json", found.metrics())
        record = environment("attention", task.workers)
        write_json(task.out / "environment.json", record | {"seconds": {"all": round(time.perf_counter() - began, 3)}})
        write_manifest(task.out)
    return Outcome(found, notes)


def load(data: Path, configuration: BagConfiguration, track: Tracker = untracked) -> tuple[Loaded, tuple[str, ...]]:
    """Read every bag, divide the slides, and scale the features by the training slides."""
    table = read_bags(data)
    classes = tuple(sorted({bag.label for bag in table}))
    strata: dict[str, int] = {}
    for bag in table:
        strata[bag.patient] = max(strata.get(bag.patient, 0), classes.index(bag.label))
    sets = divided(table, configuration.split, strata, data / "bags.csv")
    _refuse_copies(table, sets, configuration)
    features = [read_features(bag.features).features for bag in track(table, len(table), "reading features")]
    widths = {one.shape[1] for one in features}
    if len(widths) > 1:
        told = f"slides have {' and '.join(map(str, sorted(widths)))} features"
        raise InputError(told, where=str(data), fix="Extract all of them with one encoder.")
    trained = [one for one, bag in zip(features, table, strict=True) if sets[bag.slide] == "train"]
    missing = set(classes) - {bag.label for bag in table if sets[bag.slide] == "train"}
    if missing:
        fix = "Give the split more patients, or another seed."
        raise InputError(f'no training slide has the label "{min(missing)}"', where=str(data), fix=fix)
    if configuration.encoder.scaling == "training":
        features = _scaled(features, trained)
    leak = "split.accept_leakage is set: scores may be inflated by leakage (L3.2)"
    return Loaded(table, sets, classes, tuple(features)), (leak,) if configuration.split.accept_leakage else ()


def _refuse_copies(table: Sequence[Bag], sets: Mapping[str, str], configuration: BagConfiguration) -> None:
    """The same file of features in two sets is the same slide in two sets."""
    if configuration.split.accept_leakage:
        return
    first: dict[str, Bag] = {}
    for bag in table:
        if not bag.features.is_file():
            continue
        twin = first.setdefault(fingerprint(bag.features), bag)
        if sets[twin.slide] != sets[bag.slide]:
            both = " and ".join(f'"{one.slide}" ({sets[one.slide]})' for one in (twin, bag))
            fix = "Keep one of them; split.accept_leakage = true runs it all the same (L3.2)."
            raise InputError(f"{both} have the same features: leakage L3.2 (assay explain L3.2)", fix=fix)


def _scaled(features: Sequence[Features], trained: Sequence[Features]) -> list[Features]:
    count = sum(map(len, trained))
    centre = sum(one.sum(axis=0, dtype=np.float64) for one in trained) / count
    square = sum(((one - centre) ** 2).sum(axis=0) for one in trained) / count
    spread = np.maximum(np.sqrt(square), 1e-6)
    return [((one - centre) / spread).astype(np.float32) for one in features]


def _trained(loaded: Loaded, configuration: BagConfiguration) -> tuple[BagLearner, list[Epoch]]:
    choice, classes = configuration.attention, len(loaded.classes)
    learner = BagLearner(choice, loaded.features[0].shape[1], classes, configuration.seed + choice.seed)
    return learner, train(learner, loaded.only("train"), loaded.only("validation"), choice, classes)


def _evaluated(out: Path, loaded: Loaded, configuration: BagConfiguration) -> Evaluation:
    choice = configuration.metrics
    task = Task.BINARY if len(loaded.classes) == 2 else Task.CLASSES
    settings = Settings(choice.threshold, (), choice.resamples, choice.seed)
    there = [name for name in choice.sets if name in loaded.sets.values()]
    shared = configuration.split.accept_leakage
    return evaluate_task(out / "predictions", task, settings, sets=there, shared_patients=shared)


def _write(out: Path, loaded: Loaded, learner: BagLearner, history: Sequence[Epoch], said: Sequence[Said]) -> None:
    sets = (
        (bag.slide, bag.patient, loaded.sets[bag.slide], len(one))
        for bag, one in zip(loaded.table, loaded.features, strict=True)
    )
    write_bytes(out / "counts.csv", csv_bytes(("slide", "patient", "set", "patches"), sets))
    epochs = ((e.number, number(e.loss), number(e.accuracy)) for e in history)
    write_bytes(out / "training.csv", csv_bytes(("epoch", "validation_loss", "validation_accuracy"), epochs))
    write_arrays(out / "classifier.npz", learner.state())
    weights = {bag.slide: one.weights for bag, one in zip(loaded.table, said, strict=True)}
    write_arrays(out / "attention.npz", weights)
    columns = (
        "case",
        "patient",
        "set",
        "truth",
        *(("score",) if len(loaded.classes) == 2 else ("predicted", "confidence")),
    )
    rows = (
        (bag.slide, bag.patient, loaded.sets[bag.slide], *_predicted(bag, one.probabilities, loaded.classes))
        for bag, one in zip(loaded.table, said, strict=True)
    )
    write_bytes(out / "predictions" / "cases.csv", csv_bytes(columns, rows))


def _predicted(bag: Bag, probabilities: NDArray[np.float64], classes: Sequence[str]) -> tuple[Any, ...]:
    """With two classes the second by name is the positive one, as the report says; else the class with most of it."""
    if len(classes) == 2:
        return classes.index(bag.label), f"{probabilities[1]:.6f}"
    best = int(probabilities.argmax())
    return bag.label, classes[best], f"{probabilities[best]:.6f}"

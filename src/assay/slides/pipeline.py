"""The pipeline, from a folder of slides to a folder that holds every choice, count and prediction.

It reads like section 3 of Fell et al. (2022): split, patches, sample, training, heat maps, slides, lesions, patients.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError, suggestion
from assay.records import dataclass
from assay.slides.cache import Cache
from assay.slides.configuration import Configuration
from assay.slides.counts import SlideCounts
from assay.slides.division import divide, train_share
from assay.slides.duplicates import refuse_duplicates
from assay.slides.heatmap import HeatMap, heat_map
from assay.slides.lesions import Detection, detections
from assay.slides.parallel import each
from assay.slides.patch_model import Lesson, Trained, learn, probabilities
from assay.slides.preparation import Prepared, Task, prepare, template_palette
from assay.slides.reading import Cohort, Entry, read_cohort
from assay.slides.regions import components
from assay.slides.slide_model import SlidePredictions, classify, slide_features
from assay.slides.stain import Palette
from assay.slides.training_sample import Indices, Pool, pool_of, sample
from assay.slides.vocabulary import SETS, class_of_length, stage_of

Tracker = Callable[[Iterable[Any], int, str], Iterator[Any]]
"""Shows progress: the same items, with their number and a label."""


def untracked(items: Iterable[Any], total: int, label: str) -> Iterator[Any]:
    """No progress shown."""
    del total, label
    yield from items


@dataclass(frozen=True)
class Start:
    """All that is settled before anything is trained."""

    configuration: Configuration
    cohort: Cohort
    sets: dict[str, str]
    slides: tuple[Prepared, ...]
    template: Palette | None
    pool: Pool
    chosen: Indices
    notes: tuple[str, ...]

    def counts(self) -> list[SlideCounts]:
        """Patches by slide and class."""
        taken = self.pool.counts(self.chosen)
        everything = _all_counts(self.slides, self.configuration)
        return [
            SlideCounts(
                s.entry.slide,
                self.sets[s.entry.slide],
                int(everything[i, 1]),
                int(everything[i, 0]),
                int(taken[i, 1]),
                int(taken[i, 0]),
                len(s.inference.tiles),
            )
            for i, s in enumerate(self.slides)
        ]


@dataclass(frozen=True)
class PatientResult:
    """A patient: the stage that is known and the stage that the slides give."""

    patient: str
    set: str
    stage: str
    predicted: str


@dataclass(frozen=True)
class Result:
    """Everything that came out, in the order of `Start.slides`."""

    trained: Trained
    probabilities: tuple[NDArray[np.float32], ...]
    heats: tuple[HeatMap, ...]
    slides: SlidePredictions
    lesions: tuple[tuple[Detection, ...], ...]
    patients: tuple[PatientResult, ...]
    seconds: dict[str, float]


def begin(configuration: Configuration, data: Path, cache: Path, workers: int = 1, track: Tracker = untracked) -> Start:
    """Read the tables, divide the slides, prepare each of them, and draw the training sample."""
    cohort = read_cohort(data)
    sets = divide(cohort, configuration.split)
    refuse_duplicates(cohort.entries, sets, configuration.split, Cache(cache))
    template = template_palette(_template_entry(cohort, sets, configuration), configuration)
    tasks = [Task(entry, configuration, template, cache) for entry in cohort.entries]
    slides = tuple(track(each(prepare, tasks, workers), len(tasks), "reading slides"))
    notes = tuple(_notes(slides, configuration))
    pool = pool_of(slides, sets, configuration, "train")
    return Start(
        configuration,
        cohort,
        sets,
        slides,
        template,
        pool,
        sample(pool, configuration),
        notes,
    )


def finish(start: Start, cache: Path, workers: int = 1, track: Tracker = untracked) -> Result:
    """Train, and predict everything."""
    configuration, kept, watch = start.configuration, Cache(cache), _Watch()
    validation = pool_of(start.slides, start.sets, configuration, "validation")
    lesson = Lesson(configuration, start.pool, validation, start.chosen, start.template, workers)
    trained = learn(lesson, kept)
    watch.note("training")
    told = tuple(
        probabilities(trained, prepared, configuration, start.template, kept)
        for prepared in track(start.slides, len(start.slides), "predicting patches")
    )
    watch.note("predicting patches")
    heats = tuple(_heat(s, p, configuration) for s, p in zip(start.slides, told, strict=True))
    choice = configuration.slide
    predicted = classify(
        slide_features(heats, choice),
        heats,
        [s.entry.kind for s in start.slides],
        np.array([start.sets[s.entry.slide] in choice.trained_on.split("-and-") for s in start.slides]),
        choice,
        seed=configuration.seed + choice.seed,
    )
    watch.note("slides")
    if configuration.patient.slide_classes == "largest-lesion":
        predicted = replace(predicted, classes=tuple(_class_by_length(h, configuration) for h in heats))
    lesions = tuple(tuple(detections(h, configuration.lesions)) for h in heats)
    watch.note("lesions")
    patients = tuple(_patients(start, predicted)) if configuration.patient.done else ()
    return Result(trained, told, heats, predicted, lesions, patients, watch.seconds)


def held_out(start: Start, prepared: Prepared) -> NDArray[np.bool_]:
    """Which patches of the inference grid did not train. When patches are divided, only those may be measured."""
    tiles, split = prepared.inference.tiles, start.configuration.split
    if split.unit != "patch":
        return np.ones(len(tiles), bool)
    grid = prepared.training.tiles
    trains = train_share(prepared.entry.slide, len(grid), split)
    used = {(int(x), int(y)) for x, y in zip(grid.x[trains], grid.y[trains], strict=True)}
    return np.array([(int(x), int(y)) not in used for x, y in zip(tiles.x, tiles.y, strict=True)], bool)


def _template_entry(cohort: Cohort, sets: dict[str, str], configuration: Configuration) -> Entry:
    """The slide whose colours are the aim. Never a test slide unless it is asked for by name."""
    named = configuration.stain.template
    by_name = {entry.slide: entry for entry in cohort.entries}
    if not named:
        return next(entry for entry in cohort.entries if sets[entry.slide] == "train")
    if named not in by_name:
        fix = suggestion(named, by_name) or "Name a slide of slides.csv."
        raise InputError(f'stain.template "{named}" is no slide', where=str(cohort.folder), fix=fix)
    return by_name[named]


def _notes(slides: Sequence[Prepared], configuration: Configuration) -> Iterator[str]:
    """What a reader of the results should know."""
    empty = [s.entry.slide for s in slides if not len(s.inference.tiles)]
    if len(empty) == len(slides):
        fix = "Check tissue.channel, tissue.threshold and patches.minimum_tissue."
        raise InputError("no slide shows any tissue", fix=fix)
    if empty:
        yield f"{len(empty)} slides show no tissue and count with an empty heat map: {', '.join(empty[:5])}"
    if configuration.split.accept_leakage:
        yield "split.accept_leakage is set: scores may be inflated by leakage (L3.2)"
    choice = configuration.classifier
    if (choice.monitor == "validation-loss") == (choice.direction == "largest") and choice.keep == "best":
        yield f"the model kept is the worst seen: the one with the {choice.direction} {choice.monitor}"


def _all_counts(slides: Sequence[Prepared], configuration: Configuration) -> NDArray[np.int64]:
    whole = pool_of(slides, dict.fromkeys([s.entry.slide for s in slides], "all"), _undivided(configuration), "all")
    return whole.counts(np.arange(len(whole)))


def _undivided(configuration: Configuration) -> Configuration:
    return configuration.model_copy(update={"split": configuration.split.model_copy(update={"unit": "slide"})})


def _heat(prepared: Prepared, told: NDArray[np.float32], configuration: Configuration) -> HeatMap:
    size = (prepared.width, prepared.height, prepared.um_per_pixel)
    return heat_map(prepared.inference.tiles, told, prepared.scale, configuration.heatmap, size)


def _class_by_length(heat: HeatMap, configuration: Configuration) -> str:
    parts = components(heat, configuration.lesions.threshold, configuration.lesions.connectivity)
    return class_of_length(max((part.axes()[0] for part in parts), default=0.0) * heat.cell_um / 1000)


def _patients(start: Start, predicted: SlidePredictions) -> Iterator[PatientResult]:
    """The stage of each patient; one whose slides lie in several sets is staged from those of the latest set."""
    found: dict[str, list[tuple[str, str]]] = {}
    for prepared, kind in zip(start.slides, predicted.classes, strict=True):
        found.setdefault(prepared.entry.patient, []).append((start.sets[prepared.entry.slide], kind))
    for patient, slides in sorted(found.items()):
        last = max((s for s, _ in slides), key=SETS.index)
        if patient in start.cohort.stages:
            yield PatientResult(
                patient, last, start.cohort.stages[patient], stage_of(k for s, k in slides if s == last)
            )


class _Watch:
    """Seconds spent since the last note."""

    def __init__(self) -> None:
        self._last = time.perf_counter()
        self.seconds: dict[str, float] = {}

    def note(self, name: str) -> None:
        now = time.perf_counter()
        self.seconds[name] = round(now - self._last, 3)
        self._last = now

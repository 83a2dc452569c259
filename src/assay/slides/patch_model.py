"""Training the patch classifier: first on the sample, then on what it got wrong."""

from __future__ import annotations

import hashlib
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.records import dataclass
from assay.slides.augmentation import changes_pixels, for_training
from assay.slides.cache import Cache, code_of, fingerprint, key_of
from assay.slides.classifier.cnn import CnnLearner
from assay.slides.classifier.epochs import Epoch, Learner, State, Watch, train
from assay.slides.classifier.light import LightLearner, light_probabilities
from assay.slides.configuration import Configuration
from assay.slides.features import features_of
from assay.slides.parallel import each
from assay.slides.patch_source import BUDGET, Inputs, PatchSource, parts
from assay.slides.preparation import Prepared, choices, read_stack
from assay.slides.seeds import generator
from assay.slides.stain import Palette
from assay.slides.training_sample import Indices, Pool, watched, with_hard_negatives

_LEARNING = (
    *("patch_model", "patch_source", "training_sample", "division"),
    *(f"classifier/{name}" for name in ("light", "cnn", "networks", "epochs")),
)


@dataclass(frozen=True)
class Trained:
    """A trained patch classifier, how its training went, and how many hard negatives each slide gave."""

    key: str
    state: State
    epochs: tuple[Epoch, ...]
    mined: NDArray[np.int64]


@dataclass(frozen=True)
class Lesson:
    """All that training needs."""

    configuration: Configuration
    pool: Pool
    validation: Pool
    chosen: Indices
    template: Palette | None
    workers: int
    budget: int = BUDGET


def learn(lesson: Lesson, cache: Cache) -> Trained:
    """The trained classifier, from the cache if it is there."""
    configuration = lesson.configuration
    made = [choices(s) for s in (configuration.augmentation, configuration.classifier, configuration.mining)]
    drawn = [_digest(a) for a in (lesson.chosen, lesson.pool.labels, lesson.validation.labels)]
    start = fingerprint(Path(configuration.classifier.weights)) if configuration.classifier.weights else ""
    grids = [[s.entry.slide, s.training.key] for s in lesson.pool.slides]
    key = key_of(
        code_of(*_LEARNING), configuration.seed, made, start, drawn, grids, _pick(lesson.pool), _pick(lesson.validation)
    )
    stored = cache.arrays("classifier", key, lambda: _learnt(lesson))
    history = tuple(Epoch(int(n), float(loss), float(hits)) for n, loss, hits in stored.pop("history"))
    return Trained(key, stored, history, stored.pop("mined"))


def _pick(pool: Pool) -> list[str]:
    return [_digest(pool.owner), _digest(pool.tile)]


def _digest(array: NDArray[Any]) -> str:
    """Of an array that may be far too long to write down."""
    return hashlib.sha256(np.ascontiguousarray(array).data).hexdigest()


def probabilities(
    trained: Trained, prepared: Prepared, configuration: Configuration, template: Palette | None, cache: Cache
) -> NDArray[np.float32]:
    """What the classifier says of every patch of the inference grid."""
    if configuration.classifier.architecture == "light":
        return light_probabilities(trained.state, prepared.inference.features)

    def look() -> dict[str, NDArray[np.float32]]:
        learner = CnnLearner(configuration.classifier, configuration.augmentation, configuration.seed)
        learner.restore(trained.state)
        tiles = prepared.inference.tiles

        def read(chosen: Indices) -> NDArray[np.uint8]:
            return read_stack(prepared.entry, tiles.only(chosen), configuration, template)

        return {"probabilities": learner.probabilities(PatchSource(read, len(tiles), configuration.patches.size))}

    key = key_of(trained.key, prepared.inference.key)
    return cache.arrays("probabilities", key, look)["probabilities"]


def _learnt(lesson: Lesson) -> dict[str, NDArray[Any]]:
    configuration = lesson.configuration
    choice, mining = configuration.classifier, configuration.mining
    chosen = lesson.chosen
    inputs = _inputs(lesson, lesson.pool, chosen, training=True)
    watch = _watch(lesson)
    learner = _learner(lesson, inputs)
    history = train(learner, inputs, lesson.pool.labels[chosen], watch, choice, epochs=choice.epochs)
    mined = np.zeros(len(lesson.pool.slides), np.int64)
    rng = generator(configuration.seed, choice.seed, "mining")
    for _ in range(mining.rounds if mining.done else 0):
        negatives = np.flatnonzero(~lesson.pool.labels)
        told = _probabilities(learner, lesson, negatives)
        chosen, hard = with_hard_negatives(chosen, negatives, told, mining, rng)
        mined += np.bincount(lesson.pool.owner[hard], minlength=len(mined))
        if not len(hard):
            break
        inputs = _inputs(lesson, lesson.pool, chosen, training=True)
        restart = mining.training == "restart"
        learner = _learner(lesson, inputs) if restart else learner
        epochs = choice.epochs if restart else mining.epochs
        labels = lesson.pool.labels[chosen]
        history += train(learner, inputs, labels, watch, choice, epochs=epochs, first=len(history) + 1)
    table = np.array([[e.number, e.loss, e.accuracy] for e in history])
    return {**learner.state(), "history": table, "mined": mined}


def _learner(lesson: Lesson, inputs: Inputs) -> Learner:
    configuration = lesson.configuration
    seed = configuration.seed + configuration.classifier.seed
    if configuration.classifier.architecture == "light":
        return LightLearner(configuration.classifier, seed, np.asarray(inputs))
    return CnnLearner(configuration.classifier, configuration.augmentation, seed)


def _watch(lesson: Lesson) -> Watch | None:
    chosen = watched(lesson.validation, lesson.configuration)
    if not len(chosen):
        return None
    return Watch(_inputs(lesson, lesson.validation, chosen, training=False), lesson.validation.labels[chosen])


def _probabilities(learner: Learner, lesson: Lesson, chosen: Indices) -> NDArray[np.float32]:
    """What a learner says of patches of the training pool, in the order of the slides."""
    order = np.argsort(lesson.pool.owner[chosen], kind="stable")
    out = np.zeros(len(chosen), np.float32)
    out[order] = learner.probabilities(_inputs(lesson, lesson.pool, chosen[order], training=False))
    return out


def _inputs(lesson: Lesson, pool: Pool, chosen: Indices, *, training: bool) -> Inputs:
    """Features for the light classifier, pixels for the others; a light one sees its colour variants as features."""
    configuration = lesson.configuration
    source = PatchSource(
        lambda some: _stack(lesson, pool, chosen[some]), len(chosen), configuration.patches.size, lesson.budget
    )
    if configuration.classifier.architecture != "light":
        return source
    if not (training and changes_pixels(configuration.augmentation)):
        return pool.features(chosen)
    rng = generator(configuration.seed, configuration.augmentation.seed, "variants")
    varied = (
        features_of(for_training(stack, configuration.augmentation, rng))
        for _, stack in parts(np.arange(len(chosen)), source, 1)
    )
    return np.concatenate(list(varied))


def _stack(lesson: Lesson, pool: Pool, chosen: Indices) -> NDArray[np.uint8]:
    """The pixels of some patches, each slide opened once."""
    size = lesson.configuration.patches.size
    out = np.zeros((len(chosen), size, size, 3), np.uint8)
    owners = pool.owner[chosen]
    groups = [np.flatnonzero(owners == number) for number in np.unique(owners)]
    wanted = [(pool.slides[owners[g[0]]], pool.tile[chosen[g]]) for g in groups]
    read = partial(_read, lesson.configuration, lesson.template)
    for group, stack in zip(groups, each(read, wanted, lesson.workers), strict=True):
        out[group] = stack
    return out


def _read(
    configuration: Configuration, template: Palette | None, wanted: tuple[Prepared, NDArray[np.int32]]
) -> NDArray[np.uint8]:
    prepared, tiles = wanted
    return read_stack(prepared.entry, prepared.training.tiles.only(tiles), configuration, template)

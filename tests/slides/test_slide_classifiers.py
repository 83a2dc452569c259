"""Classifiers learn, stop when they are told to, and repeat exactly."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assay.errors import InputError
from assay.slides.classifier.cnn import CnnLearner
from assay.slides.classifier.epochs import Watch, train
from assay.slides.classifier.light import LightLearner, light_probabilities
from assay.slides.configuration import Augmentation, Classifier

RNG = np.random.default_rng(0)
LABELS = np.arange(400) % 2 == 1
FEATURES = (RNG.normal(size=(400, 12)) + LABELS[:, None] * np.linspace(0, 2, 12)).astype(np.float32)
WATCH = Watch(FEATURES[300:], LABELS[300:])


def light(**choices: Any) -> tuple[LightLearner, list[Any]]:
    choice = Classifier.model_validate({"epochs": 8, "batch": 64, **choices})
    learner = LightLearner(choice, 0, FEATURES[:300])
    return learner, train(learner, FEATURES[:300], LABELS[:300], WATCH, choice, epochs=choice.epochs)


def test_the_light_classifier_learns_and_repeats_from_its_stored_weights() -> None:
    learner, seen = light()
    assert seen[-1].accuracy > 0.9
    assert len(seen) == 8
    again, _ = light()
    state = again.state()
    assert all(np.array_equal(state[name], value) for name, value in learner.state().items())
    assert np.array_equal(light_probabilities(state, FEATURES), learner.probabilities(FEATURES))


def test_keeping_the_best_epoch_follows_metric_and_direction() -> None:
    losses = {}
    for direction in ("smallest", "largest"):
        learner, seen = light(keep="best", direction=direction, optimiser="sgd", learning_rate=0.05)
        p = np.clip(learner.probabilities(WATCH.inputs).astype(float), 1e-6, 1 - 1e-6)
        losses[direction] = float(-np.where(WATCH.labels, np.log(p), np.log1p(-p)).mean())
        wanted = min if direction == "smallest" else max
        assert losses[direction] == pytest.approx(wanted(e.loss for e in seen), abs=1e-5)
    assert losses["smallest"] < losses["largest"]


def test_patience_ends_training_early() -> None:
    _, seen = light(epochs=30, patience=2, direction="largest")
    assert len(seen) == 3  # the loss falls from the first epoch on, so the largest is never beaten


def test_nothing_can_be_kept_as_best_without_validation_patches() -> None:
    learner = LightLearner(Classifier(), 0, FEATURES)
    with pytest.raises(InputError, match="no validation patches"):
        train(learner, FEATURES, LABELS, None, Classifier(keep="best"), epochs=1)
    assert np.isnan(train(learner, FEATURES, LABELS, None, Classifier(), epochs=1)[0].loss)


def test_the_convolutional_classifier_learns_in_one_epoch_and_repeats() -> None:
    labels = np.arange(64) % 2 == 1
    stack = RNG.integers(100, 140, (64, 16, 16, 3), dtype=np.uint8)
    stack[labels, ::2] += 90
    choice = Classifier(architecture="cnn", width=4, batch=8, learning_rate=0.02)
    variants = Augmentation(training=("flip", "colour"), inference=("flip", "rotate"))
    learners = [CnnLearner(choice, variants, 5) for _ in range(2)]
    told = []
    for learner in learners:
        train(learner, stack, labels, None, choice, epochs=1)
        told.append(learner.probabilities(stack))
    assert np.array_equal(*told)
    assert told[0][labels].mean() > told[0][~labels].mean() + 0.1
    fresh = CnnLearner(choice, variants, 6)
    fresh.restore(learners[0].state())
    assert np.array_equal(fresh.probabilities(stack), told[0])

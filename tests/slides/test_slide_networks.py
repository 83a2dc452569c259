"""The networks of the three papers: their layers, their weights, and pixels that need not fit into memory."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from assay.errors import InputError
from assay.slides.cache import Cache
from assay.slides.classifier import networks
from assay.slides.classifier.cnn import CnnLearner
from assay.slides.classifier.epochs import Watch, train
from assay.slides.configuration import Augmentation, Classifier, configuration_of, read_configuration
from assay.slides.patch_model import Lesson, learn
from assay.slides.patch_source import PatchSource
from assay.slides.pipeline import begin
from assay.slides.run import Run, run
from assay.slides.training_sample import pool_of

PLAIN = Augmentation(training=("flip",))
LABELS = np.arange(200) % 2 == 1
PIXELS = np.random.default_rng(0).integers(100, 140, (200, 32, 32, 3), dtype=np.uint8)
PIXELS[LABELS, ::2] += 90


@pytest.mark.parametrize(
    ("network", "parameters"),
    [(networks.googlenet, 6_624_904), (networks.resnet101, 44_549_160), (networks.inception_v3, 23_834_568)],
)
def test_networks_have_the_published_number_of_parameters(network: Callable[[int], Any], parameters: int) -> None:
    """The counts that torchvision publishes for 1,000 classes, without side classifiers."""
    assert sum(p.numel() for p in network(1_000).parameters()) == parameters


@pytest.mark.parametrize(("architecture", "side"), [("googlenet", 32), ("resnet101", 32), ("inception-v3", 75)])
def test_a_network_scores_the_smallest_patches_it_accepts(architecture: str, side: int) -> None:
    choice = Classifier.model_validate({"architecture": architecture, "batch": 2, "optimiser": "rmsprop"})
    learner = CnnLearner(choice, PLAIN, 0)
    patches = np.random.default_rng(1).integers(0, 255, (2, side, side, 3), dtype=np.uint8)
    learner.epoch(patches, np.array([True, False]))
    assert np.isfinite(learner.probabilities(patches)).all()
    short = {"classifier.architecture": architecture, "patches.size": side - 1}
    with pytest.raises(InputError, match=f"at least {side} pixels"):
        read_configuration("default", short)


# --- pixels are read as they are needed ------------------------------------------------------------


def trained(inputs: Any, watched: Any) -> CnnLearner:
    choice = Classifier(architecture="cnn", width=4, batch=8, learning_rate=0.02, keep="best")
    learner = CnnLearner(choice, PLAIN, 3)
    train(learner, inputs, LABELS, Watch(watched, LABELS), choice, epochs=2)
    return learner


def test_streamed_patches_give_the_classifier_that_held_ones_give() -> None:
    read: list[int] = []

    def some(chosen: Any) -> Any:
        read.append(len(chosen))
        return PIXELS[chosen]

    room = 70 * 32 * 32 * 3
    streamed = trained(PatchSource(some, 200, 32, room), PatchSource(some, 200, 32, room))
    held = trained(PIXELS, PIXELS)
    assert max(read) <= 70
    assert all(np.array_equal(value, held.state()[name]) for name, value in streamed.state().items())


def test_patches_that_fit_are_read_once() -> None:
    read: list[int] = []

    def some(chosen: Any) -> Any:
        read.append(len(chosen))
        return PIXELS[chosen]

    source = PatchSource(some, 200, 32)
    for _ in range(3):
        assert np.array_equal(source[np.array([4, 2])], PIXELS[[4, 2]])
    assert read == [200]


def test_more_draws_than_fit_the_budget_are_streamed(
    tiny: Callable[..., Any], world: Path, cache: Path, tmp_path: Path
) -> None:
    """The stated number of patches once asked for all of their pixels at once and was refused."""
    changes = {"patches.sampling": "slide-weighted", "patches.replacement": True, "patches.per_class": 4_000}
    few = {"classifier.architecture": "cnn", "classifier.width": 1, "classifier.batch": 1_024, "classifier.epochs": 1}
    configuration = tiny({**changes, **few, "mining.rounds": 0, "split.validation": 0.0, "metrics.sets": ["test"]})
    start = begin(configuration, world, cache)
    nobody = pool_of(start.slides, start.sets, configuration, "validation")
    budget = 3_000 * 16 * 16 * 3
    lesson = Lesson(configuration, start.pool, nobody, start.chosen, start.template, 1, budget)
    assert len(start.chosen) == 8_000
    assert len(learn(lesson, Cache(tmp_path)).epochs) == 1


# --- weights from a file ---------------------------------------------------------------------------


class Hostile:
    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return os.mkdir, ("executed",)


def test_training_starts_from_the_weights_of_a_file(tmp_path: Path) -> None:
    torch.manual_seed(9)
    given = networks.googlenet(1_000)
    torch.save(given.state_dict() | {"aux1.fc2.weight": torch.zeros(3)}, tmp_path / "weights.pth")
    choice = Classifier(architecture="googlenet", weights=str(tmp_path / "weights.pth"))
    state = CnnLearner(choice, PLAIN, 0).state()
    assert np.array_equal(state["conv1.conv.weight"], given.conv1.conv.weight.detach().numpy())
    assert state["fc.weight"].shape == (1, 1024)


def test_weights_that_are_none_are_refused_and_never_executed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "weights.pth"

    def refused(why: str) -> None:
        with pytest.raises(InputError, match=why):
            CnnLearner(Classifier(architecture="googlenet", weights=str(path)), PLAIN, 0)

    refused("cannot be read")
    torch.save(Hostile(), path)
    refused("no plain tensors")
    assert not (tmp_path / "executed").exists()
    path.write_bytes(b"PK\x03\x04 nothing")
    refused("no plain tensors")
    torch.save({"conv1.conv.weight": torch.zeros(2, 2)}, path)
    refused('fit "conv1.conv.weight"')


# --- the reduced configurations --------------------------------------------------------------------


@pytest.mark.parametrize("name", ["wang", "lee", "liu"])
def test_a_reduced_configuration_keeps_the_network_the_marks_and_the_rules(name: str) -> None:
    whole, reduced = read_configuration(name), read_configuration(f"{name}-reduced")
    assert reduced.classifier.architecture == whole.classifier.architecture
    assert [(s.title, s.step.basis) for s in reduced.steps()] == [(s.title, s.step.basis) for s in whole.steps()]
    assert (reduced.labels, reduced.slide, reduced.lesions) == (whole.labels, whole.slide, whole.lesions)


def test_a_file_that_extends_what_is_not_there_is_refused() -> None:
    with pytest.raises(InputError, match='Did you mean "wang"'):
        configuration_of('extends = "wangg"', "mine.toml")
    assert configuration_of('extends = "small"\n[patches]\nsize = 16', "mine.toml").patches.stride == 32


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({"classifier.optimiser": "rmsprop"}, "convolutional"),
        ({"classifier.architecture": "cnn", "classifier.weights": "x.pth"}, "are for googlenet"),
    ],
)
def test_choices_that_a_classifier_cannot_follow_are_refused(choices: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_configuration("default", choices)


def test_the_reduced_wang_run_ends_with_lesions_and_slides(tmp_path: Path) -> None:
    few = {"data.world.side": 512, "data.world.um_per_pixel": 8.0, "data.world.levels": 3, "data.world.patients": 8}
    fewer = {"tissue.level": 1, "patches.per_class": 6, "classifier.epochs": 1, "mining.rounds": 0}
    sizes = {"patches.size": 36, "augmentation.crop": 32, "metrics.resamples": 0}
    configuration = read_configuration("wang-reduced", few | fewer | sizes)
    outcome = run(Run(configuration, "", tmp_path / "run"))
    assert outcome.evaluation is not None
    assert {"slide_auc", "froc", "patch_accuracy"} <= outcome.evaluation.metrics()["test"].keys()

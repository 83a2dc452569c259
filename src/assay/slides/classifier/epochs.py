"""The training loop that both classifiers share: epochs, what is monitored, when it ends, what is kept."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.records import dataclass
from assay.slides.configuration import Classifier
from assay.slides.configuration.steps import Stopping
from assay.slides.patch_source import Inputs

State = dict[str, NDArray[Any]]


class Restorable(Protocol):
    """Something that learns and can go back."""

    def state(self) -> State:
        """All that has been learnt, as arrays."""

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go back to such a state."""


class Learner(Restorable, Protocol):
    """Something that learns patches. Inputs are features or pixels; which, only the learner knows."""

    def epoch(self, inputs: Inputs, labels: NDArray[np.bool_]) -> None:
        """Go once through the patches."""

    def probabilities(self, inputs: Inputs) -> NDArray[np.float32]:
        """Of tumour, for each patch."""


@dataclass(frozen=True, slots=True)
class Epoch:
    """What was seen after an epoch; NaN without validation patches."""

    number: int
    loss: float
    accuracy: float


@dataclass(frozen=True, slots=True)
class Watch:
    """Validation patches to look at after each epoch."""

    inputs: Inputs
    labels: NDArray[np.bool_]


def train(
    learner: Learner,
    inputs: Inputs,
    labels: NDArray[np.bool_],
    watch: Watch | None,
    choice: Classifier,
    *,
    epochs: int,
    first: int = 1,
) -> list[Epoch]:
    """Train for at most `epochs`; the learner ends in the state that the choice keeps."""
    if watch is None:
        refuse_monitoring_nothing(choice)

    def epoch(number: int) -> Epoch:
        learner.epoch(inputs, labels)
        return _looked(number, learner, watch)

    return train_epochs(learner, epoch, choice, range(first, first + epochs))


def refuse_monitoring_nothing(choice: Stopping) -> None:
    """Without validation data, there is no best epoch."""
    if choice.keep == "best" or choice.patience:
        fix = 'Give split.validation a share, or keep = "last" and patience = 0.'
        raise InputError("nothing can be monitored: there are no validation patches or slides", fix=fix)


def train_epochs(
    learner: Restorable, epoch: Callable[[int], Epoch], choice: Stopping, numbers: Iterable[int]
) -> list[Epoch]:
    """Train epoch by epoch until patience ends; then go back to the best state if the choice says so."""
    seen: list[Epoch] = []
    best, kept, waited = -math.inf, None, 0
    for number in numbers:
        seen.append(epoch(number))
        value, waited = _monitored(seen[-1], choice), waited + 1
        if value > best:
            best, waited = value, 0
            kept = learner.state() if choice.keep == "best" else None
        if choice.patience and waited >= choice.patience:
            break
    if kept is not None:
        learner.restore(kept)
    return seen


def _looked(number: int, learner: Learner, watch: Watch | None) -> Epoch:
    if watch is None:
        return Epoch(number, float("nan"), float("nan"))
    p = np.clip(learner.probabilities(watch.inputs).astype(np.float64), 1e-6, 1 - 1e-6)
    loss = -np.where(watch.labels, np.log(p), np.log1p(-p)).mean()
    return Epoch(number, float(loss), float(((p > 0.5) == watch.labels).mean()))


def _monitored(epoch: Epoch, choice: Stopping) -> float:
    """The value that shall grow. Direction and metric are separate choices: "largest loss" is a known slip."""
    value = epoch.loss if choice.monitor == "validation-loss" else epoch.accuracy
    return -value if choice.direction == "smallest" else value

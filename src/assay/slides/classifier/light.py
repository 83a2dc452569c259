"""The light classifier: one hidden layer on twelve features of colour and texture. No graphics card, no torch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.extras import optional
from assay.slides.classifier.epochs import State
from assay.slides.configuration import Classifier
from assay.slides.patch_source import Inputs


class LightLearner:
    """A multi-layer perceptron of scikit-learn; one call to it is one epoch."""

    def __init__(self, choice: Classifier, seed: int, sample: NDArray[np.float32]) -> None:
        from sklearn.neural_network import MLPClassifier

        self._threads = optional("threadpoolctl").ThreadpoolController()
        self._centre = sample.mean(0)
        self._spread = np.maximum(sample.std(0), 1e-6)
        self._net = MLPClassifier(
            (choice.width,),
            solver=choice.optimiser,
            alpha=choice.weight_decay,
            batch_size=min(choice.batch, max(len(sample), 1)),
            learning_rate_init=choice.learning_rate,
            momentum=choice.momentum,
            random_state=seed,
        )

    def epoch(self, inputs: Inputs, labels: NDArray[np.bool_]) -> None:
        """Go once through the patches, in an order of the network's own generator."""
        with self._threads.limit(limits=1):  # sums in one order: the same weights on any number of cores
            self._net.partial_fit(self._scaled(np.asarray(inputs)), labels.astype(int), classes=[0, 1])

    def probabilities(self, inputs: Inputs) -> NDArray[np.float32]:
        """Of tumour, for each row of features."""
        return light_probabilities(self.state(), np.asarray(inputs))

    def state(self) -> State:
        """Weights, and the scale of the inputs."""
        layers = {f"weights{i}": w.copy() for i, w in enumerate(self._net.coefs_)}
        shifts = {f"shift{i}": b.copy() for i, b in enumerate(self._net.intercepts_)}
        return {"centre": self._centre, "spread": self._spread, **layers, **shifts}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Put weights back in place, where the optimiser holds on to them."""
        for i, (weights, shift) in enumerate(zip(self._net.coefs_, self._net.intercepts_, strict=True)):
            weights[...] = state[f"weights{i}"]
            shift[...] = state[f"shift{i}"]

    def _scaled(self, inputs: NDArray[Any]) -> NDArray[np.float64]:
        return np.asarray((inputs - self._centre) / self._spread, dtype=np.float64)


def light_probabilities(state: Mapping[str, NDArray[Any]], inputs: NDArray[Any]) -> NDArray[np.float32]:
    """What the trained network says, from its stored weights alone."""
    if not len(inputs):
        return np.zeros(0, np.float32)
    scaled = np.asarray((inputs - state["centre"]) / state["spread"], dtype=np.float64)
    hidden = np.maximum(np.einsum("ij,jk->ik", scaled, state["weights0"]) + state["shift0"], 0)
    logit = np.einsum("ij,jk->ik", hidden, state["weights1"])[:, 0] + state["shift1"][0]
    return np.asarray(1 / (1 + np.exp(-np.clip(logit, -50, 50))), dtype=np.float32)

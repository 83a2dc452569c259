"""The convolutional classifier: three small layers on the pixels, on a graphics card when torch finds one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.extras import optional
from assay.slides.augmentation import for_inference, for_training
from assay.slides.classifier.training import State
from assay.slides.configuration import Augmentation, Classifier

_AT_ONCE = 512


class CnnLearner:
    """A network of three convolutions; patches are varied anew in every epoch."""

    def __init__(self, choice: Classifier, augmentation: Augmentation, seed: int) -> None:
        torch = optional("torch")
        torch.manual_seed(seed)
        self._torch, self._choice, self._augmentation = torch, choice, augmentation
        self._rng = np.random.default_rng(seed)
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self._net = _network(torch, choice.width).to(self._device)
        settings = {"lr": choice.learning_rate, "weight_decay": choice.weight_decay}
        self._optimiser = (
            torch.optim.Adam(self._net.parameters(), **settings)
            if choice.optimiser == "adam"
            else torch.optim.SGD(self._net.parameters(), momentum=choice.momentum, **settings)
        )

    def epoch(self, inputs: NDArray[Any], labels: NDArray[np.bool_]) -> None:
        """Go once through the patches in random order."""
        torch = self._torch
        loss = torch.nn.BCEWithLogitsLoss()
        order = self._rng.permutation(len(inputs))
        self._net.train()
        for start in range(0, len(order), self._choice.batch):
            chosen = order[start : start + self._choice.batch]
            patches = for_training(inputs[chosen], self._augmentation, self._rng)
            wanted = torch.from_numpy(labels[chosen].astype(np.float32)).to(self._device)
            self._optimiser.zero_grad()
            loss(self._net(self._tensor(patches))[:, 0], wanted).backward()
            self._optimiser.step()

    def probabilities(self, inputs: NDArray[Any]) -> NDArray[np.float32]:
        """Of tumour, the mean over the variants that inference asks for."""
        torch = self._torch
        rng = np.random.default_rng(self._augmentation.seed)
        out = np.zeros(len(inputs), np.float32)
        self._net.eval()
        with torch.no_grad():
            for start in range(0, len(inputs), _AT_ONCE):
                part = slice(start, start + _AT_ONCE)
                told = [
                    torch.sigmoid(self._net(self._tensor(v))[:, 0]).cpu().numpy()
                    for v in for_inference(inputs[part], self._augmentation, rng)
                ]
                out[part] = np.mean(told, axis=0)
        return out

    def state(self) -> State:
        """The weights as arrays."""
        return {name: value.detach().cpu().numpy().copy() for name, value in self._net.state_dict().items()}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Load such weights."""
        known = self._net.state_dict().keys()
        self._net.load_state_dict({name: self._torch.from_numpy(np.asarray(state[name])) for name in known})

    def _tensor(self, patches: NDArray[np.uint8]) -> Any:
        pixels = np.ascontiguousarray(patches.transpose(0, 3, 1, 2))
        return self._torch.from_numpy(pixels).to(self._device).float() / 127.5 - 1


def _network(torch: Any, width: int) -> Any:
    nn = torch.nn
    layers: list[Any] = []
    channels = 3
    for wide in (width, 2 * width, 4 * width):
        layers += [nn.Conv2d(channels, wide, 3, padding=1), nn.BatchNorm2d(wide), nn.ReLU(), nn.MaxPool2d(2)]
        channels = wide
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, 1))

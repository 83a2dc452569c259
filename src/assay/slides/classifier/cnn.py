"""The convolutional classifiers: a small network or that of a paper, on a graphics card when torch finds one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.extras import optional
from assay.slides.augmentation import for_inference, for_training
from assay.slides.classifier.epochs import State
from assay.slides.configuration import Augmentation, Classifier
from assay.slides.patch_source import Inputs, parts
from assay.slides.reading.tensors import load_tensors

_PIXELS_AT_ONCE = 4 * 1024 * 1024
"""Of the patches that are looked at together outside training; the layers need about a hundred times as many bytes."""
_MOST_AT_ONCE = 64
_OWN_HEAD = ("fc.", "aux1.", "aux2.", "AuxLogits.")
"""Parts of a weight file that belong to the classes it was trained for."""


class CnnLearner:
    """A network on pixels; patches are varied anew in every epoch."""

    def __init__(self, choice: Classifier, augmentation: Augmentation, seed: int) -> None:
        torch = optional("torch")
        torch.manual_seed(seed)
        torch.set_num_threads(1)  # sums in one order on any number of cores; waiting threads cost more than they give
        self._torch, self._choice, self._augmentation = torch, choice, augmentation
        self._rng = np.random.default_rng(seed)
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        net = _network(choice)
        if choice.weights:
            _load_weights(net, Path(choice.weights))
        self._net = net.to(self._device, memory_format=torch.channels_last)
        self._optimiser = _optimiser(torch, self._net.parameters(), choice)
        self._seen = 0

    def epoch(self, inputs: Inputs, labels: NDArray[np.bool_]) -> None:
        """Go once through the patches in random order."""
        batch = self._choice.batch
        self._net.train()
        for chosen, stack in parts(self._rng.permutation(len(inputs)), inputs, batch):
            for start in range(0, len(chosen), batch):
                part = slice(start, start + batch)
                self._step(for_training(stack[part], self._augmentation, self._rng), labels[chosen[part]])

    def _step(self, patches: NDArray[np.uint8], labels: NDArray[np.bool_]) -> None:
        if len(patches) < 2:  # one patch has no spread that batch normalisation could use
            return
        torch, choice = self._torch, self._choice
        if choice.rate_every:
            rate = choice.learning_rate * choice.rate_factor ** (self._seen // choice.rate_every)
            for group in self._optimiser.param_groups:
                group["lr"] = rate
        wanted = torch.from_numpy(labels.astype(np.float32)).to(self._device)
        self._optimiser.zero_grad()
        torch.nn.functional.binary_cross_entropy_with_logits(self._net(self._tensor(patches))[:, 0], wanted).backward()
        self._optimiser.step()
        self._seen += len(patches)

    def probabilities(self, inputs: Inputs) -> NDArray[np.float32]:
        """Of tumour, the mean over the variants that inference asks for."""
        torch = self._torch
        rng = np.random.default_rng(self._augmentation.seed)
        out = np.zeros(len(inputs), np.float32)
        self._net.eval()
        with torch.no_grad():
            step = min(_MOST_AT_ONCE, max(1, _PIXELS_AT_ONCE // inputs.shape[1] ** 2))
            for chosen, stack in parts(np.arange(len(inputs)), inputs, step):
                for start in range(0, len(chosen), step):
                    seen = [
                        torch.sigmoid(self._net(self._tensor(v))[:, 0]).cpu().numpy()
                        for v in for_inference(stack[start : start + step], self._augmentation, rng)
                    ]
                    out[chosen[start : start + step]] = np.mean(seen, axis=0)
        return out

    def state(self) -> State:
        """The weights as arrays."""
        return {name: value.detach().cpu().numpy().copy() for name, value in self._net.state_dict().items()}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Load such weights."""
        known = self._net.state_dict().keys()
        self._net.load_state_dict({name: self._torch.from_numpy(np.asarray(state[name])) for name in known})

    def _tensor(self, patches: NDArray[np.uint8]) -> Any:
        """Pixels from -1 to 1, channels last in memory as the stack has them."""
        pixels = self._torch.from_numpy(np.ascontiguousarray(patches)).to(self._device)
        return pixels.permute(0, 3, 1, 2).float() / 127.5 - 1


def _network(choice: Classifier) -> Any:
    from assay.slides.classifier.networks import NETWORKS, small

    made = NETWORKS.get(choice.architecture)
    return made() if made else small(choice.width)


def _optimiser(torch: Any, parameters: Any, choice: Classifier) -> Any:
    settings = {"lr": choice.learning_rate, "weight_decay": choice.weight_decay}
    match choice.optimiser:
        case "adam":
            return torch.optim.Adam(parameters, **settings)
        case "sgd":
            return torch.optim.SGD(parameters, momentum=choice.momentum, **settings)
        case "rmsprop":
            own = {"alpha": choice.decay, "eps": choice.epsilon, "momentum": choice.momentum}
            return torch.optim.RMSprop(parameters, **own, **settings)


def _load_weights(net: Any, path: Path) -> None:
    """Start from the weights of a file, all but the last layer."""
    fix = "Give a file that torch.save wrote of the state_dict() of this architecture in torchvision."
    given = load_tensors(path, fix)
    own = {name: value for name, value in net.state_dict().items() if not name.startswith(_OWN_HEAD)}
    for name, wanted in own.items():
        found = given.get(name) if isinstance(given, dict) else None
        if getattr(found, "shape", None) != tuple(wanted.shape):
            raise InputError(f'has no weights that fit "{name}"', where=str(path), fix=fix)
    tensor = optional("torch").from_numpy
    net.load_state_dict({name: tensor(given[name]) for name in own}, strict=False)

"""The classifier of bags: attention over patches (Ilse et al. 2018, equations 8 and 9), the mean, or the largest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.extras import optional
from assay.records import dataclass
from assay.slides.classifier.epochs import Epoch, State, refuse_monitoring_nothing, train_epochs
from assay.slides.configuration.bag_steps import Attention
from assay.slides.reading.feature_files import Features

Labels = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class BagSet:
    """Bags with the number of their class."""

    bags: Sequence[Features]
    labels: Labels


@dataclass(frozen=True, slots=True)
class Said:
    """What the classifier says of one bag: a probability for each class, and how much each patch weighed."""

    probabilities: NDArray[np.float64]
    weights: NDArray[np.float32]


class BagLearner:
    """A network that pools a bag into one vector; one bag is one step."""

    def __init__(self, choice: Attention, columns: int, classes: int, seed: int) -> None:
        torch = optional("torch")
        torch.manual_seed(seed)
        torch.set_num_threads(1)  # sums in one order on any number of cores
        self._torch, self._choice = torch, choice
        self._rng = np.random.default_rng(seed)
        self._net = _network(torch, choice, columns, classes)
        settings = {"lr": choice.learning_rate, "weight_decay": choice.weight_decay}
        parameters = self._net.parameters()
        if choice.optimiser == "sgd":
            self._optimiser = torch.optim.SGD(parameters, momentum=choice.momentum, **settings)
        else:
            self._optimiser = torch.optim.Adam(parameters, **settings)

    def epoch(self, bags: BagSet, class_weights: NDArray[np.float64]) -> None:
        """Go once through the bags in random order."""
        torch, weigh = self._torch, self._torch.tensor(class_weights, dtype=self._torch.float32)
        self._net.train()
        for place in self._rng.permutation(len(bags.bags)):
            logits, _ = self._forward(self._drawn(bags.bags[place]))
            wanted = torch.tensor([int(bags.labels[place])])
            loss = torch.nn.functional.cross_entropy(logits[None], wanted, reduction="none")[0] * weigh[wanted[0]]
            self._optimiser.zero_grad()
            loss.backward()
            self._optimiser.step()

    def say(self, bag: Features) -> Said:
        """The probabilities of a whole bag, and the weight of each patch."""
        self._net.eval()
        with self._torch.no_grad():
            logits, weights = self._forward(bag)
            shares = self._torch.softmax(logits.double(), dim=0)
        return Said(shares.numpy(), weights.numpy())

    def state(self) -> State:
        """The weights as arrays."""
        return {name: value.detach().numpy().copy() for name, value in self._net.state_dict().items()}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Load such weights."""
        self._net.load_state_dict({name: self._torch.from_numpy(np.asarray(state[name])) for name in state})

    def _drawn(self, bag: Features) -> Features:
        wanted = self._choice.instances
        return bag if not 0 < wanted < len(bag) else bag[self._rng.choice(len(bag), wanted, replace=False)]

    def _forward(self, bag: Features) -> tuple[Any, Any]:
        torch, net = self._torch, self._net
        hidden = net["embed"](torch.from_numpy(bag))
        if self._choice.pooling == "max":
            pooled, first = hidden.max(dim=0)
            shares = torch.bincount(first, minlength=len(bag)).float() / len(first)
            return net["classify"](pooled), shares
        shares = torch.softmax(self._attention(hidden), dim=0)
        return net["classify"](shares @ hidden), shares

    def _attention(self, hidden: Any) -> Any:
        torch, net = self._torch, self._net
        if self._choice.pooling == "mean":
            return torch.zeros(len(hidden))
        found = torch.tanh(net["attend"](hidden))
        if self._choice.pooling == "gated-attention":
            found = found * torch.sigmoid(net["gate"](hidden))
        return net["weigh"](found)[:, 0]


def _network(torch: Any, choice: Attention, columns: int, classes: int) -> Any:
    nn = torch.nn
    parts = {"embed": nn.Sequential(nn.Linear(columns, choice.width), nn.ReLU(), nn.Dropout(choice.dropout))}
    if "attention" in choice.pooling:
        parts["attend"] = nn.Linear(choice.width, choice.attention_width)
        parts["weigh"] = nn.Linear(choice.attention_width, 1)
    if choice.pooling == "gated-attention":
        parts["gate"] = nn.Linear(choice.width, choice.attention_width)
    parts["classify"] = nn.Linear(choice.width, classes)
    return nn.ModuleDict(parts)


def train(learner: BagLearner, bags: BagSet, watched: BagSet, choice: Attention, classes: int) -> list[Epoch]:
    """Train for the chosen number of epochs; validation bags are looked at after each."""
    if not len(watched.bags):
        refuse_monitoring_nothing(choice)
    weights = np.ones(classes)
    if choice.classes == "balanced":
        weights = len(bags.labels) / (classes * np.maximum(np.bincount(bags.labels, minlength=classes), 1))

    def epoch(number: int) -> Epoch:
        learner.epoch(bags, weights)
        return _looked(number, learner, watched)

    return train_epochs(learner, epoch, choice, range(1, choice.epochs + 1))


def _looked(number: int, learner: BagLearner, watched: BagSet) -> Epoch:
    if not len(watched.bags):
        return Epoch(number, float("nan"), float("nan"))
    said = np.array([learner.say(bag).probabilities for bag in watched.bags])
    right = np.clip(said[np.arange(len(said)), watched.labels], 1e-6, 1)
    return Epoch(number, float(-np.log(right).mean()), float((said.argmax(axis=1) == watched.labels).mean()))

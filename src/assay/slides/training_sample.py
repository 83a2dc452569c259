"""Which patches train: all that may, the sample that does, and the hard negatives that come after."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.records import dataclass
from assay.slides.configuration import Configuration, Mining, Patches
from assay.slides.division import train_share
from assay.slides.preparation import Prepared
from assay.slides.seeds import generator
from assay.slides.tiles import labels_of

Indices = NDArray[np.intp]
_WATCHED = 20_000
"""Validation patches that are looked at after each epoch."""


@dataclass(frozen=True)
class Pool:
    """Patches of several slides in one row: whose they are, where in the slide's grid, what they show."""

    slides: tuple[Prepared, ...]
    owner: NDArray[np.int32]
    tile: NDArray[np.int32]
    labels: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.labels)

    def features(self, chosen: Indices) -> NDArray[np.float32]:
        """The features of the chosen patches, as inference sees them."""
        width = max((s.training.features.shape[1] for s in self.slides), default=0)
        out = np.zeros((len(chosen), width), np.float32)
        owners = self.owner[chosen]
        for number in np.unique(owners):
            mine = owners == number
            out[mine] = self.slides[number].training.features[self.tile[chosen][mine]]
        return out

    def counts(self, chosen: Indices) -> NDArray[np.int64]:
        """Normal and tumour patches of each slide among the chosen."""
        table = np.zeros((len(self.slides), 2), np.int64)
        np.add.at(table, (self.owner[chosen], self.labels[chosen].astype(int)), 1)
        return table


def pool_of(slides: Sequence[Prepared], sets: dict[str, str], configuration: Configuration, wanted: str) -> Pool:
    """The patches of one set. When patches themselves are divided, a slide of any set gives to each."""
    split = configuration.split
    owners, tiles, labels = [], [], []
    for number, prepared in enumerate(slides):
        count = len(prepared.training.tiles)
        if split.unit == "patch":
            trains = train_share(prepared.entry.slide, count, split)
            mine = np.flatnonzero(trains if wanted == "train" else ~trains & (sets[prepared.entry.slide] == wanted))
        else:
            mine = np.arange(count if sets[prepared.entry.slide] == wanted else 0)
        owners.append(np.full(len(mine), number, np.int32))
        tiles.append(mine.astype(np.int32))
        labels.append(labels_of(prepared.training.tiles, configuration.labels)[mine])
    return Pool(tuple(slides), np.concatenate(owners), np.concatenate(tiles), np.concatenate(labels))


def sample(pool: Pool, configuration: Configuration) -> Indices:
    """The patches that train first."""
    patches = configuration.patches
    rng = generator(configuration.seed, patches.seed, "sample")
    classes = [np.flatnonzero(pool.labels), np.flatnonzero(~pool.labels)]
    for patches_of, name in zip(classes, ("tumour", "normal"), strict=True):
        if not len(patches_of):
            fix = "Check tissue, patch size, label rule and annotations; `assay slides counts` shows what there is."
            raise InputError(f"no {name} patch is left to train on", fix=fix)
    match patches.sampling:
        case "all":
            return np.arange(len(pool))
        case "balanced":
            smaller = min(map(len, classes))
            size = patches.per_class if patches.replacement else min(smaller, patches.per_class)
            return np.concatenate([rng.choice(c, size, replace=patches.replacement) for c in classes])
        case "slide-weighted":
            return np.concatenate([_weighted(pool, c, patches, rng) for c in classes])


def _weighted(pool: Pool, members: Indices, patches: Patches, rng: np.random.Generator) -> Indices:
    """Every slide as likely as any other, however many patches it has."""
    held = np.bincount(pool.owner[members])
    weight = 1 / held[pool.owner[members]]
    size = patches.per_class if patches.replacement else min(patches.per_class, len(members))
    return rng.choice(members, size, replace=patches.replacement, p=weight / weight.sum())


def watched(pool: Pool, configuration: Configuration) -> Indices:
    """The validation patches to look at after each epoch."""
    if len(pool) <= _WATCHED:
        return np.arange(len(pool))
    return np.sort(generator(configuration.seed, 0, "watch").choice(len(pool), _WATCHED, replace=False))


def with_hard_negatives(
    chosen: Indices, negatives: Indices, probabilities: NDArray[np.float32], mining: Mining, rng: np.random.Generator
) -> tuple[Indices, Indices]:
    """The next training sample and what was mined for it, the surest mistakes first."""
    order = np.argsort(-probabilities, kind="stable")
    hard = negatives[order][probabilities[order] > mining.threshold]
    hard = hard[: mining.most] if mining.most else hard
    if mining.how == "add" or not len(hard):
        return np.concatenate([chosen, hard]), hard
    easy = np.flatnonzero(np.isin(chosen, negatives))
    leaves = rng.choice(easy, min(len(hard), len(easy)), replace=False)
    return np.concatenate([np.delete(chosen, leaves), hard[: len(leaves)]]), hard[: len(leaves)]

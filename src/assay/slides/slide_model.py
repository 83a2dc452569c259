"""From heat maps to slides: the features of Wang et al. (2016) and Lee et al. (2018), and what learns from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.records import dataclass
from assay.slides.configuration import SlideModel
from assay.slides.heatmap import HeatMap
from assay.slides.naming import CLASSES
from assay.slides.regions import Region, clusters, components

Table = NDArray[np.float64]
_THRESHOLDS = (0.5, 0.6, 0.7, 0.8, 0.9)


@dataclass(frozen=True, slots=True)
class SlidePredictions:
    """For each slide: how much it looks like tumour, and its class."""

    scores: NDArray[np.float64]
    classes: tuple[str, ...]


def slide_features(heats: Sequence[HeatMap], choice: SlideModel) -> Table:
    """One row for each heat map."""
    return np.array([_wang(h) if choice.features == "wang" else _lee(h, choice) for h in heats])


def classify(
    features: Table,
    heats: Sequence[HeatMap],
    kinds: Sequence[str],
    trains: NDArray[np.bool_],
    choice: SlideModel,
    *,
    seed: int,
) -> SlidePredictions:
    """Train on the slides marked so, and predict all of them."""
    wanted = np.array([positive(kind, choice) for kind in kinds])
    known = np.array([CLASSES.index(kind) for kind in kinds])
    fitted = _model(choice, seed).fit(features[trains], known[trains])
    classes = tuple(CLASSES[int(i)] for i in fitted.predict(features))
    return SlidePredictions(_scores(features, heats, wanted, trains, choice, seed=seed), classes)


def positive(kind: str, choice: SlideModel) -> bool:
    """Whether a slide of this class counts as tumour."""
    return kind in {"micro", "macro"} or (kind == "itc" and choice.isolated_cells == "positive")


def _scores(
    features: Table,
    heats: Sequence[HeatMap],
    wanted: NDArray[np.bool_],
    trains: NDArray[np.bool_],
    choice: SlideModel,
    *,
    seed: int,
) -> NDArray[np.float64]:
    if choice.model == "largest-probability":
        return np.array([float(h.values.max()) for h in heats])
    if choice.model == "tumour-area":
        return np.array([float((h.values > 0.5).sum() * h.cell_um**2) for h in heats])
    if len(set(wanted[trains])) < 2:
        fix = "Give the split more patients, or another seed."
        raise InputError("all slides that train the slide model have one label", fix=fix)
    told = _model(choice, seed).fit(features[trains], wanted[trains]).predict_proba(features)
    return np.asarray(told[:, 1], dtype=np.float64)


def _model(choice: SlideModel, seed: int) -> Any:
    from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier

    split = None if choice.features_per_split == "all" else choice.features_per_split
    if choice.model == "boosting":
        return GradientBoostingClassifier(
            n_estimators=choice.trees,
            max_depth=choice.depth or 3,
            min_samples_leaf=choice.leaf,
            max_features=split,
            learning_rate=choice.learning_rate,
            random_state=seed,
        )
    return RandomForestClassifier(
        choice.trees,
        max_depth=choice.depth or None,
        min_samples_leaf=choice.leaf,
        max_features=split,
        random_state=seed,
    )


def _wang(heat: HeatMap) -> list[float]:
    """Area and sum of probabilities above five thresholds, relative to tissue; ten numbers of the two largest parts."""
    tissue = max(int(heat.tissue.sum()), 1)
    above = [heat.values[heat.values > t] for t in _THRESHOLDS]
    told = [x for part in above for x in (len(part) / tissue, float(part.sum()) / tissue)]
    parts = components(heat, 0.5)
    for number in range(2):
        told += _shape(parts[number]) if number < len(parts) else [0.0] * 10
    return told


def _shape(region: Region) -> list[float]:
    major, minor = region.axes()
    height, width = region.box
    values = region.values
    return [
        region.area,
        float(np.sqrt(max(1 - (minor / major) ** 2, 0))),
        region.area / (height * width),
        height * width,
        major,
        float(values.max()),
        float(values.mean()),
        float(values.min()),
        height / width,
        region.solidity(),
    ]


def _lee(heat: HeatMap, choice: SlideModel) -> list[float]:
    """Seven numbers for each of the three largest clusters."""
    parts = clusters(heat, choice.clusters_above, choice.cluster_radius, choice.cluster_points)
    told: list[float] = []
    for number in range(3):
        if number >= len(parts):
            told += [0.0] * 7
            continue
        region = parts[number]
        major, minor = region.axes()
        values = region.values
        told += [major, minor, region.area, region.area / max(int(heat.tissue.sum()), 1)]
        told += [float(values.max()), float(values.mean()), float(values.min())]
    return told

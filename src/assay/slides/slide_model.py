"""From heat maps to slides: the features of Wang et al. (2016) and Lee et al. (2018), and what learns from them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.extras import optional
from assay.records import dataclass
from assay.slides.configuration import SlideModel
from assay.slides.heatmap import HeatMap
from assay.slides.regions import Region, clusters, components
from assay.slides.vocabulary import CLASSES

Table = NDArray[np.float64]
_THRESHOLDS = (0.5, 0.6, 0.7, 0.8, 0.9)
_NUMBER = {"wang": 30, "lee": 21}
"""Of features of a slide."""


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
    scores = _scores(features, heats, wanted, trains, choice, seed=seed)
    known = np.array([CLASSES.index(kind) for kind in kinds])
    present, codes = np.unique(known[trains], return_inverse=True)  # XGBoost wants them without gaps
    if len(present) < 2:
        return SlidePredictions(scores, (CLASSES[present[0]],) * len(heats))
    fitted = _model(choice, seed).fit(features[trains], codes)
    return SlidePredictions(scores, tuple(CLASSES[present[i]] for i in fitted.predict(features)))


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
    found = _model(choice, seed).fit(features[trains], wanted[trains].astype(int)).predict_proba(features)
    return np.asarray(found[:, 1], dtype=np.float64)


def _model(choice: SlideModel, seed: int) -> Any:
    """What learns from the features; rules on the heat map alone take their classes from a forest."""
    make = {"boosting": _boosting, "xgboost": _xgboost}.get(choice.model, _forest)
    return make(choice, n_estimators=choice.trees, random_state=seed)


def _forest(choice: SlideModel, **common: int) -> Any:
    forest = optional("sklearn.ensemble").RandomForestClassifier
    return forest(max_depth=choice.depth or None, **_scikit(choice), **common)


def _boosting(choice: SlideModel, **common: int) -> Any:
    boosting = optional("sklearn.ensemble").GradientBoostingClassifier
    return boosting(max_depth=choice.depth or 3, learning_rate=choice.learning_rate, **_scikit(choice), **common)


def _scikit(choice: SlideModel) -> dict[str, Any]:
    split = None if choice.features_per_split == "all" else choice.features_per_split
    return {"min_samples_leaf": choice.leaf, "max_features": split}


def _xgboost(choice: SlideModel, **common: int) -> Any:
    number = _NUMBER[choice.features]
    share = {"all": 1.0, "sqrt": number**-0.5, "log2": math.log2(number) / number}[choice.features_per_split]
    return optional("xgboost").XGBClassifier(
        max_depth=choice.depth or 6,
        learning_rate=choice.learning_rate,
        min_child_weight=choice.leaf,
        colsample_bynode=share,
        n_jobs=1,  # sums in one order on any number of cores
        **common,
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

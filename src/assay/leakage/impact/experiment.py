"""Leaky and clean versions with the same splits and seeds, for each model, again and again."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

import numpy as np

from assay.errors import InputError
from assay.leakage.data.measures import Floats, auc_of_scores
from assay.leakage.impact.checkpoint import NOTHING_KEPT, Checkpoint
from assay.leakage.impact.leaks import Fold, Leak, Version, folds_for
from assay.leakage.impact.material import Material
from assay.leakage.impact.models import Model, estimator_of
from assay.records import dataclass


@dataclass(frozen=True)
class Paired:
    """The scores of one model, leaky and clean, fold by fold."""

    model: str
    leaky: tuple[float, ...]
    clean: tuple[float, ...]
    test_share: float = 0.0
    """Test rows for each training row: what repeated splits of one table owe to each other."""

    @property
    def means(self) -> tuple[float, float]:
        """Mean score with and without the leak."""
        return float(np.mean(self.leaky)), float(np.mean(self.clean))

    @property
    def optimism(self) -> float:
        """How much better the leak makes the model look."""
        return self.means[0] - self.means[1]

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Interval of the optimism by the corrected resampled t of Nadeau & Bengio (2003).

        Folds share training rows, so their differences are less independent than they look; naive intervals of
        folds cover far less than they promise.
        """
        from scipy.stats import t

        number = len(self.leaky)
        if number < 2:
            return -math.inf, math.inf
        spread = float(np.var(np.subtract(self.leaky, self.clean), ddof=1))
        half = float(t.ppf(0.5 + level / 2, number - 1)) * math.sqrt(spread * (1 / number + self.test_share))
        return self.optimism - half, self.optimism + half


@dataclass(frozen=True)
class Impact:
    """What one leak does to several models."""

    leak: str
    code: str
    title: str
    measure: str
    results: tuple[Paired, ...]
    about: str = ""
    """The study that had this leak."""
    pairs: tuple[tuple[str, str], ...] = ()
    """Which models are compared with which; none for all."""
    unit: str = "splits"

    def ranking(self, *, leaky: bool) -> list[str]:
        """The models, best first."""
        return [p.model for p in sorted(self.results, key=lambda p: -p.means[0 if leaky else 1])]


Track = Callable[[Sequence[tuple[int, Fold]]], Iterable[tuple[int, Fold]]]


def run(
    material: Material,
    models: Sequence[Model],
    leak: Leak,
    *,
    folds: int = 5,
    repeats: int = 2,
    seed: int = 0,
    checkpoint: Checkpoint = NOTHING_KEPT,
    track: Track = iter,
) -> Impact:
    """Stage the leak on one table: `repeats` times `folds` splits, each scored with and without it."""
    for model in models:
        material.columns(model.columns)  # a misspelt column is told before anything runs
    jobs = [(seed + r, fold) for r in range(repeats) for fold in folds_for(leak, material, folds, seed + r)]
    scores = []
    for number, (fold_seed, fold) in enumerate(track(jobs)):
        key = f"{leak.name}/{fold_seed}/{number}"
        seeds = (fold_seed, number)
        scores.append(checkpoint.recorded(key, partial(score_fold, material, models, leak, fold, seeds)))
    share = float(np.mean([len(test) / max(len(train), 1) for _, (train, test) in jobs]))
    measure = "AUC" if material.classes else "R²"
    return Impact(leak.name, leak.code, leak.title, measure, paired(scores, share))


def score_fold(
    material: Material, models: Sequence[Model], leak: Leak, fold: Fold, seed: tuple[int, int]
) -> dict[str, tuple[float, float]]:
    """The leaky and the clean score of each model on one split."""
    versions = leak.stage(material, fold, np.random.default_rng(seed))
    return score_versions(material, models, versions, seed[0])


def score_versions(
    material: Material, models: Sequence[Model], versions: tuple[Version, Version], seed: int
) -> dict[str, tuple[float, float]]:
    """The score of each model in the leaky and in the clean version."""
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped] # it has no stubs

    leaky, clean = versions
    with threadpool_limits(1):  # waiting for other threads costs more than they bring on tables of this size
        return {m.name: (_score(m, leaky, material, seed), _score(m, clean, material, seed)) for m in models}


def paired(scores: Sequence[Mapping[str, tuple[float, float]]], test_share: float) -> tuple[Paired, ...]:
    """The scores of all folds or worlds, put together by model."""
    return tuple(
        Paired(name, tuple(fold[name][0] for fold in scores), tuple(fold[name][1] for fold in scores), test_share)
        for name in scores[0]
    )


def _score(model: Model, version: Version, material: Material, seed: int) -> float:
    """AUC for classes, R² for numbers."""
    columns = material.columns(model.columns)
    if version.columns is not None:
        columns = np.intersect1d(columns, version.columns)
    elif version.train_x.shape[1] > material.x.shape[1]:  # the leak added a column
        columns = np.r_[columns, np.arange(material.x.shape[1], version.train_x.shape[1])]
    if not len(columns):
        return 0.5 if material.classes else 0.0
    if material.classes and min(len(np.unique(version.train_y)), len(np.unique(version.test_y))) < 2:
        raise InputError("a fold has rows of one class only", fix="Use fewer folds, or more rows.")
    fitted = estimator_of(model, classes=material.classes, seed=seed).fit(version.train_x[:, columns], version.train_y)
    said = _ranking(fitted, version.test_x[:, columns], classes=material.classes)
    if material.classes:
        return auc_of_scores(said, version.test_y > 0.5).value
    spread = float(((version.test_y - version.test_y.mean()) ** 2).sum())
    return 1 - float(((version.test_y - said) ** 2).sum()) / spread if spread else 0.0


def _ranking(fitted: object, x: Floats, *, classes: bool) -> Floats:
    """What the model says of each row, as a number that ranks."""
    predict = "predict"
    if classes:
        predict = next((n for n in ("predict_proba", "decision_function") if hasattr(fitted, n)), predict)
    said = np.asarray(getattr(fitted, predict)(x), dtype=np.float64)
    return said[:, 1] if said.ndim == 2 else said

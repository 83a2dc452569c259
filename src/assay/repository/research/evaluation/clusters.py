"""Which kinds of repositories are there? K-means on the factor scores, for every number of clusters up to ten."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from assay.errors import InputError
from assay.records import dataclass
from assay.repository.research.evaluation.collection import Collection

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MOST_CLUSTERS = 10
_STARTS, _FEWER_STARTS = 10, 3
_MANY = 2_000
"""With more repositories fewer starts do, resamples are of so many, and threads pay."""
_RESAMPLES = 20
_SILHOUETTE_ROWS = 1_500
"""Silhouettes take time with the square of this."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One number of clusters. The silhouette runs from -1 to 1; one cluster has none."""

    clusters: int
    inertia: float
    decrease: float | None
    silhouette: float | None


@dataclass(frozen=True, slots=True)
class Cluster:
    """A group of repositories that score alike."""

    size: int
    means: tuple[float, ...]
    """One for each factor."""
    origins: tuple[tuple[str, int], ...]
    """How many come from which group of the study."""


@dataclass(frozen=True, slots=True)
class Clustering:
    """The clusters of the chosen number, the highest mean score first, and how other numbers would have done."""

    choices: tuple[Choice, ...]
    clusters: tuple[Cluster, ...]
    labels: tuple[int, ...]
    """For each repository, its cluster, counting from 0."""
    elbow: int
    """Where the decrease falls off most sharply: a rule of thumb."""
    best_silhouette: int
    stability: float
    """How far clusterings of resamples agree with this one (adjusted Rand index, mean): 1 is fully, 0 by chance."""


def cluster(found: Collection, wanted: int = 2, *, seed: int = 0) -> Clustering:
    """Cluster the repositories. `wanted` is the number of clusters; 2 is what section 7.3 chooses."""
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]  # comes with scikit-learn

    with threadpool_limits(1 if len(found.groups) <= _MANY else None):  # for few rows, threads only wait for each other
        return _clustering(found, wanted, seed)


def _clustering(found: Collection, wanted: int, seed: int) -> Clustering:
    import numpy as np

    scores = found.scores
    distinct = len(np.unique(scores, axis=0))
    most = min(_MOST_CLUSTERS, distinct)
    if not 2 <= wanted <= most:
        told = f"{wanted} clusters cannot be made of {distinct} different rows of scores"
        raise InputError(told, fix=f"Ask for 2 to {most} with --clusters." if most >= 2 else "")
    starts = _STARTS if len(scores) <= _MANY else _FEWER_STARTS
    models = [_fitted(scores, k, seed, starts) for k in range(1, most + 1)]
    choices = _choices(models, scores, seed)
    model = models[wanted - 1]
    order = sorted(range(wanted), key=lambda c: -float(model.cluster_centers_[c].mean()))
    labels = tuple(order.index(int(label)) for label in model.labels_)
    return Clustering(
        choices=choices,
        clusters=tuple(_cluster(found, labels, number) for number in range(wanted)),
        labels=labels,
        elbow=_elbow(choices),
        best_silhouette=max(choices[1:], key=lambda c: c.silhouette or -1.0).clusters,
        stability=_stability(scores, model, wanted, seed),
    )


def _fitted(scores: NDArray[np.float64], clusters: int, seed: int, starts: int) -> Any:
    from sklearn.cluster import KMeans

    return KMeans(clusters, n_init=starts, random_state=seed).fit(scores)


def _choices(models: Sequence[Any], scores: NDArray[np.float64], seed: int) -> tuple[Choice, ...]:
    found: list[Choice] = []
    for clusters, model in enumerate(models, 1):
        inertia = float(model.inertia_)
        decrease = found[-1].inertia - inertia if found else None
        found.append(Choice(clusters, inertia, decrease, _silhouette(scores, model.labels_, seed)))
    return tuple(found)


def _silhouette(scores: NDArray[np.float64], labels: Any, seed: int) -> float | None:
    from sklearn.metrics import silhouette_score

    if not 2 <= len(set(labels)) < len(labels):
        return None
    sample = _SILHOUETTE_ROWS if len(labels) > _SILHOUETTE_ROWS else None
    return float(silhouette_score(scores, labels, sample_size=sample, random_state=seed))


def _elbow(choices: Sequence[Choice]) -> int:
    """The number whose own decrease exceeds the next one's by most."""
    drops = [choice.decrease or 0.0 for choice in choices[1:]] + [0.0]
    return 2 + max(range(len(drops) - 1), key=lambda i: drops[i] - drops[i + 1])


def _cluster(found: Collection, labels: Sequence[int], number: int) -> Cluster:
    import numpy as np

    inside = np.array(labels) == number
    origins = [group for group, label in zip(found.groups, labels, strict=True) if label == number]
    return Cluster(
        size=int(inside.sum()),
        means=tuple(float(v) for v in found.scores[inside].mean(axis=0)),
        origins=tuple((name, origins.count(name)) for name in found.names),
    )


def _stability(scores: NDArray[np.float64], model: Any, wanted: int, seed: int) -> float:
    """Cluster resamples, assign all repositories to what came out, and compare."""
    import numpy as np
    from sklearn.metrics import adjusted_rand_score

    chance = np.random.default_rng(seed)
    agreements = []
    for _ in range(_RESAMPLES):
        drawn = scores[chance.integers(len(scores), size=min(len(scores), _MANY))]
        if len(np.unique(drawn, axis=0)) >= wanted:
            again = _fitted(drawn, wanted, seed, _FEWER_STARTS)
            agreements.append(adjusted_rand_score(model.labels_, again.predict(scores)))
    return float(np.mean(agreements)) if agreements else 0.0

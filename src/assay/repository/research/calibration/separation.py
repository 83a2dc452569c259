"""How well single indicators, and the scores made of them, tell the two sets apart.

The area under the curve (AUC) is the chance that a reproducible repository has the better value than another, ties
counting half: 1 is perfect, 0.5 is worth nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from assay.records import dataclass
from assay.repository.research.calibration.labelled import Labelled
from assay.repository.research.loos2022 import Indicators, Weights

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_FORESTS = 10
"""Section 7.2 takes the mean of ten forests."""
_TREES = 50


@dataclass(frozen=True, slots=True)
class Sign:
    """An indicator with the weight it has, the indicators it shares its factor with, and how to read it."""

    name: str
    group: str
    weight: str
    """The field of `Weights`; empty for what decides a factor alone."""
    value: Callable[[Indicators], float]


def _links(i: Indicators) -> float:
    return i.links * (i.reachable_links or 0.0) / 100


SIGNS = (
    Sign("README lines", "README", "readme_lines", lambda i: i.readme_lines),
    Sign("README links that work", "README", "readme_links", _links),
    Sign("open-source licences", "SCAD", "licence", lambda i: i.open_licences / i.licences if i.licences else 0.0),
    Sign("code-comment ratio (less is better)", "SCAD", "comment_ratio", lambda i: -i.comment_ratio),
    Sign("pylint rating", "SCAD", "pylint", lambda i: i.pylint or 0.0),
    Sign("imports declared", "SE", "declared", lambda i: i.declared),
    Sign("strict declarations", "SE", "strict", lambda i: i.strict),
    Sign("public libraries", "SE", "public", lambda i: i.public),
    Sign("fixed seeds", "RSC", "", lambda i: i.fixed_seeds if i.seed_lines else 0.0),
    Sign("dataset found", "DSA", "", lambda i: float(i.dataset)),
    Sign("model serialization", "MS", "", lambda i: float(i.models)),
    Sign("hyperparameter logging", "HPL", "", lambda i: float(i.logging > 0)),
)


def table_of(rows: Sequence[Indicators]) -> NDArray[np.float64]:
    """A row for each repository, a column for each of `SIGNS`."""
    import numpy as np

    return np.array([[sign.value(row) for sign in SIGNS] for row in rows], dtype=float)


def areas(good: NDArray[np.float64], bad: NDArray[np.float64]) -> list[float]:
    """The AUC of every column: the first rows against the second."""
    from scipy.stats import rankdata

    many = len(good)
    ranks = rankdata([*good, *bad], axis=0)[:many].sum(axis=0)
    return [float(a) for a in (ranks - many * (many + 1) / 2) / (many * len(bad))]


def separating_weights(found: Sequence[float]) -> Weights:
    """Weights in proportion to how far each AUC lies above 0.5, indicators of one factor summing to 1.

    This is the thesis's fourth question (section 6.2) taken at its word: what differs more weighs more. The README
    counts by the better of its two parts. A factor in which nothing separates keeps equal weights.
    """
    excess = {sign.weight: max(0.0, area - 0.5) for sign, area in zip(SIGNS, found, strict=True) if sign.weight}
    excess["readme"] = max(excess["readme_lines"], excess["readme_links"])
    groups = (
        ("readme_lines", "readme_links"),
        ("readme", "licence", "comment_ratio", "pylint"),
        ("declared", "strict", "public"),
    )
    return Weights(**{name: share for group in groups for name, share in _shares(group, excess).items()})


def _shares(group: Sequence[str], excess: Mapping[str, float]) -> dict[str, float]:
    whole = sum(excess[name] for name in group)
    return {name: excess[name] / whole if whole else 1 / len(group) for name in group}


def impurity_shares(sets: Labelled) -> list[float]:
    """Section 7.2: the mean decrease of impurity of each indicator in random forests, over ten of them."""
    import numpy as np
    from sklearn.ensemble import RandomForestClassifier

    values = table_of([row for row, _ in sets.rows])
    labels = [label for _, label in sets.rows]
    forests = (RandomForestClassifier(_TREES, random_state=seed).fit(values, labels) for seed in range(_FORESTS))
    return [float(v) for v in np.mean([forest.feature_importances_ for forest in forests], axis=0)]

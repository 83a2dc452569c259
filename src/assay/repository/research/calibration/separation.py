"""How well single indicators, and the scores made of them, separate the two sets.

The area under the curve (AUC) is the chance that a reproducible repository has the better value than another, ties
counting half: 1 is perfect, 0.5 is worth nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from assay.records import dataclass
from assay.repository.research.loos2022 import Indicators

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Sign:
    """An indicator, the factor it belongs to, and how to read it."""

    name: str
    factor: str
    value: Callable[[Indicators], float]


SIGNS = (
    Sign("README lines", "SCAD", lambda i: i.readme_lines),
    Sign("README links that work", "SCAD", lambda i: i.links * (i.reachable_links or 0.0) / 100),
    Sign("open-source licences", "SCAD", lambda i: i.open_licences / i.licences if i.licences else 0.0),
    Sign("code-comment ratio (less is better)", "SCAD", lambda i: -i.comment_ratio),
    Sign("pylint rating", "SCAD", lambda i: i.pylint or 0.0),
    Sign("imports declared", "SE", lambda i: i.declared),
    Sign("strict declarations", "SE", lambda i: i.strict),
    Sign("public libraries", "SE", lambda i: i.public),
    Sign("fixed seeds", "RSC", lambda i: i.fixed_seeds if i.seed_lines else 0.0),
    Sign("dataset found", "DSA", lambda i: float(i.dataset)),
    Sign("model serialization", "MS", lambda i: float(i.models)),
    Sign("hyperparameter logging", "HPL", lambda i: float(i.logging > 0)),
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

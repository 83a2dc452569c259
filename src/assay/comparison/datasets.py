"""Models compared over several data sets: their ranks, and whether these differ by more than chance explains.

Demšar, Statistical comparisons of classifiers over multiple data sets, JMLR 7 (2006): Friedman's test with the
correction of Iman & Davenport, then Nemenyi's critical difference. Data sets, unlike folds, are independent.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf, sqrt

import numpy as np
from scipy.stats import chi2, f, rankdata, studentized_range

from assay.comparison.arrays import Floats
from assay.comparison.measures import Kind, Measure
from assay.comparison.pairs import corrected, pairs_of
from assay.comparison.results import Comparison, Difference, Estimate, Method, Settings
from assay.comparison.signed_rank import Posterior, bayesian_signed_rank, signed_rank_p
from assay.errors import InputError
from assay.records import dataclass

MEAN_RANK = Measure("rank", "mean rank", Kind.RANKING, larger_is_better=False)
_FEWEST_SETS = 6
"""With five pairs the smallest two-sided p-value of the signed-rank test is 0.0625."""


@dataclass(frozen=True, eq=False)
class DatasetScores:
    """A score of each model on each data set: by data set and model."""

    models: tuple[str, ...]
    names: tuple[str, ...]
    scores: Floats
    measure: Measure
    left_out: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(self.names) < 2:
            raise InputError("there is one data set only", fix="A comparison over data sets needs two or more.")
        if len(self.models) < 2:
            raise InputError("there is one model only", fix="Give two or more columns of scores.")
        if not np.isfinite(self.scores).all():
            place = int(np.flatnonzero(~np.isfinite(self.scores).all(axis=1))[0])
            fix = "Fill the gap, or leave the data set out."
            raise InputError(f'data set "{self.names[place]}" has no score for some model', fix=fix)

    @property
    def subject(self) -> str:
        """How a sentence about the data sets begins."""
        return f"Over {len(self.names)} data sets"

    @property
    def unit(self) -> str:
        """What the scores belong to."""
        return "data sets"

    @property
    def ranks(self) -> Floats:
        """The rank of each model on each data set, 1 for the best; ties share their ranks."""
        ranks: Floats = rankdata(-self.measure.sign * self.scores, axis=1)
        return ranks


@dataclass(frozen=True, slots=True)
class Omnibus:
    """Whether any model differs from any other (Friedman), and which distance of mean ranks counts (Nemenyi)."""

    chi2: float
    chi2_p: float
    f: float
    f_p: float
    critical_difference: float


@dataclass(frozen=True, slots=True)
class Belief:
    """The Bayesian answer for one pair of models."""

    first: str
    second: str
    posterior: Posterior


@dataclass(frozen=True)
class DatasetComparison(Comparison):
    """A comparison over data sets, with the test of all models together and the posterior of each pair."""

    omnibus: Omnibus | None = None
    beliefs: tuple[Belief, ...] = ()
    rope: float = 0.0

    @property
    def mean_ranks(self) -> dict[str, float]:
        """By model, the best first."""
        ranks = {e.model: e.value for e in self.estimates if e.measure == MEAN_RANK}
        return dict(sorted(ranks.items(), key=lambda item: item[1]))


def compare_datasets(source: DatasetScores, settings: Settings | None = None, rope: float = 0.01) -> DatasetComparison:
    """Mean scores and ranks, Friedman's test, and for every pair Wilcoxon's test and the Bayesian posterior."""
    wanted = settings or Settings()
    if not 0 <= rope < inf:
        raise InputError(f"a region of practical equivalence of {rope}", fix="Give 0 or more, in units of the score.")
    place = {model: i for i, model in enumerate(source.models)}
    pairs = pairs_of(source.models, wanted.claim)
    ranks = source.ranks.mean(axis=0)
    means = source.scores.mean(axis=0)
    estimates = [
        Estimate(model, measure, float(values[i]), None, Method.WILCOXON)
        for measure, values in ((source.measure, means), (MEAN_RANK, ranks))
        for model, i in place.items()
    ]
    beliefs = []
    for first, second in pairs:
        gains = source.measure.sign * (source.scores[:, place[first]] - source.scores[:, place[second]])
        beliefs.append(Belief(first, second, bayesian_signed_rank(gains, rope, wanted.seed)))
    left_out = list(source.left_out)
    if len(source.names) < _FEWEST_SETS:
        number = len(source.names)
        left_out.append(f"a decision by Wilcoxon's test: with {number} data sets its p-value cannot fall below 0.05")
    return DatasetComparison(
        source,
        wanted,
        tuple(estimates),
        tuple(corrected(_tests(source, pairs, wanted), wanted.correction)),
        left_out=tuple(left_out),
        omnibus=friedman(source, wanted.alpha),
        beliefs=tuple(beliefs),
        rope=rope,
    )


def friedman(source: DatasetScores, alpha: float) -> Omnibus:
    """Friedman's statistic with ties, Iman & Davenport's F, and Nemenyi's critical difference of mean ranks."""
    ranks = source.ranks
    sets, models = ranks.shape
    mean = ranks.mean(axis=0)
    spread = float(((ranks - (models + 1) / 2) ** 2).sum())
    between = float(sets * ((mean - (models + 1) / 2) ** 2).sum())
    statistic = sets * (models - 1) * between / spread if spread else 0.0
    rest = sets * (models - 1) - statistic
    ratio = (sets - 1) * statistic / rest if rest > 0 else inf
    q = float(studentized_range.ppf(1 - alpha, models, inf)) / sqrt(2)
    return Omnibus(
        statistic,
        float(chi2.sf(statistic, models - 1)),
        ratio,
        float(f.sf(ratio, models - 1, (models - 1) * (sets - 1))),
        q * sqrt(models * (models + 1) / (6 * sets)),
    )


def _tests(source: DatasetScores, pairs: list[tuple[str, str]], settings: Settings) -> Iterator[Difference]:
    for first, second in pairs:
        one, other = (source.scores[:, source.models.index(name)] for name in (first, second))
        p = signed_rank_p(one, other, one_sided=settings.one_sided, sign=source.measure.sign)
        value = float((one - other).mean())
        yield Difference(first, second, source.measure, Method.WILCOXON, value, None, None, p, p)

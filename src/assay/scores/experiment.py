"""An experiment as a paper describes it: which test sets, how the scores were summed up, what was printed.

Plain facts, no judgement. One shape covers everything binary: an experiment has one or more
datasets; a dataset is either tested as a whole or in folds; scores are pooled or averaged at each
of the two levels.
"""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction

from assay.findings import Location
from assay.records import dataclass
from assay.scores.constraints import Constraint, substitutes_for
from assay.scores.conventions import Rounding, Undefined
from assay.scores.definitions import Score
from assay.scores.exact import Interval


class Aggregation(StrEnum):
    """How the figures of several test sets become one."""

    POOLED = "pooled"
    """Counts are summed, then scored ("score of means")."""
    MEAN = "mean"
    """Each is scored, then the scores are averaged ("mean of scores")."""
    WEIGHTED = "weighted"
    """Each is scored, then the scores are averaged with the numbers of items as weights. Rare, so never assumed."""
    UNKNOWN = "unknown"
    """The paper does not say: pooling and the plain mean are tried."""


class FoldModel(StrEnum):
    """What is known about how a dataset was cut into folds."""

    STRATIFIED = "stratified"
    """As scikit-learn's StratifiedKFold cuts since version 0.22."""
    STRATIFIED_BEFORE_0_22 = "stratified-before-0.22"
    """As it cut before: the left-over items of both classes go to the first folds."""
    ANY_STRATIFIED = "any-stratified"
    """Each class spread as evenly as whole items allow."""
    BOTH_CLASSES = "both-classes"
    """Folds of equal size, each with at least one item of either class."""
    ANY = "any"
    """Folds of equal size, any number of positives in each."""
    UNKNOWN = "unknown"
    """The paper does not say: scikit-learn's folds of today and of old are tried, and any folds of equal size."""


@dataclass(frozen=True, slots=True)
class TestSet:
    """A set of p positives and n negatives on which scores are computed."""

    p: int
    n: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class Folding:
    """k folds, cut anew `repeats` times; `listed` when the paper says what is in each."""

    k: int
    model: FoldModel = FoldModel.UNKNOWN
    repeats: int = 1
    listed: tuple[TestSet, ...] = ()


@dataclass(frozen=True, slots=True)
class Dataset:
    """A dataset, tested as a whole or in folds whose figures are pooled or averaged."""

    whole: TestSet
    folding: Folding | None = None
    aggregation: Aggregation = Aggregation.UNKNOWN


@dataclass(frozen=True, slots=True)
class Wording:
    """The figures of one score as text, and how to read them: enough to read them again under another assumption."""

    value: str | None = None
    sd: str | None = None
    minimum: str | None = None
    maximum: str | None = None
    median: str | None = None
    rounding: Rounding = Rounding.NEAREST
    eps: Fraction | None = None
    percent: bool = False


@dataclass(frozen=True, slots=True)
class Reported:
    """One reported score: which, what was printed, and what that leaves open for the score itself.

    A complement such as the error rate has already been turned into the score it completes, so
    `interval`, `minimum`, `maximum` and `median` are about `score`; `complement` and `wording` say what they were
    read from.
    """

    name: str
    printed: str
    score: Score
    interval: Interval | None
    sd: Interval | None = None
    minimum: Interval | None = None
    maximum: Interval | None = None
    median: Interval | None = None
    complement: bool = False
    wording: Wording = Wording()
    ci: tuple[Interval, Interval] | None = None
    """What the printed ends of its 95 % confidence interval leave open, under the name that was printed."""

    @property
    def spread_out(self) -> bool:
        """Whether something is reported that needs several folds or test sets."""
        return any((self.sd, self.minimum, self.maximum, self.median))

    def constraint(self, policy: Undefined) -> Constraint:
        """As a statement about one confusion matrix."""
        interval = self.interval or Interval(None, None)
        return Constraint(self.score, interval, substitutes_for(self.score, policy), self.name, self.printed)


@dataclass(frozen=True, slots=True)
class Experiment:
    """Everything that a score check needs to know about one row of a paper's table.

    `alternatives` are other test sets that the same description may mean (field of view or all pixels,
    first or second annotator), each under its name; they are tried side by side with `datasets`.
    """

    name: str
    datasets: tuple[Dataset, ...]
    reported: tuple[Reported, ...]
    aggregation: Aggregation = Aggregation.UNKNOWN
    undefined: Undefined = Undefined.ANY
    location: Location | None = None
    alternatives: tuple[tuple[str, tuple[Dataset, ...]], ...] = ()
    left_out: tuple[str, ...] = ()
    """Reported figures that no test uses, each with the reason."""

    @property
    def one_test_set(self) -> bool:
        """Whether the scores come from one set, without folds or averages."""
        return len(self.datasets) == 1 and self.datasets[0].folding is None

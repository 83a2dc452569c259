"""Experiments beyond one binary decision: several classes, a regression, a ranking.

Each is plain facts, like `experiment.Experiment`, and has an engine of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.findings import Location
from assay.records import dataclass
from assay.scores.answers import Answer
from assay.scores.conflicts import both_classes, enumeration
from assay.scores.conventions import Undefined
from assay.scores.exact import Interval
from assay.scores.experiment import Aggregation, Experiment, FoldModel, Reported

# Not "c-index": Harrell's C counts other pairs than positives against negatives.
AREA = frozenset({"auc", "auroc", "rocauc", "aucroc", "areaunderthecurve", "cstatistic"})
GINI = frozenset({"gini", "ginicoefficient", "somersd"})


@dataclass(frozen=True, slots=True)
class Said:
    """A reported figure: its name, what was printed, and what that leaves open; also its spread over folds."""

    name: str
    printed: str
    interval: Interval
    sd: Interval | None = None
    minimum: Interval | None = None
    maximum: Interval | None = None
    median: Interval | None = None
    ci: tuple[Interval, Interval] | None = None
    """What the printed ends of its 95 % confidence interval leave open."""
    possible: Interval = Interval(None, None)
    """What a figure of this name can be at all."""

    @property
    def beyond_its_range(self) -> bool:
        """Whether the figure can never be true, whatever the experiment."""
        return self.interval.intersect(self.possible).empty

    @property
    def spread_out(self) -> bool:
        """Whether something is reported that needs several folds."""
        return any((self.sd, self.minimum, self.maximum, self.median))


@dataclass(frozen=True, slots=True)
class ClassFolding:
    """How a dataset of several classes was cut: into k folds by a model, several times over."""

    k: int
    model: FoldModel = FoldModel.UNKNOWN
    repeats: int = 1


@dataclass(frozen=True, slots=True)
class MulticlassExperiment:
    """One test set of several classes with known counts, or a cross-validation on it."""

    name: str
    classes: tuple[str, ...]
    counts: tuple[int, ...]
    reported: tuple[Said, ...]
    undefined: Undefined = Undefined.ANY
    location: Location | None = None
    folding: ClassFolding | None = None
    aggregation: Aggregation = Aggregation.UNKNOWN

    @property
    def words(self) -> str:
        """The experiment in brief."""
        counts = enumeration([f"{count:,}" for count in self.counts])
        return f"one test set of {len(self.counts)} classes with {counts} items"

    def readings(self, *, explain: bool = True) -> Iterator[tuple[str, Answer]]:
        """One test set, pooled folds, or means over folds: each with its answer."""
        if self.folding is None:
            yield self.words, self._of_one_set(self.counts, explain=explain)
            return
        over_parts = any(said.median for said in self.reported)  # pooled predictions have no median
        if self.aggregation is not Aggregation.MEAN and not over_parts:
            pooled = tuple(count * self.folding.repeats for count in self.counts)
            yield f"predictions pooled over {self.folding.k} folds", self._of_one_set(pooled, explain=explain)
        if self.aggregation is not Aggregation.POOLED:
            from assay.scores.multiclass.cross_validation import hypotheses

            yield from hypotheses(self)

    def _of_one_set(self, counts: tuple[int, ...], *, explain: bool) -> Answer:
        """Whether some confusion matrix of these classes gives the figures."""
        from assay.scores import multiclass

        figures = {said.name: said.interval for said in self.reported}
        return multiclass.solve(counts, figures, classes=self.classes, undefined=self.undefined, explain=explain)


@dataclass(frozen=True, slots=True)
class RegressionExperiment:
    """Predictions of n numbers; what is known of the true numbers makes R² comparable with the errors."""

    name: str
    n: int
    reported: tuple[Said, ...]
    variance: Interval | None = None
    ddof: int | None = None
    target_range: tuple[Interval, Interval] | None = None
    range_attained: bool = False
    integer: bool = False
    location: Location | None = None

    @property
    def words(self) -> str:
        """The experiment in brief."""
        return f"{self.n:,} predictions" if self.n > 1 else "1 prediction"

    def answer(self) -> Answer:
        """Whether some residuals give the figures."""
        from assay.scores import regression

        figures = {said.name: said.interval for said in self.reported}
        return regression.solve(
            self.n,
            figures,
            variance=self.variance,
            ddof=self.ddof,
            target_range=self.target_range,
            range_attained=self.range_attained,
            integer=self.integer,
        )

    def other_readings(self) -> Iterator[tuple[str, Answer]]:
        """Where R² may be another quantity than the coefficient of determination, the answer for that."""
        from assay.scores import regression

        figures = {said.name: said.interval for said in self.reported}
        found = regression.as_squared_correlation(self.n, figures, variance=self.variance, ddof=self.ddof)
        if found is not None:
            yield f"{self.words}, R² being the squared correlation", found


@dataclass(frozen=True, slots=True)
class RankingExperiment:
    """One binary test set with the area under its ROC curve; other scores are points on that curve."""

    binary: Experiment
    areas: tuple[Said, ...]

    @property
    def name(self) -> str:
        """As the binary experiment is called."""
        return self.binary.name

    @property
    def location(self) -> Location | None:
        """Where it stands."""
        return self.binary.location

    @property
    def reported(self) -> Sequence[Said | Reported]:
        """The areas, then the scores."""
        return (*self.areas, *self.binary.reported)

    @property
    def words(self) -> str:
        """The experiment in brief."""
        whole = self.binary.datasets[0].whole
        return f"one test set of {both_classes(whole.p, whole.n)}, ranked by one score"

    def answer(self) -> Answer:
        """Whether some ranking has this area and passes through the point that the scores describe."""
        whole = self.binary.datasets[0].whole
        return self.on_one_set(whole.p, whole.n)

    def on_one_set(self, p: int, n: int) -> Answer:
        """The same for a test set of this size."""
        from assay.findings import Verdict
        from assay.scores import single
        from assay.scores.ranking import solve_auc

        point = [r.constraint(self.binary.undefined) for r in self.binary.reported if r.interval is not None]
        if point:
            alone = single.solve(p, n, point)
            if alone.verdict is not Verdict.CONSISTENT:
                return alone
        found = {kind: _one(self.areas, names) for kind, names in (("auc", AREA), ("gini", GINI))}
        return solve_auc(p, n, found["auc"], [point] if point else [], gini=found["gini"])


@dataclass(frozen=True, slots=True)
class KnownSizes:
    """What is known of a test set: the items of one class, or the least and the largest total."""

    p: int | None = None
    n: int | None = None
    totals: tuple[int, int] | None = None

    @property
    def words(self) -> str:
        """The test set in words."""
        if self.totals is not None:
            least, most = self.totals
            return (
                f"one test set of {least:,} items" if least == most else f"one test set of {least:,} to {most:,} items"
            )
        if self.p is not None:
            return f"one test set of {self.p:,} positives and any number of negatives"
        return f"one test set of {self.n or 0:,} negatives and any number of positives"


@dataclass(frozen=True, slots=True)
class SizelessExperiment:
    """Scores of two classes whose numbers of items are not known, or not both."""

    name: str
    scores: tuple[Reported, ...]
    areas: tuple[Said, ...] = ()
    aggregation: Aggregation = Aggregation.UNKNOWN
    undefined: Undefined = Undefined.ANY
    location: Location | None = None
    known: KnownSizes | None = None
    in_parts: bool = False
    """Whether folds or a spread are reported."""

    @property
    def reported(self) -> Sequence[Said | Reported]:
        """The scores, then the areas."""
        return (*self.scores, *self.areas)

    def readings(self, *, explain: bool = True) -> Iterator[tuple[str, Answer]]:
        """One test set, or a mean: each with its answer."""
        from assay.scores.sizeless import hypotheses

        return hypotheses(self, explain=explain)


def is_area(name: str) -> bool:
    """Whether a reported name means an area under the ROC curve."""
    return _key(name) in AREA | GINI


def is_gini(name: str) -> bool:
    """Whether it is the Gini coefficient, which goes from -1 to 1."""
    return _key(name) in GINI


def _key(name: str) -> str:
    return "".join(c for c in name.lower() if c.isalnum())


def _one(areas: Sequence[Said], names: frozenset[str]) -> Interval | None:
    """What all figures under these names leave open together."""
    found = [said.interval for said in areas if _key(said.name) in names]
    if not found:
        return None
    both = found[0]
    for other in found[1:]:
        both = both.intersect(other)
    return both


AnyExperiment = Experiment | MulticlassExperiment | RegressionExperiment | RankingExperiment | SizelessExperiment

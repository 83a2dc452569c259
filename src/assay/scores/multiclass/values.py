"""The exact scores of a confusion matrix of k classes, under each reading of what a report leaves unsaid."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from fractions import Fraction
from typing import Any, NamedTuple

from assay.records import dataclass
from assay.scores.conventions import Undefined
from assay.scores.definitions import SCORES, Matrix, Score
from assay.scores.enclosures import Enclosure, enclose, inside, scaled, total
from assay.scores.exact import Exact, Infinite, Root
from assay.scores.multiclass.confusion import Confusion, Margins, margins_of
from assay.scores.multiclass.quantities import AVERAGES, Quantity, Scope


class Gap(StrEnum):
    """What stands for a score that is 0/0 for some class, most often the precision of one never predicted."""

    NEVER = "every score is defined for every class"
    ZERO = "undefined scores of a class count as 0"
    ONE = "undefined scores of a class count as 1"
    SKIP = "classes with an undefined score are left out of its mean"
    SKIP_UNPREDICTED = "classes without items or without predictions are left out of the means"
    SKIP_MISSED = "classes without a correct item are left out of the mean F1, undefined ones out of the other means"
    ABSENT = "undefined scores of a class count as 0, but a class that is absent from a fold is left out of its means"
    """As in scikit-learn, whose means are over the classes with items or predictions; only folds can lack a class."""

    @property
    def fill(self) -> int | None:
        """The number that is printed or averaged in, if any."""
        return {Gap.ZERO: 0, Gap.ONE: 1, Gap.ABSENT: 0}.get(self)

    @property
    def listed(self) -> int | None:
        """The number that may stand beside the class itself; what a mean leaves out, many tables list as 0."""
        return None if self is Gap.NEVER else self.fill or 0


def gaps_for(policy: Undefined) -> tuple[Gap, ...]:
    """The conventions that a policy allows, the plainest first."""
    skipping = (Gap.SKIP, Gap.SKIP_UNPREDICTED, Gap.SKIP_MISSED)
    return {
        Undefined.ANY: (Gap.NEVER, Gap.ZERO, Gap.ONE, *skipping),
        Undefined.ZERO: (Gap.ZERO,),
        Undefined.SCIKIT_LEARN: (Gap.ZERO,),
        Undefined.ONE: (Gap.ONE,),
        Undefined.NEVER: (Gap.NEVER,),
        Undefined.SKIP: skipping,
    }[policy]


def stand_ins_for(policy: Undefined) -> tuple[Fraction, ...]:
    """What a policy allows for a kappa or an MCC that is 0/0; libraries print 0."""
    allowed = {Undefined.ANY: (0, 1, -1), Undefined.ZERO: (0,), Undefined.ONE: (1,), Undefined.SCIKIT_LEARN: (0,)}
    return tuple(map(Fraction, allowed.get(policy, ())))


@dataclass(frozen=True, slots=True)
class Reading:
    """What a report leaves unsaid: the conventions for 0/0, and which of the two mean F1 scores is meant."""

    gap: Gap = Gap.NEVER
    f1_of_means: bool = False
    """The F1 of the mean precision and the mean recall, instead of the mean of the classes' F1."""
    whole: tuple[Fraction, ...] = ()
    """What may stand for a kappa or an MCC. Its classes may use other values, because other functions compute them."""

    def __str__(self) -> str:
        f1 = "the averaged F1 is the F1 of the averaged precision and recall"
        return f"{f1}; {self.gap.value}" if self.f1_of_means else self.gap.value


class Mean(NamedTuple):
    """A score averaged over the classes; `complement` and `balanced` as in `Quantity`."""

    score: Score
    scope: Scope
    complement: bool = False
    balanced: bool = False

    def without(self, items: Any, predicted: Any) -> Any:
        """Whether a class leaves this mean where absent classes do, for counts or arrays of them."""
        return (items == 0) & (self.balanced | (predicted == 0))


class ClassSize(NamedTuple):
    """The items of a class, and of all classes."""

    items: int
    total: int

    def versus_rest(self, correct: int, predicted: int) -> Matrix:
        """The class against the rest."""
        c, n = self
        return Matrix(correct, c - correct, predicted - correct, n - c - predicted + correct)


def undefined(score: Score, size: ClassSize, correct: int, predicted: int, gap: Gap) -> bool:
    """Whether the one-versus-rest score of a class is 0/0, or left out as if it were."""
    if score.name == "f1" and gap is Gap.SKIP_MISSED and not correct:
        return True
    if score.name == "f1" and gap is Gap.SKIP_UNPREDICTED and not (size.items and predicted):
        return True
    return score.ratio(*size.versus_rest(correct, predicted)) == (0, 0)


def substitute(mean: Mean, gap: Gap) -> Fraction | None:
    """What stands for an undefined score, as the score that a complement completes."""
    fill = gap.listed if mean.scope is Scope.CLASS else gap.fill
    if fill is None:
        return None
    return Fraction(1 - fill if mean.complement else fill)


def fits(confusion: Confusion, quantities: Iterable[Quantity], reading: Reading) -> bool:
    """Whether this very matrix gives every reported figure: the final word on every witness."""
    margins = margins_of(confusion)
    values = ((value(q, margins, reading), q.interval) for q in quantities)
    return all(x is not None and inside(x, interval) is not False for x, interval in values)


def value(quantity: Quantity, margins: Margins, reading: Reading) -> Enclosure | None:
    """What the figure is for these margins; None where no number would be printed."""
    score, scope, complement, gap = quantity.score, quantity.scope, quantity.complement, reading.gap
    if scope is Scope.CORRECT:
        return _finite(pooled(score, sum(margins.correct), margins.items, len(margins.counts)))
    if scope in (Scope.KAPPA, Scope.MCC):
        return _finite(_agreement(quantity, margins, reading))
    if scope is Scope.CLASS:
        return _of_class(Mean(score, scope, complement), quantity.label, margins, gap)
    if quantity.averaged_f1 and reading.f1_of_means:
        return _finite(_f1_of_means(scope, margins, gap))
    return _mean(mean_of(quantity), margins, gap)


def mean_of(quantity: Quantity) -> Mean:
    """The mean that a figure reports."""
    return Mean(quantity.score, quantity.scope, quantity.complement, quantity.balanced)


def _agreement(quantity: Quantity, margins: Margins, reading: Reading) -> Exact | None:
    """Kappa or MCC; where it is 0/0, what the reading lets stand for it."""
    found = _kappa(margins) if quantity.scope is Scope.KAPPA else _mcc(margins)
    return next((x for x in reading.whole if x in quantity.interval), None) if found is None else found


def _finite(value: Exact | None) -> Enclosure | None:
    return None if value is None or isinstance(value, Infinite) else enclose(value)


def pooled(score: Score, correct: int, items: int, classes: int) -> Exact:
    """A score of the sum of all one-versus-rest matrices; with two classes and an item it is never 0/0."""
    wrong = items - correct
    found = score.value(Matrix(correct, wrong, wrong, (classes - 2) * items + correct))
    if found is None:
        raise ValueError(f"pooled {score.name} of {items} items in {classes} class(es)")
    return found


def _of_class(mean: Mean, label: int, margins: Margins, gap: Gap) -> Enclosure | None:
    """The score of one class as it would enter a mean."""
    size = ClassSize(margins.counts[label], margins.items)
    pair = margins.correct[label], margins.predicted[label]
    if undefined(mean.score, size, *pair, gap):
        absent = gap is Gap.ABSENT and mean.scope in AVERAGES and mean.without(size.items, pair[1])
        return None if absent else _finite(substitute(mean, gap))
    return _finite(mean.score.value(size.versus_rest(*pair)))


def _mean(mean: Mean, margins: Margins, gap: Gap) -> Enclosure | None:
    values = [_of_class(mean, i, margins, gap) for i in range(len(margins.counts))]
    if gap is Gap.NEVER and None in values:
        return None
    weights = margins.counts if mean.scope is Scope.WEIGHTED else (1,) * len(values)
    kept = [(v, w) for v, w in zip(values, weights, strict=True) if v is not None]
    weight = sum(w for _, w in kept)
    return scaled(total(scaled(v, Fraction(w)) for v, w in kept), Fraction(1, weight)) if weight else None


def _f1_of_means(scope: Scope, margins: Margins, gap: Gap) -> Fraction | None:
    means = [_mean(mean, margins, gap) for mean in precision_and_recall(scope)]
    if means[0] is None or means[1] is None:
        return None
    (precision, _), (recall, _) = means[0], means[1]  # both are rational
    return 2 * precision * recall / (precision + recall) if precision + recall else Fraction(0)


def precision_and_recall(scope: Scope) -> tuple[Mean, Mean]:
    """The two means whose F1 some authors call the average F1."""
    return Mean(SCORES["ppv"], scope), Mean(SCORES["sens"], scope)


def _kappa(margins: Margins) -> Fraction | None:
    n, chance = margins.items, sum(c * q for c, q in zip(margins.counts, margins.predicted, strict=True))
    if chance == n * n:
        return None
    return Fraction(n * sum(margins.correct) - chance, n * n - chance)


def _mcc(margins: Margins) -> Exact | None:
    """The correlation of actual and predicted class (Gorodkin's R_K), as scikit-learn computes it."""
    n, chance = margins.items, sum(c * q for c, q in zip(margins.counts, margins.predicted, strict=True))
    spread = (n * n - sum(c * c for c in margins.counts)) * (n * n - sum(q * q for q in margins.predicted))
    if spread == 0:
        return None
    covariance = n * sum(margins.correct) - chance
    return Root((covariance > 0) - (covariance < 0), Fraction(covariance**2, spread))


def averages(quantities: Iterable[Quantity], reading: Reading) -> dict[Quantity, Mean]:
    """The reported means that are sums over the classes under this reading."""
    return {q: mean_of(q) for q in quantities if q.scope in AVERAGES and not (q.averaged_f1 and reading.f1_of_means)}

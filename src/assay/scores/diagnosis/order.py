"""Which repairs to believe: plausibility, stated so that a reader can recount it.

The ranking is Bayes' rule with three factors:

* how often slips of that kind are made (`kinds.PRIORS`, a table of judgements);
* shared among all slips of that kind that could have been made here, so that a kind which offers a
  thousand ways out is not believed because one of the thousand fits;
* the chance that an honest result, every confusion matrix being equally likely, would be printed
  as the corrected figures: the number of witnesses over the number of matrices. A repair on a large test
  set is believed less than one that had to be exact on a small one.

The products are scaled to add up to one over all repairs found. A repair says what *would* make the
scores possible, never what happened.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from assay.records import dataclass
from assay.scores.answers import Answer
from assay.scores.diagnosis.kinds import PRIORS, Change, RepairKind
from assay.scores.diagnosis.sets import RESIZING
from assay.scores.experiment import Experiment

SHOWN = 8
SHOWN_OF_A_KIND = 3


@dataclass(frozen=True, slots=True)
class Repair:
    """A change that makes the scores consistent, with the witness in `answer`.

    `fitted` of the `tried` changes of this kind do; `smallest` is the least size among them when the kind
    is about sizes. `plausibility` is the share of this repair among all that were found.
    """

    kind: RepairKind
    what: str
    experiment: Experiment
    answer: Answer
    tried: int
    fitted: int
    plausibility: float
    smallest: tuple[int, int] | None = None

    @property
    def sentence(self) -> str:
        """What would have to be otherwise, and how telling that is."""
        if self.tried == 1:
            return f"It would be consistent if {self.what}."
        extent = f", the smallest with {self.smallest[0]:,} + {self.smallest[1]:,} items" if self.smallest else ""
        telling = f"{self.fitted:,} of {self.tried:,} changes of this kind would do{extent}"
        return f"It would be consistent if {self.what} ({telling})."


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The most plausible repairs, best first, out of `fitted` that fit among `tried` changes.

    `left_out` says what was not tried, so that an empty diagnosis is read for what it is worth.
    """

    repairs: tuple[Repair, ...]
    tried: int
    fitted: int
    left_out: tuple[str, ...] = ()
    in_pairs: bool = False
    """Whether pairs of slips were tried as well."""

    @property
    def sentence(self) -> str:
        """How much was tried, and with what success."""
        would = "none would make" if not self.fitted else f"{self.fitted:,} would make"
        what = "changes, single or in pairs," if self.in_pairs else "single changes"
        return f"Of {self.tried:,} {what} that were tried, {would} these scores consistent."


@dataclass(frozen=True, slots=True)
class Fit:
    """A change that makes the scores consistent; `share` is its weight among all changes of its kind."""

    change: Change
    answer: Answer
    share: float

    @property
    def odds(self) -> float:
        """The product of the three factors."""
        wholes = [dataset.whole for dataset in self.change.experiment.datasets]
        p, n = sum(whole.p for whole in wholes), sum(whole.n for whole in wholes)
        witnessed = (self.answer.count or 1) / ((p + 1) * (n + 1))  # an unknown number of witnesses counts as one
        return PRIORS[self.change.kind].share * self.share * witnessed


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of the changes of one kind; `complete` when all of them were tried."""

    kind: RepairKind
    tried: int
    fits: tuple[Fit, ...]
    complete: bool


def ranked(outcomes: Sequence[Outcome]) -> tuple[Repair, ...]:
    """The best repairs, not too many of a kind; what comes to the same is one repair under its likeliest name."""
    same: dict[object, list[tuple[Outcome, Fit]]] = {}
    for outcome in outcomes:
        for fit in outcome.fits:
            same.setdefault(_identity(fit.change.experiment), []).append((outcome, fit))
    total = sum(fit.odds for outcome in outcomes for fit in outcome.fits)
    merged = []
    for found in same.values():
        outcome, fit = max(found, key=lambda pair: pair[1].odds)
        merged.append(_repair(outcome, fit, sum(f.odds for _, f in found) / total))
    shown: Counter[RepairKind] = Counter()
    best = []
    for repair in sorted(merged, key=lambda repair: -repair.plausibility):
        if shown[repair.kind] < SHOWN_OF_A_KIND:
            shown[repair.kind] += 1
            best.append(repair)
    return tuple(best[:SHOWN])


def _repair(outcome: Outcome, fit: Fit, plausibility: float) -> Repair:
    sizes = [d.whole for f in outcome.fits for d in f.change.experiment.datasets[:1]]
    smallest = min(((s.p, s.n) for s in sizes), key=sum) if outcome.kind in RESIZING and len(sizes) > 1 else None
    change = fit.change
    return Repair(
        outcome.kind,
        change.what,
        change.experiment,
        fit.answer,
        outcome.tried,
        len(outcome.fits),
        plausibility,
        smallest,
    )


def _identity(experiment: Experiment) -> object:
    """What a check sees: equal for repairs that differ in their words only."""
    scores = tuple((r.score.name, r.interval, r.sd, r.minimum, r.maximum, r.median) for r in experiment.reported)
    return experiment.datasets, experiment.aggregation, scores

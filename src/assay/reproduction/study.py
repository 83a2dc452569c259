"""A reproduction study as plain facts: papers, attempts, experiments, results and discrepancies.

What can be computed (outcomes, hours from a log, means) is never a field that decides anything. Where a source
prints such a figure, it is kept beside the facts as *stated*, and the two are compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache

from assay.records import dataclass
from assay.reproduction.levels import Level, Naming, best_level
from assay.reproduction.outcomes import (
    UNDECIDED,
    AttemptOutcome,
    Direction,
    Judged,
    Measured,
    Outcome,
    attempt_outcome,
    judge,
    summary_of_runs,
)

DEFAULT_BUDGET = Decimal(40)
"""Hours per attempt, about a week of work (Cappelen & Mølnå 2018, section 3.5)."""


class Reason(StrEnum):
    """Why experiments of a paper were not run."""

    TIME = "time"
    CODE = "code"
    """The code that is shared does not cover them."""
    DATA = "data"
    PRESENTATION = "presentation"
    """The original results are shown in a way that nothing can be compared with."""
    HARDWARE = "hardware"
    STUCK = "stuck"
    """No result was in reach within the hours that were left."""


class PaperType(StrEnum):
    """What a paper does (Gundersen & Kjensmo 2018)."""

    EXPERIMENTAL = "experimental"
    THEORETICAL = "theoretical"


class Affiliation(StrEnum):
    """Where the authors of a paper work (Gundersen & Kjensmo 2018)."""

    ACADEMIA = "academia"
    INDUSTRY = "industry"
    BOTH = "both"


class Status(StrEnum):
    """How far an experiment came."""

    PLANNED = "planned"
    RUN = "run"
    NOT_RUN = "not run"


@dataclass(frozen=True, slots=True)
class Result:
    """One number that was to be obtained again, as printed, with what it was compared to."""

    metric: str
    original: Measured
    reproduced: Measured | None = None
    baselines: tuple[Measured, ...] = ()
    direction: Direction | None = None
    runs: tuple[str, ...] = ()
    """The reproduced values of single runs, if they were kept."""
    margin: float | None = None
    """The difference that would not matter, stated before the result was known."""

    @property
    def obtained(self) -> Measured | None:
        """The reproduced number; mean, spread and number of runs follow from the runs where they are not given."""
        if not self.runs:
            return self.reproduced
        counted = summary_of_runs(self.runs)
        given = self.reproduced
        if given is None:
            return counted
        if given.spread is None and given.runs is None:
            return replace(given, spread=counted.spread, runs=counted.runs)
        return given

    @property
    def judged(self) -> Judged:
        """How the number stands to the original, and why."""
        return _judged(self)

    @property
    def outcome(self) -> Outcome:
        """How the number stands to the original."""
        return self.judged.outcome

    @property
    def question(self) -> str:
        """Why the reproduced number cannot be compared with the original; empty if it can, or if there is none."""
        open_ = self.obtained is not None and self.outcome is Outcome.UNDECIDABLE
        return "; ".join(self.judged.reasons) if open_ else ""


@lru_cache(maxsize=2**17)
def _judged(result: Result) -> Judged:
    """Kept, because it may take a statistical test and every table asks for it again."""
    obtained = result.obtained
    if obtained is None:
        return Judged(Outcome.UNDECIDABLE, ("there is no reproduced number",))
    return judge(result.original, obtained, result.baselines, margin=result.margin, direction=result.direction)


_WORST_FIRST = (
    Outcome.DIFFERENT,
    Outcome.UNDECIDABLE,
    Outcome.INDISTINGUISHABLE,
    Outcome.CONSISTENT,
    Outcome.EQUIVALENT,
    Outcome.IDENTICAL,
)


@dataclass(frozen=True, slots=True)
class Experiment:
    """One method on one data set or function (Cappelen & Mølnå 2018, section 3.5)."""

    id: str
    method: str = ""
    data: str = ""
    status: Status = Status.PLANNED
    reason: Reason | None = None
    results: tuple[Result, ...] = ()
    level: Level | None = None
    """What the paper shares for this experiment."""

    @property
    def title(self) -> str:
        """Method and data, as a reader knows it; empty if neither is recorded."""
        return " on ".join(filter(None, (self.method, self.data)))

    @property
    def outcome(self) -> Outcome:
        """As good as its worst result; what cannot be decided is only outweighed by a difference."""
        found = {result.outcome for result in self.results} or {Outcome.UNDECIDABLE}
        return next(outcome for outcome in _WORST_FIRST if outcome in found)

    @property
    def was_run(self) -> bool:
        """Whether it is marked as run; one whose results all lack a reproduced number is still to come."""
        obtained = not self.results or any(result.obtained is not None for result in self.results)
        return self.status is Status.RUN and obtained


@dataclass(frozen=True, slots=True)
class Counts:
    """How many experiments of a paper ended how, for sources that print no more than that."""

    experiments: int
    identical: int
    consistent: int
    different: int
    not_run: int
    undecided: int = 0
    """Run, and shown to be neither alike nor different; only counted over single experiments."""

    @property
    def run(self) -> int:
        """How many experiments were run."""
        return self.experiments - self.not_run

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """One outcome for each experiment that was run."""
        kinds = (Outcome.IDENTICAL, Outcome.CONSISTENT, Outcome.DIFFERENT, Outcome.UNDECIDABLE)
        numbers = (self.identical, self.consistent, self.different, self.undecided)
        return tuple(kind for kind, number in zip(kinds, numbers, strict=True) for _ in range(number))


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """Something that made the reproduction differ from the original, or may have."""

    category: str
    instances: int = 1
    severity: int | None = None
    """0 to 4 on the anchored scale of the categories' file."""
    effect: str = ""
    """How much a metric moved when the other choice was tried, as a number with its sign."""
    effect_on: str = ""
    because: tuple[str, ...] = ()
    """Categories of the same attempt that led to this one."""
    together: str = ""
    """Discrepancies with the same label did harm only together."""
    note: str = ""
    effect_source: str = ""
    """Where the effect was measured, such as a report of `assay ablate` and its item."""


@dataclass(frozen=True, slots=True)
class Spent:
    """One entry of the time log."""

    day: date | None
    hours: Decimal
    activity: str = ""
    person: str = ""


@dataclass(frozen=True, slots=True)
class Protocol:
    """What was fixed before the first result of an attempt."""

    locked: date | None
    budget: Decimal
    margin: float | None = None
    """The difference that would not matter."""
    experiments: tuple[str, ...] = ()
    """The experiments that were planned, by their short names."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """Somebody's try at a paper, within a budget of hours."""

    id: str
    people: tuple[str, ...] = ()
    budget: Decimal = DEFAULT_BUDGET
    stated_hours: Decimal | None = None
    started: date | None = None
    ended: date | None = None
    environment: str = ""
    reasons: tuple[Reason, ...] = ()
    stated_outcome: AttemptOutcome | None = None
    counts: Counts | None = None
    log: tuple[Spent, ...] = ()
    experiments: tuple[Experiment, ...] = ()
    discrepancies: tuple[Discrepancy, ...] = ()
    protocol: Protocol | None = None
    commit: str = ""
    """The version of the code that was run."""
    hardware: str = ""
    packages: tuple[str, ...] = ()
    """Installed packages with their versions, as `pip freeze` prints them."""
    container: str = ""

    @property
    def hours(self) -> Decimal | None:
        """What the log adds up to; what was stated when there is no log."""
        return sum((entry.hours for entry in self.log), Decimal(0)) if self.log else self.stated_hours

    @property
    def outcome(self) -> AttemptOutcome:
        """By the rule, from the experiments that were run."""
        return attempt_outcome(self.tally.outcomes)

    @property
    def tally(self) -> Counts:
        """The counts as given, or counted over the experiments.

        Equivalent counts as identical.
        """
        if self.counts is not None:
            return self.counts
        found = [e.outcome for e in self.experiments if e.was_run]
        return Counts(
            experiments=len(self.experiments),
            identical=sum(o in {Outcome.IDENTICAL, Outcome.EQUIVALENT} for o in found),
            consistent=found.count(Outcome.CONSISTENT),
            different=found.count(Outcome.DIFFERENT),
            not_run=len(self.experiments) - len(found),
            undecided=sum(o in UNDECIDED for o in found),
        )

    def results(self) -> Iterator[tuple[Experiment, Result]]:
        """Every result with its experiment."""
        return ((experiment, result) for experiment in self.experiments for result in experiment.results)

    @property
    def categories(self) -> tuple[str, ...]:
        """Every category of discrepancy that occurs, once."""
        return tuple(dict.fromkeys(d.category for d in self.discrepancies))


Scores = tuple[tuple[str, str], ...]
"""Names with their scores as printed; an empty score does not apply."""


@dataclass(frozen=True, slots=True)
class Assessment:
    """How well one person found a paper documented, question by question."""

    assessor: str
    scores: Scores
    day: date | None = None


@dataclass(frozen=True, slots=True)
class Paper:
    """A published study, how well it is documented, and what became of the attempts."""

    id: str
    title: str = ""
    year: int | None = None
    stated_level: Level | None = None
    components: Scores = ()
    """How well each component of the Article Model is documented, as printed, in one order for the whole study.

    An empty value does not apply.
    """
    stated_metric: str = ""
    attempts: tuple[Attempt, ...] = ()
    doi: str = ""
    authors: tuple[str, ...] = ()
    venue: str = ""
    type: PaperType | None = None
    affiliation: Affiliation | None = None
    rank: int | None = None
    """Its place in the list from which the papers were selected."""
    excluded: str = ""
    """Why it was left out of the selection; empty if it was not."""
    degree: str = ""
    """Gundersen & Kjensmo's metric: the share of their variables that the paper reports, as printed."""
    assessments: tuple[Assessment, ...] = ()

    @property
    def level(self) -> Level | None:
        """The stated level; without one, that of the best experiment."""
        return self.stated_level or self.best_level

    @property
    def best_level(self) -> Level | None:
        """The level of the experiment for which the paper shares most."""
        experiments = (experiment for attempt in self.attempts for experiment in attempt.experiments)
        return best_level(e.level for e in experiments if e.level)

    @property
    def metric(self) -> Fraction | None:
        """The mean of the components that apply."""
        values = [Fraction(value) for _, value in self.components if value]
        return sum(values, Fraction(0)) / len(values) if values else None


@dataclass(frozen=True, slots=True)
class Claim:
    """Something that the study's text or tables say about its own records, so that it can be computed again."""

    where: str
    says: str
    measure: str
    of: tuple[tuple[str, str], ...]
    value: str


@dataclass(frozen=True, slots=True)
class Scale:
    """The scores that a question allows, as printed, from the best answer to the worst."""

    where: str
    question: str
    scores: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Study:
    """A collection of papers that somebody tried to reproduce."""

    title: str = ""
    source: str = ""
    naming: Naming = Naming.THESIS
    papers: tuple[Paper, ...] = ()
    claims: tuple[Claim, ...] = ()
    scales: tuple[Scale, ...] = ()
    attainable: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """For components where it is known: every value that the scoring can give."""

    def attempts(self) -> Iterator[tuple[Paper, Attempt]]:
        """Every attempt with its paper."""
        for paper in self.papers:
            for attempt in paper.attempts:
                yield paper, attempt

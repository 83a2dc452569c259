"""Every attempt of a study with what follows from it, computed once for all tables and pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from assay.errors import InputError, suggestion
from assay.records import dataclass
from assay.reproduction.levels import Level
from assay.reproduction.outcomes import AttemptOutcome
from assay.reproduction.study import Attempt, Counts, Discrepancy, Paper, Study

GOOD = (AttemptOutcome.SUCCESS, AttemptOutcome.PARTIAL)
"""What counts as reproduced at least in part."""


@dataclass(frozen=True, slots=True)
class Tried:
    """One attempt; the outcome is that of the rule."""

    name: str
    """The paper, and the attempt where the paper has several."""
    paper: Paper
    attempt: Attempt
    outcome: AttemptOutcome
    tally: Counts
    met: Mapping[str, int]
    """Each category of discrepancy that was met, with its instances."""

    def kinds(self, kind: str) -> int:
        """How many categories of a kind (P, A, E, or "" for all) were met, each counted once as in the thesis."""
        return sum(code.startswith(kind) for code in self.met)

    @property
    def has_result(self) -> bool:
        """Whether errors could be looked for: an attempt without a result reports none."""
        return self.outcome is not AttemptOutcome.NO_RESULT


def tried(study: Study) -> tuple[Tried, ...]:
    """All attempts, in the order of the papers."""
    return tuple(_tried(paper, attempt) for paper, attempt in study.attempts())


def _tried(paper: Paper, attempt: Attempt) -> Tried:
    met: Counter[str] = Counter()
    for discrepancy in attempt.discrepancies:
        met[discrepancy.category] += discrepancy.instances
    name = paper.id if len(paper.attempts) == 1 else f"{paper.id}/{attempt.id}"
    return Tried(name, paper, attempt, attempt.outcome, attempt.tally, met)


def chosen(study: Study, paper: str, attempt: str = "") -> Tried:
    """An attempt at a paper; the last one if none is named."""
    papers = [p.id for p in study.papers]
    if paper not in papers:
        raise InputError(f'there is no paper "{paper}"', fix=suggestion(paper, papers) or _few(papers))
    found = [one for one in tried(study) if one.paper.id == paper]
    if not found:
        raise InputError(f'nobody tried paper "{paper}"', fix="Add an attempt: assay study add attempt.")
    named = [one for one in found if one.attempt.id == attempt] if attempt else found[-1:]
    if not named:
        known = [one.attempt.id for one in found]
        raise InputError(f'paper "{paper}" has no attempt "{attempt}"', fix=suggestion(attempt, known) or _few(known))
    return named[0]


def _few(names: Sequence[str]) -> str:
    return f"There are: {', '.join(names[:20])}{', …' if len(names) > 20 else ''}."


def discrepancies_of(attempts: Sequence[Tried], code: str) -> list[Discrepancy]:
    """Every discrepancy of a category."""
    return [d for one in attempts for d in one.attempt.discrepancies if d.category == code]


def outcomes_of(attempts: Sequence[Tried]) -> list[AttemptOutcome]:
    """The four outcomes of the thesis; the fifth, undecided, only where an attempt ended so."""
    there = {one.outcome for one in attempts}
    return [o for o in AttemptOutcome if o is not AttemptOutcome.UNDECIDED or o in there]


def by_outcome(attempts: Sequence[Tried]) -> list[tuple[AttemptOutcome, list[Tried]]]:
    """The attempts that ended in each of these outcomes; nothing where nothing was tried."""
    return [(o, [one for one in attempts if one.outcome is o]) for o in outcomes_of(attempts)] if attempts else []


def by_level(attempts: Sequence[Tried]) -> list[tuple[Level, list[Tried]]]:
    """The attempts at each level."""
    return [(level, [one for one in attempts if one.paper.level is level]) for level in levels_of(attempts)]


def experiments_by_end(attempts: Sequence[Tried]) -> dict[str, int]:
    """How many of the experiments that were run ended how; undecided ones only where there are any."""
    kinds = ("identical", "consistent", "different", *(("undecided",) if any_undecided(attempts) else ()))
    return {kind: sum(getattr(one.tally, kind) for one in attempts) for kind in kinds}


def any_undecided(attempts: Sequence[Tried]) -> bool:
    """Whether the tables of experiments need a column for those that decide nothing."""
    return any(one.tally.undecided for one in attempts)


def levels_of(attempts: Sequence[Tried]) -> list[Level]:
    """The levels at which something was tried; none is given for papers whose level nobody noted."""
    there = {one.paper.level for one in attempts}
    return [level for level in Level if level in there]

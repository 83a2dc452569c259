"""The tables that a report on a study is made of, for any study; numbered as in Cappelen & Mølnå (2018)."""

from __future__ import annotations

from itertools import combinations

from assay.findings import Report, Table, Value
from assay.reproduction.categories import categories
from assay.reproduction.measures import KINDS, Records, count_of, mean_metric
from assay.reproduction.outcomes import AttemptOutcome
from assay.reproduction.study import Attempt, Counts, Level, Study, level_name


def report_study(study: Study) -> Report:
    """What was tried and what came of it; outcomes are those of the rule."""
    made = (
        _papers(study),
        _attempts(study),
        *(_met(study, kind) for kind in KINDS),
        _correlations(study),
        _outcomes(study),
        _documentation(study),
    )
    return Report(
        title=study.title or "Reproduction study",
        question="What happened when somebody tried?",
        tables=tuple(table for table in made if table.rows),
    )


def _papers(study: Study) -> Table:
    """Table 4.1."""
    rows = []
    for paper in study.papers:
        spent = [attempt.hours for attempt in paper.attempts if attempt.hours is not None]
        level = level_name(paper.level, study.naming) if paper.level else None
        rows.append((paper.id, paper.title, level, paper.year, float(sum(spent)) if spent else None))
    return Table("Papers", ("paper", "title", "level", "year", "hours"), tuple(rows))


def _attempts(study: Study) -> Table:
    """Tables 4.2 and A.2."""
    columns = ("paper", "people", "experiments", "identical %", "consistent %", "different %", "not run %", "why not")
    rows = tuple(
        (paper.id, ", ".join(a.people), *_shares(a.tally), ", ".join(a.reasons), a.outcome.value)
        for paper, a in study.attempts()
    )
    return Table("Attempts", (*columns, "outcome"), rows)


def _shares(tally: Counts) -> tuple[Value, ...]:
    ended = (tally.identical, tally.consistent, tally.different, tally.not_run)
    return (tally.experiments, *(_percent(number, tally.experiments) for number in ended))


def _met(study: Study, kind: str) -> Table:
    """Tables 4.3 to 4.5, with the numbers of figures 4.1 to 4.3."""
    levels = _levels(study)
    rows: list[tuple[Value, ...]] = []
    for code, category in categories().items():
        if category.kind != KINDS[kind] or not any(study.attempts()):
            continue
        by_level = [sum(p.level is level and code in a.categories for p, a in study.attempts()) for level in levels]
        met = [d for _, a in study.attempts() for d in a.discrepancies if d.category == code]
        total = sum(code in a.categories for _, a in study.attempts())
        rows.append((code, category.label, total, *by_level, sum(d.instances for d in met)))
    names = (level_name(level, study.naming) for level in levels)
    return Table(kind.capitalize(), ("category", "meaning", "attempts", *names, "instances"), tuple(rows))


def _correlations(study: Study) -> Table:
    """Table 4.6, with the number of attempts and the p-value; attempts without a result report no errors."""
    from scipy import stats

    attempts = [a for _, a in study.attempts() if a.outcome is not AttemptOutcome.NO_RESULT]
    rows = []
    for one, other in combinations(KINDS, 2):
        left, right = (_counts(attempts, kind) for kind in (one, other))
        if min(len(set(left)), len(set(right))) > 1:
            found = stats.spearmanr(left, right)
            rows.append((one, other, len(attempts), round(float(found.statistic), 3), round(float(found.pvalue), 4)))
    return Table("Rank correlations per attempt", ("of", "and", "n", "Spearman", "p"), tuple(rows))


def _counts(attempts: list[Attempt], kind: str) -> list[int]:
    return [count_of(attempt, KINDS[kind]) for attempt in attempts]


def _outcomes(study: Study) -> Table:
    """Table 5.1."""
    levels = _levels(study)
    found = [(paper.level, attempt.outcome) for paper, attempt in study.attempts()]
    rows = []
    for outcome in AttemptOutcome if found else ():
        number = sum(o is outcome for _, o in found)
        by_level = [
            _percent(sum(at is level and o is outcome for at, o in found), sum(at is level for at, _ in found))
            for level in levels
        ]
        rows.append((outcome.value, number, _percent(number, len(found)), *by_level))
    names = (f"{level_name(level, study.naming)} %" for level in levels)
    return Table("Outcomes", ("outcome", "attempts", "all %", *names), tuple(rows))


def _documentation(study: Study) -> Table:
    """Table 5.2."""
    records = Records(study)
    rows = []
    for outcome in AttemptOutcome:
        papers = [paper for paper, _ in records.chosen({"outcome": outcome.value})]
        mean = mean_metric(papers)
        if mean is not None:
            rows.append((outcome.value, len(papers), round(float(mean.low + mean.high) / 2, 3)))
    return Table("Documentation by outcome", ("outcome", "papers", "mean Article Model Metric"), tuple(rows))


def _levels(study: Study) -> list[Level]:
    """The levels at which something was tried; none is given for papers whose level nobody noted."""
    tried = {paper.level for paper, _ in study.attempts()}
    return [level for level in Level if level in tried]


def _percent(part: int, whole: int) -> float | None:
    return round(100 * part / whole, 2) if whole else None

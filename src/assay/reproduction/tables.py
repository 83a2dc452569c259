"""The report on a study: the tables and pictures of Cappelen & Mølnå (2018), for any study.

Outcomes are those of the rule. Shares come with Wilson's interval, correlations with their number and p-value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.findings import Figure, Report, Table, Value
from assay.reproduction.appendix import (
    components_table,
    counts_table,
    details_table,
    matrices,
    papers_by_person,
    people_table,
    results_table,
)
from assay.reproduction.assessors import agreement_tables
from assay.reproduction.attempted import (
    GOOD,
    Tried,
    any_undecided,
    by_level,
    by_outcome,
    discrepancies_of,
    experiments_by_end,
    levels_of,
    tried,
)
from assay.reproduction.categories import categories, codes_of, severities
from assay.reproduction.component_effects import component_tables
from assay.reproduction.correlations import correlation_table
from assay.reproduction.intervals import of_mean, of_share
from assay.reproduction.levels import level_name
from assay.reproduction.outcomes import AttemptOutcome, Measured
from assay.reproduction.records import KINDS
from assay.reproduction.study import Counts, Study

MOST_COLUMNS = 60
"""Up to so many attempts stand side by side in a table or a picture."""


def report_study(study: Study, *, figures: bool = False) -> Report:
    """What was tried and what came of it."""
    attempts = tried(study)
    made = (
        _selection(study),
        _papers(study),
        _attempts(attempts),
        *(_met(study, attempts, kind) for kind in KINDS),
        correlation_table(attempts),
        _outcomes(study, attempts),
        _shares(study, attempts),
        _documentation(attempts),
        *component_tables(attempts),
        *agreement_tables(study),
        papers_by_person(study),
        people_table(attempts),
        counts_table(attempts),
        components_table(study),
        *matrices(attempts, MOST_COLUMNS),
        details_table(attempts),
        results_table(attempts),
    )
    return Report(
        title=study.title or "Reproduction study",
        question="What happened when somebody tried?",
        tables=tuple(table for table in made if table.rows),
        figures=_figures(study, attempts) if figures else (),
        left_out=tuple(_left_out(attempts, figures=figures)),
    )


def _figures(study: Study, attempts: Sequence[Tried]) -> tuple[Figure, ...]:
    from assay.reproduction.figures import figures_of

    return tuple(figures_of(study, attempts, most=MOST_COLUMNS))


def _left_out(attempts: Sequence[Tried], *, figures: bool) -> Iterator[str]:
    if figures and len(attempts) > MOST_COLUMNS:
        yield f"pictures of every attempt (as Figures 4.4 and 4.5): {len(attempts):,} do not fit on a page"


def _selection(study: Study) -> Table:
    """From which list papers were taken, and why some were left out."""
    rows = tuple(
        (paper.rank, paper.id, paper.type, paper.affiliation, paper.excluded or None)
        for paper in sorted(study.papers, key=lambda p: (p.rank is None, p.rank or 0))
        if paper.rank is not None or paper.excluded or paper.type or paper.affiliation
    )
    return Table("Selection of papers", ("rank", "paper", "type", "affiliation", "excluded because"), rows)


def _papers(study: Study) -> Table:
    rows = []
    for paper in study.papers:
        if paper.excluded:
            continue
        spent = [attempt.hours for attempt in paper.attempts if attempt.hours is not None]
        level = level_name(paper.level, study.naming) if paper.level else None
        rows.append((paper.id, paper.title, level, paper.year, float(sum(spent)) if spent else None))
    return Table("Papers (as Table 4.1)", ("paper", "title", "level", "year", "hours"), tuple(rows))


def _attempts(attempts: Sequence[Tried]) -> Table:
    undecided = any_undecided(attempts)
    extra = ("undecided %",) if undecided else ()
    columns = ("paper", "all", "ident. %", "cons. %", "diff. %", *extra, "not run %", "why not", "outcome")
    rows = tuple(
        (one.name, *_ended(one.tally, undecided), ", ".join(one.attempt.reasons) or None, one.outcome.value)
        for one in attempts
    )
    return Table("Attempts, and how their experiments ended (as Table 4.2)", columns, rows)


def _ended(tally: Counts, undecided: bool) -> tuple[Value, ...]:
    extra = (tally.undecided,) if undecided else ()
    ended = (tally.identical, tally.consistent, tally.different, *extra, tally.not_run)
    return (tally.experiments, *(_percent(number, tally.experiments) for number in ended))


def _met(study: Study, attempts: Sequence[Tried], kind: str) -> Table:
    """The list of categories, with the numbers of Figures 4.1 to 4.3; severity and effect where somebody noted them."""
    rows = [_category(code, attempts) for code in codes_of(KINDS[kind])]
    if not any(one.met.keys() & set(codes_of(KINDS[kind])) for one in attempts):
        return Table(kind, (), ())
    names = (level_name(level, study.naming) for level in levels_of(attempts))
    columns = ("category", "meaning", "attempts", *names, "instances", "worst", "largest effect")
    used = [at for at, name in enumerate(columns) if name not in columns[-2:] or any(row[at] for row in rows)]
    number = {"problems": 3, "assumptions": 4, "errors": 5}[kind]
    return Table(
        f"{kind.capitalize()} (as Table 4.{number})",
        tuple(columns[at] for at in used),
        tuple(tuple(row[at] for at in used) for row in rows),
    )


def _category(code: str, attempts: Sequence[Tried]) -> tuple[Value, ...]:
    there = [one for one in attempts if code in one.met]
    at_levels = (sum(code in one.met for one in members) for _, members in by_level(attempts))
    instances = sum(one.met[code] for one in there)
    label = categories()[code].label
    return code, label, len(there), *at_levels, instances, _worst(there, code), _largest_effect(there, code)


def _worst(attempts: Sequence[Tried], code: str) -> str | None:
    """The highest severity that was noted for a category, in words."""
    noted = [d.severity for d in discrepancies_of(attempts, code) if d.severity is not None]
    return f"{max(noted)}: {severities()[max(noted)]}" if noted else None


def _largest_effect(attempts: Sequence[Tried], code: str) -> str | None:
    """The measured effect of a category that is farthest from 0."""
    measured = [d for d in discrepancies_of(attempts, code) if d.effect]
    if not measured:
        return None
    found = max(measured, key=lambda d: abs(Measured(d.effect).exact))
    return " on ".join(filter(None, (found.effect, found.effect_on)))


def _outcomes(study: Study, attempts: Sequence[Tried]) -> Table:
    levels = by_level(attempts)
    rows = tuple(
        (
            *(outcome.value, len(ended), _percent(len(ended), len(attempts))),
            *(_percent(sum(one.outcome is outcome for one in members), len(members)) for _, members in levels),
        )
        for outcome, ended in by_outcome(attempts)
    )
    names = (f"{level_name(level, study.naming)} %" for level, _ in levels)
    return Table("Outcomes (as Table 5.1)", ("outcome", "attempts", "all %", *names), rows)


def _shares(study: Study, attempts: Sequence[Tried]) -> Table:
    """Each share of Table 5.1 with how sure it is, and what the text makes of them."""
    counted = (*_ended_attempts(study, attempts), *_ended_experiments(attempts))
    rows = tuple((*names, *with_interval(number, of)) for names, number, of in counted)
    columns = ("of", "group", "that ended in", "number", "of all", "%", "low %", "high %")
    return Table("Shares with 95 % intervals (Wilson)", columns, rows)


_Counted = tuple[tuple[str, str, str], int, int]


def _ended_attempts(study: Study, attempts: Sequence[Tried]) -> Iterator[_Counted]:
    ends = [(outcome.value, (outcome,)) for outcome, _ in by_outcome(attempts)]
    levels = [(level_name(level, study.naming), members) for level, members in by_level(attempts)]
    for group, members in [("all", list(attempts)), *levels] if attempts else []:
        for what, outcomes in (*ends, ("at least in part", GOOD)):
            yield ("attempts", group, what), sum(one.outcome in outcomes for one in members), len(members)


def _ended_experiments(attempts: Sequence[Tried]) -> Iterator[_Counted]:
    ended = experiments_by_end(attempts)
    if run := sum(ended.values()):
        yield from ((("experiments that were run", "all", what), number, run) for what, number in ended.items())


def with_interval(number: int, of: int) -> tuple[Value, ...]:
    """A number, the whole, the percentage and the ends of Wilson's interval in per cent."""
    found = of_share(number / of, of)
    return number, of, _percent(number, of), round(100 * found.low, 1), round(100 * found.high, 1)


def _documentation(attempts: Sequence[Tried]) -> Table:
    rows: list[tuple[Value, ...]] = []
    for outcome in AttemptOutcome:
        known = _article_metrics(attempts, outcome)
        if known:
            rows.append((outcome.value, len(known), *_mean_with_interval(known), _degree(attempts, outcome)))
    columns = ("outcome", "papers", "mean Article Model Metric", "low", "high", "Gundersen & Kjensmo")
    title = "Documentation by outcome, with 95 % t intervals (as Table 5.2)"
    if all(row[-1] is None for row in rows):
        return Table(title, columns[:-1], tuple(row[:-1] for row in rows))
    return Table(title, columns, tuple(rows))


def _article_metrics(attempts: Sequence[Tried], outcome: AttemptOutcome) -> list[float]:
    """The Article Model Metric of the papers for which it is known."""
    metrics = (one.paper.metric for one in attempts if one.outcome is outcome)
    return [float(metric) for metric in metrics if metric is not None]


def _mean_with_interval(known: Sequence[float]) -> tuple[Value, ...]:
    """The mean and the ends of its t interval, if there is one."""
    interval = of_mean(known)
    ends = (round(interval.low, 3), round(interval.high, 3)) if interval else (None, None)
    return round(sum(known) / len(known), 3), *ends


def _degree(attempts: Sequence[Tried], outcome: AttemptOutcome) -> float | None:
    """The mean of Gundersen & Kjensmo's metric over the papers for which it is known."""
    known = [float(Measured(one.paper.degree).exact) for one in attempts if one.outcome is outcome and one.paper.degree]
    return round(sum(known) / len(known), 3) if known else None


def _percent(part: int, whole: int) -> float | None:
    return round(100 * part / whole, 2) if whole else None

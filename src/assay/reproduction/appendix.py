"""The tables that a report keeps at its end: who did what, all counts, all scores, every category met."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from assay.findings import Table, Value
from assay.reproduction.attempted import Tried, any_undecided
from assay.reproduction.categories import categories
from assay.reproduction.outcomes import Measured, difference_of
from assay.reproduction.records import KINDS
from assay.reproduction.study import Study
from assay.statistics import benjamini_hochberg, holm


def papers_by_person(study: Study) -> Table:
    """Who was responsible for each attempt."""
    rows = tuple(
        (paper.id, paper.title, ", ".join(attempt.people) or None)
        for paper, attempt in study.attempts()
        if attempt.people
    )
    return Table("Who tried what (as Table A.1)", ("paper", "title", "people"), rows)


def people_table(attempts: Sequence[Tried]) -> Table:
    """How the work was shared; hours of which nobody knows whose they are have a row of their own."""
    hours: dict[str, Decimal] = {}
    for one in attempts:
        for person, spent in _hours_by_person(one):
            hours[person] = hours.get(person, Decimal(0)) + spent
    people = dict.fromkeys([*(person for one in attempts for person in one.attempt.people), *hours])
    rows: list[tuple[Value, ...]] = []
    for person in sorted(people, key=lambda name: not name):
        theirs = [one for one in attempts if person in one.attempt.people]
        run = sum(one.tally.run for one in theirs)
        shares = (len(theirs), run) if person else (None, None)
        total = float(hours[person]) if person in hours else None
        rows.append((person or "not attributed", *shares, total))
    return Table("Work by person", ("person", "attempts", "experiments run", "hours"), tuple(rows))


def _hours_by_person(one: Tried) -> Iterator[tuple[str, Decimal]]:
    """Hours with whose they are: the log's own word, or the only person of the attempt; empty if nobody knows."""
    only = one.attempt.people[0] if len(one.attempt.people) == 1 else ""
    if one.attempt.log:
        yield from ((entry.person or only, entry.hours) for entry in one.attempt.log)
    elif one.attempt.stated_hours is not None:
        yield only, one.attempt.stated_hours


def counts_table(attempts: Sequence[Tried]) -> Table:
    """How many experiments of each paper ended how."""
    undecided = any_undecided(attempts)
    extra = ("undecided",) if undecided else ()
    columns = ("paper", "experiments", "identical", "consistent", "different", *extra, "not run")
    rows = tuple(
        (
            *(one.name, t.experiments, t.identical, t.consistent, t.different),
            *((t.undecided,) if undecided else ()),
            t.not_run,
        )
        for one in attempts
        for t in (one.tally,)
    )
    return Table("Experiments (as Table A.2)", columns, rows)


def components_table(study: Study) -> Table:
    """The documentation of each paper, component by component, and its mean; what does not apply is n/a."""
    names = list(dict.fromkeys(name for paper in study.papers for name, _ in paper.components))
    rows: list[tuple[Value, ...]] = []
    for paper in study.papers:
        scores = dict(paper.components)
        if paper.metric is not None:
            cells = [None if name not in scores else scores[name] or "n/a" for name in names]
            rows.append((paper.id, *cells, round(float(paper.metric), 3)))
    return Table("Documentation of each paper (as Table A.3)", ("paper", *names, "metric"), tuple(rows))


def details_table(attempts: Sequence[Tried]) -> Table:
    """What is known of a discrepancy beyond its category: how grave, how large, why, and only with which others."""
    columns = (
        *("paper", "category", "instances", "severity", "effect"),
        *("because of", "only together", "note", "measured by"),
    )
    rows = tuple(
        (
            *(
                one.name,
                d.category,
                d.instances,
                d.severity,
                " on ".join(filter(None, (d.effect, d.effect_on))) or None,
            ),
            *(", ".join(d.because) or None, d.together or None, d.note or None, d.effect_source or None),
        )
        for one in attempts
        for d in one.attempt.discrepancies
        if d.severity is not None or d.effect or d.because or d.together or d.note
    )
    return Table("Discrepancies in detail", columns, rows)


def results_table(attempts: Sequence[Tried]) -> Table:
    """Every number that was to be obtained again, with the p-value of a difference, corrected for their number."""
    found = [
        (one.name, experiment, result, difference_of(result.original, obtained))
        for one in attempts
        for experiment in one.attempt.experiments
        for result in experiment.results
        if (obtained := result.obtained) is not None
    ]
    p = [difference.p for *_, difference in found if difference]
    corrected = iter(zip(p, holm(p), benjamini_hochberg(p), strict=True))
    rows: list[tuple[Value, ...]] = []
    for name, experiment, result, difference in found:
        tests = (float(f"{value:.3g}") for value in next(corrected)) if difference else (None, None, None)
        reproduced = _with_spread(result.obtained) if result.obtained else None
        about = (name, experiment.id, result.metric, result.original.value, reproduced)
        rows.append((*about, *tests, result.judged.verdict, "; ".join(result.judged.reasons)))
    columns = ("paper", "experiment", "metric", "original", "reproduced", "p", "p, Holm", "p, BH", "outcome", "why")
    return Table("Results", columns, tuple(rows))


def _with_spread(result: Measured) -> str:
    spread = "" if result.spread is None else f" ± {result.spread:.2g}"
    return f"{result.value}{spread}" + ("" if result.runs is None else f" (n = {result.runs})")


def matrices(attempts: Sequence[Tried], most: int) -> Iterator[Table]:
    """Which categories each attempt met and how often; attempts stand across, or down where they are too many."""
    for number, (kind, letter) in enumerate(KINDS.items(), 1):
        codes = [code for code, category in categories().items() if category.kind == letter]
        title = f"{kind.capitalize()} of each attempt (as Table B.{number})"
        rows: tuple[tuple[Value, ...], ...]
        if len(attempts) <= most:
            columns = ("category", *(one.name for one in attempts))
            rows = tuple((code, *(one.met.get(code, 0) for one in attempts)) for code in codes)
        else:
            columns = ("paper", *codes)
            rows = tuple((one.name, *(one.met.get(code, 0) for code in codes)) for one in attempts)
        yield Table(title, columns, rows if attempts else ())

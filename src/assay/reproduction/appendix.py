"""The tables that a report keeps at its end: who did what, all counts, all scores, every category met."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal

from assay.findings import Table, Value
from assay.reproduction.attempted import Tried, any_undecided
from assay.reproduction.categories import codes_of
from assay.reproduction.outcomes import Measured, difference_of
from assay.reproduction.records import KINDS
from assay.reproduction.study import Result, Study
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
    for person, spent in (entry for one in attempts for entry in _hours_by_person(one)):
        hours[person] = hours.get(person, Decimal(0)) + spent
    people = dict.fromkeys([*(person for one in attempts for person in one.attempt.people), *hours])
    rows = [_share_of_work(person, attempts, hours.get(person)) for person in people if person]
    if "" in hours:
        rows.append(("not attributed", None, None, float(hours[""])))
    return Table("Work by person", ("person", "attempts", "experiments run", "hours"), tuple(rows))


def _share_of_work(person: str, attempts: Sequence[Tried], hours: Decimal | None) -> tuple[Value, ...]:
    theirs = [one for one in attempts if person in one.attempt.people]
    return person, len(theirs), sum(one.tally.run for one in theirs), None if hours is None else float(hours)


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
    rows = tuple(
        (paper.id, *_scores(dict(paper.components), names), round(float(paper.metric), 3))
        for paper in study.papers
        if paper.metric is not None
    )
    return Table("Documentation of each paper (as Table A.3)", ("paper", *names, "metric"), rows)


def _scores(components: Mapping[str, str], names: Sequence[str]) -> list[str | None]:
    return [components[name] or "n/a" if name in components else None for name in names]


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
        ((one.name, experiment.id), result, obtained)
        for one in attempts
        for experiment in one.attempt.experiments
        for result in experiment.results
        if (obtained := result.obtained) is not None
    ]
    differences = [difference_of(result.original, obtained) for _, result, obtained in found]
    p = [difference.p for difference in differences if difference]
    corrected = iter(zip(p, holm(p), benjamini_hochberg(p), strict=True))
    tests = [_rounded(next(corrected)) if difference else (None,) * 3 for difference in differences]
    rows = tuple(
        (*where, result.metric, _with_spread(result.original), _with_spread(obtained), *tested, *_verdict(result))
        for (where, result, obtained), tested in zip(found, tests, strict=True)
    )
    columns = ("paper", "experiment", "metric", "original", "reproduced", "p", "p, Holm", "p, BH", "outcome", "why")
    return Table("Results", columns, rows)


def _rounded(p: Iterable[float]) -> tuple[float, ...]:
    return tuple(float(f"{value:.3g}") for value in p)


def _verdict(result: Result) -> tuple[str, str]:
    return result.judged.verdict, "; ".join(result.judged.reasons)


def _with_spread(result: Measured) -> str:
    spread = "" if result.spread is None else f" ± {result.spread:.2g}"
    return f"{result.value}{spread}" + ("" if result.runs is None else f" (n = {result.runs})")


def matrices(attempts: Sequence[Tried], most: int) -> Iterator[Table]:
    """Which categories each attempt met and how often; attempts stand across, or down where they are too many."""
    for number, (kind, letter) in enumerate(KINDS.items(), 1):
        title = f"{kind.capitalize()} of each attempt (as Table B.{number})"
        yield _matrix(title, attempts, codes_of(letter), across=len(attempts) <= most)


def _matrix(title: str, attempts: Sequence[Tried], codes: Sequence[str], *, across: bool) -> Table:
    if not attempts:
        return Table(title, (), ())
    counts = [[one.met.get(code, 0) for code in codes] for one in attempts]
    names = [one.name for one in attempts]
    if across:
        rows = tuple((code, *column) for code, column in zip(codes, zip(*counts, strict=True), strict=True))
        return Table(title, ("category", *names), rows)
    return Table(title, ("paper", *codes), tuple((name, *row) for name, row in zip(names, counts, strict=True)))

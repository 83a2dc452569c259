"""Assessments as the report that every format is made from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from assay.findings import Finding, Location, Report, Table
from assay.repository.check import Assessment, Result
from assay.repository.factors import FactorScore, rounded
from assay.repository.figure import factors_figure
from assay.repository.profiles import Profile
from assay.repository.profiles.default import QUESTIONS
from assay.repository.rules.instrument import repository
from assay.suppressions import Suppression, apply_suppressions, read_suppressions

_MARK = "assay: ignore"
_MOST_LEFT_OUT = 50


def report_of(assessments: Sequence[Assessment], *, command: str = "", figures: bool = False) -> Report:
    """One report about all the repositories; what the audited files ask to leave out is left out, with the reason."""
    if len(assessments) == 1:
        return _single(assessments[0], command, figures)
    singles = [(a.facts.name, _single(a, "", False)) for a in assessments]
    return Report(
        title=f"{len(assessments)} repositories",
        question=repository.question,
        findings=tuple(_placed(finding, name) for name, one in singles for finding in one.findings),
        tables=(comparison(assessments),),
        suppressed=tuple(replace(s, finding=_placed(s.finding, name)) for name, one in singles for s in one.suppressed),
        left_out=tuple(f"{name}: {thing}" for name, one in singles for thing in one.left_out),
        command=command,
    )


def comparison(assessments: Sequence[Assessment]) -> Table:
    """A row for each repository: findings by severity, then the scores of its factors."""
    columns = ("repository", "errors", "warnings", "notes", *(f.key for f in assessments[0].factors))
    rows = []
    for one in assessments:
        counts = [sum(f.severity == level for f in one.findings) for level in ("error", "warning", "note")]
        rows.append((one.facts.name, *counts, *(rounded(f.score) for f in one.factors)))
    return Table("Repositories", columns, tuple(rows))


def left_out(assessment: Assessment) -> tuple[str, ...]:
    """What no reader looked at, a sentence each; a long list is cut, and says so."""
    facts = assessment.facts
    readers = (facts.environment, facts.randomness, facts.readme, facts.commands, facts.data, facts.models)
    unread = [*facts.tree.left_out, *facts.environment.unread, *facts.code.left_out]
    unique = list(dict.fromkeys([*unread, *(s for r in readers for s in r.left_out)]))
    more = len(unique) - _MOST_LEFT_OUT
    return (*unique[:_MOST_LEFT_OUT], *([f"and {more} more of the kind"] if more > 0 else []))


def _single(assessment: Assessment, command: str, figures: bool) -> Report:
    name = assessment.facts.name
    report = Report(
        title=f"Repository {name}",
        question=repository.question,
        findings=assessment.findings,
        tables=tuple(_tables(assessment)),
        figures=(factors_figure(name, assessment.factors),) if figures else (),
        left_out=left_out(assessment),
        command=command,
    )
    return apply_suppressions(report, list(_suppressions(assessment)))


def _tables(assessment: Assessment) -> Iterator[Table]:
    yield Table(
        f"Factors ({assessment.profile.value} profile)",
        ("factor", "score", "band", "rests on", "to do next"),
        tuple((f.name, rounded(f.score), f.band.value, _rests_on(f), _to_do(f)) for f in assessment.factors),
    )
    if assessment.profile is Profile.DEFAULT:
        rows = tuple((q.factor, q.question) for q in QUESTIONS)
        yield Table("Questions for a person: no program can judge these factors", ("factor", "question"), rows)
    counts = ", ".join(f"{len(assessment.ended(result))} {result.value}" for result in Result)
    yield Table(
        f"Rules: {counts}",
        ("code", "rule", "result", "why it does not apply"),
        tuple((o.code, o.title, o.result.value, o.reason) for o in assessment.outcomes),
    )


def _to_do(factor: FactorScore) -> str:
    return factor.advice + (f" See {', '.join(factor.rules)}." if factor.rules else "")


def _rests_on(factor: FactorScore) -> str:
    return "; ".join(f"{p.name}: {p.said}" for p in factor.parts)


def _placed(finding: Finding, name: str) -> Finding:
    """A finding among those of several repositories: its paths begin with the repository's name."""
    subject = f"{name}: {finding.subject}" if finding.subject else name
    evidence = tuple(replace(e, location=_in(e.location, name)) if e.location else e for e in finding.evidence)
    return replace(
        finding, subject=subject, location=_in(finding.location, name) if finding.location else None, evidence=evidence
    )


def _in(location: Location, name: str) -> Location:
    return replace(location, path=f"{name.rstrip('/')}/{location.path}")


def _suppressions(assessment: Assessment) -> Iterator[Suppression]:
    """Comments in the audited code and manifests that name rules of this room."""
    codes = frozenset(o.code for o in assessment.outcomes)
    for suppression in _comments(assessment):
        if not codes.isdisjoint(suppression.codes):
            yield suppression


def _comments(assessment: Assessment) -> Iterator[Suppression]:
    facts = assessment.facts
    for source in (source for source in facts.code.own if source.mentions(_MARK)):
        if source.notebook is None:
            yield from read_suppressions(source.text, source.path, python=source.language.value == "python")
        for cell in source.notebook.code_cells if source.notebook else ():
            yield from read_suppressions(cell.text, source.path, cell=cell.number)
    manifests = [m.path for m in facts.environment.manifests if facts.code.source(m.path) is None]
    for file in filter(None, map(facts.tree.get, manifests)):
        yield from read_suppressions(file.text(), file.path) if _MARK in file.text() else ()

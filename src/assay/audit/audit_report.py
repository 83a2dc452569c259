"""An audit as one report: chapters, a question for each finding, and all that the instruments had to say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from assay.audit.chapters import chapter_of, chapters
from assay.audit.execution import Audit
from assay.audit.facts import Claim, Origin, Row, Topic
from assay.audit.questions import with_questions
from assay.audit.submission import Kind, Submission
from assay.findings import Finding, Judgement, Report, Section, Severity, Table, Value, Verdict, quote
from assay.report.wording import counted

QUESTION = "Can this result be true, was it fairly measured, could somebody get it again?"
_NOT_GIVEN = {
    Kind.PAPER: "the paper (none was given: add the PDF, Word or LaTeX file)",
    Kind.REPOSITORY: "the code (none was given: add the repository as a folder or an archive)",
    Kind.TEST: "the training and test tables (none were given: add both to compare their rows)",
}
_MOST_LEFT_OUT = 60
_ABOUT_DATA_SOURCE = frozenset({"R203", "R501"})
_RESTS_ON = {
    "numbers": ("paper",),
    "leakage": ("leakage",),
    "claims": ("paper", "checklist", "repository"),
    "missing": ("paper", "checklist", "repository"),
    "running": ("repository",),
}
"""The instruments, by the beginnings of their names, on which a chapter rests."""


def report_of(audit: Audit, command: str = "") -> Report:
    """The report that every format is made from."""
    reports = [outcome.report for _, outcome in audit.outcomes]
    found = [*(f for report in reports for f in report.findings), *audit.crossed]
    findings = _unique([_answered(finding, audit.facts.claims) for finding in found], audit.facts.rows)
    return Report(
        title=f"Audit of {audit.submission.title}",
        question=QUESTION,
        judgements=tuple(j for report in reports for j in report.judgements),
        findings=tuple(_in_chapter(finding) for finding in with_questions(findings)),
        tables=(_steps(audit), *_tables(audit)),
        figures=tuple(figure for report in reports for figure in report.figures),
        suppressed=tuple(one for report in reports for one in report.suppressed),
        left_out=tuple(_left_out(audit)),
        command=command,
        sections=tuple(replace(s, examined=_examined(s, audit)) for s in chapters()),
        fine=tuple(sentence for _, outcome in audit.outcomes for sentence in outcome.fine),
    )


def _answered(finding: Finding, claims: Sequence[Claim]) -> Finding:
    """That the repository does not say where the data are matters little if the paper gives their address."""
    links = (c for c in claims if c.topic is Topic.DATA and c.origin is Origin.PAPER and c.gives_address)
    link = next(links, None) if finding.code in _ABOUT_DATA_SOURCE else None
    if link is None:
        return finding
    message = "the repository does not say where to get the data; the paper gives an address"
    evidence = (quote(link.text, link.location), *finding.evidence)
    return replace(finding, severity=Severity.NOTE, message=message, evidence=evidence)


def _unique(findings: Sequence[Finding], rows: Sequence[Row]) -> list[Finding]:
    """Each thing once: what two instruments say in the same words, and a row that paper and scores file share.

    Of such a row the scores file counts: somebody has copied it and says what it is about.
    """
    copied = {_figures(row) for row in rows if row.origin is Origin.SCORES}
    in_paper = {(row.location, row.name) for row in rows if row.origin is Origin.PAPER and _figures(row) in copied}
    seen: dict[tuple[str, str, str], Finding] = {}
    for finding in findings:
        if finding.code.startswith("S") and (finding.location, finding.subject) in in_paper:
            continue
        seen.setdefault((finding.code, str(finding.location), finding.message), finding)
    return list(seen.values())


def _in_chapter(finding: Finding) -> Finding:
    """The finding with its chapter; numbers say whose they are, for here they stand beside those of others."""
    chapter = chapter_of(finding)
    named = finding.message
    if chapter.key == "numbers" and finding.subject not in finding.message:
        named = f"{finding.subject}: {finding.message}"
    return replace(finding, section=chapter.key, message=named)


def _figures(row: Row) -> tuple[int | None, int | None, tuple[tuple[str, str], ...]]:
    return row.p, row.n, tuple(sorted(row.scores))


def _steps(audit: Audit) -> Table:
    """What was done; without times, so that the same audit gives the same report."""
    rows: list[tuple[Value, ...]] = [
        (name, "done", len(outcome.report.findings), outcome.report.question) for name, outcome in audit.outcomes
    ]
    rows += [(step.name, "failed", None, step.message) for step in audit.failed]
    return Table("Instruments", ("instrument", "state", "findings", "question, or why it failed"), tuple(rows))


def _tables(audit: Audit) -> Iterator[Table]:
    for name, outcome in audit.outcomes:
        for table in outcome.report.tables:
            yield replace(table, title=f"{name}: {table.title}")


def _left_out(audit: Audit) -> Iterator[str]:
    """What was not checked: what could not be read or followed, then what was not given, then details."""
    unread = dict.fromkeys(sentence for _, outcome in audit.outcomes for sentence in outcome.unread)
    yield from (f"{step.name} could not be judged: {step.message}" for step in audit.failed)
    yield from list(unread)[:_MOST_LEFT_OUT]
    yield from _unchecked_rows(audit)
    yield from audit.submission.unrecognised
    yield from _not_given(audit.submission)
    details = dict.fromkeys(sentence for _, outcome in audit.outcomes for sentence in outcome.report.left_out)
    others = [sentence for sentence in details if sentence not in unread]
    yield from others[:_MOST_LEFT_OUT]
    if len(others) > _MOST_LEFT_OUT:
        yield f"and {len(others) - _MOST_LEFT_OUT} more of the kind"


def _unchecked_rows(audit: Audit) -> Iterator[str]:
    """How many printed rows of scores no exact test could judge: a reader must not take them for possible."""
    rows, unchecked = len(audit.facts.rows), len(audit.facts.rows) - len(_judged(audit))
    if unchecked > 0:
        yield (
            f"{unchecked} of {counted(rows, 'row')} of scores (class counts unknown: add a scores file with the size"
            " and classes of the test set)"
        )


def _judged(audit: Audit) -> list[Judgement]:
    return [j for _, outcome in audit.outcomes for j in outcome.report.judgements]


def _not_given(submission: Submission) -> Iterator[str]:
    for kind, sentence in _NOT_GIVEN.items():
        if not submission.pieces_of(kind) and not (kind is Kind.REPOSITORY and submission.pieces_of(Kind.CODE)):
            yield sentence


def _examined(section: Section, audit: Audit) -> str:
    """What a chapter rests on, so that an empty one is not mistaken for a clean bill."""
    facts = audit.facts
    names = [name for name, _ in audit.outcomes if name.startswith(_RESTS_ON.get(section.key, ()))]
    if section.key == "numbers" and (facts.rows or names):
        judged = _judged(audit)
        return f"Rows of scores: {len(facts.rows)}, of which {len(judged)} were checked exactly{_verdicts(judged)}."
    if not names:
        return ""
    if section.key == "claims":
        return f"Claims compared with code, tables and checklists: {len(facts.claims)}."
    return f"Examined: {', '.join(names)}."


def _verdicts(judged: list[Judgement]) -> str:
    counts = [(v.value, sum(j.verdict is v for j in judged)) for v in Verdict]
    said = ", ".join(f"{count} {value}" for value, count in counts if count)
    return f" ({said})" if said else ""

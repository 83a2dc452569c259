"""Page one of a report in chapters: a headline, and at most five points, by how much they change the result.

Both follow from the findings that the report has, so that they stay true when some are chosen or left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from assay.findings import Confidence, EvidenceKind, Finding, Lead, Report, Section, Severity, Verdict
from assay.records import dataclass
from assay.report.chapters import chapters_of
from assay.report.wording import on_one_line

MOST_POINTS = 5
_MOST_OF_A_CHAPTER = 2
"""Points of one chapter, so that a third leak does not hide that the code cannot be run; more where there is room."""
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@dataclass(frozen=True, slots=True)
class Point:
    """One thing that a reviewer should know, with the findings behind it."""

    statement: str
    evidence: str
    """What shows it, in a line: a place, or the first sentence of a proof."""
    findings: tuple[Finding, ...]

    @property
    def severity(self) -> Severity:
        """That of the gravest finding."""
        return self.findings[0].severity

    @property
    def more(self) -> int:
        """How many findings say the same elsewhere."""
        return len(self.findings) - 1


def headline_of(report: Report) -> str:
    """The judgement in one sentence."""
    leading = sorted((entry for entry in _leading(report) if entry[2]), key=lambda entry: entry[1].order)
    wrong = dict.fromkeys(_clause(lead, found) for section, lead, found in leading if not section.missing)
    absent = dict.fromkeys(_clause(lead, found) for section, lead, found in leading if section.missing)
    sentence = "; ".join(_joined(list(clauses)) for clauses in (wrong, absent) if clauses)
    return f"{sentence[:1].upper()}{sentence[1:]}." if sentence else _nothing_wrong(report)


def _joined(clauses: list[str]) -> str:
    *first, last = clauses
    return f"{', '.join(first)}, and {last}" if len(first) > 1 else " and ".join(clauses)


def points_of(report: Report) -> tuple[Point, ...]:
    """What matters most, gravest first."""
    ranked = sorted(
        (
            (_rank(lead, point), place, point)
            for place, (_, lead, found) in enumerate(_leading(report))
            for point in _points(lead, found)
        ),
        key=lambda entry: entry[:2],
    )
    taken: Counter[int] = Counter()
    first: list[tuple[tuple[int, int, int], int, Point]] = []
    others: list[tuple[tuple[int, int, int], int, Point]] = []
    for entry in ranked:
        taken[entry[1]] += 1
        (first if taken[entry[1]] <= _MOST_OF_A_CHAPTER else others).append(entry)
    chosen = (first + others)[:MOST_POINTS]
    return tuple(point for _, _, point in sorted(chosen, key=lambda entry: entry[:2]))


def _leading(report: Report) -> Iterator[tuple[Section, Lead, list[Finding]]]:
    """The chapters that may appear on page one, with the findings that may."""
    for section, findings in chapters_of(report):
        if section.lead is not None:
            yield section, section.lead, [f for f in findings if _may_lead(f, section.lead)]


def _may_lead(finding: Finding, lead: Lead) -> bool:
    return finding.severity.rank <= lead.least.rank and finding.code not in lead.background


def _points(lead: Lead, findings: list[Finding]) -> Iterator[Point]:
    """One for each rule that fired, or one for the whole chapter."""
    if not findings:
        return
    if lead.together:
        titles = dict.fromkeys(on_one_line(f.subject or f.title) for f in findings)
        named = ", ".join(list(titles)[:4]) + (", …" if len(titles) > 4 else "")
        yield Point(lead.together.format(n=_spelled(len(findings))), named, tuple(findings))
        return
    alike: dict[str, list[Finding]] = {}
    for finding in findings:
        alike.setdefault(finding.code, []).append(finding)
    for same in alike.values():
        yield Point(on_one_line(same[0].message), _shown(same), tuple(same))


def _rank(lead: Lead, point: Point) -> tuple[int, int, int]:
    """Proofs before all else, then errors by chapter, then warnings by chapter."""
    proven = point.findings[0].confidence is Confidence.PROVEN
    return point.severity.rank - proven, lead.order, point.findings[0].confidence.rank


def _shown(findings: list[Finding]) -> str:
    """Where the first of them is, the first sentence of its proof, and how many others there are."""
    first = findings[0]
    proof = next((e.text for e in first.evidence if e.kind is EvidenceKind.CERTIFICATE), "")
    parts = [first.code, str(first.location) if first.location else first.subject, _sentence(proof)]
    if len(findings) > 1:
        parts.append(f"and {len(findings) - 1} more of this kind")
    return on_one_line("; ".join(part for part in parts if part))


def _sentence(text: str) -> str:
    """The first sentence, without its full stop."""
    line = on_one_line(text)
    end = line.find(". ")
    return (line if end < 0 else line[:end]).rstrip(".")


def _clause(lead: Lead, findings: list[Finding]) -> str:
    """What the headline says of a chapter: by its gravest findings alone."""
    gravest = [f for f in findings if f.severity is findings[0].severity]
    named = (clause for f in gravest for start, clause in lead.clauses if f.code.startswith(start))
    text = lead.one if len(gravest) == 1 else lead.several
    return next(named, text.format(n=_spelled(len(gravest))))


def _nothing_wrong(report: Report) -> str:
    """That nothing grave was found is no clean bill: it says what was checked."""
    checked = sum(j.verdict is Verdict.CONSISTENT for j in report.judgements)
    rows = f" {_spelled(checked).capitalize()} rows of scores were recomputed and are possible." if checked else ""
    new = " new" if report.since else ""
    open_ = " Some of the material was not checked; see below." if report.left_out else ""
    return f"No{new} grave problem was found in what was checked.{rows}{open_}"


def _spelled(number: int) -> str:
    return _NUMBERS[number] if number < len(_NUMBERS) else f"{number:,}"

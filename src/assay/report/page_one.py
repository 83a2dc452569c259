"""Page one of a report in chapters: a headline, and at most five points, by how much they change the result.

Both follow from the findings that the report has, so they stay true when some are chosen or left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from assay.findings import Cause, Confidence, EvidenceKind, Finding, Report, Section, Severity, Verdict
from assay.records import dataclass
from assay.report.chapters import likely_wrong
from assay.report.wording import counted, inside_sentence, on_one_line, sentence

MOST_POINTS = 5
_MOST_OF_A_CHAPTER = 2
"""Points of one chapter, so that a third leak does not hide that the code cannot be run; more where there is room."""
_MOST_CLAUSES = 3
"""Clauses of the headline: a sentence with more is not read."""
_MOST_LIMITS = 2
"""Unchecked parts that the headline names when nothing serious was found."""
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@dataclass(frozen=True, slots=True)
class Point:
    """One thing that a reviewer should know, with the findings behind it, gravest first."""

    section: Section
    cause: Cause
    findings: tuple[Finding, ...]

    @property
    def severity(self) -> Severity:
        """That of the gravest finding."""
        return self.findings[0].severity

    @property
    def statement(self) -> str:
        """What is wrong, in a sentence."""
        return sentence(on_one_line(self.findings[0].message))

    @property
    def evidence(self) -> str:
        """Where it is, the first sentence of its proof, and how many others there are, in a line."""
        first = self.findings[0]
        proof = next((e.text for e in first.evidence if e.kind is EvidenceKind.CERTIFICATE), "")
        place = str(first.location) if first.location else first.subject
        same = sum(f.code == first.code for f in self.findings[1:])
        others = dict.fromkeys(f.title for f in self.findings if f.code != first.code)
        parts = [first.code, place, _first_sentence(proof), f"{same} more like it" if same else ""]
        parts += [f"also: {', '.join(map(inside_sentence, others))}"] if others else []
        return on_one_line("; ".join(part for part in parts if part))

    @property
    def clause(self) -> str:
        """What the headline says of it, by its gravest findings alone."""
        grave = sum(f.severity is self.severity for f in self.findings)
        text = self.cause.one if grave == 1 else self.cause.several
        return text.format(n=_spelled(grave))

    @property
    def more(self) -> int:
        """How many findings stand behind the first."""
        return len(self.findings) - 1

    @property
    def rank(self) -> tuple[bool, bool, int, int]:
        """Proofs first, then what is wrong, then what is missing; each by severity and effect on the result."""
        unproven = self.findings[0].confidence is not Confidence.PROVEN
        return unproven, self.section.missing, self.severity.rank, self.cause.order


def headline_of(report: Report) -> str:
    """The judgement in one sentence: what is wrong, then what is missing."""
    ranked = _ranked(report)
    wrong = dict.fromkeys(point.clause for point in ranked if not point.section.missing)
    absent = dict.fromkeys(point.clause for point in ranked if point.section.missing)
    clauses = (list(wrong)[:_MOST_CLAUSES], list(absent)[: 1 if wrong else _MOST_CLAUSES])
    said = [_joined(some) for some in clauses if some]
    uncertain = [] if wrong else _to_judge(report)
    return sentence("; ".join([*said, *uncertain])) if said else _nothing_wrong(report)


def _joined(clauses: list[str]) -> str:
    *first, last = clauses
    return f"{', '.join(first)}, and {last}" if len(first) > 1 else " and ".join(clauses)


def points_of(report: Report) -> tuple[Point, ...]:
    """What matters most, gravest first."""
    ranked = _ranked(report)
    taken: Counter[str] = Counter()
    first: list[Point] = []
    others: list[Point] = []
    for point in ranked:
        taken[point.section.key] += 1
        (first if taken[point.section.key] <= _MOST_OF_A_CHAPTER else others).append(point)
    return tuple(sorted((first + others)[:MOST_POINTS], key=lambda point: point.rank))


def _ranked(report: Report) -> list[Point]:
    """Every point that may stand on page one, gravest first; of two that say the same, the one that says more."""
    points = list(_points(report))
    covered = {code for point in points for code in point.cause.covers}
    separate = (point for point in points if not covered.issuperset(f.code for f in point.findings))
    return sorted(separate, key=lambda point: point.rank)


def _points(report: Report) -> Iterator[Point]:
    """One for each cause that has a finding which may lead."""
    for section in report.sections:
        for cause in section.causes:
            found = [f for f in report.findings if _leads(f, cause)]
            found.sort(key=lambda f: (f.severity.rank, f.confidence.rank, cause.rules.index(f.code)))
            if found:
                yield Point(section, cause, tuple(found))


def _leads(finding: Finding, cause: Cause) -> bool:
    grave = finding.severity.rank <= cause.severity.rank
    certain = finding.confidence.rank <= cause.confidence.rank
    return grave and certain and finding.code in cause.rules


def _first_sentence(text: str) -> str:
    """The first sentence, without its full stop."""
    line = on_one_line(text)
    end = line.find(". ")
    return (line if end < 0 else line[:end]).rstrip(".")


def _nothing_wrong(report: Report) -> str:
    """That nothing grave was found is no clean bill: it says what was checked, and what is likely but not certain."""
    if uncertain := _to_judge(report):
        return f"Nothing serious is certain, but {uncertain[0]}."
    if report.left_out and not any((report.findings, report.fine, report.judgements)):
        return "Nothing could be checked; see below for what is missing or could not be read."
    checked = sum(j.verdict is Verdict.CONSISTENT for j in report.judgements)
    rows = f" {counted(checked, 'row')} of scores {'was' if checked == 1 else 'were'} recomputed and possible."
    new = " new" if report.since else ""
    limits = "; ".join(reason.partition(" (")[0] for reason in report.left_out[:_MOST_LIMITS])
    unchecked = f" Not checked: {limits}." if limits else ""
    return f"No{new} serious problem was found in what was checked.{rows if checked else ''}{unchecked}"


def _to_judge(report: Report) -> list[str]:
    """What is likely wrong, but not sure enough to lead: the headline names it all the same."""
    likely = list(dict.fromkeys(f.title for f in likely_wrong(report)))
    need = "problem needs" if len(likely) == 1 else "problems need"
    return (
        [f"{_spelled(len(likely))} likely {need} your judgement: {', '.join(map(inside_sentence, likely))}"]
        if likely
        else []
    )


def _spelled(number: int) -> str:
    return _NUMBERS[number] if number < len(_NUMBERS) else f"{number:,}"

"""Inline suppressions: ``# assay: ignore[S101] erratum published 2021``.

The comment stands on the line of a finding, or on a line of its own just above it. The reason is
part of the syntax: a suppression without one suppresses nothing and is itself a finding (X101), and
so is one that no finding answers to any more (X102), for it would hide the next fault silently.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import replace

from assay.findings import Confidence, Finding, Location, Report, Severity, Suppressed, quote
from assay.patterns import regex
from assay.records import dataclass
from assay.rules import Instrument, Source

_COMMENT = regex(r"#\s*assay:\s*ignore\[(?P<codes>[^\]]*)\](?P<reason>.*)")
_HOUSE = Source("Assay design", "conventions")


@dataclass(frozen=True, slots=True)
class Suppression:
    """A suppression as written; `applies_to` is the line whose findings it covers."""

    codes: tuple[str, ...]
    reason: str
    location: Location
    text: str
    applies_to: int

    def covers(self, finding: Finding) -> bool:
        """True if this comment covers the finding."""
        place = finding.location
        if place is None or place.path != self.location.path or place.cell != self.location.cell or place.line is None:
            return False
        return finding.code in self.codes and place.line <= self.applies_to <= (place.end_line or place.line)


@dataclass(frozen=True, slots=True)
class Suppressions:
    """The facts of this instrument: all suppressions of the audited files, and which were used."""

    found: tuple[Suppression, ...] = ()
    unused: tuple[Suppression, ...] = ()


def read_suppressions(text: str, path: str, *, python: bool = False, cell: int | None = None) -> list[Suppression]:
    """All suppressions in a file. In Python source only comments count, not strings."""
    found = []
    lines = text.splitlines()
    for number, comment in _python_comments(text) if python else _any_comments(lines):
        match = _COMMENT.search(comment)
        if match is None:
            continue
        alone = lines[number - 1].lstrip().startswith("#")
        codes = tuple(c.strip().upper() for c in match["codes"].split(",") if c.strip())
        location = Location(path, number, cell=cell)
        target = _next_line_of_content(lines, number) if alone else number
        found.append(Suppression(codes, match["reason"].strip(" :-"), location, match[0].strip(), target))
    return found


def _any_comments(lines: list[str]) -> Iterator[tuple[int, str]]:
    return ((number, line[line.index("#") :]) for number, line in enumerate(lines, 1) if "#" in line)


def _python_comments(text: str) -> Iterator[tuple[int, str]]:
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string
    except (tokenize.TokenError, SyntaxError):
        return  # what does not tokenise is reported by the instrument that reads it


def _next_line_of_content(lines: list[str], number: int) -> int:
    for later in range(number, len(lines)):
        if lines[later].strip() and not lines[later].lstrip().startswith("#"):
            return later + 1
    return number


def _read_example(text: str) -> Suppressions:
    """In the examples, a share above 1 is a fault."""
    found = tuple(read_suppressions(text, "example.toml"))
    faulty = {number for number, line in enumerate(text.splitlines(), 1) if re.search(r"= *[1-9]", line)}
    return Suppressions(found, tuple(s for s in found if s.applies_to not in faulty))


suppressions = Instrument("suppressions", "Are findings silenced for a stated reason?", _read_example, "toml")


@suppressions.rule(
    "X101",
    title="Suppression without a reason",
    severity=Severity.WARNING,
    failing="acc = 9.5  # assay: ignore[S101]",
    passing="acc = 9.5  # assay: ignore[S101] misprint, corrected in the erratum of 2021",
    source=_HOUSE,
    advice="Write the reason after the bracket, on the same line.",
    confidence=Confidence.PROVEN,
)
def without_reason(facts: Suppressions) -> Iterator[Finding]:
    """Without a reason, the next reader cannot tell whether the finding was checked or only hidden."""
    for s in facts.found:
        if not s.reason or not s.codes:
            lack = "no reason" if s.codes else "no rule code"
            yield without_reason.finding(
                f"this suppression gives {lack}, so it suppresses nothing",
                location=s.location,
                evidence=[quote(s.text, s.location)],
            )


@suppressions.rule(
    "X102",
    title="Unneeded suppression",
    severity=Severity.NOTE,
    failing="acc = 0.95  # assay: ignore[S101] misprint, corrected in the erratum of 2021",
    passing="acc = 9.5  # assay: ignore[S101] misprint, corrected in the erratum of 2021",
    source=_HOUSE,
    advice="Remove the comment.",
    confidence=Confidence.PROVEN,
)
def unused(facts: Suppressions) -> Iterator[Finding]:
    """A suppression that is no longer needed would hide a new fault on that line."""
    for s in facts.unused:
        yield unused.finding(
            f"{', '.join(s.codes)} finds nothing on line {s.applies_to}",
            location=s.location,
            evidence=[quote(s.text, s.location)],
        )


def apply_suppressions(report: Report, found: Iterable[Suppression]) -> Report:
    """Move findings that are suppressed with a reason to the suppressed list, and check the suppressions."""
    comments = tuple(found)
    if not comments:
        return report
    kept: list[Finding] = []
    silenced: list[Suppressed] = []
    used: set[Suppression] = set()
    for finding in report.findings:
        cover = next((s for s in comments if s.reason and s.covers(finding)), None)
        if cover is None:
            kept.append(finding)
        else:
            used.add(cover)
            silenced.append(Suppressed(finding, cover.reason))
    idle = tuple(s for s in comments if s.reason and s.codes and s not in used)
    verdicts = suppressions.run(Suppressions(comments, idle))
    return replace(report, findings=(*kept, *verdicts), suppressed=(*report.suppressed, *silenced))

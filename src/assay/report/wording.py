"""What every readable format says alike: the summary, the headings, how a value and hostile text are shown."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from assay import __version__
from assay.findings import Evidence, EvidenceKind, Finding, Report, Severity, Value, Verdict

JUDGEMENTS, FINDINGS, TABLES, FIGURES = "Judgements", "Findings", "Tables", "Figures"
SUPPRESSED, LEFT_OUT = "Suppressed findings", "Not examined"

LABEL = {
    EvidenceKind.NUMBERS: "Numbers",
    EvidenceKind.WITNESS: "Witness",
    EvidenceKind.CERTIFICATE: "Certificate",
    EvidenceKind.STEP: "Steps",
}
"""What stands above a piece of evidence; quotes and notes speak for themselves."""

LONGEST_LINE = 1_000
"""A name or a path that is longer is an attack or an accident."""

_GRAVITY = (Verdict.INCONSISTENT, Verdict.CONDITIONAL, Verdict.UNDECIDED, Verdict.CONSISTENT)


def summary(report: Report) -> str:
    """One line: how many findings of each severity, how many verdicts of each kind, what is hidden or missing."""
    found = [counted(number, severity.value) for severity, number in severity_counts(report)]
    said = [f"{number:,} {verdict.value}" for verdict, number in verdict_counts(report)]
    sentences = [f"Findings: {', '.join(found) or 'none'}."] if report.tells_findings else []
    if said:
        sentences.append(f"Verdicts: {', '.join(said)}.")
    if report.suppressed:
        sentences.append(f"Suppressed: {len(report.suppressed)}.")
    if report.left_out:
        sentences.append(f"Not examined: {len(report.left_out)}.")
    return " ".join(sentences)


def severity_counts(report: Report) -> list[tuple[Severity, int]]:
    """How many findings there are of each severity that occurs, gravest first."""
    counts = Counter(f.severity for f in report.findings)
    return [(severity, counts[severity]) for severity in Severity if counts[severity]]


def verdict_counts(report: Report) -> list[tuple[Verdict, int]]:
    """How many judgements there are of each verdict that occurs, gravest first."""
    counts = Counter(j.verdict for j in report.judgements)
    return [(verdict, counts[verdict]) for verdict in _GRAVITY if counts[verdict]]


def nothing_found(report: Report) -> str:
    """What an empty list of findings means, and what it does not."""
    if any(j.verdict is Verdict.INCONSISTENT for j in report.judgements):
        return "No rule raised a finding beyond the judgements above."
    if report.not_examined:
        return f"{report.not_examined[0].upper()}{report.not_examined[1:]}."
    limits = " Some of the material was not examined; it is listed at the end." if report.left_out else ""
    return (
        "Nothing was found. That does not prove the result right: it means only that "
        f"no check that was run raised an objection.{limits}"
    )


def by_severity(findings: Iterable[Finding]) -> Iterator[tuple[str, list[Finding]]]:
    """The findings under a heading for each severity, gravest first."""
    for severity, group in groupby(findings, key=lambda f: f.severity):
        members = list(group)
        yield f"{severity.value.capitalize()}s ({len(members)})", members


def in_parts(evidence: Iterable[Evidence]) -> Iterator[tuple[EvidenceKind, list[Evidence]]]:
    """Each piece of evidence by itself, save that steps which follow each other make one list."""
    for _, group in groupby(enumerate(evidence), key=lambda e: -1 if e[1].kind is EvidenceKind.STEP else e[0]):
        pieces = [piece for _, piece in group]
        yield pieces[0].kind, pieces


def provenance(report: Report) -> str:
    """The last line: which version made the report."""
    return f"Assay {__version__}" + (", by the command:" if report.command else "")


def counted(number: int, noun: str) -> str:
    """'1 error', '1,200 errors'."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def inside_sentence(title: str) -> str:
    """A title in lower case, unless it begins with a name such as README."""
    return f"{title[0].lower()}{title[1:]}" if title[1:2].islower() else title


def sentence(text: str) -> str:
    """A message as a sentence: a capital first, unless it begins with a name from code, and a full stop last."""
    first = text.partition(" ")[0]
    named = any(not (c.isalpha() or c in "-,'") for c in first)
    said = text if named else f"{text[:1].upper()}{text[1:]}"
    return said if said.endswith((".", "!", "?", "…", ":")) else f"{said}."


def rows_cut(number: int) -> str:
    """What stands below a table that was cut short."""
    return f"… and {counted(number, 'more row')}; the JSON report has them all."


def shown(value: Value) -> str:
    """A value for people: ten digits are enough of a float, and a gap is seen to be one."""
    match value:
        case None:
            return "—"
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.10g}"
        case _:
            return clipped(str(value), LONGEST_LINE)


def numeric_columns(rows: Sequence[Sequence[Value]], width: int) -> list[bool]:
    """For each of `width` columns, whether it holds numbers alone (and gaps) and is set flush right."""
    return [all(_is_number(row[index]) for row in rows) for index in range(width)]


def _is_number(value: Value) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def clipped(text: str, limit: int) -> str:
    """The text as `visible`, cut when it is longer than a person would read."""
    if len(text) <= limit:
        return visible(text)
    return f"{visible(text[:limit])} … [{len(text) - limit:,} more characters; the JSON report has them all]"


def on_one_line(text: str) -> str:
    """The text as `visible`, without line breaks: for headings, names and places."""
    return " ".join(clipped(text, LONGEST_LINE).split())


def visible(text: str) -> str:
    r"""Audited text made harmless to look at: what steers a terminal or the reading direction is spelled out.

    ``ESC`` becomes the four characters ``\x1b``, a right-to-left override ``\u202e``. Line breaks stay.
    """
    if text.isprintable():
        return text
    return text.replace("\r\n", "\n").replace("\t", "    ").translate(_SPELLED_OUT)


class _SpellOut(dict[int, str]):
    """A translation table that fills itself in as characters are met."""

    _STEERING = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
    _HARMLESS = frozenset("\n\u200c\u200d")  # Persian and Indic spelling, and emoji, need the two joiners

    def __missing__(self, code: int) -> str:
        char = chr(code)
        steers = unicodedata.category(char) in self._STEERING and char not in self._HARMLESS
        self[code] = ascii(char)[1:-1] if steers else char
        return self[code]


_SPELLED_OUT = _SpellOut()

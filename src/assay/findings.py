"""The one vocabulary that every instrument speaks.

An instrument reads a source into plain facts, checks the facts, and answers with a `Report`:
*findings* (a rule that fired, with evidence), *judgements* (a verdict with its witness or
certificate), tables and figures. Everything here is a frozen dataclass of plain values, so that one
report object feeds every output format and compares equal when it says the same thing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Container, Iterator, Mapping
from dataclasses import field, fields, is_dataclass, replace
from enum import StrEnum
from typing import Any

from assay import __version__
from assay.records import dataclass

SCHEMA_VERSION = "1.1"
"""Version of the JSON that `Report.to_dict` gives; the first number changes when a reader would break."""

Value = str | int | float | bool | None
"""What a cell of a table or a number in evidence may be."""

_SPARSE = {"sparse": True}
"""Marks a field that plain data have only where it says something."""

_HIDDEN = {"hidden": True}
"""Marks a field that plain data do not have."""


class Severity(StrEnum):
    """How much a finding matters if it is true. How sure we are is `Confidence`, a separate question."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"

    @property
    def rank(self) -> int:
        """0 for the gravest, so that findings sort by it."""
        return list(Severity).index(self)


class Confidence(StrEnum):
    """How sure we are of a finding. PROVEN is reserved for what a reader can verify by arithmetic."""

    PROVEN = "proven"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"

    @property
    def rank(self) -> int:
        """0 for the surest."""
        return list(Confidence).index(self)


class Verdict(StrEnum):
    """The answer to "can this be true?". UNDECIDED means the budget ran out; it is never a guess."""

    CONSISTENT = "consistent"
    INCONSISTENT = "inconsistent"
    UNDECIDED = "undecided"
    CONDITIONAL = "conditional"
    """Possible, but only under conventions that hardly anybody follows; a finding says which."""


@dataclass(frozen=True, slots=True)
class Location:
    """A place in audited material.

    Lines and columns count from 1, and `end_column` is one past the last character, as in SARIF.
    `cell` is a notebook's cell, `page` a page of a document that has some; lines count within them.
    """

    path: str
    line: int | None = None
    column: int | None = None
    end_line: int | None = None
    end_column: int | None = None
    cell: int | None = None
    page: int | None = None

    def __str__(self) -> str:
        parts = [self.path]
        if self.page is not None:
            parts.append(f"page {self.page}")
        if self.cell is not None:
            parts.append(f"cell {self.cell}")
        if self.line is not None:
            parts.append(str(self.line))
            if self.column is not None:
                parts.append(str(self.column))
        return ":".join(parts)


class EvidenceKind(StrEnum):
    """What a piece of evidence is, so that each report can set it fittingly."""

    QUOTE = "quote"
    """Text as it stands in the audited material."""
    NUMBERS = "numbers"
    """Named figures."""
    WITNESS = "witness"
    """An actual instance that satisfies everything reported."""
    CERTIFICATE = "certificate"
    """An argument of impossibility that can be re-checked by hand."""
    STEP = "step"
    """One stage of a path (where data were read, split, fitted, evaluated), in order."""
    NOTE = "note"
    """Plain explanation."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Something a sceptical reader can check: a quote with its place, numbers, a witness, a proof."""

    kind: EvidenceKind
    text: str = ""
    location: Location | None = None
    values: tuple[tuple[str, Value], ...] = ()


def quote(text: str, location: Location) -> Evidence:
    """Evidence that the audited material says `text` at `location`."""
    return Evidence(EvidenceKind.QUOTE, text, location)


def numbers(values: Mapping[str, Value], text: str = "") -> Evidence:
    """Evidence made of named figures."""
    return Evidence(EvidenceKind.NUMBERS, text, values=tuple(values.items()))


def witness(values: Mapping[str, Value], text: str = "") -> Evidence:
    """Evidence that something is possible: an instance."""
    return Evidence(EvidenceKind.WITNESS, text, values=tuple(values.items()))


def certificate(text: str, values: Mapping[str, Value] | None = None) -> Evidence:
    """Evidence that something is impossible: an argument to re-check by hand."""
    return Evidence(EvidenceKind.CERTIFICATE, text, values=tuple((values or {}).items()))


def note(text: str) -> Evidence:
    """A plain remark that belongs to a finding or a judgement."""
    return Evidence(EvidenceKind.NOTE, text)


@dataclass(frozen=True, slots=True)
class Edit:
    """A range of a file, from its first character to one past its last, and the text that takes its place."""

    location: Location
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A change that removes a finding; without edits, the description says why none is offered."""

    description: str
    edits: tuple[Edit, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule that fired on one subject. Made by `Rule.finding`, which fills in what the rule knows."""

    code: str
    title: str
    severity: Severity
    confidence: Confidence
    message: str
    subject: str = ""
    location: Location | None = None
    evidence: tuple[Evidence, ...] = ()
    advice: str = ""
    section: str = field(default="", metadata=_SPARSE)
    """Key of the chapter it stands in, in a report that has chapters."""
    question: str = field(default="", metadata=_SPARSE)
    """What to ask the authors, in the voice of a review; findings that ask the same are asked once."""
    fix: Fix | None = field(default=None, metadata=_SPARSE)
    """The patch, where one was asked for."""

    @property
    def fingerprint(self) -> str:
        """Identity across runs: survives added lines elsewhere, changes when the quoted text does."""
        path = self.location.path if self.location else ""
        quotes = [" ".join(e.text.split()) for e in self.evidence if e.kind is EvidenceKind.QUOTE]
        told = quotes or [self.message]
        identity = "\x1f".join([self.code, path, self.subject, *told])
        return hashlib.sha256(identity.encode(errors="surrogatepass")).hexdigest()[:32]

    @property
    def sort_key(self) -> tuple[int, int, str, int, int, str, str]:
        """Gravest and surest first, then by place: the order of every report."""
        place = self.location or Location("")
        return (
            self.severity.rank,
            self.confidence.rank,
            place.path,
            place.line or 0,
            place.column or 0,
            self.code,
            self.subject,
        )

    def _repr_html_(self) -> str:
        """How notebooks show a finding."""
        return Report(self.subject or "One finding", findings=(self,))._repr_html_()


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict about one subject, with what makes it checkable."""

    subject: str
    verdict: Verdict
    statement: str
    evidence: tuple[Evidence, ...] = ()

    def _repr_html_(self) -> str:
        """How notebooks show a verdict."""
        return Report(self.subject or "One verdict", judgements=(self,))._repr_html_()


@dataclass(frozen=True, slots=True)
class Table:
    """Rows for a report; cells are plain values so that CSV and JSON keep their types."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"table {self.title!r}: a row has {len(row)} cells for {len(self.columns)} columns")

    def _repr_html_(self) -> str:
        """How notebooks show a table."""
        return Report(self.title or "One table", tables=(self,))._repr_html_()


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture as SVG source, with the words for those who cannot see it."""

    title: str
    svg: str
    alt: str


@dataclass(frozen=True, slots=True)
class Cause:
    """Findings that a reader takes for one point on page one."""

    rules: tuple[str, ...]
    """The codes of the rules that find it, the most telling first."""
    order: int
    """Causes that change the result more come first."""
    one: str
    """The clause of the headline for one finding."""
    several: str
    """The clause for several; `{n}` is how many."""
    severity: Severity = Severity.WARNING
    """Findings that matter less do not lead."""
    confidence: Confidence = Confidence.HIGH
    """Findings that are less certain do not lead."""


@dataclass(frozen=True, slots=True)
class Section:
    """A chapter of a report that several instruments fill; each finding names its own by the key."""

    key: str
    title: str
    examined: str = ""
    """What was looked at, in a sentence."""
    missing: bool = False
    """Whether its findings are about what is absent rather than about what is wrong."""
    causes: tuple[Cause, ...] = field(default=(), metadata=_HIDDEN)
    """How its findings appear on page one; a chapter without any does not appear there."""


@dataclass(frozen=True, slots=True)
class Suppressed:
    """A finding that the audited material asks to leave out, with the reason it gives."""

    finding: Finding
    reason: str


@dataclass(frozen=True)
class Report:
    """All that one instrument has to say about one audited thing; every format is made from it.

    `left_out` names what was not examined (limits hit, files that do not parse): silence must never
    be mistaken for a clean bill. A report with `sections` is set in chapters, under page one and a
    verdict; `fine` is what that verdict says in favour of the audited thing.
    """

    title: str
    question: str = ""
    judgements: tuple[Judgement, ...] = ()
    findings: tuple[Finding, ...] = ()
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()
    suppressed: tuple[Suppressed, ...] = ()
    left_out: tuple[str, ...] = ()
    command: str = ""
    sections: tuple[Section, ...] = field(default=(), metadata=_SPARSE)
    fine: tuple[str, ...] = field(default=(), metadata=_SPARSE)
    since: str = field(default="", metadata=_SPARSE)
    """What changed since an earlier run, in a line: then the findings are the new ones alone."""
    not_examined: str = field(default="", metadata=_SPARSE)
    """Why an empty list of findings says nothing: what could not be followed at all."""
    descriptive: bool = field(default=False, metadata=_SPARSE)
    """Whether it only shows tables: nothing was looked for, so that nothing was found means nothing."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "findings", tuple(sorted(self.findings, key=lambda f: f.sort_key)))

    @property
    def tells_findings(self) -> bool:
        """Whether there is something to say about findings, be it that there are none."""
        return bool(self.findings) or not self.descriptive

    @property
    def clean(self) -> bool:
        """True when nothing was found (suppressed findings do not count)."""
        return not self.findings

    def only(self, codes: Container[str]) -> Report:
        """The same report with the findings of the given rules alone."""
        return replace(self, findings=tuple(f for f in self.findings if f.code in codes))

    def to_dict(self) -> dict[str, Any]:
        """Plain data as described by the published JSON Schema (``assay schema report``)."""
        return {"schema": SCHEMA_VERSION, "assay": __version__, **plain(self)}

    def _repr_html_(self) -> str:
        """How notebooks show a report."""
        from assay.report.html import fragment

        return fragment(self)


def _published(thing: Any) -> Iterator[tuple[str, Any]]:
    """The fields of a dataclass that belong into JSON, with their values."""
    for field_ in fields(thing):
        value = getattr(thing, field_.name)
        if "hidden" not in field_.metadata and (value or "sparse" not in field_.metadata):
            yield field_.name, value


def plain(thing: Any) -> Any:
    """Dataclasses, enums and tuples as the dicts, strings and lists that JSON knows."""
    if is_dataclass(thing):
        out = {name: plain(value) for name, value in _published(thing)}
        return out | {"fingerprint": thing.fingerprint} if isinstance(thing, Finding) else out
    if isinstance(thing, StrEnum):
        return thing.value
    if isinstance(thing, tuple):
        return [plain(x) for x in thing]
    return thing

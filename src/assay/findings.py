"""The vocabulary that all instruments share.

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
"""Version of the JSON of `Report.to_dict`; the first number changes when readers would break."""

Value = str | int | float | bool | None
"""Types of table cells and of numbers in evidence."""

_SPARSE = {"sparse": True}
"""Marks a field that is left out of plain data when empty."""

_HIDDEN = {"hidden": True}
"""Marks a field that is never part of plain data."""


class Severity(StrEnum):
    """How much a finding matters if it is true. How certain it is, is a separate question: `Confidence`."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"

    @property
    def rank(self) -> int:
        """0 for the most severe, so that findings sort by it."""
        return list(Severity).index(self)


class Confidence(StrEnum):
    """How certain a finding is. PROVEN is reserved for what a reader can verify by arithmetic."""

    PROVEN = "proven"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"

    @property
    def rank(self) -> int:
        """0 for the most certain."""
        return list(Confidence).index(self)


class Verdict(StrEnum):
    """The answer to "can this be true?". UNDECIDED means that the budget ran out; it is never a guess."""

    CONSISTENT = "consistent"
    INCONSISTENT = "inconsistent"
    UNDECIDED = "undecided"
    CONDITIONAL = "conditional"
    """Possible, but only under conventions that are very rarely used; a finding names them."""


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
    """The kind of a piece of evidence; reports format each kind differently."""

    QUOTE = "quote"
    """Text quoted from the audited material."""
    NUMBERS = "numbers"
    """Named figures."""
    WITNESS = "witness"
    """A concrete instance that satisfies everything reported."""
    CERTIFICATE = "certificate"
    """An argument of impossibility that a reader can re-check by hand."""
    STEP = "step"
    """One step of a path, in order: where data were read, split, fitted, evaluated."""
    NOTE = "note"
    """Plain explanation."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Something that a sceptical reader can check: a quote with its place, numbers, a witness, a proof."""

    kind: EvidenceKind
    text: str = ""
    location: Location | None = None
    values: tuple[tuple[str, Value], ...] = ()


def quote(text: str, location: Location) -> Evidence:
    """A quote: the audited material says `text` at `location`."""
    return Evidence(EvidenceKind.QUOTE, text, location)


def numbers(values: Mapping[str, Value], text: str = "") -> Evidence:
    """Named figures as evidence."""
    return Evidence(EvidenceKind.NUMBERS, text, values=tuple(values.items()))


def witness(values: Mapping[str, Value], text: str = "") -> Evidence:
    """An instance that proves possibility."""
    return Evidence(EvidenceKind.WITNESS, text, values=tuple(values.items()))


def certificate(text: str, values: Mapping[str, Value] | None = None) -> Evidence:
    """An argument that proves impossibility."""
    return Evidence(EvidenceKind.CERTIFICATE, text, values=tuple((values or {}).items()))


def note(text: str) -> Evidence:
    """A plain remark about a finding or judgement."""
    return Evidence(EvidenceKind.NOTE, text)


@dataclass(frozen=True, slots=True)
class Edit:
    """A range of a file, from its first character to one past its last, and its replacement."""

    location: Location
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A change that removes a finding; without edits, the description says why there is no patch."""

    description: str
    edits: tuple[Edit, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule that fired on one subject. Made by `Rule.finding`, which fills in the rule's own fields."""

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
    """Key of the report chapter that it belongs to, if the report has chapters."""
    question: str = field(default="", metadata=_SPARSE)
    """The question to the authors, worded for a review; identical questions are asked once."""
    fix: Fix | None = field(default=None, metadata=_SPARSE)
    """The patch, if one was requested."""

    @property
    def fingerprint(self) -> str:
        """Identity across runs: unchanged when lines are added elsewhere, changed with the quoted text."""
        path = self.location.path if self.location else ""
        quotes = [" ".join(e.text.split()) for e in self.evidence if e.kind is EvidenceKind.QUOTE]
        told = quotes or [self.message]
        identity = "\x1f".join([self.code, path, self.subject, *told])
        return hashlib.sha256(identity.encode(errors="surrogatepass")).hexdigest()[:32]

    @property
    def sort_key(self) -> tuple[int, int, str, int, int, str, str]:
        """Most severe and most certain first, then by place: the order of every report."""
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
    """A verdict about one subject, with its evidence."""

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
    """A picture as SVG source, with a text alternative."""

    title: str
    svg: str
    alt: str


@dataclass(frozen=True, slots=True)
class Cause:
    """Findings that form one point on page one."""

    rules: tuple[str, ...]
    """Codes of the rules that detect it, most informative first."""
    order: int
    """Rank on page one: causes that change the result more come first."""
    one: str
    """The clause of the headline for one finding."""
    several: str
    """The clause of the headline for several findings; `{n}` is their number."""
    severity: Severity = Severity.WARNING
    """Minimum severity on page one."""
    confidence: Confidence = Confidence.HIGH
    """Minimum confidence on page one."""
    covers: tuple[str, ...] = ()
    """Codes of rules whose findings this point already says: they make no point of their own beside it."""


@dataclass(frozen=True, slots=True)
class Section:
    """A chapter of a report that several instruments fill; findings name their chapter by its key."""

    key: str
    title: str
    examined: str = ""
    """What was examined, in a sentence."""
    missing: bool = False
    """True if its findings are about missing material, not about errors."""
    causes: tuple[Cause, ...] = field(default=(), metadata=_HIDDEN)
    """How its findings appear on page one; a chapter without causes does not appear there."""


@dataclass(frozen=True, slots=True)
class Suppressed:
    """A finding that the audited material suppresses, with its reason."""

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
    """What changed since an earlier run, in a line; the findings are then the new ones."""
    not_examined: str = field(default="", metadata=_SPARSE)
    """Why an empty list of findings means nothing: what could not be followed."""
    descriptive: bool = field(default=False, metadata=_SPARSE)
    """True if the report only shows tables and no check was made."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "findings", tuple(sorted(self.findings, key=lambda f: f.sort_key)))

    @property
    def tells_findings(self) -> bool:
        """True if the report should mention findings, even that there are none."""
        return bool(self.findings) or not self.descriptive

    @property
    def clean(self) -> bool:
        """True if there are no findings (suppressed ones do not count)."""
        return not self.findings

    def only(self, codes: Container[str]) -> Report:
        """The report reduced to findings of the given rules."""
        return replace(self, findings=tuple(f for f in self.findings if f.code in codes))

    def to_dict(self) -> dict[str, Any]:
        """Plain data as described by the published JSON Schema (``assay schema report``)."""
        return {"schema": SCHEMA_VERSION, "assay": __version__, **plain(self)}

    def _repr_html_(self) -> str:
        """How notebooks show a report."""
        from assay.report.html import fragment

        return fragment(self)


def _published(thing: Any) -> Iterator[tuple[str, Any]]:
    """The fields of a dataclass that belong in JSON, with their values."""
    for field_ in fields(thing):
        value = getattr(thing, field_.name)
        if "hidden" not in field_.metadata and (value or "sparse" not in field_.metadata):
            yield field_.name, value


def plain(thing: Any) -> Any:
    """Convert dataclasses, enums and tuples to JSON types."""
    if is_dataclass(thing):
        out = {name: plain(value) for name, value in _published(thing)}
        return out | {"fingerprint": thing.fingerprint} if isinstance(thing, Finding) else out
    if isinstance(thing, StrEnum):
        return thing.value
    if isinstance(thing, tuple):
        return [plain(x) for x in thing]
    return thing

"""The facts that only meet in an audit: what is claimed, reported, counted and done, each with its place.

Small and plain, so that every instrument can hand its share back from a process of its own.
"""

from __future__ import annotations

from dataclasses import fields
from enum import StrEnum
from fractions import Fraction

from assay.findings import Finding, Location
from assay.records import dataclass


class Topic(StrEnum):
    """What a sentence claims that other material can contradict."""

    SEEDED = "seeded"
    STRATIFIED = "stratified"
    GROUPED = "grouped"
    """No patient, subject, speaker… on both sides of the split."""
    FOLDS = "folds"
    SHARE = "share"
    """The share of the rows that was held out."""
    CODE = "code"
    DATA = "data"
    PINNED = "pinned"
    MODEL = "model"


class Origin(StrEnum):
    """Who says it."""

    PAPER = "the paper"
    README = "the README"
    CHECKLIST = "the checklist"
    SCORES = "the scores file"


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence that promises something; `value` is its number, as in 5 folds or a share of 1/5."""

    topic: Topic
    origin: Origin
    text: str
    location: Location
    value: Fraction | None = None

    @property
    def gives_address(self) -> bool:
        """Whether the sentence says where to find what it promises."""
        return "://" in self.text or "doi.org/" in self.text


@dataclass(frozen=True, slots=True)
class Row:
    """Scores of one method, as printed; the sizes of the test set where stated."""

    origin: Origin
    name: str
    scores: tuple[tuple[str, str], ...]
    location: Location
    p: int | None = None
    n: int | None = None
    total: int | None = None
    quote: str = ""
    about: str = ""
    """The caption of its table."""
    folds: int | None = None


@dataclass(frozen=True, slots=True)
class Counted:
    """A table of data: its rows, and how many of each outcome."""

    name: str
    rows: int
    target: str = ""
    classes: tuple[tuple[str, int], ...] = ()
    test: bool = False


@dataclass(frozen=True, slots=True)
class Division:
    """A place in the code where rows are divided; None where the text does not tell."""

    call: str
    text: str
    location: Location
    folds: int | None = None
    share: Fraction | None = None
    stratified: bool | None = None
    grouped: bool | None = None
    in_folds: bool = False
    """It makes folds, of whatever number."""


@dataclass(frozen=True, slots=True)
class Crossing:
    """All that cross-checks compare. `findings` are those of the instruments, for claims that they speak against."""

    claims: tuple[Claim, ...] = ()
    rows: tuple[Row, ...] = ()
    tables: tuple[Counted, ...] = ()
    divisions: tuple[Division, ...] = ()
    findings: tuple[Finding, ...] = ()

    def __or__(self, other: Crossing) -> Crossing:
        """The facts of both."""
        return Crossing(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    @property
    def test_table(self) -> Counted | None:
        """The table that the result was measured on."""
        return next((table for table in self.tables if table.test), None)

"""A leak as the checks tell it, before a rule makes a finding of it."""

from __future__ import annotations

from assay.findings import Confidence, Evidence, Location, Severity
from assay.records import dataclass


@dataclass(frozen=True, slots=True)
class Leak:
    """One leak, with the path that shows it."""

    code: str
    topic: str
    """A short word for the sort of leak ("overlap", "pre-processing", "reuse", …), for statistics over many files."""
    message: str
    location: Location
    evidence: tuple[Evidence, ...]
    severity: Severity
    confidence: Confidence
    advice: str = ""
    subject: str = ""


@dataclass(frozen=True, slots=True)
class Policy:
    """What counts as a leak where people differ."""

    encoders: bool = False
    """Categorical encoders fitted on all rows: what they learn is which categories exist."""
    scalers: bool = True
    """Unsupervised scalers fitted on all rows: the measured effect is next to nothing."""
    comparisons: bool = True
    """Two models scored on one test part, with a note: if the better is chosen by that, its score is too good."""
    rivals: int = 4
    """So many models scored on one test part, with nothing else to choose by, are a choice; fewer a comparison."""


DEFAULT_POLICY = Policy()

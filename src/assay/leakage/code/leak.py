"""A leak as the policies report it, before a rule makes a finding of it."""

from __future__ import annotations

from assay.findings import Confidence, Evidence, Fix, Location, Severity
from assay.leakage.code.facts.pair import Place
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
    kind: str = ""
    """What sort of step learnt, where the leak is about a step."""
    places: tuple[Place, ...] = ()
    """Every place where the step learnt."""
    fix: Fix | None = None
    """The patch, where one was asked for."""

"""Sets of items that a paper counts: what they are for, what is counted, how many, and the words that say so."""

from __future__ import annotations

from enum import StrEnum

from assay.findings import Location
from assay.records import dataclass
from assay.reported.model import Role


class Unit(StrEnum):
    """What is counted. Several words share a unit: a scan and a picture are images."""

    IMAGES = "images"
    SLIDES = "slides"
    PATCHES = "patches"
    LESIONS = "lesions"
    SAMPLES = "samples"
    """Samples, instances, examples, records: whatever is classified."""
    PATIENTS = "patients"
    """Patients, subjects, speakers: one of them may bring many items."""
    RECORDINGS = "recordings"
    """Recordings, videos, documents: their frames or words may be what is classified."""
    ITEMS = "items"
    """Nothing says what is counted, as in "n = 120"."""

    @property
    def holds_others(self) -> bool:
        """Whether one of them may bring several classified items."""
        return self in {Unit.PATIENTS, Unit.RECORDINGS}


@dataclass(frozen=True, slots=True)
class Counts:
    """How many items: all of them, and of two classes where both are stated."""

    total: int
    positives: int | None = None
    negatives: int | None = None

    @property
    def classes(self) -> tuple[int, int] | None:
        """Positives and negatives, where both are stated."""
        if self.positives is None or self.negatives is None:
            return None
        return self.positives, self.negatives


@dataclass(frozen=True, slots=True)
class CountedSet:
    """A set of items in a paper."""

    counts: Counts
    unit: Unit
    role: Role
    quote: str
    location: Location
    name: str = ""
    """Data set or split as the paper calls it; empty where it has no name."""

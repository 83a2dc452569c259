"""What metadata files say about a piece of software, a dataset or a model: one vocabulary for all formats."""

from __future__ import annotations

from enum import StrEnum

from assay.records import dataclass


class Kind(StrEnum):
    """What is described."""

    SOFTWARE = "software"
    DATASET = "dataset"
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class Person:
    """An author; `family` alone is the name of an organisation or of somebody whose names were not told apart."""

    family: str
    given: str = ""
    orcid: str = ""
    affiliation: str = ""

    @property
    def name(self) -> str:
        """As one writes it."""
        return f"{self.given} {self.family}".strip()


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a dataset (training, test, …); `rows` where the metadata tell."""

    name: str
    rows: int | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """A reported score, its value as it was written."""

    metric: str
    value: str
    dataset: str = ""
    part: str = ""
    task: str = ""


@dataclass(frozen=True, slots=True)
class DataFile:
    """A file that is spoken of, with its size as it was written and its checksum."""

    name: str
    size: str = ""
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class Description:
    """All that is said; what is not said is empty."""

    title: str
    kind: Kind = Kind.SOFTWARE
    abstract: str = ""
    version: str = ""
    doi: str = ""
    licence: str = ""
    authors: tuple[Person, ...] = ()
    keywords: tuple[str, ...] = ()
    repository: str = ""
    url: str = ""
    released: str = ""
    data: tuple[str, ...] = ()
    """Names of the datasets that a model was trained on."""
    parts: tuple[Part, ...] = ()
    scores: tuple[Score, ...] = ()
    files: tuple[DataFile, ...] = ()
    source: str = ""
    """The file that says it."""

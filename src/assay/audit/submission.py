"""What is audited: the pieces of a submission, each with its kind and the name that reports use for it."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

from assay.records import dataclass


class Kind(StrEnum):
    """What a piece of a submission is."""

    PAPER = "paper"
    REPOSITORY = "repository"
    CODE = "code"
    """A script or notebook without a repository around it."""
    TRAIN = "training table"
    TEST = "test table"
    SCORES = "scores"
    CHECKLIST = "checklist"


@dataclass(frozen=True, slots=True)
class Piece:
    """One thing to audit. `name` is how reports call it; a repository that is the whole submission has none."""

    kind: Kind
    path: Path
    name: str
    member: str = ""
    """The file of a paper inside an archive."""

    def __str__(self) -> str:
        return self.name or self.path.resolve().name


@dataclass(frozen=True)
class Submission:
    """All pieces, in a fixed order; `unrecognised` are sentences about what was given and is not examined."""

    title: str
    pieces: tuple[Piece, ...] = ()
    target: str | None = None
    unrecognised: tuple[str, ...] = ()

    def pieces_of(self, kind: Kind) -> tuple[Piece, ...]:
        """The pieces of one kind."""
        return tuple(piece for piece in self.pieces if piece.kind is kind)

"""What authors do differently when they print scores: how they round, and what they make of 0/0."""

from __future__ import annotations

from enum import StrEnum


class Rounding(StrEnum):
    """How the true value became the printed one."""

    NEAREST = "nearest"
    """To the nearest; a tie may have gone either way."""
    DOWN = "down"
    """Cut off."""
    UP = "up"
    """Rounded up."""
    UNKNOWN = "unknown"
    """Any of these."""


class Undefined(StrEnum):
    """What is taken for the score of a test set on which it is 0/0."""

    ANY = "any"
    """Whatever some library or author prints there: 0, 1 or the score's own substitute. The safe default."""
    ZERO = "zero"
    ONE = "one"
    SCIKIT_LEARN = "scikit-learn"
    """0; for balanced accuracy the recall of the class that is present."""
    NEVER = "never"
    """Such a test set did not occur."""
    SKIP = "skip"
    """Left out of the mean; on a single test set the same as NEVER."""

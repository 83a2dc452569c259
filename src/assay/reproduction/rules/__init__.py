"""The rules of the reproduction room: where a study's records contradict its rules, its figures or its words."""

from assay.reproduction.rules import (
    agreement,
    attempts,
    claims,
    discrepancies,
    documentation,
    protocols,
    results,
    weights,
)
from assay.reproduction.rules.instrument import reproduction

__all__ = [
    "agreement",
    "attempts",
    "claims",
    "discrepancies",
    "documentation",
    "protocols",
    "reproduction",
    "results",
    "weights",
]

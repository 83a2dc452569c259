"""The rules of the reproduction room: where a study's records contradict its rules, its figures or its words."""

from assay.reproduction.rules import attempts, claims, discrepancies, documentation
from assay.reproduction.rules.instrument import reproduction

__all__ = ["attempts", "claims", "discrepancies", "documentation", "reproduction"]

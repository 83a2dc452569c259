"""Folds that a sheet states outside of a column of folds: in another cell of the row, or in a title above the table."""

from __future__ import annotations

from collections.abc import Iterable

from assay.patterns import regex

_FOLDS = regex(r"(?i)(?:\b(\d{1,3})\s*(?:[x×*]|times)\s*)?\b(\d{1,3})(?:\s*[-\u2010\u2011\u2013]\s*|\s+)fold\b")
_ONCE_OR_MORE = regex(
    r"(?i)\bcross[-\u2010\u2011\u2013\s]?validat|\bLOOCV\b|\bLOSO\b|\bCV\b|\bleave[-\s]one|\bfolds?\b|\bbootstrap"
)
UNKNOWN_FOLDS = "means over folds that are not known: checked without the sizes"


def stated_folds(texts: Iterable[str]) -> dict[str, str] | None:
    """The number of folds and repeats, empty where some are mentioned without a number; None where none are."""
    mentioned = False
    for text in texts:
        found = _FOLDS.search(text)
        if found:
            repeats, folds = found.groups()
            return {"folds": folds} | ({"repeats": repeats} if repeats else {})
        mentioned = mentioned or bool(_ONCE_OR_MORE.search(text))
    return {} if mentioned else None

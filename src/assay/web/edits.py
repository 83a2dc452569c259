"""Two pages on one checklist: each field keeps the change of either page, and a field that both changed is a conflict.

A page carries a mark of every text that it shows. A text that still has its mark was not edited on this page; a stored
text that still has the mark was not edited on another.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import field

from assay.records import dataclass


def mark_of(text: str) -> str:
    """A short digest of a text; forms change the ends of lines, which therefore do not count."""
    return hashlib.sha256(_plain(text).encode()).hexdigest()[:16]


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").strip()


@dataclass(frozen=True, slots=True)
class Edit:
    """A text as a page sends it, and the mark of the text that the page was made with; no mark overwrites."""

    text: str
    mark: str = ""

    @property
    def changed(self) -> bool:
        """Whether somebody edited it on this page."""
        return mark_of(self.text) != self.mark


@dataclass(frozen=True)
class Saved:
    """What became of the edits of one page, each under the name of its field."""

    conflicts: Mapping[str, str] = field(default_factory=dict)
    """The stored texts that another page changed as well; they were not replaced."""
    elsewhere: frozenset[str] = frozenset()
    """Fields that only another page changed, so that this one shows an older text."""


def merge(stored: Mapping[str, str], edits: Mapping[str, Edit]) -> tuple[dict[str, str], Saved]:
    """The texts to store, and what the page must hear about the others."""
    kept: dict[str, str] = {}
    conflicts: dict[str, str] = {}
    elsewhere = set()
    for name, edit in edits.items():
        before = stored.get(name, "")
        if _plain(before) == _plain(edit.text):
            continue
        if edit.mark in {"", mark_of(before)}:
            kept[name] = edit.text
        elif edit.changed:
            conflicts[name] = before
        else:
            elsewhere.add(name)
    return kept, Saved(conflicts, frozenset(elsewhere))

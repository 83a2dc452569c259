"""Turns of phrase that the findings of several rules share."""

from __future__ import annotations

from collections.abc import Sequence

_MANY = 8


def listed(names: Sequence[str], most: int = _MANY) -> str:
    """The first names, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def counted(number: int, noun: str) -> str:
    """'1 file', '12 files'."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")

"""Which Python to solve for: what the repository states, else what people used at the time."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, timedelta

from packaging.specifiers import InvalidSpecifier, SpecifierSet

from assay.records import dataclass
from assay.repository.environment import Declared

RELEASES = {
    "3.6": date(2016, 12, 23),
    "3.7": date(2018, 6, 27),
    "3.8": date(2019, 10, 14),
    "3.9": date(2020, 10, 5),
    "3.10": date(2021, 10, 4),
    "3.11": date(2022, 10, 24),
    "3.12": date(2023, 10, 2),
    "3.13": date(2024, 10, 7),
    "3.14": date(2025, 10, 7),
}
"""First releases of CPython (PEPs 494, 537, 569, 596, 619, 664, 693, 719, 745)."""
_IN_USE = timedelta(days=365)
"""Libraries take about a year to offer wheels for a new Python."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """Versions of Python to try, the likeliest first, and why these."""

    versions: tuple[str, ...]
    because: str


def candidates(stated: Iterable[Declared], day: date) -> Candidates:
    """What the repository allows of what had been out for a year on that day, the newest first.

    If it allows none of those, what it allows at all; if nothing can be met, as if nothing were stated.
    """
    limits = [(one.location, limit) for one in stated if (limit := _limit(one.specifier)) is not None]
    usual = [v for v, released in RELEASES.items() if released + _IN_USE <= day] or [next(iter(RELEASES))]
    allowed = [v for v in RELEASES if all(_allows(limit, v) for _, limit in limits)]
    if not limits:
        return Candidates(tuple(reversed(usual)), "none is stated")
    if not allowed:
        return Candidates(tuple(reversed(usual)), "what is stated cannot be met")
    both = [v for v in reversed(usual) if v in allowed]
    return Candidates(tuple(both or allowed[:1]), f"stated in {limits[0][0]}")


def _allows(limit: SpecifierSet, version: str) -> bool:
    return limit.contains(f"{version}.99") or limit.contains(version)


def _limit(specifier: str) -> SpecifierSet | None:
    """What a statement allows, as PEP 440 has it; conda's `=3.7` and a bare `3.7` mean any 3.7."""
    text = specifier.strip().replace("^", ">=")
    text = re.sub(r"^={0,2}\s*(\d+\.\d+)(?:\.\d+|\.\*)?(?:=.*)?$", r"==\1.*", text)
    try:
        return SpecifierSet(text) if text else None
    except InvalidSpecifier:
        return None

"""The categories of discrepancies as a table: what each means, where it applies, and what it should come from."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any

from assay.errors import InputError, suggestion
from assay.records import dataclass

NO_RESULT_MOVED, BLOCKS_EXPERIMENT, BLOCKS_ATTEMPT = 1, 3, 4
"""Steps of the severity scale on which something depends."""


@dataclass(frozen=True, slots=True)
class Category:
    """A kind of problem (P), assumption (A) or source of error (E)."""

    code: str
    label: str
    topic: str
    code_only: bool = False
    """Whether it only makes sense when the authors' code was used."""
    leads_to: tuple[str, ...] = ()
    """A problem that can only be worked around by one of these assumptions."""
    opens: tuple[str, ...] = ()
    """Errors that a problem makes possible by its definition."""
    from_: tuple[str, ...] = ()
    """What it normally comes from: any of these in the same attempt."""
    kin: tuple[str, ...] = ()
    """What may explain it as well, less directly."""

    @property
    def kind(self) -> str:
        """P, A or E."""
        return self.code[0]


@cache
def categories() -> dict[str, Category]:
    """Every category by its code."""
    return {
        code: Category(
            code=code,
            label=row["label"],
            topic=row["topic"],
            code_only=row.get("code_only", False),
            leads_to=tuple(row.get("leads_to", ())),
            opens=tuple(row.get("opens", ())),
            from_=tuple(row.get("from", ())),
            kin=tuple(row.get("kin", ())),
        )
        for code, row in _table()["category"].items()
    }


def codes_of(kind: str) -> list[str]:
    """The codes of a kind: P, A or E."""
    return [code for code, found in categories().items() if found.kind == kind]


@cache
def severities() -> tuple[str, ...]:
    """What each step of the severity scale means, from 0."""
    return tuple(_table()["severity"])


def category(code: str) -> Category:
    """The category with this code; an unknown one is an error that names the nearest."""
    known = categories()
    if code not in known:
        fix = suggestion(code, known) or "There are P1 to P20, A1 to A15 and E1 to E15."
        raise InputError(f'there is no category "{code}"', fix=fix)
    return known[code]


@cache
def _table() -> dict[str, Any]:
    text = (resources.files("assay.reproduction") / "categories.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)

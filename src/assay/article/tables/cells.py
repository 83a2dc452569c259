"""The cells of a table, typed: a number keeps its printed digits, and a dash is not a zero."""

from __future__ import annotations

from enum import StrEnum

from assay.findings import Location
from assay.patterns import regex
from assay.records import dataclass


class Kind(StrEnum):
    """What a cell holds."""

    NUMBER = "number"
    MISSING = "missing"
    """A dash or nothing: not reported."""
    NOT_APPLICABLE = "not applicable"
    TEXT = "text"


_NUMBER = r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?"
_FIGURE = regex(
    rf"[*†‡§]*\s*(?P<value>{_NUMBER})\s*(?P<percent>%?)"
    rf"(?:\s*(?:±|\+/-|\+-)\s*(?P<spread>{_NUMBER})\s*(?P<late>%?)|\s*\(\s*(?:±\s*)?(?P<inner>{_NUMBER})\s*%?\s*\))?"
    r"\s*[*†‡§]*(?:\s*[↑↓▲▼])?"
)
_MISSING = frozenset({"", "-", "--", "---", "–", "—", "−", "/", "?", "…", "..."})
_NOT_APPLICABLE = frozenset({"na", "n/a", "n.a.", "n.a", "not applicable"})


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell. `value` and `spread` are numbers as printed; a percent sign is kept with the value."""

    text: str
    kind: Kind
    value: str = ""
    spread: str = ""
    bold: bool = False
    spanned: bool = False
    """Whether this place repeats a cell that begins further left or further up."""

    @property
    def printed(self) -> str:
        """The number as the score tests take it: with its spread, its percent sign and all its digits."""
        return f"{self.value} ± {self.spread}" if self.spread else self.value


def cell_of(text: str, *, bold: bool = False, spanned: bool = False) -> Cell:
    """A cell from its words."""
    told = " ".join(text.replace("\N{NO-BREAK SPACE}", " ").split())
    plain = told.replace("−", "-").strip()
    if plain.lower() in _NOT_APPLICABLE:
        return Cell(told, Kind.NOT_APPLICABLE, bold=bold, spanned=spanned)
    if plain in _MISSING:
        return Cell(told, Kind.MISSING, bold=bold, spanned=spanned)
    match = _FIGURE.fullmatch(plain)
    if match is None or not any(sign.isdigit() for sign in match["value"]):
        return Cell(told, Kind.TEXT, bold=bold, spanned=spanned)
    percent = "%" if match["percent"] or match["late"] else ""
    spread = match["spread"] or ""
    value = match["value"].replace(",", "")
    return Cell(told, Kind.NUMBER, value + percent, spread, bold, spanned)


@dataclass(frozen=True, slots=True)
class Grid:
    """A table as rows of equal length; a cell that spans several places stands in each of them."""

    rows: tuple[tuple[Cell, ...], ...]
    caption: str
    location: Location

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.rows[0]) if self.rows else 0

"""Counts and the shares printed beside them: "45 (12.3%)" down a column, or a column of counts and one of per cent.

The whole that shares are of is the one that most of them fit: stated in the heading, in a row of totals, or the sum.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil

from assay.article.numbers.clash import Clash, ClashKind
from assay.article.numbers.figures import Printed, printed
from assay.article.tables.cells import Cell, Grid, Kind
from assay.patterns import regex
from assay.records import dataclass

_BOTH = regex(r"(?P<count>\d{1,3}(?:,\d{3})+|\d{1,7})\s*[(\[]\s*(?P<share>\d{1,3}(?:\.\d{1,3})?)\s?%?\s*[)\]]")
_WHOLE = regex(r"\bn\s*=\s*(\d{1,3}(?:,\d{3})+|\d{1,7})\b", re.IGNORECASE)
_SHARE_HEAD = regex(
    r"^\s*(?:%|percent\w*|share|proportion|ratio|rel(?:ative)?\.? freq\w*|fraction)|\(%\)|%\s*$", re.IGNORECASE
)
_COUNT_HEAD = regex(
    r"^\s*(?:#|n|no\.?|count|counts|number|images|samples|instances|cases|patients|freq\w*|total|size)\b", re.IGNORECASE
)
_TOTAL = regex(r"(?:grand )?(?:total|sum|all|overall)\b", re.IGNORECASE)
_FEWEST = 3
_KEPT = Fraction(3, 4)


@dataclass(frozen=True, slots=True)
class _Pair:
    """A count and its share, with the label of the row."""

    label: str
    count: int
    share: Printed
    text: str


def column_clashes(grid: Grid) -> Iterator[Clash]:
    """Shares that do not follow from their counts, though most shares of the same column do."""
    for pairs, stated in _columns(grid):
        parts = [pair for pair in pairs if not _TOTAL.match(pair.label)]
        wholes = {*stated, *(pair.count for pair in pairs if _TOTAL.match(pair.label)), sum(p.count for p in parts)}
        best = max(wholes, key=lambda whole: (_kept(parts, whole), -whole), default=0)
        kept = _kept(parts, best)
        if not best or kept < _FEWEST or kept < _KEPT * len(parts) or _have_one_whole(parts):
            continue
        yield from (_clash(grid, pair, best, kept) for pair in parts if _is_off(pair, best))


def _have_one_whole(parts: Sequence[_Pair]) -> bool:
    """Whether some whole fits all shares: the table may leave out rows, so that their sum is not the whole."""
    ranges = [_wholes_of(part) for part in parts if part.share.value > part.share.unit]
    return bool(ranges) and ceil(max(least for least, _ in ranges)) <= min(most for _, most in ranges)


def _wholes_of(pair: _Pair) -> tuple[Fraction, Fraction]:
    """The least and the greatest whole that the share fits, give or take one unit of its last digit."""
    low, high = pair.share.value - pair.share.unit, pair.share.value + pair.share.unit
    return Fraction(100 * pair.count) / high, Fraction(100 * pair.count) / low


def _is_off(pair: _Pair, whole: int) -> bool:
    return abs(Fraction(100 * pair.count, whole) - pair.share.value) > 2 * pair.share.unit


def _clash(grid: Grid, pair: _Pair, whole: int, kept: int) -> Clash:
    return Clash(
        ClashKind.COLUMN,
        f"{pair.label} | {pair.text}",
        grid.location,
        f"{pair.text} ({pair.label})",
        f"{pair.count} of {whole} = {float(Fraction(100 * pair.count, whole)):.4g} %",
        grid.location,
        f"{kept} other shares of the column are of {whole}",
    )


def _kept(pairs: Sequence[_Pair], whole: int) -> int:
    if not whole:
        return 0
    return sum(abs(Fraction(100 * p.count, whole) - p.share.value) <= p.share.unit for p in pairs)


def _columns(grid: Grid) -> Iterator[tuple[list[_Pair], set[int]]]:
    heads = grid.rows[0] if grid.rows else ()
    for at in range(grid.width):
        pairs = [pair for row in grid.rows if (pair := _in_one_cell(row, at)) is not None]
        if len(pairs) >= _FEWEST:
            yield pairs, {int(m[1].replace(",", "")) for m in _WHOLE.finditer(heads[at].text)}
        if at + 1 < grid.width and _COUNT_HEAD.search(heads[at].text) and _SHARE_HEAD.search(heads[at + 1].text):
            yield [pair for row in grid.rows if (pair := _in_two_cells(row, at)) is not None], set()


def _in_one_cell(row: Sequence[Cell], at: int) -> _Pair | None:
    match = _BOTH.fullmatch(row[at].text.strip())
    if match is None:
        return None
    return _Pair(_label(row), int(match["count"].replace(",", "")), printed(match["share"]), row[at].text)


def _in_two_cells(row: Sequence[Cell], at: int) -> _Pair | None:
    count, share = row[at], row[at + 1]
    if share.kind is not Kind.NUMBER or share.spread or not count.value.isdigit():
        return None
    return _Pair(_label(row), int(count.value), printed(share.value), f"{count.text} | {share.text}")


def _label(row: Sequence[Cell]) -> str:
    return next((cell.text for cell in row if cell.kind is Kind.TEXT and cell.text.strip()), "")

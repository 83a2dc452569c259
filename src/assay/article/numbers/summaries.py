"""Rows and columns that summarise others: means, totals, and the best in bold.

A summary is checked only when the table itself shows what it summarises: where most of its figures are the mean (or
the sum) of the figures it stands for, one that is not stands out. A mean with other weights fails everywhere and is
left alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from assay.article.numbers.clash import Clash, ClashKind
from assay.article.numbers.figures import Printed, agrees, mean, printed_cell, total
from assay.article.tables.cells import Cell, Grid, Kind
from assay.patterns import regex
from assay.records import dataclass

_MEAN = regex(r"(?:macro[- ]?)?(?:avg|average|mean|averaged)\b\.?(?:\s*\(?(?:all|overall|macro)\)?)?", re.IGNORECASE)
_TOTAL = regex(r"(?:grand )?(?:total|sum|overall total|in total)\b:?", re.IGNORECASE)
_OTHER_FIGURE = regex(
    r"\b(?:variance|var\.?|std\.?|sd|deviation|median|min(?:imum)?|max(?:imum)?|range|rank|p-?values?|ratio|age|support)\b"
    r"|[±%σ]",
    re.IGNORECASE,
)
"""Lines whose figures are neither added up nor averaged along with the others."""
_FEWEST = 3
"""Figures that must keep a relation before another is said to break it."""
_KEPT = Fraction(3, 4)
_CLEAR = 2
"""A mean is broken when it is off by more than so many units of its last digit beyond rounding."""
_BEST_IN_BOLD = regex(
    r"\b(?:best|highest|top|leading)\b[^.;]{0,60}\bbold|\bbold(?:face|faced|ed)?\b[^.;]{0,60}\b(?:best|highest|top)\b",
    re.IGNORECASE,
)
_SECOND = regex(
    r"second|per (?:group|block|category|dataset)|within|each (?:group|block|section)|significan", re.IGNORECASE
)

Summary = tuple[str, re.Pattern[str], Callable[[Sequence[Printed]], Printed]]
_SUMMARIES: tuple[Summary, ...] = (("mean", _MEAN, mean), ("sum", _TOTAL, total))


def summary_clashes(grid: Grid) -> Iterator[Clash]:
    """Figures in rows and columns of means and totals that do not follow, though most of the others do."""
    for name, pattern, follows in _SUMMARIES:
        yield from _of_rows(grid, name, pattern, follows)
        yield from _of_columns(grid, name, pattern, follows)


def _of_rows(
    grid: Grid, name: str, pattern: re.Pattern[str], follows: Callable[[Sequence[Printed]], Printed]
) -> Iterator[Clash]:
    for at, row in enumerate(grid.rows):
        if not _labelled(row, pattern):
            continue
        above = _members_above(grid, at)
        places = [(column, [r[column] for r in above], row[column]) for column in range(grid.width)]
        label = next(cell.text for cell in row if cell.kind is Kind.TEXT)
        yield from _broken(grid, name, label, [(_heading(grid, c), cells, cell) for c, cells, cell in places], follows)


def _of_columns(
    grid: Grid, name: str, pattern: re.Pattern[str], follows: Callable[[Sequence[Printed]], Printed]
) -> Iterator[Clash]:
    for column in range(1, grid.width):
        if not any(pattern.fullmatch(row[column].text.strip()) for row in grid.rows[:2]):
            continue
        first = column
        while (
            first > 1 and _is_numeric(grid, first - 1) and not pattern.fullmatch(grid.rows[0][first - 1].text.strip())
        ):
            first -= 1
        places = [(row[0].text, list(row[first:column]), row[column]) for row in grid.rows]
        yield from _broken(grid, name, grid.rows[0][column].text, places, follows)


def _broken(
    grid: Grid,
    name: str,
    label: str,
    places: Sequence[tuple[str, Sequence[Cell], Cell]],
    follows: Callable[[Sequence[Printed]], Printed],
) -> Iterator[Clash]:
    """The figures that break what enough of the others keep."""
    summed = [one for where, cells, cell in places if (one := _summed(where, cells, cell, follows)) is not None]
    off = [one for one in summed if not agrees(one.shown, one.expected)]
    kept = len(summed) - len(off)
    if kept < _FEWEST or kept < _KEPT * len(summed):
        return
    for one in off:
        slack = _CLEAR * one.shown.unit + one.expected.unit if one.expected.unit else Fraction(0)
        if abs(one.shown.value - one.expected.value) > slack:
            yield Clash(
                ClashKind.SUMMARY,
                f"{label} | {one.where} | {one.text}",
                grid.location,
                f"{one.text} as the {name} in {one.where or 'this place'}",
                f"{float(one.expected.value):.5g}",
                grid.location,
                f"{kept} other figures of the same line are the {name} of theirs",
            )


@dataclass(frozen=True, slots=True)
class _Summed:
    """A printed mean or total, and what follows from the figures that it stands for."""

    where: str
    text: str
    shown: Printed
    expected: Printed


def _summed(
    where: str, cells: Sequence[Cell], cell: Cell, follows: Callable[[Sequence[Printed]], Printed]
) -> _Summed | None:
    """The comparison of one figure; None where a part is missing, all parts are alike, or it is of another kind."""
    parts, shown = [printed_cell(c) for c in cells], printed_cell(cell)
    values = [part for part in parts if part is not None]
    telling = len(values) == len(parts) and len({v.value for v in values}) > 1
    if shown is None or not telling or _OTHER_FIGURE.search(where):
        return None
    return _Summed(where, cell.text, shown, follows(values))


def _labelled(row: Sequence[Cell], pattern: re.Pattern[str]) -> bool:
    texts = [cell.text.strip() for cell in row if cell.kind is Kind.TEXT]
    return bool(texts) and pattern.fullmatch(texts[0]) is not None and len(set(texts)) <= 2


def _members_above(grid: Grid, at: int) -> list[tuple[Cell, ...]]:
    """The rows of figures right above, up to a heading or another summary."""
    members: list[tuple[Cell, ...]] = []
    for row in reversed(grid.rows[:at]):
        numeric = any(printed_cell(cell) is not None for cell in row)
        if not numeric or any(_labelled(row, pattern) for _, pattern, _ in _SUMMARIES):
            break
        members.append(row)
    return members[::-1]


def _is_numeric(grid: Grid, column: int) -> bool:
    cells = [row[column] for row in grid.rows[1:]]
    return sum(printed_cell(cell) is not None for cell in cells) >= max(1, len(cells) // 2)


def _heading(grid: Grid, column: int) -> str:
    texts = [row[column].text for row in grid.rows[:3] if row[column].kind is Kind.TEXT]
    return " ".join(dict.fromkeys(texts))


def bold_clashes(grid: Grid) -> Iterator[Clash]:
    """Columns whose one bold figure is not the best, though the caption says that bold is best."""
    if not _BEST_IN_BOLD.search(grid.caption) or _SECOND.search(grid.caption):
        return
    for column in range(grid.width):
        beaten = _beaten(grid, column)
        if beaten is not None:
            marked, winner = beaten
            yield Clash(
                ClashKind.BOLD,
                grid.caption,
                grid.location,
                f"{marked[column].text} in bold ({_label(marked)}, {_heading(grid, column)})",
                f"{winner[column].text} ({_label(winner)})",
                grid.location,
                " | ".join(cell.text for cell in winner),
            )


def _beaten(grid: Grid, column: int) -> tuple[Sequence[Cell], Sequence[Cell]] | None:
    """The row of the one bold figure of a column, and the one that beats it."""
    figures = [(row, p) for row in grid.rows if (p := printed_cell(row[column])) is not None]
    bold = [(row, p) for row, p in figures if row[column].bold]
    if len(bold) != 1 or len(figures) < _FEWEST or not _one_side_nearer(bold[0][1], figures):
        return None
    return bold[0][0], max(figures, key=lambda figure: figure[1].value)[0]


def _one_side_nearer(value: Printed, figures: Sequence[tuple[Sequence[Cell], Printed]]) -> bool:
    """Whether just one figure beats the bold one: more of them mean that bold marks something else as well."""
    above = sum(p.value > value.value for _, p in figures)
    below = sum(p.value < value.value for _, p in figures)
    return above == 1 and below >= 2


def _label(row: Sequence[Cell]) -> str:
    return next((cell.text for cell in row if cell.kind is Kind.TEXT), "")

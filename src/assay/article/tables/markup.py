"""HTML tables (and Markdown's and JATS's, which come as HTML) → grids, with cells that span rows and columns."""

from __future__ import annotations

from lxml import etree
from lxml.etree import _Element as Element

from assay.article.reading.paper import RawTable
from assay.article.tables.cells import Cell, Grid, cell_of

_MOST_ROWS, _MOST_COLUMNS = 2_000, 200


def grid(table: RawTable) -> Grid | None:
    """The grid of a table's source; None when it has no cells."""
    parser = etree.HTMLParser(no_network=True, huge_tree=False, encoding="utf-8")
    root = etree.fromstring(f"<html><body>{table.text}</body></html>".encode(), parser)
    rows: list[list[Cell]] = []
    carried: dict[int, tuple[int, Cell]] = {}
    for tr in root.iter("tr"):
        if len(rows) >= _MOST_ROWS:
            break
        row: list[Cell] = []
        cells = [c for c in tr if c.tag in {"td", "th"}]
        while cells or len(row) in carried:
            if len(row) in carried:
                row.append(carried[len(row)][1])
            else:
                _append(row, cells.pop(0), carried)
            if len(row) >= _MOST_COLUMNS:
                break
        carried = {at: (left - 1, cell) for at, (left, cell) in carried.items() if left > 1}
        if row:
            rows.append(row)
    if not rows:
        return None
    width = max(map(len, rows))
    padded = tuple((*row, *[cell_of("")] * (width - len(row))) for row in rows)
    return Grid(padded, table.caption, table.location)


def _append(row: list[Cell], node: Element, carried: dict[int, tuple[int, Cell]]) -> None:
    bold = any(inner.tag in {"b", "strong"} for inner in node.iter())
    cell = cell_of("".join(map(str, node.itertext())), bold=bold)
    for _ in range(_count(node.get("colspan"), _MOST_COLUMNS - len(row))):
        tall = _count(node.get("rowspan"), _MOST_ROWS)
        if tall > 1:
            carried[len(row)] = (tall, cell)
        row.append(cell)


def _count(told: str | None, most: int) -> int:
    return max(1, min(int(told), most)) if told and told.strip().isdigit() else 1

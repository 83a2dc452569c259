"""HTML and JATS tables → grids of plain cells, with cells that span rows and columns, and their captions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.lenient_html import LenientParser
from assay.reported.model import Cell, Grid

_MOST_ROWS, _MOST_COLUMNS = 2_000, 200
_CAPTIONS = frozenset({"caption", "figcaption"})


class _Tables(LenientParser):
    """Collects the tables of a page; a caption counts when it stands in the table, or in the figure around it."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.lines = [0]
        for line in text.splitlines(keepends=True):
            self.lines.append(self.lines[-1] + len(line))
        self.tables: list[tuple[int, int, Grid]] = []
        self.caption = ""
        self.in_caption = 0
        self.label = 0
        self.waiting: list[tuple[int, int, list[list[Cell]]]] = []
        self.rows: list[list[Cell]] | None = None
        self.carried: dict[int, tuple[int, Cell]] = {}
        self.begin = 0
        self.words: list[str] | None = None
        self.cell: tuple[int, int, int, bool] = (1, 1, 0, False)
        self.bold = False
        self.figure = 0

    @property
    def place(self) -> int:
        line, column = self.getpos()
        return self.lines[min(line, len(self.lines)) - 1] + column

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag in {"figure", "table-wrap"}:
            self.figure += 1
        elif tag in _CAPTIONS:
            self.in_caption += 1
            self.caption = ""
        elif tag == "table":
            self.rows, self.carried, self.begin = [], {}, self.place
        elif tag == "tr" and self.rows is not None:
            self._close_cell()
            self._new_row()
        elif tag in {"td", "th"} and self.rows is not None:
            self._close_cell()
            if not self.rows:
                self._new_row()
            start = self.place + len(self.get_starttag_text() or "")
            self.cell = (_count(given.get("colspan")), _count(given.get("rowspan")), start, tag == "th")
            self.words, self.bold = [], False
        elif tag in {"b", "strong", "bold"}:
            self.bold = True
        elif tag in {"br", "p", "break"} and self.words is not None:
            self.words.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag in {"td", "th"}:
            self._close_cell()
        elif tag in _CAPTIONS:
            self.in_caption = max(0, self.in_caption - 1)
        elif tag == "table" and self.rows is not None:
            self._close_cell()
            self.waiting.append((self.begin, self.place + len("</table>"), self.rows))
            self.rows = None
            if not self.figure:
                self._flush()
        elif tag in {"figure", "table-wrap"}:
            self.figure = max(0, self.figure - 1)
            if not self.figure:
                self._flush()

    def handle_data(self, data: str) -> None:
        if self.in_caption:
            self.caption += data
        elif self.words is not None:
            self.words.append(data)

    def _new_row(self) -> None:
        if self.rows is None:
            return
        if self.rows:
            self._fill_carried()
        self.carried = {at: (left - 1, cell) for at, (left, cell) in self.carried.items() if left > 1}
        self.rows.append([])

    def _fill_carried(self) -> None:
        row = self.rows[-1] if self.rows else []
        while len(row) in self.carried:
            row.append(self.carried[len(row)][1])

    def _close_cell(self) -> None:
        if self.words is None or not self.rows:
            return
        row = self.rows[-1]
        wide, tall, start, heading = self.cell
        text = " ".join("".join(self.words).split())
        self.words = None
        self._fill_carried()
        for number in range(min(wide, _MOST_COLUMNS - len(row))):
            cell = Cell(text, self.bold, heading, start, number > 0, self.place)
            if tall > 1:
                self.carried[len(row)] = (tall, Cell(text, self.bold, heading, start, True, self.place))
            row.append(cell)
        if tall > 1 and len(self.rows) > _MOST_ROWS:
            self.carried = {}

    def _flush(self) -> None:
        for begin, end, rows in self.waiting:
            filled = [row for row in rows[:_MOST_ROWS] if row]
            width = max(map(len, filled), default=0)
            grid = tuple((*row, *[Cell("")] * (width - len(row))) for row in filled)
            if grid:
                self.tables.append((begin, end, Grid(grid, " ".join(self.caption.split()))))
        self.waiting, self.caption = [], ""


def _count(told: str | None) -> int:
    return max(1, min(int(told), _MOST_COLUMNS)) if told and told.strip().isdigit() else 1


def find_tables(text: str) -> Iterator[tuple[int, int, Grid]]:
    """Every table of a text in HTML or JATS: where it begins and ends, and its cells with their places in the text."""
    parser = _Tables(text)
    parser.feed(text)
    parser.close()
    if parser.rows is not None:
        parser.handle_endtag("table")
    parser._flush()
    yield from parser.tables


def plain(text: str) -> str:
    """The words of a piece of HTML."""
    return " ".join(re.sub(r"<[^<>]{0,300}>", " ", text).split())

"""Score tables on the pages of a PDF, found by where words stand: under a line that names scores, in their columns.

Only what the text layer holds is used, so no digit can be misread; what may go wrong is the place of a cell, and
a cell that stands under no heading, or under two, is dropped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from assay.article.reading.paper import Page, Paper, Word
from assay.article.tables.cells import Cell, Grid, Kind, cell_of
from assay.findings import Location
from assay.records import dataclass
from assay.reported import read_name

_CAPTION_REACH = 12
"""Lines above or below a table that are looked at for its caption."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Words that stand close together on one line: a cell, or a part of running text."""

    text: str
    left: float
    right: float

    def overlap(self, left: float, right: float) -> float:
        """How much of the two stretches is common."""
        return min(self.right, right) - max(self.left, left)

    @property
    def centre(self) -> float:
        """The middle."""
        return (self.left + self.right) / 2


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the page, cut at its wide gaps."""

    pieces: tuple[Piece, ...]
    bottom: float
    height: float
    number: int


def grids(paper: Paper) -> Iterator[Grid]:
    """The score tables on all pages."""
    for page in paper.pages:
        for view in _views(page):
            rows = lines_of(view)
            for at, row in enumerate(rows):
                head = _scores_in(row)
                if len(head) >= 2 and (body := list(_below(rows, at, head))):
                    yield _grid(paper.path, page, rows, at, body)


def _views(page: Page) -> list[Page]:
    """The page; or, when nothing but tables crosses its middle, its two columns and what is as wide as both."""
    middle = page.width / 2
    crossing = [w for w in page.words if w.left < middle - 2 and w.right > middle + 2]
    near = [w for w in page.words if abs(w.left - middle) < 12 or abs(w.right - middle) < 12]
    if len(page.words) < 100 or len(crossing) + len(near) > len(page.words) / 20:
        return [page]
    wide = {_level(w) for w in crossing}
    sides = [
        [w for w in page.words if (w.right <= middle) is left and _level(w) not in wide and w not in crossing]
        for left in (True, False)
    ]
    both = [w for w in page.words if _level(w) in wide]
    return [replace(page, words=tuple(words)) for words in (*sides, both) if words]


def _level(word: Word) -> int:
    return round((word.bottom + word.top) / 2 / 4)


def lines_of(page: Page) -> list[Row]:
    """Words at one height, from left to right, from the top of the page to its foot."""
    lines: list[list[Word]] = []
    for word in sorted(page.words, key=lambda w: (-(w.bottom + w.top), w.left)):
        middle = (word.bottom + word.top) / 2
        if lines and _middle(lines[-1]) - middle < 0.45 * max(word.top - word.bottom, 5):
            lines[-1].append(word)
        else:
            lines.append([word])
    return [_row(sorted(line, key=lambda w: w.left), number) for number, line in enumerate(lines, 1)]


def _middle(line: Sequence[Word]) -> float:
    return median((w.bottom + w.top) / 2 for w in line)


def _row(words: Sequence[Word], number: int) -> Row:
    height = median(w.top - w.bottom for w in words)
    pieces: list[list[Word]] = []
    for word in words:
        if pieces and word.left - pieces[-1][-1].right < 0.75 * max(height, 5):
            pieces[-1].append(word)
        else:
            pieces.append([word])
    made = tuple(Piece(" ".join(w.text for w in piece), piece[0].left, piece[-1].right) for piece in pieces)
    return Row(made, min(w.bottom for w in words), height, number)


def _scores_in(row: Row) -> list[Piece]:
    return [piece for piece in row.pieces if read_name(piece.text)]


def _below(rows: Sequence[Row], at: int, head: Sequence[Piece]) -> Iterator[Row]:
    """The rows under a heading, until running text, a caption, another heading, or a wide gap."""
    before = rows[at]
    for row in rows[at + 1 :]:
        if before.bottom - row.bottom > 4.5 * max(before.height, 6) or len(_scores_in(row)) >= 2:
            return
        figures = [p for p in row.pieces if cell_of(p.text).kind is not Kind.TEXT and _column(p, head) is not None]
        if figures:
            yield row
        elif len(row.pieces) == 1 and row.pieces[0].right - row.pieces[0].left > 0.6 * (head[-1].right - head[0].left):
            return
        before = row


def _column(piece: Piece, head: Sequence[Piece]) -> int | None:
    """The heading that a cell stands under: the one it overlaps most, or the nearest if it is clearly the nearest."""
    overlaps = [piece.overlap(h.left, h.right) for h in head]
    best = max(range(len(head)), key=overlaps.__getitem__)
    if overlaps[best] > 0:
        return best
    distances = sorted((abs(piece.centre - h.centre), i) for i, h in enumerate(head))
    gaps = [b.centre - a.centre for a, b in pairwise(head)] or [60.0]
    return distances[0][1] if distances[0][0] < 0.4 * min(gaps) else None


def _grid(path: str, page: Page, rows: Sequence[Row], at: int, body: Sequence[Row]) -> Grid:
    """A grid of a label and one column for each piece of the heading line that stands over figures."""
    head = [p for p in rows[at].pieces if read_name(p.text) or _stands_over(p, body)]
    edge = head[0].left
    made = [_cells("", head, [(p.text, i) for i, p in enumerate(head)])]
    above = rows[at - 1] if at else None
    if above is not None and above.bottom - rows[at].bottom < 3 * rows[at].height and _is_group(above, head):
        groups = [min(above.pieces, key=lambda g, h=h: _distance(g, h)).text for h in head]  # type: ignore[misc]
        made.insert(0, _cells("", head, [(text, i) for i, text in enumerate(groups)]))
    label = ""
    for row in body:
        told = " ".join(p.text for p in row.pieces if p.right <= edge + 2)
        label = told or label
        places = [(p.text, c) for p in row.pieces if p.right > edge + 2 and (c := _column(p, head)) is not None]
        made.append(_cells(label, head, places))
    caption = _caption(rows, at, rows.index(body[-1]))
    return Grid(tuple(made), caption, Location(path, rows[at].number, page=page.number))


def _cells(label: str, head: Sequence[Piece], places: Sequence[tuple[str, int]]) -> tuple[Cell, ...]:
    """A row; where two pieces stand under one heading neither is believed."""
    told: dict[int, list[str]] = {}
    for text, column in places:
        told.setdefault(column, []).append(text)
    cells = (cell_of(told[i][0]) if len(told.get(i, ())) == 1 else cell_of("") for i in range(len(head)))
    return (cell_of(label), *cells)


def _stands_over(piece: Piece, body: Sequence[Row]) -> bool:
    under = [p for row in body for p in row.pieces if p.overlap(piece.left, piece.right) > 0]
    return bool(under) and all(cell_of(p.text).kind is not Kind.TEXT for p in under)


def _is_group(above: Row, head: Sequence[Piece]) -> bool:
    """Whether the line above a heading groups its columns: fewer pieces, all within the columns' width."""
    left, right = head[0].left - 10, head[-1].right + 10
    return 2 <= len(above.pieces) < len(head) and all(left <= p.left and p.right <= right for p in above.pieces)


def _distance(group: Piece, heading: Piece) -> float:
    return 0.0 if group.overlap(heading.left, heading.right) > 0 else abs(group.centre - heading.centre)


def _caption(rows: Sequence[Row], first: int, last: int) -> str:
    """The nearest "Table 3: …" above or below, with the lines that go on from it."""
    nearby = [
        *range(first - 1, max(first - _CAPTION_REACH, -1), -1),
        *range(last + 1, min(last + _CAPTION_REACH, len(rows))),
    ]
    for at in nearby:
        text = " ".join(p.text for p in rows[at].pieces)
        if text.lower().startswith(("table ", "tab. ")):
            stop = first if at < first else min(at + 4, len(rows))
            return " ".join(p.text for row in rows[at:stop] for p in row.pieces)[:1_000]
    return ""

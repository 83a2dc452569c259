"""Tables on the pages of a PDF → grids, by where words stand.

Only what the text layer holds is used, so no digit can be misread; what may go wrong is the place of a cell. Columns
are the stretches that words of the rows of figures cover. Headings are put over the columns that they stand above, or
over those that a rule below them spans.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from statistics import median

from assay.article.reading.paper import Page, Paper, Word
from assay.article.tables.cells import Cell, Grid, cell_of
from assay.article.tables.pdf_regions import Line, Region, Rule, lines_of, regions_of
from assay.findings import Location
from assay.patterns import regex
from assay.reported import read_name

_FIGURE = regex(r"[-−–+±*†‡(\[]?\d[\d.,]*[%)\]*†‡]?(?:±[\d.,]+%?)?|\.\d+|[-−–—]{1,3}|±")
_FEWEST_FIGURES = 4
"""A table with fewer figures holds no results."""
_GAP = 0.62
"""Columns stand at least this far apart, in heights of a digit; words of one cell stand closer."""

Interval = tuple[float, float]


def grids(paper: Paper) -> Iterator[Grid]:
    """The tables on all pages."""
    for page in paper.pages:
        whole = lines_of(page.words)
        for region in regions_of(page):
            grid = _grid(paper.path, page, whole, region)
            if grid is not None:
                yield grid


def _grid(path: str, page: Page, whole: Sequence[Line], region: Region) -> Grid | None:
    counts = [0 if _names_scores(line) else _figures(line) for line in region.lines]
    fewest = 2 if max(counts, default=0) >= 2 else 1
    figures = [line for line, count in zip(region.lines, counts, strict=True) if count >= fewest]
    if sum(map(_figures, figures)) < _FEWEST_FIGURES:
        return None
    first = region.lines.index(figures[0])
    centred = _centred(region.lines[first:])
    columns = _columns([*figures, *centred])
    if len(columns) < 2:
        return None
    rows = [*_headings(region, first, columns), *_body(region.lines[first:], centred, columns)]
    top = region.lines[0].middle
    number = min(range(len(whole)), key=lambda at: abs(whole[at].middle - top)) + 1
    return Grid(tuple(rows), region.caption, Location(path, number, page=page.number))


def _figures(line: Line) -> int:
    return sum(_FIGURE.fullmatch(w.text) is not None and any(s.isdigit() for s in w.text) for w in line.words)


def _names_scores(line: Line) -> bool:
    """Whether a line is a heading, though it holds numbers: "Sens. @ 97 % Spec."."""
    return sum(read_name(" ".join(w.text for w in piece)) is not None for piece in line.pieces(0.9 * line.size)) >= 2


def _columns(lines: Sequence[Line]) -> list[Interval]:
    """The stretches that words of these lines cover, apart by more than the space between two words."""
    words = sorted((w for line in lines for w in line.words), key=lambda w: w.left)
    height = median(w.top - w.bottom for w in words if any(sign.isdigit() for sign in w.text))
    columns: list[Interval] = []
    for word in words:
        if columns and word.left - columns[-1][1] < _GAP * max(height, 4):
            columns[-1] = (columns[-1][0], max(columns[-1][1], word.right))
        else:
            columns.append((word.left, word.right))
    return _without_strays(columns, lines)


def _without_strays(columns: Sequence[Interval], lines: Sequence[Line]) -> list[Interval]:
    """The last word of one long label is no column: what few lines have, and no figure, belongs to the left."""
    kept: list[Interval] = []
    for left, right in columns:
        if kept and _is_stray(left, right, lines):
            kept[-1] = (kept[-1][0], right)
        else:
            kept.append((left, right))
    return kept


def _is_stray(left: float, right: float, lines: Sequence[Line]) -> bool:
    """Whether few lines have words here, and none of them is a figure."""
    own = [[w.text for w in line.words if left <= w.left and w.right <= right] for line in lines]
    few = sum(map(bool, own)) * 4 <= len(lines)
    return few and not any(map(_FIGURE.fullmatch, chain.from_iterable(own)))


def _place(left: float, right: float, columns: Sequence[Interval]) -> int:
    """The column that a word overlaps most, or the nearest one."""

    def distance(at: int) -> tuple[float, float]:
        start, end = columns[at]
        return max(left, start) - min(right, end), abs((left + right - start - end) / 2)

    return min(range(len(columns)), key=distance)


def _row(line: Line, columns: Sequence[Interval]) -> tuple[Cell, ...]:
    """A row of figures, word by word."""
    cells: list[list[str]] = [[] for _ in columns]
    for word in line.words:
        cells[_place(word.left, word.right, columns)].append(word.text)
    return tuple(cell_of(" ".join(cell)) for cell in cells)


def _body(lines: Sequence[Line], centred: Sequence[Line], columns: Sequence[Interval]) -> Iterator[tuple[Cell, ...]]:
    """Rows of figures and the titles between them; labels in the middle of their rows are given to each of them."""
    labels: dict[int, list[Line]] = {}
    for line in centred:
        labels.setdefault(_place(line.words[0].left, line.words[-1].right, columns), []).append(line)
    for line in (line for line in lines if line not in centred):
        row = list(_row(line, columns) if _figures(line) else _title(line, columns))
        for at, others in labels.items():
            row[at] = row[at] if row[at].text else cell_of(_nearest(line, others).text)
        yield tuple(row)


def _nearest(line: Line, others: Sequence[Line]) -> Line:
    return min(others, key=lambda other: abs(other.middle - line.middle))


def _centred(lines: Sequence[Line]) -> list[Line]:
    """Lone labels that stand half-way between two rows of figures: they are for the rows above and below them."""
    middles = [line.middle for line in lines if _figures(line)]
    pitch = median([a - b for a, b in pairwise(middles)] or [0.0])
    return [line for line in lines if not _figures(line) and _is_centred(line, middles, pitch)]


def _is_centred(line: Line, middles: Sequence[float], pitch: float) -> bool:
    above = min((middle - line.middle for middle in middles if middle > line.middle), default=None)
    below = min((line.middle - middle for middle in middles if middle < line.middle), default=None)
    if above is None or below is None or len(line.pieces(1.2 * line.size)) > 1:
        return False
    return max(above, below) < 0.8 * pitch


def _title(line: Line, columns: Sequence[Interval]) -> tuple[Cell, ...]:
    """A line of words between rows of figures: a title of the rows below, or labels that stand between two lines."""
    pieces = line.pieces(1.2 * line.size)
    if len(pieces) == 1:
        return (cell_of(line.text), *[cell_of("")] * (len(columns) - 1))
    return _row(line, columns)


def _headings(region: Region, first: int, columns: Sequence[Interval]) -> Iterator[tuple[Cell, ...]]:
    """The rows above the first row of figures; a rule below a heading says which columns it is for."""
    lines = region.lines[:first]
    width = region.right - region.left
    for at, line in enumerate(lines):
        floor = region.lines[at + 1].middle
        spans = [r for r in region.rules if floor < r.height < line.middle and r.width < width - 10]
        yield _heading(line, columns, spans, upper=at < len(lines) - 1)


def _heading(line: Line, columns: Sequence[Interval], spans: Sequence[Rule], *, upper: bool) -> tuple[Cell, ...]:
    cells: list[list[str]] = [[] for _ in columns]
    repeated: set[int] = set()
    for piece in line.pieces(0.9 * line.size):
        left, right = piece[0].left, piece[-1].right
        own = _covered(left, right, columns, spans, several=upper) or _words_apart(piece, columns, cells)
        for at in own:
            cells[at].append(" ".join(w.text for w in piece))
        repeated.update(own[1:])
    if upper and not spans:
        _fill(cells, columns, repeated)
    return tuple(cell_of(" ".join(cell), spanned=at in repeated) for at, cell in enumerate(cells))


def _covered(
    left: float, right: float, columns: Sequence[Interval], spans: Sequence[Rule], *, several: bool
) -> list[int]:
    """The columns that a piece of a heading is for; none when it stands over several and may not."""
    centre = (left + right) / 2
    rule = next((r for r in spans if r.left - 2 <= centre <= r.right + 2), None)
    if rule is not None:
        return [at for at, (a, b) in enumerate(columns) if rule.left - 3 <= (a + b) / 2 <= rule.right + 3]
    over = [at for at, (a, b) in enumerate(columns) if min(b, right) - max(a, left) > 0]
    if len(over) > 1:
        return over if several else []
    return over or [_place(left, right, columns)]


def _words_apart(piece: Sequence[Word], columns: Sequence[Interval], cells: list[list[str]]) -> list[int]:
    """Headings of narrow columns stand as close as words: each word goes over its own column."""
    for word in piece:
        cells[_place(word.left, word.right, columns)].append(word.text)
    return []


def _fill(cells: list[list[str]], columns: Sequence[Interval], repeated: set[int]) -> None:
    """An upper heading that groups columns holds for those beside it: each empty one takes the nearest."""
    filled = [at for at, cell in enumerate(cells) if cell]
    if len(filled) < 2:
        return
    for at in range(1, len(cells)):
        if not cells[at]:
            centre = sum(columns[at]) / 2
            nearest = min(filled, key=lambda other: abs(sum(columns[other]) / 2 - centre))
            cells[at] = list(cells[nearest])
            repeated.add(at)

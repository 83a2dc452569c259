"""Pasted text cut into tables and running text."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from assay.patterns import regex
from assay.records import dataclass
from assay.reported import html, latex
from assay.reported.columns import ColumnKind, average_of, columns_of
from assay.reported.matrices import matrix_of
from assay.reported.model import Cell, Grid
from assay.reported.names import Found, find_names, read_name
from assay.reported.numbers import Quantity, find_quantities, is_missing, read_cell


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the text: a table with its cells, or running text."""

    start: int
    end: int
    grid: Grid | None = None


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    start: int


def cut(text: str) -> list[Piece]:
    """The tables of a text, and the running text between them, in order."""
    tables = sorted(_marked_up(text), key=lambda piece: piece.start)
    out: list[Piece] = []
    at = 0
    for table in tables:
        if table.start < at:
            continue
        out += _plain_pieces(text, at, table.start)
        out.append(table)
        at = table.end
    out += _plain_pieces(text, at, len(text))
    return [piece for piece in out if text[piece.start : piece.end].strip()]


def _marked_up(text: str) -> Iterator[Piece]:
    if re.search(r"<t(?:able|r|d)\b", text, re.IGNORECASE):
        yield from (Piece(a, b, grid) for a, b, grid in html.find_tables(text))
    if "\\begin" in text:
        yield from (Piece(_float_start(text, a), _float_end(text, b), grid) for a, b, grid in latex.find_tables(text))


def _float_start(text: str, at: int) -> int:
    opened = text.rfind("\\begin{table", 0, at)
    return opened if opened >= 0 and "\\end{table" not in text[opened:at] else at


def _float_end(text: str, at: int) -> int:
    closed = re.search(r"\\end\{table\*?\}", text[at:])
    return at + closed.end() if closed and "\\begin{table" not in text[at : at + closed.start()] else at


def _plain_pieces(text: str, start: int, end: int) -> list[Piece]:
    lines, at = [], start
    for line in text[start:end].splitlines(keepends=True):
        lines.append(_Line(line.rstrip("\r\n"), at))
        at += len(line)
    out: list[Piece] = []
    number = prose = 0
    while number < len(lines):
        found = _table_at(lines, number)
        if found is None:
            number += 1
            continue
        count, grid = found
        out += _prose(lines, prose, number)
        last = lines[number + count - 1]
        out.append(Piece(lines[number].start, last.start + len(last.text), grid))
        number += count
        prose = number
    return out + _prose(lines, prose, len(lines))


def _prose(lines: Sequence[_Line], first: int, stop: int) -> list[Piece]:
    if first >= stop:
        return []
    last = lines[stop - 1]
    return [Piece(lines[first].start, last.start + len(last.text))]


_Cells = list[Cell]
_Splitter = Callable[[_Line], _Cells | None]


def _between(mark: str) -> _Splitter:
    def split(line: _Line) -> _Cells | None:
        if mark not in line.text:
            return None
        return _at_places(line, [(m.start(), m.end()) for m in re.finditer(re.escape(mark), line.text)])

    return split


def _at_places(line: _Line, gaps: Sequence[tuple[int, int]]) -> _Cells:
    cells, at = [], 0
    for start, end in (*gaps, (len(line.text), len(line.text))):
        raw = line.text[at:start]
        lead = len(raw) - len(raw.lstrip())
        words = raw.strip()
        cells.append(
            Cell(_bare(words), "**" in words, start=line.start + at + lead, end=line.start + at + lead + len(words))
        )
        at = end
    return cells


def _bare(words: str) -> str:
    """A cell without Markdown's stars, underscores, backticks and links."""
    words = re.sub(r"\*\*|__|`|~~", "", words).strip()
    words = re.sub(r"!?\[([^\[\]]{1,80})\]\([^()\s]{1,200}\)", r"\1", words)
    return words.strip("*").strip() if words.startswith("*") and words.endswith("*") else words


def _piped(line: _Line) -> _Cells | None:
    if "|" not in line.text:
        return None
    gaps = [(m.start(), m.end()) for m in re.finditer(r"(?<!\\)\|", line.text)]
    if not gaps:
        return None
    cells = _at_places(line, gaps)
    first = 1 if not line.text[: gaps[0][0]].strip() and line.text.lstrip().startswith("|") else 0
    last = len(cells) - 1 if line.text.rstrip().endswith("|") else len(cells)
    return cells[first:last]


def _ampersands(line: _Line) -> _Cells | None:
    if not re.search(r"(?<!\\)&", line.text):
        return None
    grid = latex.read_body(line.text, 0, len(line.text))
    if not grid.rows:
        return None
    return [
        Cell(
            cell.text,
            cell.bold,
            start=line.start + cell.start if cell.start >= 0 else -1,
            spanned=cell.spanned,
            end=line.start + cell.end if cell.end >= 0 else -1,
        )
        for cell in grid.rows[0]
    ]


_QUOTES = 8
"""Signs between two fields of a comma-separated line: the comma and quotation marks."""


def _commas(line: _Line) -> _Cells | None:
    if "," not in line.text or (line.text.endswith((".", ";")) and re.search(r",\s\w", line.text)):
        return None
    try:
        fields = next(csv.reader([line.text]))
    except (csv.Error, StopIteration):
        return None
    cells, at = [], 0
    for field in fields:
        place = line.text.find(field, at, at + len(field) + _QUOTES)
        place = at if place < 0 else place
        cells.append(Cell(_bare(field.strip()), start=line.start + place, end=line.start + place + len(field)))
        at = place + len(field)
    return cells


def _wide_gaps(line: _Line) -> _Cells | None:
    stripped = line.text.strip()
    if not re.search(r"\S\s{2,}\S", stripped):
        return None
    lead = len(line.text) - len(line.text.lstrip())
    inner = _Line(stripped, line.start + lead)
    return _at_places(inner, [(m.start(), m.end()) for m in re.finditer(r"\s{2,}", stripped)])


_SPLITTERS: tuple[_Splitter, ...] = (_between("\t"), _piped, _ampersands, _between(";"), _commas, _wide_gaps)
_RULED = regex(r"[\s|:+=\-–—_]+|\\(?:hline|toprule|midrule|bottomrule|centering).*")
_TITLE = regex(r"(?:table|tab\.|supplementary table)\s+\S{1,5}[.:]?\s", re.IGNORECASE)


def _table_at(lines: Sequence[_Line], number: int) -> tuple[int, Grid] | None:
    """A table that begins at this line: how many lines it takes, and its cells."""
    if not lines[number].text.strip():
        return None
    for splitter in _SPLITTERS:
        found = _regular(lines, number, splitter)
        if found is not None:
            return found
    for special in (_counted, _named_lines, _one_cell_a_line, _values_below_names):
        found = special(lines, number)
        if found is not None:
            return found
    return None


def _regular(lines: Sequence[_Line], number: int, splitter: _Splitter) -> tuple[int, Grid] | None:
    """Lines that one mark cuts into cells, with headings that name a score and figures below or beside them."""
    first = splitter(lines[number])
    if first is None or len(first) < 2:
        return None
    rows, count, skipped = [first], 1, 0
    for line in lines[number + 1 :]:
        between = _between_rows(line, splitter)
        cells = None if between else splitter(line)
        if cells is not None and len(cells) > 1:
            rows.append(cells)
            count, skipped = count + 1 + skipped, 0
        elif between and (line.text.strip() or not skipped):
            skipped += 1
        else:
            break
    return _accepted(rows, count, splitter)


def _between_rows(line: _Line, splitter: _Splitter) -> bool:
    """Whether a line rules a table off or is empty; where blanks are the mark, an empty line ends the table."""
    return _RULED.fullmatch(line.text) is not None or (not line.text.strip() and splitter is not _wide_gaps)


def _accepted(rows: list[_Cells], count: int, splitter: _Splitter) -> tuple[int, Grid] | None:
    width = max(map(len, rows))
    if len(rows) < 2:
        return None
    indented = splitter is _wide_gaps and len(rows[0]) == width - 1
    aligned = [[Cell(""), *rows[0]], *rows[1:]] if indented else rows
    grid = Grid(tuple((*row, *[Cell("")] * (width - len(row))) for row in aligned))
    return (count, grid) if _fits(rows, splitter) or matrix_of(grid) is not None else None


def _fits(rows: list[_Cells], splitter: _Splitter) -> bool:
    """Whether this is a table of scores: names in the heading row over figures, or names in the first column."""
    figures = [sum(read_cell(cell.text) is not None for cell in row) for row in rows]
    heading = any(read_name(cell.text) is not None for cell in rows[0])
    if splitter is _commas or splitter is _wide_gaps:
        over_figures = heading and figures[0] == 0 and sum(figures) > 0
        return _is_even(rows) and (over_figures or _names_beside(rows))
    named = heading or _second_names(rows, figures)
    return (named and sum(figures[1:]) > 0 and _is_plain(rows[0])) or _names_beside(rows)


def _is_plain(heading: _Cells) -> bool:
    """Whether a heading row mixes no figures with words."""
    figures = [read_cell(cell.text) is not None for cell in heading]
    return not any(figures) or all(is_missing(cell.text) or read_cell(cell.text) for cell in heading[1:])


def _is_even(rows: list[_Cells]) -> bool:
    """Whether lines that commas or blanks cut can be rows: about as long as each other, and no running text."""
    return len({len(row) for row in rows}) <= 2 and not any(_mixed(cell.text) for row in rows for cell in row)


def _second_names(rows: list[_Cells], figures: Sequence[int]) -> bool:
    """Whether the second row names scores, below a title or names of data sets."""
    return len(rows) > 2 and figures[1] == 0 and any(read_name(cell.text) for cell in rows[1])


def _names_beside(rows: list[_Cells]) -> bool:
    """Whether two or more rows begin with a score and go on with figures, all of one length."""
    named = [row for row in rows if read_name(row[0].text) is not None and any(read_cell(c.text) for c in row[1:])]
    return len(named) >= 2 and len({len(row) for row in named}) == 1


def _mixed(text: str) -> bool:
    """A cell that names a score and gives its value is running text."""
    if read_name(text) is not None or next(find_names(text), None) is None:
        return False
    return next(find_quantities(re.sub(r"\([^()]*\)", "", text)), None) is not None


def _counted(lines: Sequence[_Line], number: int) -> tuple[int, Grid] | None:
    """A heading line of names above lines that end in as many quantities, as PDFs paste: one space between cells."""
    heads = _heading_words(lines[number])
    if heads is None:
        return None
    names = [cell for cell in heads if _kind_of(cell.text) in _KNOWN]
    lead = heads[: heads.index(names[0])]
    rows: list[_Cells] = []
    count, last = 1, 1
    for line in lines[number + 1 :]:
        if not line.text.strip():
            count += 1
            continue
        cells = _tail_quantities(line, len(names))
        if cells is None:
            break
        rows.append(cells)
        count += 1
        last = count
    if not rows:
        return None
    label = Cell(" ".join(cell.text for cell in lead), start=lines[number].start)
    return last, Grid(((label, *names), *map(tuple, rows)))


def _named_lines(lines: Sequence[_Line], number: int) -> tuple[int, Grid] | None:
    """Lines of a score and two or more values each, as PDFs paste scores as rows; columns have no names."""
    rows: list[_Cells] = []
    for line in lines[number:]:
        cells = _named_values(line)
        if cells is None or ("," in line.text and not rows):
            break
        rows.append(cells)
    width = len(rows[0]) if rows else 0
    count = next((at for at, row in enumerate(rows) if len(row) != width), len(rows))
    if count < 2:
        return None
    heading = [Cell(""), *(Cell(f"column {at}") for at in range(1, width))]
    return count, Grid((tuple(heading), *map(tuple, rows[:count])))


def _named_values(line: _Line) -> _Cells | None:
    """A line that is a score and two or more values: its cells."""
    found = _leading_name(line.text)
    if found is None or line.text[: found.start].strip():
        return None
    tail = _Line(line.text[found.end :], line.start + found.end)
    quantities = list(find_quantities(tail.text))
    if len(quantities) < 2 or not _only_blanks(tail.text, quantities) or tail.text[: quantities[0].start].strip(" :"):
        return None
    return [_word_cell(line, found.start, found.end), *(_word_cell(tail, q.start, q.end) for q in quantities)]


def _leading_name(text: str) -> Found | None:
    """The first name of a line, with a second name of the same score behind a slash."""
    first, second = [*find_names(text), None, None][:2]
    if first is None or second is None:
        return first
    twin = second.name.score == first.name.score and text[first.end : second.start].strip() == "/"
    return Found(first.name, first.start, second.end) if twin else first


def _heading_words(line: _Line) -> _Cells | None:
    """The words of a line of which the last two or more are names of scores or sizes."""
    bare = re.sub(r"\([^()]*\)|\d{2}\s?%\s?CI", "", line.text)
    if next(find_quantities(bare), None) is not None or line.text.rstrip().endswith((".", ":", ",")):
        return None
    found = list(find_names(line.text, headings=True))
    if len(found) < 2:
        return None
    cells: _Cells = []
    at = 0
    for piece in found:
        cells += [*_single_words(line, at, piece.start), _word_cell(line, piece.start, piece.end)]
        at = piece.end
    cells += _single_words(line, at, len(line.text))
    kinds = [_kind_of(cell.text) for cell in cells]
    first = next((i for i, kind in enumerate(kinds) if kind is ColumnKind.SCORE), 0)
    return cells if first <= 3 and all(kind in _KNOWN for kind in kinds[first:]) else None


_KNOWN = frozenset({ColumnKind.SCORE, ColumnKind.SIZE})


@lru_cache(maxsize=1 << 12)
def _kind_of(heading: str) -> ColumnKind:
    return columns_of([[Cell(heading)]], 1)[0].kind


def _single_words(line: _Line, start: int, end: int) -> Iterator[Cell]:
    """The words between names, without what stands in brackets or says how spreads are given."""
    for word in re.finditer(r"\S+", line.text[start:end]):
        if not re.fullmatch(r"[(\[].*|.*[)\]]|±|SD", word[0]):
            yield _word_cell(line, start + word.start(), start + word.end())


def _word_cell(line: _Line, start: int, end: int) -> Cell:
    return Cell(line.text[start:end], start=line.start + start, end=line.start + end)


def _tail_quantities(line: _Line, wanted: int) -> _Cells | None:
    """A label and exactly as many quantities as there are names; or the rows of a report, which may have fewer."""
    found = list(find_quantities(line.text))
    extra = len(found) - wanted
    if extra > 0 and not _only_blanks(line.text, found[extra:]):
        return None
    quantities = found[max(0, extra) :]
    label = line.text[: quantities[0].start].strip() if quantities else ""
    if len(quantities) == wanted and _only_blanks(line.text, quantities):
        return [_word_cell_text(line, label), *(_word_cell(line, q.start, q.end) for q in quantities)]
    name = read_name(label)
    if name is not None and name.score == "acc" and len(quantities) == 2 and wanted >= 3:
        empty = [Cell("")] * (wanted - 2)
        return [_word_cell_text(line, label), *empty, *(_word_cell(line, q.start, q.end) for q in quantities)]
    return None


def _word_cell_text(line: _Line, label: str) -> Cell:
    place = line.text.find(label)
    return Cell(_bare(label), start=line.start + place, end=line.start + place + len(label))


def _only_blanks(text: str, quantities: Sequence[Quantity]) -> bool:
    gaps = [text[a.end : b.start] for a, b in pairwise(quantities)]
    return (
        all(not gap.strip(" \t*†‡") for gap in gaps) and not text[quantities[-1].end :].strip(" \t*†‡")
        if quantities
        else False
    )


def _one_cell_a_line(lines: Sequence[_Line], number: int) -> tuple[int, Grid] | None:
    """One cell on each line, as a PDF column pastes: a heading, names of scores, then groups of a label and figures."""
    texts = [line.text.strip() for line in lines[number : number + 400]]
    stop = texts.index("") if "" in texts else len(texts)
    texts = texts[:stop]
    head = _heading_lines(texts)
    if head is None:
        return None
    labelled, width = head
    at = width
    while at + width <= len(texts) and _is_group(texts[at : at + width], labelled=labelled):
        at += width
    if at == width:
        return None
    cells = [_line_cell(line) for line in lines[number : number + at]]
    return at, Grid(tuple(tuple(cells[first : first + width]) for first in range(0, at, width)))


def _values_below_names(lines: Sequence[_Line], number: int) -> tuple[int, Grid] | None:
    """The name of a score on one line and its value on the next, twice or more, as slides and dashboards copy."""
    at = number
    while at + 1 < len(lines) and read_name(lines[at].text) is not None and read_cell(lines[at + 1].text.strip()):
        at += 2
    if at - number < 2 * _FEWEST_PAIRS:
        return None
    names, values = ([Cell(""), *map(_line_cell, lines[first:at:2])] for first in (number, number + 1))
    return at - number, Grid((tuple(names), tuple(values)))


_FEWEST_PAIRS = 2


def _is_group(texts: Sequence[str], *, labelled: bool) -> bool:
    """Whether lines are one row: a label, where rows have one, and figures."""
    figures = [read_cell(text) is not None or is_missing(text) for text in texts]
    if not labelled:
        return all(figures)
    return all(figures[1:]) and (not figures[0] or average_of(texts[0]) is not None)


def _line_cell(line: _Line) -> Cell:
    text = line.text.strip()
    place = line.start + line.text.find(text)
    return Cell(_bare(text), start=place, end=place + len(text))


def _heading_lines(texts: Sequence[str]) -> tuple[bool, int] | None:
    """Whether the first of the heading lines is that of the labels, and how many there are."""
    named = [_kind_of(text) in _KNOWN for text in texts[:30]]
    lead = bool(texts) and not named[0]
    count = 1 if lead else 0
    while count < len(named) and named[count] and not _mixed(texts[count]):
        count += 1
    scores = count - (1 if lead else 0)
    return (lead, count) if scores >= 2 and all(len(text) < 60 for text in texts[:count]) else None

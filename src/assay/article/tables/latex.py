"""LaTeX tables → grids, exactly: spans, rules, fonts and signs are understood, nothing is guessed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.article.reading.paper import RawTable
from assay.article.reading.tex_plain import plain
from assay.article.tables.cells import Cell, Grid, cell_of
from assay.findings import Location
from assay.patterns import regex

_BEGIN = regex(r"\\begin\s*\{(tabular\*?|tabularx|tabulary|longtable\*?|tblr)\}")
_RULES = regex(
    r"\\(?:hline|toprule|midrule|bottomrule|endhead|endfirsthead|endfoot|endlastfoot|noalign\{[^{}]*\}|addlinespace"
    r"|(?:cline|cmidrule|hhline|specialrule|morecmidrules|rowcolor)(?:\([^)]*\))?(?:\[[^\]]*\])?(?:\{[^{}]*\})*)"
    r"(?:\[[^\]]*\])?"
)
_SPAN = regex(r"\\multicolumn\s*\{\s*(\d{1,3})\s*\}\s*\{(?:[^{}]|\{[^{}]*\})*\}\s*")
_TALL = regex(r"\\multirow\s*(?:\[[^\]]*\])?\s*\{\s*(-?\d{1,3})\s*\}\s*(?:\[[^\]]*\])?\s*\{[^{}]*\}\s*(?:\[[^\]]*\])?")
_BOLD = regex(r"\\textbf\b|\\bfseries\b|\\bf\b|\\mathbf\b|\\boldsymbol\b|\\bm\b")
_SMALL = regex(
    r"\\(?:textsubscript|textsuperscript|footnotemark|footnote|tnote)\s*(?:\[[^\]]*\])?\{[^{}]*\}|\^\{?[a-z*†‡]\}?"
)
_MOST_ROWS, _MOST_COLUMNS = 2_000, 200


def grids(table: RawTable) -> Iterator[Grid]:
    """Every tabular in a table's source."""
    for match in _BEGIN.finditer(table.text):
        end = table.text.find(f"\\end{{{match[1]}}}", match.end())
        body = table.text[match.end() : end if end >= 0 else len(table.text)]
        if _BEGIN.search(body):
            continue  # a table that holds tables is only a frame
        line = (table.location.line or 1) + table.text.count("\n", 0, match.start())
        rows = list(_rows(_without_columns(body, match[1])))
        if rows:
            width = max(map(len, rows))
            padded = tuple((*row, *[cell_of("")] * (width - len(row))) for row in rows)
            yield Grid(padded, table.caption, Location(table.location.path, line))


def _without_columns(body: str, name: str) -> str:
    """The body without the arguments that set the columns."""
    at = 0
    wanted = 2 if name in {"tabular*", "tabularx", "tabulary"} else 1
    while wanted and at < len(body):
        if body[at] in "[{":
            opening, closing = body[at], {"[": "]", "{": "}"}[body[at]]
            depth = 0
            for end in range(at, len(body)):
                depth += (body[end] == opening) - (body[end] == closing)
                if depth == 0:
                    break
            wanted -= opening == "{"
            at = end + 1
        elif body[at].isspace():
            at += 1
        else:
            break
    return body[at:]


def _rows(body: str) -> Iterator[list[Cell]]:
    """Rows of cells; what spans rows is carried down."""
    carried: dict[int, tuple[int, Cell]] = {}
    for count, raw in enumerate(_split(_RULES.sub("", body), r"\\")):
        if count >= _MOST_ROWS:
            return
        text = re.sub(r"^\s*\[[^\]]*\]", "", raw)
        if not text.strip():
            continue
        row: list[Cell] = []
        for piece in _split(text, "&"):
            span = _SPAN.search(piece)
            tall = _TALL.search(piece)
            cell = _cell(piece)
            for _ in range(min(int(span[1]) if span else 1, _MOST_COLUMNS - len(row))):
                at = len(row)
                if at in carried and not cell.text:
                    row.append(carried[at][1])
                else:
                    row.append(cell)
                    if tall and int(tall[1]) > 1:
                        carried[at] = (int(tall[1]), cell)
        yield row
        carried = {at: (left - 1, cell) for at, (left, cell) in carried.items() if left > 1}


def _cell(piece: str) -> Cell:
    inner = _TALL.sub("", _SPAN.sub("", piece))
    bold = _BOLD.search(inner) is not None
    return cell_of(plain(_SMALL.sub("", inner)), bold=bold)


def _split(text: str, separator: str) -> Iterator[str]:
    r"""The pieces between separators that stand in no braces; ``\&`` separates nothing."""
    depth = start = at = 0
    while at < len(text):
        if text[at] == "\\" and separator != "\\\\":
            at += 2
            continue
        if text.startswith(separator, at) and depth <= 0:
            yield text[start:at]
            at += len(separator)
            start = at
            continue
        if text[at] == "\\":
            at += 2
            continue
        depth += (text[at] == "{") - (text[at] == "}")
        at += 1
    yield text[start:]

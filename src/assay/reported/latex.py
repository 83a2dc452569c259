"""LaTeX tables → grids of plain cells."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.patterns import regex
from assay.reported.model import Cell, Grid

_BEGIN = regex(
    r"\\begin\s*\{(tabular\*?|tabularx|tabulary|tabularray|longtable\*?|tblr|longtblr|supertabular|xltabular|NiceTabular)\}"
)
_RULES = regex(
    r"\\(?:hline|toprule|midrule|bottomrule|endhead|endfirsthead|endfoot|endlastfoot|noalign\{[^{}]*\}|addlinespace|centering"
    r"|(?:cline|cmidrule|hhline|specialrule|morecmidrules|rowcolor|arrayrulecolor|cellcolor|rowcolors|thickhline|Xhline|hdashline)"
    r"(?:\([^)]*\))?(?:\[[^\]]*\])?(?:\{[^{}]*\})*)(?:\[[^\]]*\])?(?:\([^)]*\))?"
)
_SPAN = regex(r"\\multicolumn\s*\{\s*(\d{1,3})\s*\}\s*\{(?:[^{}]|\{[^{}]*\})*\}\s*")
_TALL = regex(
    r"\\multirow(?:cell)?\s*(?:\[[^\]]*\])?\s*\{\s*(-?\d{1,3})\s*\}\s*(?:\[[^\]]*\])?\s*\{[^{}]*\}\s*(?:\[[^\]]*\])?"
)
_BOLD = regex(r"\\textbf\b|\\bfseries\b|\\bf\b|\\mathbf\b|\\boldsymbol\b|\\bm\b|\\best\b")
_EDGE = regex(r"\\(?P<begin>begin)\s*\{tabular\}\s*(?:\[[a-z]\])?\s*\{(?:[^{}]|\{[^{}]*\})*\}|\\end\s*\{tabular\}")
_LINE_BREAK = regex(r"\\\\(?:\[[^\]]*\])?")
_PART = regex(r"\\begin\{(?P<part>subtable|subfigure|minipage)\}.*?\\end\{(?P=part)\}", re.DOTALL)
_MOST_ROWS, _MOST_COLUMNS = 2_000, 200
_CAPTION = regex(r"\\caption(?:of\{table\})?\*?\s*(?:\[[^\]]*\])?\s*\{")
_MACRO = regex(
    r"\\(?:newcommand|renewcommand|providecommand|def)\*?\s*\{?\\(?P<name>[A-Za-z]+)\}?\s*\{(?P<text>[^{}\\#]{0,80}|[^{}#]{0,80}\{[^{}#]{0,60}\}[^{}#]{0,20})\}"
)


def find_tables(text: str) -> Iterator[tuple[int, int, Grid]]:
    """Every tabular of a text: where it begins and ends, and its cells with their places in the text."""
    text = _without_stacks(text)
    macros = {match["name"]: match["text"] for match in _MACRO.finditer(text)}
    for match in _BEGIN.finditer(text):
        closing = f"\\end{{{match[1]}}}"
        end = text.find(closing, match.end())
        stop = end if end >= 0 else len(text)
        if _BEGIN.search(text, match.end(), stop):
            continue  # a table that holds tables is only a frame
        start = _after_columns(text, match.end(), stop, match[1])
        grid = read_body(text, start, stop, macros)
        if grid.rows:
            yield (
                match.start(),
                min(len(text), stop + len(closing)),
                Grid(grid.rows, _caption(text, match.start(), stop)),
            )


def _without_stacks(text: str) -> str:
    """A tabular of one column inside a cell only breaks its lines: it becomes its words, and places stay the same."""
    opened: list[re.Match[str]] = []
    for match in _EDGE.finditer(text):
        if match["begin"]:
            opened.append(match)
            continue
        first = opened.pop() if opened else None
        if first is not None and opened and "&" not in text[first.end() : match.start()].replace("\\&", ""):
            words = _LINE_BREAK.sub(_blank, text[first.end() : match.start()])
            text = text[: first.start()] + _blank(first) + words + _blank(match) + text[match.end() :]
    return text


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _caption(text: str, start: int, stop: int) -> str:
    """The caption of the table around a tabular; for a part of a table its own caption, then that of the whole."""
    opened = max(text.rfind("\\begin{table", 0, start), text.rfind("\\begin{longtable", 0, start + 1))
    if opened < 0:
        return ""
    closed = text.find("\\end{table", stop)
    end = closed if closed >= 0 else min(len(text), stop + 2_000)
    parts = [part.span() for part in _PART.finditer(text, opened, end)]
    found = next((_CAPTION.search(text, *part) for part in parts if part[0] < start < part[1]), None)
    whole = next(
        (c for c in _CAPTION.finditer(text, opened, end) if not any(a < c.start() < b for a, b in parts)), None
    )
    captions = [plain(text[one.end() : _closing(text, one.end() - 1)]) for one in (found, whole) if one]
    return ". ".join(caption.strip().rstrip(".") for caption in captions) if len(captions) > 1 else "".join(captions)


def _closing(text: str, opening: int) -> int:
    depth = 0
    for at in range(opening, min(len(text), opening + 5_000)):
        depth += (text[at] == "{") - (text[at] == "}")
        if depth == 0:
            return at
    return min(len(text), opening + 5_000)


def _after_columns(text: str, at: int, stop: int, name: str) -> int:
    """Where the body begins, behind the arguments that set the columns."""
    wanted = 2 if name in {"tabular*", "tabularx", "tabulary", "xltabular"} else 1
    while at < stop and wanted:
        if text[at] == "{":
            at = _closing(text, at) + 1
            wanted -= 1
        elif text[at] == "[":
            at = text.find("]", at) + 1 or stop
        elif text[at].isspace():
            at += 1
        else:
            break
    return at


def read_body(text: str, start: int, stop: int, macros: dict[str, str] | None = None) -> Grid:
    """The rows between two places of a text; what spans rows is carried down."""
    body = _blanked(text[start:stop])
    rows: list[list[Cell]] = []
    carried: dict[int, tuple[int, Cell]] = {}
    for first, last in _pieces(body, "\\\\"):
        if len(rows) >= _MOST_ROWS:
            break
        gap = re.match(r"\s*\[[^\]]*\]", body[first:last])
        begin = first + (gap.end() if gap else 0)
        if not body[begin:last].strip():
            continue
        row: list[Cell] = []
        for a, b in _pieces(body[begin:last], "&"):
            _append(row, body[begin + a : begin + b], start + begin + a, carried, macros or {})
        rows.append(row)
        carried = {at: (left - 1, cell) for at, (left, cell) in carried.items() if left > 1}
    width = max(map(len, rows), default=0)
    return Grid(tuple((*row, *[Cell("")] * (width - len(row))) for row in rows))


def _blanked(body: str) -> str:
    """Rules and comments become spaces, so that places stay the same."""
    body = re.sub(r"(?<!\\)%[^\n]*", lambda m: " " * len(m[0]), body)
    return _RULES.sub(lambda m: " " * len(m[0]), body)


def _append(
    row: list[Cell], piece: str, offset: int, carried: dict[int, tuple[int, Cell]], macros: dict[str, str]
) -> None:
    span, tall = _SPAN.search(piece), _TALL.search(piece)
    inner = _TALL.sub("", _SPAN.sub("", piece))
    lead = len(piece) - len(piece.lstrip())
    cell = Cell(
        plain(inner, macros), _BOLD.search(inner) is not None, start=offset + lead, end=offset + len(piece.rstrip())
    )
    for number in range(min(int(span[1]) if span else 1, _MOST_COLUMNS - len(row))):
        at = len(row)
        if at in carried and not cell.text:
            row.append(carried[at][1])
            continue
        row.append(cell if not number else Cell(cell.text, cell.bold, start=cell.start, end=cell.end, spanned=True))
        if tall and int(tall[1]) > 1:
            carried[at] = (int(tall[1]), Cell(cell.text, cell.bold, start=cell.start, end=cell.end, spanned=True))


def _pieces(text: str, separator: str) -> Iterator[tuple[int, int]]:
    r"""Where the pieces between separators stand that are in no braces; ``\&`` separates nothing."""
    depth = start = at = 0
    while at < len(text):
        if text.startswith(separator, at) and depth <= 0:
            yield start, at
            at += len(separator)
            start = at
        elif text[at] == "\\":
            at += 2
        else:
            depth += (text[at] == "{") - (text[at] == "}")
            at += 1
    yield start, len(text)


_SIGNS = {"pm": "±", "times": "×", "uparrow": "↑", "downarrow": "↓", "kappa": "κ", "Delta": "Δ",
          "alpha": "α", "beta": "β",
          "sim": "~", "approx": "≈", "geq": "≥", "leq": "≤", "ge": "≥", "le": "≤", "dagger": "†",
          "ddagger": "‡", "textpm": "±",
          "cdot": "·", "checkmark": "✓", "xmark": "✗", "cmark": "✓", "textendash": "–", "ldots": "…", "gamma": "γ",
          "lambda": "λ", "textsuperscript": "^", "percent": "%", "quad": " ", "qquad": " ", "dots": "…"}  # fmt: skip
_ESCAPES = (("\\%", "%"), ("\\&", "&"), ("\\_", "_"), ("\\#", "#"), ("~", " "), ("{,}", ","),
            ("\\,", " "), ("\\;", " "),
            ("\\!", ""), ("\\ ", " "), ("\\newline", " "))  # fmt: skip
_DROPPED = regex(
    r"\\(?:textsubscript|footnotemark|footnote|tnote|cite[a-z]*|citep|citet|ref|label|tablefootnote|vspace|hspace|rotatebox|phantom|textsuperscript)\*?\s*(?:\[[^\]]*\]){0,2}\{[^{}]*\}"
)
_COLOURED = regex(r"\\(?:textcolor|colorbox|cellcolor|color)\s*(?:\[[^\]]*\])?\{[^{}]*\}")
_MARK = regex(r"\^\s*\{?\s*(?:[a-z]|\\?(?:dagger|ddagger|ast|star|circ)|[*†‡§]{1,3}|\(\d\)|\\text\{[^{}]*\})\s*\}?")
_COMMAND = regex(r"\\([A-Za-z]+)\*?\s?")


def plain(text: str, macros: dict[str, str] | None = None) -> str:
    """The words of a piece of LaTeX: fonts, colours, citations and dollar signs dropped, signs kept."""
    if macros:
        text = _COMMAND.sub(lambda m: macros.get(m[1], m[0]), text)
    text = _DROPPED.sub(" ", text)
    text = _COLOURED.sub(" ", text)
    text = _MARK.sub("", text)
    for command, sign in _ESCAPES:
        text = text.replace(command, sign)
    text = re.sub(r"\\\\(?:\[[^\]]*\])?", " ", text)
    text = re.sub(r"\\(?:begin|end)\{[^{}]*\}(?:\[[^\]]*\])?(?:\{[^{}]*\})?", " ", text)
    text = re.sub(r"_\s*\{?\s*(?=\\(?:pm|scriptsize|tiny|text))", " ", text)
    text = _COMMAND.sub(lambda m: _SIGNS.get(m[1], " "), text)
    text = re.sub(r"[FfRr]_\{?(\d)\}?", lambda m: m[0].replace("_", "").replace("{", "").replace("}", ""), text)
    text = re.sub(r"R\s?\^\{?2\}?", "R2", text)
    text = re.sub(r"[${}]", "", text).replace("---", "—").replace("--", "–").replace("``", '"').replace("''", '"')
    return " ".join(text.split())

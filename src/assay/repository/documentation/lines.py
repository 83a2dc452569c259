"""Lines of code, comments and docstrings.

They are told apart with the syntax tree, which is there already, instead of by cutting the text into tokens,
which would take longer than everything else: a `#` begins a comment unless it stands inside a string.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from assay.code import Source

_END = 1 << 60


@dataclass(frozen=True, slots=True)
class LineCount:
    """A line of code with a comment after it counts as both."""

    code: int
    comments: int
    docstrings: int
    blank: int


def count_lines(source: Source, docstrings: Iterable[ast.Constant]) -> LineCount:
    """Count the lines of a source whose docstrings are these."""
    documentation = {n for d in docstrings for n in range(d.lineno, (d.end_lineno or d.lineno) + 1)}
    lines = source.lines
    strings = _strings(source, {number for number, line in enumerate(lines, 1) if "#" in line})
    code = comments = blank = 0
    for number, line in enumerate(lines, 1):
        if number in documentation:
            continue
        text = line.strip()
        sign = _comment_start(line, strings.get(number, ())) if "#" in text else None
        blank += not text
        comments += sign is not None
        code += bool(text) and (sign is None or bool(line.encode()[:sign].strip()))
    return LineCount(code, comments, len(documentation), blank)


def _strings(source: Source, wanted: set[int]) -> dict[int, list[tuple[int, int]]]:
    """For each wanted line, from where to where (in bytes) it is inside a string."""
    found: dict[int, list[tuple[int, int]]] = defaultdict(list)
    texts = [n for n in source.nodes(ast.Constant) if isinstance(n.value, str | bytes)]
    for node in (*texts, *source.nodes(ast.JoinedStr)):
        last = node.end_lineno or node.lineno
        for number in wanted.intersection(range(node.lineno, last + 1)):
            start = node.col_offset if number == node.lineno else 0
            end = (node.end_col_offset or _END) if number == last else _END
            found[number].append((start, end))
    return found


def _comment_start(line: str, strings: Iterable[tuple[int, int]]) -> int | None:
    """Where (in bytes) the line's comment begins."""
    data = line.encode()
    spot = data.find(b"#")
    while spot >= 0:
        if not any(start <= spot < end for start, end in strings):
            return spot
        spot = data.find(b"#", spot + 1)
    return None

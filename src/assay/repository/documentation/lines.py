"""Lines of code, comments and docstrings.

The syntax tree, which is there already, tells them apart: a `#` begins a comment unless it stands inside a string.
Cutting the text into tokens would take longer than everything else.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set

from assay.code import Source
from assay.records import dataclass

_END = 1 << 60
_F_STRING_START = getattr(tokenize, "FSTRING_START", -1)
_F_STRING_END = getattr(tokenize, "FSTRING_END", -1)
"""Until Python 3.11 a formatted string is one token; since then it begins and ends with one."""


@dataclass(frozen=True, slots=True)
class LineCount:
    """A line of code with a comment after it counts as both."""

    code: int
    comments: int
    docstrings: int
    blank: int


def count_lines(source: Source, text: Sequence[str], docstrings: Iterable[ast.Constant]) -> LineCount:
    """Count the lines (`text`) of a source whose docstrings are these."""
    documentation = {n for d in docstrings for n in range(d.lineno, (d.end_lineno or d.lineno) + 1)}
    lines = [(n, line) for n, line in enumerate(text, 1) if n not in documentation]
    signed = {number: line for number, line in lines if "#" in line}
    strings = _strings(source, text, signed.keys())
    blank = sum(not line or line.isspace() for _, line in lines)
    comments = alone = 0
    for number, line in signed.items():
        sign = _comment_start(line, strings.get(number, ()))
        comments += sign is not None
        alone += sign is not None and not line.encode()[:sign].strip()
    return LineCount(len(lines) - blank - alone, comments, len(documentation), blank)


def _strings(source: Source, text: Sequence[str], wanted: Set[int]) -> dict[int, list[tuple[int, int]]]:
    """For each wanted line, from where to where (in bytes) it is inside a string."""
    found: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for node in _texts(source) if wanted else ():
        first, last = node.lineno, node.end_lineno or node.lineno
        if first == last:
            found[first].append((node.col_offset, node.end_col_offset or _END))
        elif not wanted.isdisjoint(range(first, last + 1)):
            for number, start, end in _pieces(text, node):
                found[number].append((start, end))
    return found


def _texts(source: Source) -> list[ast.Constant | ast.JoinedStr]:
    """The literals of a source; those that are parts of a formatted string are looked at as a whole."""
    joined = source.nodes(ast.JoinedStr)
    parts = {part for whole in joined for part in whole.values}
    octets = (n for n in source.nodes(ast.Constant) if type(n.value) is bytes)
    return [*(n for n in source.strings if n not in parts), *octets, *joined]


def _pieces(text: Sequence[str], node: ast.Constant | ast.JoinedStr) -> Iterator[tuple[int, int, int]]:
    """Line, begin and end (in bytes) of a string of several lines; there may be comments between its pieces."""
    first, last = node.lineno, node.end_lineno or node.lineno
    data = [line.encode() for line in text[first - 1 : last]]
    data[-1] = data[-1][: node.end_col_offset]
    data[0] = b" " * node.col_offset + data[0][node.col_offset :]
    lines = ["(", *(line.decode("utf-8", errors="replace") for line in data), ")"]
    try:
        for (top, left), (bottom, right) in _literals(lines):
            for row in range(top, bottom + 1):
                begin = len(lines[row - 1][:left].encode()) if row == top else 0
                end = len(lines[row - 1][:right].encode()) if row == bottom else _END
                yield first + row - 2, begin, end
    except (tokenize.TokenError, SyntaxError):  # then all of it is taken for text
        yield from ((number, 0, _END) for number in range(first, last + 1))


def _literals(lines: Sequence[str]) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Where each literal among these lines begins and ends."""
    begun: tuple[int, int] | None = None
    for token in tokenize.generate_tokens(io.StringIO("\n".join(lines)).readline):
        if token.type == _F_STRING_START:
            begun = begun or token.start
        elif token.type in {tokenize.STRING, _F_STRING_END}:
            yield begun or token.start, token.end
            begun = None


def _comment_start(line: str, strings: Iterable[tuple[int, int]]) -> int | None:
    """Where (in bytes) the line's comment begins."""
    data = line.encode()
    spot = data.find(b"#")
    while spot >= 0:
        if not any(start <= spot < end for start, end in strings):
            return spot
        spot = data.find(b"#", spot + 1)
    return None

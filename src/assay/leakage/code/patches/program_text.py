"""Replacing pieces of a program's text, and stating the difference as edits of whole lines."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from assay.code import Source
from assay.edits import line_edits
from assay.findings import Edit
from assay.records import dataclass


class NotCertainError(Exception):
    """The change cannot be shown to keep the program's meaning; the message says why."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a text, by the characters where it begins and ends, and what takes its place."""

    start: int
    end: int
    text: str


class Text:
    """A program's text, addressed by syntax nodes."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = text.split("\n")
        self._starts = [0]
        for line in self.lines:
            self._starts.append(self._starts[-1] + len(line) + 1)

    def start(self, node: ast.stmt | ast.expr) -> int:
        """The first character of a node."""
        return self._offset(node.lineno, node.col_offset)

    def end(self, node: ast.stmt | ast.expr) -> int:
        """One past the last character of a node."""
        return self._offset(node.end_lineno or node.lineno, node.end_col_offset or 0)

    def _offset(self, line: int, column: int) -> int:
        """Columns of syntax nodes count bytes."""
        written = self.lines[line - 1]
        within = column if written.isascii() else len(written.encode()[:column].decode(errors="ignore"))
        return self._starts[line - 1] + within

    def of(self, node: ast.stmt | ast.expr, instead: Mapping[ast.expr, str] | None = None) -> str:
        """The text of a node, some expressions within it replaced."""
        start = self.start(node)
        pieces = [Piece(self.start(n) - start, self.end(n) - start, text) for n, text in (instead or {}).items()]
        return _replaced(self.text[start : self.end(node)], pieces)

    def whole_lines(self, statement: ast.stmt) -> Piece:
        """The lines of a statement, to be left out. They must hold nothing else but a comment."""
        first, last = statement.lineno, statement.end_lineno or statement.lineno
        before = self.text[self._starts[first - 1] : self.start(statement)]
        if before.strip() or self.after(statement).strip().partition("#")[0]:
            raise NotCertainError(f"line {first} holds several statements")
        return Piece(self._starts[first - 1], min(self._starts[last], len(self.text)), "")

    def after(self, statement: ast.stmt) -> str:
        """What follows a statement on its last line: nothing, or a comment."""
        last = statement.end_lineno or statement.lineno
        return self.text[self.end(statement) : self._starts[last] - 1]

    def below(self, statement: ast.stmt, lines: Iterable[str]) -> Piece:
        """New lines below a statement, indented as it is."""
        indent = " " * statement.col_offset
        at = self._starts[statement.end_lineno or statement.lineno] - 1
        return Piece(at, at, "".join(f"\n{indent}{line}" for line in lines))


def _replaced(text: str, pieces: Iterable[Piece]) -> str:
    for piece in sorted(pieces, key=lambda p: (p.start, p.end), reverse=True):
        text = text[: piece.start] + piece.text + text[piece.end :]
    return text


def rewritten(source: Source, pieces: Iterable[Piece]) -> Source:
    """The same file with some pieces replaced; the cells of a notebook begin where they then begin."""
    pieces = list(pieces)
    old = source.text
    text = _replaced(old, pieces)
    cells = tuple((line + _shift(old, pieces, line), number) for line, number in source.cells)
    return replace(source, cells=cells, size=len(text), read=lambda: text, shelf=lambda: None)


def _shift(text: str, pieces: Iterable[Piece], line: int) -> int:
    """By how many lines the beginning of a line moves."""
    before = -1
    for _ in range(line - 1):
        before = text.index("\n", before + 1)
    return sum(p.text.count("\n") - text.count("\n", p.start, p.end) for p in pieces if p.start < before + 1)


def edits_between(before: Source, after: Source) -> tuple[Edit, ...]:
    """What changes from one version of a file to the next, as replacements of whole lines."""
    return tuple(
        edit
        for (cell, old), (_, new) in zip(texts_of(before), texts_of(after), strict=True)
        for edit in line_edits(before.path, old, new, cell)
    )


def texts_of(source: Source) -> Iterator[tuple[int | None, str]]:
    """The text of a script; the text of each code cell of a notebook, with its number."""
    if not source.cells:
        yield None, source.text
        return
    lines = source.lines
    ends = [start for start, _ in source.cells[1:]] + [len(lines) + 1]
    for (start, number), end in zip(source.cells, ends, strict=True):
        yield number, "\n".join(lines[start - 1 : end - 1])

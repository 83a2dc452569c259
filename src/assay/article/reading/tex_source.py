"""LaTeX files put together as TeX would, without running it: inputs within the folder, comments out, lines kept."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from assay.article.reading.tex_plain import macros
from assay.errors import InputError
from assay.patterns import regex
from assay.records import dataclass
from assay.tree import File, Tree

_INPUT = regex(r"\\(?:input|include|subfile)\s*\{([^{}\n]{1,300})\}|\\input\s+([\w./-]{1,300})")
_COMMENT = regex(r"(?<!\\)((?:\\\\)*)%.*")
_IGNORED = regex(r"\\begin\{comment\}.*?\\end\{comment\}|\\iffalse\b.*?\\fi\b", re.DOTALL)
_MAIN = regex(r"^[^%\n]*\\documentclass|^[^%\n]*\\documentstyle", re.MULTILINE)
_DEPTH, _LINES = 8, 200_000


@dataclass(frozen=True, slots=True)
class TexLine:
    """A line of the whole, and where it came from."""

    text: str
    path: str
    number: int


@dataclass(frozen=True, slots=True)
class _Sources:
    """The files of a document, the folder that names are relative to, and the commands that stand for folders."""

    tree: Tree
    folder: str
    own: dict[str, str]

    def find(self, name: str) -> File | None:
        """The file that an input names; a command in the name is replaced, with the blank behind it."""
        plain = re.sub(r"\\([A-Za-z]+)\s*", lambda m: self.own.get(m[1], m[0]), name)
        for candidate in (plain, f"{plain}.tex"):
            path = posixpath.normpath(posixpath.join(self.folder, candidate))
            file = self.tree.get(path)
            if file is not None and not path.startswith(".."):
                return file
        return None


def main_file(tree: Tree) -> File:
    """The file that a compiler would be given."""
    sources = [f for f in tree.files if f.path.lower().endswith((".tex", ".ltx"))]
    mains = [f for f in sources if _MAIN.search(f.text())]
    chosen = mains or sources
    if not chosen:
        raise InputError("holds no LaTeX file", where=tree.name, fix="Name the paper's file (.tex, .pdf, .html, .md).")
    named = {"main.tex", "paper.tex", "ms.tex", "article.tex", "manuscript.tex"}
    return min(chosen, key=lambda f: (f.name.lower() not in named, f.path.count("/"), -f.size, f.path))


def assembled(tree: Tree, main: File) -> tuple[list[TexLine], list[str]]:
    """The lines of the whole document without comments, and what could not be followed."""
    notes: list[str] = []
    lines: list[TexLine] = []
    sources = _Sources(tree, posixpath.dirname(main.path), macros(main.text()))
    for line in _lines(sources, main, (), notes):
        lines.append(line)
        if len(lines) >= _LINES:
            notes.append(f"only the first {_LINES:,} lines of LaTeX were read")
            break
    return lines, notes


def _lines(sources: _Sources, file: File, above: tuple[str, ...], notes: list[str]) -> Iterator[TexLine]:
    text = _IGNORED.sub(lambda m: "\n" * m[0].count("\n"), file.text())
    for number, raw in enumerate(text.split("\n"), 1):
        line = _COMMENT.sub(r"\1", raw)
        at = 0
        for match in _INPUT.finditer(line):
            yield TexLine(line[at : match.start()], file.path, number)
            at = match.end()
            wanted = (match[1] or match[2]).strip()
            inner = sources.find(wanted)
            if inner is None or inner.path in above or len(above) >= _DEPTH:
                notes.append(f"{file.path}:{number}: \\input of {wanted!r} was not followed")
                continue
            yield from _lines(sources, inner, (*above, file.path), notes)
        yield TexLine(line[at:], file.path, number)

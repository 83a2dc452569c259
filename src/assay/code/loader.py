"""Read the code of a tree."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from dataclasses import field
from functools import cached_property, partial
from typing import TypeVar, cast

from assay.code.magics import Magic, neutralised
from assay.code.modules import Modules, read_modules
from assay.code.notebook import Notebook, read_notebook
from assay.code.parsing import MAX_BYTES
from assay.code.scanning import Import
from assay.code.source import Language, Shelf, Source
from assay.patterns import regex
from assay.records import dataclass
from assay.tree import File, Tree

Answer = TypeVar("Answer")
_KEPT_SOURCE_BYTES = 6 * 1024 * 1024
"""Bytes of source that stay parsed; a syntax tree takes about thirty times as much memory."""
_MOST_SOURCE_BYTES = 32 * 1024 * 1024
"""Bytes of source that are examined in all; files nearest to the root come first."""
_LANGUAGES = {
    ".py": Language.PYTHON, ".pyw": Language.PYTHON, ".ipynb": Language.PYTHON,
    ".r": Language.R, ".rmd": Language.R, ".qmd": Language.R, ".jl": Language.JULIA,
}  # fmt: skip
_NOTEBOOK_LANGUAGES = {"": Language.PYTHON, "python": Language.PYTHON, "r": Language.R, "julia": Language.JULIA}
_LITERATE = (".rmd", ".qmd")
_FENCE = regex(r"[ \t]*(`{3,}|~{3,})[ \t]*\{(\w+)")


@dataclass(frozen=True)
class Code:
    """All code of a repository, by path; vendored files are marked, not left out."""

    sources: tuple[Source, ...]
    modules: Modules
    shelf: Shelf = field(repr=False)
    """The only holder of the syntax trees. Facts that readers attach to a tree refer back to its source: if the sources
    held the trees, each repository would be one reference cycle.
    """
    text: Callable[[str], str | None] = field(default=lambda _: None, repr=False, compare=False)
    """The text of a file that is not code, such as a configuration file, by its path."""
    _answers: dict[object, object] = field(default_factory=dict, init=False, repr=False, compare=False)

    def once(self, tree: Tree, ask: Callable[[Tree, Code], Answer]) -> Answer:
        """The answer of `ask` about this repository, computed once for all readers."""
        if ask not in self._answers:
            self._answers[ask] = ask(tree, self)
        return cast("Answer", self._answers[ask])

    @property
    def left_out(self) -> tuple[str, ...]:
        """Files that are not examined, or only in part, with the reason."""
        return tuple(f"{place}: {message}" for s in self.own for place, message in s.errors)

    @cached_property
    def own(self) -> tuple[Source, ...]:
        """All code that is not vendored."""
        return tuple(s for s in self.sources if not s.vendored)

    @cached_property
    def python(self) -> tuple[Source, ...]:
        """The authors' own Python, scripts and notebooks."""
        return tuple(s for s in self.own if s.language is Language.PYTHON)

    def source(self, path: str) -> Source | None:
        """The source at this path."""
        return self._by_path.get(path)

    def find(self, imported: Import, importer: Source) -> str | None:
        """The path inside the repository that an import leads to; see `Modules.find`."""
        return self.modules.find(imported, importer)

    @property
    def local_modules(self) -> dict[str, tuple[str, ...]]:
        """Top-level names that the repository provides, and where."""
        return self.modules.local

    @cached_property
    def _by_path(self) -> dict[str, Source]:
        return {s.path: s for s in self.sources}


def read_code(tree: Tree) -> Code:
    """Read every script and notebook of the tree. Files are parsed on first use."""
    shelf = Shelf(_KEPT_SOURCE_BYTES)
    room = _MOST_SOURCE_BYTES
    sources = {}
    for file in sorted(tree.files, key=lambda f: (f.vendored, f.path.count("/"), f.path)):
        if file.suffix in _LANGUAGES:
            sources[file.path] = source = _source(file, tree, weakref.ref(shelf), room)
            room -= source.size
    by_path = dict(sorted(sources.items()))
    return Code(tuple(by_path.values()), read_modules(tree, by_path), shelf, partial(_text, tree))


def _text(tree: Tree, path: str) -> str | None:
    file = tree.get(path)
    return None if file is None or file.size > MAX_BYTES else file.text()


def _source(file: File, tree: Tree, shelf: Callable[[], Shelf | None], room: int) -> Source:
    language = _LANGUAGES[file.suffix]
    most = file.contents.limits.text_bytes if file.suffix == ".ipynb" else MAX_BYTES
    if file.size > most:
        return Source(file.path, language, file.vendored, unread=f"is larger than {most:,} bytes")
    if room <= 0:
        reason = f"comes after {_MOST_SOURCE_BYTES:,} bytes of other code"
        return Source(file.path, language, file.vendored, unread=reason)
    if file.suffix != ".ipynb" and "\0" in file.text():  # no language allows it; the text is needed soon anyhow
        return Source(file.path, language, file.vendored, unread="is not text")
    package = _package(file.folder, tree)
    if file.suffix == ".ipynb":
        return _notebook_source(file, package, shelf)
    if file.suffix in _LITERATE:
        return _literate_source(file, package, shelf)
    return Source(file.path, language, file.vendored, package, size=file.size, read=file.text, shelf=shelf)


def _package(folder: str, tree: Tree) -> tuple[str, ...]:
    """The dotted names of the enclosing packages; if there is none, the whole path."""
    parts = folder.split("/") if folder else []
    start = len(parts)
    while start and tree.get("/".join([*parts[:start], "__init__.py"])):
        start -= 1
    return tuple(parts[start:] if start < len(parts) else parts)


def _notebook_source(file: File, package: tuple[str, ...], shelf: Callable[[], Shelf | None]) -> Source:
    try:
        notebook = read_notebook(file.text())
    except ValueError as error:
        return Source(file.path, Language.PYTHON, file.vendored, package, unread=f"cannot be read: {error}")
    language = _NOTEBOOK_LANGUAGES.get(notebook.language or notebook.kernel.lower(), Language.PYTHON)
    text, cells, magics = _joined(notebook, file.path, language)
    return Source(
        file.path,
        language,
        file.vendored,
        package,
        notebook=notebook,
        cells=cells,
        cell_magics=magics,
        size=len(text),
        read=lambda: text,
        shelf=shelf,
    )


def _joined(
    notebook: Notebook, path: str, language: Language
) -> tuple[str, tuple[tuple[int, int], ...], tuple[Magic, ...]]:
    """The code cells joined into one text, with the first line of each cell and the magics."""
    texts: list[str] = []
    starts: list[tuple[int, int]] = []
    magics: list[Magic] = []
    line = 1
    for cell in notebook.code_cells:
        text = cell.text
        if language is Language.PYTHON:
            text, found = neutralised(text, path, cell.number)
            magics += found
        texts.append(text)
        starts.append((line, cell.number))
        line += text.count("\n") + 1
    return "\n".join(texts), tuple(starts), tuple(magics)


def _literate_source(file: File, package: tuple[str, ...], shelf: Callable[[], Shelf | None]) -> Source:
    """R Markdown and Quarto: the lines of code chunks; all other lines are empty."""
    chunks = list(_chunks(file.text()))
    python = any(c == "python" for c, _ in chunks) and not any(c == "r" for c, _ in chunks)
    language = Language.PYTHON if python else Language.R

    def read() -> str:
        kept = {number for name, number in _chunks(file.text()) if name == language}
        return "\n".join(line if i in kept else "" for i, line in enumerate(file.text().split("\n"), 1))

    return Source(file.path, language, file.vendored, package, size=file.size, read=read, shelf=shelf)


def _chunks(text: str) -> Iterator[tuple[str, int]]:
    """The language and number of every line inside a fenced chunk."""
    name = fence = ""
    for number, line in enumerate(text.split("\n"), 1):
        if fence and line.strip().startswith(fence):
            name = fence = ""
        elif fence:
            yield name, number
        elif match := _FENCE.match(line):
            fence, name = match[1], match[2].lower()

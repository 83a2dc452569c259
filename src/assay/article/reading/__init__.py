"""A paper, in whatever form it comes, as plain facts with places. Nothing of it is ever executed."""

from __future__ import annotations

from pathlib import Path

from assay.article.reading.paper import Page, Paper, RawTable, Role, Section, Sentence, Source, Word
from assay.errors import InputError
from assay.files import is_there, read_text, without_waiting

__all__ = ["Page", "Paper", "RawTable", "Role", "Section", "Sentence", "Source", "Word", "read_paper"]

_ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")


def read_paper(path: Path) -> Paper:
    """The paper in a file (.tex, .pdf, .html, .xml, .md), or in a folder or archive of LaTeX files."""
    paper = _read(path)
    if not (paper.sentences or paper.tables):
        raise InputError("holds no sentence and no table that could be read", where=str(path), fix="Is it a paper?")
    return paper


def _read(path: Path) -> Paper:
    name = path.name.lower()
    if not is_there(path):
        raise InputError("does not exist", where=str(path), fix="Check the path.")
    if path.is_dir() or name.endswith(_ARCHIVES):
        from assay.article.reading.tex import read_tex
        from assay.tree import open_tree

        return read_tex(open_tree(path))
    if name.endswith((".tex", ".ltx")):
        from assay.article.reading.tex import read_tex
        from assay.tree import open_tree

        return read_tex(open_tree(path.parent), path.name)
    if name.endswith(".pdf") or _begins_as_pdf(path):
        from assay.article.reading.pdf import read_pdf

        return read_pdf(path)
    if name.endswith((".html", ".htm", ".xhtml", ".xml", ".nxml")):
        from assay.article.reading.markup import read_markup

        return read_markup(read_text(path), str(path))
    if name.endswith((".md", ".markdown", ".txt")):
        from assay.article.reading.markup import read_markdown

        return read_markdown(read_text(path), str(path))
    known = ".tex, .pdf, .html, .xml (JATS), .md, a folder or an archive of LaTeX files"
    raise InputError(f'cannot tell what "{path.name}" is', where=str(path), fix=f"Papers are read from {known}.")


def _begins_as_pdf(path: Path) -> bool:
    try:
        with open(path, "rb", opener=without_waiting) as stream:
            return stream.read(5) == b"%PDF-"
    except OSError:
        return False

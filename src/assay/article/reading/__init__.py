"""A paper, in whatever form it comes, as plain facts with places. Nothing of it is ever executed."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from assay.article.reading.paper import Page, Paper, RawTable, Role, Section, Sentence, Source, Word
from assay.errors import InputError
from assay.files import is_there, read_text, without_waiting

__all__ = ["Page", "Paper", "RawTable", "Role", "Section", "Sentence", "Source", "Word", "read_paper"]

_SAMPLE = 200
_MOST_STRANGE = 0.05
"""A quarter of the signs in random bytes are strange; a text with a damaged character has one in thousands."""
_ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")


def read_paper(path: Path, member: str = "") -> Paper:
    """The paper in a file (.tex, .docx, .pdf, .html, .xml, .md), or in a folder or archive of LaTeX files.

    `member` names the paper's own file inside a folder or archive that holds other things too.
    """
    paper = _read_member(path, member) if member else _read(path)
    if not (paper.tables or any(map(_has_a_word, paper.sentences))) or _is_binary(paper):
        raise InputError("holds no sentence and no table that could be read", where=str(path), fix="Is it a paper?")
    return paper


def _has_a_word(sentence: Sentence) -> bool:
    """Whether there are two letters side by side: signs and broken bytes are no sentence."""
    return any(one.isalpha() and other.isalpha() for one, other in pairwise(sentence.text))


def _is_binary(paper: Paper) -> bool:
    """Whether its first sentences are full of signs that no text has, as when any bytes are read as letters."""
    sample = "".join(sentence.text for sentence in paper.sentences[:_SAMPLE])
    strange = sum(not (sign.isprintable() or sign.isspace()) for sign in sample)
    return strange > _MOST_STRANGE * len(sample)


def _read_member(path: Path, member: str) -> Paper:
    """A paper inside a tree. What needs a file of its own is copied out for as long as it is read."""
    from assay.article.reading.tex import read_tex
    from assay.tree import open_tree

    tree = open_tree(path)
    file = tree.get(member)
    if file is None:
        raise InputError(f"holds no file {member!r}", where=str(path), fix="Check the name.")
    if file.suffix in {".tex", ".ltx"}:
        return read_tex(tree, member)
    with TemporaryDirectory() as folder:
        copy = Path(folder) / f"paper{file.suffix}"
        copy.write_bytes(file.head(file.size))
        return _read(copy, member)


def _read(path: Path, called: str = "") -> Paper:
    """The paper in a file; `called` is how places name it, if not by the path."""
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

        return read_pdf(path, called)
    if name.endswith(".docx"):
        from assay.article.reading.docx import read_docx

        return read_docx(path, called)
    if name.endswith((".html", ".htm", ".xhtml", ".xml", ".nxml")):
        from assay.article.reading.markup import read_markup

        return read_markup(read_text(path), called or str(path))
    if name.endswith((".md", ".markdown", ".txt")):
        from assay.article.reading.markup import read_markdown

        return read_markdown(read_text(path), called or str(path))
    known = ".tex, .docx, .pdf, .html, .xml (JATS), .md, a folder or an archive of LaTeX files"
    raise InputError("is no paper of a known kind", where=str(path), fix=f"Papers are read from {known}.")


def _begins_as_pdf(path: Path) -> bool:
    try:
        with open(path, "rb", opener=without_waiting) as stream:
            return stream.read(5) == b"%PDF-"
    except OSError:
        return False

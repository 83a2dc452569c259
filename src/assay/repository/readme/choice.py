"""Which file is *the* README, and how it is read."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from assay.patterns import regex
from assay.repository.readme.document import Document, Draft, bounded
from assay.repository.readme.html import HtmlReader
from assay.repository.readme.markdown import read_markdown
from assay.repository.readme.plain import read_plain
from assay.repository.readme.restructured import read_restructured
from assay.tree import File, Tree

_NAME = regex(
    r"(?:readme|read[-_ ]me|reamde|readmme|redme|readne|raedme)(?P<language>[._-][\w-]{2,12})?(?P<ending>\.\w{1,9})?",
    re.IGNORECASE,
)
_FOLDERS = (".github", "docs", "doc", "documentation")
"""Where GitHub looks for it, and two more."""


def _read_html(path: str, text: str) -> Document:
    begun, cut = bounded(text)
    draft = Draft()
    reader = HtmlReader(draft)
    reader.feed(begun, 1)
    reader.end()
    return draft.finished(path, cut=cut)


READERS: dict[str, Callable[[str, str], Document]] = {
    ".md": read_markdown, ".markdown": read_markdown, ".mdown": read_markdown, ".mkd": read_markdown,
    ".mkdn": read_markdown, ".mdx": read_markdown, ".rmd": read_markdown, ".qmd": read_markdown,
    ".rst": read_restructured, ".rest": read_restructured,
    ".org": read_plain, ".txt": read_plain, ".text": read_plain, "": read_plain,
    ".html": _read_html, ".htm": _read_html,
}  # fmt: skip
_RANK = {ending: rank for rank, ending in enumerate(READERS)}


def read_document(file: File) -> Document:
    """A file of prose in whatever format its name tells."""
    text = file.text().replace("\0", "")  # UTF-16 without its mark has one beside every letter
    return _read(file.path, _ending(file.name), text)


@lru_cache(maxsize=16)
def _read(path: str, ending: str, text: str) -> Document:
    """Several facts about one repository are read off the same page."""
    return READERS.get(ending, read_plain)(path, text)


def readme_files(tree: Tree) -> tuple[File, ...]:
    """Every README of the authors' own, the one that speaks for the repository first.

    That is the one in the root (GitHub also looks into .github and docs), else the one nearest to the root; Markdown
    before other formats, and a name without a language before one with it.
    """
    linked = [file for link in tree.links if is_readme(link.path.rpartition("/")[2]) and (file := tree.get(link.path))]
    own = [f for f in tree.own if is_readme(f.name) and f.size and (f.suffix or not f.is_binary)]
    return tuple(sorted(dict.fromkeys([*own, *linked]), key=_importance))


def is_where_readers_look(file: File) -> bool:
    """Whether a file is in the root, or where GitHub looks for a README."""
    return file.folder.lower() in {"", *_FOLDERS}


@lru_cache(maxsize=4096)
def is_readme(name: str) -> bool:
    """Whether a file of this name is a README in a format that can be read."""
    match = _NAME.fullmatch(name) if name[:2].lower() in {"re", "ra"} else None
    return match is not None and _ending(name) in READERS


def _ending(name: str) -> str:
    """The ending that tells the format; a language such as `README.zh` or `README_cn` is none."""
    ending = "." + name.rpartition(".")[2].lower() if "." in name else ""
    return ending if ending in READERS else "" if len(ending) <= 3 else ending


def _importance(file: File) -> tuple[int, int, bool, bool, int, str]:
    stem = file.name[: len(file.name) - len(_ending(file.name))]
    match = _NAME.fullmatch(stem)
    language = bool(match and (match["language"] or "").lower().lstrip("._-") not in {"", "en", "eng", "english"})
    folder = file.folder.lower()
    place = 0 if folder == "" else 1 if folder in _FOLDERS else 2
    depth = file.path.count("/")
    return (place, depth, language, file.size < 20, _RANK.get(_ending(file.name), 99), file.path)

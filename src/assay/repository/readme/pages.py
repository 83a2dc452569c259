"""Pages of the repository that the README sends its readers to: `see tf/README.md`, a link to docs/training.md."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from urllib.parse import unquote

from assay.patterns import regex
from assay.repository.readme.document import CodeBlock, Document, Passage
from assay.repository.vocabulary import vocabulary
from assay.tree import File, Tree

_PAGE = regex(r"(?<![\w/:.-])((?:\./)?[\w./-]{1,120}\.(?:md|rst))\b")
_WORDS = vocabulary("assay.repository.readme", "phrases.toml")
_ABOUT_OTHERS = _WORDS.pattern("about_others")
_MOST = 8


def pages_named(document: Document, tree: Tree) -> tuple[File, ...]:
    """The authors' own pages that the document names or links, in its order; of a folder that it links, the README."""
    home = posixpath.dirname(document.path)
    found: dict[str, File] = {}
    for target in _targets(document):
        path = posixpath.normpath(posixpath.join(home, target.partition("#")[0].removeprefix("./")))
        for candidate in (path, posixpath.join(path, "README.md"), posixpath.join(path, "README.rst")):
            file = tree.get(candidate)
            if file is not None and file.path != document.path and _is_page(file):
                found.setdefault(file.path, file)
    return tuple(found.values())[:_MOST]


def _targets(document: Document) -> Iterator[str]:
    for link in document.links:
        if "://" not in link.target and not link.image and link.target[:1] not in {"#", "/"}:
            yield unquote(link.target)
    for block in document.blocks:
        if isinstance(block, Passage) or (isinstance(block, CodeBlock) and block.inline):
            yield from _PAGE.findall(block.text[:4000])


def _is_page(file: File) -> bool:
    return file.suffix in {".md", ".rst"} and not file.vendored and not _ABOUT_OTHERS.match(file.name)

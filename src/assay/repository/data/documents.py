"""The repository's own prose about itself: READMEs, pages of documentation, text cells of notebooks, as plain lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.code import Code
from assay.findings import Location
from assay.patterns import regex
from assay.records import dataclass
from assay.repository.vocabulary import vocabulary
from assay.tree import File, Tree

_README = regex(r"read\W?me[^/]*", re.IGNORECASE)
_PROSE = (".md", ".markdown", ".rst", ".txt", ".org", ".html", ".adoc", "")
_TOPIC = vocabulary("assay.repository.data", "prose.toml").pattern("page_topics")
_MOST_PAGES = 60
_MOST_CHARACTERS = 300_000
_LONGEST_LINE = 4000
_HEADING = regex(r"[ ]{0,3}#{1,6}[ \t]*(\S[^\n]{0,200})|<h[1-6][^>]{0,100}>([^<\n]{1,200})")
_UNDERLINE = regex(r"[ ]{0,3}(=|-|~|\^|\*){3,}[=\-~^*]*[ \t]*$")
_BOLD_LINE = regex(r"[ ]{0,3}(?:\*\*|__)([^*_\n]{2,80})(?:\*\*|__):?[ \t]*$")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of prose, with the heading it stands under."""

    text: str
    heading: str
    location: Location
    in_code: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """A document as lines; `depth` is how far from the root it lies."""

    path: str
    depth: int
    readme: bool
    notebook: bool
    lines: tuple[Line, ...]


def read_pages(tree: Tree, code: Code) -> list[Page]:
    """The READMEs first, nearest to the root first; then pages about data, models and running; then notebooks."""
    return code.once(tree, _pages)


def _pages(tree: Tree, code: Code) -> list[Page]:
    files = [f for f in tree.by_suffix(*_PROSE) if not f.vendored and (_is_readme(f) or _is_page(f))]
    files.sort(key=lambda f: (not _is_readme(f), f.path.count("/"), f.path))
    pages = [_page(f) for f in files[:_MOST_PAGES]]
    return [*pages, *_notebook_pages(code)]


def _is_readme(file: File) -> bool:
    return bool(_README.fullmatch(file.name)) and file.path.count("/") <= 4


def _is_page(file: File) -> bool:
    if file.suffix not in {".md", ".rst", ".markdown"} or file.path.count("/") > 2:
        return False
    return (
        file.folder == "" or bool(_TOPIC.search(file.name)) or file.folder.lower() in {"docs", "doc", "documentation"}
    )


def _page(file: File) -> Page:
    text = file.text()[:_MOST_CHARACTERS]
    return Page(file.path, file.path.count("/"), _is_readme(file), False, tuple(_lines(text, file.path, None)))


def _notebook_pages(code: Code) -> Iterator[Page]:
    """Text cells of the authors' own notebooks."""
    for source in [s for s in code.own if s.notebook is not None][:_MOST_PAGES]:
        cells = source.notebook.cells if source.notebook else ()
        lines = [line for c in cells if c.kind == "markdown" for line in _lines(c.text[:20_000], source.path, c.number)]
        yield Page(source.path, source.path.count("/"), readme=False, notebook=True, lines=tuple(lines))


def _lines(text: str, path: str, cell: int | None) -> Iterator[Line]:
    heading = fence = ""
    lines = text.split("\n")
    for i, line in enumerate(lines):
        bare = line.strip()
        if fence:
            fence = "" if bare.startswith(fence) else fence
        elif bare.startswith(("```", "~~~")):
            fence = bare[:3]
        else:
            heading = _heading(line, lines[i + 1] if i + 1 < len(lines) else "") or heading
        yield Line(line[:_LONGEST_LINE], heading, Location(path, i + 1, cell=cell), bool(fence))


def _heading(line: str, below: str) -> str:
    if match := _HEADING.match(line) or _BOLD_LINE.match(line):
        return str(next(filter(None, match.groups()), "")).strip(" #")
    if (
        line.strip()
        and len(line) < 120
        and _UNDERLINE.match(below)
        and not line.lstrip().startswith(("|", "-", "*", ">"))
    ):
        return line.strip()
    return ""

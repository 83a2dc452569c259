"""A paper from HTML or JATS XML (what publishers and archives give out), and from Markdown (which becomes HTML)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from assay.article.reading.markup_tree import Element, parse_markup
from assay.article.reading.paper import Listing, Paper, RawTable, Role, Section, Sentence, Source, role_of
from assay.article.reading.sentences import CITATION, sentences_of
from assay.errors import InputError
from assay.findings import Location
from assay.patterns import regex
from assay.reported.pieces import cut

_LEVELS = {"h1": 1, "h2": 1, "h3": 2, "h4": 3, "h5": 4, "h6": 4}
_SKIPPED = frozenset(
    {"script", "style", "head", "nav", "header", "footer", "aside", "svg", "noscript", "form", "button"}
)
_BLOCKS = frozenset(
    {"p", "li", "dd", "blockquote", "td", "div", "section", "article", "abstract", "sec", "body", "ack"}
)
_TITLED = frozenset({"sec", "abstract", "ack", "app"})
"""What has a title of its own in JATS."""
_REFERENCES = regex(r"\s*(?:\d+\.?\s*)?(?:references|bibliography|literature cited|works cited)\s*$", re.IGNORECASE)
_FRONT_MATTER = regex(r"---[ \t]*\n(?:(?!---|\.\.\.).*\n){0,300}(?:---|\.\.\.)[ \t]*(?:\n|\Z)")
_TITLE_LINE = regex(r"^title:[ \t]*(.+)$", re.MULTILINE)
_CAPTION_LINE = regex(r"(?:Table\s*(?:[A-Z]?\d{1,2}|[IVX]{1,5})?\s*[:.]|:\s)\s*(?=\S)")
"""A paragraph beside a table that is its caption, as pandoc and people write it."""
_LEAD_IN = regex(r"(?:Results|Performance|Scores|Metrics)\s+(?:on|for|of|with)\b[^.:]{1,200}[.:]?\s*", re.IGNORECASE)
"""A line right before a table that says what it shows, and does no more."""
_TAG = regex(r"<[a-zA-Z][a-zA-Z0-9]{0,20}(?=[\s>])")
_DEPTH = 150


def read_markup(text: str, path: str) -> Paper:
    """The paper in an HTML page or a JATS article."""
    return _Walk(path, Source.HTML).paper(_parsed(text, path))


def read_markdown(text: str, path: str) -> Paper:
    """The paper in a Markdown file; its own lines are kept as the places."""
    from markdown_it import MarkdownIt

    front = _FRONT_MATTER.match(text)
    if front:
        text = "\n" * front[0].count("\n") + text[front.end() :]
    parser = MarkdownIt("commonmark").enable("table").disable("html_inline")
    tokens = parser.parse(text)
    for token in tokens:
        if token.type == "html_block" and token.map:
            token.content = _numbered(token.content, token.map[0] + 1)
        elif token.map and token.nesting >= 0:
            token.attrSet("data-line", str(token.map[0] + 1))
    page = parser.renderer.render(tokens, parser.options, {})
    paper = _Walk(path, Source.MARKDOWN).paper(_parsed(f"<html><body>{page}</body></html>", path))
    named = _TITLE_LINE.search(front[0]) if front else None
    return replace(paper, title=named[1].strip("'\" ")) if named else paper


def _numbered(block: str, line: int) -> str:
    """HTML inside Markdown, each tag with the line that it stands in."""
    return _TAG.sub(lambda tag: f'{tag[0]} data-line="{line + block.count(chr(10), 0, tag.start())}"', block)


def _parsed(text: str, path: str) -> Element:
    jats = "<article" in text[:5_000] and ("<front" in text[:20_000] or "JATS" in text[:5_000])
    root = parse_markup(text, xml=jats)
    if not len(root):
        raise InputError("holds nothing that could be read", where=path, fix="Give the paper as HTML or JATS XML.")
    return root


@dataclass
class _Walk:
    path: str
    source: Source
    sections: list[Section] = field(default_factory=list)
    sentences: list[Sentence] = field(default_factory=list)
    bibliography: list[str] = field(default_factory=list)
    tables: list[RawTable] = field(default_factory=list)
    listings: list[Listing] = field(default_factory=list)
    captions: list[Sentence] = field(default_factory=list)
    links: list[tuple[str, Location]] = field(default_factory=list)
    title: str = ""
    roles: dict[int, Role] = field(default_factory=dict)
    in_references: bool = False
    last_line: int = 1
    loose_caption: str = ""
    """A paragraph right before this place that looks like the caption of a table."""
    bare_table: bool = False
    """Whether a table without a caption stands right before this place."""

    def paper(self, root: Element) -> Paper:
        """Everything under the root."""
        self.sections.append(Section("", Role.FRONT, 1, Location(self.path, 1)))
        title = root.first("article-title") or root.first("h1")
        self.title = title.words() if title is not None else ""
        article = next((child for child in root if child.tag == "article"), None)
        self._enter(article or root.first("body") or root, 0, 0)
        return Paper(
            self.path,
            self.title,
            tuple(self.sections),
            tuple(self.sentences),
            tuple(self.bibliography),
            tuple(self.tables),
            tuple(self.listings),
            tuple(self.captions),
            tuple(self.links),
        )

    def _enter(self, node: Element, depth: int, nesting: int) -> None:
        if node.tag in _SKIPPED or depth > _DEPTH:
            return
        line = node.get("data-line") if self.source is Source.MARKDOWN else node.sourceline
        self.last_line = int(line or self.last_line)
        level = _level_of(node, nesting)
        kept = _KEEPERS.get(node.tag)
        if level is not None:
            self._heading(node, level)
        elif _is_table(node):
            self._table(node)
        elif node.tag == "div" and "csl-bib-body" in node.get("class"):
            self.bibliography += [entry.words() for entry in node]
        elif kept is not None:
            kept(self, node)
        else:
            self._descend(node, depth, nesting)

    def _descend(self, node: Element, depth: int, nesting: int) -> None:
        """What holds others; a block of words alone is a paragraph."""
        if node.tag == "abstract":
            self._open(Section("Abstract", Role.ABSTRACT, 1, self._here))
        if node.text.strip() and node.tag in _BLOCKS and not len(node):
            self._paragraph(node)
        for child in node:
            self._enter(child, depth + 1, nesting + (node.tag in {"sec", "app"}))

    def _keep_references(self, node: Element) -> None:
        self.bibliography += [ref.words() for ref in node.iter() if ref.tag in {"mixed-citation", "citation"}]

    def _keep_code(self, node: Element) -> None:
        self.last_line = max([self.last_line, *(int(inner.get("data-line") or 0) for inner in node)])
        self.listings.append(Listing("code", node.words(), self._here))
        text = "".join(piece for piece in node.pieces() if isinstance(piece, str))
        if any(piece.grid is not None for piece in cut(text)):
            self.tables.append(RawTable(Source.TEXT, text, self.loose_caption, self._here))

    def _keep_caption(self, node: Element) -> None:
        self._caption(node.words())

    @property
    def _here(self) -> Location:
        return Location(self.path, self.last_line)

    def _open(self, section: Section) -> None:
        self.sections.append(section)

    def _heading(self, node: Element, level: int) -> None:
        name = re.sub(r"^[\d.]+\s+", "", node.words())
        self.in_references = _REFERENCES.match(name) is not None
        above = next((self.roles[i] for i in range(level - 1, 0, -1) if i in self.roles), None)
        role = role_of(name, above)
        self.roles = {k: v for k, v in self.roles.items() if k < level} | {level: role}
        self._open(Section(name, role, level, self._here))

    def _paragraph(self, node: Element) -> None:
        if self.in_references:
            self.bibliography.append(node.words())
            return
        for link in node.iter():
            address = link.get("href")
            if address.startswith(("http://", "https://")):
                self.links.append((address, self._here))
        text = _marked(node)
        if not _CAPTION_LINE.match(text):
            self.loose_caption = text if _LEAD_IN.fullmatch(text) else ""
        elif self._caption_of_table(text):
            return
        self.bare_table = False
        self.sentences += sentences_of(text, self.sections[-1], self.path, self.last_line)

    def _table(self, node: Element) -> None:
        caption = next((c.words() for tag in _CAPTIONS if (c := node.first(tag)) is not None), "") or self.loose_caption
        inner = node if node.tag == "table" else node.first("table")
        text = (inner or node).markup()
        self.tables.append(RawTable(self.source, text, caption, self._here))
        self.loose_caption, self.bare_table = "", not caption
        self._caption(caption)

    def _caption_of_table(self, text: str) -> bool:
        """Whether a paragraph is the caption of the table right before it; else it may be that of the next one."""
        if self.bare_table:
            self.tables[-1] = replace(self.tables[-1], caption=text)
            self.bare_table = False
            self._caption(text)
            return True
        self.loose_caption = text
        return False

    def _caption(self, told: str) -> None:
        if told:
            self.captions.append(Sentence(told[:2_000], self.sections[-1], self._here))


_KEEPERS: dict[str, Callable[[_Walk, Element], None]] = {
    "ref-list": _Walk._keep_references,
    **dict.fromkeys(("pre", "code-block"), _Walk._keep_code),
    **dict.fromkeys(("p", "li", "dd", "blockquote"), _Walk._paragraph),
    **dict.fromkeys(("fig", "figure", "figcaption", "caption"), _Walk._keep_caption),
}
"""What is done with an element that is kept as a whole."""


def _level_of(node: Element, nesting: int) -> int | None:
    """The level of a heading; None for other elements."""
    titled = node.tag == "title" and node.parent is not None and node.parent.tag in _TITLED
    return _LEVELS.get(node.tag, max(nesting, 1) if titled else None)


def _is_table(node: Element) -> bool:
    return node.tag in {"table", "table-wrap"} or (node.tag == "figure" and node.first("table") is not None)


_CAPTIONS = ("figcaption", "caption", "label")
"""What holds the caption of a table, in the order of trust: a JATS label is only its number."""


def _marked(node: Element) -> str:
    """The words of a paragraph with a mark where other work is cited (JATS says so; in HTML the text must tell)."""
    return " ".join("".join(_texts(node)).split())


def _texts(node: Element) -> Iterator[str]:
    for child in node.content:
        if isinstance(child, str):
            yield child
        elif child.tag == "xref" and child.get("ref-type") == "bibr":
            yield CITATION
        else:
            yield from _texts(child)

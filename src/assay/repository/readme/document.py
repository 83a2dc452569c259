"""What Markdown, reStructuredText, HTML and plain text have in common: headings, passages, code, tables, links."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from enum import StrEnum
from functools import cached_property

from assay.records import dataclass

MOST_CHARACTERS = 256 * 1024
"""How much of a document is read; the longest honest READMEs have a quarter of it."""
_LONGEST_LINE = 20_000
_MOST_CELLS = 20_000


class Style(StrEnum):
    """How a heading is written."""

    MARKED = "marked"
    """As the format has it: `## Heading`, underlined, `<h2>`."""
    BOLD = "bold"
    """A bold line that stands alone, or begins its paragraph."""
    SUMMARY = "summary"
    """The line one clicks to unfold something."""
    LINE = "line"
    """A short line of its own that ends with a colon, or is all capitals."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; `level` counts from 1, and headings that only look so come below all others."""

    text: str
    level: int
    line: int
    style: Style = Style.MARKED


@dataclass(frozen=True, slots=True)
class Passage:
    """Running text: a paragraph, an item of a list. Its lines are those of the file."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """Code, set as such; `line` is where its own first line stands."""

    text: str
    line: int
    language: str = ""
    inline: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """A table as written; the header may be empty."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    line: int


@dataclass(frozen=True, slots=True)
class Hyperlink:
    """A link or an image, with the target as written."""

    target: str
    text: str
    line: int
    image: bool = False


Block = Heading | Passage | CodeBlock | Grid


@dataclass(frozen=True)
class Document:
    """One document. `blocks` are in the order of the text."""

    path: str
    blocks: tuple[Block, ...]
    links: tuple[Hyperlink, ...]
    anchors: frozenset[str]
    """Names that the text itself gives to places in it, besides its headings."""
    cut: bool = False
    """Whether only the beginning was read."""

    @cached_property
    def headings(self) -> tuple[Heading, ...]:
        """All headings, and lines that look like one."""
        return tuple(b for b in self.blocks if isinstance(b, Heading))

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The text before the first heading, then each heading with what comes before the next."""
        found: list[tuple[Heading | None, list[Block]]] = [(None, [])]
        for block in self.blocks:
            if isinstance(block, Heading):
                found.append((block, []))
            else:
                found[-1][1].append(block)
        return tuple(Part(heading, tuple(blocks)) for heading, blocks in found if heading or blocks)


@dataclass(frozen=True)
class Part:
    """A heading and the blocks right below it."""

    heading: Heading | None
    blocks: tuple[Block, ...]

    @property
    def passages(self) -> Iterator[Passage]:
        """The running text."""
        return (b for b in self.blocks if isinstance(b, Passage))

    @property
    def code(self) -> Iterator[CodeBlock]:
        """Code in blocks and within lines."""
        return (b for b in self.blocks if isinstance(b, CodeBlock))


@dataclass(slots=True)
class Draft:
    """A document in the making: readers of all formats put into it what they meet."""

    blocks: list[Block] = field(default_factory=list)
    links: list[Hyperlink] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)
    cells: int = 0

    def heading(self, text: str, level: int, line: int, style: Style = Style.MARKED) -> None:
        """A heading, unless it is empty."""
        said = " ".join(text.split())
        if said:
            self.blocks.append(Heading(said[:300], level, line, style))

    def passage(self, text: str, line: int) -> None:
        """Running text, unless it is empty."""
        if text.strip():
            self.blocks.append(Passage(text, line))

    def code(self, text: str, line: int, language: str = "", *, inline: bool = False) -> None:
        """Code, unless it is empty."""
        if text.strip():
            self.blocks.append(CodeBlock(text, line, language.lower(), inline))

    def grid(self, rows: list[list[str]], line: int, *, header: bool) -> None:
        """A table; only so many cells of all tables together are kept."""
        kept = rows[: max(0, _MOST_CELLS - self.cells)]
        self.cells += sum(len(row) + 1 for row in kept)
        cells = [tuple(" ".join(cell.split()) for cell in row) for row in kept if row]
        if cells:
            self.blocks.append(Grid(cells[0] if header else (), tuple(cells[1:] if header else cells), line))

    def link(self, target: str, text: str, line: int, *, image: bool = False) -> None:
        """A link, unless it leads nowhere."""
        if target.strip():
            self.links.append(Hyperlink(target.strip(), " ".join(text.split())[:300], line, image))

    def finished(self, path: str, *, cut: bool) -> Document:
        """The document."""
        return Document(path, tuple(self.blocks), tuple(self.links), frozenset(self.anchors), cut)


def bounded(text: str) -> tuple[str, bool]:
    """The beginning of a text, lines of inhuman length shortened; whether anything was left out."""
    begun = text[:MOST_CHARACTERS]
    if len(begun) <= _LONGEST_LINE:
        return begun, False
    lines = begun.split("\n")
    short = [line[:_LONGEST_LINE] for line in lines]
    return "\n".join(short), len(text) > MOST_CHARACTERS or short != lines

"""Elements of an HTML page or an XML article, read forgivingly with the standard library alone.

Nothing is fetched and no entity of a document is expanded, so that no file can make this read more than its own text.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from assay.lenient_html import LenientParser
from assay.patterns import regex

_VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}
)
"""HTML elements that have no end."""
_ENDED_BY: dict[str, frozenset[str]] = {
    "li": frozenset({"li"}),
    "dt": frozenset({"dt", "dd"}),
    "dd": frozenset({"dt", "dd"}),
    "option": frozenset({"option"}),
    "tr": frozenset({"tr", "td", "th"}),
    "td": frozenset({"td", "th"}),
    "th": frozenset({"td", "th"}),
    "thead": frozenset({"tr", "td", "th", "thead", "tbody", "tfoot"}),
    "tbody": frozenset({"tr", "td", "th", "thead", "tbody", "tfoot"}),
    "tfoot": frozenset({"tr", "td", "th", "thead", "tbody", "tfoot"}),
} | dict.fromkeys(
    ("p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "table", "div", "section", "figure", "pre", "blockquote"),
    frozenset({"p"}),
)
"""Open elements that the start of an HTML element ends, where their own end was left out."""
_FENCES = frozenset({"table", "ul", "ol", "dl", "html", "body", "div", "section", "article", "figure"})
"""An end that was left out is not looked for outside of these."""
_ENTITY = regex(r"&\w{1,40};")
_DEEPEST = 200
"""Deeper nesting is flattened: nobody writes it, and each level costs stack."""


class Element:
    """An element with its text, and its children with the text after each."""

    __slots__ = ("attributes", "content", "parent", "sourceline", "tag")

    def __init__(self, tag: str, attributes: dict[str, str], line: int, parent: Element | None) -> None:
        self.tag, self.attributes, self.sourceline, self.parent = tag, attributes, line, parent
        self.content: list[Element | str] = []

    def __iter__(self) -> Iterator[Element]:
        return (child for child in self.content if isinstance(child, Element))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        return True

    @property
    def text(self) -> str:
        """The text before the first child."""
        first = self.content[0] if self.content else ""
        return first if isinstance(first, str) else ""

    def get(self, name: str) -> str:
        """An attribute; empty if there is none."""
        return self.attributes.get(name, "")

    def iter(self) -> Iterator[Element]:
        """Itself and all elements below it, in the order of the document."""
        yield self
        for child in self:
            yield from child.iter()

    def pieces(self) -> Iterator[Element | str]:
        """The texts and elements below it, in the order of the document."""
        for child in self.content:
            yield child
            if isinstance(child, Element):
                yield from child.pieces()

    def words(self) -> str:
        """All of its text."""
        return " ".join("".join(piece for piece in self.pieces() if isinstance(piece, str)).split())

    def first(self, tag: str) -> Element | None:
        """The first element of this name, itself included."""
        return next((inner for inner in self.iter() if inner.tag == tag), None)

    def markup(self) -> str:
        """The element as HTML."""
        named = "".join(f' {name}="{escape(value)}"' for name, value in self.attributes.items())
        if self.tag in _VOID:
            return f"<{self.tag}{named}>"
        inner = "".join(c.markup() if isinstance(c, Element) else escape(c, quote=False) for c in self.content)
        return f"<{self.tag}{named}>{inner}</{self.tag}>"


class _Builder(LenientParser):
    """Puts elements where they belong, whatever ends were left out."""

    def __init__(self, *, xml: bool) -> None:
        super().__init__(convert_charrefs=True)
        self.xml = xml
        self.root = Element("", {}, 1, None)
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element begins."""
        self._begin(tag, attrs, empty=not self.xml and tag in _VOID)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element without content; in HTML the slash means nothing."""
        self._begin(tag, attrs, empty=self.xml or tag in _VOID)

    def _begin(self, tag: str, attrs: list[tuple[str, str | None]], *, empty: bool) -> None:
        if not self.xml:
            self._end_what_was_left_open(tag)
        name = tag.rpartition(":")[2]
        values = {key.rpartition(":")[2]: value or "" for key, value in attrs}
        made = Element(name, values, self.getpos()[0], self.open[-1])
        self.open[-1].content.append(made)
        if not empty and len(self.open) < _DEEPEST:
            self.open.append(made)

    def _end_what_was_left_open(self, tag: str) -> None:
        ended = _ENDED_BY.get(tag, frozenset())
        for depth in range(len(self.open) - 1, 0, -1):
            name = self.open[depth].tag
            if name in ended:
                del self.open[depth:]
            elif name in _FENCES:
                return

    def handle_endtag(self, tag: str) -> None:
        """An element ends, and with it all that is open inside; an end without a start means nothing."""
        name = tag.rpartition(":")[2]
        depth = next((d for d in range(len(self.open) - 1, 0, -1) if self.open[d].tag == name), None)
        if depth is not None:
            del self.open[depth:]

    def handle_data(self, data: str) -> None:
        """Text, without the entities that a document of its own defines."""
        self.open[-1].content.append(_ENTITY.sub("", data) if self.xml else data)

    def unknown_decl(self, data: str) -> None:
        """In XML, `<![CDATA[` holds text."""
        if data.startswith("CDATA["):
            self.handle_data(data.removeprefix("CDATA["))


def parse_markup(text: str, *, xml: bool) -> Element:
    """The document as an element without a name that holds everything."""
    builder = _Builder(xml=xml)
    builder.feed(text)
    builder.close()
    return builder.root

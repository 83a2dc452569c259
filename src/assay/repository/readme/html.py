"""HTML as it occurs inside READMEs: tags in any state, read in one pass over the text without a grammar."""

from __future__ import annotations

import html
from dataclasses import dataclass, field

from assay.patterns import regex
from assay.repository.readme.document import Draft, Style

_TAG = regex(r"<(/?)([a-zA-Z][a-zA-Z0-9]{0,20})((?:\s[^<>]*)?)/?>")
_ATTRIBUTE = regex(r"(?<![\w-])([a-zA-Z-]{1,20})\s{0,5}=\s{0,5}(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))")
_LONGEST_TAG = 4000
_BREAKS = frozenset({"br", "p", "div", "li", "ul", "ol", "hr", "center", "details", "dt", "dd", "section"})
_HEADINGS = {f"h{n}": n for n in range(1, 7)} | {"summary": 7}


def without_comments(text: str) -> str:
    """The text with comments blanked out, line breaks kept; an open comment reaches to the end."""
    if "<!--" not in text:
        return text
    kept, spot = [], 0
    while (start := text.find("<!--", spot)) >= 0:
        end = text.find("-->", start)
        end = len(text) if end < 0 else end + 3
        kept += [text[spot:start], "\n" * text.count("\n", start, end)]
        spot = end
    return "".join([*kept, text[spot:]])


@dataclass(slots=True)
class HtmlReader:
    """Reads fragment after fragment, for blank lines cut the HTML of a Markdown file into several."""

    draft: Draft
    _text: list[str] = field(default_factory=list)
    _start: int = 0
    _open: str = ""
    """The heading or block of code whose end is awaited."""
    _code: list[str] = field(default_factory=list)
    _link: tuple[str, int, list[str]] | None = None
    _table: list[list[str]] | None = None
    _table_line: int = 0
    _in_cell: bool = False

    def feed(self, text: str, line: int) -> None:
        """One fragment that begins on this line."""
        text = without_comments(text)
        spot, here = 0, line
        for tag in _TAG.finditer(text):
            self._say(text[spot : tag.start()], here)
            here += text.count("\n", spot, tag.end())
            spot = tag.end()
            given = {m[1].lower(): m[2] or m[3] or m[4] or "" for m in _ATTRIBUTE.finditer(tag[3][:_LONGEST_TAG])}
            self._meet(tag[2].lower(), bool(tag[1]), given, here)
        self._say(text[spot:], here)

    def overhear(self, text: str, line: int) -> None:
        """Text that Markdown has read; it counts if it stands inside something that HTML has opened."""
        if self.waiting:
            self._say(text, line, plain=True)
        elif self._link is not None:
            self._link[2].append(text)

    def end(self) -> None:
        """Everything has been read: what is open is closed."""
        self._flush()
        self._close_table()

    @property
    def waiting(self) -> bool:
        """Whether a heading, a cell or a block of code is open, to which the text belongs."""
        return bool(self._open) or self._in_cell

    def _say(self, written: str, line: int, *, plain: bool = False) -> None:
        if not written:
            return
        text = written if plain else html.unescape(written)
        if self._link is not None:
            self._link[2].append(text)
        if self._in_cell and self._table:
            self._table[-1][-1] += text
        elif not self._table or self._open:
            self._start = line if not "".join(self._text).strip() else self._start
            self._text.append(text)

    def _meet(self, name: str, closing: bool, given: dict[str, str], line: int) -> None:
        self.draft.anchors.update(given[key] for key in ("id", "name") if given.get(key))
        if name in {"a", "img"}:
            self._meet_link(name, closing, given, line)
        elif name in _HEADINGS:
            self._meet_heading(name, closing, line)
        elif name in {"pre", "code"}:
            self._meet_code(name, closing, line)
        elif name in {"table", "tr", "td", "th"}:
            self._meet_table(name, closing, line)
        elif name in _BREAKS and self.waiting:
            self._say("\n" if self._open == "pre" else " ", line)
        elif name in _BREAKS:
            self._flush()

    def _meet_link(self, name: str, closing: bool, given: dict[str, str], line: int) -> None:
        if name == "img":
            self.draft.link(given.get("src", ""), given.get("alt", ""), line, image=True)
            if self._link is not None:
                self._link[2].append(given.get("alt", ""))
        elif closing and self._link is not None:
            target, where, said = self._link
            self.draft.link(target, "".join(said), where)
            self._link = None
        elif not closing and given.get("href"):
            self._link = (html.unescape(given["href"]), line, [])

    def _meet_heading(self, name: str, closing: bool, line: int) -> None:
        if not closing:
            self._flush()
            self._open, self._start = name, line
        elif self._open in _HEADINGS:
            style = Style.SUMMARY if self._open == "summary" else Style.MARKED
            self.draft.heading("".join(self._text), _HEADINGS[self._open], self._start or line, style)
            self._open, self._text = "", []

    def _meet_code(self, name: str, closing: bool, line: int) -> None:
        if name == "pre" and not closing:
            self._flush()
            self._open, self._start = "pre", line
        elif name == "pre" and self._open == "pre":
            self.draft.code("".join(self._text).strip("\n"), self._start)
            self._open, self._text = "", []
        elif name == "code" and self._open != "pre":
            if not closing:
                self._code = ["".join(self._text)]
            elif self._code:
                self.draft.code("".join(self._text)[len(self._code[0]) :], line, inline=True)
                self._code = []

    def _meet_table(self, name: str, closing: bool, line: int) -> None:
        if name == "table":
            self._flush()
            self._close_table()
            self._table = None if closing else []
            self._table_line = line
        elif self._table is not None:
            self._in_cell = name != "tr" and not closing
            if not closing and (name == "tr" or not self._table):
                self._table.append([])
            if self._in_cell:
                self._table[-1].append("")

    def _close_table(self) -> None:
        if self._table:
            self.draft.grid(self._table, self._table_line, header=True)
        self._table, self._in_cell = None, False

    def _flush(self) -> None:
        if self._open == "pre":
            self.draft.code("".join(self._text).strip("\n"), self._start)
        else:
            self.draft.passage("".join(self._text), self._start)
        self._open, self._text, self._code = "", [], []

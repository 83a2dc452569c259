"""Markdown to a `Document`, with the liberties that READMEs take: `##Heading`, bold headings, HTML in between."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from assay.patterns import regex
from assay.repository.readme.document import CodeBlock, Document, Draft, Style, bounded
from assay.repository.readme.html import HtmlReader, without_comments

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_COMMAND = regex(
    r"(?:\$ ?)?(?:(?:pip[\d.]{0,4}|conda|mamba|apt(?:-get)?|git|cd|uv) \S|"
    r"(?:python[\d.]{0,4}|bash|sh) [\w./-]{1,100}\.(?:py|sh)\b)"
)
_UNSPACED = regex(r"^([ ]{0,3}#{1,6})(?=[^\s#!])", re.MULTILINE)
_FRONT_MATTER = regex(r"---[ \t]*\n(?:[^\n]{0,500}\n){0,200}?(?:---|\.\.\.)[ \t]*(?:\n|$)")
_BARE_URL = regex(r"(?<![\w\"'=<\[])https?://[^\s<>\"'`|\\^{}\[\]]{3,2000}")
_LINE_HEADING = regex(r"[^\W_][^\n.!?;|`<>=$]{2,58}:")
_FEW_WORDS = regex(r"[A-Z][\w-]{2,20}(?: [\w-]{1,20}){0,2}")
_BOLD_LEVEL, _LINE_LEVEL = 8, 9
_VISIBLE = 12
"""A heading made of bold type is at most so many words."""


def read_markdown(path: str, text: str) -> Document:
    """The document; whatever is no Markdown is text."""
    begun, cut = bounded(text)
    draft = Draft()
    reader = _Reader(draft, HtmlReader(draft))
    reader.read(_parser().parse(_spaced(begun)))
    return draft.finished(path, cut=cut)


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def _spaced(text: str) -> str:
    """Comments and front matter blanked, and `#Heading` given the space that it once did without."""
    front = _FRONT_MATTER.match(text)
    if front:
        text = "\n" * front[0].count("\n") + text[front.end() :]
    return _outside_fences(without_comments(text))


def _outside_fences(text: str) -> str:
    """Fix headings everywhere but in fenced code, where `#` begins a comment."""
    if not _UNSPACED.search(text):
        return text
    lines, fence = text.split("\n"), ""
    for i, line in enumerate(lines):
        bare = line.lstrip()
        if bare.startswith(("```", "~~~")):
            fence = "" if fence and bare.startswith(fence) else fence or bare[:3]
        elif not fence:
            lines[i] = _UNSPACED.sub(r"\1 ", line)
    return "\n".join(lines)


class _Reader:
    """One walk over the tokens of the parser."""

    def __init__(self, draft: Draft, html: HtmlReader) -> None:
        self.draft, self.html = draft, html
        self.heading = 0
        self.before_code = False
        self.rows: list[list[str]] | None = None
        self.table_line = 1

    def read(self, tokens: Sequence[Token]) -> None:
        for number, token in enumerate(tokens):
            line = token.map[0] + 1 if token.map else 1
            match token.type:
                case "fence" | "code_block":
                    self._code(token, line)
                case "html_block":
                    self.html.feed(token.content, line)
                case "heading_open":
                    self.heading = int(token.tag[1])
                case "table_open" | "tr_open" | "table_close":
                    self._table(token.type, line)
                case "inline":
                    after = [t.type for t in tokens[number + 1 : number + 3]]
                    self.before_code = after == ["paragraph_close", "fence"]
                    self._inline(token, line)
        self.html.end()

    def _table(self, kind: str, line: int) -> None:
        if kind == "table_open":
            self.rows, self.table_line = [], line
        elif self.rows is not None and kind == "tr_open":
            self.rows.append([])
        elif self.rows is not None:
            self.draft.grid(self.rows, self.table_line, header=True)
            self.rows = None

    def _code(self, token: Token, line: int) -> None:
        """A block of code. Some begin with its first command right behind the fence, where the language belongs."""
        info, text = token.info.strip(), token.content.rstrip("\n")
        if _COMMAND.match(info):
            self.draft.code(f"{info}\n{text}", line, "")
        else:
            language = info.split()[0] if info else ""
            self.draft.code(text, line + (token.type == "fence"), language.strip("{}."))

    def _inline(self, token: Token, line: int) -> None:
        within_html = self.html.waiting
        spoken = _Spoken(self.draft, self.html, line)
        spoken.hear(token.children or ())
        text = spoken.text
        if self.rows is not None and self.rows:
            self.rows[-1].append(text)
        elif self.heading:
            self.draft.heading(text, self.heading, line)
        elif not within_html:
            self._paragraph(text, spoken, line)
        self.draft.blocks += spoken.code
        self.heading = 0

    def _paragraph(self, text: str, spoken: _Spoken, line: int) -> None:
        first, _, rest = text.partition("\n")
        bare = first.strip().rstrip(":")
        if spoken.bold and bare == spoken.bold.strip().rstrip(":") and len(bare.split()) <= _VISIBLE:
            self.draft.heading(bare, _BOLD_LEVEL, line, Style.BOLD)
            self.draft.passage(rest, line + 1)
        elif self._is_line_heading(text) or (_LINE_HEADING.fullmatch(first.strip()) and len(first.split()) <= 5):
            self.draft.heading(bare, _LINE_LEVEL, line, Style.LINE)
            self.draft.passage(rest, line + 1)
        else:
            self.draft.passage(text, line)
        for url in _BARE_URL.finditer(text):
            target = url[0].rstrip(".,;:!?*_)") if "(" not in url[0] else url[0].rstrip(".,;:!?*_")
            if target not in spoken.targets:
                self.draft.link(target, target, line + text.count("\n", 0, url.start()))

    def _is_line_heading(self, text: str) -> bool:
        """Whether a few words alone above a block of code say what it does."""
        return self.before_code and _FEW_WORDS.fullmatch(text.strip()) is not None


class _Spoken:
    """The words of one block, with its links, code and bold type."""

    def __init__(self, draft: Draft, html: HtmlReader, line: int) -> None:
        self.draft, self.html, self.line = draft, html, line
        self.said: list[str] = []
        self.code: list[CodeBlock] = []
        self.bold = ""
        self.targets: set[str] = set()
        self._links: list[tuple[str, int, int]] = []
        self._bold_from = self._code_from = -1

    @property
    def text(self) -> str:
        return "".join(self.said)

    def hear(self, tokens: Sequence[Token]) -> None:
        for token in tokens:
            match token.type:
                case "text" | "text_special" | "code_inline":
                    self._say(token)
                case "softbreak" | "hardbreak":
                    self.said.append("\n")
                    self.line += 1
                case "html_inline":
                    self._markup(token.content)
                case "link_open":
                    self._links.append((str(token.attrGet("href") or ""), len(self.said), self.line))
                case "link_close" if self._links:
                    target, since, line = self._links.pop()
                    self.targets.add(target)
                    self.draft.link(target, "".join(self.said[since:]), line)
                case "image":
                    self.said.append(token.content)
                    self.draft.link(str(token.attrGet("src") or ""), token.content, self.line, image=True)
                case "strong_open" | "strong_close":
                    self._embolden(token.type == "strong_open")

    def _say(self, token: Token) -> None:
        self.said.append(token.content)
        self.html.overhear(token.content, self.line)
        if token.type == "code_inline":
            self._set_as_code(token.content)

    def _markup(self, tag: str) -> None:
        name = tag.strip("</> ").split(" ", 1)[0].lower()
        if name in {"b", "strong"}:
            self._embolden(not tag.startswith("</"))
        elif name == "br":
            self.said.append(" ")
        elif name in {"code", "kbd", "tt"}:
            if not tag.startswith("</"):
                self._code_from = len(self.said)
            elif self._code_from >= 0:
                self._set_as_code("".join(self.said[self._code_from :]))
        else:
            self.html.feed(tag, self.line)

    def _embolden(self, opening: bool) -> None:
        if opening and not self.text.strip():
            self._bold_from = len(self.said)
        elif not opening and self._bold_from >= 0 and not self.bold:
            self.bold = "".join(self.said[self._bold_from :])

    def _set_as_code(self, text: str) -> None:
        if text.strip():
            self.code.append(CodeBlock(text, self.line, inline=True))

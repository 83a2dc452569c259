"""reStructuredText to a `Document`: the part of it that READMEs use, read line by line."""

from __future__ import annotations

import re

from assay.patterns import regex
from assay.repository.readme.document import Document, Draft, bounded
from assay.repository.readme.html import HtmlReader

_RULE = regex(r"([=\-`:.'\"~^_*+#<>])\1{2,}[ \t]*")
_DIRECTIVE = regex(r"\.\.[ ]+(?:\|[^|\n]{1,80}\|[ ]+)?([\w-]{1,40})::[ ]*(.*)")
_TARGET = regex(r"\.\.[ ]+_(`[^`\n]{1,200}`|[^:\n]{1,200}):[ ]*(.*)")
_EMBEDDED = regex(r"`([^`<\n]{0,300})<([^>`\s]{1,2000})>`__?")
_NAMED = regex(r"`([^`<\n]{1,300})`_|(?<![\w`])([A-Za-z][\w.-]{0,80})_(?![\w_])")
_LITERAL = regex(r"``([^`\n]{1,500})``")
_URL = regex(r"(?<![\w\"'=<`])https?://[^\s<>\"'`|\\^{}\[\]]{3,2000}")
_OPTION = regex(r"\s+:([\w-]{1,30}):[ ]*(.*)")
_GRID_RULE = regex(r"[ \t]*\+[-=+]{3,}\+[ \t]*")
_SIMPLE_RULE = regex(r"[ \t]*=+(?:[ ]+=+)+[ \t]*")
_CODE = frozenset({"code", "code-block", "sourcecode", "prompt", "parsed-literal", "console"})
_MOST_LINES = 50_000


def read_restructured(path: str, text: str) -> Document:
    """The document; directives that are not known are passed over with what is in them."""
    begun, cut = bounded(text)
    lines = begun.split("\n")[:_MOST_LINES]
    draft = Draft()
    _Reader(lines, draft).read()
    return draft.finished(path, cut=cut)


class _Reader:
    def __init__(self, lines: list[str], draft: Draft) -> None:
        self.lines, self.draft = lines, draft
        self.levels: list[str] = []
        self.targets: dict[str, str] = {}
        self.at = 0

    def read(self) -> None:
        """Go through the lines once; what is named before its address is known is resolved by a look ahead."""
        for line in self.lines:
            if line.startswith(".. _") and (match := _TARGET.match(line)):
                self.targets[_key(match[1])] = match[2].strip()
        self.draft.anchors.update(name for name, address in self.targets.items() if not address)
        while self.at < len(self.lines):
            self._step()

    def _step(self) -> None:
        line = self.lines[self.at]
        if not line.strip():
            self.at += 1
        elif self._is_heading():
            pass
        elif line.lstrip().startswith(".. "):
            self._explicit(line)
        elif _GRID_RULE.fullmatch(line):
            self._grid_table()
        elif _SIMPLE_RULE.fullmatch(line):
            self._simple_table()
        else:
            self._paragraph()

    def _is_heading(self) -> bool:
        here, below = self._line(0), self._line(1)
        if _RULE.fullmatch(here) and below.strip() and _RULE.fullmatch(self._line(2)):
            self._heading(below, "over" + here[0], self.at + 2)
            self.at += 3
            return True
        long_enough = len(below.rstrip()) >= min(len(here.rstrip()), 3)
        if here.strip() and not here[:1].isspace() and _RULE.fullmatch(below) and long_enough:
            self._heading(here, below[0], self.at + 1)
            self.at += 2
            return True
        if _RULE.fullmatch(here) and not _SIMPLE_RULE.fullmatch(here):
            self.at += 1
            return True
        return False

    def _heading(self, text: str, mark: str, number: int) -> None:
        if mark not in self.levels:
            self.levels.append(mark)
        self._find_links(text, number)
        self.draft.heading(_plain(text), min(self.levels.index(mark) + 1, 6), number)

    def _line(self, ahead: int) -> str:
        return self.lines[self.at + ahead] if self.at + ahead < len(self.lines) else ""

    def _indented(self, start: int, margin: int) -> int:
        """The first line from `start` on that is neither empty nor indented more than the margin."""
        end = start
        while end < len(self.lines):
            line = self.lines[end]
            if line.strip() and len(line) - len(line.lstrip()) <= margin:
                break
            end += 1
        return end

    def _explicit(self, line: str) -> None:
        margin = len(line) - len(line.lstrip())
        match = _DIRECTIVE.match(line.lstrip())
        start, end = self.at + 1, self._indented(self.at + 1, margin)
        self.at = end
        if match is None:
            return  # a comment, a footnote, a target
        name, argument = match[1].lower(), match[2].strip()
        options: dict[str, str] = {}
        body = start
        while body < end and (option := _OPTION.match(self.lines[body])):
            options[option[1]] = option[2].strip()
            body += 1
        if name in {"image", "figure"}:
            self.draft.link(argument, options.get("alt", ""), start, image=True)
            self.draft.link(options.get("target", ""), options.get("alt", ""), start)
        elif name in _CODE:
            self._code(body, end, argument)
        elif name == "raw":
            reader = HtmlReader(self.draft)
            reader.feed("\n".join(self.lines[body:end]), body + 1)
            reader.end()
        elif name in {"list-table", "csv-table"}:
            self._listed_table(name, body, end)
        else:
            inner = [line[margin:].lstrip() if i else line for i, line in enumerate(self.lines[body:end])]
            self._say("\n".join([argument, *inner]), start)

    def _code(self, start: int, end: int, language: str) -> None:
        while start < end and not self.lines[start].strip():
            start += 1
        block = self.lines[start:end]
        margin = min((len(line) - len(line.lstrip()) for line in block if line.strip()), default=0)
        self.draft.code("\n".join(line[margin:] for line in block).rstrip(), start + 1, language)

    def _paragraph(self) -> None:
        start = self.at
        while self._line(0).strip():
            self.at += 1
            if self.at - start > 0 and (self._next_is_heading() or _GRID_RULE.fullmatch(self._line(0))):
                break
        block = self.lines[start : self.at]
        margin = len(block[0]) - len(block[0].lstrip())
        opens_code = block[-1].rstrip().endswith("::")
        self._say("\n".join(block), start + 1)
        if opens_code:
            end = self._indented(self.at, margin)
            self._code(self.at, end, "")
            self.at = end

    def _next_is_heading(self) -> bool:
        return bool(_RULE.fullmatch(self._line(1))) and not self._line(0)[:1].isspace() and bool(self._line(0).strip())

    def _say(self, text: str, line: int) -> None:
        self._find_links(text, line)
        self.draft.passage(_plain(text), line)
        for match in _LITERAL.finditer(text):
            self.draft.code(match[1], line + text.count("\n", 0, match.start()), inline=True)

    def _find_links(self, text: str, line: int) -> None:
        def where(match: re.Match[str]) -> int:
            return line + text.count("\n", 0, match.start())

        seen = set()
        for match in _EMBEDDED.finditer(text):
            seen.add(match[2])
            self.draft.link(match[2], match[1], where(match))
        if "_" in text:
            for match in _NAMED.finditer(text):
                name = match[1] or match[2]
                if address := self.targets.get(_key(name)):
                    self.draft.link(address, name, where(match))
        for match in _URL.finditer(text):
            target = match[0].rstrip(".,;:!?*_)")
            if target not in seen:
                self.draft.link(target, target, where(match))

    def _grid_table(self) -> None:
        start = self.at
        rows: list[list[str]] = []
        fresh, header = True, False
        while (line := self._line(0)).strip().startswith(("+", "|")):
            if _GRID_RULE.fullmatch(line):
                fresh, header = True, header or "=" in line
            else:
                cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
                if fresh or len(cells) != len(rows[-1]):
                    rows.append(cells)
                else:
                    rows[-1] = [f"{a} {b}" for a, b in zip(rows[-1], cells, strict=True)]
                fresh = False
            self._find_links(line, self.at + 1)
            self.at += 1
        self.draft.grid(rows, start + 1, header=header)

    def _simple_table(self) -> None:
        start = self.at
        rule = self._line(0)
        spans = [m.span() for m in re.finditer(r"=+", rule)]
        ends = [*(b for b, _ in spans[1:]), 10**6]
        rows: list[list[str]] = []
        rules = 1
        self.at += 1
        while self.at < len(self.lines) and rules < 3:
            line = self._line(0)
            if _SIMPLE_RULE.fullmatch(line):
                rules += 1
                if rules == 2 and not self._line(1).strip():
                    self.at += 1
                    break
            elif line.strip():
                rows.append([line[a:b].strip() for (a, _), b in zip(spans, ends, strict=True)])
                self._find_links(line, self.at + 1)
            elif rules > 1 and not self._line(1).strip():
                break
            self.at += 1
        self.draft.grid(rows, start + 1, header=rules > 2)

    def _listed_table(self, name: str, start: int, end: int) -> None:
        rows: list[list[str]] = []
        for line in self.lines[start:end]:
            bare = line.strip()
            if name == "csv-table" and bare:
                rows.append([cell.strip().strip('"') for cell in bare.split(",")])
            elif bare.startswith("* -"):
                rows.append([bare[3:].strip()])
            elif bare.startswith("- ") and rows:
                rows[-1].append(bare[2:].strip())
        self.draft.grid(rows, start + 1, header=True)


def _key(name: str) -> str:
    return " ".join(name.strip("`").lower().split())


def _plain(text: str) -> str:
    """Text without the marks of links, roles, literals and emphasis."""
    text = _EMBEDDED.sub(r"\1", text)
    return re.sub(r":[\w-]{1,30}:(?=`)|`{1,2}_{0,2}|\*{1,2}|\|", "", text) if re.search(r"[`*|]", text) else text

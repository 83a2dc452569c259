"""reStructuredText as Markdown, line for line: the part of it that READMEs use."""

from __future__ import annotations

import re
from dataclasses import replace

from assay.patterns import regex
from assay.repository.readme.document import Document, bounded
from assay.repository.readme.markdown import read_markdown

_RULE = regex(r"([=\-`:.'\"~^_*+#<>])\1{2,}[ \t]*")
_DIRECTIVE = regex(r"\.\.[ ]+(?:\|[^|\n]{1,80}\|[ ]+)?([\w-]{1,40})::[ ]*(.*)")
_TARGET = regex(r"\.\.[ ]+_(`[^`\n]{1,200}`|[^:\n]{1,200}):[ ]*(.*)")
_EMBEDDED = regex(r"`([^`<\n]{0,300})<([^>`\s]{1,2000})>`__?")
_NAMED = regex(r"`([^`<\n]{1,300})`_|(?<![\w`])([A-Za-z][\w.-]{0,80})_(?![\w_])")
_MARKS = regex(r":[\w-]{1,30}:(?=`[^`])|(?<!`)`(?=[^`])|(?<=[^`])`(?!`)|\|(?=\w)|(?<=\w)\|")
_OPTION = regex(r"\s+:([\w-]{1,30}):[ ]*(.*)")
_CODE = frozenset({"code", "code-block", "sourcecode", "prompt", "parsed-literal", "console"})
_MOST_LINES = 50_000


def read_restructured(path: str, text: str) -> Document:
    """The document; directives that are not known are read as text."""
    begun, cut = bounded(text)
    document = read_markdown(path, "\n".join(_Converter(begun.split("\n")[:_MOST_LINES]).converted()))
    return replace(document, cut=cut or document.cut)


class _Converter:
    """Goes through the lines once, and puts a line of Markdown in the place of each."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = [*lines, "", ""]
        self.made = [""] * len(self.lines)
        self.levels: list[str] = []
        self.at = 0
        targets = (match for line in lines if line.startswith(".. _") and (match := _TARGET.match(line)))
        self.targets = {_key(match[1]): match[2].strip() for match in targets}

    def converted(self) -> list[str]:
        while self.at < len(self.lines) - 2:
            line = self.lines[self.at]
            if not self._heading():
                self._explicit(line) if line.lstrip().startswith(".. ") else self._text(line)
        return self.made

    def _heading(self) -> bool:
        """Whether a heading, or a line between two parts, stands here."""
        here, below, last = self.lines[self.at : self.at + 3]
        ruled = _RULE.fullmatch(here) is not None
        over = ruled and bool(below.strip()) and _RULE.fullmatch(last) is not None
        under = bool(here.strip()) and not here[0].isspace() and _RULE.fullmatch(below) is not None
        if not over and not (under and not ruled and len(below.rstrip()) >= min(len(here.rstrip()), 3)):
            self.at += ruled
            return ruled
        mark = f"over{here[0]}" if over else below[0]
        self.levels += [] if mark in self.levels else [mark]
        title = self._inline(below if over else here).strip()
        self.made[self.at + over] = f"{'#' * min(self.levels.index(mark) + 1, 6)} {title}"
        self.at += 2 + over
        return True

    def _text(self, line: str) -> None:
        """A line of a paragraph; two colons at its end begin a block of code."""
        opens = line.rstrip().endswith("::") and not self.lines[self.at + 1].strip()
        self.made[self.at] = self._inline(line.rstrip()[:-1] if opens else line).strip()
        self.at += 1
        if opens:
            self._code(self.at, self._end_of_block(self.at, _margin(line)), "")

    def _explicit(self, line: str) -> None:
        """A directive, a target or a comment with all that is indented below it."""
        start, end = self.at, self._end_of_block(self.at + 1, _margin(line))
        match, target = _DIRECTIVE.match(line.lstrip()), _TARGET.match(line.lstrip())
        self.at = end
        if target:
            name, address = _key(target[1]), target[2].strip()
            self.made[start] = f"[{name}]: {address}" if address else f'<a id="{name}"></a>'
        elif match:
            body, options = start + 1, dict[str, str]()
            while body < end and (option := _OPTION.match(self.lines[body])):
                options[option[1]] = option[2].strip()
                body += 1
            self._directive(match[1].lower(), match[2].strip(), options, (start, body, end))

    def _directive(self, name: str, argument: str, options: dict[str, str], place: tuple[int, int, int]) -> None:
        start, body, end = place
        if name in {"image", "figure"}:
            self.made[start] = _image(argument, options)
        elif name in _CODE:
            self._code(body if not self.lines[body].strip() else start, end, argument)
        else:
            shown = str if name == "raw" else self._inline
            self.made[start] = "" if name == "raw" else self._inline(argument)
            self.made[body:end] = [shown(line).strip() for line in self.lines[body:end]]

    def _code(self, start: int, end: int, language: str) -> None:
        """A block between fences, on the empty lines around it."""
        margin = min((_margin(line) for line in self.lines[start + 1 : end] if line.strip()), default=0)
        for i in range(start + 1, end):
            self.made[i] = self.lines[i][margin:]
        self.made[start], self.made[end - (not self.lines[end - 1].strip())] = f"```{language}", "```"
        self.at = end

    def _end_of_block(self, start: int, margin: int) -> int:
        """The first line from `start` on that is neither empty nor indented more than the margin."""
        inside = (
            i for i in range(start, len(self.lines)) if self.lines[i].strip() and _margin(self.lines[i]) <= margin
        )
        return next(inside, len(self.lines) - 1)

    def _inline(self, text: str) -> str:
        """The text with its links as Markdown has them, without roles and other marks."""
        text = _EMBEDDED.sub(lambda match: f"[{match[1].strip() or match[2]}]({match[2]})", text)
        return _MARKS.sub("", _NAMED.sub(self._reference, text) if "_" in text else text)

    def _reference(self, match: re.Match[str]) -> str:
        name = match[1] or match[2]
        return f"[{name}]" if self.targets.get(_key(name)) else match[0] if match[2] else name


def _image(address: str, options: dict[str, str]) -> str:
    image = f"![{options.get('alt', '')}]({address})"
    return f"[{image}]({options['target']})" if "target" in options else image


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip())


def _key(name: str) -> str:
    return " ".join(name.strip("`").lower().split())

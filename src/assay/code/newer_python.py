"""Rewrite newer Python syntax for a reader that runs on Python 3.11. Every line keeps its number.

Two features are common: f-strings whose fields contain the enclosing quotes (PEP 701, Python 3.12), and type
parameters (PEP 695, Python 3.12).
"""

from __future__ import annotations

import re

from assay.patterns import regex
from assay.records import dataclass

_OPENING = regex(r"(?<![\w])(?P<prefix>[rRbBuUfF]{0,3})(?P<quote>'''|\"\"\"|'|\")|#")
_TYPE_PARAMETERS = regex(r"^([ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+\w+)\[[^\]\n]{1,200}\]", re.MULTILINE)
_TYPE_STATEMENT = regex(r"^([ \t]*)type[ \t]+(\w+)(?:\[[^\]\n]{1,200}\])?[ \t]*=", re.MULTILINE)
_CONVERSION = regex(r"![rsa](?=[:}])")
_QUOTES = ("'", '"', "'''", '"""')
_OPEN, _CLOSED = "([{", ")]}"
_LONGEST = 500_000
_DEEPEST = 20


class _Unfinished(Exception):  # noqa: N818 - not an error of ours, only a way out
    """A string that does not end."""


def backdated(text: str) -> str:
    """The text in Python 3.11 syntax; unchanged if it cannot be rewritten."""
    if len(text) > _LONGEST:
        return text
    try:
        text = _Writer(text).rewritten()
    except (_Unfinished, RecursionError):
        return text
    return _TYPE_STATEMENT.sub(r"\1\2 =", _TYPE_PARAMETERS.sub(r"\1", text))


@dataclass(slots=True)
class _Writer:
    """Reads a text once, from left to right, and rewrites strings with quotes that Python 3.11 accepts."""

    text: str
    at: int = 0

    def rewritten(self) -> str:
        """The whole text, rewritten."""
        done: list[str] = []
        while found := _OPENING.search(self.text, self.at):
            done.append(self.text[self.at : found.start()])
            self.at = found.start()
            done.append(self._comment() if found[0] == "#" else self._string(()))
        return "".join((*done, self.text[self.at :]))

    def _comment(self) -> str:
        end = self.text.find("\n", self.at)
        return self._taken(len(self.text) if end < 0 else end)

    def _taken(self, end: int) -> str:
        start, self.at = self.at, end
        return self.text[start:end]

    def _string(self, around: tuple[str, ...]) -> str:
        """The string that begins here, nested in f-strings with the quotes `around`."""
        found = _OPENING.match(self.text, self.at)
        if found is None or found["quote"] is None or len(around) > _DEEPEST:
            raise _Unfinished
        prefix, quote = found["prefix"], found["quote"]
        start, self.at = self.at, found.end()
        if "f" not in prefix.lower():
            content = self._content(quote)
            return f"{prefix}{_quoted(content, quote, around)}" if around else self.text[start : self.at]
        wide = quote * 3 if len(quote) == 1 and not around else quote
        inside = _fitting(around, "") if around else wide
        pieces = self._pieces(quote, (*around, inside))
        changed = f"{prefix}{inside}{''.join(pieces)}{inside}"
        plain = self.text[start : self.at]
        return plain if not around and _reads_as_before(changed, plain, prefix, quote, inside) else changed

    def _content(self, quote: str) -> str:
        """The characters up to the closing quote."""
        start = self.at
        while not self.text.startswith(quote, self.at):
            if self.at >= len(self.text):
                raise _Unfinished
            self.at += 2 if self.text[self.at] == "\\" else 1
        content = self.text[start : self.at]
        self.at += len(quote)
        return content

    def _pieces(self, quote: str, around: tuple[str, ...]) -> list[str]:
        """The parts of an f-string, up to its closing quote."""
        pieces: list[str] = []
        while not self.text.startswith(quote, self.at):
            if self.at >= len(self.text):
                raise _Unfinished
            if self.text.startswith(("{{", "}}", "\\"), self.at):
                pieces.append(self._taken(self.at + 2))
            elif self.text[self.at] == "{":
                pieces.append(self._field(around))
            else:
                pieces.append(self._taken(self.at + 1))
        self.at += len(quote)
        return pieces

    def _field(self, around: tuple[str, ...]) -> str:
        """A replacement field in braces: an expression and its format."""
        pieces = [self._taken(self.at + 1)]
        depth = 0
        while depth or self.text[self.at : self.at + 1] != "}":
            sign = self.text[self.at : self.at + 1]
            if not sign:
                raise _Unfinished
            if not depth and (sign == ":" or _CONVERSION.match(self.text, self.at)):
                pieces.append(self._shape(around))
                break
            depth += (sign in _OPEN) - (sign in _CLOSED)
            opening = _OPENING.match(self.text, self.at)
            pieces.append(self._string(around) if opening and opening["quote"] else self._taken(self.at + 1))
        return "".join((*pieces, self._taken(self.at + 1)))

    def _shape(self, around: tuple[str, ...]) -> str:
        """The format of a field, up to its closing brace."""
        pieces: list[str] = []
        while self.text[self.at : self.at + 1] != "}":
            if self.at >= len(self.text):
                raise _Unfinished
            pieces.append(self._field(around) if self.text[self.at] == "{" else self._taken(self.at + 1))
        return "".join(pieces)


def _reads_as_before(changed: str, plain: str, prefix: str, quote: str, inside: str) -> bool:
    """True if an f-string is already valid in Python 3.11."""
    inner = changed[len(prefix) + len(inside) : -len(inside)]
    unchanged = inner == plain[len(prefix) + len(quote) : -len(quote)]
    return unchanged and (inside == quote or (quote not in inner and "\n" not in inner))


def _quoted(content: str, quote: str, around: tuple[str, ...]) -> str:
    """A string with quotes that Python 3.11 accepts, which forbids backslashes inside fields."""
    if "\\" in content:
        content = content.replace("\\", "")
    return (content.join((quote, quote))) if _allowed(quote, content, around) else _other(content, around)


def _other(content: str, around: tuple[str, ...]) -> str:
    quote = _fitting(around, content)
    return f"{quote}{content}{quote}"


def _fitting(around: tuple[str, ...], content: str) -> str:
    """The first quote that is free at this place."""
    found = next((quote for quote in _QUOTES if _allowed(quote, content, around)), None)
    if found is None:
        raise _Unfinished
    return found


def _allowed(quote: str, content: str, around: tuple[str, ...]) -> bool:
    free = all(outer not in quote and outer not in content for outer in around)
    return free and quote not in around and quote[0] not in content

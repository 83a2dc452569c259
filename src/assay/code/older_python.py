"""Rewrite simple Python 2 syntax as Python 3. Every line keeps its number."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.patterns import regex

_BEFORE = r"^([ \t]*(?:[^\s#'\"][^\n#'\"]{0,200}[:;][ \t]{0,20})?)"
_PRINT = regex(_BEFORE + r"print(?:[ \t]*>>[ \t]*[\w.]+[ \t]*,?|[ \t]+(?![=(.])|[ \t]*$|(?=['\"]))(.*)$")
_TEXT = r"(?P<long>'{3}|\"{3})(?:\\.|[^\\])*?(?P<end>(?P=long)|\Z)|'(?:\\.|[^'\\\n])*'?|\"(?:\\.|[^\"\\\n])*\"?"
"""A string, closed or not, so that each character is examined once."""
_STRING = regex(_TEXT, re.DOTALL)
_COMMENT = regex(r"#[^\n]*")
_SIGNS = regex(
    _TEXT
    + r"|#[^\n]*|(?<![\w.])0(?P<octal>[0-7]{1,20})\b(?![.\w])"
    + r"|\b(?P<whole>0[xX][0-9a-fA-F]{1,40}|[0-9]{1,40})[lL]\b|(?P<unequal><>)",
    re.DOTALL,
)
"""Python 2 numbers and operators, and the strings and comments in which they do not count."""
_MOST_LINES, _MOST_SIGNS, _LONG_LINE = 60, 20_000, 1_000
"""No statement that prints is longer; and on longer lines no second one is looked for."""
_OUTDATED = (
    (
        "except",
        r"^([ \t]*except[ \t]+[^\n:,()]{1,200}|[ \t]*except[ \t]*\([^\n:()]{1,200}\)),[ \t]*(\w+)[ \t]*:",
        r"\1 as \2:",
    ),
    ("raise", r"^([ \t]*raise[ \t]+[\w.]+)[ \t]*,[ \t]*(.+)$", r"\1(\2)"),
    ("exec", r"^([ \t]*)exec[ \t]+(?![=(])(\S.*)$", r"\1exec(\2)"),
    ("", r"\b[uU][rR](?=['\"])", "r"),
    ("\\", r"(?<!\\)\\(?=U(?![\da-fA-F]{8})|u(?![\da-fA-F]{4})|N(?!\{)|x(?![\da-fA-F]{2}))", r"\\\\"),  # "C:\Users"
    ("async", r"\basync\b(?=[ \t]*[=,):])", "async_"),  # a name until Python 3.6, as in `cuda(async=True)`
)
"""A word without which the pattern need not be looked for, the pattern, and what stands there today. Patterns are
compiled when first needed, by `re` itself, which keeps them."""


def modernised(text: str) -> str:
    """The commonest Python 2 idioms in Python 3, with tabs normalised."""
    text = "\n".join(_printed(text.split("\n")))
    for word, pattern, instead in _OUTDATED:
        if word in text:
            text = re.sub(pattern, instead, text, flags=re.MULTILINE)
    text = _SIGNS.sub(_sign, text)
    return re.sub(r"^[ \t]+", lambda m: m[0].expandtabs(8), text, flags=re.MULTILINE) if "\t" in text else text


def _sign(found: re.Match[str]) -> str:
    """A number or operator in Python 3 syntax; strings and comments are unchanged."""
    if found["octal"]:
        return f"0o{found['octal']}"
    return found["whole"] or ("!=" if found["unequal"] else found[0])


def _printed(lines: list[str]) -> Iterator[str]:
    """Every `print x` as `print(x)`, including statements that span lines or end at a semicolon."""
    number = 0
    while number < len(lines):
        rest, done = lines[number], ""
        number += 1
        while found := _PRINT.match(rest):
            words, last = found[2], min(len(lines), number + _MOST_LINES)
            while _goes_on(bare := _bare(words)) and number < last and len(words) < _MOST_SIGNS:
                words += "\n" + lines[number]
                number += 1
            end = _end(bare)
            done += f"{found[1]}print({words[:end].rstrip()}){words[end : end + 1]}"
            rest = words[end + 1 :]
            if bare[end : end + 1] != ";" or len(rest) > _LONG_LINE:
                break
        yield done + rest


def _bare(words: str) -> str:
    """The text with strings and comments masked at equal length; a long string may stay open."""
    return _COMMENT.sub(lambda m: " " * len(m[0]), _STRING.sub(_blotted, words))


def _blotted(string: re.Match[str]) -> str:
    is_open = string["long"] and not string["end"]
    return string["long"] + "s" * (len(string[0]) - 3) if is_open else "s" * len(string[0])


def _goes_on(bare: str) -> bool:
    """True if a bracket or long string is open, or the line ends in a backslash."""
    is_open = sum(map(bare.count, "([{")) > sum(map(bare.count, ")]}"))
    return is_open or "'" * 3 in bare or '"' * 3 in bare or bare.rstrip(" ").endswith("\\")


def _end(bare: str) -> int:
    """The end of the statement: a semicolon outside brackets, or the last comment."""
    depth = 0
    for place, sign in enumerate(bare):
        depth += (sign in "([{") - (sign in ")]}")
        if sign == ";" and depth <= 0:
            return place
    return len(bare.rstrip())

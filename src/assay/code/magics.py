"""IPython's own syntax (magics, shell lines, help). Each use becomes a fact and a `pass`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field

from assay.findings import Location
from assay.patterns import regex
from assay.records import dataclass

PYTHON_BODY = frozenset(
    {
        "time", "timeit", "capture", "prun", "px", "memit", "mprun", "lprun", "debug", "python", "python3", "wandb",
        "snakeviz", "heat", "pyinstrument", "notify", "local", "spark", "sql_python", "scalene", "memray_flamegraph",
    }
)  # fmt: skip
"""Cell magics that run the rest of the cell as Python."""
_SHELL = frozenset({"!", "!!", "bash", "sh", "shell", "system", "sx", "cmd", "script"})
_INSTALLERS = frozenset({"pip", "pip3", "conda", "mamba", "micromamba", "uv"})
_AUTOMATIC = r"(?:pip3?|conda|mamba|ls|cd|cat|mkdir|rmdir|rm|cp|mv|ll|man|matplotlib)"
_AUTOMATIC_LINE = regex(rf"^[ \t]*{_AUTOMATIC}[ \t]+[^=\s(.,:]", re.MULTILINE)
_LINE = regex(
    r"(?P<indent>[ \t]*)(?:"
    r"(?P<target>[A-Za-z_][\w,.\[\]]{0,100}[ \t]*=[ \t]*)?(?P<mark>!!?|%{1,2})[ \t]*(?P<text>[^\s=].*)"
    r"|(?P<help>\?{1,2}[\w.%*]+|[%\w.*\[\]()'\"]+\?{1,2})[ \t]*;?"
    rf"|(?P<automatic>{_AUTOMATIC}[ \t]+[^=\s(.,:].*))"
)
_TOKEN = regex(r"#.*|\"\"\"|'''|\"(?:\\.|[^\"\\])*+\"?|'(?:\\.|[^'\\])*+'?|[()\[\]{}]")
"""A comment, a bracket or a string; an unclosed string extends to the end of the line."""


@dataclass(frozen=True, slots=True)
class Magic:
    """One use of IPython's own syntax; `name` is "!" for a shell line and "?" for help."""

    name: str
    text: str
    location: Location
    body: str = ""
    """The rest of the cell, if the magic does not run it as Python."""

    @property
    def shell(self) -> str:
        """The shell commands of the magic; empty for other magics."""
        if self.name in _INSTALLERS:
            return f"{self.name} {self.text}"
        return (self.body or self.text) if self.name in _SHELL else ""


def neutralised(text: str, path: str, cell: int | None = None) -> tuple[str, list[Magic]]:
    """The text as plain Python with the same number of lines, and the magics it contained."""
    if not any(mark in text for mark in "%!?") and not _AUTOMATIC_LINE.search(text):
        return text, []
    lines = text.split("\n")
    found: list[Magic] = []
    number = next((i for i, line in enumerate(lines) if line.strip()), 0)
    if lines[number].startswith("%%"):
        name, _, rest = lines[number].removeprefix("%%").strip().partition(" ")
        location = Location(path, number + 1, 1, cell=cell)
        if name not in PYTHON_BODY:
            body = "\n".join(lines[number + 1 :])
            return "\n" * (len(lines) - 1), [Magic(name, rest.strip(), location, body)]
        found.append(Magic(name, rest.strip(), location))
        lines[number] = ""
    found += (_replaced(lines, start, match, path, cell) for start, match in _line_magics(lines, number))
    return "\n".join(lines), found


def _line_magics(lines: list[str], number: int) -> Iterator[tuple[int, re.Match[str]]]:
    """The lines from `number` on that IPython reads instead of Python. The caller may replace them meanwhile."""
    place = _Place()
    last = max((i for i, line in enumerate(lines) if _LINE.fullmatch(line)), default=-1)
    while number <= last:  # whether a line stands in a string or in brackets is asked only where it may be a magic
        if place.at_statement and (match := _LINE.fullmatch(lines[number])):
            end = _end_of_magic(lines, number)
            yield number, match
            number = end
        else:
            place.pass_over(lines[number])
            number += 1


def _end_of_magic(lines: list[str], start: int) -> int:
    end = start + 1
    while lines[end - 1].endswith("\\") and end < len(lines):
        end += 1
    return end


def _replaced(lines: list[str], start: int, match: re.Match[str], path: str, cell: int | None) -> Magic:
    """Replace the magic that begins in this line with Python, and return it."""
    end = _end_of_magic(lines, start)
    magic = _magic(match, lines[start:end], Location(path, start + 1, len(match["indent"]) + 1, cell=cell))
    instead = f"{match['target']}None" if match["target"] else _timed(match, end - start) or "pass"
    lines[start:end] = [match["indent"] + instead, *[""] * (end - start - 1)]
    return magic


def _magic(match: re.Match[str], lines: list[str], location: Location) -> Magic:
    if match["help"]:
        return Magic("?", match["help"].strip("?"), location)
    first = match["text"] or match["automatic"]
    whole = " ".join(line.removesuffix("\\").strip() for line in [first, *lines[1:]])
    if match["mark"] and match["mark"].startswith("!"):
        return Magic("!", whole, location)
    name, _, rest = whole.partition(" ")
    return Magic(name, rest.strip(), location)


def _timed(match: re.Match[str], lines: int) -> str:
    """The statement that `%time` runs, as in `%time model.fit(X, y)`; empty for other magics."""
    name, _, statement = (match["text"] or "").partition(" ")
    return statement.strip() if match["mark"] == "%" and name == "time" and lines == 1 else ""


@dataclass(slots=True)
class _Place:
    """Tracks whether the next line begins a statement or continues a string, a bracket or a backslash."""

    depth: int = 0
    quotes: str = ""
    carried: bool = field(default=False)

    @property
    def at_statement(self) -> bool:
        return not self.depth and not self.quotes and not self.carried

    def pass_over(self, line: str) -> None:
        spot = 0
        while 0 <= spot < len(line):
            spot = self._end_of_string(line, spot) if self.quotes else self._after_token(line, spot)
        if not self.quotes:
            self.carried = line.endswith("\\")

    def _end_of_string(self, line: str, spot: int) -> int:
        """The end of the enclosing string; -1 if it continues on the next line."""
        end = line.find(self.quotes, spot)
        if end < 0:
            return -1
        self.quotes = ""
        return end + 3

    def _after_token(self, line: str, spot: int) -> int:
        """The end of the next quote or bracket; -1 if there is none."""
        match = _TOKEN.search(line, spot)
        if match is None:
            return -1
        if (sign := match[0]) in {'"""', "'''"}:
            self.quotes = sign
        elif sign in "([{":
            self.depth += 1
        elif sign in ")]}":
            self.depth = max(0, self.depth - 1)
        return match.end()

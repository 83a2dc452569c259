"""Shell commands as READMEs write them: prompts, continued lines, chains, variables and placeholders."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field

from assay.patterns import regex
from assay.records import dataclass

_PROMPT = regex(
    r"[ \t]*(?:(?:\([\w .-]{1,30}\)[ \t]*)?"
    r"(?:[\w.-]{1,30}@[\w.-]{1,40}[:~][^\s$#%]{0,80})?[$%\u276f\u279c](?=[ \t])[ \t]*|"
    r">(?![>=])[ \t]+|C:\\[^>\n]{0,80}>[ \t]*|!(?=[a-z])|In ?\[\d*\]:[ \t]*!?|\d{1,2}[.)][ \t]+)?"
)
_ANGLED = regex(r"<(/?[A-Za-z][^<>|&;\n]{0,60})>")
_SPACED = regex(r"(?<![$\w])(?:\[([\w.][^\[\]\n]{0,60} [^\[\]\n]{0,60})\]|\{([A-Za-z][^{};\n]{0,60} [^{};\n]{0,60})\})")
"""Words in brackets that describe what to put there: `[checkpoint file]`, `[10, 20, 50]`."""
_ALTERNATIVES = regex(r"[\[<{]([\w./-]{1,60}(?: ?\| ?[\w./-]{1,60}){1,12})[\]>}]")
"""Values to choose from: `[small|large]`."""
_BRACKETED = regex(r"(?<!\S)\[(-{1,2}[A-Za-z][^\[\]\n]{0,80})\](?!\S)")
_STREAM = regex(r"<\([^()\n]{0,300}\)")
"""The output of another command, given as a file: `<(cut -f1 words.txt)`."""
_ASSIGNMENT = regex(r"[A-Za-z_]\w{0,60}=.*", re.DOTALL)
_CONTINUES = regex(r"[ \t]*-{1,2}[A-Za-z]")
_SKETCH = regex(
    r"\$(?:[@*]|\{[@*][^}]{0,20}\})|\.\.\.|…|\[(?:options|args|OPTIONS|ARGS|flags)[^\]]{0,20}\]|\x02(?:args|options|flags|other)[^\x03]{0,30}\x03",
    re.IGNORECASE,
)
_TOKEN = regex(
    r"(?P<comment>(?<!\S)\#)|(?P<redirection>[12&]?>{1,2}(?:&[12])?|<{1,3})|(?P<end>&&|\|\||[;|&\n])|[()]|"
    r"(?P<word>(?:\\.|\"[^\"]*\"|'[^']*'|[^\s;|&<>()\\\"']|(?<=[^\s;|&<>])[()]|[\"'\\])+)"
)
_QUOTED = regex(r"\\(\W)|\"([^\"]*)\"|'([^']*)'|[\"']")
_VARIABLE = regex(r"\$(?:([A-Za-z_]\w{0,60})|\{([A-Za-z_]\w{0,60})\}|\{([A-Za-z_]\w{0,60}):[-=]([^${}]{0,100})\})")
_DEFAULT = regex(r"\$\{([A-Za-z_]\w{0,60}):=([^${}]{0,100})\}")
"""An expansion that sets the variable where nobody has."""
_COMPUTED = regex(r"[`*?{}~]|\$")
_DOCUMENT = regex(r"(<<-?[ \t]{0,3}[\"']?(\w{1,40})[\"']?[^\n]{0,200})\n(?:.*\n){0,2000}?[ \t]*\2[ \t]*(?=\n|$)")
_CLOSING = frozenset({"done", "fi", "esac", "}"})
"""Words that end what a shell repeats or chooses, never arguments on a line of their own."""
_KEYWORDS = frozenset({"do", "then", "else", "{", "(", "!", "time"})
_LONGEST = 4000
_MOST_JOINED = 60
_MOST_WORDS = 400
_MOST_VALUES = 12
"""Of a loop, so many values are followed."""
PLACEHOLDER = regex(
    r"[\x02\x03${}*?`]|\.\.\.|…|path[/_-]?(?:to|of)\b|path[/_-]?to|/path|your[_-]|\byour\b|[xX]{3,}|^[A-Z][A-Z_\d]{2,}$|TODO|\[.*\]|/PATH|_here\b|"
    r"PATH[_/]|^(?:path|dir|file|folder|name|value)$|(?:^|[/_-])[a-z]+_name\b|\bname_of|(?:^|/)[A-Z]\.\w+$|_my_|^my_|/my_",
)
"""A word that stands for another one."""


@dataclass(frozen=True, slots=True)
class Written:
    """One simple command: its words without variables in front, and the line it begins on."""

    words: tuple[str, ...]
    line: int
    text: str
    sketch: bool
    """Something was left out by the writer: dots, or options in brackets."""


@dataclass(slots=True)
class Variables:
    """What a shell's variables stand for, as far as the text says: one value, or those of a loop."""

    known: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def note(self, words: list[str]) -> None:
        """Remember `NAME=value`, `export NAME=value` and `for NAME in a b c`; a value that is computed is forgotten."""
        rest = words[1:] if words[:1] in (["export"], ["local"], ["declare"], ["set"], ["do"]) else words
        if rest[:1] == ["for"] and rest[2:3] == ["in"] and len(rest) > 3:
            self._set(rest[1], tuple(rest[3 : 3 + _MOST_VALUES]))
        elif rest and all(_ASSIGNMENT.fullmatch(word) for word in rest):
            for word in rest:
                name, _, value = word.partition("=")
                self._set(name, (value,))
        for name, value in (pair for word in words for pair in _DEFAULT.findall(word)):
            if name not in self.known:
                self._set(name, (value,))

    def _set(self, name: str, values: tuple[str, ...]) -> None:
        plain = tuple(self._substituted(value, 0) for value in values)
        if any(_COMPUTED.search(value) or is_placeholder(value) for value in plain):
            self.known.pop(name, None)
        else:
            self.known[name] = plain

    def expanded(self, words: list[str]) -> Iterator[tuple[str, ...]]:
        """The command with the values put in: once for each value of the longest loop that it uses."""
        if not any("$" in word for word in words):
            yield tuple(words)
            return
        used = {name for word in words for name in _names_in(word) if name in self.known}
        rounds = max((len(self.known[name]) for name in used), default=1)
        for turn in range(rounds):
            yield tuple(part for word in words for part in self._parts(word, turn))

    def _parts(self, word: str, turn: int) -> list[str]:
        """A word with its values put in; a variable that stands alone may hold several words, as in `$OPTIONS`."""
        value = self._substituted(word, turn)
        return value.split() if value != word and _VARIABLE.fullmatch(word) else [value]

    def _substituted(self, word: str, turn: int) -> str:
        def value(match: re.Match[str]) -> str:
            name = match[1] or match[2] or match[3]
            found = self.known.get(name, (match[3 + 1],) if match[4] is not None else ())
            return found[min(turn, len(found) - 1)] if found else match[0]

        return _VARIABLE.sub(value, word) if "$" in word else word


def _names_in(word: str) -> Iterator[str]:
    return (match[1] or match[2] or match[3] for match in _VARIABLE.finditer(word))


def is_placeholder(word: str) -> bool:
    """Whether a reader is meant to put something else in its place."""
    return PLACEHOLDER.search(word) is not None


def read_commands_of(text: str, line: int, variables: Variables | None = None) -> Iterator[Written]:
    """Every simple command of a block of code that begins on this line; `variables` are those set before it."""
    known = Variables() if variables is None else variables
    for number, whole in _logical_lines(_without_documents(text), line):
        plain = _ALTERNATIVES.sub("\x02alternatives\x03", _STREAM.sub("\x02stream\x03", whole))
        plain = _SPACED.sub(_one_word, _ANGLED.sub("\x02\\1\x03", plain))
        sketch = bool(_SKETCH.search(plain) or _BRACKETED.search(plain))
        plain = _BRACKETED.sub(r"\1", plain)
        for words in _split(plain):
            known.note(words)
            named = _without_variables(words)
            expanded = known.expanded(named[:_MOST_WORDS]) if named else ()
            for version in filter(None, expanded):  # an empty variable alone is no command
                yield Written(version, number, " ".join(whole.split()), sketch)


def _one_word(described: re.Match[str]) -> str:
    return "\x02" + "_".join((described[1] or described[2]).split()) + "\x03"


def _without_documents(text: str) -> str:
    """The text with the bodies of here-documents blanked: they are input, not commands."""
    return _DOCUMENT.sub(lambda m: m[1] + "\n" * m[0].count("\n", len(m[1])), text) if "<<" in text else text


def _logical_lines(text: str, line: int) -> Iterator[tuple[int, str]]:
    """Lines without prompts and comments; what a backslash or an option at the beginning continues is joined."""
    parts: list[str] = []
    start, open_end = line, False
    for number, raw in enumerate(text.replace("\u00a0", " ").split("\n"), line):
        bare = raw[:_LONGEST].rstrip()
        goes_on = bare.strip() not in {"", *_CLOSING} and (open_end or _CONTINUES.match(bare) is not None)
        if parts and goes_on and len(parts) < _MOST_JOINED:
            piece = bare.strip()
        else:
            if parts:
                yield start, " ".join(parts)
            prompt = _PROMPT.match(bare)
            piece, parts, start = _bare(bare[prompt.end() if prompt else 0 :].strip()), [], number
        open_end = piece.endswith(("\\", "^")) and not piece.endswith("\\\\")
        if piece.startswith("#"):
            open_end = open_end or bool(parts)
            continue
        piece = piece.rstrip("\\^").rstrip() if open_end else piece
        if piece:
            parts.append(piece)
    if parts:
        yield start, " ".join(parts)


def _bare(piece: str) -> str:
    """A line without the marks of code that some writers put around it inside a block."""
    marked = len(piece) > 2 and piece[0] == piece[-1] == "`" and "`" not in piece[1:-1]
    return piece[1:-1].strip() if marked else piece


def _split(text: str) -> Iterator[list[str]]:
    """The words of each command of a chain; quotes hold together, redirections and comments fall away."""
    words: list[str] = []
    redirected = False
    for match in _TOKEN.finditer(text):
        kind, token = match.lastgroup, match[0]
        if kind == "comment":
            break
        if kind == "end":
            yield words
            words, redirected = [], False
        elif kind == "redirection":
            redirected = not token.endswith(("&1", "&2"))
        elif kind == "word":
            if not redirected:
                words.append(
                    _QUOTED.sub(lambda m: m[1] or m[2] or m[3] or "", token.rstrip(")") if "(" not in token else token)
                )
            redirected = False
    yield words


def _without_variables(words: list[str]) -> list[str]:
    start = 0
    while start < len(words) and (words[start] in _KEYWORDS or _ASSIGNMENT.fullmatch(words[start])):
        start += 1
    return words[start:]

"""What manifests, classifiers, badges, the README and source headers say about the licence."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from enum import StrEnum
from itertools import takewhile
from typing import Any

from assay.code import Code, calls
from assay.findings import Location
from assay.patterns import regex
from assay.records import dataclass
from assay.repository.licence.matches import identify
from assay.repository.licence.names import named_licences
from assay.repository.readme import readme_files
from assay.repository.readme.choice import is_readme
from assay.tree import File, Tree
from assay.tree.toml import tables_of

_README = regex(r"readme(?:\.(?:md|rst|txt|markdown))?", re.IGNORECASE)
_OF_ARTEFACTS = regex(r"data|corpus|model|weight", re.IGNORECASE)
_OF_CODE = regex(r"code|software|repository|project|package|work|implementation|librar", re.IGNORECASE)
_CLASSIFIER = regex(r"License :: (?:OSI Approved(?: :: )?|Other/)?([^\n\"',]*)")
_BADGE = regex(
    r"shields\.io/badge/(?:[^\s)\"'>]{0,60}?)licen[cs]e[-_:% \w]{0,20}?[-:]([^\s)\"'>]{1,60})", re.IGNORECASE
)
_BADGE_TEXT = regex(r"!\[(?:[^\]\n]{0,40})licen[cs]e:?[ ]?([^\]\n]{1,40})\]\(", re.IGNORECASE)
_HEADING = regex(
    r"(?:#{1,6}[ \t]*.{0,30}?|\*\*|<h\d>)?\b(?:licen[cs](?:e|es|ing)|copyright)\b[^a-z]{0,30}", re.IGNORECASE
)
_UNDERLINE = regex(r"[=\-~^\"'*]{3,}[ \t]*")
_ANY_HEADING = regex(r"#{1,6}[ \t]+\S|<h\d>")
_SENTENCE = regex(
    r"\b(?:licen[cs]ed|released|distributed|available)\s+under\s+([^\n]{3,160}(?:\n[^\n]{0,80})?)", re.IGNORECASE
)
_OF_THE_CODE = regex(
    r"^[ \t>*+-]{0,10}(?:source )?code[*_]{0,2}[ \t]*[:|–-][ \t*_]{0,4}([^\n]{2,120})", re.IGNORECASE | re.MULTILINE
)
"""`- Code: MIT`, beside the terms of the data."""
_BLANK = regex(r"\[(?:add|insert|choose|specify|put|your|enter)\b[^\]\n]{0,200}\](?!\()", re.IGNORECASE)
"""What a template leaves to be filled in."""
_IDENTIFIER = regex(r"SPDX-License-Identifier:[ \t]*([\w .+()-]{2,100})")
_COMMENTED = regex(
    r"^[ \t]*(?:#|//|\*|%)[^\n]{0,80}\b(?:licen[cs]ed|released) under ([^\n]{3,100})", re.IGNORECASE | re.MULTILINE
)
"""A comment about the whole file, above its code."""
_KEYED = regex(r"^[ \t\"']*licen[cs]e[\"']?[ \t]*[:=][ \t]*(.{1,200}?)[ \t,]{0,20}$", re.IGNORECASE | re.MULTILINE)
_FRONT = regex(r"\A\ufeff?---[ \t]*\n(?P<matter>(?:[^\n]{0,300}\n){1,60}?)---")
"""What stands above a page for the place that shows it."""
_TERMS = regex(
    r"\b(?:permi(?:t|tted|ssion)|allowed|non-?commercial(?:ly)?|commercial use|public domain|freely|"
    r"free (?:to (?:use|copy|re-?use|share|modify|adapt|fork|clone|(?:re)?distribute)|for|of charge|software)|"
    r"all rights reserved|open[- ]sourced?|(?:academic|research|educational|personal|private|internal)"
    r"(?:(?:,|/|,? and|,? or) \w{1,15}){0,3} (?:use|usage|purposes?))\b",
    re.IGNORECASE,
)
"""Words that state terms where the heading already says that this is about the licence."""
_SENTENCE_END = regex(r"(?<=[.!?;])\s+|\n\s*\n|\n(?=[ \t]*[-*+#|])")
_WHOLE_TEXT = regex(
    r"permission\s+(?:is\s+hereby\s+granted|to\s+use,\s+copy)|redistribution\s+and\s+use\s+in\s+source", re.IGNORECASE
)
"""How the short licences begin, whose text some put into the README."""
_AROUND = (500, 4000)
_PACKAGES = frozenset({"setup.py", "setup.cfg", "pyproject.toml"})
_BY_DEFAULT = ("ISC",)
"""What `npm init` writes down unasked."""
_SECTION_LINES = 15
_LONGEST_HEADING = 80
_HEADER_BYTES = 2000
_MOST_CHARACTERS = 1_000_000


class StatementKind(StrEnum):
    """Where a statement about the licence stands."""

    MANIFEST = "manifest"
    CLASSIFIER = "classifier"
    CITATION = "citation"
    BADGE = "badge"
    README = "readme"
    HEADER = "header"


_KEYED_FILES = {
    "setup.cfg": StatementKind.MANIFEST,
    "package.json": StatementKind.MANIFEST,
    "description": StatementKind.MANIFEST,
    "meta.yaml": StatementKind.MANIFEST,
    "citation.cff": StatementKind.CITATION,
    "codemeta.json": StatementKind.CITATION,
    ".zenodo.json": StatementKind.CITATION,
}
"""Files that say `license = MIT`, `License: MIT + file LICENSE` or `"license": "MIT"`."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement as it stands; `licences` are SPDX identifiers or families such as "BSD".

    Terms in the authors' own words, such as "for academic use only", have no `licences`.
    """

    kind: StatementKind
    text: str
    licences: tuple[str, ...]
    location: Location


def read_statements(tree: Tree, code: Code) -> Iterator[Statement]:
    """Every statement that names a licence, in the root's own files; else of the package right below it.

    A README for a language or for some readers speaks where no other file does.
    """
    for files in (_at_the_root(tree), _further_readmes(tree), _packages_below(tree, code)):
        if found := [one for file in files for one in _from_file(file, code)]:
            yield from found
            break
    yield from _from_headers(tree, code)


def _at_the_root(tree: Tree) -> list[File]:
    """The files of the root; the first README of a folder speaks where the root has none."""
    files = [file for file in tree.directly_in("") if _README.fullmatch(file.name) or not is_readme(file.name)]
    return files if any(is_readme(file.name) for file in files) else [*files, *readme_files(tree)[:1]]


def _further_readmes(tree: Tree) -> list[File]:
    """READMEs of the root beside the first, such as one for users; those of data have terms of their own."""
    return [
        f for f in readme_files(tree) if not (f.folder or _README.fullmatch(f.name) or _OF_ARTEFACTS.search(f.name))
    ]


def _packages_below(tree: Tree, code: Code) -> list[File]:
    below = (f for f in tree.own if f.path.count("/") == 1 and f.name.lower() in _PACKAGES)
    return [file for file in below if _has_most(file.folder, code)]


def _has_most(folder: str, code: Code) -> bool:
    """Whether a folder has half of the code or more."""
    return 2 * sum(source.path.startswith(folder + "/") for source in code.own) >= len(code.own)


def _from_file(file: File, code: Code) -> Iterator[Statement]:
    name = file.name.lower()
    if name == "setup.py":
        yield from _from_setup(file, code)
    elif name == "pyproject.toml":
        yield from _from_pyproject(file)
    elif name in _KEYED_FILES:
        stated = _keyed(file, _KEYED_FILES[name])
        yield from (one for one in stated if name != "package.json" or one.licences != _BY_DEFAULT)
    elif is_readme(name):
        yield from _from_readme(file)
    if name == "setup.cfg":
        yield from _classifiers(file)


def _statement(kind: StatementKind, text: str, file: File, line: int | None) -> Iterator[Statement]:
    shown = " ".join(text.split())[:200]
    names = named_licences(shown)
    if names:
        yield Statement(kind, shown, names, Location(file.path, line))


def _line_of(text: str, spot: int) -> int:
    """The number of the line that a place in a text is on."""
    return text.count("\n", 0, spot) + 1


def _from_pyproject(file: File) -> Iterator[Statement]:
    text = file.text()
    data = tables_of(file)
    places = [m.start() for m in re.finditer(r"^[ \t]*licen[cs]e\b", text, re.MULTILINE)]
    line = _line_of(text, places[0]) if places else None
    for value in (_inside(data, "project", "license"), _inside(data, "tool", "poetry", "license")):
        stated = value.get("text") or value.get("name") if isinstance(value, dict) else value
        if isinstance(stated, str):
            yield from _statement(StatementKind.MANIFEST, stated.partition("\n")[0], file, line)
    yield from _classifiers(file)


def _inside(data: Any, *keys: str) -> Any:
    for key in keys:
        data = data.get(key) if isinstance(data, dict) else None
    return data


def _classifiers(file: File) -> Iterator[Statement]:
    text = file.text()
    for match in _CLASSIFIER.finditer(text):
        yield from _statement(StatementKind.CLASSIFIER, match[1], file, _line_of(text, match.start()))


def _keyed(file: File, kind: StatementKind) -> Iterator[Statement]:
    """`license = MIT`, `License: MIT + file LICENSE`, `"license": "MIT"`."""
    text = file.text()[:_MOST_CHARACTERS]
    for match in _KEYED.finditer(text):
        yield from _statement(kind, match[1].strip("\"' "), file, _line_of(text, match.start()))


def _from_setup(file: File, code: Code) -> Iterator[Statement]:
    source = code.source(file.path)
    if source is None or source.tree is None:
        return
    for call in calls(source):
        if call.name.rpartition(".")[2] == "setup":
            yield from _from_arguments(call.node, file)
    for constant in source.nodes(ast.Constant):
        if isinstance(constant.value, str) and (match := _CLASSIFIER.match(constant.value)):
            yield from _statement(StatementKind.CLASSIFIER, match[1], file, constant.lineno)


def _from_arguments(call: ast.Call, file: File) -> Iterator[Statement]:
    for value in (keyword.value for keyword in call.keywords if keyword.arg == "license"):
        if isinstance(value, ast.Constant) and value.value:
            yield from _statement(StatementKind.MANIFEST, str(value.value), file, value.lineno)


def _from_readme(file: File) -> Iterator[Statement]:
    text = _BLANK.sub("", file.text()[:_MOST_CHARACTERS])
    for match in (*_BADGE.finditer(text), *_BADGE_TEXT.finditer(text)):
        yield from _statement(StatementKind.BADGE, match[1].replace("--", "-"), file, _line_of(text, match.start()))
    for line, section in _licence_sections(text.split("\n")):
        ours = _OF_THE_CODE.search(section)
        yield from _statement(StatementKind.README, ours[1] if ours else section, file, line)
    for match in (m for m in _SENTENCE.finditer(text) if not _is_about_artefacts(text, m.start())):
        yield from _statement(StatementKind.README, match[1], file, _line_of(text, match.start()))
    front = _FRONT.match(text)
    for match in _KEYED.finditer(front["matter"]) if front else ():
        yield from _statement(StatementKind.README, match[1].strip("\"' "), file, 1 + _line_of(text, match.start()))
    begun = _WHOLE_TEXT.search(text)
    if begun is not None:
        passage = text[max(0, begun.start() - _AROUND[0]) : begun.start() + _AROUND[1]]
        names = tuple(dict.fromkeys(match.spdx for match in identify(passage)))
        if names:
            place = Location(file.path, _line_of(text, begun.start()))
            yield Statement(StatementKind.README, " ".join(begun[0].split()), names, place)


def _is_about_artefacts(text: str, spot: int) -> bool:
    """Whether the paragraph before a place is about data or weights alone: they may have terms of their own."""
    before = text[text.rfind("\n\n", 0, spot) + 1 : spot]
    return _OF_ARTEFACTS.search(before) is not None and not _OF_CODE.search(before)


def _licence_sections(lines: list[str]) -> Iterator[tuple[int, str]]:
    """The first lines below each heading about the licence, with the number of the heading's line."""
    for i, line in enumerate(lines):
        underlined = i + 1 < len(lines) and _UNDERLINE.fullmatch(lines[i + 1]) is not None
        marked = underlined or line.strip()[:1] in "#*<"
        if marked and len(line) < _LONGEST_HEADING and _HEADING.fullmatch(line.strip()):
            below = lines[i + 1 + underlined : i + 1 + _SECTION_LINES]
            yield i + 1, "\n".join(takewhile(lambda later: not _ANY_HEADING.match(later), below))


def unnamed_terms(tree: Tree) -> Iterator[Statement]:
    """Terms in the authors' own words, in the README's section about the licence: no licence, but not nothing."""
    readmes = readme_files(tree)
    for file in [f for f in readmes if not f.folder] or readmes[:1]:
        for line, section in _licence_sections(_BLANK.sub("", file.text()[:_MOST_CHARACTERS]).split("\n")):
            sentences = (" ".join(one.split()) for one in _SENTENCE_END.split(section))
            if terms := next((one for one in sentences if _TERMS.search(one)), ""):
                yield Statement(StatementKind.README, terms[:200], (), Location(file.path, line))
                return


def _from_headers(tree: Tree, code: Code) -> Iterator[Statement]:
    """The first SPDX tag of each kind in the sources' own headers, and a sentence that most of them share.

    A sentence in the header of one file may be of the project that the file was taken from.
    """
    files = [file for s in code.own if s.notebook is None and (file := tree.get(s.path)) is not None and file.size]
    heads = [(file, file.head(_HEADER_BYTES).decode("latin-1")) for file in files]
    tags: dict[tuple[str, ...], Statement] = {}
    sentences: dict[tuple[str, ...], list[Statement]] = {}
    for file, head in heads:
        for statement in _in_header(_IDENTIFIER, file, head):
            tags.setdefault(statement.licences, statement)
        for statement in _in_header(_COMMENTED, file, head):
            sentences.setdefault(statement.licences, []).append(statement)
    yield from tags.values()
    yield from (several[0] for several in sentences.values() if 2 * len(several) >= len(files) > 1)


def _in_header(wanted: re.Pattern[str], file: File, head: str) -> Iterator[Statement]:
    match = wanted.search(head)
    if match is not None:
        yield from _statement(StatementKind.HEADER, match[1], file, _line_of(head, match.start()))

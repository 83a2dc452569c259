"""Terms in the authors' own words, as in "feel free to use this code": neither a licence nor nothing at all."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.code import Code
from assay.findings import Location
from assay.patterns import regex
from assay.repository.licence.statements import (
    HEADER_BYTES,
    Statement,
    StatementKind,
    filled_in,
    licence_sections,
    line_of,
)
from assay.repository.readme import readme_files
from assay.tree import File, Tree

_WORK = r"(?:code(?:base)?|repo(?:sitory)?|project|software|implementation|scripts?|package|program|toolbox|work)"
_OTHER_WORDS = r"(?:(?:,|/|,? and|,? or)? [\w-]{1,15}){0,4}?"
_TO_THE_WORK = rf"{_OTHER_WORDS} (?:this|the|my|our|these)(?: [\w-]{{1,15}}){{0,2}}? {_WORK}s?\b"
_GRANTED = regex(
    rf"\b(?:free|welcome) to{_OTHER_WORDS} (?:use|copy|re-?use|share|(?:re)?distribute)\b{_TO_THE_WORK}|"
    r"\b(?:permission (?:is |was )?(?:hereby )?(?:given|granted)|permitted|allowed) to"
    rf"{_OTHER_WORDS} (?:use|copy|re-?use|modify|adapt|share|(?:re)?distribute)\b{_TO_THE_WORK}|"
    rf"\b{_WORK} (?:is|are) (?:\w{{1,12}}ly )?free (?:to (?:use|copy|share|(?:re)?distribute)|for (?:any|all|every))\b"
)
"""What whoever reads it may do with the work, in lower case. To choose another optimiser is not meant."""
_LIMITED = regex(
    rf"\b{_WORK}\b[^\n]{{0,80}}\b(?:academic|research|scientific|non-?commercial|personal)"
    r"(?:(?:,|/|,? and|,? or)? [\w-]{1,15}){0,3}? (?:use|usage|purposes?|research)\b"
)
_HOW_FAR = regex(r"\b(?:only|solely|exclusively|free|freely|permitted|allowed|restricted|limited)\b")
_DISCLAIMED = regex(r"\b(?:clinical|medical|diagnos\w{1,4}|advice|trading|financial|invest\w{1,5})\b")
"""What is said of harm that may be done by trusting a program, which is no condition for using it."""
_TERMS = regex(
    r"\b(?:permi(?:t|tted|ssion)|allowed|non-?commercial(?:ly)?|commercial use|public domain|freely|"
    r"free (?:to (?:use|copy|re-?use|share|modify|adapt|fork|clone|(?:re)?distribute)|for|of charge|software)|"
    r"all rights reserved|open[- ]sourced?|(?:academic|research|educational|personal|private|internal)"
    r"(?:(?:,|/|,? and|,? or) \w{1,15}){0,3} (?:use|usage|purposes?))\b"
)
"""Words that state terms where the heading already says that this is about the licence."""
_MARKS = regex(r"^[ \t]*(?:#+|//+|\*+|--+|>+|%+)[ \t]*|[ \t]*#+[ \t]*$", re.MULTILINE)
_SENTENCE_END = regex(r"(?<=[.!?;])\s+|\n\s*\n|\n(?=[ \t]*[-*+#|])")
_LONGEST = 400
_MOST_CHARACTERS = 100_000


def read_wordings(tree: Tree, code: Code) -> Iterator[Statement]:
    """What READMEs at the root, or most sources in their headers, allow without the name of a licence."""
    readmes = readme_files(tree)
    for file in [f for f in readmes if not f.folder] or readmes[:1]:
        yield from _from_readme(file)
    yield from _from_headers(tree, code)


def _from_readme(file: File) -> Iterator[Statement]:
    text = filled_in(file.text()[:_MOST_CHARACTERS])
    for line, section in licence_sections(text.split("\n")):
        told = next((s for _, s in _sentences(section) if _TERMS.search(s.lower())), None)
        if told is not None:
            yield Statement(StatementKind.README, told[:200], (), Location(file.path, line))
            return
    for at, sentence in _sentences(text):
        if _states_terms(sentence):
            yield Statement(StatementKind.README, sentence[:200], (), Location(file.path, line_of(text, at)))
            return


def _from_headers(tree: Tree, code: Code) -> Iterator[Statement]:
    """The first header with terms, if half of the sources or more have one: few may be other people's."""
    own = [file for s in code.own if s.notebook is None and (file := tree.get(s.path)) is not None and file.size]
    found = [statement for file in own for statement in _from_header(file)]
    if found and 2 * len(found) >= len(own):
        yield found[0]


def _from_header(file: File) -> Iterator[Statement]:
    head = file.head(HEADER_BYTES).decode("utf-8", "replace")
    plain = _MARKS.sub("", head)
    told = next((sentence for _, sentence in _sentences(plain) if _states_terms(sentence)), None)
    if told is not None:
        yield Statement(StatementKind.HEADER, told[:200], (), Location(file.path, 1))


def _sentences(text: str) -> Iterator[tuple[int, str]]:
    """Place and words of each sentence, on one line; what is too long to be one is cut."""
    start = 0
    for end in [*(match.start() for match in _SENTENCE_END.finditer(text)), len(text)]:
        words = " ".join(text[start : min(end, start + _LONGEST)].split())
        if words:
            yield start + len(text[start:end]) - len(text[start:end].lstrip()), words
        start = end


def _states_terms(sentence: str) -> bool:
    said = sentence.lower()
    limited = _LIMITED.search(said) and _HOW_FAR.search(said) and not _DISCLAIMED.search(said)
    return _GRANTED.search(said) is not None or bool(limited)

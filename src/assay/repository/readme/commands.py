"""What a README tells to run or names, and whether it does something: names say little, their code says it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from assay.code import Code
from assay.patterns import regex
from assay.repository.readme.document import CodeBlock, Document, Grid, Heading, Part, Passage
from assay.repository.readme.fitting import (
    ANY_NOTEBOOK,
    MAKEFILE,
    NO_TRAINING,
    PIPELINE,
    SHELL,
    only_defines,
    scripts,
)

_LONGEST = 4000
"""How many characters of one block are searched."""
_NAMED = regex(
    r"\b(?:runs?|running|ran|open|execut\w{1,4}|launch\w{0,3}|start\w{0,3}|entr(?:y|ance)|done)\b[^\n]{0,60}?"
    r"(?<![\w./-])([\w./-]{1,150}\.(?:py|ipynb|sh))\b",
    re.IGNORECASE,
)
"""A sentence that names what is to be run, without a command."""
_TOLD = regex(
    r"(?:^|[.!?:,]\s|\b(?:then|and|first|please|simply|just|to) )(?:re-?)?(?:run|execute|launch|start) "
    r"(?:\w{1,20} ){0,3}?[`\"'\[\u2018\u201c]{0,2}([\w./-]{1,150}\.(?:py|ipynb|sh))\b",
    re.IGNORECASE | re.MULTILINE,
)
"""The same as a request, which needs no heading to say so."""
_ENTRY = regex(
    r"^[\s*+|>├└│─•\d.)-]{0,24}[`\[*]{0,3}([\w./-]{1,80}\.(?:py|ipynb|sh))[`\])*]{0,4}(?!\w)[ \t]{0,40}"
    r"[#:←–—→|(-]{1,4}[ *]{0,4}"
    r"(?:the |a |an )?(?:runs?\b|main (?:script|entry|program|file|code|experiments?)\b|entry[ -]?point\b)",
    re.IGNORECASE | re.MULTILINE,
)
"""A file in a list of files that is said to be the one to run."""
_ALL_IN = regex(
    r"\brun (?:\w{1,20} ){0,4}(?:scripts?|notebooks?|files|experiments)\b[^\n.]{0,30}?\b(?:in|from|under|inside) "
    r"(?:the )?[`\"'\[]{0,2}([\w./-]{1,80}?)/?[`\"'\]]{0,2}\s+(?:folder|directory|dir)\b",
    re.IGNORECASE,
)
"""Whatever is in a folder is to be run."""
_MAKE = regex(r"(?:^|[\s`\"'$>])make +([\w-]{1,60})\b", re.MULTILINE)
_REPRODUCED = regex(r"\bdvc (?:repro|exp run)\b")
_NOTEBOOKS = regex(
    r"\b(?:run|re-?run|running|execute|open|launch)\b (?:\w{1,20} ){0,4}(?:notebooks?|cells)\b", re.IGNORECASE
)
"""Notebooks that are to be run, without their names."""
_ANY_JUPYTER = regex(r"\bjupyter[ -](?:notebook|lab)\b(?![^\n]{0,100}\.ipynb)", re.IGNORECASE)
"""The same as a command; in a sentence it may be but one of the tools."""
_JUPYTER = regex(r"\bjupyter[ -](?:notebook|lab|nbconvert)\b[^\n]{0,100}?[\s/]([\w.-]{1,100}\.ipynb)\b")
_FILE = regex(
    r"(?<![\w./\\-])(?<!python )(?<!python3 )"
    r"((?:[\w.-]{1,60}/){0,6}[\w.-]{1,80}\.(?:py|ipynb|sh))\b(?!/|\.\w)"
)
"""A script or notebook that is named; as part of a command it is known by that."""
_LINE = regex(r"^[\s*+|>├└│─•\d.)-]{0,40}([\w./-]{1,80}\.(?:py|ipynb|sh))(?=\s|$)", re.MULTILINE)
"""The same in a list of files that is set as code."""
_STEM = regex(r"(?<![\w./-])([a-zA-Z\d]{1,30}(?:_[a-zA-Z\d]{1,30}){1,6})(?![\w.(/=-])")
"""A script without its ending."""
_MOST, _ROWS = 300, 50
_RUNNING = regex(r"\b(?:us(?:e|age|ing)|run|running|experiments?|reproduc\w+|getting started|quick ?start|how to)\b")


def running(
    document: Document, code: Code, started: Callable[[str, Code], bool], named: Callable[[str, Code], bool]
) -> Iterator[tuple[Part, int, str]]:
    """Part, line and words of each thing to run that does what is asked for.

    `started` says it of what one is told to run, `named` of a script or notebook that is only named or listed.
    """
    known: dict[str, bool] = {}
    above: list[Heading] = []
    for part in document.parts:
        if part.heading:
            above = [h for h in above if h.level < part.heading.level] + [part.heading]
        headed = any(_RUNNING.search(h.text.lower()) for h in above)
        for line, name, words in _run(part, running=headed):
            if name not in known:
                known[name] = started(name, code)
            if known[name]:
                yield part, line, words
    yield from _named_files(document, code, named)


def _named_files(document: Document, code: Code, does: Callable[[str, Code], bool]) -> Iterator[tuple[Part, int, str]]:
    stems = {s.path.rpartition("/")[2].removesuffix(".py") for s in code.own}
    seen: set[str] = set()
    for part in document.parts:
        for line, name in _files(part, stems):
            if name not in seen and len(seen) < _MOST:
                seen.add(name)
                if does(name.removeprefix("./"), code):
                    yield part, line, name


def without_modules(document: Document, code: Code) -> Document:
    """The document without the lines of its lists of files that name modules: those are no programs to run."""
    blocks = tuple(_without(block, code) if isinstance(block, CodeBlock) else block for block in document.blocks)
    return replace(document, blocks=blocks)


def _without(block: CodeBlock, code: Code) -> CodeBlock:
    text = begun = block.text[:_LONGEST]
    for match in _LINE.finditer(begun):
        if only_defines(match[1].removeprefix("./"), code):
            text = text[: match.start(1)] + " " * len(match[1]) + text[match.end(1) :]
    return block if text == begun else replace(block, text=text)


def _files(part: Part, stems: set[str]) -> Iterator[tuple[int, str]]:
    """Line and name of the scripts and notebooks that a part names in words, lists and tables."""
    if part.heading:
        yield from ((part.heading.line, match[1]) for match in _FILE.finditer(part.heading.text))
    for block in part.blocks:
        if isinstance(block, Grid):
            yield from (
                (block.line, m[1]) for row in block.rows[:_ROWS] for cell in row for m in _FILE.finditer(cell[:300])
            )
        elif isinstance(block, Passage | CodeBlock):
            text = block.text[:_LONGEST]
            for match in (_LINE if isinstance(block, CodeBlock) else _FILE).finditer(text):
                yield block.line + text.count("\n", 0, match.start(1)), match[1]
            for match in _STEM.finditer(text) if isinstance(block, Passage) else ():
                if match[1] in stems:
                    yield block.line + text.count("\n", 0, match.start(1)), f"{match[1]}.py"


def _run(part: Part, *, running: bool) -> Iterator[tuple[int, str, str]]:
    """Line, script and words of all that a part tells to run; `running` where a heading says that it does."""
    for block in part.code:
        text = block.text[:_LONGEST].replace("\\\n", "  ")
        named = (found for pattern in (SHELL, _JUPYTER, _ENTRY) for found in _named(pattern, text))
        started = ((match.start(), ANY_NOTEBOOK, match[0]) for match in _ANY_JUPYTER.finditer(text))
        for at, name, words in (*scripts(text), *named, *_notebooks(text), *started, *_made(text)):
            yield block.line + text.count("\n", 0, at), name, words.strip()
    heading = part.heading
    if heading:
        yield from ((heading.line, name, words) for _, name, words in _notebooks(heading.text))
    for passage in part.passages:
        text = passage.text[:_LONGEST]
        named = (found for pattern in (SHELL, _TOLD, _ENTRY, _ALL_IN) for found in _named(pattern, text))
        for at, name, words in (*scripts(text), *named, *_made(text)):
            yield passage.line + text.count("\n", 0, at), name, words.strip()
        for at, name, words in (*_named(_NAMED, text), *_notebooks(text)):
            if running or name.endswith(".ipynb"):
                yield passage.line + text.count("\n", 0, at), name, words


def _named(pattern: re.Pattern[str], text: str) -> Iterator[tuple[int, str, str]]:
    for match in pattern.finditer(text):
        end = text.find("\n", match.end())
        if not NO_TRAINING.search(text[match.end() : end if end >= 0 else len(text)]):
            yield match.start(), match[1].removeprefix("./"), match[0]


def _notebooks(text: str) -> Iterator[tuple[int, str, str]]:
    yield from ((match.start(), ANY_NOTEBOOK, match[0]) for match in _NOTEBOOKS.finditer(text))


def _made(text: str) -> Iterator[tuple[int, str, str]]:
    """Targets of the Makefile, and the pipeline of DVC."""
    yield from ((match.start(), PIPELINE, match[0]) for match in _REPRODUCED.finditer(text))
    yield from ((match.start(), MAKEFILE + match[1], match[0].strip()) for match in _MAKE.finditer(text))

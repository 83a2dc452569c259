"""Packages that a page, a notebook's text or a remark in the code names, though no manifest declares them.

A reader of the pages knows about such a package. To find out whether a sentence says that it is *needed* adds
little: of 309 undeclared packages in 67 repositories, a grammar of sentences in fifteen languages recognised 99; a
search for the name recognised 104, among them 97 of the 99.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache, lru_cache

from packaging.utils import canonicalize_name

from assay.code import Code
from assay.findings import Location
from assay.records import dataclass
from assay.repository.environment.coverage import Undeclared
from assay.repository.environment.declared import Declared, Kind, Pin
from assay.repository.environment.distributions import table
from assay.repository.environment.imports import Outside
from assay.repository.tables import load_table
from assay.tree import File

_MOST_FILES, _MOST_PAGES, _MOST_CELLS = 100, 40, 1000
_MOST_MODULES = 300
"""More modules than this are not looked for: no page names that many."""
_LONGEST = 200_000
_VARIANTS = r"(?:-(?:gpu|cpu|base|nightly|headless))?"
_START = r"(?:^[\s*+>#\d.)-]{0,8}|(?<![\w./-]))"
_ITEM = r"(?:^[\s*+>#\d.)-]{0,8}[`\[*]{0,3}|,\s{0,2}`?|\band `?|\binstall\b[^\n]{0,80}[ `]|`)"
"""What stands before a name that is also a word of the language, where it means the package."""


@dataclass(frozen=True, slots=True)
class _Page:
    text: str
    """In lower case."""
    location: Location
    """Where it begins."""


@dataclass(frozen=True, slots=True)
class _Names:
    spoken: dict[str, tuple[str, ...]]
    """What people call a package, beside the names of its modules and distributions."""
    words: frozenset[str]
    """Modules called like words of the language: they count only as an item of a list or as code."""
    owners: frozenset[str]
    """Shared packages called like a company that has many."""


@cache
def _known_names() -> _Names:
    read = load_table("assay.repository.environment", "tables/spoken.toml")
    spoken = {row["module"]: tuple(row["spoken"]) for row in read["package"]}
    return _Names(spoken, frozenset(read["words"]), frozenset(read["owners"]))


def with_mentions(
    uncovered: Iterable[Undeclared], readmes: Iterable[File], pages: Iterable[File], lists: Iterable[File], code: Code
) -> Iterator[Undeclared]:
    """The same modules; those that no manifest declares have the line of a page, list or notebook that names them."""
    several = list(uncovered)
    left = [one.outside for one in several if not one.mentioned][:_MOST_MODULES]
    named: dict[str, Declared] = {}
    for page in _pages(readmes, pages, lists, code) if left else ():
        for outside in left:
            if outside.module not in named and (mention := _mention(outside, page)) is not None:
                named[outside.module] = mention
    for one in several:
        mention = named.get(one.outside.module)
        yield one if mention is None else replace(one, mentioned=(mention,))


def _pages(readmes: Iterable[File], pages: Iterable[File], lists: Iterable[File], code: Code) -> Iterator[_Page]:
    for file in [*_nearest(readmes, _MOST_FILES), *_nearest(pages, _MOST_PAGES)]:
        yield _Page(file.text()[:_LONGEST].lower(), Location(file.path, 1))
    for file in lists:
        yield from _remarks(file.text()[:_LONGEST].lower().split("\n"), Location(file.path, 1), "")
    for source in code.own:
        cells = source.notebook.cells if source.notebook is not None else ()
        for cell in [cell for cell in cells if cell.kind == "markdown"][:_MOST_CELLS]:
            yield _Page(cell.text[:_LONGEST].lower(), Location(source.path, 1, cell=cell.number))
        if source.mentions("install") or source.mentions("Install"):
            yield from _remarks([line.lower() for line in source.lines], source.location(1), "install")


def _remarks(lines: Iterable[str], start: Location, word: str) -> Iterator[_Page]:
    """The comments, and the lines of text, that have the word."""
    for number, line in enumerate(lines, start.line or 1):
        if word in line and ("#" in line or (word and ('"' in line or "'" in line))):
            yield _Page(line, replace(start, line=number))


def _nearest(files: Iterable[File], most: int) -> list[File]:
    """Those near the root first."""
    return sorted(files, key=lambda f: (f.path.count("/"), f.path))[:most]


def _mention(outside: Outside, page: _Page) -> Declared | None:
    names = _names(outside)
    if not any(re.split(r"[-_. ]", name)[0] in page.text for name in names):
        return None
    found = _spelling(names, plain=any(map(table().is_downloaded, outside.distributions))).search(page.text)
    if found is None:
        return None
    below = page.text.count("\n", 0, found.end())
    place = replace(page.location, line=(page.location.line or 1) + below)
    name = outside.distributions[0] if outside.distributions else canonicalize_name(outside.module)
    return Declared(name, Pin.NONE, Kind.README, place, written=page.text.split("\n")[below].strip())


def _names(outside: Outside) -> tuple[str, ...]:
    """What a package may be called; a part of a shared package also by the name of the whole, if one can install it."""
    top, known = outside.module.partition(".")[0], _known_names()
    whole = [top] if top != outside.module and top not in known.owners and table().is_downloaded(top) else []
    spoken = known.spoken.get(outside.module, ())
    return tuple(sorted({*whole, outside.module.lower(), *outside.distributions[:6], *spoken}))


@lru_cache(maxsize=512)
def _spelling(names: tuple[str, ...], *, plain: bool) -> re.Pattern[str]:
    """What names a package on a page; one that few people install, only as an item of a list or as code."""
    words = [name for name in names if name in _known_names().words or not plain]
    ways = [_any_of(_ITEM, words)] if words else []
    ways += [_any_of(_START, [name for name in names if name not in words])] if len(names) > len(words) else []
    return re.compile("|".join(ways), re.ASCII | re.MULTILINE)


def _any_of(before: str, names: Iterable[str]) -> str:
    """The names with whatever people put between their parts, and a version behind them, if any."""
    spelt = (r"[-_. ]?".join(map(re.escape, re.split(r"[-_. ]", name))) for name in names)
    any_of = "|".join(sorted(spelt, key=len, reverse=True))
    return rf"{before}(?:{any_of}){_VARIANTS}(?:(?![\w-])(?!\.\w)|(?=-?\d{{1,2}}(?:\.[\dx]|\b)))"

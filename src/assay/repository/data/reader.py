"""From a tree and its code to the facts about data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from assay.code import Code, Language, Source
from assay.findings import Confidence, Location
from assay.patterns import regex
from assay.program.declared import own_settings, read_settings
from assay.program.paths import Paths
from assay.program.settings import Settings
from assay.repository.data.collection import Gathered, Use, gather
from assay.repository.data.documents import Page, read_pages
from assay.repository.data.facts import DataFacts, DataFile, Download, ForeignPath, Route, Surroundings
from assay.repository.data.foreign import foreign_in, foreign_in_files
from assay.repository.data.holdings import read_holdings
from assay.repository.data.links import Topic, data_links, own_path, read_links, topic_of
from assay.repository.data.lookup import Finder, Makers, judged_reads, judged_settings, used_files
from assay.repository.data.pointers import read_pointers, read_remotes
from assay.repository.data.prose import instructions, mentions, notes, preparing_scripts
from assay.repository.data.scripts import gather_script
from assay.repository.data.shell import shell_downloads
from assay.repository.vocabulary import vocabulary
from assay.tree import Tree

_MOST = 1000
_WORDS = vocabulary("assay.repository.data", "files.toml")
_UNREAD_LANGUAGES = _WORDS.listed("unread_languages")
_LEARNING_LANGUAGES = _WORDS.listed("learning_languages")
_OTHERS = _WORDS.pattern("of_others")
_NO_FILES = (Route.BUNDLED, Route.GENERATED)
"""Ways to data that put no file where code could look for it."""
_ABROAD = regex(
    r"/(?!(?:etc|proc|sys|dev|tmp|var|opt|bin|lib\w*|run|app|code|input|output|path|your|some)/|"
    r"usr/(?:share|lib|local|bin|include|src)/)(?:[\w.-]+/){2,}[\w.-]+\.\w+$"
)
"""A file in a folder of one machine; those of systems and containers are everywhere."""
_NO_HOST = regex(r"://[^/]{0,60}[{%*]")
"""An address whose host is filled in later, as of a private bucket."""
_SEARCH = regex(r"/search\b[^\s]{0,200}[{%*=]")
"""An address that asks for whatever a search finds on that day."""


def makers_of(tree: Tree, code: Code) -> Makers:
    """What makes the files that are not here, for all that reads some."""
    return code.once(tree, _makers)


def _makers(tree: Tree, code: Code) -> Makers:
    found = _gathered(tree, code)
    fetches = any(d.automatic and d.route not in _NO_FILES for d in found.downloads)
    return Makers(found.writes, Finder(tree), _prose_and_scripts(read_pages(tree, code), tree), fetches)


def _gathered(tree: Tree, code: Code) -> Gathered:
    return code.once(tree, _all_gathered)


def _all_gathered(tree: Tree, code: Code) -> Gathered:
    """What the code does, with the downloads of scripts and of addresses in the code."""
    found = _from_code(tree, code)
    found.downloads += shell_downloads(tree, code)
    if found.fetching:
        found.downloads += (
            Download("address", Route.URL, url, place, Confidence.MEDIUM) for url, place in _addresses(found)
        )
    found.downloads = _without_own(found.downloads, read_holdings(tree, read_pointers(tree)), tree)
    return found


def _addresses(found: Gathered) -> list[tuple[str, Location]]:
    return [(url, place) for url, place in found.urls if _is_address_of_data(url, place)]


def read_data(tree: Tree, code: Code) -> DataFacts:
    """All that code and pages tell about data, and the one answer that follows."""
    found, makers = _gathered(tree, code), makers_of(tree, code)
    pages, pointers = read_pages(tree, code), read_pointers(tree)
    linked = read_links(tree, code)
    ours = {path: k.line.location for k in linked if (path := own_path(k.url)) and tree.exists(path)}
    ours |= _in_commands(pages, tree)
    links = tuple(islice(data_links(k for k in linked if own_path(k.url) not in ours), _MOST))
    own = [d for d in found.downloads if d.route is Route.URL and tree.exists(own_path(d.name) or "*")]
    downloads = [d for d in found.downloads if d not in own]
    reads = judged_reads([*found.reads, *map(_as_read, own)][:_MOST], makers)
    package = tree.get("DESCRIPTION") is not None and tree.get("NAMESPACE") is not None
    files = [_with_page(f, ours, package) for f in used_files(read_holdings(tree, pointers), reads, code, tree)]
    return DataFacts(
        files=tuple(files[:_MOST]),
        reads=tuple(reads),
        settings=tuple(judged_settings(found.reads, makers)[:_MOST]),
        downloads=tuple(downloads[:_MOST]),
        links=links,
        mentions=tuple(mentions(pages)),
        instructions=tuple(islice(instructions(pages), _MOST)),
        foreign_paths=tuple(islice((*found.foreign, *_read_abroad(found), *foreign_in_files(tree)), _MOST)),
        pointers=tuple(pointers[:_MOST]),
        remotes=tuple(read_remotes(tree)),
        splits=tuple(found.splits[:_MOST]),
        preparations=tuple(islice((*preparing_scripts(tree), *found.preparations, *notes(pages)), _MOST)),
        trains=next(iter(found.trains), None),
        surroundings=Surroundings(
            addresses=tuple(place for _, place in _addresses(found)),
            names=tuple(found.names.values()),
            drawn=tuple(found.drawn),
            unread=any(s.tree is None for s in code.python) or _is_foreign(tree, code),
            trains_elsewhere=any(not f.vendored for f in tree.by_suffix(*_LEARNING_LANGUAGES)),
            package=package,
        ),
        left_out=_left_out(found),
    )


def _without_own(downloads: Sequence[Download], holdings: Iterable[DataFile], tree: Tree) -> list[Download]:
    """R: `data(x)` gets what a package brings, unless a file of that name lies here."""
    if not any(d.call == "data" for d in downloads):
        return [*downloads]
    paths = (*(f.path for f in holdings), *(f.path for f in tree.under("data")[:_MOST]))
    ready = {path.rpartition("/")[2].partition(".")[0] for path in paths}
    return [d for d in downloads if d.call != "data" or d.name not in ready]


def _read_abroad(found: Gathered) -> Iterator[ForeignPath]:
    """Absolute paths that are read and that no system has, beside those whose beginning says so."""
    known = tuple(path.path for path in found.foreign)
    read = {path.pattern: (path, use) for use in found.reads for path in use.known}
    for pattern, (path, use) in read.items():
        if _ABROAD.match(pattern) and not pattern.startswith(known) and path.location is not None:
            exact = path.location.column is not None or path.location.path != use.location.path
            yield ForeignPath(pattern, path.location if exact else use.location, default=path.replaceable)


def _as_read(download: Download) -> Use:
    """A download from the repository's own address is a read of its file."""
    return Use(download.call, (own_path(download.name),), download.location, download.location.path)


def _in_commands(pages: Iterable[Page], tree: Tree) -> dict[str, Location]:
    """Files that the commands on the pages are given: `preprocess.py --source data/train.txt`."""
    lines = (line for page in pages for line in page.lines if line.in_code and "/" in line.text)
    words = (
        (word.strip("\"'./,;"), line.location) for line in islice(lines, _MOST) for word in line.text[:500].split()
    )
    named = ((word.rpartition("=")[2], place) for word, place in words)
    return {word: place for word, place in named if "/" in word and tree.get(word) is not None}


def _with_page(file: DataFile, ours: Mapping[str, Location], package: bool) -> DataFile:
    """A file that no code reads may be one that a page leads to, or that an R package brings under `data`."""
    if file.used is not None:
        return file
    if package and file.path.startswith("data/"):
        return replace(file, used=file.location, confidence=Confidence.MEDIUM)
    told = next((place for path, place in ours.items() if f"{file.path}/".startswith(f"{path}/")), None)
    return file if told is None else replace(file, used=told, confidence=Confidence.MEDIUM)


def _is_address_of_data(url: str, place: Location) -> bool:
    """By the address itself and by the name of the file that it stands in."""
    vague = _NO_HOST.search(url) or _SEARCH.search(url)
    return not vague and topic_of(url, "", place.path.replace("_", " "), "") is Topic.DATA


def _is_foreign(tree: Tree, code: Code) -> bool:
    """Whether all code is in languages that are not read."""
    return not code.own and any(not f.vendored for f in tree.by_suffix(*_UNREAD_LANGUAGES))


def _from_code(tree: Tree, code: Code) -> Gathered:
    """What the authors' code does; where it does nothing with data, that of projects inside their repository.

    A folder with a licence of its own may be the authors' other project: then the experiments are in there.
    """
    found = _from_sources(code, code.own, own_settings(tree, code))
    others = [s for s in code.sources if s.vendored and not _OTHERS.search(s.path)]
    if found.downloads or found.trains or not others:
        return found
    sources = [*code.own, *others]
    python = [s for s in sources if s.language is Language.PYTHON and not s.unread]
    return _from_sources(code, sources, read_settings(tree, python))


def _from_sources(code: Code, sources: Iterable[Source], settings: Settings) -> Gathered:
    found = Gathered()
    read = [s for s in sources if not s.unread]
    texts = Paths(code, settings)
    for source in (s for s in read if s.language is Language.PYTHON):
        gather(source, code, texts, found)
        found.foreign += islice(foreign_in(source), _MOST - len(found.foreign))
    for source in read:
        if source.language is not Language.PYTHON:
            gather_script(source, found)
            found.foreign += islice(foreign_in(source), _MOST - len(found.foreign))
    return found


def _prose_and_scripts(pages: Iterable[Page], tree: Tree) -> str:
    """All prose and shell scripts as one text, to look for names of files in."""
    said = [line.text for page in pages for line in page.lines]
    scripts = [f.text()[:100_000] for f in tree.by_suffix(".sh", ".mk")[:100] if not f.vendored]
    return "\n".join([*said, *scripts])[:5_000_000]


def _left_out(found: Gathered) -> tuple[str, ...]:
    kinds = (
        ("reads", found.reads),
        ("downloads", found.downloads),
        ("splits", found.splits),
        ("preparations", found.preparations),
    )
    return tuple(
        f"only {_MOST:,} of {len(items):,} {name} of data were kept" for name, items in kinds if len(items) > _MOST
    )

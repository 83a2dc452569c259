"""Which files of the repository a path in the code may mean, and which data files are used at all."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from dataclasses import field, replace
from fnmatch import fnmatchcase
from functools import cached_property

from assay.code import Code, Source
from assay.findings import Confidence, Location
from assay.patterns import regex
from assay.program.paths import ROOT, may_give
from assay.records import dataclass
from assay.repository.data.collection import Use
from assay.repository.data.facts import DataFile, DataRead
from assay.repository.data.holdings import TABLES, other_holdings
from assay.repository.vocabulary import vocabulary
from assay.tree import Tree
from assay.tree.files import suffix_of

_WINDOWS = regex(r"[A-Za-z]:[\\/]")
_QUOTED = regex(r"""["'/\\]([\w.@+-]{1,100})(?=["'/\\])""")
_WORDS = vocabulary("assay.repository.data", "files.toml")
_ARCHIVES = _WORDS.words("archives")
_MOST_FOUND = 20
_MOST_TRIED = 3000
_SETTINGS = frozenset(f".{kind}" for kind in _WORDS.words("settings"))
_MADE_BY_TOOLS = _WORDS.words("made_by_tools")
_MAKING = _WORDS.pattern("making")
_PUTTING = _WORDS.pattern("putting")
_TELLING = 4
"""A shorter name, or part of one, is a word like others."""
_WORTH = frozenset(f".{kind}" for kind in TABLES | _WORDS.words("worth"))


@dataclass(frozen=True)
class Finder:
    """Looks for paths as code writes them."""

    tree: Tree
    _found: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)

    def find(self, written: str, source: str) -> tuple[str, ...]:
        """Files and folders that the path may mean, seen from the file it stands in."""
        question = (written, source.rpartition("/")[0])
        if question not in self._found:
            self._found[question] = self._find(written, source)
        return self._found[question]

    def _find(self, written: str, source: str) -> tuple[str, ...]:
        path = written.replace("\\", "/").strip()
        if not path or path.startswith(("/", "~")) or _WINDOWS.match(path) or "://" in path:
            return ()
        if path.startswith(ROOT):
            return self._at(posixpath.normpath(path[2:]) if len(path) > 2 else "")
        for start in self._starts(source):
            found = self._at(posixpath.normpath(posixpath.join(start, path)))
            if found:
                return found
        return ()

    def called(self, written: str) -> bool:
        """Whether anything anywhere has the last name of this path, or one that its pattern allows."""
        last = posixpath.basename(written.replace("\\", "/").rstrip("/"))
        if "*" not in last:
            return bool(self.tree.by_name(last))
        return any(fnmatchcase(file.name, last) for file in self.tree.by_suffix(suffix_of(last)))

    def _starts(self, source: str) -> Iterator[str]:
        yield ""
        folder = source.rpartition("/")[0]
        while folder:
            yield folder
            folder = folder.rpartition("/")[0]

    def _at(self, path: str) -> tuple[str, ...]:
        if path in {"", ".", "*"} or path.startswith(".."):
            return ()
        if "*" not in path:
            return (path,) if self.tree.exists(path) else ()
        literal = path[: path.index("*")].rpartition("/")[0]
        if not literal or literal not in self.tree.folders:
            return ()
        parts = path.split("/")
        within = self.tree.under(literal)[:_MOST_TRIED]
        files = [f.path for f in within if _fits(f.path.split("/"), parts)]
        return tuple(files[:_MOST_FOUND]) or ((literal,) if literal and posixpath.basename(path) == "*" else ())


def _fits(path: list[str], pattern: list[str]) -> bool:
    return len(path) == len(pattern) and all(fnmatchcase(a, b) for a, b in zip(path, pattern, strict=True))


def used_files(files: Iterable[DataFile], reads: Iterable[DataRead], code: Code, tree: Tree) -> list[DataFile]:
    """The files, each with the first place that reads it, or at least names it."""
    certain: dict[str, Location] = {}
    packed: dict[str, Location] = {}
    for read in reads:
        for path in read.found:
            certain.setdefault(path, read.location)
        if read.path and not read.found:
            packed.setdefault(_stem(read.path), read.location)
            packed.setdefault(posixpath.basename(read.path), read.location)
    named = _Named(code, tree)
    others = other_holdings(tree, [*named.places, *(path.rpartition("/")[2] for path in certain)])
    found = [_with_use(file, certain, named) for file in (*files, *others)]
    return [file if file.used and file.confidence is Confidence.HIGH else _unpacked(file, packed) for file in found]


def _unpacked(file: DataFile, packed: dict[str, Location]) -> DataFile:
    """An archive is used if code reads a file that is called like it: data.csv of data.rar, surely of data.csv.gz."""
    if file.kind not in _ARCHIVES:
        return file
    name = posixpath.basename(file.path)
    whole = next((place for inside, place in packed.items() if "." in inside and name.startswith(f"{inside}.")), None)
    place = whole or packed.get(_stem(file.path))
    sure = Confidence.HIGH if whole else Confidence.MEDIUM
    return file if place is None else replace(file, used=place, confidence=sure)


def _stem(path: str) -> str:
    return posixpath.basename(path).partition(".")[0]


def _with_use(file: DataFile, certain: dict[str, Location], named: _Named) -> DataFile:
    here = file.path
    while here:
        if here in certain:
            return replace(file, used=certain[here], confidence=Confidence.HIGH)
        here = here.rpartition("/")[0]
    if file.kind.startswith("folder"):
        within = next((place for path, place in certain.items() if path.startswith(file.path + "/")), None)
        if within is not None:
            return replace(file, used=within, confidence=Confidence.HIGH)
    name = file.path.rpartition("/")[2]
    stem = name.rpartition(".")[0]
    place = named.places.get(name) or (named.places.get(stem) if len(stem) > 3 else None)
    if place is None:  # the name of a folder that is not the topmost says which data set it is
        folders = file.path.split("/") if file.kind.startswith("folder") else file.path.split("/")[:-1]
        place = next((named.places[f] for f in reversed(folders) if f in named.places), None)
    return replace(file, used=place, confidence=Confidence.MEDIUM if place else Confidence.LOW)


@dataclass(frozen=True)
class _Named:
    """Names of files and folders as they stand in quotes or between slashes in the code."""

    code: Code
    tree: Tree

    @cached_property
    def places(self) -> dict[str, Location]:
        found: dict[str, Location] = {}
        known = {name for f in self.tree.own for name in f.path.split("/")}
        known |= {name.rpartition(".")[0] for name in known}
        for source in self.code.own:
            if not source.unread:
                self._add(source, known, found)
        return found

    def _add(self, source: Source, known: set[str], found: dict[str, Location]) -> None:
        text = source.text
        for match in _QUOTED.finditer(text):
            name = match[1]
            if name in known and name not in found:
                found[name] = source.location(text.count("\n", 0, match.start()) + 1)


@dataclass(frozen=True)
class Makers:
    """What makes files or mentions them: writes, downloads, prose."""

    writes: Iterable[Use]
    finder: Finder
    told: str
    """All prose and shell scripts as one text."""
    fetches: bool
    """Something is downloaded, and nobody knows which files come of it."""

    @cached_property
    def _made(self) -> dict[str, Location]:
        return {posixpath.basename(p.rstrip("/")): w.location for w in reversed([*self.writes]) for p in w.paths}

    def maker(self, paths: tuple[str, ...], here: Location) -> Location | None:
        """Where a file that is not there comes from; the read itself where that is only told."""
        return self.named_maker(paths, here) or (here if self.fetches else None)

    def named_maker(self, paths: Iterable[str], here: Location) -> Location | None:
        """The same, but for downloads of nobody knows what."""
        for path in paths:
            folder, base = posixpath.split(path.rstrip("/"))
            place = self._writer(base)
            if place is not None:
                return place
            if (base and self.finder.called(base)) or self._is_told(base) or self._is_filled(folder.removeprefix("./")):
                return here
        return None

    def _is_told(self, base: str) -> bool:
        """Whether a page names the file; of a pattern, the longest part that is known."""
        known = max(base.split("*"), key=len)
        return bool(known) and (known == base or len(known.partition(".")[0]) >= _TELLING) and known in self.told

    def _is_filled(self, folder: str) -> bool:
        """Whether a line tells the reader to put something into a folder, which it writes as a path."""
        if len(folder) < _TELLING or "*" in folder or folder not in self.told:
            return False
        word = re.compile(rf"[./`]{re.escape(folder)}(?![\w-])|(?<![\w-]){re.escape(folder)}[/`]")
        return any(_PUTTING.search(line) and word.search(line) for line in self.told.split("\n") if folder in line)

    def maker_of_settings(self, path: str, here: Location) -> Location | None:
        """The same of a file of settings: it is not downloaded, and to be named by a command makes no file."""
        base = posixpath.basename(path)
        known = base in _MADE_BY_TOOLS or self.finder.tree.hides(path)
        if known or self.finder.called(base) or self.finder.called(f"{base}.example"):
            return here
        lines = (line for line in self.told.split("\n") if base in line) if base in self.told else ()
        writer = self._writer(base)
        made = writer if writer != here else None  # a copy of the file itself
        return made or (here if any(map(_MAKING.search, lines)) else None)

    def _writer(self, base: str) -> Location | None:
        made = self._made.get(base)
        return made or next((place for name, place in self._made.items() if may_give(name, base)), None)


def judged_reads(uses: Iterable[Use], makers: Makers) -> list[DataRead]:
    """Every read with what it finds; where it finds nothing, what makes the file or mentions it."""
    finder = makers.finder
    found = []
    for use in uses:
        if use.weights and not any(_worth(p) for p in use.paths):
            continue
        paths = use.paths or ("",)
        hits = tuple(dict.fromkeys(hit for path in paths for hit in finder.find(path, use.source)))
        shown = next((p for p in paths if finder.find(p, use.source)), paths[0]).removeprefix(f"{ROOT}/")
        known = bool(hits) or _worth(shown)
        produced = makers.maker(paths, use.location) if known and not hits else None
        found.append(DataRead(use.call, shown if known else "", use.location, hits, produced))
    return found


def judged_settings(uses: Iterable[Use], makers: Makers) -> list[DataRead]:
    """Every read of a file of settings whose path is known, each file once, at the surest place."""
    found: dict[str, DataRead] = {}
    for use in uses:
        for path in use.known:
            name = _seen_from_the_root(path.pattern, use.source)
            if suffix_of(posixpath.basename(name)) not in _SETTINGS or _is_open(name):
                continue
            hits = makers.finder.find(path.pattern, use.source)
            made = None if hits else makers.maker_of_settings(name, use.location)
            read = DataRead(use.call, name, use.location, hits, made, path.location, path.replaceable)
            if name not in found or (found[name].replaceable and not read.replaceable):
                found[name] = read
    return list(found.values())


def _seen_from_the_root(written: str, source: str) -> str:
    """A path as it leads from the root of the repository; one that begins above is seen from its own file."""
    if written.startswith("../"):
        return posixpath.normpath(posixpath.join(posixpath.dirname(source), written))
    return written.removeprefix("./").removeprefix(f"{ROOT}/")


def _is_open(path: str) -> bool:
    """Whether nobody can say which file of the repository a path means: parts are missing, or it lies outside."""
    return path.startswith(("/", "~")) or ".." in path or not set("*<{").isdisjoint(path)


def _worth(path: str) -> bool:
    return suffix_of(posixpath.basename(path)) in _WORTH

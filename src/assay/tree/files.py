"""The common form of all file sources: a `Tree` of `File`s, and the limits for reading them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Protocol

from assay.patterns import regex
from assay.records import dataclass
from assay.tree.text import SNIFFED, decode, looks_binary

MIB = 1024 * 1024
_CACHED_CHARACTERS = 8 * MIB
_MAX_HOPS = 16
_SUBMODULE = regex(r"^[ \t]*path[ \t]*=[ \t]*(\S[^\n]*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of a source is examined; what exceeds it is named in `Tree.left_out`."""

    files: int = 100_000
    files_per_folder: int = 20_000
    depth: int = 64
    text_bytes: int = 32 * MIB
    """The longest text; of a longer file only the beginning is read."""
    total_bytes: int = 1024 * MIB
    """Bytes read from one tree in all."""
    kept_bytes: int = 96 * MIB
    """Compressed bytes that a compressed tar archive, which cannot be read twice, may keep in memory."""
    expansion: int = 200
    """Maximum ratio of unpacked to packed size."""


DEFAULT_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Commit:
    """The audited commit; `date` is the committer's, in ISO 8601."""

    id: str
    date: str


@dataclass(frozen=True, slots=True)
class Link:
    """A symbolic link. `target` is a path in the tree; None if it leads out of it."""

    path: str
    target: str | None


class Store(Protocol):
    """Access to the bytes of files; never gives more than `limit`."""

    def read(self, key: str, limit: int) -> bytes:
        """The first bytes of the file with this key; an unreadable file raises OSError."""
        ...


@dataclass(slots=True)
class Contents:
    """All reading passes through here: it counts against the budget, and recent texts are cached."""

    store: Store
    limits: Limits
    spent: int = 0
    troubles: dict[str, None] = field(default_factory=dict)
    _texts: OrderedDict[str, str] = field(default_factory=OrderedDict)
    _cached: int = 0

    def head(self, file: File, count: int) -> bytes:
        """The first `count` bytes; empty if the file cannot be read or the budget is spent."""
        allowed = min(count, file.size, self.limits.total_bytes - self.spent)
        if allowed < min(count, file.size):
            self.troubles[f"files were no longer read after {self.limits.total_bytes:,} bytes in all"] = None
        if allowed <= 0:
            return b""
        try:
            data = self.store.read(file.key, allowed)
        except OSError as error:
            self.troubles[f"{file.path}: cannot be read ({error.strerror or error})"] = None
            return b""
        self.spent += len(data)
        return data

    def text(self, file: File) -> str:
        """The file as text, from the cache if possible."""
        if file.path in self._texts:
            self._texts.move_to_end(file.path)
            return self._texts[file.path]
        text = decode(self.head(file, self.limits.text_bytes))
        self._texts[file.path] = text
        self._cached += len(text)
        while self._cached > _CACHED_CHARACTERS:
            self._cached -= len(self._texts.popitem(last=False)[1])
        return text


@dataclass(frozen=True, slots=True)
class File:
    """A regular file of the tree. `path` is relative, with slashes, and safe to print."""

    path: str
    size: int
    vendored: bool = field(repr=False)
    """Third-party code kept in this repository: it says nothing about the authors' habits."""
    key: str = field(repr=False, compare=False)
    contents: Contents = field(repr=False, compare=False)

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rpartition("/")[2]

    @property
    def folder(self) -> str:
        """The path of its folder; empty for the root."""
        return self.path.rpartition("/")[0]

    @property
    def suffix(self) -> str:
        """The lower-case ending with its dot."""
        return suffix_of(self.name)

    @property
    def truncated(self) -> bool:
        """True if `text` gives only the beginning."""
        return self.size > self.contents.limits.text_bytes

    @property
    def is_binary(self) -> bool:
        """True if the file is not text, judged by its beginning."""
        return looks_binary(self.head(SNIFFED))

    def head(self, count: int) -> bytes:
        """The first bytes."""
        return self.contents.head(self, count)

    def text(self) -> str:
        """The text up to the limit, always decoded, with line feeds as line ends."""
        return self.contents.text(self)


@dataclass(frozen=True)
class Tree:
    """An audited repository. Paths are relative to its root and sorted."""

    name: str
    """Its name in reports: the path or path@revision, as given."""
    files: tuple[File, ...]
    contents: Contents = field(repr=False, compare=False)
    links: tuple[Link, ...] = ()
    ignored: tuple[str, ...] = ()
    """Folders that are not part of the work: version control, caches, virtual environments."""
    submodules: tuple[str, ...] = ()
    commit: Commit | None = None
    tags: tuple[str, ...] = ()
    """Tags on the audited commit."""
    notes: tuple[str, ...] = ()

    @property
    def left_out(self) -> tuple[str, ...]:
        """What has not been examined so far, a sentence each; further reading may add to it."""
        return (*self.notes, *self.contents.troubles)

    def excluding(self, patterns: Sequence[str]) -> Tree:
        """The tree without files that match a pattern; they still exist, and are not examined."""
        if not patterns:
            return self
        wanted = [tuple(pattern.strip("/").split("/")) for pattern in patterns]
        out = {f.path for f in self.files if _is_excluded(f.path, wanted)}
        return replace(
            self,
            files=tuple(f for f in self.files if f.path not in out),
            ignored=(*self.ignored, *sorted(out)),
            notes=(*self.notes, f"{len(out):,} files are excluded: {', '.join(patterns)}"),
        )

    @cached_property
    def unfetched(self) -> tuple[str, ...]:
        """Submodules without files in the tree: those of the commit and those in .gitmodules."""
        listed = self.get(".gitmodules")
        named = _SUBMODULE.findall(listed.text()) if listed is not None else []
        paths = dict.fromkeys([*self.submodules, *(path.strip().strip("/") for path in named)])
        return tuple(path for path in paths if path and not self.under(path))

    def hides(self, path: str) -> bool:
        """True if the path lies in an unexamined part: a file that is missing there may exist."""
        return any(f"{path}/".startswith(f"{hidden}/") for hidden in (*self.unfetched, *self.ignored))

    @property
    def own(self) -> Iterator[File]:
        """Files that are not vendored."""
        return (f for f in self.files if not f.vendored)

    def get(self, path: str) -> File | None:
        """The file at this path; links inside the tree are followed."""
        return self._by_path.get(path) or self._by_path.get(self._resolved(path))

    def exists(self, path: str) -> bool:
        """True if a file, a folder, or a link to one inside the tree exists at this path."""
        found = self._resolved(path)
        return found in self._by_path or found in self.folders

    def by_name(self, name: str) -> tuple[File, ...]:
        """Files of this name in any folder, in any case."""
        return tuple(self._by_name.get(name.lower(), ()))

    def by_suffix(self, *suffixes: str) -> tuple[File, ...]:
        """Files with one of these endings (with dot, any case), by path."""
        found = (f for suffix in {s.lower() for s in suffixes} for f in self._by_suffix.get(suffix, ()))
        return tuple(sorted(found, key=lambda f: f.path))

    def under(self, folder: str) -> tuple[File, ...]:
        """Files in this folder and below; all for the root ("")."""
        prefix = _normal(folder)
        if not prefix:
            return self.files
        start = bisect_left(self.files, prefix + "/", key=lambda f: f.path)
        end = bisect_left(self.files, prefix + "0", key=lambda f: f.path)  # "0" comes right after "/"
        return self.files[start:end]

    def directly_in(self, folder: str) -> tuple[File, ...]:
        """Files directly in this folder ("" is the root)."""
        return tuple(self._by_folder.get(_normal(folder), ()))

    def glob(self, pattern: str) -> tuple[File, ...]:
        """Files whose path matches: `*`, `?` and `[]` within a part, `**` across parts."""
        parts = tuple(p for p in pattern.split("/") if p not in {"", "."})
        return tuple(f for f in self.files if matches(tuple(f.path.split("/")), parts))

    @cached_property
    def folders(self) -> frozenset[str]:
        """Every non-empty folder; the root is ""."""
        found = {""}
        for path in (*(f.path for f in self.files), *(link.path for link in self.links), *self.submodules):
            above = path.rpartition("/")[0]
            while above not in found:
                found.add(above)
                above = above.rpartition("/")[0]
        return frozenset(found)

    @cached_property
    def _by_path(self) -> dict[str, File]:
        return {f.path: f for f in self.files}

    @cached_property
    def _by_name(self) -> dict[str, list[File]]:
        return _grouped((f.name.lower(), f) for f in self.files)

    @cached_property
    def _by_suffix(self) -> dict[str, list[File]]:
        return _grouped((f.suffix, f) for f in self.files)

    @cached_property
    def _by_folder(self) -> dict[str, list[File]]:
        return _grouped((f.folder, f) for f in self.files)

    @cached_property
    def _links(self) -> dict[str, str | None]:
        return {link.path: link.target for link in self.links}

    def _resolved(self, path: str) -> str:
        """The path without dots and links; if it leads out or in circles, a path that does not exist."""
        here = _normal(path)
        if not self._links:
            return here
        for _ in range(_MAX_HOPS):
            parts = here.split("/")
            spot = next((i for i in range(1, len(parts) + 1) if "/".join(parts[:i]) in self._links), None)
            if spot is None:
                return here
            target = self._links["/".join(parts[:spot])]
            if target is None:
                break
            here = "/".join(filter(None, [target, *parts[spot:]]))
        return "\0"


def _is_excluded(path: str, patterns: list[tuple[str, ...]]) -> bool:
    """True if a pattern matches the path, a folder above it, or, without a slash, the name alone."""
    parts = tuple(path.split("/"))
    return any(
        matches(parts[:end], pattern) or (len(pattern) == 1 and fnmatchcase(parts[-1], pattern[0]))
        for pattern in patterns
        for end in range(1, len(parts) + 1)
    )


def matches(parts: tuple[str, ...], pattern: tuple[str, ...]) -> bool:
    """True if the parts of a path match a pattern, in time proportional to both."""
    states = _past_stars({0}, pattern)
    for part in parts:
        moved = set()
        for i in states:
            if i < len(pattern) and pattern[i] == "**":
                moved.add(i)
            elif i < len(pattern) and fnmatchcase(part, pattern[i]):
                moved.add(i + 1)
        states = _past_stars(moved, pattern)
    return len(pattern) in states


def suffix_of(name: str) -> str:
    """The lower-case ending of a file name with its dot; ".bashrc" has none."""
    stem, dot, ending = name.rpartition(".")
    return f".{ending}".lower() if stem and dot else ""


def _past_stars(states: set[int], pattern: tuple[str, ...]) -> set[int]:
    reached = set(states)
    for i, part in enumerate(pattern):
        if i in reached and part == "**":
            reached.add(i + 1)
    return reached


def _normal(path: str) -> str:
    """A path without dots and double slashes; absolute paths and paths out of the root match nothing."""
    if "./" not in path and "//" not in path and not path.startswith("/") and not path.endswith(("/", ".")):
        return path
    if path.startswith("/"):
        return "\0"
    parts: list[str] = []
    for part in path.split("/"):
        if part == ".." and not parts:
            return "\0"
        if part == "..":
            parts.pop()
        elif part not in {"", "."}:
            parts.append(part)
    return "/".join(parts)


def _grouped(pairs: Iterable[tuple[str, File]]) -> dict[str, list[File]]:
    groups: dict[str, list[File]] = defaultdict(list)
    for key, file in pairs:
        groups[key].append(file)
    return groups

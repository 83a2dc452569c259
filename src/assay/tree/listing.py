"""The listing of a file source, and the folders that never belong to the work."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import field

from assay.patterns import regex
from assay.records import dataclass
from assay.tree.files import Commit, Limits, Store
from assay.tree.text import readable

_TOLD = 20
"""At most this many overfull folders are named."""

IGNORED_FOLDERS = frozenset(
    {
        ".git", ".hg", ".svn", "node_modules", "__pycache__", ".ipynb_checkpoints", "site-packages", "__MACOSX",
        ".tox", ".nox", ".eggs", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis",
    }
)  # fmt: skip
ENVIRONMENT_MARK = "pyvenv.cfg"
"""The file that marks a virtual environment, whatever its folder is called."""
_LIBRARY = regex(r"(?:(?P<home>.+)/)?(?:lib(?:32|64)?/(?:python|pypy)[\d.]*|Lib)/site-packages")
_PROGRAM = regex(r"(?:bin|Scripts)/(?:activate|python)[^/]*")


@dataclass(frozen=True, slots=True)
class Entry:
    """A regular file as its source names it; `key` identifies it in the store."""

    path: str
    size: int
    key: str


@dataclass(slots=True)
class Listing:
    """Everything in a source. `links` are paths with their targets as written."""

    store: Store
    entries: list[Entry] = field(default_factory=list)
    links: list[tuple[str, str]] = field(default_factory=list)
    ignored: set[str] = field(default_factory=set)
    nested: set[str] = field(default_factory=set)
    """Folders with their own version control: checked-out submodules."""
    submodules: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    commit: Commit | None = None
    tags: tuple[str, ...] = ()


@dataclass(slots=True)
class Gate:
    """Admits paths of a flat listing (a commit, an archive) up to a limit."""

    listing: Listing
    limits: Limits
    closed: bool = False
    seen: int = 0
    admitted: int = 0
    _in_folder: Counter[str] = field(default_factory=Counter)
    _crowded: set[str] = field(default_factory=set)

    def admits(self, path: str) -> bool:
        """True if this file is listed; a refusal is noted once for each folder."""
        self.seen += 1
        if self.admitted >= self.limits.files or self.seen > 10 * self.limits.files:
            self.closed = True
            self.listing.notes.append(f"only the first {self.admitted:,} files were looked at")
            return False
        ignored = _ignored_above(path)
        if ignored is not None:
            self.listing.ignored.add(ignored)
            return False
        folder = path.rpartition("/")[0]
        if folder.count("/") + 1 > self.limits.depth:
            return self._refuse("/".join(path.split("/")[: self.limits.depth]), "what is nested deeper was left out")
        if self._in_folder[folder] >= self.limits.files_per_folder:
            return self._refuse(folder, f"only {self.limits.files_per_folder:,} of the things in it were looked at")
        self._in_folder[folder] += 1
        self.admitted += 1
        return True

    def _refuse(self, folder: str, why: str) -> bool:
        if folder not in self._crowded and len(self._crowded) < _TOLD:
            self._crowded.add(folder)
            self.listing.notes.append(f"{readable(folder) or '.'}: {why}")
        return False


def without_environments(listing: Listing) -> None:
    """Remove virtual environments, recognised by their marker file or their layout."""
    homes = {e.path.rpartition("/")[0] for e in listing.entries if e.path.endswith("/" + ENVIRONMENT_MARK)}
    homes |= {_home(match, listing) for path in listing.ignored if (match := _LIBRARY.fullmatch(path))}
    if not homes:
        return
    inside = tuple(home + "/" for home in homes)
    listing.entries = [e for e in listing.entries if not e.path.startswith(inside)]
    listing.links = [link for link in listing.links if not link[0].startswith(inside)]
    listing.ignored = {path for path in listing.ignored if not path.startswith(inside)} | homes


def _home(library: re.Match[str], listing: Listing) -> str:
    """The root of the environment that a library belongs to; without programs, the library's folder."""
    home = library["home"]
    paths = (*(e.path for e in listing.entries), *(path for path, _ in listing.links))
    if home and any(p.startswith(home + "/") and _PROGRAM.fullmatch(p, len(home) + 1) for p in paths):
        return home
    return library[0].rpartition("/")[0]


def _ignored_above(path: str) -> str | None:
    """The topmost folder on the path that is ignored by name."""
    folders = path.split("/")[:-1]
    spot = next((i for i, folder in enumerate(folders, 1) if folder in IGNORED_FOLDERS), None)
    return None if spot is None else "/".join(folders[:spot])

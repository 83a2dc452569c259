"""A folder on disk. Links are recorded and never followed; pipes and devices are never opened."""

from __future__ import annotations

import os
import stat
from collections import deque
from itertools import islice
from pathlib import Path

from assay.records import dataclass
from assay.tree.files import Limits
from assay.tree.listing import ENVIRONMENT_MARK, IGNORED_FOLDERS, Entry, Listing
from assay.tree.text import readable


@dataclass(frozen=True, slots=True)
class FolderStore:
    """Reads files of a folder by their relative paths."""

    root: Path

    def read(self, key: str, limit: int) -> bytes:
        """The first bytes; a path that is no longer a regular file is an OSError."""
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        handle = os.open(self.root / key, flags)
        with os.fdopen(handle, "rb") as stream:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise OSError("no regular file")
            return stream.read(limit)


def list_folder(root: Path, limits: Limits) -> Listing:
    """Every file below the folder, nearest to the root first, up to a limit."""
    listing = Listing(FolderStore(root))
    waiting = deque([("", 0)])
    while waiting:
        folder, depth = waiting.popleft()
        below = _scan(root, folder, limits, listing)
        if len(listing.entries) >= limits.files:
            listing.entries = listing.entries[: limits.files]
            listing.notes.append(f"only the first {limits.files:,} files were looked at")
            break
        if below and depth >= limits.depth:
            listing.notes.append(f"{readable(folder)}: folders nested more than {limits.depth} deep were not entered")
        else:
            waiting.extend((name, depth + 1) for name in below)
    return listing


def _scan(root: Path, folder: str, limits: Limits, listing: Listing) -> list[str]:
    """Add a folder's files and links to the listing, and return its subfolders."""
    room = limits.files_per_folder
    try:
        with os.scandir(root / folder) as found:
            inside = sorted(islice(found, room + 1), key=lambda e: e.name)
    except OSError as error:
        listing.notes.append(f"{readable(folder) or '.'}: cannot be entered ({error.strerror})")
        return []
    names = {entry.name for entry in inside if folder}
    if ENVIRONMENT_MARK in names:
        listing.ignored.add(folder)
        return []
    if ".git" in names:
        listing.nested.add(folder)
    if len(inside) > room:
        listing.notes.append(f"{readable(folder) or '.'}: only {room:,} of the things in it were looked at")
    return [path for entry in inside[:room] if (path := _entered(folder, entry, listing))]


def _entered(folder: str, entry: os.DirEntry[str], listing: Listing) -> str:
    """The path of a subfolder to enter; files and links are added to the listing."""
    path = f"{folder}/{entry.name}" if folder else entry.name
    try:
        if entry.is_symlink():
            listing.links.append((path, str(Path(entry.path).readlink())))
        elif entry.is_dir() and entry.name in IGNORED_FOLDERS:
            listing.ignored.add(path)
        elif entry.is_dir():
            return path
        elif entry.is_file():
            listing.entries.append(Entry(path, entry.stat().st_size, path))
    except OSError as error:  # it vanished, or its name is too long
        listing.notes.append(f"{readable(path)}: cannot be looked at ({error.strerror})")
    return ""

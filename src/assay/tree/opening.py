"""Open what the user names as a `Tree`."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from pathlib import Path

from assay.errors import InputError
from assay.records import dataclass
from assay.tree.commit import describe_checkout, is_bare, is_git, list_commit
from assay.tree.files import DEFAULT_LIMITS, Contents, File, Limits, Link, Tree
from assay.tree.folder import list_folder
from assay.tree.listing import Entry, Gate, Listing, without_environments
from assay.tree.text import readable
from assay.tree.vendored import is_within, vendored_folders

_LICENCE_BYTES = 64 * 1024


def open_tree(source: Path | str, *, limits: Limits = DEFAULT_LIMITS) -> Tree:
    """The folder, archive, or commit (`path@revision`; HEAD for a bare repository) as a tree."""
    name = str(source)
    path = Path(source)
    try:
        listing = _listing_of(path, limits)
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"cannot be opened ({error})", where=readable(name), fix="Check the path.") from None
    return _tree(name, listing, limits)


def tree_of(files: Mapping[str, str | bytes], *, name: str = "example", limits: Limits = DEFAULT_LIMITS) -> Tree:
    """A tree in memory, for examples and tests."""
    data = {path: text.encode() if isinstance(text, str) else text for path, text in files.items()}
    listing = Listing(MemoryStore(data))
    gate = Gate(listing, limits)
    listing.entries = [Entry(path, len(data[path]), path) for path in data if gate.admits(path)]
    without_environments(listing)
    return _tree(name, listing, limits)


@dataclass(frozen=True, slots=True)
class MemoryStore:
    """Files held in memory."""

    files: Mapping[str, bytes]

    def read(self, key: str, limit: int) -> bytes:
        """The first bytes."""
        return self.files[key][:limit]


def _listing_of(path: Path, limits: Limits) -> Listing:
    if path.is_dir():
        if is_bare(path):
            return list_commit(path, "HEAD", limits)
        listing = list_folder(path, limits)
        without_environments(listing)
        if is_git(path):
            describe_checkout(path, listing)
        return listing
    if path.is_file():
        from assay.tree.archive import list_archive

        return list_archive(path, limits)
    before, at, revision = str(path).rpartition("@")
    if at and revision and is_git(Path(before)):
        return list_commit(Path(before), revision, limits)
    if at and Path(before).is_dir():
        raise InputError("is not a git repository", where=before, fix="Leave out the revision to read the folder.")
    wanted = "Give a folder, a git repository (path@revision), or a zip or tar archive."
    raise InputError("does not exist", where=readable(str(path)), fix=wanted)


def _tree(name: str, listing: Listing, limits: Limits) -> Tree:
    contents = Contents(listing.store, limits)
    entries = {readable(e.path): e for e in listing.entries}

    def beginning(entry: Entry) -> bytes:
        return contents.head(File(readable(entry.path), entry.size, False, entry.key, contents), _LICENCE_BYTES)

    foreign = vendored_folders(listing.entries, listing.nested, beginning)
    files = (
        File(path, entry.size, bool(foreign) and is_within(entry.path, foreign), entry.key, contents)
        for path, entry in entries.items()
    )
    return Tree(
        name=readable(name),
        files=tuple(sorted(files, key=lambda f: f.path)),
        contents=contents,
        links=tuple(sorted((_link(path, to) for path, to in listing.links), key=lambda link: link.path)),
        ignored=tuple(sorted(readable(path) for path in listing.ignored)),
        submodules=tuple(sorted(readable(path) for path in listing.submodules)),
        commit=listing.commit,
        tags=listing.tags,
        notes=tuple(dict.fromkeys(listing.notes)),
    )


def _link(path: str, written: str) -> Link:
    """The target of a link from its text alone, without access to the disk."""
    target = posixpath.normpath(posixpath.join(posixpath.dirname(path), written))
    inside = not written.startswith("/") and target != ".." and not target.startswith("../")
    return Link(readable(path), readable("" if target == "." else target) if inside else None)

"""Zip and tar archives, read in place: nothing is extracted to disk, links are recorded and not followed.

A zip archive is read file by file on demand. A compressed tar archive can only be read from its beginning,
so it is read once, and the texts in it are kept, compressed, as far as the limits allow.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import field
from pathlib import Path
from typing import Any, BinaryIO, cast

from assay.errors import InputError
from assay.records import dataclass
from assay.tree.files import MIB, Limits
from assay.tree.listing import Entry, Gate, Listing, without_environments
from assay.tree.text import SNIFFED, looks_binary, readable

_UNREADABLE = (
    OSError, EOFError, ValueError, NotImplementedError, RuntimeError, KeyError, zlib.error, lzma.LZMAError,
    zipfile.BadZipFile, tarfile.TarError,
)  # fmt: skip
"""Exceptions that the standard library raises on damaged, encrypted or malicious archives."""
_SLACK = 64 * MIB
"""Bytes that may be unpacked from any archive, however small."""
_AT_ONCE = 33 * MIB
_LONGEST_NAME = 4096
_UNIX_LINK, _UNIX_TYPE = 0o120000, 0o170000
_COMPRESSIONS = ((b"\x1f\x8b", gzip.open), (b"BZh", bz2.open), (b"\xfd7zXZ\0", lzma.open))


def list_archive(path: Path, limits: Limits) -> Listing:
    """Every regular file of the archive. Its content decides the format, not its name."""
    try:
        listing = _list_zip(path, limits) if zipfile.is_zipfile(path) else _list_tar(path, limits)
    except _UNREADABLE as error:
        wanted = "Give a folder, a git repository, or a zip or tar archive."
        raise InputError(f"is not an archive that can be read ({error})", where=str(path), fix=wanted) from None
    _unwrap(listing)
    without_environments(listing)
    return listing


@dataclass(frozen=True, slots=True)
class ZipStore:
    """Reads members of an open zip archive."""

    archive: zipfile.ZipFile

    def read(self, key: str, limit: int) -> bytes:
        """The first bytes of a member; encrypted, damaged or unsupported ones raise OSError."""
        try:
            with self.archive.open(key) as member:
                return member.read(limit)
        except _UNREADABLE as error:
            raise OSError(str(error)) from None


def _list_zip(path: Path, limits: Limits) -> Listing:
    archive = zipfile.ZipFile(path)  # it closes when nobody holds the store any more
    listing = Listing(ZipStore(archive))
    gate = Gate(listing, limits)
    for member in archive.infolist():
        name = _safe(member.filename, listing)
        if name is None or member.is_dir() or not gate.admits(name):
            continue
        if member.external_attr >> 16 & _UNIX_TYPE == _UNIX_LINK:
            listing.links.append((name, listing.store.read(member.filename, _LONGEST_NAME).decode("utf-8", "replace")))
        elif member.file_size > member.compress_size * limits.expansion + _SLACK:
            listing.notes.append(f"{readable(name)}: expands more than {limits.expansion} times and was left out")
        else:
            listing.entries.append(Entry(name, member.file_size, member.filename))
        if gate.closed:
            break
    return listing


@dataclass(frozen=True, slots=True)
class PackedStore:
    """Texts in compressed memory; of binary or oversized files, only the beginning."""

    packed: dict[str, bytes] = field(default_factory=dict)

    def read(self, key: str, limit: int) -> bytes:
        """The first bytes that were kept."""
        return zlib.decompressobj().decompress(self.packed[key], limit) if limit else b""


def _list_tar(path: Path, limits: Limits) -> Listing:
    store = PackedStore()
    listing = Listing(store)
    gate = Gate(listing, limits)
    room = limits.kept_bytes
    for member, archive in _members(path, limits, listing):
        name = _safe(member.name, listing)
        if gate.closed or name is None or not gate.admits(name):
            continue
        if member.issym():
            listing.links.append((name, member.linkname))
            continue
        stream = archive.extractfile(member)
        data = stream.read(SNIFFED) if stream else b""
        if stream and room > 0 and not looks_binary(data):
            data += stream.read(limits.text_bytes - len(data))
        store.packed[name] = zlib.compress(data, 1)
        room -= len(store.packed[name])
        listing.entries.append(Entry(name, member.size, name))
    if room <= 0:
        listing.notes.append(f"of texts beyond {limits.kept_bytes:,} bytes (compressed) only the beginning was kept")
    return listing


def _members(path: Path, limits: Limits, listing: Listing) -> Iterator[tuple[tarfile.TarInfo, tarfile.TarFile]]:
    """Regular files and links as they stream by, until the archive ends or exceeds the expansion limit."""
    size = path.stat().st_size
    most = min(size * limits.expansion + _SLACK, size + limits.total_bytes)
    with path.open("rb") as raw:
        start = raw.read(6)
        raw.seek(0)
        unpacked = next((opened(raw) for mark, opened in _COMPRESSIONS if start.startswith(mark)), raw)
        stream = cast(BinaryIO, ForwardStream(cast(BinaryIO, unpacked), most))
        with tarfile.open(fileobj=stream, mode="r:") as archive:
            try:
                while (member := archive.next()) is not None:
                    cast(Any, archive).members = []  # or it would remember every one
                    if member.isreg() or member.issym():
                        yield member, archive
            except _UNREADABLE as error:
                listing.notes.append(f"the archive was read only up to a fault ({error})")


@dataclass(slots=True)
class ForwardStream:
    """A stream for tarfile that never seeks back, reads in small pieces, and fails after `most` bytes.

    tarfile looks at the last byte of a member before it goes on to the next: the one step back there is.
    """

    raw: BinaryIO
    most: int
    position: int = 0
    last: bytes = b""
    again: bytes = b""

    def read(self, count: int = -1) -> bytes:
        """The next bytes."""
        if not 0 <= count <= _AT_ONCE or self.position + count > self.most:
            raise tarfile.ReadError("it expands beyond the limit")
        data = self.again + self.raw.read(count - len(self.again)) if count else b""
        self.again = b"" if count else self.again
        self.position += len(data)
        self.last = data[-1:] or self.last
        return data

    def seek(self, position: int) -> int:
        """Skip forward to this position by reading."""
        if position == self.position - 1 and self.last:
            self.again, self.position = self.last, position
        if position < self.position:
            raise tarfile.ReadError("it does not go forward")
        while self.position < position and self.read(min(position - self.position, MIB)):
            pass
        return self.position

    def tell(self) -> int:
        """The current position."""
        return self.position


def _safe(name: str, listing: Listing) -> str | None:
    """The member's path in the tree; None if it is absolute, points upwards, or is too long."""
    parts = [p for p in name.replace("\\", "/").split("/") if p not in {"", "."}]
    if not parts or len(name) > _LONGEST_NAME:
        return None
    if name.startswith(("/", "\\")) or ".." in parts or parts[0].endswith(":"):
        listing.notes.append(f"{readable(name)}: a path out of the archive was left out")
        return None
    return "/".join(parts)


def _unwrap(listing: Listing) -> None:
    """Remove the single top folder that repository archives have; a package keeps its name."""
    tops = {e.path.partition("/")[0] for e in listing.entries} | {p.partition("/")[0] for p, _ in listing.links}
    top = tops.pop() + "/" if len(tops) == 1 else ""
    names = {e.path for e in listing.entries}
    if not top or top[:-1] in names or top + "__init__.py" in names:
        return
    listing.entries = [Entry(e.path.removeprefix(top), e.size, e.key) for e in listing.entries]
    listing.links = [(path.removeprefix(top), target) for path, target in listing.links]
    listing.ignored = {path.removeprefix(top) for path in listing.ignored}

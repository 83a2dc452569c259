"""Faults at the n-th change of a disk, as SQLite's own tests inject them: half of a write happens, then an error.

`python_disk` counts the changes that Python code makes, `sqlite_disk` those of SQLite, through the system calls that
its Unix layer lets a test replace.
"""

from __future__ import annotations

import _sqlite3
import ctypes
import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

import assay.corpus.store

EVERY = 1 if os.environ.get("FAULTS") == "all" else 7
"""The tests refuse every seventh change, `make faults` each one."""


@dataclass
class Disk:
    """A disk that refuses its n-th change, counted from 1, and from then on every change if it stays broken."""

    refused: int
    stays_broken: bool
    changes: int = 0

    def refuses(self) -> bool:
        """Count a change."""
        self.changes += 1
        return self.changes == self.refused or (self.stays_broken and self.changes > self.refused)

    @property
    def had_a_fault(self) -> bool:
        return self.changes >= self.refused


def _full() -> OSError:
    return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _halved(path: Path) -> None:
    """What is left of a file that was being written."""
    os.truncate(path, path.stat().st_size // 2)


@contextmanager
def python_disk(refused: int, *, stays_broken: bool) -> Iterator[Disk]:
    """Refuse a change by the corpus store."""
    disk = Disk(refused, stays_broken)

    def whole_or_not(change: Callable[..., object]) -> Callable[..., object]:
        def changed(*given: object, **named: object) -> object:
            if disk.refuses():
                raise _full()
            return change(*given, **named)

        return changed

    write_bytes, merge_files = Path.write_bytes, assay.corpus.store.merge_files

    def half_written(path: Path, data: bytes) -> int:
        refused = disk.refuses()
        written = write_bytes(path, data)
        if refused:
            _halved(path)
            raise _full()
        return written

    def half_merged(parts: list[Path], merged: Path) -> None:
        refused = disk.refuses()
        merge_files(parts, merged)
        if refused:
            _halved(merged)
            raise _full()

    with pytest.MonkeyPatch.context() as patched:
        for name in ("fsync", "replace", "unlink", "mkdir"):
            patched.setattr(os, name, whole_or_not(getattr(os, name)))
        patched.setattr(Path, "write_bytes", half_written)
        patched.setattr(assay.corpus.store, "merge_files", half_merged)
        yield disk


class _Layer(ctypes.Structure):
    """SQLite's way to the operating system; see https://sqlite.org/c3ref/vfs.html."""

    _fields_ = (
        ("iVersion", ctypes.c_int),
        ("szOsFile", ctypes.c_int),
        ("mxPathname", ctypes.c_int),
        ("unused", ctypes.c_void_p * 16),
        ("xSetSystemCall", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)),
        ("xGetSystemCall", ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)),
    )


_INT, _LONG, _POINTER = ctypes.c_int, ctypes.c_long, ctypes.c_void_p
_CALLS = {
    b"write": ctypes.CFUNCTYPE(_LONG, _INT, _POINTER, ctypes.c_size_t, use_errno=True),
    b"pwrite": ctypes.CFUNCTYPE(_LONG, _INT, _POINTER, ctypes.c_size_t, _LONG, use_errno=True),
    b"pwrite64": ctypes.CFUNCTYPE(_LONG, _INT, _POINTER, ctypes.c_size_t, _LONG, use_errno=True),
    b"ftruncate": ctypes.CFUNCTYPE(_INT, _INT, _LONG, use_errno=True),
    b"unlink": ctypes.CFUNCTYPE(_INT, ctypes.c_char_p, use_errno=True),
}


@contextmanager
def sqlite_disk(refused: int, *, stays_broken: bool) -> Iterator[Disk]:
    """Refuse a change by SQLite, in this whole process."""
    find = ctypes.CDLL(_sqlite3.__file__).sqlite3_vfs_find
    find.restype = ctypes.POINTER(_Layer)
    layer = find(None)
    disk = Disk(refused, stays_broken)
    kept = []  # SQLite holds the addresses of these

    def faulty(name: bytes, real: Callable[..., int]) -> Callable[..., int]:
        def call(*given: int) -> int:
            if not disk.refuses():
                return real(*given)
            if "write" in name.decode():
                handle, data, size, *offset = given
                real(handle, data, size // 2, *offset)
            ctypes.set_errno(errno.ENOSPC)
            return -1

        return call

    for name, kind in _CALLS.items():
        if address := layer.contents.xGetSystemCall(layer, name):
            kept.append(kind(faulty(name, kind(address))))
            layer.contents.xSetSystemCall(layer, name, ctypes.cast(kept[-1], _POINTER))
    try:
        yield disk
    finally:
        for name in _CALLS:
            layer.contents.xSetSystemCall(layer, name, None)

"""The folder of a run: a manifest, and tables that grow by whole parts.

A part is one file in each table. Files are written under another name, brought to the disk and renamed; the one in
`subjects` comes last and makes the part count. Whatever a crash or a full disk leaves behind is either complete or is
removed when the run goes on, so that every subject is recorded exactly once.

Parts are merged as the run goes on: `part-0000000-0000255` stands for the 256 parts it was made of, which stop counting
at the moment at which it appears in `subjects`, and are removed afterwards.
"""

from __future__ import annotations

import fcntl
import json
import os
import platform
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from itertools import groupby
from pathlib import Path
from typing import Any

from assay import __version__
from assay.corpus.guard import Part
from assay.corpus.subject import Outcome, Task
from assay.corpus.subject_list import Listing
from assay.corpus.tables import SUBJECTS, TABLES, merge_files
from assay.errors import InputError
from assay.files import is_there
from assay.patterns import regex
from assay.records import dataclass
from assay.tables import broken_is_refused

_MANIFEST = "run.json"
_LOCK = ".lock"
_SCHEMA = "1.0"
_PACKAGES = ("polars", "numpy", "scipy", "scikit-learn", "duckdb", "distributed")
_PART = regex(r"part-(\d{7})(?:-(\d{7}))?\.parquet")
_MERGED_BYTES = 100_000_000
"""Size that merged files grow to. Each file costs a footer, a name and a seek, so small ones are slow."""
_DRAFT = ".tmp"
_PACE = frozenset({"cache", "pause"})
"""Options that change the speed of a run, not its results."""


@dataclass(frozen=True, slots=True)
class _Span:
    """A part: the first and last number that it covers, and the name of its files."""

    first: int
    last: int
    name: str

    @property
    def is_single(self) -> bool:
        """True if it has not been merged."""
        return self.first == self.last


def _runs(spans: Sequence[_Span], wanted: Callable[[_Span], bool]) -> list[list[_Span]]:
    """Groups of adjacent spans that satisfy the condition."""
    return [list(run) for is_wanted, run in groupby(spans, wanted) if is_wanted]


@dataclass(frozen=True, slots=True)
class Store:
    """The folder of a run."""

    folder: Path

    # --- manifest ----------------------------------------------------------------------------------

    def manifest(self) -> dict[str, Any]:
        """The content of `run.json`."""
        path = self.folder / _MANIFEST
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            fix = "`assay corpus run LIST --out FOLDER` makes one."
            raise InputError("holds no corpus", where=str(self.folder), fix=fix) from None
        except (OSError, ValueError):
            raise InputError("cannot be read", where=str(path), fix="Start again in another folder.") from None
        if not isinstance(found, dict) or not isinstance(found.get("list"), dict):
            raise InputError("is not the manifest of a corpus", where=str(path), fix="Name the folder of a run.")
        return found

    def begin(self, listing: Listing, task: Task, seed: int) -> None:
        """Write the manifest, or check that the existing run is the same."""
        wanted = _fixed(listing, task, seed)
        path = self.folder / _MANIFEST
        if path.exists():
            _refuse_another(self.manifest(), wanted, self.folder)
        elif not all(self._is_leftover(path) for path in self.folder.iterdir()):
            raise InputError("is not empty", where=str(self.folder), fix="Name a new folder with --out.")
        else:
            self._put({"schema": _SCHEMA, **wanted, "sessions": []})

    def _is_leftover(self, path: Path) -> bool:
        """True if a run that failed before its first part left it: lock, draft, or table without that part."""
        if path.name in {_LOCK, _MANIFEST + _DRAFT}:
            return True
        is_table = path.name in TABLES and path.is_dir() and not self._spans()
        return is_table and all(_PART.fullmatch(file.name.removesuffix(_DRAFT)) for file in path.iterdir())

    def open_session(self, **told: Any) -> None:
        """Record in the manifest where and how the run continues."""
        manifest = self.manifest()
        sessions = [*manifest.get("sessions", []), {"started": _now(), **_host(), **told}]
        self._put({**manifest, "sessions": sessions})

    def close_session(self, **told: Any) -> None:
        """Record how the session ended; a killed session has no such entry."""
        manifest = self.manifest()
        *before, last = manifest["sessions"]
        self._put({**manifest, "sessions": [*before, {**last, "ended": _now(), **told}]})

    def _put(self, manifest: Mapping[str, Any]) -> None:
        self._write(self.folder / _MANIFEST, (json.dumps(manifest, indent=2) + "\n").encode())

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Only one run at a time writes here; the lock goes with the process, however it ends.

        A run that bad input keeps from its first part leaves nothing behind that was not there.
        """
        made, begun = not is_there(self.folder), is_there(self.folder / _MANIFEST)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            stream = (self.folder / _LOCK).open("w", encoding="ascii")
        except OSError as error:
            told = f"cannot be written ({error.strerror})"
            raise InputError(told, where=str(self.folder), fix="Name another folder with --out.") from None
        with stream:
            try:
                fcntl.flock(stream.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                fix = "Wait for it, or give this one another --out."
                raise InputError("is being written by another run", where=str(self.folder), fix=fix) from None
            try:
                yield
            except InputError:
                if not begun and not self.parts(SUBJECTS):
                    self._take_back(made)
                raise

    def _take_back(self, made: bool) -> None:
        """Undo the start of a run, and remove the folder if it was created for it."""
        with suppress(InputError, OSError):  # the disk refuses, or something else has come into the folder
            if is_there(self.folder / _MANIFEST):  # then the tables are ours too
                self.tidy()
                for table in filter(Path.exists, map(self.folder.joinpath, TABLES)):
                    table.rmdir()
            for name in (_MANIFEST, _LOCK):
                (self.folder / name).unlink(missing_ok=True)
            if made:
                self.folder.rmdir()

    # --- parts -------------------------------------------------------------------------------------

    def parts(self, table: str) -> list[Path]:
        """The valid parts of a table, in order."""
        counted = {span.name for span in self._spans()}
        return sorted(p for p in (self.folder / table).glob("part-*.parquet") if p.name in counted)

    def _spans(self) -> list[_Span]:
        """The valid parts in order, without those that a merged part replaces."""
        matches = (_PART.fullmatch(path.name) for path in (self.folder / SUBJECTS).glob("part-*.parquet"))
        found = [_Span(int(m[1]), int(m[2] or m[1]), m[0]) for m in matches if m]
        counting: list[_Span] = []
        for span in sorted(found, key=lambda span: (span.first, -span.last)):
            if not counting or span.first > counting[-1].last:
                counting.append(span)
        return counting

    # --- merging -----------------------------------------------------------------------------------

    def merge_single_parts(self) -> None:
        """Merge the parts written since the last merge.

        Those that went into it stay until the next time, for somebody who is reading them.
        """
        self.tidy()
        for run in _runs(self._spans(), lambda span: span.is_single):
            self._merge(run)

    def compact(self, target: int = _MERGED_BYTES) -> None:
        """Merge adjacent parts until each has about this many bytes."""
        together: list[_Span] = []
        size = 0
        for span in self._spans():
            size += self._bytes(span)
            together.append(span)
            if size >= target:
                self._merge(together)
                together, size = [], 0
        self._merge(together)
        self.tidy()

    def _bytes(self, span: _Span) -> int:
        paths = (self.folder / table / span.name for table in TABLES)
        return sum(path.stat().st_size for path in paths if path.exists())

    def _merge(self, spans: Sequence[_Span]) -> None:
        """Replace several parts by one. A crash leaves either all of them or the one."""
        if len(spans) < 2:
            return
        name = f"part-{spans[0].first:07d}-{spans[-1].last:07d}.parquet"
        for table in sorted(TABLES, key=lambda t: t == SUBJECTS):
            parts = [path for span in spans if (path := self.folder / table / span.name).exists()]
            if parts:
                self._settle(self.folder / table / name, partial(merge_files, parts))

    def tidy(self) -> None:
        """Remove drafts, incomplete parts, and parts that a merged part replaces."""
        for table in TABLES:
            counting = set(self.parts(table))
            for path in (self.folder / table).glob("*"):
                if path not in counting:
                    with _refusal_named(path):
                        path.unlink(missing_ok=True)

    def done(self, rows: int) -> bytearray:
        """For each row of the list, whether it is recorded."""
        import polars as pl

        found = bytearray(rows)
        parts = self.parts(SUBJECTS)
        with broken_is_refused(self.folder / SUBJECTS, "Parquet"):
            for row in pl.scan_parquet(parts).select("row").collect()["row"] if parts else ():
                found[row] = 1
        return found

    def forget_failures(self) -> None:
        """Remove failed subjects from the record, so that they are examined again; each part changes atomically."""
        import io

        import polars as pl

        for path in self.parts(SUBJECTS):
            with broken_is_refused(path, "Parquet"):
                part = pl.read_parquet(path)
            kept = part.filter(pl.col("outcome") == Outcome.DONE.value)
            if kept.height < part.height:
                stream = io.BytesIO()
                kept.write_parquet(stream)
                self._write(path, stream.getvalue())

    def append(self, part: Part, number: int) -> None:
        """Write a part; `subjects`, which makes it valid, is written last."""
        name = f"part-{number:07d}.parquet"
        for table in sorted(part.tables, key=lambda t: t == SUBJECTS):
            self._write(self.folder / table / name, part.tables[table])

    def next_number(self) -> int:
        """The number of the next part."""
        return 1 + max((span.last for span in self._spans()), default=-1)

    def _write(self, path: Path, content: bytes) -> None:
        """Write the whole file or nothing, even if the machine loses power."""
        self._settle(path, lambda draft: draft.write_bytes(content))

    def _settle(self, path: Path, make: Callable[[Path], object]) -> None:
        """Let `make` write a draft, flush it to disk, and rename it."""
        draft = path.with_name(path.name + _DRAFT)
        with _refusal_named(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                make(draft)
                with draft.open("rb") as stream:
                    os.fsync(stream.fileno())
                draft.replace(path)
            except OSError:
                with suppress(OSError):  # the next session removes it
                    draft.unlink(missing_ok=True)
                raise
            folder = os.open(path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)


@contextmanager
def _refusal_named(path: Path) -> Iterator[None]:
    """Turn a disk error into an `InputError` that names the file."""
    try:
        yield
    except OSError as error:
        told = f"cannot be written ({error.strerror})"
        fix = "Make room, then give the same command again: what is done is kept."
        raise InputError(told, where=str(path), fix=fix) from None


def _fixed(listing: Listing, task: Task, seed: int) -> dict[str, Any]:
    """Settings that must not change between sessions of a run. Limits may: they affect only failures."""
    return {
        "assay": __version__,
        "instrument": task.instrument,
        "options": {name: value for name, value in task.options if name not in _PACE},
        "seed": seed,
        "list": {
            "name": listing.path.name,
            "sha256": listing.sha256,
            "rows": listing.rows,
            "subject": listing.subject,
            "groups": list(listing.groups),
        },
        "packages": {name: _version(name) for name in _PACKAGES},
    }


def _refuse_another(manifest: Mapping[str, Any], wanted: Mapping[str, Any], folder: Path) -> None:
    """Refuse to mix runs: a folder holds the results of one list, one version, one set of options."""
    before, now = manifest["list"], wanted["list"]
    changes = {
        "another instrument": (manifest.get("instrument"), wanted["instrument"]),
        "other options": (_words(manifest.get("options")), _words(wanted["options"])),
        "another version of Assay": (manifest.get("assay"), wanted["assay"]),
        "another seed": (manifest.get("seed"), wanted["seed"]),
        "another list, or the list has changed": (str(before.get("sha256"))[:12], now["sha256"][:12]),
        "another subject column": (before.get("subject"), now["subject"]),
        "other groups": (", ".join(before.get("groups", [])), ", ".join(now["groups"])),
    }
    for what, (old, new) in changes.items():
        if old != new:
            told = f"holds a run with {what} ({_setting_text(old)}, now {_setting_text(new)})"
            raise InputError(told, where=str(folder), fix="Give the same command again, or another --out.")


def _setting_text(value: object) -> str:
    return "none" if value in (None, "") else str(value)


def _words(options: object) -> str:
    return " ".join(f"{k}={v}" for k, v in sorted(options.items())) if isinstance(options, dict) else ""


def _host() -> dict[str, Any]:
    return {
        "host": platform.node(),
        "system": platform.platform(),
        "python": sys.version.split()[0],
        "processors": os.cpu_count(),
    }


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")

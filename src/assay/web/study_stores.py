"""Where reproduction studies are kept: each in a store of its own, that `assay study` can open too.

A study is a file in the server's folder. With a database URL, the first one is kept in that database instead.
"""

from __future__ import annotations

import io
import threading
import time
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

from sqlalchemy import Engine

from assay.errors import InputError
from assay.reproduction.folder import study_files, study_from_files
from assay.reproduction.store.studies import load_study, new_store, open_store
from assay.reproduction.study import Study
from assay.web.models import new_id
from assay.web.settings import Settings

SHARED = "shared"
"""The name of the study in the server's own database."""
ASIDE = ".deleted"
"""How the files of deleted studies end."""
_MOST_FILES = 40
_MOST_BYTES = 20_000_000


class StudyStores:
    """The stores of a server, each opened once."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.folder = settings.folder / "studies"
        self.folder.mkdir(parents=True, exist_ok=True)
        self._open: dict[str, Engine] = {}
        self._lock = threading.Lock()

    def names(self) -> list[str]:
        """The studies there are, by the names in their addresses."""
        files = sorted(path.stem for path in self.folder.glob("*.db"))
        return [SHARED, *files] if self._shared() is not None else files

    def get(self, name: str) -> Engine | None:
        """The store of a study, None if there is none."""
        if name == SHARED:
            return self._shared()
        path = self.folder / f"{name}.db"
        if not name.isalnum() or not path.is_file():
            return None
        with self._lock:
            if name not in self._open:
                self._open[name] = open_store(path)
            return self._open[name]

    def add(self, study: Study) -> str:
        """Keep a new study; give its name."""
        if self.settings.database and self._shared() is None:
            with self._lock:
                self._open[SHARED] = new_store(self.settings.database, study)
            return SHARED
        name = new_id()
        path = self.folder / f"{name}.db"
        try:
            made = new_store(path, study)
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        with self._lock:
            self._open[name] = made
        return name

    def delete(self, name: str) -> None:
        """Put the file of a study aside; `restore` brings it back."""
        with self._lock:
            engine = self._open.pop(name, None)
        if engine is not None:
            engine.dispose()
        aside = self._file(name).rename(self.folder / f"{name}{ASIDE}")
        aside.touch()  # from now on its time runs

    def restore(self, name: str) -> None:
        """Bring a deleted study back."""
        aside = self.folder / f"{name}{ASIDE}"
        if not name.isalnum() or not aside.is_file():
            raise InputError("there is no such deleted study", fix="It may have been taken away for good.")
        aside.rename(self.folder / f"{name}.db")

    def close(self) -> None:
        """Close all stores."""
        for engine in self._open.values():
            engine.dispose()

    def _shared(self) -> Engine | None:
        if not self.settings.database:
            return None
        with self._lock:
            if SHARED not in self._open:
                try:
                    self._open[SHARED] = open_store(self.settings.database)
                except InputError:
                    return None
            return self._open[SHARED]

    def _file(self, name: str) -> Path:
        path = self.folder / f"{name}.db"
        if not name.isalnum() or not path.is_file():
            raise InputError("this study is not a file of this server", fix="Delete it in its database.")
        return path


def purge_studies(settings: Settings) -> None:
    """Take away for good the studies whose deletion cannot be undone any more."""
    for path in (settings.folder / "studies").glob(f"*{ASIDE}"):
        if time.time() - path.stat().st_mtime > settings.undo.total_seconds():
            path.unlink(missing_ok=True)


def as_zip(engine: Engine) -> bytes:
    """A study as the folder of tables that `assay study export` writes, in an archive."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in study_files(load_study(engine)).items():
            archive.writestr(name, text)
    return out.getvalue()


def from_zip(stream: BinaryIO) -> Study:
    """The study in such an archive. Only texts beside each other are read, and not too much of them."""
    files: dict[str, str] = {}
    try:
        with zipfile.ZipFile(stream) as archive:
            for member in archive.infolist()[: _MOST_FILES + 1]:
                name = member.filename.rpartition("/")[2]
                if name.endswith((".toml", ".csv")):
                    files[name] = _text(archive, member)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError) as error:
        fix = "Give the archive that the export of a study makes."
        raise InputError(f"the file is not an archive that can be read ({error})", fix=fix) from None
    return _study(files)


def _study(files: Mapping[str, str]) -> Study:
    if "study.toml" not in files:
        raise InputError("the archive holds no study.toml", fix="Give the archive that the export of a study makes.")
    return study_from_files(files)


def _text(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> str:
    with archive.open(member) as stream:
        data = stream.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise InputError(f"{member.filename} is larger than {_MOST_BYTES:,} bytes", fix="A study is never this large.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{member.filename} is not UTF-8 text", fix="Save it as UTF-8.") from None

"""A study in and out of a zip archive: the folder of tables that `assay study export` writes and `import` reads."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Mapping
from typing import BinaryIO

from sqlalchemy import Engine

from assay.errors import InputError
from assay.reproduction.folder import study_files, study_from_files
from assay.reproduction.store.studies import load_study
from assay.reproduction.study import Study

_MOST_FILES = 40
_MOST_BYTES = 8_000_000
"""Of all texts together: twice what 1,000 papers with 20,000 experiments take. They are read in the server itself."""


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
    left = _MOST_BYTES
    if stream.seek(0, io.SEEK_END) > _MOST_BYTES:  # its list of members alone could fill the memory
        raise _too_large()
    try:
        with zipfile.ZipFile(stream) as archive:
            for member in archive.infolist()[: _MOST_FILES + 1]:
                name = member.filename.rpartition("/")[2]
                if name.endswith((".toml", ".csv")):
                    data = _bytes(archive, member, left)
                    left -= len(data)
                    files[name] = _text(data, name)
    except InputError:
        raise
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, OSError, EOFError, ValueError) as error:
        fix = "Give the archive that the export of a study makes."
        raise InputError(f"the file is not an archive that can be read ({error})", fix=fix) from None
    return _study(files)


def _study(files: Mapping[str, str]) -> Study:
    if "study.toml" not in files:
        raise InputError("the archive holds no study.toml", fix="Give the archive that the export of a study makes.")
    return study_from_files(files)


def _bytes(archive: zipfile.ZipFile, member: zipfile.ZipInfo, most: int) -> bytes:
    if member.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
        raise zipfile.BadZipFile("it is compressed in a way that our exports are not")  # others may take gigabytes
    with archive.open(member) as stream:
        data = stream.read(most + 1)
    if len(data) > most:
        raise _too_large()
    return data


def _too_large() -> InputError:
    fix = "`assay study import` on the command line has no such limit."
    return InputError(f"the tables of the study are larger than {_MOST_BYTES:,} bytes", fix=fix)


def _text(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{name} is not UTF-8 text", fix="Save it as UTF-8.") from None

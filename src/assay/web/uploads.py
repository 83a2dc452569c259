"""Uploads: bounded in number and size, under names that cannot lead anywhere, kept for a stated time.

Archives are stored as they are. They are read where they lie (`assay.tree`), with bounds on what may come out of
them, without following links or paths that lead out; nothing is ever unpacked or executed.
"""

from __future__ import annotations

import shutil
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fastapi import UploadFile

from assay.errors import InputError
from assay.web.settings import Settings

_LONGEST_NAME = 120
"""In bytes: file systems take 255, and reports put folders before it."""
_PIECE = 1 << 20


def job_folder(settings: Settings, job_id: str) -> Path:
    """Where a job keeps its uploads and its report."""
    return settings.folder / "jobs" / job_id


def keep_uploads(settings: Settings, job_id: str, files: Sequence[UploadFile]) -> list[dict[str, Any]]:
    """Store the files of a form; give their names and sizes. Whatever is refused leaves nothing behind."""
    given = [file for file in files if file.filename]
    if not given:
        raise InputError("no file was chosen", fix="Choose a file, or drop one on the form.")
    if len(given) > settings.limits.upload_files:
        fix = f"Pack them into one archive; {settings.limits.upload_files} files are the most."
        raise InputError(f"{len(given)} files are too many", fix=fix)
    folder = job_folder(settings, job_id) / "upload"
    folder.mkdir(parents=True)
    told: list[dict[str, Any]] = []
    try:
        for file in given:
            path = _free(folder, safe_name(file.filename or ""))
            with path.open("xb") as stream:
                shutil.copyfileobj(file.file, stream, _PIECE)
            told.append({"name": path.name, "bytes": path.stat().st_size})
    except BaseException:
        delete_folder(settings, job_id)
        raise
    if not any(one["bytes"] for one in told):
        delete_folder(settings, job_id)
        raise InputError("the file is empty", fix="Choose another.")
    return told


def keep_example(settings: Settings, job_id: str, files: Mapping[str, bytes]) -> list[dict[str, Any]]:
    """Store files of our own as if they had been uploaded."""
    folder = job_folder(settings, job_id) / "upload"
    try:
        folder.mkdir(parents=True)
        for name, data in files.items():
            (folder / name).write_bytes(data)
    except OSError:
        delete_folder(settings, job_id)
        raise
    return [{"name": name, "bytes": len(data)} for name, data in files.items()]


def copy_uploads(settings: Settings, job_id: str, fresh_id: str) -> None:
    """Give another job the same files."""
    there = job_folder(settings, fresh_id) / "upload"
    there.parent.mkdir(parents=True)
    try:
        shutil.copytree(job_folder(settings, job_id) / "upload", there)
    except OSError:  # they were deleted at this very moment, or the disk is full
        delete_folder(settings, fresh_id)
        raise InputError("the files could not be read again", fix="Upload them again.") from None


def delete_uploads(settings: Settings, job_id: str) -> None:
    """Take away the uploaded files; the report stays."""
    shutil.rmtree(job_folder(settings, job_id) / "upload", ignore_errors=True)


def delete_folder(settings: Settings, job_id: str) -> None:
    """Take away all files of a job."""
    shutil.rmtree(job_folder(settings, job_id), ignore_errors=True)


def safe_name(given: str) -> str:
    """A file name without folders, control characters or a leading dot, of bounded length; the ending is kept."""
    last = unicodedata.normalize("NFC", given).replace("\\", "/").rpartition("/")[2]
    plain = "".join(sign if sign.isprintable() else "_" for sign in last).strip(" .")
    stem, dot, ending = plain.rpartition(".")
    if len(plain.encode()) > _LONGEST_NAME:
        plain = f"{_shortened(stem or ending, _LONGEST_NAME - 20)}{dot}{_shortened(ending, 12) if dot else ''}"
    return plain or "file"


def _shortened(text: str, most: int) -> str:
    """The beginning of a text, in at most so many bytes."""
    return text.encode()[:most].decode(errors="ignore")


def _free(folder: Path, name: str) -> Path:
    """A path that is not taken yet."""
    path = folder / name
    for number in range(2, 1_000):
        if not path.exists():
            break
        path = folder / f"{Path(name).stem}-{number}{Path(name).suffix}"
    return path

"""Filled checklists as the files that the command line reads and writes."""

from __future__ import annotations

import yaml
from fastapi import UploadFile

from assay.errors import InputError
from assay.web.assessments import Sheet
from assay.web.uploads import safe_name

_MOST_BYTES = 500_000
"""YAML is read slowly, at a few hundred kilobytes a second, and in the server itself."""


def as_yaml(sheet: Sheet) -> bytes:
    """The assessment as ``assay checklist check`` takes it."""
    answers = {}
    for item in sheet.checklist:
        given = sheet.given(item)
        fields = {"answer": given.answer, "evidence": given.evidence, "reason": given.reason}
        answers[item.id] = {name: value for name, value in fields.items() if value}
    document = {
        "checklist": sheet.checklist.name,
        "version": sheet.row.version,
        "subject": sheet.row.subject,
        "by": sheet.row.by,
        "date": sheet.row.changed.date().isoformat(),
        "answers": answers,
    }
    return yaml.safe_dump(document, allow_unicode=True, sort_keys=False, width=100).encode()


def read_upload(file: UploadFile) -> tuple[str, str]:
    """The name and the text of an uploaded file of bounded size."""
    name = safe_name(file.filename or "")
    data = file.file.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise InputError(f"{name} is larger than {_MOST_BYTES:,} bytes", fix="A filled checklist is never this large.")
    try:
        return name, data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{name} is not UTF-8 text", fix="Save it as UTF-8.") from None

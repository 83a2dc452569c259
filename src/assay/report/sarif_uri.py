"""Paths of audited material as the URI references that SARIF wants (3.4, 3.10)."""

from __future__ import annotations

import re
from urllib.parse import quote

from assay.findings import Report
from assay.patterns import regex

SOURCE_ROOT = "%SRCROOT%"
"""The name by which code-scanning services know the root of the repository."""

_WEB = regex(r"https?://", re.IGNORECASE)
_DRIVE = regex(r"[A-Za-z]:/")
_FILE_ARGUMENT = regex(r"[^\s=-][^\s=]*\.\w{1,8}")


def artifact_location(path: str) -> dict[str, str]:
    """A relative path under the source root; an absolute one or a web address as it is."""
    if _WEB.match(path):
        return {"uri": _encoded(path, also=":?=&")}
    forward = path.replace("\\", "/")
    if _DRIVE.match(forward):
        return {"uri": f"file:///{_encoded(forward, also=':')}"}
    if forward.startswith("/"):
        return {"uri": f"file://{_encoded(forward)}"}
    return {"uri": _encoded(forward.removeprefix("./")) or ".", "uriBaseId": SOURCE_ROOT}


def named_file(report: Report) -> str:
    """The file that the command names, if it names one alone, else the root: for findings without a place."""
    named = [word for word in report.command.split() if _FILE_ARGUMENT.fullmatch(word)]
    return named[0] if len(named) == 1 else "."


def _encoded(path: str, also: str = "") -> str:
    return quote(path, safe=f"/{also}", errors="backslashreplace")

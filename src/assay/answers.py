"""Reports that print themselves, with the findings as objects, a table or a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec
from os import PathLike
from pathlib import Path
from textwrap import shorten
from typing import Any

from assay.errors import InputError, suggestion
from assay.extras import MissingPackageError
from assay.findings import Finding, Report, Severity
from assay.records import dataclass

AnyPath = str | PathLike[str]
_WIDTH = 100
"""Maximum width of a `repr` line, about what notebooks and terminals show."""
_FIRST = 2
"""Number of findings that a `repr` quotes; with title, count and last line it stays within five lines."""
_ENDINGS = {".txt": "text", ".markdown": "md", ".htm": "html"}
COLUMNS = ("code", "severity", "confidence", "message", "place", "advice")
"""The columns of `Answer.to_dataframe`."""


@dataclass(frozen=True, repr=False)
class Answer:
    """The report on one subject."""

    report: Report

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings, most severe first."""
        return self.report.findings

    @property
    def clean(self) -> bool:
        """True if there are no findings."""
        return self.report.clean

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as the JSON Schema of reports describes it (``assay schema report``)."""
        return self.report.to_dict()

    def to_dataframe(self) -> Any:
        """The findings as a DataFrame: of pandas if it is installed, else of polars."""
        rows = [_row(finding) for finding in self.findings]
        columns = {name: [row[name] for row in rows] for name in COLUMNS}
        return frame_of(columns)

    def save(self, path: AnyPath) -> Path:
        """Write the report; the ending decides the format (html, pdf, docx, md, txt, tex, json, csv, sarif)."""
        from assay.report import Format, encoded

        target = Path(path)
        ending = target.suffix.lower()
        name = _ENDINGS.get(ending, ending.removeprefix("."))
        if name not in set(Format):
            known = ", ".join(f".{one.value}" for one in Format if one is not Format.TEXT)
            raise InputError(f'no report ends in "{ending}"', where=str(target), fix=f"Use .txt, {known}.")
        target.write_bytes(encoded(self.report, Format(name)))
        return target

    def __repr__(self) -> str:
        lines = [self.report.title, self._summary()]
        lines += [f"{finding.code}: {finding.message}" for finding in self.findings[:_FIRST]]
        lines.append('See .findings, .to_dataframe(), .save("report.html")')
        return "\n".join(shorten(line, _WIDTH, placeholder=" …") for line in lines if line)

    def _summary(self) -> str:
        """One line: the number of findings of each severity, or that there are none."""
        if self.report.not_examined:
            return f"Not examined: {self.report.not_examined}"
        counts = Counter(finding.severity for finding in self.findings)
        return ", ".join(_counted(counts[severity], severity) for severity in Severity if counts[severity]) or (
            "No findings"
        )

    def _repr_html_(self) -> str:
        return self.report._repr_html_()


def _counted(number: int, severity: Severity) -> str:
    return f"{number} {severity.value}{'s' if number > 1 else ''}"


def _row(finding: Finding) -> dict[str, str]:
    place = str(finding.location or "")
    values = (finding.code, finding.severity, finding.confidence, finding.message, place, finding.advice)
    return dict(zip(COLUMNS, map(str, values), strict=True))


def frame_of(columns: dict[str, list[Any]]) -> Any:
    """A DataFrame of whichever package is installed."""
    for library in ("pandas", "polars"):
        if find_spec(library) is not None:
            return import_module(library).DataFrame(columns)
    raise MissingPackageError("to_dataframe needs pandas or polars", fix="Install one: pip install pandas")


def each_existing(given: Iterable[AnyPath | Iterable[AnyPath]], parameter: str) -> list[Path]:
    """Paths passed one by one or in lists: ``audit(a, b)`` and ``audit([a, b])``."""
    listed = [[one] if isinstance(one, str) or not isinstance(one, Iterable) else one for one in given]
    paths = [existing(path, parameter) for some in listed for path in some]
    if not paths:
        raise InputError(f"{parameter} names nothing", fix="Give at least one file or folder.")
    return paths


def existing(path: AnyPath, parameter: str) -> Path:
    """The path if it exists; otherwise an error that names the parameter."""
    found = Path(named_path(path, parameter))
    if not found.exists():
        near = suggestion(found.name, (other.name for other in found.parent.iterdir())) if found.parent.is_dir() else ""
        raise InputError(f'{parameter}="{path}" does not exist', fix=near or "Check the path.")
    return found


def named_path(path: AnyPath, parameter: str) -> str:
    """The path as text; an error that names the parameter where it is none."""
    if not isinstance(path, str | PathLike):
        raise InputError(f"{parameter}={path!r} is not a path", fix="Give text or a Path.")
    return str(path)

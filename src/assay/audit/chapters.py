"""In which chapter of the report a finding stands, and which findings make one point of page one."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from assay.findings import Cause, Confidence, Finding, Section, Severity


@cache
def chapters() -> tuple[Section, ...]:
    """The chapters in the order of the report, each with the causes that its findings may have on page one."""
    rows = _table()
    causes = [
        (
            _key(row["rules"][0]),
            Cause(
                tuple(row["rules"]),
                order,
                row["one"],
                row.get("several", row["one"]),
                Severity(row.get("severity", "warning")),
                Confidence(row.get("confidence", "high")),
                tuple(row.get("covers", ())),
            ),
        )
        for order, row in enumerate(rows["cause"])
    ]
    return tuple(
        Section(
            row["key"],
            row["title"],
            missing=row.get("missing", False),
            causes=tuple(cause for key, cause in causes if key == row["key"]),
        )
        for row in rows["chapter"]
    )


def chapter_of(finding: Finding) -> Section:
    """The chapter of a finding, by its rule."""
    return _chapter(finding.code)


@cache
def _chapter(code: str) -> Section:
    key = _key(code)
    return next(section for section in chapters() if section.key == key)


def _key(code: str) -> str:
    """The chapter whose beginning of the code is the longest."""
    rows = _table()["chapter"]
    return str(max((len(start), row["key"]) for row in rows for start in row["rules"] if code.startswith(start))[1])


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(files("assay.audit").joinpath("chapters.toml").read_text(encoding="utf-8"))

"""The tables of a corpus and their columns: how findings, verdicts and facts become Parquet.

`subjects` has one row for each subject, whatever became of it, and is what says that a subject is done. The other
tables refer to it by `row`.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from assay.corpus.subject import Cells, Record
from assay.findings import Evidence, Finding, Judgement, Location, Value

if TYPE_CHECKING:
    import polars as pl

SUBJECTS = "subjects"
_SUBJECT: Mapping[str, type] = {
    "row": int, "subject": str, "outcome": str, "message": str, "seconds": float, "cpu_seconds": float,
    "peak_mb": float, "worker": str, "left_out": str,
}  # fmt: skip
_FINDINGS: Mapping[str, type] = {
    "row": int, "subject": str, "code": str, "title": str, "severity": str, "confidence": str, "message": str,
    "about": str, "path": str, "line": int, "cell": int, "page": int, "evidence": str, "fingerprint": str,
}  # fmt: skip
_VERDICTS: Mapping[str, type] = {
    "row": int, "subject": str, "about": str, "verdict": str, "statement": str, "evidence": str,
}  # fmt: skip
FIXED: Mapping[str, Mapping[str, type]] = {SUBJECTS: _SUBJECT, "findings": _FINDINGS, "verdicts": _VERDICTS}
"""Columns that all instruments share; `subjects` also has the groups, `facts` has no fixed columns."""
RESERVED = frozenset(_SUBJECT)
"""Names that a group cannot have."""
TABLES = (SUBJECTS, "facts", "findings", "verdicts")

Kind = Callable[[str], type]
"""The type of a fact's column: int, float, bool or str."""


def finding_cells(finding: Finding) -> Cells:
    """A row of `findings`, without the subject's own columns."""
    place = finding.location or Location("")
    return (
        finding.code,
        finding.title,
        finding.severity.value,
        finding.confidence.value,
        finding.message,
        finding.subject,
        place.path,
        place.line,
        place.cell,
        place.page,
        _evidence_json(finding.evidence),
        finding.fingerprint,
    )


def verdict_cells(judgement: Judgement) -> Cells:
    """A row of `verdicts`, without the subject's own columns."""
    return judgement.subject, judgement.verdict.value, judgement.statement, _evidence_json(judgement.evidence)


def _evidence_json(evidence: tuple[Evidence, ...]) -> str:
    """Evidence as JSON, which DuckDB can query, without empty fields."""
    return json.dumps([_plain(one) for one in evidence]) if evidence else ""


def _plain(evidence: Evidence) -> dict[str, object]:
    found: dict[str, object] = {"kind": evidence.kind.value}
    if evidence.text:
        found["text"] = evidence.text
    if evidence.location is not None:
        found["at"] = str(evidence.location)
    if evidence.values:
        found["values"] = dict(evidence.values)
    return found


def encoded(records: Sequence[Record], groups: Sequence[str], kind: Kind) -> dict[str, bytes]:
    """The records as one Parquet file for each non-empty table."""
    done = [(r.subject.row, r.subject.name, r.examined) for r in records if r.examined is not None]
    found = {SUBJECTS: _subjects(records, groups)}
    if rows := [(row, name, *cells) for row, name, examined in done for cells in examined.findings]:
        found["findings"] = _parquet(_FINDINGS, rows)
    if rows := [(row, name, *cells) for row, name, examined in done for cells in examined.verdicts]:
        found["verdicts"] = _parquet(_VERDICTS, rows)
    if done:
        found["facts"] = _facts([{"row": row, "subject": name, **examined.facts} for row, name, examined in done], kind)
    return found


def _facts(facts: Sequence[Mapping[str, Value]], kind: Kind) -> bytes:
    columns = list(dict.fromkeys(name for one in facts for name in one))
    types = {name: _SUBJECT.get(name) or kind(name) for name in columns}
    return _parquet(types, [tuple(one.get(name) for name in columns) for one in facts])


def _subjects(records: Sequence[Record], groups: Sequence[str]) -> bytes:
    types = {**_SUBJECT, **dict.fromkeys(groups, str)}
    return _parquet(types, [(*_subject_cells(r), *r.subject.groups) for r in records])


def _subject_cells(record: Record) -> Cells:
    left_out = "\n".join(record.examined.left_out) if record.examined else ""
    return (
        record.subject.row,
        record.subject.name,
        record.outcome.value,
        record.message,
        round(record.seconds, 6),
        round(record.cpu_seconds, 6),
        record.peak_mb,
        record.worker,
        left_out,
    )


def _parquet(types: Mapping[str, type], rows: Iterable[Cells]) -> bytes:
    import polars as pl

    known: dict[type, pl.DataType] = {int: pl.Int64(), float: pl.Float64(), bool: pl.Boolean(), str: pl.String()}
    schema = {name: known[kind] for name, kind in types.items()}
    columns = zip(*rows, strict=True)
    series = [
        pl.Series(name, _fitting(column, types[name]), dtype)
        for (name, dtype), column in zip(schema.items(), columns, strict=True)
    ]
    stream = io.BytesIO()
    pl.DataFrame(series).write_parquet(stream)
    return stream.getvalue()


def _fitting(column: Sequence[Value], kind: type) -> Sequence[object]:
    """Cells converted to the column's type; unpaired surrogates, which Parquet cannot hold, are replaced."""
    if kind is str:
        return [None if c is None else _harmless(str(c)) for c in column]
    return [None if c is None else kind(c) for c in column] if kind is float else column


def _harmless(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def merge_files(parts: Sequence[Path], merged: Path) -> None:
    """Merge the rows of several files of a table, in order; missing columns are empty.

    DuckDB does it piece by piece: the files together may be larger than memory.
    """
    import duckdb

    listed = ", ".join("'" + str(part).replace("'", "''") + "'" for part in parts)
    target = str(merged).replace("'", "''")
    with duckdb.connect(":memory:", config={"memory_limit": "1GB", "threads": 1}) as connection:
        connection.execute(
            f"copy (select * from read_parquet([{listed}], union_by_name = true)) "  # noqa: S608 - our own paths, quoted
            f"to '{target}' (format parquet, compression zstd)"
        )

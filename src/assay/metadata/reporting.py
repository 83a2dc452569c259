"""The report about what metadata files say, side by side: where they differ, a reader sees it."""

from __future__ import annotations

from collections.abc import Sequence

from assay.findings import Report, Table
from assay.metadata.description import Description

_FIELDS = ("title", "kind", "version", "doi", "licence", "repository", "url", "released")
_LONGEST = 200


def report_of(told: Sequence[Description], command: str = "") -> Report:
    """A table of what each file says, and tables of authors, parts, scores and files where there are some."""
    names = tuple(one.source for one in told)
    rows = [(name, *(str(getattr(one, name)) or None for one in told)) for name in _FIELDS]
    rows.append(("authors", *(", ".join(p.name for p in one.authors)[:_LONGEST] or None for one in told)))
    rows.append(("keywords", *(", ".join(one.keywords)[:_LONGEST] or None for one in told)))
    rows.append(("datasets", *(", ".join(one.data)[:_LONGEST] or None for one in told)))
    tables = [Table("What is said", ("field", *names), tuple(row for row in rows if any(row[1:])))]
    parts = tuple((one.source, part.name, part.rows) for one in told for part in one.parts)
    scores = tuple((one.source, s.metric, s.value, s.dataset, s.part, s.task) for one in told for s in one.scores)
    files = tuple((one.source, file.name, file.size or None, file.sha256 or None) for one in told for file in one.files)
    if parts:
        tables.append(Table("Parts of the data", ("source", "part", "rows"), parts))
    if scores:
        tables.append(Table("Scores", ("source", "metric", "value", "dataset", "part", "task"), scores))
    if files:
        tables.append(Table("Files", ("source", "file", "size", "sha256"), files))
    return Report("Metadata", question="What do metadata files say?", tables=tuple(tables), command=command)

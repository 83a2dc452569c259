"""The report about what metadata files say, side by side: where they differ, a reader sees it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from assay.findings import Report, Table, Value
from assay.metadata.description import Description

_FIELDS = ("title", "kind", "version", "doi", "licence", "repository", "url", "released")
_LISTS: dict[str, Callable[[Description], Iterable[str]]] = {
    "authors": lambda one: (person.name for person in one.authors),
    "keywords": lambda one: one.keywords,
    "datasets": lambda one: one.data,
}
_LONGEST = 200
Row = tuple[Value, ...]


def report_of(described: Sequence[Description], command: str = "") -> Report:
    """A table of what each file says, and tables of parts, scores and files where there are some."""
    tables = [
        _fields(described),
        Table("Parts of the data", ("source", "part", "rows"), _rows(described, _parts)),
        Table("Scores", ("source", "metric", "value", "dataset", "part", "task"), _rows(described, _scores)),
        Table("Files", ("source", "file", "size", "sha256"), _rows(described, _files)),
    ]
    kept = (tables[0], *(table for table in tables[1:] if table.rows))
    return Report("Metadata", question="What do the metadata files say?", tables=kept, command=command)


def _fields(described: Sequence[Description]) -> Table:
    """What each file says, one line per field that some file has."""
    columns = [[str(getattr(one, name)) or None for one in described] for name in _FIELDS]
    rows = dict(zip(_FIELDS, columns, strict=True))
    for name, texts in _LISTS.items():
        rows[name] = [", ".join(texts(one))[:_LONGEST] or None for one in described]
    filled = tuple((name, *values) for name, values in rows.items() if any(values))
    return Table("Fields", ("field", *(one.source for one in described)), filled)


def _rows(described: Sequence[Description], rows: Callable[[Description], Iterable[Row]]) -> tuple[Row, ...]:
    return tuple((one.source, *row) for one in described for row in rows(one))


def _parts(one: Description) -> Iterable[Row]:
    return ((part.name, part.rows) for part in one.parts)


def _scores(one: Description) -> Iterable[Row]:
    return ((score.metric, score.value, score.dataset, score.part, score.task) for score in one.scores)


def _files(one: Description) -> Iterable[Row]:
    return ((file.name, file.size or None, file.sha256 or None) for file in one.files)

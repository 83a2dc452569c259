"""The results of a run as tables: DuckDB on the finished parts, read-only and without other access."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.corpus.store import Store
from assay.corpus.subject import Task
from assay.corpus.tables import FIXED, SUBJECTS, TABLES
from assay.errors import InputError
from assay.records import dataclass

if TYPE_CHECKING:
    import duckdb

    from assay.findings import Report

_SQL_TYPES = {int: "BIGINT", float: "DOUBLE", str: "VARCHAR"}
_FETCHED = 10_000
_VIEWS = {
    "timings": "select row, subject, outcome, seconds, cpu_seconds, peak_mb, worker from subjects",
    "failures": "select row, subject, outcome, message from subjects where outcome <> 'done'",
    "prevalence": "select code, any_value(title) as title, count_subjects(row) as subjects, count(*) as findings "
    "from findings group by code",
}
"""The tables under convenient names."""
_COUNT_SUBJECTS = "create macro count_subjects(row) as coalesce(bit_count(bitstring_agg(row, 0, {})), 0)"
"""Counts distinct rows. A bit for each row takes a tenth of the time and memory of DuckDB's `count(distinct row)`."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The columns of an answer, and its rows as they are fetched."""

    columns: tuple[str, ...]
    rows: Iterator[tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Results:
    """The results of a run, finished or not."""

    folder: Path
    task: Task
    groups: tuple[str, ...]
    rows: int
    """Rows of the list; fewer may be recorded so far."""
    seed: int

    @classmethod
    def of(cls, folder: Path) -> Results:
        """The results in this folder."""
        manifest = Store(folder).manifest()
        listed = manifest["list"]
        return cls(
            folder,
            Task(str(manifest.get("instrument")), tuple(manifest.get("options", {}).items())),
            tuple(map(str, listed.get("groups", []))),
            int(listed.get("rows", 0)),
            int(manifest.get("seed", 0)),
        )

    def query(self, sql: str) -> Answer:
        """The answer to one SELECT over the tables and views of a run."""
        import duckdb

        try:
            statements = duckdb.extract_statements(sql)
            kinds = {statement.type for statement in statements}
            if len(statements) != 1 or not kinds <= {duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN}:
                fix = f"Tables: {', '.join((*TABLES, *_VIEWS))}."
                raise InputError("only one SELECT is answered; results are not changed here", fix=fix)
            connection = self.connect()
            cursor = connection.execute(sql)
        except duckdb.Error as error:
            said = str(error).strip().splitlines()[0]
            raise InputError(said, fix=f"Tables: {', '.join((*TABLES, *_VIEWS))}.") from None
        return Answer(tuple(name for name, *_ in cursor.description or ()), _fetched(cursor))

    def report(self, *, group: str | None = None, clusters: int = 2, figures: bool = True) -> Report:
        """Prevalence, factors, differences and clusters; see `assay corpus report`."""
        from assay.corpus.report import report_of

        return report_of(self, group=group, clusters=clusters, figures=figures)

    @contextmanager
    def opened(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """The connection for as long as it is used; damaged tables are an `InputError`."""
        import duckdb

        try:
            with self.connect() as connection:
                yield connection
        except duckdb.Error as error:
            said = str(error).strip().splitlines()[0]
            fix = "Take a copy of the folder, or give `assay corpus run` a new one."
            raise InputError(f"its tables cannot be read ({said})", where=str(self.folder), fix=fix) from error

    def connect(self) -> duckdb.DuckDBPyConnection:
        """An in-memory database with the views, without access to other files or the network."""
        import duckdb

        store = Store(self.folder.resolve())
        try:
            str(store.folder).encode()
        except UnicodeEncodeError:
            raise InputError("its path is not UTF-8", where=str(self.folder), fix="Rename the folder.") from None
        connection = duckdb.connect(
            ":memory:",
            config={
                "autoinstall_known_extensions": False,
                "autoload_known_extensions": False,
                "python_enable_replacements": False,
            },
        )
        for table in TABLES:
            parts = [str(path) for path in store.parts(table)]
            connection.execute(f"create view {table} as {_source(table, parts, self.groups)}")
        [(last,)] = connection.execute("select coalesce(max(row), 0) + 1 from subjects").fetchall()
        connection.execute(_COUNT_SUBJECTS.format(last))
        for name, select in _VIEWS.items():
            connection.execute(f"create view {name} as {select}")
        connection.execute(f"set allowed_directories = [{_quoted(str(store.folder))}]")
        connection.execute("set enable_external_access = false")
        connection.execute("set lock_configuration = true")
        return connection


def _source(table: str, parts: list[str], groups: tuple[str, ...]) -> str:
    """The parts of a table; an empty table still has its columns."""
    if parts:
        listed = ", ".join(map(_quoted, parts))
        return f"select * from read_parquet([{listed}], union_by_name = true)"  # noqa: S608 - our own paths, quoted
    own = dict.fromkeys(groups, str) if table == SUBJECTS else {}
    columns = {**FIXED.get(table, {"row": int, "subject": str}), **own}
    nothing = ", ".join(f"null::{_SQL_TYPES[kind]} as {column(name)}" for name, kind in columns.items())
    return f"select {nothing} where false"


def column(name: str) -> str:
    """The name of a column, quoted for SQL."""
    return '"' + name.replace('"', '""') + '"'


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _fetched(cursor: duckdb.DuckDBPyConnection) -> Iterator[tuple[Any, ...]]:
    while rows := cursor.fetchmany(_FETCHED):
        yield from rows

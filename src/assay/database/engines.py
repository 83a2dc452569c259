"""Connections to SQLite and PostgreSQL, set up so that a transaction happens wholly or not at all."""

from __future__ import annotations

import re
import sqlite3

from sqlalchemy import URL, Connection, Engine, create_engine, event

from assay.database.addresses import SCHEMA, shown
from assay.errors import InputError
from assay.extras import DISTRIBUTION

_WAIT = 5.0
"""Seconds that SQLite waits for a lock before it reports a busy database."""
_READING = "assay_reading"


def engine_at(url: URL) -> Engine:
    """Connections to the database at an address, made on demand."""
    if url.get_backend_name() == "sqlite":
        engine = create_engine(url, connect_args={"timeout": _WAIT})
        event.listen(engine, "connect", _set_up_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine
    schema = url.query.get("schema")
    url = url.difference_update_query(["schema"])  # it is ours: the driver does not know it
    try:
        waiting = {} if "connect_timeout" in url.query else {"connect_timeout": 10}
        engine = create_engine(url, isolation_level="SERIALIZABLE", connect_args=waiting, pool_pre_ping=True)
    except ImportError:
        fix = f'Install it: pip install "{DISTRIBUTION}[postgres]".'
        raise InputError("PostgreSQL needs the package psycopg", where=shown(url), fix=fix) from None
    event.listen(engine, "begin", _begin_postgresql)
    return engine if schema is None else in_schema(engine, str(schema))


def in_schema(engine: Engine, schema: str) -> Engine:
    """The store in another schema of the same PostgreSQL database, over the same connections; close only one.

    Nothing is looked at yet: see `holds` and `bring_up_to_date`.
    """
    return engine.execution_options(**{SCHEMA: _checked(schema, shown(engine))})


def _checked(schema: str, where: str) -> str:
    if not re.fullmatch(r"(?!pg_)[a-z_][a-z0-9_]{0,62}", schema):
        fix = "A name has up to 63 of a-z, 0-9 and _, and begins neither with a digit nor with pg_."
        raise InputError(f"{schema[:80]!r} is no name of a schema", where=where, fix=fix)
    return schema


def reader(engine: Engine) -> Engine:
    """The same connections for reading: they do not wait for writers."""
    if engine.dialect.name == "postgresql":
        return engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
    return engine.execution_options(**{_READING: True})


def _set_up_sqlite(connection: sqlite3.Connection, _: object) -> None:
    """Settings that do not change the file, which may not be ours."""
    connection.isolation_level = None  # the driver would begin too late, and would commit before a change of tables
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA trusted_schema = OFF")  # the file may come from somebody else


def _begin_sqlite(connection: Connection) -> None:
    """A writer takes its lock at the start: after a read it would have to fail instead of wait."""
    reading = connection.get_execution_options().get(_READING, False)
    connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")


def _begin_postgresql(connection: Connection) -> None:
    """Choose the schema for each transaction, so that all stores of a database share its connections."""
    if schema := connection.get_execution_options().get(SCHEMA):
        connection.exec_driver_sql(f'SET LOCAL search_path TO "{schema}"')

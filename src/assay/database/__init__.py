"""One database for what must not be lost: an SQLite file, or PostgreSQL by its URL, brought up to date when opened.

A store's tables are made by migrations: a package of numbered alembic scripts (`revision`, `down_revision`,
`upgrade()`), one after the other. All work goes through `read` and `write`, each one transaction: it happens wholly or
not at all, also when the process dies or the disk is full, and it is tried again when another writer was in the way.

A PostgreSQL database may hold several stores of a kind, each in a schema of its own: its address then ends in
`?schema=name`, and `in_schema` leads from one store to another without more connections to the server.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Engine, MetaData, inspect
from sqlalchemy.orm import Session

from assay.database.addresses import SCHEMA, check_file, shown, url_of
from assay.database.engines import engine_at, in_schema, reader
from assay.database.migration import migrate, version_table
from assay.database.trouble import patiently

__all__ = ["bring_up_to_date", "holds", "in_schema", "open_database", "read", "shown", "take_away", "write"]

T = TypeVar("T")


def open_database(where: str | Path, *, migrations: str, create: bool = True) -> Engine:
    """The database at a path or URL, with its tables as the newest script of the package `migrations` leaves them.

    A new one is made if `create` says so. What is no store, or one of a newer version, is an `InputError`, and is
    left as it was.
    """
    url = url_of(where)
    check_file(url, shown(url), create=create)
    engine = engine_at(url)
    try:
        bring_up_to_date(engine, migrations=migrations, create=create)
    except BaseException:
        engine.dispose()
        raise
    return engine


def holds(session: Session, *, migrations: str) -> bool:
    """Whether there is a store of this kind, of any version."""
    return inspect(session.connection()).has_table(version_table(migrations))


def bring_up_to_date(engine: Engine, *, migrations: str, create: bool = True) -> None:
    """What `open_database` does with the tables, for an engine that is there already."""
    name = shown(engine)
    patiently(name, lambda: migrate(engine, migrations, name, create=create))


def take_away(session: Session, *, migrations: str, tables: MetaData) -> None:
    """Take a store away for good, and its schema if nothing else is in it."""
    connection = session.connection()
    tables.drop_all(connection)
    connection.exec_driver_sql(f'DROP TABLE "{version_table(migrations)}"')
    schema = connection.get_execution_options().get(SCHEMA)
    if schema and not inspect(connection).get_table_names():
        connection.exec_driver_sql(f'DROP SCHEMA "{schema}"')


def read(engine: Engine, work: Callable[[Session], T]) -> T:
    """What `work` finds, all of it at one moment: no writer is waited for, and none is seen half done."""
    return patiently(shown(engine), lambda: _once(reader(engine), work))


def write(engine: Engine, work: Callable[[Session], T]) -> T:
    """What `work` gives, once its changes are stored for good. It may be called again, so it must only use its session.

    If it raises an error, nothing of it is stored.
    """
    return patiently(shown(engine), lambda: _once(engine, work))


def _once(engine: Engine, work: Callable[[Session], T]) -> T:
    with Session(engine, expire_on_commit=False) as session, session.begin():
        return work(session)

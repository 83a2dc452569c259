"""Migrations: numbered scripts that create the tables, and a record of those that have run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Engine, inspect, text

from assay.database.addresses import SCHEMA
from assay.database.engines import reader
from assay.errors import InputError

if TYPE_CHECKING:
    from alembic.script import ScriptDirectory

_LOCK = 0x61737361
"""Number of the advisory lock for PostgreSQL migrations: any number that no other program uses."""


def migrate(engine: Engine, migrations: str, name: str, *, create: bool) -> None:
    """Run the scripts that have not run yet, all of them or none."""
    script = scripts(migrations)
    versions = version_table(migrations)
    with reader(engine).connect() as connection:
        if _version(connection, script, versions, name, create=create) == script.get_current_head():
            return
    with _migrator(engine).connect() as connection:
        if engine.dialect.name == "sqlite":
            connection.detach()  # it is set up for the migration alone, and closed afterwards
            raw: Any = connection.connection.dbapi_connection
            raw.execute("PRAGMA journal_mode = WAL")  # readers and a writer at once; stays with the file
            raw.execute("PRAGMA foreign_keys = OFF")  # a table that is made anew must not take its children along
        with connection.begin():
            if engine.dialect.name == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
            if schema := engine.get_execution_options().get(SCHEMA):
                connection.exec_driver_sql(f'CREATE SCHEMA IF NOT EXISTS "{schema}"')
            _run_steps(connection, script, versions, _version(connection, script, versions, name, create=create))


def _migrator(engine: Engine) -> Engine:
    """Each statement sees the current state, so that changes made while waiting for the lock are visible."""
    if engine.dialect.name == "postgresql":
        return engine.execution_options(isolation_level="READ COMMITTED")
    return engine


def scripts(migrations: str) -> ScriptDirectory:
    """The numbered scripts of a package."""
    from importlib import import_module

    from alembic.script import ScriptDirectory

    folder = str(Path(str(import_module(migrations).__file__)).parent)
    return ScriptDirectory(folder, version_locations=[folder])


def version_table(migrations: str) -> str:
    """The version table of a kind of store, so that several kinds can share a database."""
    return migrations.removesuffix(".migrations").replace(".", "_") + "_version"


def _version(connection: Connection, script: ScriptDirectory, versions: str, name: str, *, create: bool) -> str | None:
    """The revision of the store; None if the database is empty or holds only other kinds of our stores."""
    from alembic.runtime.migration import MigrationContext
    from alembic.util import CommandError

    tables = inspect(connection).get_table_names()
    if versions not in tables:
        if tables and not any(table.startswith("assay_") for table in tables):
            fix = "Name a new file or an empty database: Assay does not mix its tables with others'."
            raise InputError("is a database, but not one of Assay's", where=name, fix=fix)
        if not create:
            server = connection.dialect.name == "postgresql"
            fix = "Check the address; it may need a ?schema= at its end." if server else "Check the path."
            raise InputError("is not such a store", where=name, fix=fix)
        return None
    revision = MigrationContext.configure(connection, opts={"version_table": versions}).get_current_revision()
    try:
        script.get_revision(revision or "base")
    except CommandError:
        fix = "Update Assay; the store was left as it is."
        raise InputError(f"was written by a newer version of Assay (tables {revision})", where=name, fix=fix) from None
    return revision


def _run_steps(connection: Connection, script: ScriptDirectory, versions: str, revision: str | None) -> None:
    from alembic.operations import Operations
    from alembic.runtime.migration import MigrationContext

    context = MigrationContext.configure(connection, opts={"version_table": versions})
    steps = list(script.iterate_revisions("head", revision or "base"))
    with Operations.context(context):
        for step in reversed(steps):
            step.module.upgrade()
            context.stamp(script, step.revision)
    if connection.dialect.name == "sqlite" and (broken := connection.execute(text("PRAGMA foreign_key_check")).all()):
        raise RuntimeError(f"a migration left {len(broken)} rows that belong to nothing")

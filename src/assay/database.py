"""One database for what must not be lost: an SQLite file, or PostgreSQL by its URL, brought up to date when opened.

A store's tables are made by migrations: a package of numbered alembic scripts (`revision`, `down_revision`,
`upgrade()`), one after the other. All work goes through `read` and `write`, each one transaction: it happens wholly or
not at all, also when the process dies or the disk is full, and it is tried again when another writer was in the way.

A PostgreSQL database may hold several stores of a kind, each in a schema of its own: its address then ends in
`?schema=name`, and `in_schema` leads from one store to another without more connections to the server.
"""

from __future__ import annotations

import itertools
import random
import re
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import URL, Connection, Engine, MetaData, create_engine, event, inspect, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, StatementError
from sqlalchemy.orm import Session

from assay.errors import InputError

if TYPE_CHECKING:
    from alembic.script import ScriptDirectory

T = TypeVar("T")
PATIENCE = 30.0
"""Seconds for which work that another writer keeps from happening is tried again."""
_WAIT = 5.0
"""Seconds that SQLite itself waits for a lock before it says that the database is busy."""
_READING, _SCHEMA = "assay_reading", "assay_schema"
_LOCK = 0x61737361
"""The number of the advisory lock under which PostgreSQL stores are migrated: any that no one else takes."""


def open_database(where: str | Path, *, migrations: str, create: bool = True) -> Engine:
    """The database at a path or URL, with its tables as the newest script of the package `migrations` leaves them.

    A new one is made if `create` says so. What is no store, or one of a newer version, is an `InputError`, and is
    left as it was.
    """
    url = _url(where)
    _check_file(url, shown(url), create=create)
    engine = _engine(url)
    try:
        bring_up_to_date(engine, migrations=migrations, create=create)
    except BaseException:
        engine.dispose()
        raise
    return engine


def in_schema(engine: Engine, schema: str) -> Engine:
    """The store in another schema of the same PostgreSQL database, over the same connections: close only one of them.

    Nothing is looked at yet: see `holds` and `bring_up_to_date`.
    """
    return engine.execution_options(**{_SCHEMA: _checked(schema, shown(engine))})


def holds(session: Session, *, migrations: str) -> bool:
    """Whether there is a store of this kind, of any version."""
    return inspect(session.connection()).has_table(_version_table(migrations))


def bring_up_to_date(engine: Engine, *, migrations: str, create: bool = True) -> None:
    """What `open_database` does with the tables, for an engine that is there already."""
    name = shown(engine)
    _patiently(name, lambda: _bring_up_to_date(engine, migrations, name, create=create))


def take_away(session: Session, *, migrations: str, tables: MetaData) -> None:
    """Take a store away for good, and its schema if nothing else is in it."""
    connection = session.connection()
    tables.drop_all(connection)
    connection.exec_driver_sql(f'DROP TABLE "{_version_table(migrations)}"')
    schema = connection.get_execution_options().get(_SCHEMA)
    if schema and not inspect(connection).get_table_names():
        connection.exec_driver_sql(f'DROP SCHEMA "{schema}"')


def read(engine: Engine, work: Callable[[Session], T]) -> T:
    """What `work` finds, all of it at one moment: no writer is waited for, and none is seen half done."""
    return _patiently(shown(engine), lambda: _once(_reader(engine), work))


def write(engine: Engine, work: Callable[[Session], T]) -> T:
    """What `work` gives, once its changes are stored for good. It may be called again, so it must only use its session.

    Whatever it raises, nothing of it is stored.
    """
    return _patiently(shown(engine), lambda: _once(engine, work))


def _once(engine: Engine, work: Callable[[Session], T]) -> T:
    with Session(engine, expire_on_commit=False) as session, session.begin():
        return work(session)


def _reader(engine: Engine) -> Engine:
    if engine.dialect.name == "postgresql":
        return engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
    return engine.execution_options(**{_READING: True})


def shown(where: str | Path | URL | Engine) -> str:
    """The place as a person would name it, and as it may stand in a message: without the password."""
    if isinstance(where, Engine):
        schema = where.get_execution_options().get(_SCHEMA)
        return shown(where.url.update_query_dict({"schema": schema}) if schema else where.url)
    url = where if isinstance(where, URL) else _url(where)
    if url.drivername == "sqlite" and not url.query:
        return url.database or "sqlite://"
    return url.set(drivername=url.get_backend_name()).render_as_string(hide_password=True)


# --- where it is -----------------------------------------------------------------------------------


def _url(where: str | Path) -> URL:
    if isinstance(where, Path) or "://" not in where:
        return URL.create("sqlite", database=str(where))
    try:
        url = make_url(where)
    except (ArgumentError, ValueError):
        raise InputError("is no address of a database", where=where.partition("@")[2] or where, fix=_KINDS) from None
    if url.drivername in {"postgresql", "postgres"}:
        url = url.set(drivername="postgresql+psycopg")
    if url.drivername not in {"sqlite", "postgresql+psycopg"}:
        raise InputError(f'databases of the kind "{url.drivername}" are not supported', where=shown(url), fix=_KINDS)
    return url


_KINDS = "Name a file, or a PostgreSQL database as postgresql://user@host/name."


def _check_file(url: URL, name: str, *, create: bool) -> None:
    """Say what is wrong with a path before a database library says it in its own words."""
    if url.get_backend_name() == "sqlite" and ("schema" in url.query or "?schema=" in str(url.database)):
        raise InputError("a file has no schemas", where=name, fix="Leave out ?schema=; PostgreSQL databases have them.")
    if url.get_backend_name() != "sqlite" or url.query:
        return
    if url.database in {None, "", ":memory:"}:
        raise InputError("a store in memory would be lost", where=name, fix="Name a file.")
    path = Path(str(url.database))
    try:
        is_folder, is_there, has_folder = path.is_dir(), path.exists(), path.parent.is_dir()
    except OSError as error:  # a name too long, say
        raise InputError(f"is not a path ({error.strerror})", where=name[:80], fix="Check the path.") from None
    if "\0" in name:
        raise InputError("is not a path (a null character is in it)", where=repr(name)[:80], fix="Check the path.")
    if is_folder:
        raise InputError("is a folder", where=name, fix="Name a file, as in study.db.")
    if not is_there and not create:
        raise InputError("does not exist", where=name, fix="Check the path.")
    if not has_folder:
        raise InputError("cannot be made: its folder does not exist", where=name, fix=f"Make {path.parent} first.")


def _engine(url: URL) -> Engine:
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
        fix = 'Install it: pip install "assay[postgres]".'
        raise InputError("PostgreSQL needs the package psycopg", where=shown(url), fix=fix) from None
    event.listen(engine, "begin", _begin_postgresql)
    return engine if schema is None else in_schema(engine, str(schema))


def _checked(schema: str, where: str) -> str:
    if not re.fullmatch(r"(?!pg_)[a-z_][a-z0-9_]{0,62}", schema):
        fix = "A name has up to 63 of a-z, 0-9 and _, and begins neither with a digit nor with pg_."
        raise InputError(f"{schema[:80]!r} is no name of a schema", where=where, fix=fix)
    return schema


def _set_up_sqlite(connection: sqlite3.Connection, _: object) -> None:
    """Nothing of this changes the file: that it is ours is not known yet."""
    connection.isolation_level = None  # the driver would begin too late, and would commit before a change of tables
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA trusted_schema = OFF")  # the file may come from somebody else


def _begin_sqlite(connection: Connection) -> None:
    """A writer takes its turn at the start: one that had read before would have to give up instead of waiting."""
    reading = connection.get_execution_options().get(_READING, False)
    connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")


def _begin_postgresql(connection: Connection) -> None:
    """The schema is chosen anew for each transaction, so that the stores of a database can share its connections."""
    if schema := connection.get_execution_options().get(_SCHEMA):
        connection.exec_driver_sql(f'SET LOCAL search_path TO "{schema}"')


# --- what it holds ---------------------------------------------------------------------------------


def _bring_up_to_date(engine: Engine, migrations: str, name: str, *, create: bool) -> None:
    script = _scripts(migrations)
    versions = _version_table(migrations)
    with _reader(engine).connect() as connection:
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
            if schema := engine.get_execution_options().get(_SCHEMA):
                connection.exec_driver_sql(f'CREATE SCHEMA IF NOT EXISTS "{schema}"')
            _migrate(connection, script, versions, _version(connection, script, versions, name, create=create))


def _migrator(engine: Engine) -> Engine:
    """What another process did while this one waited for the lock must be seen, so each statement sees its moment."""
    if engine.dialect.name == "postgresql":
        return engine.execution_options(isolation_level="READ COMMITTED")
    return engine


def _scripts(migrations: str) -> ScriptDirectory:
    from importlib import import_module

    from alembic.script import ScriptDirectory

    folder = str(Path(str(import_module(migrations).__file__)).parent)
    return ScriptDirectory(folder, version_locations=[folder])


def _version_table(migrations: str) -> str:
    """Each kind of store counts its own versions, so that several kinds may share a database."""
    return migrations.removesuffix(".migrations").replace(".", "_") + "_version"


def _version(connection: Connection, script: ScriptDirectory, versions: str, name: str, *, create: bool) -> str | None:
    """The revision of the store, None for a database that is empty or holds only other stores of ours."""
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


def _migrate(connection: Connection, script: ScriptDirectory, versions: str, revision: str | None) -> None:
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


# --- what goes wrong -------------------------------------------------------------------------------


def _patiently(name: str, work: Callable[[], T]) -> T:
    """Do it, again if another writer was in the way, until patience ends; what else goes wrong is told in words."""
    deadline = time.monotonic() + PATIENCE
    for attempt in itertools.count():
        try:
            return work()
        except DBAPIError as error:
            state = _state(error)
            again = state in _BUSY or (state == _TAKEN and attempt < _TWINS)
            if again and time.monotonic() < deadline:
                pause = min(0.01 * 2**attempt, 1.0)
                time.sleep(pause * random.uniform(0.5, 1.5))  # noqa: S311 - so that two do not meet again
            elif (told := _told(state, error, name)) is not None:
                raise told from None
            else:
                raise
        except StatementError as error:  # a column's own type refused the value
            raise (error.orig if isinstance(error.orig, InputError) else error) from None
    raise AssertionError  # the count has no end


_TAKEN, _TWINS = "23505", 3
"""PostgreSQL may say that a key is taken where it means that two writers met; one that is still taken is a fault."""

_BUSY = frozenset({"SQLITE_BUSY", "SQLITE_LOCKED", "40001", "40P01", "55P03"})
"""The store is in use by a writer, or the transaction met another one: serialisation failure, deadlock, lock."""

_TROUBLE: dict[str, tuple[str, str]] = {
    "SQLITE_FULL": ("the disk is full; nothing was changed", "Make room and try again."),
    "SQLITE_READONLY": ("cannot be written", "Check the rights on the file and its folder, or work on a copy."),
    "SQLITE_CANTOPEN": ("cannot be opened", "Check the rights on the file and its folder."),
    "SQLITE_PERM": ("cannot be opened", "Check the rights on the file and its folder."),
    "SQLITE_IOERR": ("the disk did not do what it was asked; nothing was changed", "See if it is full or failing."),
    "SQLITE_NOTADB": ("is not a database", "Name a store, or a file that does not exist yet."),
    "SQLITE_CORRUPT": ("is damaged", "Take the last copy or export, and look after the disk."),
    "53100": ("the server's disk is full; nothing was changed", "Make room and try again."),
    "25006": ("the server only lets you read", "Write to the primary server."),
    "42501": ("you may not do that in this database", "Ask for the right to make and change tables and schemas."),
    "28": ("the server does not let you in", "Check user name and password."),
    "3D000": ("there is no such database", "Make it first, with createdb."),
    "53": ("the server has no room for more", "Try again later."),
    "57": ("the server was stopped meanwhile", "When it is back, see whether the change is there."),
    "08": ("the server does not answer", "Check the address, and that the server runs."),
}
"""What to say, by the longest beginning of the database's own code."""


def _state(error: DBAPIError) -> str:
    """SQLite's name of the error without its details, or PostgreSQL's five characters."""
    origin = error.orig
    if isinstance(origin, sqlite3.Error):
        return "_".join(getattr(origin, "sqlite_errorname", "SQLITE_ERROR").split("_")[:2])
    lost = "08000" if type(origin).__name__ == "OperationalError" else ""
    return getattr(origin, "sqlstate", None) or lost


def _told(state: str, error: DBAPIError, name: str) -> InputError | None:
    if state in _BUSY:
        return InputError("others keep writing to it; nothing was changed", where=name, fix="Try again later.")
    known = [code for code in _TROUBLE if state.startswith(code)]
    if not known:
        return None
    what, fix = _TROUBLE[max(known, key=len)]
    if state == "08000":  # the driver's first line says which server and why
        what = f"{what} ({str(error.orig).strip().splitlines()[0][:200]})"
    return InputError(what, where=name, fix=fix)

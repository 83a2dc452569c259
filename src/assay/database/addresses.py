"""The address of a database, a file or a URL, checked before a library fails with its own message."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import URL, Engine, make_url
from sqlalchemy.exc import ArgumentError

from assay.errors import InputError

SCHEMA = "assay_schema"
"""The engine option that names the schema of its store."""
_KINDS = "Name a file, or a PostgreSQL database as postgresql://user@host/name."


def shown(where: str | Path | URL | Engine) -> str:
    """The address for messages, without the password."""
    if isinstance(where, Engine):
        schema = where.get_execution_options().get(SCHEMA)
        return shown(where.url.update_query_dict({"schema": schema}) if schema else where.url)
    url = where if isinstance(where, URL) else url_of(where)
    if url.drivername == "sqlite" and not url.query:
        return url.database or "sqlite://"
    return url.set(drivername=url.get_backend_name()).render_as_string(hide_password=True)


def url_of(where: str | Path) -> URL:
    """The URL of a path or address of a supported kind."""
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


def check_file(url: URL, name: str, *, create: bool) -> None:
    """Check a path, and explain what is wrong with it."""
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

"""Database errors: retried if another writer was in the way, otherwise reported in plain words."""

from __future__ import annotations

import itertools
import random
import sqlite3
import time
from collections.abc import Callable
from typing import TypeVar

from sqlalchemy.exc import DBAPIError, StatementError

from assay.errors import InputError, UnavailableError

T = TypeVar("T")
PATIENCE = 30.0
"""Seconds for which blocked work is retried."""


def patiently(name: str, work: Callable[[], T]) -> T:
    """Run `work`, and retry while another writer is in the way; other errors are reported in plain words."""
    deadline = time.monotonic() + PATIENCE
    for attempt in itertools.count():
        try:
            return work()
        except (DBAPIError, sqlite3.Error, UnicodeDecodeError) as error:
            if not _worth_another_try(error, attempt) or time.monotonic() >= deadline:
                raise _explained(error, name) from None
            pause = min(0.01 * 2**attempt, 1.0)
            time.sleep(pause * random.uniform(0.5, 1.5))  # noqa: S311 - so that two do not meet again
        except StatementError as error:  # a column's own type refused the value
            raise (error.orig if isinstance(error.orig, InputError) else error) from None
    raise AssertionError  # the count has no end


_Fault = DBAPIError | sqlite3.Error | UnicodeDecodeError


def _origin(error: _Fault) -> BaseException | None:
    return error.orig if isinstance(error, DBAPIError) else error


def _worth_another_try(error: _Fault, attempt: int) -> bool:
    state = _state(_origin(error))
    return state in _BUSY or (state == _TAKEN and attempt < _TWINS)


_TAKEN, _TWINS = "23505", 3
"""PostgreSQL may say that a key is taken where it means that two writers met; one that is still taken is a fault."""

_BUSY = frozenset({"SQLITE_BUSY", "SQLITE_LOCKED", "40001", "40P01", "55P03"})
"""Codes for a busy store or colliding transactions: serialisation failure, deadlock, lock."""

_TROUBLE: dict[str, tuple[str, str]] = {
    "SQLITE_FULL": ("the disk is full; nothing was changed", "Make room and try again."),
    "SQLITE_READONLY": ("cannot be written", "Check the rights on the file and its folder, or work on a copy."),
    "SQLITE_CANTOPEN": ("cannot be opened", "Check the rights on the file and its folder."),
    "SQLITE_PERM": ("cannot be opened", "Check the rights on the file and its folder."),
    "SQLITE_IOERR": ("the disk did not do what it was asked; nothing was changed", "See if it is full or failing."),
    "SQLITE_NOTADB": ("is not a database", "Name a store, or a file that does not exist yet."),
    "SQLITE_CORRUPT": ("is damaged", "Take the last copy or export, and look after the disk."),
    "22": ("the database cannot hold such a value; nothing was changed", "Shorten it, and take out what is no text."),
    "53100": ("the server's disk is full; nothing was changed", "Make room and try again."),
    "25006": ("the server only lets you read", "Write to the primary server."),
    "42501": ("you may not do that in this database", "Ask for the right to make and change tables and schemas."),
    "28": ("the server does not let you in", "Check user name and password."),
    "3D000": ("there is no such database", "Make it first, with createdb."),
    "53": ("the server has no room for more", "Try again later."),
    "57": ("the server was stopped meanwhile", "When it is back, see whether the change is there."),
    "08": ("the server does not answer", "Check the address, and that the server runs."),
}
"""Messages, by the longest matching prefix of the database's code."""


_FOR_NOW = ("SQLITE_FULL", "SQLITE_IOERR", "08", "53", "57")
"""Faults that may pass soon, and that the caller did not cause."""

_BY_THE_DRIVER = {"OperationalError": "08000", "DataError": "22000"}
"""Errors that PostgreSQL's driver raises without a code: a lost server, or a null character in a text."""


def _state(origin: BaseException | None) -> str:
    """SQLite's error name without details, or PostgreSQL's five-character code."""
    if isinstance(origin, UnicodeDecodeError):  # SQLite returns any bytes that its file holds
        return "SQLITE_CORRUPT"
    if isinstance(origin, sqlite3.Error):
        undecoded = isinstance(origin, sqlite3.OperationalError)  # what the driver itself says, without a name
        named = getattr(origin, "sqlite_errorname", "SQLITE_CORRUPT" if undecoded else "SQLITE_ERROR")
        return "_".join(named.split("_")[:2])
    return getattr(origin, "sqlstate", None) or _BY_THE_DRIVER.get(type(origin).__name__, "")


def _explained(error: _Fault, name: str) -> Exception:
    """The error in plain words if it is known; otherwise the error itself."""
    origin = _origin(error)
    state = _state(origin)
    if state in _BUSY:
        return InputError("others keep writing to it; nothing was changed", where=name, fix="Try again later.")
    known = [code for code in _TROUBLE if state.startswith(code)]
    if not known:
        return error
    what, fix = _TROUBLE[max(known, key=len)]
    if state == "08000":  # the driver's first line says which server and why
        name = f"{name} ({str(origin).strip().splitlines()[0][:200]})"
    kind = UnavailableError if state.startswith(_FOR_NOW) else InputError
    return kind(what, where=name, fix=fix)

"""Read files that people write: bounded, decoded, validated, with errors that name the place and the fix."""

from __future__ import annotations

import os
import re
import stat
from dataclasses import is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_type_hints

from assay.errors import InputError, suggestion

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import ValidationError

Kind = TypeVar("Kind")

MAX_BYTES = 64 * 1024 * 1024
"""Files that people write are never this large."""


_WHOLE = ("is not a whole number", "Write digits only, as in 12.")
_NUMBER = ("is not a number", "Write it as in 0.94.")
_WORDED = {
    "int_parsing": _WHOLE,
    "int_type": _WHOLE,
    "int_from_float": _WHOLE,
    "float_parsing": _NUMBER,
    "float_type": _NUMBER,
    "string_type": ("is not text", "Put it in quotes."),
    "bool_parsing": ("is neither true nor false", "Write true or false."),
    "bool_type": ("is neither true nor false", "Write true or false."),
    "list_type": ("is not a list", "Write [..., ...]."),
    "tuple_type": ("is not a list", "Write [..., ...]."),
    "dict_type": ("is not a table of keys and values", "Write { key = value }."),
    "dataclass_type": ("is not a table of keys and values", "Write { key = value }."),
    "model_type": ("is not a table of keys and values", "Write { key = value }."),
    "missing": ("is missing", "Add it."),
}
"""What is wrong and what to do, for the commonest pydantic error types."""
_BOUNDS = {
    "greater_than_equal": ("is too small", "Give {ge} or more."),
    "greater_than": ("is too small", "Give more than {gt}."),
    "less_than_equal": ("is too large", "Give {le} or less."),
    "less_than": ("is too large", "Give less than {lt}."),
    "string_too_long": ("is too long", "Give at most {max_length:,} characters."),
}
"""The same for bounds, with the bound in the place of its name."""

_UNKNOWN = ("extra_forbidden", "unexpected_keyword_argument")
"""Pydantic's error types for an unknown key."""


def read_text(path: Path, limit: int = MAX_BYTES) -> str:
    """The whole file as text (UTF-8, or UTF-16 with a byte-order mark); anything else is an `InputError`."""
    data = read_bytes(path, limit)
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise InputError("is not UTF-8 text", where=f"{path}:{line}", fix="Save it as UTF-8.") from None


def read_bytes(path: Path, limit: int = MAX_BYTES) -> bytes:
    """The whole file; an unreadable or oversized file is an `InputError`."""
    try:
        with open(path, "rb", opener=without_waiting) as stream:
            data = stream.read(limit + 1)
            dry = not data and stat.S_ISFIFO(os.fstat(stream.fileno()).st_mode)
    except IsADirectoryError:
        raise InputError("is a folder", where=str(path), fix="Name a file in it.") from None
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", where=str(path), fix="Check the path.") from None
    except ValueError:  # a null byte in the path
        raise InputError("is not a path", where=repr(str(path)), fix="Check the path.") from None
    if dry:
        raise InputError("is a pipe, and nothing was written to it", where=str(path), fix="Name a file.")
    if len(data) > limit:
        raise InputError(f"is larger than {limit:,} bytes", where=str(path), fix="Split it into several files.")
    return data


def is_there(path: Path) -> bool:
    """True if the path exists; an `InputError` if that cannot be determined, as in a closed folder."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise InputError(f"cannot be looked at ({error.strerror})", where=str(path), fix="Check the path.") from None
    except ValueError:  # a null byte in the path
        raise InputError("is not a path", where=repr(str(path)), fix="Check the path.") from None
    return True


def without_waiting(path: str, flags: int) -> int:
    """An opener for `open`: a pipe without a writer reads as empty instead of blocking."""
    handle = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    if hasattr(os, "O_NONBLOCK"):
        os.set_blocking(handle, True)
    return handle


def validated(kind: type[Kind], data: Any, *, where: str) -> Kind:
    """The data as a pydantic model or dataclass, or an `InputError` about the first problem."""
    from pydantic import TypeAdapter, ValidationError

    try:
        return TypeAdapter(kind).validate_python(data)
    except ValidationError as error:
        raise _first_complaint(error, kind, where) from None


def _first_complaint(error: ValidationError, kind: type, where: str) -> InputError:
    # A misspelt key explains the missing one beside it, so it is reported first.
    first = min(error.errors(include_url=False), key=lambda e: e["type"] not in _UNKNOWN)
    # Where a value may be of several types pydantic adds the type's name, as in classes.dict[str,int] and folds.int.
    path = ".".join(str(part) for part in first["loc"] if not re.search(r"[\[(]|^(int|str)$", str(part)))
    if first["type"] in _UNKNOWN:
        known = _fields_at(kind, first["loc"][:-1])
        fix = suggestion(str(first["loc"][-1]), known) or f"Known keys: {', '.join(known)}."
        return InputError(f'unknown key "{path}"', where=where, fix=fix)
    message, fix = worded(first)
    if not path:
        return InputError(message, where=where, fix=fix)
    if first["type"] == "missing":
        return InputError(f'"{path}" is missing', where=where, fix=f'Add "{first["loc"][-1]}".')
    given = repr(first["input"])
    shown = given if len(given) <= 60 else given[:57] + "..."
    return InputError(f'"{path}" = {shown}: {message}', where=where, fix=fix)


def worded(problem: Mapping[str, Any]) -> tuple[str, str]:
    """What is wrong with a value, and the fix, of an entry in pydantic's list of errors."""
    if problem["type"] in _BOUNDS:
        message, fix = _BOUNDS[problem["type"]]
        bounds = problem["ctx"].items()
        whole = {name: int(bound) for name, bound in bounds if isinstance(bound, float) and bound.is_integer()}
        return message, fix.format(**problem["ctx"] | whole)
    message = str(problem["msg"]).removeprefix("Value error, ")
    return _WORDED.get(problem["type"], (f"{message[:1].lower()}{message[1:]}", ""))


def _fields_at(kind: type, path: tuple[int | str, ...]) -> list[str]:
    """The valid keys at this place, as they are written in files."""
    here = _fields(kind)
    for part in path:
        annotation = here.get(str(part))
        inner = (_fields(option) for option in (annotation, *getattr(annotation, "__args__", ())))
        here = next(filter(None, inner), here)
    return list(here)


def _fields(kind: Any) -> dict[str, Any]:
    """The keys of a model or dataclass with their types; empty for anything else."""
    if is_dataclass(kind) and isinstance(kind, type):
        return {name: hint for name, hint in get_type_hints(kind).items() if name in kind.__dataclass_fields__}
    return {field.alias or name: field.annotation for name, field in getattr(kind, "model_fields", {}).items()}

"""Reading the tables of libraries: one TOML file each, checked row by row.

`rows.json` holds what the shipped files say, in a form that loads in a millisecond; `python -m assay.libraries` writes
it anew, and a test checks that it is up to date.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from assay.bounded import load_toml
from assay.errors import InputError, suggestion
from assay.libraries.row import (
    NOT_ABOUT_ROWS,
    OBJECTS,
    Condition,
    Group,
    How,
    Place,
    Port,
    Role,
    Row,
    Step,
    Trait,
    Use,
    parse_port,
)
from assay.records import dataclass

_HERE = Path(__file__).parent
COMPACT = "rows.json"
UNKNOWN = "unknown"
"""The table about names of libraries that have no table."""
Spec = Mapping[str, Any]
"""A row as its file has it, after `checked`."""

_TABLE_KEYS = frozenset({"packages", "also", "aliases", "otherwise", "types", "groups", "rows"})
_PORTS = frozenset(Use)
_ROW_KEYS = frozenset(
    {"names", "of", "makes", "effect", "step", "supervised", "how", "when", "bare", "covers", "inherits", "below",
     "asks", "route", "tool", "folds", "share", "traits", "streams", "falls_back", "absent", "absent_value",
     "receivers", *_PORTS}
)  # fmt: skip
_CONDITION_KEYS = frozenset({"is", "absent", "position"})
OTHERWISE = frozenset({"nothing", "keeps", "texts", "one by one"})
"""What a call of a library does that no row describes: nothing that matters; it keeps the rows of what it is given; it
works on texts; it works on one picture, sound or molecule at a time."""


@dataclass(frozen=True, slots=True)
class Table:
    """One file: the packages it is about, and its rows."""

    name: str
    packages: tuple[str, ...]
    also: tuple[str, ...]
    """Packages with the same calls: forks, ports, modules that are imported by their short name."""
    aliases: Mapping[str, str]
    otherwise: str
    types: Mapping[str, str]
    groups: Mapping[str, Sequence[str]]
    """Names that have something in common, under a `Group`."""
    rows: tuple[Spec, ...]


def shipped() -> tuple[Table, ...]:
    """The tables that come with Assay, in their compact form."""
    text = (_HERE / COMPACT).read_text(encoding="utf-8")
    return tuple(_table(name, data) for name, data in json.loads(text).items())


def shipped_sources() -> dict[str, dict[str, Any]]:
    """The tables that come with Assay, from their TOML files, checked."""
    files = sorted((_HERE / "tables").glob("*.toml"))
    return {file.stem: parsed(file.read_text(encoding="utf-8"), file.name) for file in files}


def read_table(path: Path) -> Table:
    """The table in a file that a user wrote."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read: {error}", where=str(path), fix="Name a TOML file with rows.") from None
    return _table(path.stem, parsed(text, str(path)))


def parsed(text: str, where: str) -> dict[str, Any]:
    """What a file says, after every row has been checked."""
    try:
        data = load_toml(text)
    except ValueError as error:
        raise InputError(f"not valid TOML: {error}", where=where, fix="Correct the file.") from None
    _known(data, _TABLE_KEYS, where)
    if data.get("otherwise", "keeps") not in OTHERWISE:
        raise InputError(f"otherwise = {data['otherwise']!r} is not known", where=where, fix=_choices(OTHERWISE))
    _known(data.get("groups", {}), frozenset(Group), where)
    seen: dict[tuple[object, ...], int] = {}
    for number, row in enumerate(data.get("rows", ()), 1):
        place = f"{where}, row {number}"
        _checked(row, place)
        for key in _identities(row):
            if key in seen:
                raise InputError(f"{key[0]} is described twice", where=place, fix=f"See row {seen[key]}.")
            seen[key] = number
    return data


def _identities(row: Spec) -> Iterator[tuple[object, ...]]:
    """What two rows of a file must not have in common: a call, and what decides whether the row holds."""
    role = Role(row.get("makes") or row["effect"])
    family = (role, row.get("receivers"), modules_above(row)) if role in NOT_ABOUT_ROWS else "rows"
    for name in (*row["names"], *row.get("covers", ())):
        for owner in owners(row) or ("",):
            path = f"{owner}.{name}" if owner else name
            yield path, family, json.dumps(row.get("when"), sort_keys=True)


def modules_above(row: Spec) -> tuple[str, ...]:
    """The modules that the calls of a row are below."""
    below = row.get("below", ())
    return (below,) if isinstance(below, str) else tuple(below)


def owners(row: Spec) -> tuple[str, ...]:
    """The types whose method or attribute a row is about; none for functions and classes."""
    of = row.get("of", ())
    return (of,) if isinstance(of, str) else tuple(of)


def _checked(row: Any, where: str) -> None:
    if not isinstance(row, dict):
        raise InputError("a row is a table", where=where, fix="Begin it with [[rows]].")
    _known(row, _ROW_KEYS, where)
    if not row.get("names") or not all(isinstance(name, str) for name in row["names"]):
        raise InputError("no names", where=where, fix='Add names = ["…"].')
    if ("makes" in row) == ("effect" in row):
        raise InputError("a row has either makes or effect", where=where, fix="Name one of them.")
    _one_of("makes", row, [str(role) for role in OBJECTS], where)
    _one_of("effect", row, [str(role) for role in Role if role not in OBJECTS], where)
    _one_of("step", row, list(Step), where)
    _one_of("how", row, list(How), where)
    for trait in row.get("traits", ()):
        _one_of("trait", {"trait": trait}, list(Trait), where)
    for use in _PORTS & row.keys():
        _require_port(use, row[use], where)
    for value in row.get("when", {}).values():
        if isinstance(value, dict):
            _known(value, _CONDITION_KEYS, where)


def _require_port(use: str, port: Any, where: str) -> None:
    if not isinstance(port, str) or parse_port(port) is None:
        fix = 'A port is "argument[0, X]", "keyword[X]", "receiver", "return" or "return[0]".'
        raise InputError(f"{use} = {port!r} is not a port", where=where, fix=fix)


def _known(table: Mapping[str, Any], keys: frozenset[str], where: str) -> None:
    for key in table:
        if key not in keys:
            raise InputError(f'unknown key "{key}"', where=where, fix=suggestion(key, keys) or _choices(keys))


def _one_of(key: str, row: Spec, choices: list[str], where: str) -> None:
    if key in row and row[key] not in choices:
        fix = suggestion(str(row[key]), choices) or _choices(choices)
        raise InputError(f"{key} = {row[key]!r} is not known", where=where, fix=fix)


def _choices(known: Any) -> str:
    return f"There are: {', '.join(sorted(map(str, known)))}."


def _table(name: str, data: Mapping[str, Any]) -> Table:
    return Table(
        name,
        tuple(data.get("packages", (name,))),
        tuple(data.get("also", ())),
        data.get("aliases", {}),
        data.get("otherwise", ""),
        data.get("types", {}),
        data.get("groups", {}),
        tuple(data.get("rows", ())),
    )


def row_of(spec: Spec, library: str, path: str) -> Row:
    """The typed row of a checked one, for one of the calls that it names."""
    role = Role(spec.get("makes") or spec["effect"])
    return Row(
        library,
        path,
        role,
        Step(spec["step"]) if "step" in spec else None,
        spec.get("supervised", False),
        How(spec.get("how", "")),
        tuple((use, port) for use in Use if use in spec and (port := parse_port(spec[use])) is not None),
        tuple(_condition(name, value) for name, value in spec.get("when", {}).items()),
        _type(spec, library, path, role),
        frozenset(map(Trait, spec.get("traits", ()))),
        spec.get("asks", ""),
        modules_above(spec),
        tuple(spec.get("streams", ())),
        spec.get("falls_back", ""),
        spec.get("absent", ""),
        spec.get("absent_value", ""),
        spec.get("receivers"),
        spec.get("route", ""),
        spec.get("folds"),
        spec.get("share", ""),
        spec.get("tool", ""),
    )


def _type(spec: Spec, library: str, path: str, role: Role) -> str:
    if role not in OBJECTS:
        return ""
    if library == UNKNOWN:
        return str(role)
    return f"{library}.{spec['names'][0] if 'covers' in spec else path}"


def _condition(name: str, value: object) -> Condition:
    """`strategy = "constant"`, or `shuffle = {is = [true], absent = true, position = 2}`."""
    if not isinstance(value, dict):
        return Condition(Port(Place.ARGUMENT, -1, (name,)), (value,))
    port = Port(Place.ARGUMENT, value.get("position", -1), (name,))
    return Condition(port, tuple(value.get("is", ())), value.get("absent", False))

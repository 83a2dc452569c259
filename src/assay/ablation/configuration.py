"""Configuration files (TOML, YAML, JSON): read with their types, changed at dotted keys, written as they were read."""

from __future__ import annotations

import copy
import datetime
import json
from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

from assay.bounded import load_toml
from assay.errors import InputError, suggestion
from assay.files import read_text
from assay.patterns import regex
from assay.records import dataclass

_BARE = regex(r"[A-Za-z0-9_-]+")
_FIX = "Correct the file."


class FileFormat(StrEnum):
    """What a configuration file is written in; the value is the ending of its name."""

    TOML = "toml"
    YAML = "yaml"
    JSON = "json"


@dataclass(frozen=True)
class Configuration:
    """The values of a configuration file."""

    name: str
    format: FileFormat
    values: Mapping[str, Any]

    def keys(self) -> Iterator[str]:
        """Every dotted key that has a value."""
        yield from _keys(self.values)

    def get(self, key: str) -> Any:
        """The value at a dotted key; an unknown key is an `InputError`."""
        here: Any = self.values
        for part in key.split("."):
            if not isinstance(here, Mapping) or part not in here:
                fix = suggestion(key, self.keys()) or "The menu may vary only what the configuration sets."
                raise InputError(f'unknown key "{key}"', where=self.name, fix=fix)
            here = here[part]
        return here

    def changed(self, changes: Mapping[str, Any]) -> Configuration:
        """The same configuration with other values at some dotted keys."""
        values: Any = copy.deepcopy(dict(self.values))
        for key, value in changes.items():
            self.get(key)
            *path, last = key.split(".")
            here = values
            for part in path:
                here = here[part]
            here[last] = value
        return Configuration(self.name, self.format, values)

    def text(self) -> str:
        """The configuration as a file of its format."""
        match self.format:
            case FileFormat.JSON:
                return json.dumps(self.values, indent=2, ensure_ascii=False) + "\n"
            case FileFormat.YAML:
                import yaml

                return str(yaml.safe_dump(dict(self.values), sort_keys=False, allow_unicode=True))
            case FileFormat.TOML:
                return "\n".join(_toml_lines(self.values, ())) + "\n"


def read_configuration(path: Path) -> Configuration:
    """The configuration in a file; a key that is given twice is an `InputError`."""
    text = read_text(path)
    endings = {"toml": FileFormat.TOML, "json": FileFormat.JSON, "yaml": FileFormat.YAML, "yml": FileFormat.YAML}
    kind = endings.get(path.suffix.lower().lstrip("."))
    if kind is None:
        raise InputError("is no configuration", where=str(path), fix="It ends in .toml, .yaml, .yml or .json.")
    try:
        values = _parsed(text, kind)
    except RecursionError:
        raise InputError("is nested too deeply", where=str(path), fix=_FIX) from None
    except ValueError as error:
        raise InputError(f"not valid {kind.name}: {error}", where=str(path), fix=_FIX) from None
    if not isinstance(values, dict):
        raise InputError("is not a table of settings", where=str(path), fix="Write keys with values.")
    return Configuration(str(path), kind, values)


def _parsed(text: str, kind: FileFormat) -> Any:
    match kind:
        case FileFormat.TOML:
            return load_toml(text)
        case FileFormat.JSON:
            return _json(text)
        case FileFormat.YAML:
            return _yaml(text)


def _json(text: str) -> Any:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            names = [key for key, _ in pairs]
            twice = next(key for key in names if names.count(key) > 1)
            raise ValueError(f'"{twice}" is given twice')
        return found

    return json.loads(text, object_pairs_hook=once)


def _yaml(text: str) -> Any:
    import yaml

    class Once(yaml.SafeLoader):
        """YAML without aliases (they can expand without end) and without repeated keys."""

        def compose_node(self, parent: Any, index: Any) -> Any:
            if self.check_event(yaml.AliasEvent):
                raise yaml.MarkedYAMLError(problem="aliases are not used here", problem_mark=self.get_mark())
            return super().compose_node(parent, index)

        def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
            names = [key.value for key, _ in node.value]
            for name in names:
                if names.count(name) > 1:
                    raise yaml.MarkedYAMLError(problem=f'"{name}" is given twice', problem_mark=node.start_mark)
            return super().construct_mapping(node, deep)

    try:
        return yaml.load(text, Once)  # noqa: S506 - Once is a SafeLoader
    except yaml.YAMLError as error:
        reason = " ".join(str(error).split())
        raise ValueError(f"not valid YAML: {reason}") from None


def _keys(values: Mapping[str, Any], above: str = "") -> Iterator[str]:
    for key, value in values.items():
        if isinstance(value, Mapping) and value:
            yield from _keys(value, f"{above}{key}.")
        else:
            yield f"{above}{key}"


def _toml_lines(values: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    """A table: first its values, then the tables in it; TOML has no null, so what is None is left out."""
    inner = {key: value for key, value in values.items() if isinstance(value, Mapping)}
    if path:
        yield f"[{'.'.join(map(_toml_key, path))}]"
    for key, value in values.items():
        if key not in inner and value is not None:
            yield f"{_toml_key(key)} = {_toml_value(value)}"
    for key, value in inner.items():
        yield from _toml_lines(value, (*path, key))


def _toml_key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _toml_text(key)


def _toml_text(text: str) -> str:
    """JSON's way to quote is TOML's too, save for the delete character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _toml_value(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return _toml_text(value)
        case float():
            return repr(value)
        case datetime.datetime() | datetime.date() | datetime.time():
            return value.isoformat()
        case Mapping():
            inner = ", ".join(f"{_toml_key(key)} = {_toml_value(v)}" for key, v in value.items() if v is not None)
            return f"{{{inner}}}"
        case list() | tuple():
            return f"[{', '.join(map(_toml_value, value))}]"
        case _:
            return str(value)

"""TOML files, and the ones that come with the package, as configurations."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from assay.bounded import load_toml
from assay.errors import InputError, suggestion
from assay.files import is_there, read_text, validated
from assay.slides.configuration.bag_steps import BagConfiguration
from assay.slides.configuration.steps import Configuration

_MAX_BYTES = 1024 * 1024
_SHIPPED = resources.files("assay.slides.configuration") / "shipped"


def shipped() -> list[str]:
    """The names of the configurations that come with the package."""
    return sorted(entry.name.removesuffix(".toml") for entry in _SHIPPED.iterdir() if entry.name.endswith(".toml"))


def configuration_text(name: str | Path) -> tuple[str, str]:
    """The text of a configuration, by path or by the name of a shipped one, and where it stands."""
    if str(name) in shipped():
        return (_SHIPPED / f"{name}.toml").read_text(encoding="utf-8"), f"{name}.toml"
    path = Path(name)
    if path.suffix != ".toml" and not is_there(path):
        fix = (
            suggestion(str(name), shipped()) or f"There are: {', '.join(shipped())}; or give the path of a .toml file."
        )
        raise InputError(f'there is no configuration "{name}"', fix=fix)
    return read_text(path, _MAX_BYTES), str(path)


def read_pipeline(name: str | Path, changes: Mapping[str, Any] | None = None) -> Configuration | BagConfiguration:
    """A configuration of either kind by path or shipped name, with `changes` (dotted key → value) made to it."""
    text, where = configuration_text(name)
    return pipeline_of(changed_data(text, where, changes), where)


def read_configuration(name: str | Path, changes: Mapping[str, Any] | None = None) -> Configuration:
    """A configuration of a patch pipeline."""
    text, where = configuration_text(name)
    return configuration_of(text, where, changes)


def configuration_of(text: str, where: str, changes: Mapping[str, Any] | None = None) -> Configuration:
    """The same from its text."""
    found = pipeline_of(changed_data(text, where, changes), where)
    if isinstance(found, BagConfiguration):
        raise InputError("works on bags of features, not on slides", where=where, fix="Name another, such as small.")
    return found


def pipeline_of(data: Mapping[str, Any], where: str) -> Configuration | BagConfiguration:
    """Plain data as a configuration; `pipeline = "bags"` says which kind."""
    if data.get("pipeline") == "bags":
        return validated(BagConfiguration, data, where=where)
    return validated(Configuration, data, where=where)


def changed_data(text: str, where: str, changes: Mapping[str, Any] | None) -> dict[str, Any]:
    """What a file says over the configuration it extends, with the changes made."""
    data = _with_base(_toml(text, where), where)
    for key, value in (changes or {}).items():
        _change(data, key, value, where)
    return data


def parsed_change(told: str) -> tuple[str, Any]:
    """A change as it is typed, ``patches.size=32``: the value is TOML, and a bare word is text."""
    key, equals, value = told.partition("=")
    if not equals or not key.strip():
        raise InputError(f'"{told}" changes nothing', fix="Write it as KEY=VALUE, such as patches.size=32.")
    try:
        return key.strip(), load_toml(f"value = {value}")["value"]
    except ValueError:
        return key.strip(), value.strip()


def _toml(text: str, where: str) -> dict[str, Any]:
    try:
        return load_toml(text)
    except ValueError as error:
        raise InputError(f"not valid TOML: {error}", where=where, fix="Fix the file.") from None


def _with_base(data: dict[str, Any], where: str) -> dict[str, Any]:
    """What a file says, over the shipped configuration that it extends, if any."""
    base = data.pop("extends", None)
    if base is None:
        return data
    if base not in shipped():
        fix = suggestion(str(base), shipped()) or f"There are: {', '.join(shipped())}."
        raise InputError(f'extends "{base}", which is no shipped configuration', where=where, fix=fix)
    text, place = configuration_text(base)
    return _merged(_with_base(_toml(text, place), place), data)


def _merged(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    both = {k: _merged(base[k], v) for k, v in over.items() if isinstance(v, dict) and isinstance(base.get(k), dict)}
    return base | over | both


def _change(data: dict[str, Any], key: str, value: Any, where: str) -> None:
    *path, last = key.split(".")
    table = data
    for name in path:
        table = table.setdefault(name, {})
        if not isinstance(table, dict):
            raise InputError(f'"{key}" is no key', where=where, fix=f"{name} is a value, not a table.")
    if key == "patches.um_per_pixel":  # a resolution takes the place of the level
        table.pop("level", None)
    if key == "patches.level":
        table.pop("um_per_pixel", None)
    table[last] = value

"""Check every row of the tables of libraries against what is installed: the name and its parameters exist.

    python bench/verify_libraries.py [LIBRARY...]

Only libraries that can be imported are checked; the others are listed. A name that an older or newer version has, and
the installed one has not, is reported as missing: look it up before you remove it.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import sys
import warnings
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from assay.libraries.loading import owners, shipped_sources
from assay.libraries.row import Place, Use, parse_port

_DEEPEST = 3


def modules(package: str) -> Iterator[ModuleType]:
    """A package and its public modules, as far as they can be imported."""
    root = importlib.import_module(package)
    yield root
    found = pkgutil.walk_packages(getattr(root, "__path__", []), f"{package}.", onerror=lambda _: None)
    for info in found:
        hidden = any(
            part.startswith("_") or part in {"tests", "testing", "test", "conftest"} for part in info.name.split(".")
        )
        if hidden or info.name.count(".") > _DEEPEST:
            continue
        try:
            yield importlib.import_module(info.name)
        except BaseException:  # noqa: BLE001 - optional parts of a library fail in many ways
            continue


def found(path: str, inside: list[ModuleType]) -> Any:
    """What a row's path stands for, in the first module that has it; None if none has."""
    first, *rest = path.split(".")
    for module in inside:
        value: Any = getattr(module, first, None)
        if value is None and module.__name__.endswith(f".{first}"):
            value = module
        for part in rest:
            value = getattr(value, part, None)
        if value is not None:
            return value
    classes = (value for module in inside for value in vars(module).values() if inspect.isclass(value))
    return next((getattr(cls, path) for cls in classes if "." not in path and hasattr(cls, path)), None)


def missing_parameters(call: Any, row: dict[str, Any]) -> Iterator[str]:
    """Parameters that a row names and the call does not have, if its signature can be read."""
    try:
        parameters = inspect.signature(call).parameters
    except (TypeError, ValueError):
        return
    if any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters.values()):
        return
    ports = [port for use in Use if use in row and (port := parse_port(row[use])) is not None]
    names = [name for port in ports if port.place is Place.ARGUMENT for name in port.names]
    if names and not any(name in parameters for name in names):
        yield f"none of {', '.join(names)}"
    yield from (name for name in row.get("when", ()) if name not in parameters)


def complaints(table: dict[str, Any], inside: list[ModuleType]) -> Iterator[str]:
    """What is wrong with the rows of one library."""
    for number, row in enumerate(table.get("rows", ()), 1):
        holders = [owner for owner in owners(row) if not owner.endswith(".attribute")]
        for name in row["names"]:
            paths = [f"{owner}.{name}" for owner in holders if owner not in table.get("types", {})]
            for path in paths if "of" in row else [name]:
                if path[0].islower() and "of" in row:
                    continue
                call = found(path, inside)
                if call is None:
                    yield f"row {number}: no {path}"
                else:
                    yield from (
                        f"row {number}: {path} has no parameter: {lack}" for lack in missing_parameters(call, row)
                    )


def main(wanted: list[str]) -> int:
    """Print what does not fit, library by library."""
    warnings.simplefilter("ignore")
    absent, wrong, checked = [], 0, 0
    for name, table in shipped_sources().items():
        packages = table.get("packages", [name])
        if (wanted and name not in wanted) or not table.get("rows") or not packages or name == "unknown":
            continue
        try:
            inside = [module for package in packages[:1] for module in modules(package)]
        except ImportError:
            absent.append(name)
            continue
        lines = list(complaints(table, inside))
        checked += sum(len(row["names"]) for row in table["rows"])
        wrong += len(lines)
        for line in lines:
            print(f"{name}.toml, {line}")
    print(f"{checked} names checked, {wrong} do not fit. Not installed: {', '.join(absent) or 'none'}.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

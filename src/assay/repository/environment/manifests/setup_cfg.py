"""setup.cfg of setuptools."""

from __future__ import annotations

from packaging.utils import canonicalize_name

from assay.repository.environment.declared import Kind, Reading
from assay.repository.environment.manifests.requirements import add, include, logical_lines
from assay.repository.environment.manifests.toml import Lines
from assay.repository.environment.manifests.versions import add_python
from assay.tree import File, Tree

_GROUPS = {"install_requires": "", "setup_requires": "build", "tests_require": "test"}


def read(file: File, tree: Tree) -> Reading:
    """The dependencies in `[options]` and `[options.extras_require]`."""
    reading = Reading(Kind.SETUP_CFG)
    import configparser  # few repositories need it

    parser = configparser.RawConfigParser(strict=False)
    text = file.text()
    try:
        parser.read_string(text)
    except configparser.Error as error:
        return reading.unreadable(file.path, f"cannot be read ({error.message.splitlines()[0]})")
    lines = Lines(file.path, text)
    for option, group in _GROUPS.items():
        _add(parser.get("options", option, fallback=""), group, lines, reading, tree)
    if parser.has_section("options.extras_require"):
        lines.of_section("[options.extras_require]")
        for extra, value in parser.items("options.extras_require"):
            _add(value, extra, lines, reading, tree)
    python = parser.get("options", "python_requires", fallback="")
    add_python(python, lines.find(python), reading)
    if name := parser.get("metadata", "name", fallback=""):
        reading.own_names.append(canonicalize_name(name))
    return reading


def _add(value: str, group: str, lines: Lines, reading: Reading, tree: Tree) -> None:
    if value.strip().startswith("file:"):
        for path in value.strip().removeprefix("file:").split(","):
            include(path.strip(), Kind.REQUIREMENTS, lines.find(path.strip()), reading, tree)
        return
    for _, line in logical_lines(value.replace(";\n", "\n")):
        add(line, lines.find(line), group, reading)

"""tox.ini, and the sections of tox in setup.cfg: what tests are run with. Weak declarations."""

from __future__ import annotations

from assay.findings import Location
from assay.patterns import regex
from assay.repository.environment.declared import Kind, Reading
from assay.repository.environment.manifests.requirements import logical_lines, read_line
from assay.tree import File, Tree

_FACTOR = regex(r"[\w{},!.-]{1,80}:[ \t]+")
"""Environments that a line is meant for: `py{38,39}: numpy`."""


def read(file: File, tree: Tree) -> Reading:
    """The `deps` of every environment; what is no INI says nothing."""
    reading = Reading(Kind.SCRIPT)
    import configparser  # few repositories need it

    parser = configparser.RawConfigParser(strict=False)
    text = file.text()
    try:
        parser.read_string(text)
    except configparser.Error:
        return reading
    for name in parser.sections():
        if name.startswith("testenv"):
            for _, line in logical_lines(parser.get(name, "deps", fallback="")):
                _add(_FACTOR.sub("", line, count=1), text, file.path, reading, tree)
    return reading


def _add(line: str, text: str, path: str, reading: Reading, tree: Tree) -> None:
    if "{" not in line:  # what another section has, or a folder
        at = text.count("\n", 0, text.find(line)) + 1
        read_line(line, Location(path, at), "test", reading, tree)

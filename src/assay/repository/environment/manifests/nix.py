"""Nix: packages of Python in a shell or flake, read off the text. Weak declarations."""

from __future__ import annotations

from collections.abc import Iterator

from assay.findings import Location
from assay.patterns import regex
from assay.repository.environment.declared import Declared, Kind, Pin, Reading
from assay.repository.environment.distributions import table
from assay.tree import File, Tree

_SET = r"(?:python\d{0,3}Packages|python-?packages|pythonPackages|pypkgs|ps|pp|p)"
_ONE = regex(rf"(?<![\w.-])(?:pkgs\.)?{_SET}\.([A-Za-z][\w-]{{1,60}})")
_LIST = regex(rf"\bwith[ \t]+(?:pkgs\.)?{_SET};\s*\[([^\]]{{1,5000}})\]")
_NAME = regex(r"(?<![\w./-])[A-Za-z][\w-]{1,60}(?![\w./-])")


def read(file: File, _tree: Tree) -> Reading:
    """`python3Packages.numpy`, `ps.numpy`, and lists behind `with ps;`."""
    reading = Reading(Kind.SCRIPT)
    text = file.text()
    for at, name in _package_names(text):
        if table().knows(name.lower()) or table().providing(name):
            place = Location(file.path, text.count("\n", 0, at) + 1)
            reading.declared.append(Declared(table().on_pypi(name), Pin.NONE, reading.kind, place, written=name))
    return reading


def _package_names(text: str) -> Iterator[tuple[int, str]]:
    for one in _ONE.finditer(text):
        yield one.start(1), one[1]
    for several in _LIST.finditer(text):
        yield from ((several.start(1) + name.start(), name[0]) for name in _NAME.finditer(several[1]))

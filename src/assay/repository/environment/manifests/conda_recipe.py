"""meta.yaml: the recipe of a package for conda. It is a template, so its lines are read and not its YAML."""

from __future__ import annotations

import re

from assay.findings import Location
from assay.patterns import regex
from assay.repository.environment.declared import Kind, Reading
from assay.repository.environment.manifests.conda import declared_spec
from assay.repository.environment.requirement import Context
from assay.tree import File, Tree

_PARTS = regex(r"^(?:requirements|test):[ \t]*\n((?:[ \t]*(?:#[^\n]*)?\n|[ \t]+\S[^\n]*\n?)*)", re.MULTILINE)
_PART = regex(r"[ \t]+(\w+):[ \t]*$")
_ITEM = regex(r"[ \t]+-[ \t]+([A-Za-z][^#{\[]*)")
_GROUPS = {"build": "build", "host": "build", "run": "", "requires": "test"}


def is_recipe(text: str) -> bool:
    """Whether a meta.yaml is a recipe of conda's: many other files are called so."""
    return "\npackage:" in f"\n{text}" and "\nrequirements:" in text


def read(file: File, _tree: Tree) -> Reading:
    """What it takes to build, run and test the package."""
    reading = Reading(Kind.CONDA)
    text = file.text()
    for section in _PARTS.finditer(text):
        group = None
        for number, line in enumerate(section[1].split("\n"), text.count("\n", 0, section.start(1)) + 1):
            if part := _PART.match(line):
                group = _GROUPS.get(part[1])
            elif group is not None and (item := _ITEM.match(line)):
                spec = declared_spec(item[1].strip(), Context(reading.kind, Location(file.path, number), group))
                reading.declared += [spec] if spec is not None else []
    return reading

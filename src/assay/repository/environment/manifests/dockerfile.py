"""Dockerfiles: the image, which may bring Python and a framework, and what RUN lines install."""

from __future__ import annotations

import re

from assay.findings import Location
from assay.patterns import regex
from assay.repository.environment.declared import Kind, Reading
from assay.repository.environment.manifests.commands import joined_lines
from assay.repository.environment.manifests.images import read_image
from assay.repository.environment.manifests.installers import read_command
from assay.tree import File, Tree

_SET = regex(
    r"""^[ \t]*(?:ARG|ENV)[ \t]+(\w+)(?:[ \t]*=[ \t]*|[ \t]+)(?:"([^"\n]*)"|'([^'\n]*)'|([\w./:+-]+))[ \t]*$""",
    re.MULTILINE | re.IGNORECASE,
)
_FROM = regex(r"^[ \t]*FROM:?[ \t]+(?:--platform=\S+[ \t]+)?(\S+)", re.MULTILINE | re.IGNORECASE)
"""In Singularity's recipes with a colon."""
_BEGINS = regex(r"(?:[ \t]*(?:#[^\n]*|ARG[ \t][^\n]*)?\n)*[ \t]*FROM[ \t]+\S", re.IGNORECASE)
_VARIABLE = regex(r"\$\{(?P<name>\w+)(?::?(?P<how>[-+])(?P<text>[^}\n]*))?\}|\$(?P<bare>\w+)")


def is_recipe(text: str) -> bool:
    """Whether a text begins as recipes of containers do, whatever the file is called."""
    return _BEGINS.match(text) is not None


def read(file: File, tree: Tree) -> Reading:
    """What an image made from this file has."""
    reading = Reading(Kind.DOCKERFILE)
    text = with_defaults(file.text())
    for match in _FROM.finditer(text):
        read_image(match[1], Location(file.path, text.count("\n", 0, match.start(1)) + 1), reading)
    for number, line in joined_lines(text):
        read_command(line, Location(file.path, number), reading, tree)
    return reading


def with_defaults(text: str) -> str:
    """The text with its variables replaced by what they are by default; unknown ones stay."""
    values = {name: a or b or c for name, a, b, c in _SET.findall(text)}

    def value(match: re.Match[str]) -> str:
        given = values.get(match["name"] or match["bare"], "")
        if match["how"] == "+":
            return str(match["text"]) if given else ""
        return given or match["text"] or match[0]

    return _VARIABLE.sub(value, text)

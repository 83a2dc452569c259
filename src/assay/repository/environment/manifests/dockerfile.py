"""Dockerfiles: the image, which may bring Python and a framework, and what RUN lines install."""

from __future__ import annotations

import re

from assay.findings import Location
from assay.patterns import regex
from assay.repository.environment.declared import PYTHON, Declared, Kind, Pin, Reading
from assay.repository.environment.manifests.commands import joined_lines, read_command
from assay.tree import File, Tree

_ARG = regex(r"^[ \t]*ARG[ \t]+(\w+)=[\"']?([\w.-]+)[\"']?[ \t]*$", re.MULTILINE | re.IGNORECASE)
_FROM = regex(r"^[ \t]*FROM[ \t]+(?:--platform=\S+[ \t]+)?(\S+)", re.MULTILINE | re.IGNORECASE)
_VARIABLE = regex(r"\$\{?(\w+)(?::-([\w.-]+))?\}?")
_VERSION = regex(r"(\d+(?:\.\d+)*)")
_FRAMEWORKS = {
    "pytorch/pytorch": "torch",
    "nvidia/pytorch": "torch",
    "tensorflow/tensorflow": "tensorflow",
    "nvidia/tensorflow": "tensorflow",
    "mxnet/python": "mxnet",
    "rapidsai/rapidsai": "cudf",
}


def read(file: File, tree: Tree) -> Reading:
    """What an image made from this file has."""
    reading = Reading(Kind.DOCKERFILE)
    text = file.text()
    defaults = dict(_ARG.findall(text))
    for match in _FROM.finditer(text):
        _read_image(_filled(match[1], defaults), Location(file.path, text.count("\n", 0, match.start(1)) + 1), reading)
    for number, line in joined_lines(text):
        read_command(_filled(line, defaults), Location(file.path, number), reading, tree)
    return reading


def _filled(text: str, defaults: dict[str, str]) -> str:
    """The text with its variables replaced by what they are by default; unknown ones stay."""
    return _VARIABLE.sub(lambda m: defaults.get(m[1]) or m[2] or m[0], text)


def _read_image(image: str, location: Location, reading: Reading) -> None:
    name, _, tag = image.partition("@")[0].rpartition(":") if ":" in image else (image, "", "")
    version = _VERSION.match(tag)
    versions = version[1] if version else ""
    pin = Pin.NONE if not versions else Pin.EXACT if versions.count(".") >= 2 else Pin.COMPATIBLE
    short = "/".join(name.split("/")[-2:])
    if name.rpartition("/")[2] == PYTHON and versions:
        reading.declared.append(Declared(PYTHON, pin, reading.kind, location, versions, written=image[:200]))
    elif short in _FRAMEWORKS:
        reading.declared.append(
            Declared(_FRAMEWORKS[short], pin, reading.kind, location, versions, written=image[:200])
        )

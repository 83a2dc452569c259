"""Downloads in shell scripts, Makefiles, container files and the shell lines of notebooks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.code import Code
from assay.findings import Confidence, Location
from assay.patterns import regex
from assay.repository.data.facts import Download, Route
from assay.repository.data.links import Topic, topic_of
from assay.repository.vocabulary import vocabulary
from assay.tree import File, Tree

_WORDS = vocabulary("assay.repository.data", "calls.toml")
_FILES = vocabulary("assay.repository.data", "files.toml")
_SUFFIXES = _FILES.listed("script_endings")
_NAMES = _FILES.listed("script_names")
_MOST_FILES = 300
_MOST_CHARACTERS = 200_000
_FETCH = _WORDS.pattern("shell_fetch")
_URL = regex(r"(?:https?|ftp|s3|gs)://[^\s\"'<>|;]{4,500}|--id[ =]\S{10,80}")
_KAGGLE = _WORDS.pattern("shell_kaggle")
_HUB = _WORDS.pattern("shell_hub")
_PACKED = _WORDS.pattern("shell_packed")
_FOR_DATA = _WORDS.pattern("shell_for_data")
_WEIGHTS = _WORDS.pattern("shell_for_weights")
_PULL = _WORDS.pattern("shell_pull")
_VARIABLE = regex(
    r"^[ \t]*(?:(?:export[ \t]+)?\w{1,40}[ \t]?[:?]?=[ \t]*)?[\"']?((?:https?|ftp)://[^\s\"']{4,500})", re.MULTILINE
)
"""An address under a name, or on a line of its own in a list."""


def shell_downloads(tree: Tree, code: Code) -> Iterator[Download]:
    """What the repository's scripts fetch, as far as it is data."""
    files = {f.path: f for f in (*tree.by_suffix(*_SUFFIXES), *(f for n in _NAMES for f in tree.by_name(n)))}
    own = [f for f in files.values() if not f.vendored and not f.is_binary]
    for file in sorted(own, key=lambda f: (f.path.count("/"), f.path))[:_MOST_FILES]:
        yield from _in_script(file)
    for source in code.own:
        for magic in source.magics:
            if magic.shell:
                yield from fetches(magic.shell, magic.location, source.path)


def fetches(text: str, place: Location, path: str) -> Iterator[Download]:
    """The data that shell commands bring."""
    if not any(
        word in text for word in ("wget", "curl", "gdown", "download", "aws", "gsutil", "dvc", "lfs", "zenodo", "data")
    ):
        return
    for match in _FETCH.finditer(text[:_MOST_CHARACTERS]):
        found = _fetched(match[0], f"{path} {_line_of(text, match.start())}")
        if found is not None:
            line = text.count("\n", 0, match.start())
            here = Location(place.path, (place.line or 1) + line, cell=place.cell)
            yield Download(match[0].split()[0], Route.SHELL, found[0], here, found[1])


def _fetched(command: str, around: str) -> tuple[str, Confidence] | None:
    if match := _KAGGLE.match(command):
        return match[1].strip(), Confidence.HIGH
    if _HUB.match(command) or _PULL.match(command):
        return command[:120], Confidence.MEDIUM if _PULL.match(command) else Confidence.HIGH
    if command.startswith(("kaggle", "huggingface", "hf", "dvc", "gh", "datalad")):
        return None
    url = _URL.search(command)
    if url is None:
        told = re.search(r"\$\{?\w*(?:DATA|data)\w*|data", around) and not re.search(
            r"model|weight|ckpt|pretrain", around, re.IGNORECASE
        )
        return (
            (command[:120], Confidence.LOW)
            if told and command.startswith(("wget", "curl", "gdown", "aws", "gsutil"))
            else None
        )
    address = url[0] if "://" in url[0] else "https://drive.google.com/" + url[0]
    topic = topic_of(address, "", around.replace(url[0], " "), "")
    if topic is Topic.DATA and not (command.startswith("git") and "data" not in address.lower()):
        return address, Confidence.HIGH
    path = around.split(maxsplit=1)[0]
    if topic is Topic.OTHER and _PACKED.search(address) and _FOR_DATA.search(path) and not _WEIGHTS.search(path):
        return address, Confidence.MEDIUM
    return None


def _in_script(file: File) -> Iterator[Download]:
    text = file.text()[:_MOST_CHARACTERS]
    found = list(fetches(text, Location(file.path, 1), file.path))
    yield from found
    if _WEIGHTS.search(file.path):
        return
    if all(d.confidence is Confidence.LOW for d in found) and re.search(r"\b(?:wget|curl|gdown|aria2c)\b", text):
        for match in _VARIABLE.finditer(text):
            if topic_of(match[1], "", f"{file.path} {_line_of(text, match.start())}", "") is Topic.DATA:
                place = Location(file.path, text.count("\n", 0, match.start()) + 1)
                yield Download("script", Route.SHELL, match[1], place, Confidence.MEDIUM)


def _line_of(text: str, spot: int) -> str:
    """The line around a place, and its neighbours: a comment before, the file's name after."""
    start = text.rfind("\n", 0, max(0, text.rfind("\n", 0, spot)))
    end = text.find("\n", text.find("\n", spot) + 1)
    return text[start + 1 : end if end >= 0 else len(text)][:1200]

"""Installations that stand in commands: in Dockerfiles, shell scripts, notebooks and READMEs. Weak declarations."""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Iterator

from assay.code import Source
from assay.findings import Location
from assay.patterns import regex
from assay.repository.environment.declared import ITSELF, Declared, Kind, Pin, Reading
from assay.repository.environment.distributions import table
from assay.repository.environment.manifests.conda import declared_spec
from assay.repository.environment.requirement import Context, declare
from assay.tree import File, Tree

MAX_BYTES = 512 * 1024
_MAX_LINES = 20_000
_MAX_WORDS = 300

_HINT = regex(r"\b(?:install|create|add|env)\b")
_SPAN = regex(r"`{1,2}([^`\n]{5,500})`{1,2}|<code>([^<\n]{5,500})</code>")
_PROMPT = regex(
    r"(?:--(?:mount|network|security)=\S+|[\s>$%!#*-]|&gt;|\d+\.|\(\w+\)\s*\$|run:|RUN\b|sudo\b(?:\s+-\w+)*|"
    r"[A-Z_]+=\S+\s)+"
)
_SEPARATOR = regex(r"\s*(?:&&|\|\||;|\|)\s*")
_PIP = regex(r"(?:\S*/)?pip[\d.]*$|%pip$")
_PYTHON = regex(r"(?:\S*/)?(?:python[\d.]*|py)$")
_CONDA = frozenset({"conda", "mamba", "micromamba"})
_APT = frozenset({"apt", "apt-get", "aptitude"})
_DEBIAN = regex(r"python3?-([a-z][a-z0-9.-]{1,40})")
_NO_MODULES = frozenset({"apt", "dbg", "dev", "distutils", "minimal", "pip", "setuptools", "venv", "wheel"})
"""Parts of Python that Debian packs for themselves."""
_TAKES_VALUE = frozenset(
    {
        "-i", "--index-url", "-f", "--find-links", "--extra-index-url", "-t", "--target", "--prefix", "--root",
        "--python", "--platform", "--python-version", "--trusted-host", "--no-binary", "--only-binary",
        "--progress-bar", "--timeout", "--retries", "--src", "--upgrade-strategy", "--cache-dir", "--log", "-n",
        "--name", "-p", "--solver", "--default-timeout", "--group", "--index", "--global-option", "--config-settings",
        "-G", "-C",
    }
)  # fmt: skip
_CHANNEL = frozenset({"-c", "--channel"})
_FILES = frozenset({"-r", "--requirement", "-c", "--constraint", "-f", "--file"})


def read_script(file: File, tree: Tree) -> Reading:
    """Shell scripts, Makefiles, workflows."""
    reading = Reading(Kind.SCRIPT)
    for number, line in joined_lines(file.text()):
        read_command(line, Location(file.path, number), reading, tree)
    return reading


def read_readme(file: File, tree: Tree) -> Reading:
    """Commands on a line of their own, or set as code within one."""
    reading = Reading(Kind.README)
    for number, line in joined_lines(file.text()):
        spans = [a or b for a, b in _SPAN.findall(line)]
        for command in spans or [line]:
            read_command(command, Location(file.path, number), reading, tree)
    return reading


def read_notebook(source: Source, tree: Tree) -> Reading:
    """Shell lines and installing magics of a notebook."""
    reading = Reading(Kind.NOTEBOOK)
    for magic in source.magics:
        for line in magic.shell.split("\n")[:200]:
            read_command(line, magic.location, reading, tree)
    return reading


def joined_lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines that may install something, joined where they end with a backslash."""
    pending: list[str] = []
    start = 0
    for number, line in enumerate(text.split("\n", _MAX_LINES)[:_MAX_LINES], 1):
        start = start if pending else number
        if line.rstrip().endswith("\\") and len(pending) < 200:
            pending.append(line.rstrip()[:-1])
            continue
        whole = " ".join([*pending, line])
        pending = []
        if _HINT.search(whole):
            yield start, whole


def read_command(line: str, location: Location, reading: Reading, tree: Tree) -> None:
    """Add what the commands of one line install."""
    if len(line) > 20_000 or not _HINT.search(line):
        return
    for part in _SEPARATOR.split(line):
        prompt = _PROMPT.match(part)
        words = _words(part[prompt.end() :] if prompt else part)
        tool, arguments = _installer(words)
        if tool == "pip":
            _read_pip(arguments, location, reading, tree)
        elif tool == "conda":
            _read_conda(arguments, location, reading, tree)
        elif tool == "apt":
            _read_apt(arguments, location, reading)


def _words(part: str) -> list[str]:
    text = part.partition(" #")[0]
    try:
        words = shlex.split(text)
    except ValueError:
        words = text.split()
    return words[:_MAX_WORDS]


def _installer(words: list[str]) -> tuple[str, list[str]]:
    """Which kind of installer a command calls, and its arguments."""
    if len(words) > 3 and _PYTHON.match(words[0]) and words[1] == "-m":
        words = words[2:]
    if len(words) > 2 and words[0] == "uv" and words[1] == "pip":
        words = words[1:]
    if len(words) < 3:
        return "", []
    if (_PIP.match(words[0]) and words[1] == "install") or tuple(words[:2]) in {
        ("pipenv", "install"),
        ("poetry", "add"),
        ("uv", "add"),
        ("pdm", "add"),
    }:
        return "pip", words[2:]
    if words[0] in _APT and "install" in words[1:4]:
        return "apt", words[words.index("install") + 1 :]
    if words[0] in _CONDA and words[1] in {"install", "create"}:
        return "conda", words[2:]
    if words[0] in _CONDA and words[1] == "env":
        return "conda", words[3:]
    return "", []


def _read_pip(words: list[str], location: Location, reading: Reading, tree: Tree) -> None:
    rest = iter(words)
    for word in rest:
        if word in _FILES and word != "-f":
            _include(
                next(rest, ""), Kind.CONSTRAINTS if "c" in word[:3] else Kind.REQUIREMENTS, location, reading, tree
            )
        elif word.startswith("-r") and len(word) > 2 and not word.startswith("--"):
            _include(word[2:], Kind.REQUIREMENTS, location, reading, tree)
        elif word in _TAKES_VALUE:
            _note_index(word, next(rest, ""), location, reading)
        elif word.startswith("-") and word not in {"-e", "--editable"}:
            continue
        elif word not in {"-e", "--editable"} and "$" not in word:
            declared, problem = declare(word, Context(reading.kind, location))
            if declared is not None and not problem and declared.name != ITSELF and declared.pin is not Pin.PATH:
                reading.declared.append(declared)


def _read_conda(words: list[str], location: Location, reading: Reading, tree: Tree) -> None:
    rest = iter(words)
    for word in rest:
        if word in {"-f", "--file"}:
            _include(next(rest, ""), Kind.CONDA, location, reading, tree)
        elif word in _CHANNEL or word in _TAKES_VALUE:
            next(rest, "")
        elif re.match(r"[A-Za-z0-9]", word) and "$" not in word:
            declared = declared_spec(word, Context(reading.kind, location))
            if declared is not None:
                reading.declared.append(declared)


def _read_apt(words: list[str], location: Location, reading: Reading) -> None:
    """Packages of Debian are called like the module they bring: `python3-yaml`, `python-sklearn`."""
    for word in words:
        match = _DEBIAN.fullmatch(word)
        if match is not None and match[1] not in _NO_MODULES:
            name = next(iter(table().providing(match[1])), match[1])
            reading.declared.append(Declared(name, Pin.NONE, reading.kind, location, written=word))


def _note_index(option: str, value: str, location: Location, reading: Reading) -> None:
    if option in {"-i", "--index-url", "--extra-index-url", "-f", "--find-links"} and value:
        reading.indexes.append((value, location))


def _include(path: str, kind: Kind, location: Location, reading: Reading, tree: Tree) -> None:
    """A file that a command installs from; it may be named from the root or from where the command stands."""
    for base in (posixpath.dirname(location.path), ""):
        target = posixpath.normpath(posixpath.join(base, path))
        if path and tree.get(target):
            reading.included.append((target, kind))
            return

"""What a command installs: pip, conda and their kin, and Debian's packages."""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Iterator
from itertools import pairwise

from assay.findings import Location
from assay.patterns import regex
from assay.repository.environment.declared import ITSELF, Declared, Kind, Pin, Reading
from assay.repository.environment.distributions import table
from assay.repository.environment.manifests.conda import declared_spec
from assay.repository.environment.requirement import Context, declare
from assay.repository.vocabulary import vocabulary
from assay.tree import Tree

HINT = regex(r"\b(?:install|create|add|env|easy_install)\b|--with\b|\bmodule[ \t]{1,9}load\b")
"""A word without which no command installs."""
_LONGEST = 20_000
_MAX_WORDS = 300
_WORDS = vocabulary("assay.repository.environment", "commands.toml")
_PROMPT = _WORDS.pattern("prompt")
_SEPARATOR = regex(r"\s*(?:&&|\|\||;|\|)\s*")
_PIP = _WORDS.pattern("pip")
_PYTHON = _WORDS.pattern("python")
_CONDA = frozenset({"conda", "mamba", "micromamba"})
_ADDING = frozenset({("pipenv", "install"), ("poetry", "add"), ("uv", "add"), ("pdm", "add")})
_APT = frozenset({"apt", "apt-get", "aptitude"})
_RUNNERS = frozenset({("conda", "run"), ("mamba", "run"), ("poetry", "run"), ("pipenv", "run"), ("uv", "run")})
"""What starts another command in some environment."""
_FETCHING = (["uv"], ["uvx"])
"""What gets packages for one run: `uv run --with numpy`."""
_DEBIAN = regex(r"python3?-([a-z][a-z0-9.-]{1,40})")
_NO_MODULES = _WORDS.words("no_modules")
_TAKES_VALUE = _WORDS.words("takes_value")
_CHANNEL = frozenset({"-c", "--channel"})
_FILES = frozenset({"-r", "--requirement", "-c", "--constraint", "-f", "--file"})
_LIST = regex(r"[\w.\[\]-]+(?:,[\w.\[\]-]*)+")
"""Names with commas between them, as people write who list packages; pip would refuse them."""
_GOES_ON = frozenset({"and", "or", "&", ","})


def read_command(line: str, location: Location, reading: Reading, tree: Tree) -> None:
    """Add what the commands of one line install."""
    if len(line) > _LONGEST or not HINT.search(line):
        return
    for part in _SEPARATOR.split(line):
        prompt = _PROMPT.match(part)
        read_words(_words(part[prompt.end() :] if prompt else part), location, reading, tree)


def read_words(words: list[str], location: Location, reading: Reading, tree: Tree) -> None:
    """Add what one command installs, given word by word."""
    if words[:1] in _FETCHING:
        _read_pip(list(_values_of("--with", words)), location, reading, tree)
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
    words = _without_runner(words)
    if len(words) > 1 and words[0].startswith("easy_install"):
        return "pip", words[1:]
    tool, (verb, *rest) = (words or [""])[0], _without_options(words[1:]) or [""]
    if tool in _APT and "install" in words[1:4]:
        return "apt", words[words.index("install") + 1 :]
    if tool in _CONDA and verb in {"install", "create", "env"}:
        return "conda", rest[verb == "env" :]
    adds = (tool, verb) in _ADDING or (verb == "install" and _PIP.fullmatch(tool))
    return ("pip", rest) if adds else ("", [])


def _without_runner(words: list[str]) -> list[str]:
    """The command itself: `uv run pip …`, `python -m pip …` and `uv pip …` are `pip …`."""
    if tuple(words[:2]) in _RUNNERS:
        words = _without_options(words[2:])
    if words[1:2] == ["-m"] and _PYTHON.fullmatch(words[0]):
        return words[2:]
    return words[1:] if words[:2] == ["uv", "pip"] else words


def _without_options(words: list[str]) -> list[str]:
    """The words from the first that is no option, nor the value of one."""
    at = 0
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in _TAKES_VALUE else 1
    return words[at:]


def _read_pip(words: list[str], location: Location, reading: Reading, tree: Tree) -> None:
    rest = _without_commas(words)
    for word in rest:
        if word in _FILES and word != "-f":
            kind = Kind.CONSTRAINTS if "c" in word[:3] else Kind.REQUIREMENTS
            _include(next(rest, ""), kind, location, reading, tree)
        elif word in _TAKES_VALUE:
            _note_index(word, next(rest, ""), location, reading)
        elif not word.startswith("-") and "$" not in word:
            reading.declared += _requirement(word, Context(reading.kind, location))


def _requirement(word: str, context: Context) -> list[Declared]:
    """What a word asks for, unless that lies on the machine."""
    declared, problem = declare(word, context)
    usable = declared is not None and not problem and declared.name != ITSELF and declared.pin is not Pin.PATH
    return [declared] if declared is not None and usable else []


def _values_of(option: str, words: list[str]) -> Iterator[str]:
    """What follows an option, each time that it is given."""
    pairs = pairwise(words)
    yield from (value for word, value in pairs if word == option)
    yield from (word.partition("=")[2] for word in words if word.startswith(f"{option}="))


def _without_commas(words: list[str]) -> Iterator[str]:
    """The arguments one by one, also where somebody has put commas or "and" between them."""
    for word in words:
        if word == "//":
            return
        if word not in _GOES_ON:
            yield from filter(None, word.split(",")) if _LIST.fullmatch(word) else (word.removesuffix(","),)


def _read_conda(words: list[str], location: Location, reading: Reading, tree: Tree) -> None:
    rest = _without_commas(words)
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

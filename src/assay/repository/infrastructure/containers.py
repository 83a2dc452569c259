"""Recipes for containers: what they start from, what they install, and how exactly both are named."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum

from assay.findings import Location
from assay.patterns import regex
from assay.records import dataclass
from assay.tree import File, Tree

_DOCKERFILE = regex(r"(?:.*[._-])?(?:docker|container)file(?:[._-].*)?", re.IGNORECASE)
_COMPOSE = regex(r"(?:docker-)?compose(?:[._-][\w.-]+)?\.ya?ml", re.IGNORECASE)
_NO_RECIPE = frozenset({".dockerignore", ".md", ".rst", ".py", ".sh", ".txt", ".png"})
_IMAGE = regex(r"(?P<name>[^@\s:]+(?::\d+/[^@\s:]+)?)(?::(?P<tag>[\w][\w.-]*))?(?:@(?P<digest>sha\d+:[0-9a-f]+))?")
_VARIABLE = regex(r"\$\{(?P<name>\w+)(?::?(?P<how>[-+])(?P<text>[^}]*))?\}|\$(?P<bare>\w+)")
_COMPOSE_IMAGE = regex(r"^[ \t-]*image:[ \t]*[\"']?([^\s\"'#]+)", re.MULTILINE)
_BOOTSTRAP = regex(r"^[ \t]*From:[ \t]*(\S+)", re.IGNORECASE | re.MULTILINE)
_FLOATING = frozenset({"latest", "stable", "main", "master", "edge", "nightly", "dev", "devel", "lts", "current"})
_INSTALLER = regex(
    r"(?:^|\s)(pip3?|python\d?(?:\.\d+)? -m pip|uv pip|conda|mamba|micromamba|apt-get|apt|apk|yum|dnf)\s+"
    r"(?:-\S+\s+)*(?:install|create|add)\s+(.*)"
)
_SHELL_BREAK = regex(r"&&|\|\||;|\|")
_TAKES_VALUE = frozenset(
    {
        "-i", "--index-url", "--extra-index-url", "-f", "--find-links", "-c", "--channel", "-n", "--name", "-p",
        "--prefix", "-t", "--target", "--trusted-host", "--timeout", "--python",
    }
)  # fmt: skip
_REQUIREMENT_FILES = frozenset({"-r", "--requirement", "-f", "--file"})
_MOST_BYTES = 256 * 1024
_COMMIT = regex(r"@[0-9a-f]{7,40}(?:#|$)")


class Pin(StrEnum):
    """How exactly a thing is named."""

    EXACT = "exact"
    """A version, a digest or a commit: the same thing tomorrow."""
    LOOSE = "loose"
    """A range, a branch, or a tag that moves."""
    NONE = "none"
    """Whatever is newest on the day."""


@dataclass(frozen=True, slots=True)
class BaseImage:
    """The image that a container starts from; variables with a default are filled in."""

    name: str
    tag: str
    digest: str
    location: Location

    @property
    def pin(self) -> Pin:
        """A digest is exact; a tag is loose, since it can be moved; none or "latest" is no pin."""
        if self.digest:
            return Pin.EXACT
        return Pin.NONE if not self.tag or self.tag in _FLOATING or self.name == "scratch" else Pin.LOOSE


@dataclass(frozen=True, slots=True)
class Installation:
    """One package that a recipe installs by name; `tool` is pip, conda, apt and so on."""

    tool: str
    requirement: str
    pin: Pin
    location: Location


@dataclass(frozen=True, slots=True)
class Container:
    """One recipe: a Dockerfile, a compose file or a Singularity definition."""

    path: str
    bases: tuple[BaseImage, ...]
    installations: tuple[Installation, ...]


def read_containers(tree: Tree) -> Iterator[Container]:
    """Every recipe of the tree's own, by path."""
    for file in tree.own:
        if file.size > _MOST_BYTES:
            continue
        if _DOCKERFILE.fullmatch(file.name) and file.suffix not in _NO_RECIPE and not file.name.startswith("."):
            yield _dockerfile(file)
        elif _COMPOSE.fullmatch(file.name):
            built = _names_of_built_images(file.text())
            fetched = (base for base in _found(_COMPOSE_IMAGE, file) if base.location.line not in built)
            yield Container(file.path, tuple(fetched), ())
        elif (file.suffix == ".def" or file.name == "Singularity") and (bases := tuple(_found(_BOOTSTRAP, file))):
            yield Container(file.path, bases, tuple(_installations(_lines(file.text()), file.path)))


def _names_of_built_images(text: str) -> frozenset[int]:
    """Lines of a compose file that name an image which the same service builds: such a name is given, not fetched."""
    groups: dict[int, list[tuple[int, str]]] = {}
    built: set[int] = set()
    for number, line in enumerate(text.split("\n"), 1):
        word = line.strip()
        if word and not word.startswith("#"):
            depth = len(line) - len(line.lstrip())
            groups = {d: lines for d, lines in groups.items() if d <= depth}
            groups.setdefault(depth, []).append((number, word))
            if any(one.startswith("build:") for _, one in groups[depth]):
                built |= {at for at, one in groups[depth] if one.startswith("image:")}
    return frozenset(built)


def _found(pattern: re.Pattern[str], file: File) -> Iterator[BaseImage]:
    text = file.text()
    for match in pattern.finditer(text):
        yield _base(match[1], Location(file.path, text.count("\n", 0, match.start(1)) + 1))


def _dockerfile(file: File) -> Container:
    lines = list(_lines(file.text()))
    arguments: dict[str, str] = {}
    stages: set[str] = set()
    bases = []
    for number, line in lines:
        word, _, rest = line.partition(" ")
        if word.upper() == "ARG":
            name, _, value = rest.strip().partition("=")
            arguments[name] = value.strip("\"'")
        elif word.upper() == "FROM":
            parts = [p for p in _filled(rest, arguments).split() if not p.startswith("--")]
            if parts and parts[0].lower() not in stages:
                bases.append(_base(parts[0], Location(file.path, number)))
            if len(parts) == 3 and parts[1].upper() == "AS":
                stages.add(parts[2].lower())
    runs = [(number, line[4:]) for number, line in lines if line[:4].upper() == "RUN "]
    return Container(file.path, tuple(bases), tuple(_installations(runs, file.path)))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Logical lines with the number of their first: continued ones joined, comments left out."""
    start = 0
    parts: list[str] = []
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.strip()
        if line.startswith("#") or (not line and not parts):
            continue
        start = start if parts else number
        parts.append(line.removesuffix("\\").strip())
        if not line.endswith("\\"):
            yield start, " ".join(parts)
            parts = []
    if parts:
        yield start, " ".join(parts)


def _filled(text: str, arguments: dict[str, str]) -> str:
    """Variables replaced by the defaults of their ARG, or by what is written at their place."""

    def value(match: re.Match[str]) -> str:
        given = arguments.get(match["name"] or match["bare"], "")
        if match["how"] == "+":
            return str(match["text"]) if given else ""
        return given or match["text"] or ""

    return _VARIABLE.sub(value, text)


def _base(image: str, location: Location) -> BaseImage:
    match = _IMAGE.fullmatch(image)
    if match is None:
        return BaseImage(image, "", "", location)
    return BaseImage(match["name"], match["tag"] or "", match["digest"] or "", location)


def _installations(lines: Iterable[tuple[int, str]], path: str) -> Iterator[Installation]:
    for number, line in lines:
        for command in _SHELL_BREAK.split(line):
            match = _INSTALLER.search(command)
            if match is None:
                continue
            tool = "pip" if "pip" in match[1] else match[1].removesuffix("-get")
            for requirement in _packages(match[2].split(), tool):
                yield Installation(tool, requirement, _pin(requirement, tool), Location(path, number))


def _packages(words: list[str], tool: str) -> Iterator[str]:
    """The words that are packages: no options, no values of options, no files, no places."""
    skip = False
    for word in words:
        bare = word.strip("\"'")
        if skip or not bare:
            skip = False
        elif bare.startswith("-"):
            skip = bare in _TAKES_VALUE | _REQUIREMENT_FILES or (tool == "pip" and bare in {"-e", "--editable"})
        elif not bare.startswith((".", "/", "$", ">", "<", "&")) and not bare.endswith(
            (".txt", ".yml", ".yaml", ".whl")
        ):
            yield bare


def _pin(requirement: str, tool: str) -> Pin:
    if tool == "pip" and ("://" in requirement or requirement.startswith("git+")):
        return Pin.EXACT if _COMMIT.search(requirement) or requirement.endswith((".tar.gz", ".zip")) else Pin.LOOSE
    if tool == "pip":
        exact = "==" in requirement and "*" not in requirement
        return Pin.EXACT if exact else Pin.LOOSE if re.search(r"[<>~=!]", requirement) else Pin.NONE
    if re.search(r"[<>*~]", requirement):
        return Pin.LOOSE
    return Pin.EXACT if "=" in requirement else Pin.NONE

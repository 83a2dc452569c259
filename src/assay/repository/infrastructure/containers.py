"""Recipes for containers: the images that they start from, and how exactly those are named."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum

from assay.findings import Location
from assay.patterns import regex
from assay.records import dataclass
from assay.repository.environment.manifests.dockerfile import with_defaults
from assay.tree import File, Tree

_DOCKERFILE = regex(r"(?:.*[._-])?(?:docker|container)file(?:[._-].*)?", re.IGNORECASE)
_COMPOSE = regex(r"(?:docker-)?compose(?:[._-][\w.-]+)?\.ya?ml", re.IGNORECASE)
_NO_RECIPE = frozenset({".dockerignore", ".md", ".rst", ".py", ".sh", ".txt", ".png"})
_IMAGE = regex(r"(?P<name>[^@\s:]+(?::\d+/[^@\s:]+)?)(?::(?P<tag>[\w][\w.-]*))?(?:@(?P<digest>sha\d+:[0-9a-f]+))?")
_FROM = regex(
    r"^[ \t]*FROM[ \t]+(?:--\S+[ \t]+)*(?P<image>\S+)(?:[ \t]+AS[ \t]+(?P<stage>\S+))?", re.IGNORECASE | re.MULTILINE
)
_COMPOSE_IMAGE = regex(r"^[ \t-]*image:[ \t]*[\"']?(?P<image>[^\s\"'#]+)", re.MULTILINE)
_BOOTSTRAP = regex(r"^[ \t]*From:[ \t]*(?P<image>\S+)", re.IGNORECASE | re.MULTILINE)
_FLOATING = frozenset({"latest", "stable", "main", "master", "edge", "nightly", "dev", "devel", "lts", "current"})
_MOST_BYTES = 256 * 1024


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
class Container:
    """One recipe: a Dockerfile, a compose file or a Singularity definition."""

    path: str
    bases: tuple[BaseImage, ...]

    @property
    def composes(self) -> bool:
        """Whether its images are services that run as they are, such as a database or a monitor."""
        return _COMPOSE.fullmatch(self.path.rpartition("/")[2]) is not None


def read_containers(tree: Tree) -> Iterator[Container]:
    """Every recipe of the tree's own, by path."""
    for file in tree.own:
        pattern = _pattern(file) if file.size <= _MOST_BYTES else None
        bases = () if pattern is None else tuple(_bases(pattern, file))
        if bases or (pattern is not None and pattern is not _BOOTSTRAP):
            yield Container(file.path, bases)


def _pattern(file: File) -> re.Pattern[str] | None:
    """How a recipe names its images; None for other files."""
    if _DOCKERFILE.fullmatch(file.name) and file.suffix not in _NO_RECIPE and not file.name.startswith("."):
        return _FROM
    if _COMPOSE.fullmatch(file.name):
        return _COMPOSE_IMAGE
    return _BOOTSTRAP if file.suffix == ".def" or file.name == "Singularity" else None


def _bases(pattern: re.Pattern[str], file: File) -> Iterator[BaseImage]:
    """The images, but not the stages of the recipe itself."""
    text = with_defaults(file.text())
    stages: set[str] = set()
    built = _names_of_built_images(text) if pattern is _COMPOSE_IMAGE else frozenset()
    for match in pattern.finditer(text):
        line = text.count("\n", 0, match.start("image")) + 1
        if match["image"].lower() not in stages and line not in built:
            yield _base(match["image"], Location(file.path, line))
        stages.add((match.groupdict().get("stage") or "").lower())


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


def _base(image: str, location: Location) -> BaseImage:
    match = _IMAGE.fullmatch(image)
    if match is None:
        return BaseImage(image, "", "", location)
    return BaseImage(match["name"], match["tag"] or "", match["digest"] or "", location)

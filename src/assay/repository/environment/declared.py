"""The vocabulary of the environment: what a manifest declares, and how strictly."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum

from assay.code import Language
from assay.findings import Location
from assay.records import dataclass


class Pin(StrEnum):
    """How strictly a declaration says which version is meant, the strictest first."""

    HASHED = "hashed"
    """One version, with the hashes of its files."""
    EXACT = "exact"
    COMMIT = "commit"
    """A commit of a version control, by its full hash."""
    COMPATIBLE = "compatible"
    """Only the last parts of the version are free: `~=1.4`, `^1.4`, `==1.4.*`."""
    URL = "url"
    """A file at an address that names no version."""
    VCS = "vcs"
    """A branch or a tag of a version control, or whatever is newest there."""
    PATH = "path"
    """A folder or file on the author's machine, or of the repository itself."""
    RANGE = "range"
    NONE = "none"

    @property
    def strict(self) -> bool:
        """Whether everybody who follows the declaration gets the same version."""
        return self in {Pin.HASHED, Pin.EXACT, Pin.COMMIT}

    @property
    def rank(self) -> int:
        """0 for the strictest."""
        return _PINS.index(self)


_PINS = tuple(Pin)


class Kind(StrEnum):
    """What sort of file declares. Weak ones only mention an installation; locks name what was resolved."""

    REQUIREMENTS = "requirements"
    CONSTRAINTS = "constraints"
    SETUP_PY = "setup.py"
    SETUP_CFG = "setup.cfg"
    PYPROJECT = "pyproject"
    PIPFILE = "Pipfile"
    CONDA = "conda"
    PIXI = "pixi"
    PYTHON_ENV = "python_env"
    MLPROJECT = "MLproject"
    COG = "cog"
    SERVICE = "service"
    """A model as a platform is to serve it."""
    R_DESCRIPTION = "DESCRIPTION"
    JULIA_PROJECT = "Project.toml"
    LOCK = "lock"
    VERSION_FILE = "version file"
    DOCKERFILE = "Dockerfile"
    SCRIPT = "script"
    NOTEBOOK = "notebook"
    README = "README"

    @property
    def weak(self) -> bool:
        """Whether it is no manifest but a command in passing."""
        return self in {Kind.DOCKERFILE, Kind.SCRIPT, Kind.NOTEBOOK, Kind.README}

    @property
    def asks(self) -> bool:
        """Whether a dependency is declared by standing here; constraints and locks only narrow what others ask."""
        return self not in {Kind.CONSTRAINTS, Kind.LOCK, Kind.VERSION_FILE}


PYTHON = "python"
"""The name under which manifests state the version of the language itself."""
ITSELF = "."
"""The name of the repository itself, as in `pip install -e .`."""
IN_IMAGE = "image"
"""The group of what an image brings besides what it is named for."""


@dataclass(frozen=True, slots=True)
class Declared:
    """One dependency as one manifest states it."""

    name: str
    """The distribution in normal form (PEP 503), as PyPI calls it even if conda does not."""
    pin: Pin
    kind: Kind
    location: Location
    specifier: str = ""
    """The versions as written, or the address."""
    marker: str = ""
    applies: bool = True
    """False when the marker holds on no present-day system, so that nothing is ever installed."""
    group: str = ""
    """The extra, group or purpose it is declared for (`dev`, `test`); empty for what everybody needs."""
    extras: tuple[str, ...] = ()
    """Optional parts of the distribution that are asked for."""
    language: Language = Language.PYTHON
    written: str = ""
    """The text itself, for quoting."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A line or file that could not be understood."""

    location: Location
    message: str
    unread: bool = False
    """Nothing of the file could be read: what it declares is unknown."""

    def __str__(self) -> str:
        return f"{self.location}: {self.message}"


@dataclass(slots=True)
class Reading:
    """What a reader makes of one file."""

    kind: Kind
    declared: list[Declared] = field(default_factory=list)
    included: list[tuple[str, Kind]] = field(default_factory=list)
    """Paths of other manifests that it draws in (`-r base.txt`), with what they are read as."""
    indexes: list[tuple[str, Location]] = field(default_factory=list)
    """Addresses of package indexes and channels other than the usual."""
    problems: list[Problem] = field(default_factory=list)
    own_names: list[str] = field(default_factory=list)
    """The name under which the repository itself is distributed."""

    def unreadable(self, path: str, reason: str) -> Reading:
        """The same, with the reason why nothing could be read."""
        self.problems.append(Problem(Location(path), reason, unread=True))
        return self

    @property
    def silent(self) -> bool:
        """Whether the file says nothing about an environment."""
        return not (self.declared or self.included or self.problems or self.own_names)


@dataclass(frozen=True, slots=True)
class Manifest:
    """A file that declares dependencies."""

    path: str
    kind: Kind
    scope: str
    """The folder whose code it speaks for; "" is the whole repository."""
    count: int
    """How many declarations it has."""
    frozen: bool
    """Whether it is a dump of an environment rather than a list somebody wrote."""

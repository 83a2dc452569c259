"""What is known about the models of a repository, and about how its experiments are configured and recorded."""

from __future__ import annotations

from enum import StrEnum

from assay.findings import Confidence, Location
from assay.records import dataclass
from assay.repository.data.facts import LinkKind, Storage


class Origin(StrEnum):
    """Where a loaded model comes from."""

    HUB = "hub"
    """A library or a model hub brings it: `from_pretrained("bert-base-uncased")`, `resnet50(pretrained=True)`."""
    LOCAL = "local"
    """A path of the file system."""
    URL = "url"
    UNKNOWN = "unknown"
    """Not told: an option without default, or a variable."""


class System(StrEnum):
    """What a library is for."""

    TRACKER = "experiment tracker"
    CONFIGURATION = "configuration"


class Stated(StrEnum):
    """Where a hyper-parameter has its value, the best place first."""

    FILE = "configuration file"
    OPTION = "option"
    FIELD = "field"
    """A default of a class, or an entry of a dictionary of settings."""
    CONSTANT = "constant"
    README = "README"
    LITERAL = "literal in a call"

    @property
    def separate(self) -> bool:
        """Whether it stands apart from the code that uses it."""
        return self is not Stated.LITERAL


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A call that saves or loads a model."""

    call: str
    location: Location
    path: str = ""
    """Where to or from, as far as known; unknown parts are `*`."""
    origin: Origin = Origin.LOCAL
    confidence: Confidence = Confidence.HIGH
    found: tuple[str, ...] = ()
    """For a load: the files of the repository that it may mean."""
    produced: Location | None = None
    """For a load: where the repository makes the file, or tells how to get it."""


@dataclass(frozen=True, slots=True)
class Artefact:
    """A file in the repository that holds a trained model."""

    path: str
    kind: str
    size: int
    storage: Storage
    location: Location


@dataclass(frozen=True, slots=True)
class WeightLink:
    """A link that leads to trained models."""

    url: str
    kind: LinkKind
    label: str
    location: Location


@dataclass(frozen=True, slots=True)
class Tool:
    """A tracker or a configuration system: where it is imported, and where it is really used."""

    name: str
    system: System
    imports: tuple[Location, ...]
    calls: tuple[Location, ...]

    @property
    def used(self) -> bool:
        """Whether something of it is called; an import alone is not use."""
        return bool(self.calls)


@dataclass(frozen=True, slots=True)
class HyperParameter:
    """One statement of a value that is chosen and not learnt."""

    name: str
    value: str
    stated: Stated
    location: Location


@dataclass(frozen=True, slots=True)
class Record:
    """A file that an experiment left behind: a log, a table of results, a run's folder."""

    path: str
    kind: str
    location: Location


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """Everything about models and experiments, in the order of the files."""

    saves: tuple[Checkpoint, ...] = ()
    loads: tuple[Checkpoint, ...] = ()
    artefacts: tuple[Artefact, ...] = ()
    links: tuple[WeightLink, ...] = ()
    tools: tuple[Tool, ...] = ()
    hyper_parameters: tuple[HyperParameter, ...] = ()
    records: tuple[Record, ...] = ()
    trains: Location | None = None
    """The first place where a model is fitted or optimised."""
    left_out: tuple[str, ...] = ()

    @property
    def trackers(self) -> tuple[Tool, ...]:
        """Experiment trackers that are imported or called."""
        return tuple(t for t in self.tools if t.system is System.TRACKER)

    @property
    def configurations(self) -> tuple[Tool, ...]:
        """Configuration systems that are imported or called."""
        return tuple(t for t in self.tools if t.system is System.CONFIGURATION)

    @property
    def tracked(self) -> bool:
        """Whether some tracker is really used."""
        return any(t.used for t in self.trackers)

    @property
    def serialised(self) -> bool:
        """Whether a trained model is kept: saved by code, in the repository, or linked."""
        return bool(self.saves or self.artefacts or self.links)

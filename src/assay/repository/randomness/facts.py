"""What is known about the randomness of a repository: who seeds what, with which value, and what stays unseeded."""

from __future__ import annotations

from enum import StrEnum

from assay.findings import Location
from assay.records import dataclass


class Framework(StrEnum):
    """A stream of random numbers that has a seed of its own."""

    PYTHON = "random"
    NUMPY = "numpy"
    TORCH = "torch"
    CUDA = "torch.cuda"
    TENSORFLOW = "tensorflow"
    JAX = "jax"
    SKLEARN = "scikit-learn"
    GYM = "gym"
    CUPY = "cupy"
    DGL = "dgl"
    MXNET = "mxnet"
    PADDLE = "paddle"
    MINDSPORE = "mindspore"
    R = "R"
    JULIA = "Julia"


_FEW = 10


class State(StrEnum):
    """Where a seed's value comes from, best first; of several seeds of one stream the best counts."""

    FIXED = "fixed"
    """A constant in the code."""
    DEFAULT = "default"
    """A fixed value that an option or a configuration file may replace."""
    GIVEN = "given"
    """The user must name one."""
    UNKNOWN = "unknown"
    """Something sets it, but the text does not show its value."""
    GUARDED = "guarded"
    """It is set only under a condition that does not hold, or need not hold, unless asked for."""
    LATE = "late"
    """It is set only after the numbers were drawn."""
    VARYING = "varying"
    """From the clock, the system or another unseeded stream: different in every run."""
    NONE = "none"
    """None or nothing, which means the system's entropy."""
    UNUSED = "unused"
    """A seed is declared and nothing is ever seeded with it."""
    MISSING = "missing"
    """No seed at all."""

    @property
    def rank(self) -> int:
        """0 for the best."""
        return _RANKS[self]

    @property
    def controlled(self) -> bool:
        """Whether two runs by the same command draw the same numbers."""
        return self.rank <= _RANKS[State.GIVEN]


_RANKS = {state: rank for rank, state in enumerate(State)}


class Reason(StrEnum):
    """Why a random draw is not covered by a seed."""

    UNSEEDED = "nothing seeds it"
    EARLY = "it comes before the seed"
    OWN_SEED = "its own seed is not fixed"


class Entry(StrEnum):
    """How a run begins."""

    SCRIPT = "script"
    """A file that does something when it is run: under `if __name__ == "__main__"`, or plainly."""
    NOTEBOOK = "notebook"
    COMMAND = "command"
    """A console script that the package installs."""


@dataclass(frozen=True, slots=True)
class Seed:
    """A call that sets a seed; `state` is the best over all entry points that reach it."""

    call: str
    """The function by its full name, as in "torch.manual_seed"."""
    frameworks: tuple[Framework, ...]
    location: Location
    state: State
    value: str = ""
    """The value if it is known, else the expression."""
    guard: str = ""
    """The condition that keeps it from being set, if there is one."""
    declared: Location | None = None
    """Where the default comes from: an option, a field, a configuration file."""
    in_test: bool = False


@dataclass(frozen=True, slots=True)
class Draw:
    """A random draw that no seed covers."""

    call: str
    location: Location
    reason: Reason
    parameter: str = ""
    """What the call would take its seed by, where it makes a generator of its own and is given none."""


@dataclass(frozen=True, slots=True)
class Uses:
    """How often a framework's random numbers are drawn, and the first places."""

    framework: Framework
    count: int
    places: tuple[Location, ...]


@dataclass(frozen=True, slots=True)
class Coverage:
    """One framework in one run: `state` is how its seed is set; if some draws are not covered, how theirs is."""

    framework: Framework
    state: State
    uses: int
    seeds: tuple[Location, ...] = ()
    """The seeds behind `state`."""
    guard: str = ""
    first: Location | None = None
    """The first draw, before which a seed belongs."""
    uncovered: tuple[Draw, ...] = ()
    """The first few draws without a seed."""
    uncovered_count: int = 0
    partly: bool = False
    """Some draws have a seed that is fixed, or at least set."""
    certain: bool = True
    """Some draw without a seed is on the way that the run takes itself, not in what is only handed on by name."""

    evident: bool = True
    """Some draw without a seed is in code that the run is seen to reach: by calls, by callables that a call gets, by
    methods of instances that it makes. If not, the run may draw, and nobody can say so from the text."""

    @property
    def seeded(self) -> bool:
        """Whether every draw repeats when the run is repeated."""
        return self.state.controlled and not self.uncovered_count


@dataclass(frozen=True, slots=True)
class Flag:
    """A switch for deterministic computation, such as torch.backends.cudnn.deterministic."""

    name: str
    value: str
    location: Location
    guard: str = ""

    @property
    def on(self) -> bool:
        """Whether it is set to something true by default, as far as the text shows."""
        return self.value not in {"False", "None", "0", "'0'", '"0"', "''"} and not self.guard


@dataclass(frozen=True, slots=True)
class Loader:
    """A torch DataLoader: shuffling and workers are drawn from its generator and its workers' seeds."""

    location: Location
    shuffle: str
    workers: str
    generator: bool
    worker_seed: bool


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """One way to run the code, with what is seeded in all that it reaches."""

    path: str
    kind: Entry
    name: str
    trains: bool
    """Whether something is fitted or optimised on the way."""
    coverage: tuple[Coverage, ...]
    flags: tuple[Flag, ...] = ()
    loaders: tuple[Loader, ...] = ()
    infers: bool = False
    """Whether it only applies a model, with weights that were learnt before."""

    def of(self, framework: Framework) -> Coverage | None:
        """The coverage of one framework; None when nothing is drawn from it."""
        return next((c for c in self.coverage if c.framework is framework), None)


@dataclass(frozen=True, slots=True)
class RandomnessFacts:
    """Everything about randomness, in the order of the files."""

    seeds: tuple[Seed, ...]
    uses: tuple[Uses, ...]
    entry_points: tuple[EntryPoint, ...]
    left_out: tuple[str, ...] = ()

    @property
    def main_entry_points(self) -> tuple[EntryPoint, ...]:
        """The runs that train something, or else all that draw; all, too, where hardly any is seen to train.

        Then most of them learn by methods of their own, which no library's name reveals.
        """
        drawing = tuple(e for e in self.entry_points if e.coverage)
        training = tuple(e for e in drawing if e.trains)
        return training if training and len(training) * _FEW >= len(drawing) else drawing

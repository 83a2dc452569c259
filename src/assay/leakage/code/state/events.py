"""What the analysis writes down while it follows a program: the facts that the checks judge."""

from __future__ import annotations

import ast
from collections.abc import Hashable
from dataclasses import field
from enum import StrEnum, auto

from assay.leakage.code.state.rows import Origin, Part, Rows, Site
from assay.leakage.code.state.values import Columns, Data, Estimator, Marks, Prediction, UnknownCall
from assay.records import dataclass

DIFFERENCE = "difference"
"""The measure of `y - y_pred`: an error on held-out rows, but on training rows the residuals that methods use."""

COUNT = "count"
"""The measure of what a loop counts, row by row, where predictions are right or wrong."""

COVER = "cover"
"""The measure of how far predictions and the truth cover each other: of training rows, training learns by it."""

OWN_MEASURE = "own measure"
"""The measure of a number that the code computes in its own way, and keeps the best state of a network by."""

LOSS = "loss"
"""The measure of a loss that an object computes."""


SPLIT_OFF = "validation_split"
"""What divides rows as training begins, by its name in keras: the last ones are only watched."""


class Purpose(StrEnum):
    """Why a model was applied to rows."""

    SCORE = auto()
    PREDICT = auto()
    """Predictions without a score in sight."""
    WATCHED = auto()
    """Training looks at these rows as it goes on."""
    CROSS_VALIDATION = auto()
    SEARCH = auto()
    """Cross-validation that only chooses among settings."""


FOLDS = frozenset({Purpose.CROSS_VALIDATION, Purpose.SEARCH})
"""Evaluations that divide the rows of the training themselves."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A model meets rows."""

    model: Estimator
    rows: Rows
    marks: Marks
    measure: str
    site: Site
    purpose: Purpose
    loops: tuple[ast.AST, ...] = ()
    """The loops around it whose number of rounds is not known."""
    via: frozenset[UnknownCall] = frozenset()
    accuracy: bool = False
    told: Marks = frozenset()
    """Traces on the values that were compared, beyond those of the features: thresholds, filters."""
    shown: ast.AST | None = None
    """The call that showed the rows to the model."""
    truth: frozenset[str] = frozenset()
    """The name of the column that predictions were compared with, where known."""


class Scheme(StrEnum):
    """How rows are divided."""

    SHUFFLED = auto()
    ORDERED = auto()
    FOLDS = auto()
    """Into folds, as the rows stand."""
    GROUPS = auto()
    TIME = auto()
    SEARCH = auto()
    """As a search does it by itself."""
    UNKNOWN = auto()


@dataclass(frozen=True, slots=True)
class Split:
    """Rows are divided."""

    key: Hashable
    site: Site
    name: str
    scheme: Scheme
    rows: Rows
    marks: Marks
    columns: Columns


@dataclass(frozen=True, slots=True)
class Stopping:
    """Training watches these rows and keeps the best state."""

    model: Hashable
    rows: Rows
    site: Site
    name: str


@dataclass(frozen=True, slots=True)
class Choice:
    """Scores are compared with each other."""

    site: Site
    predictions: frozenset[Prediction]
    """The predictions behind the scores."""
    name: str
    which: bool
    """Whether the best is kept or asked for by name; else only how good it is."""
    loops: tuple[ast.AST, ...] = ()
    """The loops around it whose number of rounds is not known."""
    is_order: bool = False
    """Whether all are listed in the order of their scores, and none is taken."""


@dataclass(frozen=True, slots=True)
class Imbalance:
    """A sign that the authors know one class to be rare."""

    site: Site
    told: str


Event = Evaluation | Split | Stopping | Choice | Imbalance


@dataclass(slots=True)
class Trace:
    """Everything written down about one program."""

    events: dict[Event, None] = field(default_factory=dict)
    mentioned: dict[tuple[Origin, str], Site] = field(default_factory=dict)
    """Columns that the code names, by table."""
    grouped: dict[tuple[Origin, str], Site] = field(default_factory=dict)
    """Columns that rows are grouped by: they repeat."""
    sorted_by_time: dict[Origin, Site] = field(default_factory=dict)
    validation: set[Part] = field(default_factory=set)
    """Rows that the code itself calls validation rows."""
    tests: set[Part] = field(default_factory=set)
    """Rows that the code itself calls test rows."""
    told_searches: set[Site] = field(default_factory=set)
    """Searches whose score is looked at: they serve as evaluations, too."""
    tried: set[Site] = field(default_factory=set)
    """Where steps before the model learn whose settings a loop around them varies."""
    fold_loops: set[ast.AST] = field(default_factory=set)
    """Loops that go from fold to fold."""
    step_loops: dict[Site, tuple[ast.AST, ...]] = field(default_factory=dict)
    """The loops around each step of training by hand, also those in which its function is called."""
    taught: set[tuple[Site, Hashable, Rows]] = field(default_factory=set)
    """Losses that steps of training went by: where each was computed, of which model, and on which rows."""
    split_off: dict[Evaluation, None] = field(default_factory=dict)
    """Trainings that set rows aside to watch (`validation_split=0.2`)."""
    shown: dict[Evaluation, None] = field(default_factory=dict)
    """Rows that trained networks were asked about, whether or not the answers were scored."""
    handed_out: dict[Site, tuple[Data, ...]] = field(default_factory=dict)
    """The tables that functions give to callers out of sight, or keep in their objects."""
    untrained: dict[Hashable, set[Rows]] = field(default_factory=dict)
    """Rows that models met without a training in sight: by a method that others may call after one that trains."""
    uncalled: set[Site] = field(default_factory=set)
    """Where models are evaluated in functions that nobody in sight calls."""
    tested_otherwise: set[Hashable] = field(default_factory=set)
    """Models that tell how good they are on rows that each of their trees was not given; detectors judged by others.

    So do series that are smoothed by weights that are given, which learn from none."""
    judged_elsewhere: set[tuple[Hashable, Rows]] = field(default_factory=set)
    """Models and rows whose predictions are given to a call that is not described, which may score them."""
    handed_on: bool = False
    """Whether a trained model is given to a call that nobody describes."""
    unknown: dict[str, int] = field(default_factory=dict)
    """Calls whose effect is not described, and how often."""

    def add(self, event: Event) -> None:
        """Write it down, once."""
        self.events.setdefault(event)

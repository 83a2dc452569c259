"""One row of the pair table: a training of a model and an evaluation of it, and how their rows are related.

Everything here is plain data: enums, numbers, places. A policy is a query over these columns.
"""

from __future__ import annotations

from enum import StrEnum, auto

from assay.findings import Location
from assay.records import dataclass


class Relation(StrEnum):
    """How the evaluated rows are related to the training rows."""

    DISJOINT = auto()
    OVERLAPPING = auto()
    """Some evaluated rows were trained on."""
    SAME = auto()
    """All evaluated rows were trained on."""
    UNKNOWN = auto()


class Role(StrEnum):
    """What an evaluation is for."""

    TRAINING_SCORE = "training score"
    """The rows are training rows, and the model or its rival is tested on others."""
    VALIDATION = auto()
    """The rows serve to watch, stop or choose; or a search looks at them."""
    TEST = auto()
    CROSS_VALIDATION = "cross-validation"
    SUBMISSION = auto()
    """Predictions whose score is not in sight."""
    UNKNOWN = auto()


class LearntFrom(StrEnum):
    """Which rows a step learnt from, as seen from one pair."""

    TRAINING = auto()
    """Training rows only."""
    BOTH = auto()
    """Evaluated rows, together with others."""
    EVALUATED = auto()
    """The evaluated part alone: it was prepared by itself."""


class ChoiceKind(StrEnum):
    """How a choice follows from scores on a part."""

    NONE = auto()
    BEST_OF = "best of"
    """The best score or the best model is asked for, or kept."""
    ORDER = "put in order"
    """Models are listed in the order of their scores, and none of them is taken."""
    EARLY_STOPPING = "early stopping"
    THRESHOLD = auto()
    """A threshold or a weight was computed from these rows."""
    TUNED = auto()
    """A search that saw these rows set a parameter of the model."""
    LOOP = "loop over settings"
    """A loop varies a setting and scores each value on the same rows."""


class Answer(StrEnum):
    """Yes, no, or not known."""

    YES = auto()
    NO = auto()
    UNKNOWN = auto()


class Beside(StrEnum):
    """Which honest score stands beside this one."""

    NONE = auto()
    THIS_MODEL = "this model"
    """The same fitted model is scored on rows it has not seen."""
    CROSS_VALIDATION = "cross-validation"
    """The same object is cross-validated."""
    SAME_KIND = "same kind"
    """Another model of the same kind is scored on rows held out from these."""
    OUT_OF_BAG = "out of bag"
    """The model itself says how good it is on rows kept from it."""
    RIVAL = auto()
    """Another model of the same training rows is scored on rows it has not seen."""


class AssumptionKind(StrEnum):
    """What a fact rests on that the code does not show."""

    UNKNOWN_CALL = "unknown call"
    """A call whose effect is not known lies between the training rows and the evaluated rows."""
    PARAMETER = auto()
    """The rows are parameters of a function that nothing in sight calls."""
    UNDEFINED = auto()
    """The rows come from a name or call that is not in sight."""
    BRANCH = auto()
    """The relation holds on some branches only."""
    NAMES = auto()
    """Only names tell the parts apart."""
    HANDED_ON = "handed on"
    """The model or its predictions are given to a call whose effect is not known, which may test it."""
    UNCALLED = auto()
    """A function that nothing in sight calls gives the model back: its caller may test it."""
    MASKS = auto()
    """The rows are a graph that holds its parts as masks, and no mask in sight says which of them take part."""
    UNSEEN_MODEL = "unseen model"
    """The parts meet no model in sight."""
    LOADER = auto()
    """Batches of a loaded object go through a loader: which rows it holds is not known."""


@dataclass(frozen=True, slots=True)
class Assumption:
    """One assumption, with what it is about."""

    kind: AssumptionKind
    about: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the code and the code that stands there."""

    location: Location
    code: str


@dataclass(frozen=True, slots=True)
class Learnt:
    """A step that learnt from rows before the model was trained or evaluated."""

    kind: str
    step: str
    place: Place
    source: LearntFrom
    outcome: bool
    """Whether the outcome went into it."""
    in_training: bool
    """Whether what was learnt is part of what the model was trained with."""
    by_group: bool = False
    """Whether it is a statistic of each group of rows: a feature of the group."""
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pair:
    """One training of one model, and one evaluation of it."""

    model: str
    """As the program calls the model's class."""
    training: Place
    evaluation: Place
    shown: Place
    """Where the model is given the rows: the call of `predict` behind a score."""
    measure: str
    relation: Relation
    because: str
    """How the training came to know the evaluated rows, where the divisions alone do not say so."""
    role: Role
    number: bool
    """Whether a number comes of it that says how good the model is."""
    reported: bool
    """Whether somebody looks at the score itself, and not only at what is best by it."""
    folds: bool
    """Whether the rows are folds of a cross-validation."""
    beside: Beside
    tested: bool
    """Whether any model of the program is scored on rows that it has not seen."""
    learnt: tuple[Learnt, ...]
    uses: int
    """How many evaluations use this part."""
    watched: bool
    """Whether training watches this part as it goes on."""
    models: int
    """How many different models this part judges."""
    untouched: Answer
    """Whether another part is left that nothing was tried on."""
    elsewhere: bool
    """Whether a number is reported on rows that are no part of these, and that its model has not seen."""
    choice: ChoiceKind
    made_up: bool
    """Whether the program made the rows up."""
    baseline: bool
    """Whether the model is a baseline that ignores the features."""
    without_outcome: bool
    """Whether the model learnt without the outcome: it groups rows, or looks for outliers among them."""
    describes: bool
    """Whether the score describes a fit: R² of a line, or each column by itself."""
    assumptions: tuple[Assumption, ...] = ()

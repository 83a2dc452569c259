"""Abstract values: what is known of a variable without running the program.

All are frozen. What a program can change in place (tables, estimators, lists, dicts, objects) is kept in a heap
and referred to by `Ref`, so that every alias sees the change.
"""

from __future__ import annotations

import ast
from collections.abc import Hashable
from dataclasses import field
from enum import StrEnum, auto
from typing import TYPE_CHECKING, Any, NamedTuple

from assay.leakage.code.state.in_order import marks_in_order
from assay.leakage.code.state.rows import NO_ROWS, Cut, Rows, Site, cut_rows
from assay.records import dataclass, replace

if TYPE_CHECKING:
    from assay.leakage.code.effects import Effect
    from assay.leakage.code.state.scopes import Scope

MOST_MARKS = 48
"""More traces than this on one value are dropped; no program written by hand comes near."""


class Kind(StrEnum):
    """What a trace on a value stands for; the rule and the severity hang on it (see `kinds`)."""

    SCALE = auto()
    IMPUTE = auto()
    MODELLED = auto()
    ENCODE = auto()
    VECTORISE = auto()
    PROJECT = auto()
    DISCRETISE = auto()
    CLUSTER = auto()
    OUTLIER = auto()
    STATISTIC = auto()
    OVERSAMPLE = auto()
    UNDERSAMPLE = auto()
    AUGMENT = auto()
    COPY = auto()
    SELECT = auto()
    VARIANCE = auto()
    CORRELATION = auto()
    GAPS = auto()
    """How many values are missing in each column was counted; that matters once columns are chosen by it."""
    TARGET_ENCODE = auto()
    EXPLODE = auto()
    WINDOW = auto()
    LAG = auto()
    TIME = auto()
    LOOK_AHEAD = auto()
    GROUP = auto()
    DERIVED = auto()
    FILTER = auto()
    TUNED = auto()
    THRESHOLD = auto()
    SWEEP = auto()
    """Predictions were compared with a threshold that a loop varies."""
    TRIED = auto()
    """A step that learns nothing was applied, with a setting that a loop varies."""
    SHUFFLED = auto()
    """Rows were put in an order of chance."""
    REDRAWN = auto()
    """Rows come in another order at each pass over them."""
    VERSION = auto()
    """Rows were turned, stretched or given noise: another version of what they were."""
    SCORE = auto()
    """Predictions were compared with the true outcomes."""
    BETTER = auto()
    """A score was compared with another, or with the best so far."""
    FILLED = auto()
    """Columns of a table were filled in from another file."""
    WEIGHTS = auto()
    """What a network has learnt was taken out of it, to be given to another."""


OF_OUTCOMES = frozenset({Kind.ENCODE, Kind.DISCRETISE, Kind.SCALE, Kind.STATISTIC, Kind.PROJECT, Kind.CLUSTER})
"""What gives an outcome its classes or its unit, or says what it is made of."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A trace that a step left on a value: what was learnt from which rows, or what was done to them."""

    kind: Kind
    name: str
    site: Site
    rows: Rows = NO_ROWS
    """The rows that something was learnt from."""
    columns: frozenset[str] = frozenset()
    """The columns that went into it, where known."""
    into: frozenset[str] | None = None
    """The columns that carry the trace; None for the whole value."""
    supervised: bool = False
    draw: tuple[int, int] | None = None
    """For what chance does: how often it was given a seed before, and which of its draws this is."""
    settings: tuple[tuple[str, Any], ...] = ()
    """The settings of the step, where they are written: an imputer by the mean is not one by the median."""
    among: Columns | None = None
    """For a comparison of the columns of one table with each other: which columns these are."""


Marks = frozenset[Mark]


class Shape(StrEnum):
    """What a data value is like, as far as it matters for the next step."""

    TABLE = auto()
    COLUMN = auto()
    GROUPED = auto()
    ROLLING = auto()
    """Windows or periods, about to be summed up row by row."""
    SUMMARY = auto()
    """No rows any more: a mean, a list of column names, a score."""
    MASK = auto()
    POSITIONS = auto()
    UNKNOWN = auto()


@dataclass(frozen=True, slots=True)
class Columns:
    """Which columns of its table a value has; `only` when they are named, else all but those `without`."""

    only: frozenset[str] | None = None
    without: frozenset[str] = frozenset()
    sure: bool = True
    """False once columns were taken in a way that cannot be followed."""

    def has(self, name: str) -> bool:
        """Whether this column is surely there, if the table has it."""
        return self.sure and (name not in self.without if self.only is None else name in self.only)


ALL_COLUMNS = Columns()
SOME_COLUMNS = Columns(sure=False)


class UnknownCall(NamedTuple):
    """A call whose effect is not described: it is taken to keep rows as they are."""

    name: str
    place: Hashable
    """The call and the way there: two calls may take different rows, one gives the same rows to all that use it."""


@dataclass(frozen=True, slots=True)
class Fit:
    """One training of a model: from what, where."""

    site: Site
    rows: Rows
    marks: Marks
    columns: Columns
    target: frozenset[str]
    """The name of the outcome's column, where known."""
    target_marks: Marks = frozenset()
    loops: tuple[ast.AST, ...] = field(default=(), compare=False)
    """The loops around it whose number of rounds is not known."""
    noise: bool = False
    """Features and outcome were drawn at random by the program, each for itself: nothing is claimed of the world."""
    via: frozenset[UnknownCall] = field(default=frozenset(), compare=False)
    """Calls of unknown effect on the way to its rows."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a model said about some rows."""

    model: Estimator
    rows: Rows
    marks: Marks
    site: Site
    via: frozenset[UnknownCall] = frozenset()
    """Calls of unknown effect on the way to the rows."""


@dataclass(frozen=True, slots=True)
class Data:
    """Rows, or something made from rows."""

    rows: Rows = NO_ROWS
    marks: Marks = frozenset()
    shape: Shape = Shape.UNKNOWN
    columns: Columns = SOME_COLUMNS
    predictions: frozenset[Prediction] = frozenset()
    cuts: frozenset[Cut] = frozenset()
    """For masks and positions: which side of which division they choose."""
    via: frozenset[UnknownCall] = frozenset()
    """Calls of unknown effect on the way."""
    noted: frozenset[tuple[str, Prediction]] = frozenset()
    """What models said, where it was written into a column of the table that they were asked about."""
    round: ast.AST | None = field(default=None, compare=False)
    """The loop, or the function that is called again and again, of whose present round this is the one item."""

    def cut(self, *cuts: Cut) -> Data:
        """The same data on one side of a division."""
        return Data(
            cut_rows(self.rows, cuts),
            self.marks,
            self.shape,
            self.columns,
            self._said_of(cuts) if self.predictions else self.predictions,
            self.cuts.union(cuts),
            self.via,
            self.noted,
            self.round,
        )

    def _said_of(self, cuts: tuple[Cut, ...]) -> frozenset[Prediction]:
        """What was said of these rows, where models were asked about all of them: `model(table)[held_out]`."""
        return frozenset(
            replace(p, rows=cut_rows(p.rows, cuts)) if p.rows == self.rows else p for p in self.predictions
        )

    def marked(self, *marks: Mark) -> Data:
        """The same data with further traces."""
        if not marks:
            return self
        both = capped(self.marks.union(marks))
        return replace(self, marks=both)

    @property
    def blank(self) -> bool:
        """Whether nothing is known of it: no rows, no traces."""
        return not (self.rows or self.marks or self.predictions or self.cuts)

    @property
    def is_score(self) -> bool:
        """Whether it is a number that tells how good a model is: the rows are gone."""
        return bool(self.predictions) and not self.rows and any(k.kind is Kind.SCORE for k in self.marks)

    @property
    def summary(self) -> Data:
        """What remains when the rows are gone."""
        return replace(self, rows=NO_ROWS, shape=Shape.SUMMARY, cuts=frozenset(), columns=SOME_COLUMNS)


@dataclass(frozen=True, slots=True)
class Estimator:
    """An object that is fitted: a transformer, a model, a pipeline, a search."""

    effect: Effect
    name: str
    site: Site
    serial: Hashable
    """Identity: the place where it was made and the way there."""
    parts: tuple[Value, ...] = ()
    fits: frozenset[Fit] = frozenset()
    marks: Marks = frozenset()
    """Traces on its settings: parameters that were chosen by a search."""
    settings: tuple[tuple[str, Any], ...] = ()
    """Arguments of the constructor that are plain constants."""

    def setting(self, name: str) -> Any:
        """A constant argument of the constructor."""
        return dict(self.settings).get(name)


@dataclass(frozen=True, slots=True)
class Const:
    """A literal."""

    value: Any
    sure: bool = True
    """False where it may as well be another."""


@dataclass(frozen=True, slots=True)
class Seq:
    """A list or tuple; `open` when there may be more items like those."""

    items: tuple[Value, ...] = ()
    open: bool = False
    forgets: bool = False
    """Whether it is a queue that lets the oldest item go for each new one."""


@dataclass(frozen=True, slots=True)
class Mapping:
    """A dict, or the result of a call that one may ask by name."""

    items: tuple[tuple[Any, Value], ...] = ()
    open: bool = False

    def get(self, key: Any) -> Value | None:
        """The value under a constant key."""
        return next((value for known, value in self.items if known == key), None)

    def put(self, key: Any, value: Value) -> Mapping:
        """With another entry, or one replaced."""
        return Mapping((*((k, v) for k, v in self.items if k != key), (key, value)), self.open)


@dataclass(frozen=True, slots=True)
class Library:
    """A name in a library that is described, or not, by the table: `sklearn.svm.SVC`."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A function of the audited code, with the scope that it was defined in."""

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    scope: Scope
    bound: Value | None = None
    defaults: tuple[Value, ...] = ()
    keyword_defaults: tuple[tuple[str, Value], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Class:
    """A class of the audited code."""

    node: ast.ClassDef
    scope: Scope
    members: dict[str, Value] = field(repr=False)
    bases: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class Instance:
    """An object of a class of the audited code."""

    cls: Class
    attributes: tuple[tuple[str, Value], ...] = ()
    network: Estimator | None = None
    """For classes that derive from a model of a library (torch.nn.Module, keras.Model): that side of it."""


ITEMS = "[]"
"""The attribute of an instance that holds what its items are like."""


@dataclass(frozen=True, slots=True)
class Module:
    """A module of the audited code."""

    scope: Scope


@dataclass(frozen=True, slots=True)
class Ref:
    """A reference to something that can change in place."""

    id: int


Value = Data | Estimator | Const | Seq | Mapping | Library | Function | Class | Instance | Module | Ref

CHANGEABLE = (Data, Estimator, Seq, Mapping, Instance)
"""What a program can change in place. (Tuples are asked faster than unions.)"""
WITHOUT_ROWS = (Const, Library, Function, Class)
NAMESPACES = (Library, Module, Instance, Class)
NOTHING = Const(None)
UNKNOWN = Data()


_SIGNS = (Kind.SCORE, Kind.BETTER)
"""By one trace of these a number is known for a score, however much was learnt on the way to it."""


def capped(marks: Marks) -> Marks:
    """At most so many traces, the same ones every time; first those of what was learnt, for a leak is made of these."""
    if len(marks) <= MOST_MARKS:
        return marks
    order = marks_in_order(_as_one(marks), lambda mark: not mark.rows)
    signs = (next((m for m in order if m.kind is sign), None) for sign in _SIGNS)
    return frozenset([*(m for m in signs if m is not None), *order][:MOST_MARKS])


def _as_one(marks: Marks) -> Marks:
    """What one step learnt, once for all columns that carry it instead of once for each."""
    found: dict[Mark, frozenset[str] | None] = {}
    for mark in marks:
        whole = replace(mark, into=None) if mark.rows else mark
        carried = found.get(whole, frozenset())
        found[whole] = None if carried is None or mark.into is None else carried | mark.into
    return frozenset(replace(mark, into=into) for mark, into in found.items())

"""What a reader of printed scores gives back: typed rows, each part with its place, and what was not understood.

Digits stay as printed, because trailing zeros are precision. Nothing here knows a score test, a paper or a page.
"""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction

from assay.records import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """Where something stands: characters `start` to `end` of the text, and for a table the row and column of its cell.

    A grid that was not cut out of a text has no characters to point at: both are -1.
    """

    start: int = -1
    end: int = -1
    row: int | None = None
    column: int | None = None


NOWHERE = Span()


@dataclass(frozen=True, slots=True)
class Number:
    """A number as printed: a point for decimals, no thousands separators, a percent sign of its own or of its heading.

    `shifted` says that no percent sign was printed and the number can only be a percentage (an accuracy of 94.5).
    """

    digits: str
    percent: bool = False
    shifted: bool = False

    @property
    def value(self) -> Fraction:
        """What it says, as a share where it is a percentage."""
        return Fraction(self.digits) / (100 if self.percent else 1)

    @property
    def decimals(self) -> int:
        """Digits printed after the point."""
        return len(self.digits.partition(".")[2])

    @property
    def unit(self) -> Fraction:
        """One unit of the last digit."""
        return Fraction(1, 10**self.decimals) / (100 if self.percent else 1)

    def gives(self, value: Fraction) -> bool:
        """Whether it may be a print of this value, give or take one unit of the last digit."""
        return abs(self.value - value) <= self.unit

    def __str__(self) -> str:
        return self.digits + ("%" if self.percent else "")


class Relation(StrEnum):
    """How the printed number stands to the score."""

    EQUAL = "="
    ABOUT = "about"
    ABOVE = "above"
    BELOW = "below"


class SpreadKind(StrEnum):
    """What stands behind a ±."""

    DEVIATION = "standard deviation"
    ERROR = "standard error"
    HALF_WIDTH = "half width of a confidence interval"
    UNSTATED = "not stated"


class IntervalKind(StrEnum):
    """What two printed ends are the ends of."""

    CONFIDENCE = "confidence interval"
    RANGE = "range"
    QUARTILES = "interquartile range"
    UNSTATED = "not stated"


class Averaging(StrEnum):
    """How a score of several classes became one number."""

    UNSTATED = "not stated"
    BINARY = "binary"
    MACRO = "macro"
    MICRO = "micro"
    WEIGHTED = "weighted"
    SAMPLES = "samples"
    """Computed for each item over its labels, then averaged."""
    CLASS = "one class"


class Over(StrEnum):
    """What a printed number is a mean over."""

    UNSTATED = "not stated"
    POOLED = "pooled"
    FOLDS = "folds"
    RUNS = "runs"
    IMAGES = "images"
    SUBJECTS = "subjects"
    SETS = "data sets"


class Role(StrEnum):
    """Which part of the data a number is about."""

    UNSTATED = "not stated"
    TRAIN = "train"
    VALIDATION = "validation"
    TEST = "test"
    EXTERNAL = "external"


class RowKind(StrEnum):
    """What a row of scores is about."""

    RESULT = "result"
    SUMMARY = "summary"
    """A mean, total or average over other rows."""
    DIFFERENCE = "difference"
    """A gain over another row: its numbers are no scores."""
    SETTING = "setting"
    """What each score weighs or has to reach."""


class SizeKind(StrEnum):
    """What a count is a count of."""

    POSITIVES = "positives"
    NEGATIVES = "negatives"
    TOTAL = "total"
    CLASS = "class"
    """Items of the class in `label`."""
    FOLDS = "folds"
    RUNS = "runs"
    CLASSES = "classes"
    CORRECT = "correct"
    WRONG = "wrong"


class AsideKind(StrEnum):
    """Why a number that was understood is neither a score nor a size."""

    YEAR = "year"
    REFERENCE = "reference"
    """To a table, a section, a citation, a list item."""
    P_VALUE = "p-value"
    LEVEL = "confidence level"
    THRESHOLD = "threshold"
    SHARE = "share of the data"
    DIFFERENCE = "difference"
    QUANTITY = "other quantity"
    """Epochs, seconds, parameters, learning rates, millimetres."""
    RATE = "count per item"
    """So many per class, per patient, per batch."""
    NAME = "part of a name"
    LABEL = "class label"


class Reason(StrEnum):
    """Why a number was not understood."""

    NO_NAME = "no score is named for it"
    SEVERAL_NAMES = "more than one score could be meant"
    COUNT_MISMATCH = "as many names as numbers are needed"
    OUT_OF_RANGE = "the score cannot have this value"
    REPEATED = "the score is named twice with different values"
    UNKNOWN_COLUMN = "the heading is not the name of a score"
    GARBLED = "the characters are not a number"


@dataclass(frozen=True, slots=True)
class Spread:
    """A number printed behind ±, or in brackets or a column that is called a deviation."""

    number: Number
    kind: SpreadKind = SpreadKind.UNSTATED


@dataclass(frozen=True, slots=True)
class Interval:
    """Two ends as printed; `level` is "95" for a 95 % interval."""

    low: Number
    high: Number
    kind: IntervalKind = IntervalKind.UNSTATED
    level: str = ""


@dataclass(frozen=True, slots=True)
class CountFraction:
    """A score given as hits out of total, such as 80/100."""

    hits: int
    total: int


@dataclass(frozen=True, slots=True)
class ScoreName:
    """What a printed name or heading means.

    `score` is a key of `assay.reported.names` ("acc", "sens", "f1", "tp"); `qualifier` is what the heading says besides
    ("frozen", "@0.5"); `percent` says that numbers under it are percentages.
    """

    score: str
    printed: str
    averaging: Averaging = Averaging.UNSTATED
    over: Over = Over.UNSTATED
    role: Role = Role.UNSTATED
    label: str = ""
    qualifier: str = ""
    percent: bool = False


@dataclass(frozen=True, slots=True)
class Figure:
    """One reported score. `number` is empty where only a fraction or an interval is printed."""

    name: ScoreName
    number: Number | None
    span: Span
    relation: Relation = Relation.EQUAL
    spread: Spread | None = None
    interval: Interval | None = None
    fraction: CountFraction | None = None
    bold: bool = False

    @property
    def score(self) -> str:
        """The key of the score."""
        return self.name.score


@dataclass(frozen=True, slots=True)
class Size:
    """A count of tested (or trained) items; `unit` is what is counted, `label` the class, where they are named."""

    kind: SizeKind
    count: int
    span: Span
    unit: str = ""
    label: str = ""
    role: Role = Role.UNSTATED


@dataclass(frozen=True, slots=True)
class Row:
    """The scores of one model on one data set, and the sizes that stand in the same row or sentence."""

    figures: tuple[Figure, ...]
    span: Span = NOWHERE
    model: str = ""
    dataset: str = ""
    sizes: tuple[Size, ...] = ()
    kind: RowKind = RowKind.RESULT
    over: Over = Over.UNSTATED
    role: Role = Role.UNSTATED

    @property
    def name(self) -> str:
        """Model and data set in one line."""
        return " · ".join(part for part in (self.model, self.dataset) if part)


class Axis(StrEnum):
    """What the rows of a printed confusion matrix are."""

    TRUE = "true classes"
    PREDICTED = "predicted classes"
    UNSTATED = "not stated"


@dataclass(frozen=True, slots=True)
class Matrix:
    """A printed confusion matrix of any size."""

    counts: tuple[tuple[int, ...], ...]
    labels: tuple[str, ...] = ()
    rows_are: Axis = Axis.UNSTATED
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Aside:
    """A number that was understood and is neither a score nor a size."""

    text: str
    kind: AsideKind
    span: Span


@dataclass(frozen=True, slots=True)
class Unread:
    """A number that was not understood, with the words around it."""

    text: str
    reason: Reason
    span: Span
    context: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """All that was read. Every digit of the source belongs to exactly one part of it.

    `sizes` are those of the whole text, bound to no row; `over` is what all rows are means over.
    """

    rows: tuple[Row, ...] = ()
    sizes: tuple[Size, ...] = ()
    matrices: tuple[Matrix, ...] = ()
    asides: tuple[Aside, ...] = ()
    unread: tuple[Unread, ...] = ()
    over: Over = Over.UNSTATED
    averaging: Averaging = Averaging.UNSTATED

    @property
    def complete(self) -> bool:
        """Whether nothing was left unexplained."""
        return not self.unread


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table as plain words; a cell that spans several places stands in each of them."""

    text: str
    bold: bool = False
    heading: bool = False
    start: int = -1
    """Where its text begins in the source; -1 when it was not cut out of a text."""
    spanned: bool = False
    """Whether this place repeats a cell that begins further left or further up."""
    end: int = -1
    """Where its source ends, which may be longer than its text."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table as rows of equal length, with what its caption and the heading of its section say."""

    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""
    heading: str = ""

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.rows[0]) if self.rows else 0

"""What a call does, in a handful of words. The table of libraries (`library`) says which call does what."""

from __future__ import annotations

from enum import StrEnum, auto

from assay.leakage.code.state.values import Kind
from assay.records import dataclass

GIVEN = "given"
"""How a model is described that only its use tells: a function is given it, and nobody knows what it does."""

SIDE_BY_SIDE = "side by side"
"""How an object is described that fits dozens of models on one part and scores each on another."""


class Role(StrEnum):
    """How a call acts on rows and on what is learnt from them."""

    # Things that are made and then fitted.
    TRANSFORMER = auto()
    STATELESS = auto()
    MODEL = auto()
    NETWORK = auto()
    """A model that goes on learning when it is fitted again."""
    GROUPER = auto()
    """Clustering and outlier detection: learns without the outcome, and its answers may become features."""
    PIPELINE = auto()
    SEARCH = auto()
    WRAPPER = auto()
    SPLITTER = auto()
    RESAMPLER = auto()
    GENERATOR = auto()
    """Learns from rows, then makes up others like them."""
    STOPPER = auto()
    """A callback that chooses by a validation score."""
    LAYER = auto()
    LOSS = auto()
    """Called with predictions and what is true, it gives what training learns by."""
    # Functions and methods.
    READ = auto()
    READ_PAIR = auto()
    READ_PARTS = auto()
    SPLIT = auto()
    SPLIT_AT = auto()
    SPLIT_NAMED = auto()
    CROSS_VALIDATE = auto()
    METRIC = auto()
    COMPARE = auto()
    """Holds two columns against each other, value by value."""
    CURVE = auto()
    CONCAT = auto()
    STACK = auto()
    """Puts columns side by side."""
    STATISTIC = auto()
    LEARN = auto()
    """Learns from all rows it is given and changes them."""
    SAME = auto()
    SHUFFLE = auto()
    SAMPLE = auto()
    POSITIONS = auto()
    DELETE = auto()
    REMAINDER = auto()
    SHIFT = auto()
    ROLLING = auto()
    TRAIN = auto()
    LENGTH = auto()
    """Gives something that tells nothing about the rows' content."""
    BLANK = auto()
    """Makes an array of a given size that holds nothing yet: what the size knows of rows is not in it."""
    FILL = auto()
    DROP = auto()
    GROUP_BY = auto()
    TRANSFORM_GROUPS = auto()
    TO_TIME = auto()
    INDEX_BY = auto()
    SORT = auto()
    EXPLODE = auto()
    DEDUPLICATE = auto()
    DROP_GAPS = auto()
    CUT = auto()
    MERGE = auto()
    TAKE = auto()
    SKIP = auto()
    IS_IN = auto()
    PICK_TYPES = auto()
    ASSIGN = auto()
    INSERT = auto()
    """Puts a column into a table, in place."""
    POP = auto()
    RENAME = auto()
    ALIGN = auto()
    """Gives two tables the same columns, each its own rows."""
    CLONE = auto()
    STORE = auto()
    """Writes an object to a file, from which the same program may read it back."""
    PLAIN = auto()
    """Nothing that matters here."""


@dataclass(frozen=True, slots=True)
class Effect:
    """A role with its particulars."""

    role: Role
    kind: Kind | None = None
    supervised: bool = False
    how: str = ""
    """For splitters: "rows", "groups" or "time"; for metrics: "accuracy" where they hide a rare class."""

"""Parts of the data that names refer to: `X_train`, `data["test"]`, `bundle.y_val`."""

from __future__ import annotations

import re
from functools import lru_cache

from assay.leakage.code.state.rows import Cut
from assay.leakage.code.state.values import Data, Shape
from assay.libraries.catalogue import ends_in
from assay.libraries.row import Group
from assay.patterns import regex

_PART = regex(
    r"(?:^|_)(train|training|test|testing|val|vali|valid|validation|dev|unsupervised|holdout|eval|tr|trn|te|tst|va"
    r"|tune(?<!fine_tune)|tuning(?<!fine_tuning))"
    r"(?:$|_|(?<=n|t|l|d|i)(?:loader|set|data|gen|iter))",
    re.IGNORECASE,
)
_INDEX = regex(
    r"(?:^|_)(?:idx|idxs|ind|inds|index|indexes|indices|ix|mask|ids|rows|positions)(?:$|_)"
    r"|^i?_?(?:tr|trn|train|te|tst|test|va|val|valid)_*$",
    re.IGNORECASE,
)
_SHORT = regex(r"(?:^|_)(ts|vl)(?:$|_)", re.IGNORECASE)
_MEANT = {"vali": "val", "valid": "val", "validation": "val", "dev": "val", "eval": "val", "va": "val", "vl": "val",
          "tune": "val", "tuning": "val",
          "holdout": "test", "testing": "test", "te": "test", "tst": "test", "ts": "test",
          "training": "train", "tr": "train", "trn": "train"}  # fmt: skip

WHOLE_FOLDERS = ("ImageFolder", "DatasetFolder")
"""What of torchvision reads a whole folder; the others have an argument that chooses the part."""
NAMED_PART = "named part"
"""The division of rows by what the code calls the parts of an object that holds them."""
UNSEEN_MASK = "unseen mask"
"""The division of rows by a mask of which the code does not show where it holds."""
NAMED = "named positions"
"""The division of rows by what the code calls the positions that choose them."""


@lru_cache(maxsize=8192)
def index_named(name: str) -> str | None:
    """The part that positions are meant for, as their name says: "train" for `tr_idx` and `train_mask`."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])|\d+", "_", name)
    if _INDEX.search(words) is None:
        return None
    name = name.removeprefix("i")
    short = _SHORT.search(words)
    return part_named(name) or (_MEANT[short[1].lower()] if short is not None else None)


@lru_cache(maxsize=8192)
def part_named(name: str) -> str | None:
    """The part of the data that a name refers to: "train" for `X_train`, "test" for `test_df`."""
    found = _PART.search(re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[Xxy])(?=t(?:rain|est))|\d+", "_", name))
    if found is None:
        return None
    word = found[1].lower()
    return _MEANT.get(word, word)


def is_part(value: Data, name: str) -> bool:
    """Whether `value["X_train"]` or `value.X_train` is a part of something that is no table."""
    spoken = name[:1].islower() or name.startswith(("X_", "Y_"))
    if not spoken or part_named(name) is None:
        return False
    if value.shape is Shape.COLUMN:
        return index_named(name) is not None
    return value.shape is Shape.UNKNOWN and value.columns.only is None


def part_of(value: Data, name: str) -> Data:
    """The part that the name refers to."""
    return value.cut(Cut(NAMED_PART, part_named(name) or ""))


def holds_several(value: Data, readers: Group = Group.ARCHIVES) -> bool:
    """Whether a file was read that holds several arrays or tables, each under its name."""
    read = all(ends_in(part.origin.name, readers) for part in value.rows)
    return bool(value.rows) and value.shape is Shape.UNKNOWN and read


def holds_objects(value: Data) -> bool:
    """Whether what was read is any object: perhaps one table, perhaps several."""
    return holds_several(value, Group.READERS_OF_OBJECTS)


def holds_numbers(value: Data) -> bool:
    """Whether arrays were read, so that one of them that chooses from another holds the places of rows."""
    return holds_several(value, Group.READERS_OF_NUMBERS)

"""Which steps a program takes, by the rows of the library tables: an inventory for the info sheet, no verdict.

Steps that are written by hand are not in it, so that an empty shelf is "no such call", never "not done".
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum

from assay.code import Call, Source, calls
from assay.findings import Location
from assay.libraries.catalogue import Catalogue, catalogue
from assay.libraries.row import How, Role, Row, Step, Trait
from assay.records import dataclass


class Shelf(Enum):
    """What a call is listed under; each is a question of the sheet."""

    SPLIT = "B1"
    SIZE = "B2"
    PREPARATION = "B3"
    GAPS = "B4"
    RESAMPLING = "B5"
    SELECTION = "B6"
    TUNING = "B7"
    DUPLICATES = "B9"
    TIME = "D2"
    DEPENDENCE = "D3"
    EXCLUSION = "D4"


_BY_STEP = {
    Step.SCALE: Shelf.PREPARATION,
    Step.ENCODE: Shelf.PREPARATION,
    Step.TARGET_ENCODE: Shelf.PREPARATION,
    Step.VECTORISE: Shelf.PREPARATION,
    Step.PROJECT: Shelf.PREPARATION,
    Step.DISCRETISE: Shelf.PREPARATION,
    Step.IMPUTE: Shelf.GAPS,
    Step.OVERSAMPLE: Shelf.RESAMPLING,
    Step.UNDERSAMPLE: Shelf.RESAMPLING,
    Step.AUGMENT: Shelf.RESAMPLING,
    Step.SELECT: Shelf.SELECTION,
    Step.VARIANCE: Shelf.SELECTION,
    Step.OUTLIER: Shelf.EXCLUSION,
}
_BY_ROLE = {
    Role.SPLIT: Shelf.SPLIT,
    Role.SPLITTER: Shelf.SPLIT,
    Role.CROSS_VALIDATE: Shelf.SPLIT,
    Role.READ_PARTS: Shelf.SPLIT,
    Role.SEARCH: Shelf.TUNING,
    Role.STOPPER: Shelf.TUNING,
    Role.RESAMPLER: Shelf.RESAMPLING,
    Role.DEDUPLICATE: Shelf.DUPLICATES,
    Role.DROP_GAPS: Shelf.EXCLUSION,
}
_BY_HOW = {How.TIME: Shelf.TIME, How.GROUPS: Shelf.DEPENDENCE}
_ROWS_LOST = frozenset({Shelf.DUPLICATES, Shelf.EXCLUSION})
_LEARNS = frozenset({Role.TRANSFORMER, Role.LEARN, Role.GROUPER, Role.FILL})
"""Of the steps that prepare rows, those that keep what they learnt; a count of values does not."""
_SIZES = ("test_size", "train_size", "n_splits", "cv", "validation_split")
"""Keywords that say how large the parts are."""


@dataclass(frozen=True, slots=True)
class Listed:
    """One call: its last name, what it says about sizes, and where it stands."""

    shelf: Shelf
    name: str
    location: Location
    sizes: str = ""


def inventory(sources: Iterable[Source]) -> list[Listed]:
    """Every step that a library table knows, in the order of the files."""
    known = catalogue()
    own = (source for source in sources if not source.vendored)
    return [one for source in own for call in calls(source) for one in _listed_as(call, known)]


def _listed_as(call: Call, known: Catalogue) -> Iterator[Listed]:
    name = call.name.rpartition(".")[2]
    row = _row(call, name, known)
    if row is None:
        return
    sizes = _sizes(call.node)
    shelves = dict.fromkeys(shelf for shelf in _shelves(row) if shelf is not Shelf.DUPLICATES or _whole_rows(call.node))
    for shelf in shelves:
        yield Listed(shelf, name, call.location, sizes)
    if sizes and Shelf.SPLIT in shelves:
        yield Listed(Shelf.SIZE, name, call.location, sizes)


def _row(call: Call, name: str, known: Catalogue) -> Row | None:
    """By its full name; a method of something whose type is not followed here, by the methods of tables."""
    if known.library(call.name) is not None or not isinstance(call.node.func, ast.Attribute):
        return known.call(call.name)
    return known.method("table", name)


def _shelves(row: Row) -> Iterator[Shelf]:
    by_step = _BY_STEP.get(row.step) if row.step else None
    if by_step is Shelf.PREPARATION and row.role not in _LEARNS:
        by_step = None
    by_role = None if Trait.DOES_NOT_CHOOSE in row.traits else _BY_ROLE.get(row.role)
    by_how = _BY_HOW.get(row.how) if row.role is Role.SPLITTER else None
    yield from (shelf for shelf in (by_step, by_role, by_how) if shelf)


def _whole_rows(node: ast.Call) -> bool:
    """Whether a table loses rows: of some columns alone, only the values are counted."""
    of_table = not isinstance(node.func, ast.Attribute) or isinstance(node.func.value, ast.Name | ast.Attribute)
    return of_table and not node.args


def _sizes(node: ast.Call) -> str:
    told = (
        f"{keyword.arg}={keyword.value.value!r}"
        for keyword in node.keywords
        if keyword.arg in _SIZES and isinstance(keyword.value, ast.Constant)
    )
    return ", ".join(told)


def described(listed: Sequence[Listed], most: int = 5) -> tuple[str, str]:
    """The calls in words, each name once, and where they stand."""
    names = dict.fromkeys(f"{one.name} ({one.sizes})" if one.sizes else one.name for one in listed)
    places = list(dict.fromkeys(str(one.location) for one in listed))
    more = f" and {len(places) - most} more places" if len(places) > most else ""
    return ", ".join(list(names)[: 2 * most]), ", ".join(places[:most]) + more

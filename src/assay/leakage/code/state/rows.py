"""Which rows of which table a value holds.

A `Part` is an origin (where a table came from) and the cuts that were made since: `df` is (file, no cuts), its
training part (file, {split 1: train}). Two parts share rows unless they come from different origins or are on
different sides of one cut. That is all the arithmetic of leakage.
"""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterable, Iterator
from enum import StrEnum, auto
from functools import lru_cache
from typing import NamedTuple

from assay.code import Source
from assay.patterns import regex
from assay.records import dataclass


@dataclass(frozen=True, slots=True)
class Site:
    """A place in the audited code where something happens."""

    source: Source
    node: ast.AST

    @property
    def spot(self) -> tuple[int, int]:
        """Line and column in the source's text, to put sites in order; what is out of sight comes first."""
        return getattr(self.node, "lineno", 0), getattr(self.node, "col_offset", 0)


class Interval(NamedTuple):
    """Rows from `low` up to before `high`. A bound is a number, or the text of an expression; None is no bound."""

    low: float | str | None
    high: float | str | None


class Except(NamedTuple):
    """Everything but what has this label."""

    label: Hashable


class Without(NamedTuple):
    """Everything but the rows that lie on all of these sides: what is left when a part is taken away."""

    cuts: frozenset[Cut]


class Among(NamedTuple):
    """The rows of several parts, each with the divisions that made it."""

    parts: frozenset[frozenset[Cut]]


class OneOf(NamedTuple):
    """The rows whose label is in a list: its labels, or the text of a list that is not known."""

    labels: frozenset[str] | str


class LabelsOf(NamedTuple):
    """The division of rows by whether their label is among those of certain parts of the very same table."""

    column: Hashable
    listed: Hashable
    parts: frozenset[frozenset[Cut]]
    """The parts whose labels are listed: to leave these labels out is to leave out those parts."""


class Taken(NamedTuple):
    """What one place in the program takes from a stream: no other place takes that again."""

    place: ast.AST
    stack: tuple[ast.AST, ...]
    rounds: tuple[int, ...]


Side = str | Interval | Except | Without | Among | OneOf | Taken

_DATE = regex(r"\b[12]\d{3}-[01]\d(?:-[0-3]\d(?:[ T][\d:.]+)?)?")
"""A date as it is written most often: its text sorts like the time."""


_PARTS = regex(r"train|test|val(?=id|i?(?:_|$))")
"""What the places between parts are called after."""


class Cut(NamedTuple):
    """One side of one division of rows. The same key means the same division."""

    key: Hashable
    side: Side


_REST = "rest"
"""The key of what several divisions leave or join."""


def among(parts: Iterable[frozenset[Cut]]) -> Cut:
    """The side of the rows that lie in any of several parts."""
    return Cut(_REST, Among(frozenset(parts)))


def rest_of(taken: frozenset[Cut]) -> Cut:
    """The side of all rows but those that were taken by several divisions, one after the other."""
    return Cut(_REST, Without(taken))


class OriginKind(StrEnum):
    """How rows come into a program."""

    READ = auto()
    """A call of a library reads or lists them."""
    MADE = auto()
    """A call of a library makes them up, or they are typed in."""
    OPENED = auto()
    """A file of any sort, opened by `open`."""
    PARAMETER = auto()
    """The parameter of a function that nobody in sight calls."""
    CALL = auto()
    """A call whose effect is not described."""
    UNDEFINED = auto()
    """A name that nothing in sight defines."""


_DESCRIPTIONS = {
    OriginKind.READ: "read by `{}`",
    OriginKind.MADE: "made by `{}`",
    OriginKind.OPENED: "a file opened by `{}`",
    OriginKind.PARAMETER: "the parameter `{}`",
    OriginKind.CALL: "`{}`",
    OriginKind.UNDEFINED: "`{}`, defined out of sight",
}


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a table enters the program. Two readings of one file are one origin: `key` says so."""

    key: Hashable
    site: Site
    kind: OriginKind
    name: str
    """The call, parameter or variable that the rows come from."""

    @property
    def description(self) -> str:
        """For reports, as in "read by `pandas.read_csv`"."""
        return _DESCRIPTIONS[self.kind].format(self.name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Origin) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


class Part(NamedTuple):
    """Rows of one origin that lie on the given sides of the given cuts."""

    origin: Origin
    cuts: frozenset[Cut]
    ways: frozenset[Cut] = frozenset()
    """The branches that the program took to have just these rows: who took the other branch has others."""


Rows = frozenset[Part]
NO_ROWS: Rows = frozenset()
_MOST_PARTS = 128
"""A value that may come from more parts than this is one of which nothing is known."""
LEFT = "left in the list"
"""The side of the rows that a loop does not take out."""
ENTRY = "entry"
"""The division of a file that holds several arrays by their names."""
POSITIONS = "positions"
"""The division of rows by where they stand. Within a slice, rows are counted anew."""


def opposed(a: Side, b: Side, *, sure: bool = False) -> bool:
    """Whether no row can be on both sides, or is meant to be; `sure` leaves out what is only meant."""
    match a, b:
        case Interval(), Interval():
            return _slices_apart(a, b, sure=sure)
        case (OneOf() as listed, other) | (other, OneOf() as listed):
            return _listed_apart(listed, other)
        case Except(), Except():
            return False
        case (Except() as all_but, other) | (other, Except() as all_but):
            return _leaves_out(all_but, other)
        case (Interval() as slice_, str() as label) | (str() as label, Interval() as slice_):
            return _outside(label, slice_)
    return a != b


def _slices_apart(a: Interval, b: Interval, *, sure: bool) -> bool:
    """Whether one slice ends before the other begins, or the code names them as separate parts."""
    if _before(a.high, b.low, sure=sure) or _before(b.high, a.low, sure=sure):
        return True
    return not sure and (_facing(a, b) or _facing(b, a) or _named_apart(a, b))


def _outside(label: str, side: Interval) -> bool:
    """Whether a label is no number between two others; of bounds that are not known it is taken to be meant apart."""
    low, high = side
    if isinstance(low, str) or isinstance(high, str) or not label.lstrip("-").replace(".", "", 1).isdecimal():
        return True
    return (low is not None and float(label) < low) or (high is not None and float(label) >= high)


def _leaves_out(side: Except, other: Side) -> bool:
    """Whether a label is the one that is left out, or in the list that is."""
    listed = side.label.labels if isinstance(side.label, OneOf) else frozenset({side.label})
    return side.label == other or (isinstance(listed, frozenset) and other in listed)


def _listed_apart(listed: OneOf, other: Side) -> bool:
    """Whether no label is on both sides; of a list that is not known another is taken to be meant apart."""
    labels = listed.labels
    match other:
        case OneOf(others):
            known = isinstance(labels, frozenset) and isinstance(others, frozenset)
            return not set(labels) & set(others) if known else labels != others
        case Except(OneOf(others)):
            known = isinstance(labels, frozenset) and isinstance(others, frozenset)
            return set(labels) <= set(others) if known else labels == others
        case Except(label):
            return labels == frozenset({label})
        case Interval():
            return not any(_lies_in(label, other) for label in labels) if isinstance(labels, frozenset) else True
        case str():
            return other not in labels if isinstance(labels, frozenset) else True
    return False


def _lies_in(label: str, side: Interval) -> bool:
    """Whether a number is surely between two others."""
    low, high = side
    if isinstance(low, str) or isinstance(high, str) or not label.lstrip("-").replace(".", "", 1).isdecimal():
        return False
    return (low is None or float(label) > low) and (high is None or float(label) < high)


def label_of(value: str | float) -> str:
    """A literal as the label of rows, told apart from the text of an expression."""
    return f"@{value}" if isinstance(value, str) else str(value)


def _before(high: float | str | None, low: float | str | None, *, sure: bool = False) -> bool:
    """Whether an interval that ends at `high` ends before one that starts at `low`."""
    if high is None or low is None:
        return False
    if str(high).startswith("-") != str(low).startswith("-"):
        return low != 0 and not sure  # counted from both ends: code that does so means separate parts
    if isinstance(high, str) or isinstance(low, str):
        return high == low or earlier(str(high), str(low))
    return high <= low


def _facing(a: Interval, b: Interval) -> bool:
    """Rows up to one named place, and rows from another: code that says so means separate parts.

    Rows up to the same place are not separate: `rows[:end]` and `rows[start:end]`.
    """
    ends = (a.high, b.low)
    return a.low in (None, 0) and a.high != b.high and all(isinstance(e, str) and _DATE.search(e) is None for e in ends)


def _named_apart(a: Interval, b: Interval) -> bool:
    """Rows from `train_start` to `train_end`, and from `test_start` to `test_end`."""
    one, other = _parts_named(a), _parts_named(b)
    return len(one) == len(other) == 1 and one != other


@lru_cache(maxsize=4096)
def _parts_named(side: Interval) -> frozenset[str]:
    """The parts that the bounds of a slice are named after."""
    return frozenset(word for bound in side if isinstance(bound, str) for word in _PARTS.findall(bound))


def earlier(high: str, low: str) -> bool:
    """Whether both bounds are written dates, and the first is not after the second."""
    dates = [found[0] for bound in (high, low) if (found := _DATE.search(bound)) is not None]
    return len(dates) == 2 and dates[0] <= dates[1]


def _dated(side: Interval) -> bool:
    """Whether a slice is between labels, which stay with their rows."""
    return any(isinstance(bound, str) and (bound.startswith("@") or _DATE.search(bound)) for bound in side)


def share_rows(a: Part, b: Part, *, sure: bool = False) -> bool:
    """Whether a row may be in both parts; `sure` leaves out what only keeps them apart if the author meant it so."""
    if a.origin != b.origin or (a.ways and b.ways and _excluded(a.ways, b.ways)):
        return False
    if a.cuts <= b.cuts or b.cuts <= a.cuts:
        return True
    ours, theirs = a.cuts - b.cuts, b.cuts - a.cuts  # what both went through tells nothing apart
    if _set_apart(ours, theirs, sure=sure):
        return False
    left = any(cut.key == _REST for cut in ours) or any(cut.key == _REST for cut in theirs)
    return not left or not (_left_out(a, b) or _left_out(b, a))


def _set_apart(ours: frozenset[Cut], theirs: frozenset[Cut], *, sure: bool) -> bool:
    """Whether two parts are on opposed sides of one division."""
    sides: dict[Hashable, list[Side]] = {}
    for cut in ours:
        sides.setdefault(cut.key, []).append(cut.side)
    return any(
        opposed(mine, cut.side, sure=sure) for cut in theirs if cut.key != _REST for mine in sides.get(cut.key, ())
    )


def _left_out(part: Part, other: Part) -> bool:
    """Whether a part is what was left when the other was taken away, or of several parts none that meets the other."""
    return any(
        (isinstance(cut.side, Without) and cut.side.cuts <= other.cuts)
        or (isinstance(cut.side, Among) and not any(share_rows(one, other) for one in _alternatives(part, cut)))
        for cut in part.cuts
    )


def _alternatives(part: Part, several: Cut) -> Iterator[Part]:
    """The parts that make up one."""
    for cuts in several.side.parts if isinstance(several.side, Among) else ():
        yield part._replace(cuts=part.cuts - {several} | cuts)


def _excluded(one: frozenset[Cut], other: frozenset[Cut]) -> bool:
    """Whether no run of the program has both ways: they take different branches of one condition."""
    taken = dict(one)
    return any(taken.get(way.key, way.side) != way.side for way in other)


def possible(rows: Rows, ways: frozenset[Cut]) -> Rows:
    """The rows that a value can have where these branches are taken."""
    if not any(part.ways for part in rows):
        return rows
    return frozenset(part for part in rows if not _excluded(part.ways, ways))


def on_the_way(rows: Rows, ways: frozenset[Cut]) -> Rows:
    """Rows that a value has if these branches are taken."""
    return frozenset(part._replace(ways=part.ways | ways) for part in rows)


def joined(several: Iterable[Rows]) -> Rows:
    """The rows of several values, as one."""
    rows = NO_ROWS.union(*several)
    return rows if len(rows) <= _MOST_PARTS else NO_ROWS


def whichever_way(rows: Rows) -> Rows:
    """The rows, whatever branches led to them."""
    return frozenset(part._replace(ways=frozenset()) for part in rows) if any(part.ways for part in rows) else rows


def one_or_other(a: Rows, b: Rows) -> Rows:
    """The rows of either of two values; what both have, whichever branch is taken, is bound to none."""
    both = _after_taking(joined((a, b)))
    if not any(part.ways for part in both):
        return both
    bare: dict[tuple[Origin, frozenset[Cut]], frozenset[Cut]] = {}
    for origin, cuts, ways in both:
        bare[origin, cuts] = bare[origin, cuts] & ways if (origin, cuts) in bare else ways
    return frozenset(Part(origin, cuts, ways) for (origin, cuts), ways in bare.items())


def _after_taking(rows: Rows) -> Rows:
    """Rows after a loop that takes some out, without those before it: nobody means it to go round not once."""
    left = [(part, cut) for part in rows for cut in part.cuts if cut.side == LEFT]
    return rows - {part._replace(cuts=part.cuts - {cut}) for part, cut in left} if left else rows


def meet(a: Rows, b: Rows, *, sure: bool = False) -> bool:
    """Whether two sets of rows may have a row in common; `sure` as in `share_rows`."""
    return any(share_rows(one, other, sure=sure) for one in a for other in b)


def within(a: Rows, b: Rows) -> bool:
    """Whether everything in `a` is surely also in `b`."""
    for one in a:
        for other in b:
            if one.origin == other.origin and other.cuts <= one.cuts and share_rows(one, other):
                break
        else:
            return False
    return bool(a)


def cut_part(part: Part, cut: Cut) -> Part:
    """The rows of a part on one side. Dividing a part in the same way again is another division."""
    if isinstance(cut.side, str) and any(known.key == cut.key for known in part.cuts):
        cut = Cut((cut.key, "within", part.cuts), cut.side)
    elif cut.key == POSITIONS and isinstance(cut.side, Interval) and not _dated(cut.side):
        slices = frozenset(known for known in part.cuts if by_position(known.key))
        before = slices if _from_the_end(cut.side) else frozenset(filter(_counts_anew, slices))
        cut = Cut((POSITIONS, "within", before), cut.side) if before else cut
    return Part(part.origin, part.cuts | {cut}, part.ways)


def _counts_anew(cut: Cut) -> bool:
    """Whether a slice starts elsewhere than what it was cut from, so that positions in it are others."""
    return not (isinstance(cut.side, Interval) and cut.side.low in (None, 0))


def _from_the_end(side: Interval) -> bool:
    return any(isinstance(bound, int | float) and bound < 0 for bound in side)


def by_position(key: Hashable) -> bool:
    """Whether rows were divided by where they stand, in a table or in a slice of it."""
    return key == POSITIONS or (isinstance(key, tuple) and key[:2] == (POSITIONS, "within"))


def is_by_value(cut: Cut) -> bool:
    """Whether rows were kept by what a column says of them."""
    return isinstance(cut.key, tuple) and cut.key[0] == "column"


def is_condition(cut: Cut) -> bool:
    """Whether rows were kept by what is asked of each of them."""
    return isinstance(cut.key, tuple) and cut.key[0] in {"column", "text", "mask"}


def is_by_text(cut: Cut) -> bool:
    """Whether rows were kept by what an array or a whole table says of them: `said[truth == 1]`, `X[X > 0]`."""
    return isinstance(cut.key, tuple) and cut.key[0] == "text"


def cut_rows(rows: Rows, cuts: Iterable[Cut]) -> Rows:
    """All rows on the given sides, which hold together: none of them divides what another one left."""
    together = frozenset(cuts)
    return frozenset(
        part._replace(cuts=part.cuts.union(*(cut_part(part, cut).cuts for cut in together))) for part in rows
    )


def grouped_by(site: Site) -> Cut:
    """The rows of a table that has one for each group of another: they come of a statistic, and are no part of it."""
    return Cut(("grouped", site), "groups")


def is_grouped(part: Part) -> bool:
    """Whether a part has one row for each group of a table."""
    return any(map(is_grouping, part.cuts))


def one_for_each_group(rows: Rows) -> bool:
    """Whether these are the rows of a table that has one for each group, such as a series of monthly sums."""
    return bool(rows) and all(map(is_grouped, rows))


def is_grouping(cut: Cut) -> bool:
    """Whether rows were made one for each group, and none were left out."""
    return isinstance(cut.key, tuple) and cut.key[0] == "grouped"


def is_fold(cut: Cut) -> bool:
    """Whether a division gives folds, also when it divides a part of a fold anew."""
    key = cut.key[0] if isinstance(cut.key, tuple) and len(cut.key) == 3 and cut.key[1] == "within" else cut.key
    return isinstance(key, tuple) and key[0] == "folds"


def held_out(rows: Rows) -> bool:
    """Whether these rows look like a test part: one side of a split."""
    return bool(rows) and all(any(c.side in ("test", "val") for c in part.cuts) for part in rows)

"""What proves that two sets of rows share rows: the same table, met by everything that is asked about.

Whatever went into a value is among its rows: a table that was looked up, a list of files, the state of an object.
One part in common is therefore no proof. An accusation needs every part of the rows that were scored.
"""

from __future__ import annotations

from functools import lru_cache

from assay.leakage.code.state.parts import part_named
from assay.leakage.code.state.rows import (
    Cut,
    Interval,
    Origin,
    OriginKind,
    Part,
    Rows,
    by_position,
    earlier,
    is_condition,
    is_fold,
    is_grouped,
    share_rows,
)
from assay.patterns import regex

_LISTS = ("os.", "glob.", "pathlib.", "tensorflow.io.")
_CHANCE = "numpy.random"
_MADE_UP = regex(r"[\w.]*\bmake_|[\w.]*\.random\.")
_NO_TABLES = (*_LISTS, "pickle.", "cPickle.", "joblib.", "dill.", "cloudpickle.", "numpy.random")


_DATA = frozenset({OriginKind.READ, OriginKind.MADE})


def _is_chance(part: Part) -> bool:
    return part.origin.kind is OriginKind.READ and part.origin.name.startswith(_CHANCE)


def is_table(part: Part) -> bool:
    """Whether the rows come from something that is read as data, and not from a call that nobody describes."""
    if part.origin.kind not in _DATA:
        return False
    return not part.origin.name.startswith(_NO_TABLES)


@lru_cache(maxsize=4096)
def tables_in(rows: Rows) -> Rows:
    """The rows of tables, where there are any, and whatever was divided; else all.

    What groups of rows gave was only looked up.
    """
    tables = [part for part in rows if is_table(part)]
    if not tables:
        return rows
    telling = [part for part in rows if part in tables or not all(map(is_fold, part.cuts))]
    return frozenset(part for part in telling if not is_grouped(part)) or frozenset(telling)


def in_tables(known: Rows, asked: Rows) -> tuple[Rows, Rows]:
    """Two sets of rows, without what is no table where both have one: an object that was loaded is in all it says."""
    tables = [frozenset(part for part in rows if is_table(part)) for rows in (known, asked)]
    return (tables[0], tables[1]) if all(tables) else (known, asked)


def all_seen(known: Rows, asked: Rows) -> bool:
    """Whether all that is asked about surely is, at least in part, among the known rows."""
    return bool(asked) and all(_seen(part, known) for part in asked)


def _seen(part: Part, known: Rows) -> bool:
    shared = [other for other in known if share_rows(part, other)]
    if any(other.cuts <= part.cuts for other in shared):
        return True
    apart = any(other.origin == part.origin and not (other in shared and _proven(part, other)) for other in known)
    return bool(shared) and not apart  # of alternatives one may be apart: nobody knows which was taken


def _proven(a: Part, b: Part) -> bool:
    """Whether two parts surely meet.

    Of slices whose places only have names nobody knows which comes first, rows that a column calls training rows
    are meant to be others than those that a split set apart, and rows at places of which only the name is known may lie
    outside any slice. Two conditions on different columns may or may not hold together.
    """
    ours, theirs = a.cuts - b.cuts, b.cuts - a.cuts
    if any(map(_called_a_part, ours | theirs)) or _asked_otherwise(ours, theirs):
        return False
    if any(_at_some_places(x) and any(map(_is_slice, y)) for x, y in ((ours, theirs), (theirs, ours))):
        return False
    pairs = ((x.side, y.side) for x in ours for y in theirs if x.key == y.key)
    return all(_crossing(x, y) for x, y in pairs if isinstance(x, Interval) and isinstance(y, Interval))


def _asked_otherwise(ours: frozenset[Cut], theirs: frozenset[Cut]) -> bool:
    """Whether different conditions chose the rows of two parts."""
    mine, others = ({cut.key for cut in cuts if is_condition(cut)} for cuts in (ours, theirs))
    return bool(mine and others) and mine != others


def _at_some_places(cuts: frozenset[Cut]) -> bool:
    return any(cut.key == "picked" or (isinstance(cut.key, tuple) and cut.key[0] == "drawn") for cut in cuts)


def _is_slice(cut: Cut) -> bool:
    return isinstance(cut.side, Interval) and by_position(cut.key)


def _called_a_part(cut: Cut) -> bool:
    """Whether rows were chosen by a column in which each has the name of a part: `table["part"] == "train"`.

    Or by a mask of whatever sort that the code calls one of a part: `table[test_mask]`.
    """
    if cut.key == "named mask":
        return True
    by_column = isinstance(cut.key, tuple) and cut.key[0] == "column"
    return by_column and isinstance(cut.side, str) and cut.side[:1] == "@" and part_named(cut.side[1:]) is not None


def _crossing(a: Interval, b: Interval) -> bool:
    """Whether each of two slices surely starts before the other ends; those that end at one place do."""
    if a.high is not None and a.high == b.high:
        return True
    return _comes_before(a.low, b.high) and _comes_before(b.low, a.high)


def _comes_before(low: float | str | None, high: float | str | None) -> bool:
    """Whether it is known that the one place comes before the other."""
    if low in (None, 0) or high is None:
        return True
    if isinstance(low, str) or isinstance(high, str):
        return earlier(str(low), str(high))
    return (low < 0) == (high < 0) and low < high


def any_seen(known: Rows, asked: Rows) -> bool:
    """Whether some of what is asked about surely is among the known rows."""
    return any(_seen(part, known) for part in asked)


def unseen(known: Rows, asked: Rows) -> Rows:
    """The rows that are asked about and not known, where there are any; else all that are asked about.

    Where several parts of a table are asked about, one that lies on the side of all known rows of it is no news: the
    last rows before a test part, from which the first windows are cut. What only some of the known rows went through,
    or all parts that are asked about, is no such side: each class was divided by itself.
    """
    sides = {o: _common(known, o) - _common(asked, o) for o in {part.origin for part in asked}}

    def is_known(part: Part) -> bool:
        return not sides[part.origin].isdisjoint(part.cuts) or any(share_rows(part, other) for other in known)

    return frozenset(part for part in asked if not is_known(part)) or asked


def _common(rows: Rows, origin: Origin) -> frozenset[Cut]:
    """What all rows of a table went through."""
    through = [part.cuts for part in rows if part.origin == origin]
    return through[0].intersection(*through[1:]) if through else frozenset()


def not_drawn(rows: Rows) -> Rows:
    """The rows without numbers of the program's own making, such as weights to begin with, where there are others."""
    return frozenset(part for part in rows if not _is_chance(part)) or rows


def drawn_at_random(rows: Rows) -> bool:
    """Whether nothing but numbers of the program's own making is among the rows."""
    return bool(rows) and all(map(_is_chance, rows))


def made_up(rows: Rows) -> bool:
    """Whether the program made up all rows: by chance, or by a library's recipe (`make_blobs`)."""
    return bool(rows) and all(_MADE_UP.match(part.origin.name) for part in rows)

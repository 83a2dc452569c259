"""Tables put one below the other, and taken apart again: where the second begins, by a key, or by a flag column.

A concatenation is a disjoint union that knows which rows come first. `both[:len(first)]`, `both[:first.shape[0]]`,
`both[:891]` and `both[both["is_train"] == 1]` give the first table back, with what was learnt from it and from all,
but without what the second had learnt for itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from assay.leakage.code.state.machine import Machine
from assay.leakage.code.state.rows import Cut, Rows, label_of, meet
from assay.leakage.code.state.values import Data, Marks
from assay.records import replace

_PAIR = 2
Bound = float | str | None


class Piece(NamedTuple):
    """One of the tables that were put together."""

    rows: Rows
    marks: Marks


def stacked(m: Machine, pieces: Iterable[Data], whole: Data, keys: object = None, *, again: bool = False) -> None:
    """Write down which tables a concatenation holds, in their order, where these share no rows."""
    found = [piece for piece in pieces if piece.rows]
    if again or m.loops or len(found) != _PAIR or meet(found[0].rows, found[1].rows):
        return
    m.stacked[whole.rows] = tuple(Piece(piece.rows, piece.marks) for piece in found)
    for piece, key in zip(found, keys if isinstance(keys, list) else (), strict=False):
        m.flags[piece.rows, ""] = label_of(key)


def flagged(m: Machine, table: Data, column: str, value: object) -> None:
    """Write down that a table has one value in a column: `train["is_train"] = 1`."""
    if table.rows and isinstance(value, str | int | float):
        m.flags[table.rows, column] = label_of(value)


def slice_of(m: Machine, value: Data, low: Bound, high: Bound) -> Data | None:
    """One of two tables, where what holds both is cut at one place; None where it is another slice."""
    pieces = m.stacked.get(value.rows)
    one_place = (low in (None, 0)) != (high is None)
    if pieces is None or not one_place:
        return None
    return _restored(value, pieces, 0 if high is not None else 1)


def flagged_part(m: Machine, value: Data, cuts: frozenset[Cut]) -> Data | None:
    """One of two tables, where a flag column tells them apart; None where it does not."""
    pieces = m.stacked.get(value.rows)
    if pieces is None or len(cuts) != 1:
        return None
    (cut,) = cuts
    column = cut.key[1] if isinstance(cut.key, tuple) and cut.key[0] == "column" else None
    return None if column is None else _by_flag(m, value, str(column), cut.side)


def part_by_key(m: Machine, value: Data, key: object) -> Data | None:
    """`both.loc["train"]`, where tables were put together under keys."""
    known = isinstance(key, str) and value.rows in m.stacked
    return _by_flag(m, value, "", label_of(str(key))) if known else None


def _by_flag(m: Machine, value: Data, column: str, wanted: object) -> Data | None:
    pieces = m.stacked[value.rows]
    flags = [m.flags.get((piece.rows, column)) for piece in pieces]
    if None in flags or flags.count(str(wanted)) != 1:
        return None
    return _restored(value, pieces, flags.index(str(wanted)))


def _restored(value: Data, pieces: tuple[Piece, ...], place: int) -> Data:
    own = {(k.kind, k.site) for k in pieces[place].marks}
    others = {(k.kind, k.site) for piece in pieces for k in piece.marks} - own
    kept = frozenset(k for k in value.marks if (k.kind, k.site) not in others)
    return replace(value, rows=pieces[place].rows, marks=kept, cuts=frozenset())

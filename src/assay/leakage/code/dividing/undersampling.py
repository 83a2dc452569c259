"""Undersampling by hand: rows of each class are left out until all classes are about as frequent.

`pd.concat([rare, frequent.sample(len(rare))])`, `np.random.choice(frequent, n)`.
A plain sample of all rows, or the same share of each class, leaves the classes as frequent as they were.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from itertools import combinations

from assay.leakage.code.learnt import vocabularies
from assay.leakage.code.state.in_order import cuts_in_order, texts_of
from assay.leakage.code.state.machine import Machine
from assay.leakage.code.state.rows import (
    POSITIONS,
    Cut,
    Interval,
    Rows,
    opposed,
    within,
)
from assay.leakage.code.state.values import Data, Fit, Kind, Mark, Shape

_CLASSES, _GROUPS = "by hand", "as many of each"
"""How classes were distinguished: by conditions, or by the values of a column, which may be those of the outcome."""
DRAWN = frozenset({"sampled", "chosen"})
"""The divisions that leave rows out by chance."""
_BY_CLASS = frozenset({"column", "text", "mask", "sorted", "group", "key"})
"""The divisions of rows by what they are."""
_MOST = 12
"""More pieces than this are no classes."""

Cuts = frozenset[Cut]


def by_hand(mark: Mark) -> bool:
    """Whether the code itself left rows out class by class."""
    return mark.kind is Kind.UNDERSAMPLE and mark.name in {_CLASSES, _GROUPS}


def by_outcome(fit: Fit, mark: Mark) -> bool:
    """Whether rows were left out by the outcome, or by what it was computed from; not by a column to learn from.

    As many rows of each group may as well be of each user: there the column must be the outcome.
    """
    derived = (k for k in fit.marks | fit.target_marks if k.kind is Kind.DERIVED and k.into and k.into & fit.target)
    if mark.columns & fit.target.union(*(k.columns for k in derived)):
        return True
    if mark.name == _GROUPS:
        return not fit.target and any(map(vocabularies.names_outcomes, mark.columns))
    return not any(map(fit.columns.has, mark.columns))


def all_thinned(rows: Rows, mark: Mark) -> bool:
    """Whether all rows of the tables that were thinned out are what was left, and no branch leads to others."""
    origins = {part.origin for part in mark.rows}
    thinned = {part: within(frozenset({part}), mark.rows) for part in rows if part.origin in origins}
    return any(thinned.values()) and all((left for part, left in thinned.items()))


def evened_out(m: Machine, node: ast.AST, pieces: Iterable[Data], rows: Rows) -> Iterator[Mark]:
    """The trace on what is put together of classes, where rows of some were left out and the shares are others now."""
    several = list(pieces)
    listed = [cuts for piece in several for cuts in _cuts(piece)]
    if len(listed) > _MOST or not any(_leaves_out(m, cut) for cut in frozenset[Cut]().union(*listed)):
        return
    for one, other in combinations([cuts for piece in several for cuts in sorted(_cuts(piece), key=texts_of)], 2):
        division = _class_apart(one, other)
        if division is not None and _other_shares(m, one - other, other - one):
            by_range = isinstance(division.side, Interval)  # of years, perhaps: then it must be the outcome's
            yield _mark(m, node, rows, _column(division), _GROUPS if by_range else _CLASSES)
            return


def without_some(m: Machine, node: ast.AST, base: Data, gone: Data, rows: Rows) -> Iterator[Mark]:
    """The trace on a table without rows of one class that chance picked."""
    known = frozenset[Cut]().union(*(part.cuts for part in base.rows))
    others = (cuts - known for cuts in _cuts(gone))
    division = _first(cut for new in others if any(_leaves_out(m, c) for c in new) for cut in new if _is_class(cut))
    if division is not None:
        yield _mark(m, node, rows, _column(division))


def _mark(m: Machine, node: ast.AST, rows: Rows, columns: frozenset[str], name: str = _CLASSES) -> Mark:
    return Mark(Kind.UNDERSAMPLE, name, m.site(node), rows, columns)


def _cuts(piece: Data) -> list[Cuts]:
    """The divisions that each part of a piece went through; of positions those that they choose."""
    if piece.shape is Shape.POSITIONS and piece.cuts:
        return [piece.cuts]
    return [part.cuts for part in piece.rows]


def _first(divisions: Iterable[Cut]) -> Cut | None:
    """Of several divisions always the same."""
    return next(iter(cuts_in_order(divisions)), None)


def _is_class(cut: Cut) -> bool:
    return isinstance(cut.key, tuple) and cut.key[0] in _BY_CLASS


def _column(division: Cut) -> frozenset[str]:
    by_column = isinstance(division.key, tuple) and division.key[0] in {"column", "text"}
    return frozenset({str(division.key[1])}) if by_column and isinstance(division.key, tuple) else frozenset()


def _class_apart(one: Cuts, other: Cuts) -> Cut | None:
    """The division that puts two pieces into different classes."""
    theirs = {cut.key: cut.side for cut in other - one}
    of_class = (cut for cut in one - other if _is_class(cut))
    return _first(cut for cut in of_class if cut.key in theirs and opposed(cut.side, theirs[cut.key]))


def _is_drawn(cut: Cut) -> bool:
    return isinstance(cut.key, tuple) and cut.key[0] in DRAWN


def _by_chance(m: Machine, cut: Cut) -> bool:
    """Whether rows were left out by chance; those that are drawn with repetition are copies."""
    return _is_drawn(cut) and not _repeats(m.drawn_at.get(cut.key))


def _repeats(node: ast.AST | None) -> bool:
    given = node.keywords if isinstance(node, ast.Call) else []
    return any(k.arg == "replace" and isinstance(k.value, ast.Constant) and k.value.value is True for k in given)


def _first_rows(cut: Cut) -> bool:
    """`frequent[:500]`."""
    by_place = cut.key == POSITIONS or (isinstance(cut.key, tuple) and cut.key[0] == POSITIONS)
    if not by_place or not isinstance(cut.side, Interval) or cut.side.high is None:
        return False
    return cut.side.low in (None, 0) and not str(cut.side.high).startswith("-")


def _leaves_out(m: Machine, cut: Cut) -> bool:
    return _by_chance(m, cut) or _first_rows(cut)


def _other_shares(m: Machine, one: Cuts, other: Cuts) -> bool:
    """Whether two classes are no longer in the shares they came in: rows of one are left out."""
    mine, theirs = (any(_by_chance(m, cut) for cut in cuts) for cuts in (one, other))
    if mine and theirs:
        return False  # perhaps the same share of each
    return mine or theirs or _cut_unevenly(one, other)


def _cut_unevenly(one: Cuts, other: Cuts) -> bool:
    """Whether the first rows of one class are kept and all of the other, or as many of each."""
    mine, theirs = ({cut.side for cut in cuts if _first_rows(cut)} for cuts in (one, other))
    return mine == theirs if mine and theirs else bool(mine or theirs)

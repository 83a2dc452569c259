"""Masks of rows that are among others, or whose value is in a list or between two bounds."""

from __future__ import annotations

import ast

from assay.leakage.code.dividing import sides
from assay.leakage.code.frames import column_names, masks
from assay.leakage.code.language.call import Call
from assay.leakage.code.state.machine import united
from assay.leakage.code.state.places import chosen_by
from assay.leakage.code.state.rows import Cut, Interval, LabelsOf, OneOf, among, is_grouped
from assay.leakage.code.state.values import Data, Kind, Shape, Value
from assay.libraries.row import How
from assay.records import replace


def is_in(c: Call) -> Value:
    """A mask: rows that are among others, or whose value is in a list or between two bounds."""
    function = c.effect.how is How.FUNCTION and bool(c.node.args)  # np.isin(column, values)
    owner = c.node.func.value if isinstance(c.node.func, ast.Attribute) else c.node
    asked = c.node.args[0] if function else owner
    if c.effect.how is How.BETWEEN:
        return _between(c, asked)
    if c.effect.how in _GAPS:
        return _with_or_without_gap(c, asked)
    at = 1 if function else 0
    if column_names.are_names(c.base):
        return column_names.among(c.base, c.m.names(c.value(at, "values", "test_elements")))
    taken = c.data(at, "values", "test_elements")
    outlying = [k for k in taken.marks if k.kind is Kind.OUTLIER]
    known = _cuts_of(c, taken)
    if known:
        return replace(c.base, shape=Shape.MASK, cuts=known).marked(*outlying)
    learnt = [k for k in taken.marks if k.kind is Kind.STATISTIC]
    chosen = frozenset({_labels_listed(c, at, asked, taken)})
    return replace(c.base, shape=Shape.MASK, cuts=chosen).marked(*outlying, *learnt)


def _cuts_of(c: Call, taken: Data) -> frozenset[Cut]:
    """The side of the rows that are among those of a part; none when no division made that part."""
    if taken.shape is not Shape.POSITIONS:
        return _divided_labels(c, taken)
    if c.base.shape is Shape.POSITIONS and taken.cuts - c.base.cuts:
        return taken.cuts - c.base.cuts
    parts = masks.made_by(c.base, taken)
    if len(parts) > 1:
        return frozenset({among(parts)})
    return next(iter(parts)) if parts else _divided_labels(c, taken)


def _labels_listed(c: Call, at: int, asked: ast.expr, taken: Data) -> Cut:
    """The side of the rows whose label is in a list, written or not."""
    given = c.m.constant(c.value(at, "values", "test_elements"))
    known = isinstance(given, list) and all(isinstance(label, str | int | float) for label in given)
    written = chosen_by(c.m, c.node.args[at], taken) if len(c.node.args) > at else ""
    listed = sides.one_of(given) if known else OneOf(written)
    key = sides.key_of(c.base, asked)
    if _of_its_own(c, taken):
        return Cut(LabelsOf(key, listed, frozenset(masks.made_by(c.base, taken))), "in")
    return Cut(key, listed)


def _with_or_without_gap(c: Call, asked: ast.expr) -> Data:
    """`column.isna()` and `column.notna()`: one division, by whether a value is there. Of a whole table, a table."""
    names = c.base.columns.only
    if c.base.shape is not Shape.COLUMN or names is None or len(names) != 1:
        return c.base
    absent = frozenset({Cut((*sides.key_of(c.base, asked), "gap"), How.MISSING)})
    chosen = absent if c.effect.how is How.MISSING else sides.negated(absent)
    return replace(c.base, shape=Shape.MASK, cuts=chosen)


_GAPS = frozenset({How.MISSING, How.PRESENT})


def _between(c: Call, asked: ast.expr) -> Data:
    """`column.between(low, high)`: what the bounds were learnt from goes with the mask."""
    given = [*c.node.args, *(keyword.value for keyword in c.node.keywords)][:2]
    low, high = (sides.bound_of(c.m, c.m.evaluate(node), node) for node in given) if len(given) > 1 else (None, None)
    side = Cut(sides.key_of(c.base, asked), Interval(low, sides.just_above(high)))
    return replace(c.base, shape=Shape.MASK, cuts=frozenset({side})).marked(*united(c.all_data()).marks)


def _divided_labels(c: Call, taken: Data) -> frozenset[Cut]:
    """The side of a division of labels, each of them there once: rows that bear them are divided like them.

    Labels of rows that were divided are another matter: a patient with several rows may be on both sides.
    """
    if _of_its_own(c, taken):
        return frozenset()
    cuts = frozenset(k for k in taken.cuts if isinstance(k.key, tuple) and k.key[0] in {"split", "folds"})
    return cuts if len({k.key for k in cuts}) == len(cuts) else frozenset()


def _of_its_own(c: Call, taken: Data) -> bool:
    """Whether labels are those of rows of the very table that they are looked up in, each as often as it is there."""
    origins = {part.origin for part in c.base.rows}
    return any(part.origin in origins and not is_grouped(part) for part in taken.rows)

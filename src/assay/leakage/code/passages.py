"""Rows that a call is told to take: from one place to another, those that come next, those of which something holds."""

from __future__ import annotations

import ast

from assay.leakage.code import selecting, sides
from assay.leakage.code.call import Call
from assay.leakage.code.rows import POSITIONS, Cut, Interval, OneOf
from assay.leakage.code.values import UNKNOWN, Data, Function, Value


def passage(c: Call, series: Data) -> Data:
    """`timeseries_dataset_from_array(rows, …, start_index=800)`: the windows of one passage of a series."""
    given = {k.arg: k.value for k in c.node.keywords if k.arg in {"start_index", "end_index"}}
    bounds = {name: sides.bound_of(c.m, c.keywords[name], node) for name, node in given.items() if name in c.keywords}
    low, high = (bounds.get(name) for name in ("start_index", "end_index"))
    low = None if low == 0 else low
    return series if low is None and high is None else series.cut(Cut(POSITIONS, Interval(low, high)))


def taken_in_turn(c: Call, value: Value) -> Value:
    """`next(stream)`: whoever asks elsewhere is given others, for what was taken is gone.

    An iterator that is made on the spot begins anew.
    """
    if not c.node.args or not isinstance(c.node.args[0], ast.Name):
        return value
    asked = (n for n in (*c.m.stack, c.node) if isinstance(n, ast.AST))
    place = " ".join(f"{getattr(n, 'lineno', 0)}:{getattr(n, 'col_offset', 0)}" for n in asked)
    return selecting.of_each(c.m, value, Cut("in turn", OneOf(place)))


def kept_by(c: Call) -> frozenset[Cut]:
    """`data.filter(lambda row: row["fold"] != k)`: the side of the rows of which a comparison holds."""
    asked = c.m.plain(c.args[0])
    match asked.node if isinstance(asked, Function) else None:
        case ast.Lambda(body=ast.Compare(left=left, ops=[sign], comparators=[right])):
            return sides.cuts_of(c.m, left, UNKNOWN, sign, right)
    return frozenset()

"""Rows repeated by construction: copies, and windows that a library cuts from a series."""

from __future__ import annotations

import ast

from assay.leakage.code.dividing import sides
from assay.leakage.code.effects import How
from assay.leakage.code.language.call import Call
from assay.leakage.code.state.provenance import is_table
from assay.leakage.code.state.rows import POSITIONS, Cut, Interval
from assay.leakage.code.state.values import Const, Data, Kind, Mark, Shape, Value


def explode(c: Call) -> Value:
    """Rows repeated by construction; of numbers that are no table nobody knows what they repeat."""
    base = _between_indices(c) if c.effect.how is How.SEQUENCE else c.base
    mark = Mark(c.effect.kind or Kind.EXPLODE, c.name, c.site, base.rows)
    copied = mark.kind is Kind.COPY
    if not base.rows or _within_rows(c):
        return base
    if base.shape is Shape.POSITIONS:
        return base.marked(mark) if copied else base
    if copied and (_along_each_axis(c) or _is_one_row(c) or not any(map(is_table, base.rows))):
        return base
    redrawn = c.effect.how is How.SEQUENCE and c.constant(-1, "shuffle") is True
    return base.marked(mark, *([Mark(Kind.REDRAWN, "shuffle", c.site, base.rows)] if redrawn else []))


def _within_rows(c: Call) -> bool:
    """Whether nothing is repeated but values within each row, or windows lie side by side."""
    return c.constant(-1, "axis") not in {None, 0} or (bool(c.effect.how) and not _overlap(c))


def _along_each_axis(c: Call) -> bool:
    """`tensor.repeat(1, 3)`: so often along each axis."""
    return len(c.args) > 1 and "." not in c.name


def _is_one_row(c: Call) -> bool:
    """`np.tile(steps[-1:], …)`: one row of its own, by which a sequence is made as long as others."""
    match c.node.args[:1]:
        case [ast.Subscript(slice=ast.Slice(lower=ast.UnaryOp(ast.USub(), ast.Constant(1)), upper=None))]:
            return True
    return False


def _between_indices(c: Call) -> Data:
    """The piece of a series that windows are cut from: `start_index=n, end_index=m` is a slice of it."""
    nodes = {k.arg: k.value for k in c.node.keywords}
    low, high = (_bound(c, name, nodes.get(name)) for name in ("start_index", "end_index"))
    low = None if low == 0 else low
    return c.base if low is None and high is None else c.base.cut(Cut(POSITIONS, Interval(low, high)))


def _bound(c: Call, name: str, node: ast.expr | None) -> float | str | None:
    given = c.keywords.get(name)
    if node is None or given is None or c.m.plain(given) == Const(None):
        return None
    return sides.bound_of(c.m, given, node)


def _overlap(c: Call) -> bool:
    """Whether windows that a library cuts overlap: an argument says how far, or gives a shorter step."""
    if c.effect.how is How.OVERLAP:
        common = c.constant(-1, "overlap")
        return isinstance(common, int | float) and common > 0
    if c.effect.how is How.ALONG and c.constant(0, "dimension") != 0:
        return False  # within each row
    first = {How.SHIFT: 0, How.SEQUENCE: 2}.get(c.effect.how, 1)
    size = c.constant(first, "size", "frame_length", "window_shape", "patch_size", "sequence_length", "length")
    by_row = 1 if c.effect.how is How.SEQUENCE else None
    place = 4 if c.name.endswith("TimeseriesGenerator") else first + 1  # after the rate
    step = c.constant(place, "step", "shift", "hop_length", "sequence_stride", "stride", default=by_row)
    sizes = size if isinstance(size, list) else [size]
    return isinstance(step, int | float) and any(isinstance(one, int | float) and step < one for one in sizes)

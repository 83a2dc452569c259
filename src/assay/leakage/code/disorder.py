"""Rows that chance puts in order, once or anew at each pass over them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.leakage.code.values import Const, Data, Kind, Mark, Seq, Shape, Value
from assay.records import replace

if TYPE_CHECKING:
    from assay.leakage.code.call import Call


def shuffle(c: Call) -> Value:
    """The same rows in another order."""
    if c.effect.how == "each pass":
        return _at_each_pass(c)
    if c.effect.how == "kept":
        return replace(c.base, marks=frozenset(k for k in c.base.marks if not _redrawn_whole(k, c.base)))
    given = [v for v in c.args if not isinstance(c.m.plain(v), Const)]
    if c.effect.how == "in place":
        for value in given[:1]:
            c.m.store(value, _in_disorder(c, value))
        return Const(None)
    values = [_in_disorder(c, c.m.data(v)) for v in given]
    return values[0] if len(values) == 1 else Seq(tuple(values))


def _at_each_pass(c: Call) -> Value:
    """tf.data shuffles by a buffer, anew whenever the rows are gone through, unless it is told not to."""
    buffered = bool(c.node.args) or any(k.arg == "buffer_size" for k in c.node.keywords)
    if not buffered or not c.base.rows or c.constant(2, "reshuffle_each_iteration") is False:
        return c.base
    return c.base.marked(Mark(Kind.REDRAWN, "shuffle", c.site, c.base.rows))


def _redrawn_whole(mark: Mark, value: Data) -> bool:
    """Whether rows are redrawn that no part was taken of since: to keep them as they came ends that."""
    return mark.kind is Kind.REDRAWN and mark.rows == value.rows


def _in_disorder(c: Call, value: Value) -> Value:
    """Rows, their positions, or a list of them, with the trace that chance has put them in order."""
    plain = c.m.plain(value)
    if isinstance(plain, Seq):
        return replace(plain, items=tuple(c.m.boxed(_in_disorder(c, item)) for item in plain.items))
    if not isinstance(plain, Data) or not (plain.rows or plain.shape is Shape.POSITIONS):
        return plain
    return plain.marked(Mark(Kind.SHUFFLED, "shuffle", c.site, plain.rows))

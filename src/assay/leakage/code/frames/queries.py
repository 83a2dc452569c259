"""Rows that a condition written as text asks for (`table.query("age > 40 and site in @sites")`), or a label."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from assay.leakage.code.dividing import sides
from assay.leakage.code.frames import masks
from assay.leakage.code.language.call import Call
from assay.leakage.code.state.machine import Machine, united
from assay.leakage.code.state.rows import POSITIONS, Cut, Except, Interval, OneOf
from assay.leakage.code.state.texts import text_of
from assay.leakage.code.state.values import Columns, Data, Library, Mark, Shape
from assay.patterns import regex
from assay.records import replace

_NAMED = regex(r"@([^\W\d]\w*)")
_LONGEST = 1_000


def queried(m: Machine, table: Data, condition: str) -> Data:
    """The rows where columns are compared with values; those that another condition asks for are some or others."""
    try:
        asked = ast.parse(_NAMED.sub(r"\1", condition.strip()[:_LONGEST]), mode="eval").body
        cuts = list(_cuts(m, asked))
    except (SyntaxError, ValueError, RecursionError, _Unread):
        cuts = [Cut("asked", OneOf(condition))]
    return table.cut(*cuts).marked(*_learnt(m, condition, frozenset(cuts)))


def _learnt(m: Machine, condition: str, cuts: frozenset[Cut]) -> list[Mark]:
    """What the bounds that a condition takes from the program were learnt from: rows beyond them are left out."""
    found = (m.scope.find(name) for name in _NAMED.findall(condition))
    known = united([m.data(value) for value in found if value is not None and not isinstance(value, Library)])
    return masks.left_out_by(replace(known, cuts=cuts))


def labelled(c: Call) -> Data:
    """`table.xs("spring")`: the rows that bear a label. Other calls with names only lay out a table anew."""
    label = c.value(0, "key", "name")
    if c.name == "reindex" or label is None or c.word(1, "axis", default=0) != 0:
        return c.base
    known, level = c.m.constant(label), c.constant(2, "level")
    written = c.node.args[0] if c.node.args else c.node
    side = sides.one_of(known) if isinstance(known, str | int) else OneOf(text_of(written))
    if c.name == "get_group":
        return replace(c.base, shape=Shape.TABLE).cut(Cut(("group", text_of(c.node.func)), side))
    return c.base.cut(Cut(POSITIONS if level is None else ("column", str(level)), side))


def extreme(c: Call) -> Data:
    """`table.nlargest(9, "date")`, `table.last("3M")`, `table.truncate(after="2019-12-31")`: rows at one end."""
    if not c.base.rows or c.base.shape in {Shape.SUMMARY, Shape.GROUPED} or not (c.node.args or c.node.keywords):
        return c.base
    written = {k.arg: k.value for k in c.node.keywords} | dict(zip(("before", "after"), c.node.args, strict=False))
    if c.name == "truncate":
        low, high = (_bound(c, written.get(name)) for name in ("before", "after"))
        return c.base.cut(Cut(POSITIONS, Interval(low, high)))
    return c.base.cut(Cut((c.name, *map(text_of, written.values())), OneOf(frozenset({"these"}))))


def _bound(c: Call, written: ast.expr | None) -> float | str | None:
    return None if written is None else sides.bound_of(c.m, c.m.evaluate(written), written)


class _Unread(Exception):  # noqa: N818 - not an error, only the way out of a nested condition
    """The condition is of a sort that is not followed."""


def _cuts(m: Machine, asked: ast.expr) -> Iterator[Cut]:
    """The sides that a condition chooses, as `table[table.age > 40]` has them."""
    match asked:
        case ast.BoolOp(op=ast.And()):
            for value in asked.values:
                yield from _cuts(m, value)
        case ast.Compare(left=ast.Name(column) as left, ops=[sign], comparators=[bound]):
            yield from _sides(m, left, column, sign, bound)
        case _:
            raise _Unread


def _sides(m: Machine, left: ast.expr, column: str, sign: ast.cmpop, bound: ast.expr) -> frozenset[Cut]:
    """One comparison of a column; a list of labels is asked for by `in`, or by `==`."""
    data = Data(columns=Columns(frozenset({column})))
    listed = m.constant(m.evaluate(bound))
    if not isinstance(listed, list) and not isinstance(sign, ast.In | ast.NotIn):
        return sides.cuts_of(m, left, data, sign, bound)
    if not isinstance(sign, ast.In | ast.NotIn | ast.Eq | ast.NotEq):
        raise _Unread
    labels = sides.one_of(listed) if isinstance(listed, list) else OneOf(text_of(bound))
    chosen = isinstance(sign, ast.In | ast.Eq)
    return frozenset({Cut(("column", column), labels if chosen else Except(labels))})

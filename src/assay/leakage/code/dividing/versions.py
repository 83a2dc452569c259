"""Versions of one row: an image that was turned, a sound with noise; beside the row itself it is the same row twice."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from assay.leakage.code.dividing import windows
from assay.leakage.code.state.in_order import marks_in_order
from assay.leakage.code.state.machine import Machine, united
from assay.leakage.code.state.provenance import drawn_at_random
from assay.leakage.code.state.rows import Rows
from assay.leakage.code.state.values import Data, Function, Kind, Mark, Marks, Seq, Shape, Value
from assay.libraries.catalogue import names_of
from assay.libraries.row import Group
from assay.records import replace

_MANY = 12
"""Lists of more items than this are not looked through for versions."""


def another(m: Machine, node: ast.Call, target: Value, result: Value) -> Value:
    """What a call gives, with the trace that it is another version of the rows it was given."""
    func = node.func
    name = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
    own = name in names_of(Group.OWN_VERSIONS) and isinstance(m.plain(target), Function)
    if not own and name not in names_of(Group.VERSIONS):
        return result
    data = m.plain(result)
    if not isinstance(data, Data) or not data.rows or data.predictions:
        return result
    return data.marked(Mark(Kind.VERSION, name, m.site(node)))


def noisy(m: Machine, node: ast.BinOp, operands: Iterable[Value], result: Data) -> Data:
    """`rows + noise`: what is computed of rows and numbers drawn at random is another version of the rows."""
    drawn = [drawn_at_random(value.rows) for value in operands if isinstance(value, Data) and value.rows]
    if len(drawn) != 2 or drawn[0] == drawn[1] or not isinstance(node.op, ast.Add | ast.Mult):
        return result
    return result.marked(Mark(Kind.VERSION, "noise", m.site(node)))


def _without_chance(rows: Rows) -> Rows:
    return frozenset(part for part in rows if not drawn_at_random(frozenset({part})))


def beside(m: Machine, node: ast.AST, pieces: Iterable[Data]) -> Iterator[Mark]:
    """The trace on what is put together of rows and of other versions of those same rows."""
    found: dict[object, Marks] = {}
    for piece in pieces:
        made = frozenset(mark for mark in piece.marks if mark.kind is Kind.VERSION)
        rows = _without_chance(piece.rows)
        if not rows or piece.predictions or piece.shape in {Shape.SUMMARY, Shape.COLUMN}:
            continue
        others = found.setdefault(rows, made)
        for mark in marks_in_order(made ^ others)[:1]:
            m.turned[m.site(node)] = m.loops
            yield Mark(Kind.AUGMENT, mark.name, m.site(node), rows)


def below(m: Machine, node: ast.AST, sides: tuple[ast.expr, ast.expr], values: tuple[Value, Value]) -> Data | None:
    """`pictures + turned`, both of them lists: one below the other. None for arithmetic."""
    listed = any(isinstance(value, Seq) for value in values) or any(_is_list(m, side) for side in sides)
    pieces = [m.data(value) for value in values if isinstance(value, Data | Seq)] if listed else []
    alike = len(pieces) == len(sides) and all(piece.rows and not piece.predictions for piece in pieces)
    return united(pieces).marked(*beside(m, node, pieces)) if alike else None


def _is_list(m: Machine, node: ast.expr) -> bool:
    """Whether an expression is surely a list, or a sum that begins with one."""
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        node = node.left
    if isinstance(node, ast.Name):
        given = windows.given_to(m.source.tree).get(node.id, ())
        return bool(given) and all(isinstance(value, _LISTS) for value in given)
    return isinstance(node, _LISTS)


_LISTS = (ast.ListComp, ast.List)


def put_together(m: Machine, node: ast.AST, owner: Seq, more: Seq) -> tuple[Value, ...]:
    """The items of two lists, each of the second with the trace that another version of it is there."""
    if len(more.items) > _MANY:
        return (*owner.items, *more.items)
    for item in more.items:
        owner = replace(owner, items=(*owner.items, added(m, node, owner, item)))
    return owner.items


def added(m: Machine, node: ast.AST, owner: Seq, value: Value) -> Value:
    """What is added to a list, with the trace that another version of it is there; also of the first of a pair."""
    held = [m.plain(item) for item in owner.items]
    match m.plain(value):
        case Data() as given:
            return _traced(m, node, held, given, value)
        case Seq(items=(first, *others)) as pair if isinstance(head := m.plain(first), Data):
            firsts = [m.plain(other.items[0]) for other in held if isinstance(other, Seq) and other.items]
            return replace(pair, items=(_traced(m, node, firsts, head), *others))
    return value


def _traced(m: Machine, node: ast.AST, others: list[Value], given: Data, value: Value | None = None) -> Value:
    marks = list(beside(m, node, [*(d for d in others if isinstance(d, Data)), given]))
    return m.boxed(given.marked(*marks)) if marks or value is None else value


def of_each(m: Machine, value: Data, source: Data) -> Data:
    """What is made of each row of a source: versions that were put together on the way make up one row."""
    made = {k for k in value.marks - source.marks if k.kind is Kind.AUGMENT and k.site in m.turned}
    apart = value.marks - made
    return value if apart == value.marks else replace(value, marks=apart)


def within_one(m: Machine, value: Value) -> Value:
    """What a loop gathers in each round: versions that were put together in that same round make up one row."""
    match m.plain(value):
        case Seq(items=before) as listed:
            items = tuple(within_one(m, item) for item in before)
            return value if items == before else replace(listed, items=items)
        case Data(marks=marks) as data if m.loops:
            loop = m.loops[-1]
            apart = frozenset(k for k in marks if k.kind is not Kind.AUGMENT or loop not in m.turned.get(k.site, ()))
            return value if apart == marks else replace(data, marks=apart)
    return value

"""Versions of one row: an image that was turned, a sound with noise; beside the row itself it is the same row twice."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from assay.leakage.code.dividing import windows
from assay.leakage.code.state.in_order import marks_in_order
from assay.leakage.code.state.machine import united
from assay.leakage.code.state.provenance import drawn_at_random
from assay.leakage.code.state.rows import Rows
from assay.leakage.code.state.values import Data, Function, Kind, Mark, Marks, Seq, Shape, Value
from assay.records import replace

if TYPE_CHECKING:
    from assay.leakage.code.state.machine import Machine

_TURNED = frozenset({"flip", "fliplr", "flipud", "rot90", "rotate", "mirror", "time_stretch", "pitch_shift",
                     "flip_left_right", "flip_up_down", "hflip", "vflip", "rotate_image", "flip_image", "add_noise",
                     "augment_image", "random_rotation", "random_noise", "roll", "warpAffine", "warpPerspective",
                     "augment", "elastic_transform", "adjust_brightness", "adjust_contrast", "random_brightness",
                     "random_contrast"})  # fmt: skip
_BY_THE_CODE = frozenset({"noise", "stretch", "pitch", "shift", "jitter", "augment", "horizontal_flip", "noisy",
                          "vertical_flip", "random_flip", "random_rotate", "time_shift", "change_pitch"})  # fmt: skip
"""Names that say so of a function of the audited code alone: `column.shift` is another matter."""
_MANY = 12
"""Lists of more items than this are not looked through for versions."""


def another(m: Machine, node: ast.Call, target: Value, result: Value) -> Value:
    """What a call gives, with the trace that it is another version of the rows it was given."""
    func = node.func
    name = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
    if name not in _TURNED and not (name in _BY_THE_CODE and isinstance(m.plain(target), Function)):
        return result
    data = m.plain(result)
    if not isinstance(data, Data) or not data.rows or data.predictions or data.shape is Shape.SUMMARY:
        return result
    return data.marked(Mark(Kind.VERSION, name, m.site(node)))


def noisy(m: Machine, node: ast.BinOp, operands: Iterable[Value], result: Data) -> Data:
    """`rows + noise`: what is computed of rows and numbers drawn at random is another version of the rows."""
    drawn = [drawn_at_random(value.rows) for value in operands if isinstance(value, Data) and value.rows]
    if len(drawn) != 2 or drawn[0] == drawn[1] or result.predictions or not isinstance(node.op, ast.Add | ast.Mult):
        return result
    if isinstance(node.op, ast.Mult) and (_is_difference(m, node.left) or _is_difference(m, node.right)):
        return result.marked(Mark(Kind.OVERSAMPLE, "by hand", m.site(node), _without_chance(result.rows)))
    return result.marked(Mark(Kind.VERSION, "noise", m.site(node)))


def _is_difference(m: Machine, node: ast.expr) -> bool:
    """`neighbour - row`, of which a share that chance says is added to the row: a row made up between two others."""
    given = windows.given_to(m.source.tree).get(node.id, ()) if isinstance(node, ast.Name) else [node]
    return bool(given) and all(isinstance(n, ast.BinOp) and isinstance(n.op, ast.Sub) for n in given)


def _without_chance(rows: Rows) -> Rows:
    return frozenset(part for part in rows if not drawn_at_random(frozenset({part})))


def mirrored(m: Machine, node: ast.Subscript, value: Data) -> Data:
    """`pictures[:, ::-1]`: each row the other way round."""
    within = node.slice.elts[1:] if isinstance(node.slice, ast.Tuple) else []
    turned = any(isinstance(i, ast.Slice) and i.step is not None and ast.unparse(i.step) == "-1" for i in within)
    return value.marked(Mark(Kind.VERSION, "[::-1]", m.site(node))) if turned and value.rows else value


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
    plain = m.plain(value)
    if isinstance(plain, Seq) and plain.items:
        heads = [m.plain(item) for item in owner.items]
        firsts = [m.plain(pair.items[0]) for pair in heads if isinstance(pair, Seq) and pair.items]
        given = m.plain(plain.items[0])
        if isinstance(given, Data):
            return replace(plain, items=(_traced(m, node, firsts, given), *plain.items[1:]))
    if isinstance(plain, Data):
        return _traced(m, node, [m.plain(item) for item in owner.items], plain, value)
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
    data, loop = m.plain(value), m.loops[-1] if m.loops else None
    if isinstance(data, Seq):
        items = tuple(within_one(m, item) for item in data.items)
        return value if all(a is b for a, b in zip(items, data.items, strict=True)) else replace(data, items=items)
    if loop is None or not isinstance(data, Data):
        return value
    apart = frozenset(k for k in data.marks if k.kind is not Kind.AUGMENT or loop not in m.turned.get(k.site, ()))
    return value if apart == data.marks else replace(data, marks=apart)

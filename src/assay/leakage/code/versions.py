"""Versions of one row: an image that was turned, a sound with noise; beside the row itself it is the same row twice."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from assay.leakage.code.evidence import drawn_at_random
from assay.leakage.code.values import Data, Function, Kind, Mark, Marks, Shape, Value

if TYPE_CHECKING:
    from assay.leakage.code.machine import Machine

_TURNED = frozenset({"flip", "fliplr", "flipud", "rot90", "rotate", "mirror", "time_stretch", "pitch_shift",
                     "flip_left_right", "flip_up_down", "hflip", "vflip", "rotate_image", "flip_image", "add_noise",
                     "augment_image", "random_rotation", "random_noise"})  # fmt: skip
_BY_THE_CODE = frozenset({"noise", "stretch", "pitch", "shift", "jitter", "augment", "horizontal_flip", "noisy",
                          "vertical_flip", "random_flip", "random_rotate", "time_shift", "change_pitch"})  # fmt: skip
"""Names that say so of a function of the audited code alone: `column.shift` is another matter."""


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


def beside(m: Machine, node: ast.AST, pieces: Iterable[Data]) -> Iterator[Mark]:
    """The trace on what is put together of rows and of other versions of those same rows."""
    found: dict[object, Marks] = {}
    for piece in pieces:
        made = frozenset(mark for mark in piece.marks if mark.kind is Kind.VERSION)
        rows = frozenset(part for part in piece.rows if not drawn_at_random(frozenset({part})))
        if not rows or piece.predictions or piece.shape in {Shape.SUMMARY, Shape.COLUMN}:
            continue
        others = found.setdefault(rows, made)
        for mark in sorted(made ^ others, key=lambda k: k.site.spot)[:1]:
            yield Mark(Kind.AUGMENT, mark.name, m.site(node), rows)

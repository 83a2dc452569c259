"""Records: tuples whose places have names, made by `namedtuple` or written as a class of fields."""

from __future__ import annotations

import ast
from keyword import iskeyword
from typing import TYPE_CHECKING

from assay.leakage.code.state.values import UNKNOWN, Class, Value

if TYPE_CHECKING:
    from assay.leakage.code.language.call import Call


def named_tuple(c: Call) -> Value:
    """`namedtuple("Study", ["X", "y"])`: a class with these fields and nothing else."""
    fields = c.constant(1, "field_names")
    listed = fields.replace(",", " ").split() if isinstance(fields, str) else fields
    if not isinstance(listed, list) or not all(isinstance(field, str) and field.isidentifier() for field in listed):
        return UNKNOWN
    lines = [f"    {field}: object" for field in listed if not iskeyword(field)]
    (node,) = ast.parse("\n".join(["class Record:", *lines, "    pass"])).body
    return Class(node, c.m.scope, {}) if isinstance(node, ast.ClassDef) else UNKNOWN

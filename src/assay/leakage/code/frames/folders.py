"""Folders of pictures into which a program writes turned versions of the pictures that lie there."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from assay.leakage.code.state.values import Data, Kind, Mark

if TYPE_CHECKING:
    from assay.leakage.code.language.call import Call
    from assay.leakage.code.state.machine import Machine

_MAKERS = frozenset({"Augmentor.Pipeline"})
"""Objects that are given a folder, and write versions of its pictures into a folder below it."""
WRITES = frozenset({"sample", "process"})


def folder(c: Call) -> str | None:
    """The folder that such an object writes into; None when it is none, or another folder is given for that."""
    if c.name not in _MAKERS or not c.node.args or len(c.args) > 1 or "output_directory" in c.keywords:
        return None
    found = _beginning(c.m, c.node.args[0])
    return None if found is None else found.rstrip("/") or None


def _beginning(m: Machine, node: ast.expr) -> str | None:
    """How a path begins, where no more of it is known: `root + name`, `os.path.join(root, name)`."""
    known = m.constant(m.evaluate(node))
    if isinstance(known, str):
        return known
    match node:
        case ast.BinOp(left=first) | ast.JoinedStr(values=[first, *_]) | ast.FormattedValue(value=first):
            return _beginning(m, first)
        case ast.Call(args=[first, *_]):
            return _beginning(m, first)
    return None


def divided(c: Call, path: object, pictures: Data) -> Data:
    """The pictures of a folder that is about to be divided, with the trace of the versions that lie among them."""
    below = f"{str(path).rstrip('/')}/"
    sites = [site for written, site in c.m.multiplied.items() if f"{written}/".startswith(below)]
    return pictures.marked(*(Mark(Kind.AUGMENT, "versions in one folder", site, pictures.rows) for site in sites[:1]))

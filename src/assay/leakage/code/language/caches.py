"""`if path.exists(): load it, else: compute and store it`: both branches give the same, and one of them says how."""

from __future__ import annotations

import ast

from assay.leakage.code.scored.search_loops import names_set_in
from assay.leakage.code.state.texts import text_of

_ASKS = frozenset({"exists", "isfile", "is_file"})
_LONGEST = 6
"""Who only reads something back needs no more statements than this."""


def computed(node: ast.If) -> list[ast.stmt] | None:
    """The branch that computes what the other only reads back; None where it is not such a condition."""
    absent = isinstance(node.test, ast.UnaryOp) and isinstance(node.test.op, ast.Not)
    asked = node.test.operand if isinstance(node.test, ast.UnaryOp) else node.test
    if not isinstance(asked, ast.Call) or text_of(asked.func).rpartition(".")[2] not in _ASKS:
        return None
    making, reading = (node.body, node.orelse) if absent else (node.orelse, node.body)
    known, made = (frozenset[str]().union(*map(names_set_in, body)) for body in (reading, making))
    short = 0 < len(reading) <= _LONGEST and len(reading) <= len(making)
    return making if short and known and known <= made else None

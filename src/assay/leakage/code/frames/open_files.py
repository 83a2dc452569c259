"""Text files that the program opens by a path that is written down, and reads line by line or as a whole."""

from __future__ import annotations

import ast

from assay.leakage.code.state.machine import Machine
from assay.leakage.code.state.rows import Origin, OriginKind, Part
from assay.leakage.code.state.values import Const, Data, Value

_READS = frozenset({"read", "readlines", "readline"})


class OpenFile(str):
    """The path of a text file that is open to be read; a reader of that path gets the same rows."""

    __slots__ = ()


def opened(path: str, mode: object) -> Const:
    """What `open` gives: the path, and that its lines can be read, unless it is written to or holds no text."""
    text = isinstance(mode, str) and mode.startswith("r") and "b" not in mode
    return Const(OpenFile(path) if text else path)


def read_by(m: Machine, node: ast.AST, value: Value, method: str) -> Data | None:
    """What a method of an open file reads of it; None where it reads nothing, or this is no open file."""
    return lines_of(m, node, value) if method in _READS else None


def lines_of(m: Machine, node: ast.AST, value: Value) -> Data | None:
    """The lines of an open file, which are the same for every reader of this path; None for anything else."""
    path = value.value if isinstance(value, Const) else None
    if not isinstance(path, OpenFile):
        return None
    origin = Origin(("file", str(path), "lines"), m.site(node), OriginKind.OPENED, "open")
    return Data(frozenset({Part(origin, frozenset())}))

"""`if path.exists(): load it, else: compute and store it`: both branches give the same, and one of them says how."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from assay.leakage.code.scored.search_loops import names_set_in
from assay.leakage.code.state.texts import text_of

_ASKS = frozenset({"exists", "isfile", "is_file"})
_READS = frozenset({"load", "loads", "load_model", "read_csv", "read_pickle", "read_parquet", "read_feather",
                    "read_json", "load_npz", "read_excel"})  # fmt: skip
_STORES = frozenset({"dump", "save", "savez", "savez_compressed", "save_model", "save_npz", "to_csv", "to_pickle",
                     "to_parquet", "to_feather", "to_json", "to_excel"})  # fmt: skip
_LONGEST = 6
"""Who only reads something back needs no more statements than this."""


def computed(node: ast.If) -> list[ast.stmt] | None:
    """The branch that computes and stores what the other only reads back; None where it is not such a condition."""
    match node.test:
        case ast.UnaryOp(op=ast.Not(), operand=ast.Call() as asked):
            path, making, reading = _path(asked), node.body, node.orelse
        case ast.Call() as asked:
            path, making, reading = _path(asked), node.orelse, node.body
        case _:
            return None
    if not path or not making or not 0 < len(reading) <= _LONGEST or not _only_reads(reading):
        return None
    both = (_calls(making) & _STORES, _calls(reading) & _READS, _mentions(making, path), _mentions(reading, path))
    given = frozenset[str]().union(*map(names_set_in, making))
    return making if all(both) and _names(reading) and _names(reading) <= given else None


def _path(asked: ast.Call) -> str:
    """The path that a call asks about: `os.path.exists(path)`, `path.exists()`."""
    name = text_of(asked.func).rpartition(".")[2]
    if name not in _ASKS:
        return ""
    if asked.args:
        return text_of(asked.args[0])
    return text_of(asked.func.value) if isinstance(asked.func, ast.Attribute) else ""


def _only_reads(body: list[ast.stmt]) -> bool:
    """Whether nothing but assignments, messages and files that are opened stands there."""
    return all(isinstance(s, ast.Assign | ast.Expr) or (isinstance(s, ast.With) and _only_reads(s.body)) for s in body)


def _names(body: list[ast.stmt]) -> set[str]:
    """What assignments give a value there; a file that is opened is not meant."""
    found: set[str] = set()
    for s in body:
        if isinstance(s, ast.With):
            found |= _names(s.body)
        elif isinstance(s, ast.Assign):
            found |= {n.id for target in s.targets for n in ast.walk(target) if isinstance(n, ast.Name)}
    return found


def _calls(body: Iterable[ast.stmt]) -> set[str]:
    """The last names of all calls."""
    calls = (n for s in body for n in ast.walk(s) if isinstance(n, ast.Call))
    return {text_of(call.func).rpartition(".")[2] for call in calls}


def _mentions(body: Iterable[ast.stmt], path: str) -> bool:
    return any(isinstance(n, ast.expr) and text_of(n) == path for s in body for n in ast.walk(s))

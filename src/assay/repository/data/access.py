"""Functions that read and write files: which argument is the path, and what they read. One declarative table."""

from __future__ import annotations

import ast

from assay.records import dataclass
from assay.repository.vocabulary import vocabulary

_WORDS = vocabulary("assay.repository.data", "calls.toml")
_KEYWORDS = _WORDS.words("path_keywords")
_MODULES = _WORDS.words("opening_modules")
_OF_A_PATH = frozenset({"open", "read_text", "write_text", "read_bytes", "write_bytes", "glob", "mkdir"})
"""Methods of a path."""


@dataclass(frozen=True, slots=True)
class Access:
    """How functions of one family take their path."""

    position: int = 0
    writes: bool = False
    weights: bool = False
    """Made for models; it reads data only if the file says so."""


_ROWS = {
    **dict.fromkeys(
        (
            "read_tables",
            "read_arrays",
            "read_objects",
            "read_signals",
            "read_graphs",
            "read_folders",
            "read_settings",
            "read_copied",
        ),
        Access(),
    ),
    "read_weights": Access(weights=True),
    "write": Access(writes=True),
    "write_second": Access(position=1, writes=True),
}
BY_LAST: dict[str, list[tuple[str, Access]]] = {}
for _row, _access in _ROWS.items():
    for _name in _WORDS.listed(_row):
        BY_LAST.setdefault(_name.rpartition(".")[2], []).append((_name, _access))


def accesses_of(name: str, last: str) -> list[Access]:
    """How a call by its full name reads or writes files: a copy does both."""
    rows = BY_LAST.get(last, ())
    return list(dict.fromkeys(r for w, r in rows if w in {name, last, f".{last}"} or name.endswith(f".{w}")))


def path_argument(call: ast.Call, row: Access, last: str) -> ast.expr | None:
    """The expression for the path; of a method on a path, the path itself."""
    receiver = call.func.value if isinstance(call.func, ast.Attribute) else None
    if len(call.args) > row.position and not isinstance(call.args[row.position], ast.Starred):
        return receiver if last in _OF_A_PATH and _is_method(call) else call.args[row.position]
    by_name = next((k.value for k in call.keywords if k.arg in _KEYWORDS), None)
    return receiver if by_name is None and last in _OF_A_PATH else by_name


def opens_to_write(call: ast.Call, last: str) -> bool:
    """Whether an `open`, or one of its like, has a mode that writes."""
    spot = 0 if last in {"open", "File"} and _is_method(call) else 1
    mode = call.args[spot] if len(call.args) > spot else next((k.value for k in call.keywords if k.arg == "mode"), None)
    text = mode.value if isinstance(mode, ast.Constant) and isinstance(mode.value, str) else ""
    return len(text) <= 4 and any(letter in text for letter in "wax+")


def _is_method(call: ast.Call) -> bool:
    """Whether it is `path.open("w")` rather than `gzip.open(path)`: the receiver is no module."""
    receiver = call.func.value if isinstance(call.func, ast.Attribute) else None
    if isinstance(receiver, ast.Name):
        return receiver.id not in _MODULES
    return receiver is not None and not isinstance(receiver, ast.Attribute)

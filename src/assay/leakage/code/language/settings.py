"""Settings that a program is run with as it stands: the defaults of its options, and files of settings in its tree.

The user may give others, so they do not decide conditions that depend on them. But they do say how long a window is
and how far it moves, unless the user changes that.
"""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Iterator, Sequence
from functools import lru_cache

from assay.leakage.code.language.call import Call
from assay.leakage.code.state.machine import Machine
from assay.leakage.code.state.values import Const, Data, Mapping, Shape, Value
from assay.libraries.catalogue import names_of
from assay.libraries.row import Group
from assay.patterns import regex
from assay.program.configuration import nested, number
from assay.program.options import CALLS, Option
from assay.program.options import options as declared

_PARSES = frozenset({"parse_args", "parse_known_args"})
_DEEPEST = 5
FILE = regex(r"[\w./\\-]+\.(?:ya?ml|json)$")
"""What files of settings are called."""


def read(c: Call, name: str) -> Value | None:
    """What a call reads from a file of settings, or makes of settings; None where it does neither."""
    if name in names_of(Group.SETTINGS_READERS):
        path = c.constant(0, "stream", "fp", "file_")
        return _in_file(c.m, path) if isinstance(path, str) else None
    if name not in names_of(Group.SETTINGS_FORMS):
        return None
    given = c.m.plain(c.args[0]) if c.args else Mapping(tuple(c.keywords.items()))
    return given if isinstance(given, Mapping) and given.items else None


def _in_file(m: Machine, path: str) -> Mapping | None:
    if FILE.match(path) is None:
        return None
    texts = (m.read_text(inside) for inside in _places(m.source.path, path))
    text = next((text for text in texts if text is not None), None)
    return None if text is None else _parsed(text, path)


def _places(source: str, path: str) -> Iterator[str]:
    """Where a file may be meant: below the root, or below a folder that the source lies in."""
    wanted = posixpath.normpath(path.replace("\\", "/")).lstrip("./")
    folder = posixpath.dirname(source)
    while folder:
        yield posixpath.join(folder, wanted)
        folder = posixpath.dirname(folder)
    yield wanted


@lru_cache(maxsize=16)
def _parsed(text: str, path: str) -> Mapping | None:
    """What a file says, where it consists of named settings; a list of records is data."""
    found = nested(text, path)
    return None if found is None else _as_mapping(found, 0)


def _as_mapping(found: dict[object, object], depth: int) -> Mapping:
    return Mapping(tuple((str(key), _value(inner, depth)) for key, inner in found.items()), open=True)


def _value(found: object, depth: int) -> Value:
    """A number or a truth as it may well be, settings inside settings; of anything else nothing is said."""
    if isinstance(found, dict) and depth < _DEEPEST:
        return _as_mapping(found, depth + 1)
    known = number(found) if isinstance(found, str) else found
    return Const(known, sure=False) if isinstance(known, int | float) else Data(shape=Shape.SUMMARY)


def options(c: Call) -> Mapping | None:
    """`parser.parse_args()`: the options of this file that are numbers if nobody says otherwise."""
    if c.name not in _PARSES:
        return None
    known = _defaults(c.m.source.tree)
    return Mapping(tuple(known.items()), open=True) if known else None


@lru_cache(maxsize=8)
def _defaults(tree: ast.Module | None) -> dict[str, Value]:
    """The options that a file describes with a number, or with a file of settings, as their default.

    What several parsers call alike and begin with other numbers is not known.
    """
    found: dict[str, set[object]] = {}
    for n in ast.walk(tree or ast.Module([], [])):
        for option in _declared_by(n):
            given = option.default.value if isinstance(option.default, ast.Constant) else None
            found.setdefault(option.name.replace("-", "_"), set()).add(given)
    return {name: _default(next(iter(values))) for name, values in found.items() if len(values) == 1}


def _declared_by(node: ast.AST) -> Sequence[Option]:
    """The options that a call describes: `parser.add_argument("--length", default=60)`."""
    match node:
        case ast.Call(func=ast.Attribute(attr=method)) if method in CALLS:
            return list(declared(node, method))
    return ()


def _default(given: object) -> Value:
    number = isinstance(given, int | float) and not isinstance(given, bool)
    named = isinstance(given, str) and FILE.match(given) is not None
    return Const(given, sure=False) if number or named else Data(shape=Shape.SUMMARY)


def path_below(node: ast.expr) -> Const | None:
    """`ROOT / "configs" / "train.yaml"`: how the path of a file of settings ends, wherever it begins."""
    parts: list[str] = []
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        if not isinstance(node.right, ast.Constant) or not isinstance(node.right.value, str):
            break
        parts.insert(0, node.right.value)
        node = node.left
    return named_file(parts)


def named_file(parts: list[str]) -> Const | None:
    """The path of a file of settings by the last parts of it; None for other files, which may be of many folders."""
    return Const("/".join(parts)) if parts and parts[-1].endswith((".yaml", ".yml")) else None

"""Command-line options as libraries declare them: name, default, whether required."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from assay.records import dataclass

CALLS = frozenset({"add_argument", "option", "set_defaults"})
"""Functions that declare options: argparse, configargparse and similar; click."""
FLAGS = "DEFINE_"
"""The prefix of the functions with which absl and TensorFlow define flags."""
_FLAG_TYPES = frozenset({"DEFINE_integer", "DEFINE_float", "DEFINE_bool", "DEFINE_boolean", "DEFINE_string"})
_SWITCHES = {"store_true": False, "count": False, "store_false": True}
NO_DEFAULT = ast.Constant(None)


@dataclass(frozen=True, slots=True)
class Option:
    """An option: its name in the program and its default expression."""

    name: str
    default: ast.expr
    required: bool = False


def declares(last: str) -> bool:
    """True if a call with this last name may declare an option."""
    return last in CALLS or last.startswith(FLAGS)


def options(call: ast.Call, last: str) -> Iterator[Option]:
    """The options that a call declares; `last` is the last part of the called name."""
    given = {k.arg: k.value for k in call.keywords if k.arg}
    if last in {"add_argument", "option"}:
        yield from _argument(call, given, click=last == "option")
    elif last == "set_defaults":
        yield from (Option(key, value) for key, value in given.items())
    elif last in _FLAG_TYPES or (last.startswith(FLAGS) and len(call.args) > 1):
        yield from _flag(call, given)


def _argument(call: ast.Call, given: dict[str, ast.expr], *, click: bool) -> Iterator[Option]:
    name = _name(call, given, click=click)
    if name:
        yield Option(name, _default(given), _required(call, given, click=click))


def _flag(call: ast.Call, given: dict[str, ast.expr]) -> Iterator[Option]:
    named = call.args[0] if call.args else given.get("name")
    if isinstance(named, ast.Constant):
        yield Option(str(named.value), flag_default(call))


def flag_default(call: ast.Call) -> ast.expr:
    """The default of `DEFINE_integer("seed", 1, "…")`."""
    if len(call.args) > 1:
        return call.args[1]
    return next((k.value for k in call.keywords if k.arg == "default"), NO_DEFAULT)


def _words(call: ast.Call) -> list[str]:
    return [a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]


def _name(call: ast.Call, given: dict[str, ast.expr], *, click: bool) -> str:
    """`dest`, the word without dashes (click's parameter name), or the longest flag."""
    named = given.get("dest")
    if isinstance(named, ast.Constant):
        return str(named.value)
    words = _words(call)
    bare = next((word for word in words if click and word.isidentifier()), None)
    longest = max(words, key=lambda word: (word.startswith("--"), len(word)), default="")
    return bare or longest.partition("/")[0].lstrip("-")


def _required(call: ast.Call, given: dict[str, ast.expr], *, click: bool) -> bool:
    demanded = given.get("required")
    positional = not click and not any(word.startswith("-") for word in _words(call))
    asked = isinstance(demanded, ast.Constant) and bool(demanded.value)
    return (asked or positional) and "default" not in given


def _default(given: dict[str, ast.expr]) -> ast.expr:
    if "default" in given:
        return given["default"]
    action = given.get("action")
    if isinstance(action, ast.Constant) and action.value in _SWITCHES:
        return ast.Constant(_SWITCHES[action.value])
    return ast.Constant(False) if "is_flag" in given else NO_DEFAULT

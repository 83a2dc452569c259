"""One walk over a syntax tree that collects nodes by kind, imports and calls for all readers."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import field
from typing import Any

from assay.findings import Location
from assay.patterns import regex
from assay.records import dataclass

MAX_DEPTH = 250
"""Deeper trees would exhaust the stack of a recursive walk."""

Function = ast.FunctionDef | ast.AsyncFunctionDef

_FUNCTIONS = frozenset({ast.FunctionDef, ast.AsyncFunctionDef})
_GUARDS = frozenset({ast.Try, ast.If, ast.With})
_REMEMBERED = frozenset({ast.Call, ast.Import, ast.ImportFrom})
_PLAIN = frozenset(
    {
        "arg", "asname", "attr", "conversion", "ctx", "id", "is_async", "kind", "level", "module", "op", "ops",
        "simple", "type_comment",
    }
)  # fmt: skip
"""Fields without nodes of interest: plain values and operators."""
_BRANCHES: dict[type[ast.AST], tuple[bool, tuple[str, ...]]] = {
    kind: (kind in _REMEMBERED | _FUNCTIONS | _GUARDS, tuple(name for name in kind._fields if name not in _PLAIN))
    for kind in vars(ast).values()
    if isinstance(kind, type) and issubclass(kind, ast.AST)
}
"""For each node type: whether it affects its surroundings, and the fields to visit."""
_LEAVES = frozenset({ast.Name, ast.Constant})
"""Half of all nodes: recorded with their parent, without a visit of their own."""
_CATCHES = frozenset({"ImportError", "ModuleNotFoundError", "Exception", "BaseException"})
_SALVAGED = regex(
    r"[ \t]*(?:from[ \t]+(?P<origin>[.\w]+)[ \t]+import[ \t]*\(?(?P<names>[^#\n;]*)|import[ \t]+(?P<modules>[^#\n;]+))"
)


@dataclass(frozen=True, slots=True)
class Import:
    """An imported module. `module` is as written, without leading dots, which are counted in `level`."""

    module: str
    names: tuple[str, ...]
    """The imported names (`*` for all); empty for a plain `import module`."""
    location: Location
    guarded: bool = False
    """The file works without it: the import is inside try/except ImportError or TYPE_CHECKING."""
    in_function: bool = False
    level: int = 0
    alias: str = ""
    """The alias of a plain `import module as alias`."""
    in_main: bool = False
    """True under `if __name__ == "__main__":`, which is used only if the file itself is run."""

    @property
    def top(self) -> str:
        """The first part of the module's name; empty for `from . import x`."""
        return self.module.partition(".")[0]


@dataclass(slots=True)
class Scan:
    """What one walk found, in source order."""

    nodes: dict[type[ast.AST], list[ast.AST]] = field(default_factory=lambda: defaultdict(list))
    functions: dict[ast.AST, Function | None] = field(default_factory=dict)
    """The function around each call and import."""
    guarded: set[ast.AST] = field(default_factory=set)
    """Imports that may fail."""
    words: set[str] = field(default_factory=set)
    """Names that stand alone or begin a dotted name."""
    strings: list[ast.Constant] = field(default_factory=list)
    """String constants."""
    too_deep: bool = False


class _TooDeepError(Exception):
    """The tree is deeper than allowed."""


def scan(tree: ast.Module, most: int = MAX_DEPTH) -> Scan:
    """Walk the tree once; a tree deeper than `most` is rejected."""
    found = Scan()
    try:
        _visit(tree, None, False, most, found)
    except _TooDeepError:
        return Scan(too_deep=True)
    names: list[Any] = found.nodes[ast.Name]
    constants: list[Any] = found.nodes[ast.Constant]
    found.words = {name.id for name in names}
    found.strings = [constant for constant in constants if type(constant.value) is str]
    return found


def _visit(node: ast.AST, function: Function | None, safe: bool, left: int, found: Scan) -> None:
    kind, nodes = type(node), found.nodes
    nodes[kind].append(node)
    matters, fields = _BRANCHES[kind]
    if matters:
        function, safe = _entered(node, function, safe, found)
    if not left:
        raise _TooDeepError
    for name in fields:
        value: Any = getattr(node, name, None)
        for child in value if type(value) is list else (value,):
            kind = type(child)
            if kind in _LEAVES:
                nodes[kind].append(child)
            elif kind in _BRANCHES:
                _visit(child, function, safe, left - 1, found)


def _entered(node: ast.AST, function: Function | None, safe: bool, found: Scan) -> tuple[Function | None, bool]:
    """Record the context of a call or import, and update the context for its children."""
    kind = type(node)
    if kind in _REMEMBERED:
        found.functions[node] = function
        if safe:
            found.guarded.add(node)
    elif kind in _FUNCTIONS:
        return node, safe  # type: ignore[return-value]  # what the kind says
    else:
        return function, safe or _guards(node)  # type: ignore[arg-type]  # what the kind says
    return function, safe


def children(node: ast.AST) -> list[ast.AST]:
    """The direct child nodes, without operators."""
    found: list[ast.AST] = []
    for name in _BRANCHES[type(node)][1]:
        value: Any = getattr(node, name, None)
        if type(value) is list:
            found += [child for child in value if type(child) in _BRANCHES]
        elif type(value) in _BRANCHES:
            found.append(value)
    return found


def _guards(node: ast.Try | ast.If | ast.With) -> bool:
    if isinstance(node, ast.Try):
        return any(h.type is None or _CATCHES & _last_names(h.type) for h in node.handlers)
    if isinstance(node, ast.If):
        return "TYPE_CHECKING" in _last_names(node.test)
    return any(
        isinstance(item.context_expr, ast.Call)
        and "suppress" in _last_names(item.context_expr.func)
        and any(_CATCHES & _last_names(a) for a in item.context_expr.args)
        for item in node.items
    )


def _last_names(node: ast.AST) -> set[str]:
    """The last part of a dotted name, or of each name in a tuple."""
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    return {p.attr if isinstance(p, ast.Attribute) else p.id for p in parts if isinstance(p, ast.Attribute | ast.Name)}


def salvaged_imports(lines: Iterable[str]) -> list[tuple[int, str, tuple[str, ...]]]:
    """Line, module (with leading dots) and names of apparent imports in a text that does not parse."""
    found: list[tuple[int, str, tuple[str, ...]]] = []
    for number, line in enumerate(lines, 1):
        match = _SALVAGED.match(line) if len(line) < 1000 else None
        if match is None:
            continue
        if match["origin"]:
            found.append((number, match["origin"], tuple(_first_words(match["names"]))))
        else:
            found += [(number, module, ()) for module in _first_words(match["modules"])]
    return found


def _first_words(text: str) -> list[str]:
    words = [part.split()[0] for part in text.replace(")", "").replace("\\", "").split(",") if part.strip()]
    return [w for w in words if w == "*" or w.replace(".", "_").isidentifier()]

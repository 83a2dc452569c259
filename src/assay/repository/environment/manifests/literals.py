"""What the lists in a Python file hold, read off its syntax tree as far as that goes without running it."""

from __future__ import annotations

import ast
import posixpath
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from assay.code.names import last_name
from assay.tree import Tree

_STEPS = 20_000
"""How many expressions are looked at before giving up."""
_DEPTH = 40
_LIST_ENDINGS = (".txt", ".in", ".pip")
_CONTAINERS = frozenset({"list", "set", "sorted", "tuple", "sum", "filter", "map"})
_GROWING = frozenset({"append", "extend", "add", "update", "insert"})

Text = tuple[str, int]
"""A string and the line where it stands."""
Entries = list[tuple[str, ast.expr]]


@dataclass
class Values:
    """Evaluates the ways in which lists of requirements are put together."""

    module: ast.Module
    folder: str
    tree: Tree
    files: list[str] = field(default_factory=list)
    """Requirements files that the values are read from."""
    steps: int = _STEPS
    assigned: dict[str, list[ast.expr]] = field(default_factory=lambda: defaultdict(list))
    items: dict[str, Entries] = field(default_factory=lambda: defaultdict(list))
    """What is put into dictionaries one by one: `extras["dev"] = […]`."""
    returned: dict[str, list[ast.expr]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for node in ast.walk(self.module):
            match node:
                case ast.Assign(targets=targets, value=value):
                    self._assign(targets, value)
                case (
                    ast.AnnAssign(target=target, value=ast.expr() as value) | ast.AugAssign(target=target, value=value)
                ):
                    self._assign([target], value)
                case ast.FunctionDef(name=name):
                    self.returned[name] = [n.value for n in ast.walk(node) if isinstance(n, ast.Return) and n.value]
                case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method), args=args):
                    self.assigned[name] += args if method in _GROWING else []

    def _assign(self, targets: list[ast.expr], value: ast.expr) -> None:
        for target in targets:
            match target:
                case ast.Name(id=name):
                    self.assigned[name].append(value)
                case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str() as key)):
                    self.items[name].append((key, value))

    def arguments(self, call: ast.Call) -> Iterator[tuple[str, ast.expr]]:
        """Names and values of the keywords, those of `**options` too."""
        for keyword in call.keywords:
            yield from self.entries(keyword.value) if keyword.arg is None else [(keyword.arg, keyword.value)]

    def entries(self, node: ast.expr, depth: int = 0) -> Entries:
        """Keys and values of a dictionary."""
        if not self._may_go_on(depth):
            return []
        match node:
            case ast.Dict():
                return self._pairs(node, depth)
            case ast.Call(func=ast.Name(id="dict"), keywords=keywords):
                return [(k.arg, k.value) for k in keywords if k.arg is not None]
            case ast.Call(func=ast.Name(id=name)):
                return self._entries_of(self.returned.get(name, ()), depth)
            case ast.Name(id=name):
                return self._entries_of(self.assigned.get(name, ()), depth) + self.items.get(name, [])
        return []

    def _entries_of(self, nodes: Iterable[ast.expr], depth: int) -> Entries:
        return [one for node in nodes for one in self.entries(node, depth + 1)]

    def _pairs(self, node: ast.Dict, depth: int) -> Entries:
        pairs = list(zip(node.keys, node.values, strict=True))
        drawn_in = self._entries_of((value for key, value in pairs if key is None), depth)
        named = ((key.value, value) for key, value in pairs if isinstance(key, ast.Constant))
        return [*drawn_in, *((key, value) for key, value in named if isinstance(key, str))]

    def strings(self, node: ast.expr | None, depth: int = 0) -> list[Text]:
        """Every string that an expression can hold."""
        if node is None or not self._may_go_on(depth):
            return []
        match node:
            case ast.Constant(value=str() as text):
                return _lines(text, node.lineno)
            case ast.JoinedStr(values=parts):
                return _lines("".join(self._part(part, depth) for part in parts), node.lineno)
            case ast.BinOp(left=ast.Constant() | ast.JoinedStr()):
                return self._operation(node, depth)
            case ast.Subscript():
                return self._item(node, depth)
            case ast.Call():
                return self._call(node, depth)
        return self._each(self._inner(node), depth)

    def _inner(self, node: ast.expr) -> Iterable[ast.expr]:
        """The expressions that an expression gets its strings from."""
        match node:
            case ast.Name(id=name):
                return self.assigned.get(name, [])
            case ast.List(elts=inner) | ast.Tuple(elts=inner) | ast.Set(elts=inner):
                return inner
            case ast.BoolOp(values=inner) | ast.Dict(values=inner):
                return inner
            case ast.IfExp(body=first, orelse=second) | ast.BinOp(left=first, right=second):
                return [first, second]
            case (
                ast.ListComp(generators=several)
                | ast.SetComp(generators=several)
                | ast.GeneratorExp(generators=several)
            ):
                return [one.iter for one in several]
            case ast.Starred(value=value) | ast.Attribute(value=value):
                return [value]
        return []

    def _each(self, nodes: Iterable[ast.expr], depth: int) -> list[Text]:
        return [text for node in nodes for text in self.strings(node, depth + 1)]

    def _operation(self, node: ast.BinOp, depth: int) -> list[Text]:
        """A text put together: `"numpy==" + version`, `"numpy==%s" % version`."""
        left, right = self.strings(node.left, depth + 1), self.strings(node.right, depth + 1)
        if left and isinstance(node.op, ast.Add):
            return _lines(left[0][0] + (right[0][0] if right else ""), left[0][1])
        if left and isinstance(node.op, ast.Mod):
            return _lines(left[0][0].partition("%")[0].rstrip("=<>~!"), left[0][1])
        return left + right

    def _part(self, node: ast.expr, depth: int) -> str:
        """A piece of an f-string; what is not known is left out."""
        found = self.strings(node.value if isinstance(node, ast.FormattedValue) else node, depth + 1)
        return found[0][0] if len(found) == 1 else ""

    def _item(self, node: ast.Subscript, depth: int) -> list[Text]:
        """What stands at a key; where that is not known, the key: many keep versions by the names of packages."""
        key = node.slice.value if isinstance(node.slice, ast.Constant) else None
        if not isinstance(key, str):
            return self.strings(node.value, depth + 1)
        entries = self.entries(node.value, depth + 1)
        return self._each([value for name, value in entries if name == key], depth) if entries else [(key, node.lineno)]

    def _call(self, node: ast.Call, depth: int) -> list[Text]:
        name, returned = last_name(node.func), self.returned.get(last_name(node.func), [])
        named = [path for part in (node, *returned) for path in self._files_in(part)]
        self.files += named
        if returned or named:
            return self._each(returned, depth) or ([] if named else self._each(node.args, depth))
        match node.func:
            case ast.Attribute(value=ast.Constant(value=str() as text), attr="split") if not node.args:
                return [(word, node.lineno) for word in text.split()]
            case ast.Attribute(value=ast.Constant(value=str() as text), attr="format"):
                return _lines(text.partition("{")[0].rstrip("=<>~! "), node.lineno)
            case ast.Attribute(value=ast.Constant(value=str() as text), attr="join"):
                return _lines(text.join(part for part, _ in self._each(node.args, depth)), node.lineno)
            case ast.Attribute(value=base):
                return self.strings(base, depth + 1) + (self._each(node.args, depth) if name == "union" else [])
        return self._each(node.args, depth) if name in _CONTAINERS else []

    def _files_in(self, node: ast.AST) -> Iterator[str]:
        """Requirements files of the repository that an expression names."""
        for inner in ast.walk(node):
            if not self._may_go_on(0):
                return
            if isinstance(inner, ast.Constant) and isinstance(inner.value, str) and inner.value.endswith(_LIST_ENDINGS):
                path = posixpath.normpath(posixpath.join(self.folder, inner.value.lstrip("/")))
                if self.tree.get(path):
                    yield path

    def _may_go_on(self, depth: int) -> bool:
        self.steps -= 1
        return self.steps > 0 and depth <= _DEPTH


def _lines(text: str, line: int) -> list[Text]:
    bare = ((part.partition(" #")[0].strip(), line + i) for i, part in enumerate(text.split("\n")[:500]))
    return [(part, number) for part, number in bare if part and not part.startswith("#")]

"""What the lists in a Python file hold, told from its syntax tree as far as that goes without running it."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Iterator
from dataclasses import dataclass, field

from packaging.utils import canonicalize_name

from assay.findings import Location
from assay.repository.environment.declared import Kind
from assay.repository.environment.requirement import Context, declare
from assay.tree import Tree

_STEPS = 20_000
"""How many expressions are looked at before giving up."""
_DEPTH = 40
_MOST_REMEMBERED = 1000
_LIST_ENDINGS = (".txt", ".in", ".pip")

Text = tuple[str, int]
"""A string and the line where it stands."""


@dataclass
class Values:
    """Evaluates the ways in which lists of requirements are put together."""

    module: ast.Module
    folder: str
    tree: Tree
    files: list[str] = field(default_factory=list)
    """Requirements files that the values are read from."""
    steps: int = _STEPS
    assigned: dict[str, list[ast.expr]] = field(default_factory=dict)
    items: dict[str, list[tuple[str, ast.expr]]] = field(default_factory=dict)
    """What is put into dictionaries one by one: `extras["dev"] = […]`."""
    returned: dict[str, list[ast.expr]] = field(default_factory=dict)
    listed: dict[str, Text] = field(default_factory=dict)
    """Requirements with versions in any list of the file, by name: some files keep them apart from their use."""

    def __post_init__(self) -> None:
        for node in ast.walk(self.module):
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    self._assign(target, node.value)
            elif isinstance(node, ast.AnnAssign | ast.AugAssign) and node.value is not None:
                self._assign(node.target, node.value)
            elif isinstance(node, ast.FunctionDef):
                found = (n.value for n in ast.walk(node) if isinstance(n, ast.Return) and n.value is not None)
                self.returned[node.name] = list(found)
            elif isinstance(node, ast.Call):
                self._extend(node)
            elif isinstance(node, ast.List):
                self._remember(node)

    def arguments(self, call: ast.Call) -> Iterator[tuple[str, ast.expr]]:
        """Names and values of the keywords, those of `**options` too."""
        for keyword in call.keywords:
            if keyword.arg is not None:
                yield keyword.arg, keyword.value
            else:
                yield from self.entries(keyword.value)

    def entries(self, node: ast.expr, depth: int = 0) -> list[tuple[str, ast.expr]]:
        """Keys and values of a dictionary."""
        if depth > _DEPTH or not self._step():
            return []
        if isinstance(node, ast.Dict):
            found = []
            for key, value in zip(node.keys, node.values, strict=True):
                if key is None:
                    found += self.entries(value, depth + 1)
                elif isinstance(key, ast.Constant) and isinstance(key.value, str):
                    found.append((key.value, value))
            return found
        if isinstance(node, ast.Call) and getattr(node.func, "id", None) == "dict":
            return [(k.arg, k.value) for k in node.keywords if k.arg is not None]
        if isinstance(node, ast.Call) and (name := getattr(node.func, "id", None)) in self.returned:
            return [e for value in self.returned[name] for e in self.entries(value, depth + 1)]
        if isinstance(node, ast.Name):
            whole = [e for value in self.assigned.get(node.id, ()) for e in self.entries(value, depth + 1)]
            return whole + self.items.get(node.id, [])
        return []

    def strings(self, node: ast.expr | None, depth: int = 0) -> list[Text]:
        """Every string that an expression can hold."""
        if node is None or depth > _DEPTH or not self._step():
            return []
        if isinstance(node, ast.Constant):
            return self._lines(node.value, node.lineno) if isinstance(node.value, str) else []
        if isinstance(node, ast.JoinedStr):
            return self._lines("".join(self._part(v, depth) for v in node.values), node.lineno)
        if isinstance(node, ast.BinOp):
            return self._operation(node, depth)
        if isinstance(node, ast.Subscript):
            return self._item(node, depth)
        if isinstance(node, ast.Call):
            return self._call(node, depth)
        return self._each(self._inner(node), depth)

    def _inner(self, node: ast.expr) -> list[ast.expr]:
        """The expressions that an expression gets its strings from."""
        if isinstance(node, ast.Name):
            return self.assigned.get(node.id, [])
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            return node.elts
        if isinstance(node, ast.IfExp):
            return [node.body, node.orelse]
        if isinstance(node, ast.BoolOp | ast.Dict):
            return node.values
        if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp):
            return [generator.iter for generator in node.generators]
        return [node.value] if isinstance(node, ast.Starred | ast.Attribute) else []

    def _each(self, nodes: list[ast.expr], depth: int) -> list[Text]:
        return [text for node in nodes for text in self.strings(node, depth + 1)]

    def _operation(self, node: ast.BinOp, depth: int) -> list[Text]:
        left, right = self.strings(node.left, depth + 1), self.strings(node.right, depth + 1)
        literal = isinstance(node.left, ast.Constant | ast.JoinedStr)
        if literal and left and isinstance(node.op, ast.Add):
            return self._lines(left[0][0] + (right[0][0] if right else ""), left[0][1])
        if literal and left and isinstance(node.op, ast.Mod):
            return self._lines(left[0][0].partition("%")[0].rstrip("=<>~!"), left[0][1])
        return left + right

    def _part(self, node: ast.expr, depth: int) -> str:
        """A piece of an f-string; what cannot be told is left out."""
        inner = node.value if isinstance(node, ast.FormattedValue) else node
        found = self.strings(inner, depth + 1)
        return found[0][0] if len(found) == 1 else ""

    def _item(self, node: ast.Subscript, depth: int) -> list[Text]:
        key = node.slice.value if isinstance(node.slice, ast.Constant) else None
        entries = self.entries(node.value, depth + 1)
        if isinstance(key, str) and entries:
            return self._each([value for name, value in entries if name == key], depth)
        if isinstance(key, str):
            return [self.listed.get(canonicalize_name(key), (key, node.lineno))]
        return self.strings(node.value, depth + 1)

    def _call(self, node: ast.Call, depth: int) -> list[Text]:
        name = getattr(node.func, "id", None) or getattr(node.func, "attr", None)
        files = self._files_in(node)
        self.files += files
        if name in self.returned:
            known = [self.listed[k] for k in self._names(node.args) if k in self.listed]
            for value in self.returned[name]:
                self.files += self._files_in(value)
            return known or self._each(self.returned[name], depth)
        if files:
            return []
        if isinstance(node.func, ast.Attribute):
            base = node.func.value
            if name == "split" and not node.args and isinstance(base, ast.Constant) and isinstance(base.value, str):
                return [(word, base.lineno) for word in base.value.split()]
            if name == "format" and isinstance(base, ast.Constant) and isinstance(base.value, str):
                return self._lines(base.value.partition("{")[0].rstrip("=<>~! "), base.lineno)
            return self.strings(base, depth + 1) + (self._each(node.args, depth) if name == "union" else [])
        return (
            self._each(node.args, depth) if name in {"list", "set", "sorted", "tuple", "sum", "filter", "map"} else []
        )

    def _files_in(self, node: ast.AST) -> list[str]:
        """Requirements files of the repository that an expression names."""
        found = []
        for inner in ast.walk(node):
            if not self._step():
                break
            if isinstance(inner, ast.Constant) and isinstance(inner.value, str) and inner.value.endswith(_LIST_ENDINGS):
                path = posixpath.normpath(posixpath.join(self.folder, inner.value.lstrip("/")))
                found += [path] if self.tree.get(path) else []
        return found

    def _names(self, nodes: list[ast.expr]) -> list[str]:
        return [canonicalize_name(n.value) for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)]

    def _lines(self, text: str, line: int) -> list[Text]:
        found = []
        for i, part in enumerate(text.split("\n")[:500]):
            bare = part.partition(" #")[0].strip()
            if bare and not bare.startswith("#"):
                found.append((bare, line + i))
        return found

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name):
            self.assigned.setdefault(target.id, []).append(value)
        elif isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
            key = target.slice.value if isinstance(target.slice, ast.Constant) else None
            self.items.setdefault(target.value.id, []).append((key if isinstance(key, str) else "optional", value))

    def _extend(self, node: ast.Call) -> None:
        """`requirements.append("numpy")` and its kin."""
        if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
            if node.func.attr in {"append", "extend", "add", "update"}:
                self.assigned.setdefault(node.func.value.id, []).extend(node.args)
            elif node.func.attr == "insert":
                self.assigned.setdefault(node.func.value.id, []).extend(node.args[1:])

    def _remember(self, node: ast.List) -> None:
        context = Context(Kind.SETUP_PY, Location(""))
        for element in node.elts:
            text = element.value if isinstance(element, ast.Constant) else None
            if (
                isinstance(text, str)
                and len(text) < 100
                and " " not in text.strip()
                and len(self.listed) < _MOST_REMEMBERED
            ):
                declared, problem = declare(text, context)
                if declared is not None and not problem:
                    self.listed.setdefault(declared.name, (text, element.lineno))

    def _step(self) -> bool:
        self.steps -= 1
        return self.steps > 0

"""Folders that a repository puts on Python's search path, read off its text."""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Iterable, Iterator

from assay.code.source import Source, calls_of
from assay.patterns import regex
from assay.tree import Tree

PROJECT_FILES = ("setup.py", "pyproject.toml", "setup.cfg")
SOURCE_FOLDERS = ("src", "lib", "python", "code", "source")
_SETTING = regex(r"PYTHONPATH[ =]\"?'?([^\s;\"'`]{1,300})")
_VARIABLE = regex(r"\$\(pwd\)|`pwd`|\$\{?(?:PWD|PYTHONPATH|DIR|ROOT)\w{0,20}\}?", re.IGNORECASE)
_SETTING_BYTES = 256 * 1024
_SETTING_FILES = 200
_APPENDING = frozenset({"sys.path.append", "sys.path.insert", "sys.path.extend", "site.addsitedir"})
_SAME = frozenset({"str", "os.path.abspath", "os.path.realpath", "os.path.normpath", "os.path.expanduser"})
_PATHS = frozenset({"pathlib.Path", "pathlib.PurePath"})


def search_path(tree: Tree, sources: Iterable[Source], package_root: str | None = None) -> tuple[str, ...]:
    """Folders of the repository that all its files may import from, "" (the root) first."""
    found = [""]
    if package_root is not None:
        found.append(package_root)
    for name in PROJECT_FILES:
        for file in tree.by_name(name):
            found += [file.folder, posixpath.join(file.folder, "src")]
    found += [f for f in SOURCE_FOLDERS if not tree.get(f + "/__init__.py")]
    for source in sources:
        found += appended(source)
    found += _exported(tree)
    return tuple(dict.fromkeys(f for f in found if f in tree.folders))


def appended(source: Source) -> Iterator[str]:
    """What `sys.path.append(…)` and its kin name, relative to the file and to the root."""
    if not source.mentions("sys.path") and not source.mentions("addsitedir"):
        return
    for call in calls_of(source, _APPENDING):
        if call.node.args:
            last = call.node.args[-1]
            for value in last.elts if isinstance(last, ast.List) else [last]:
                yield from _places(value, source)


def _places(value: ast.expr, source: Source) -> Iterator[str]:
    path = _PathValue(source).of(value, 0)
    if path is None:
        return
    for base in (_ROOT, posixpath.join(_ROOT, posixpath.dirname(source.path))):
        found = posixpath.normpath(posixpath.join(base, path))
        if found == _ROOT or found.startswith(_ROOT + "/"):
            yield found.removeprefix(_ROOT).lstrip("/")


_ROOT = "/\0"
"""Where the repository is imagined to be on disk, so that `__file__` has a value."""


class _PathValue:
    """Evaluates the few ways in which paths are put together."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def of(self, node: ast.expr, depth: int) -> str | None:
        """The path that an expression gives, or None when only running it would tell."""
        if depth > 20:
            return None
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, str) else None
        if isinstance(node, ast.Name):
            return self._of_name(node.id, depth)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div | ast.Add):
            left, right = self.of(node.left, depth + 1), self.of(node.right, depth + 1)
            joined = posixpath.join if isinstance(node.op, ast.Div) else str.__add__
            return None if left is None or right is None else joined(left, right)
        if isinstance(node, ast.Attribute) and node.attr == "parent":
            return self._above(self.of(node.value, depth + 1), 1)
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and node.value.attr == "parents":
            count = node.slice.value if isinstance(node.slice, ast.Constant) else None
            return self._above(self.of(node.value.value, depth + 1), count + 1) if isinstance(count, int) else None
        return self._of_call(node, depth) if isinstance(node, ast.Call) else None

    def _of_name(self, name: str, depth: int) -> str | None:
        if name == "__file__":
            return posixpath.join(_ROOT, self.source.path)
        values = [
            a.value
            for a in self.source.nodes(ast.Assign)
            if len(a.targets) == 1 and isinstance(a.targets[0], ast.Name) and a.targets[0].id == name
        ]
        return self.of(values[0], depth + 1) if len(values) == 1 else None

    def _of_call(self, node: ast.Call, depth: int) -> str | None:
        name = self.source.resolve(node.func)
        if name in {"os.getcwd", "pathlib.Path.cwd"}:
            return "."
        if isinstance(node.func, ast.Attribute) and node.func.attr in {"resolve", "absolute", "as_posix"}:
            return self.of(node.func.value, depth + 1)
        values = [self.of(a, depth + 1) for a in node.args]
        known = [v for v in values if v is not None]
        if not known or len(known) < len(values):
            return None
        if name in {"os.path.join", *_PATHS}:
            return posixpath.join(*known)
        if name == "os.path.dirname":
            return self._above(known[0], 1)
        return known[0] if name in _SAME else None

    @staticmethod
    def _above(path: str | None, count: int) -> str | None:
        """The folder so many levels up."""
        return None if path is None else posixpath.normpath(posixpath.join(path, *[".."] * min(count, 64)))


def _exported(tree: Tree) -> Iterator[str]:
    """What shell scripts, Dockerfiles, Makefiles and READMEs put into PYTHONPATH."""
    named = (*tree.by_suffix(".sh", ".md", ".env"), *tree.by_name("Makefile"), *tree.by_name("Dockerfile"))
    for file in [f for f in named if not f.vendored and f.size <= _SETTING_BYTES][:_SETTING_FILES]:
        for value in _SETTING.findall(file.text()):
            for part in _VARIABLE.sub("", value).split(":"):
                if part.strip("/") and "$" not in part:
                    yield posixpath.normpath(part.lstrip("/"))

"""Folders that a repository adds to Python's search path."""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Iterable, Iterator

from assay.code.source import Source, calls_of
from assay.patterns import regex
from assay.program.constants import Unknown, constant_of
from assay.tree import Tree

PROJECT_FILES = ("setup.py", "pyproject.toml", "setup.cfg")
SOURCE_FOLDERS = ("src", "lib", "python", "code", "source")
_SETTING = regex(r"PYTHONPATH[ =]\"?'?([^\s;\"'`]{1,300})")
_VARIABLE = regex(r"\$\(pwd\)|`pwd`|\$\{?(?:PWD|PYTHONPATH|DIR|ROOT)\w{0,20}\}?", re.IGNORECASE)
_SETTING_BYTES = 256 * 1024
_SETTING_FILES = 200
_APPENDING = frozenset({"sys.path.append", "sys.path.insert", "sys.path.extend", "site.addsitedir"})


def search_path(tree: Tree, sources: Iterable[Source], package_root: str | None = None) -> tuple[str, ...]:
    """Folders that every file of the repository can import from; "" is the root."""
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
    """Folders added by `sys.path.append(…)` and similar calls, relative to the file and to the root."""
    if not source.mentions("sys.path") and not source.mentions("addsitedir"):
        return
    for call in calls_of(source, _APPENDING):
        if call.node.args:
            last = call.node.args[-1]
            for value in last.elts if isinstance(last, ast.List) else [last]:
                yield from _places(value, source)


def _places(value: ast.expr, source: Source) -> Iterator[str]:
    path = _path_of(value, source)
    if path is None:
        return
    for base in (_ROOT, posixpath.join(_ROOT, posixpath.dirname(source.path))):
        found = posixpath.normpath(posixpath.join(base, path))
        if found == _ROOT or found.startswith(_ROOT + "/"):
            yield found.removeprefix(_ROOT).lstrip("/")


_ROOT = "/\0"
"""An imaginary location of the repository on disk, which gives `__file__` a value."""


def _path_of(value: ast.expr, source: Source) -> str | None:
    """The path that an expression evaluates to; None if only running it would show."""

    def assigned(name: str) -> list[ast.expr]:
        if name == "__file__":
            return [ast.Constant(posixpath.join(_ROOT, source.path))]
        single = (a for a in source.nodes(ast.Assign) if len(a.targets) == 1)
        return [a.value for a in single if isinstance(a.targets[0], ast.Name) and a.targets[0].id == name]

    try:
        path = constant_of(value, assigned, source.resolve)
    except Unknown:
        return None
    return path if isinstance(path, str) else None


def _exported(tree: Tree) -> Iterator[str]:
    """Folders that shell scripts, Dockerfiles, Makefiles and READMEs add to PYTHONPATH."""
    named = (*tree.by_suffix(".sh", ".md", ".env"), *tree.by_name("Makefile"), *tree.by_name("Dockerfile"))
    for file in [f for f in named if not f.vendored and f.size <= _SETTING_BYTES][:_SETTING_FILES]:
        for value in _SETTING.findall(file.text()):
            for part in _VARIABLE.sub("", value).split(":"):
                if part.strip("/") and "$" not in part:
                    yield posixpath.normpath(part.lstrip("/"))

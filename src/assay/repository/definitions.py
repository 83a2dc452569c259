"""Imports of the repository's own modules and names that the repository does not define."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Iterable, Iterator
from dataclasses import field

from assay.code import Code, Source
from assay.code.scanning import Import
from assay.findings import Location
from assay.records import dataclass
from assay.repository.environment.imports import MADE_LATER
from assay.tree import Tree

_BUILT = (".pyx", ".so", ".pyd", ".proto", ".c", ".cpp", ".cu", ".pyi")
_OPENING = frozenset({"globals", "exec", "locals", "_LazyModule"})
"""Functions that let a module define names while it runs."""
_MODULES = ("__file__", "__name__", "__doc__", "__path__", "__version__")
_MOST = 100
_DEEPEST = 6


@dataclass(frozen=True, slots=True)
class MissingDefinition:
    """A module or a name that a file imports from the repository itself, and that is not there."""

    name: str
    home: str
    """The file or folder that should have it."""
    location: Location
    module: bool
    """Whether a whole module is missing, not a name of one."""
    lazy: bool = False
    """It is imported inside a function, which need not be called."""


def read_missing_definitions(tree: Tree, code: Code, declared: frozenset[str]) -> tuple[MissingDefinition, ...]:
    """Every such import, once for each file; `declared` are modules that installed packages provide."""
    reader = _Reader(tree, code)
    found: list[MissingDefinition] = []
    for source in code.python:
        if source.tree is None:
            continue
        for imported in source.imports:
            if not imported.guarded and (imported.level or imported.top not in declared):
                found += reader.missing(imported, source)
    return tuple(found[:_MOST])


@dataclass(slots=True)
class _Reader:
    tree: Tree
    code: Code
    _names: dict[str, frozenset[str] | None] = field(default_factory=dict)

    def missing(self, imported: Import, source: Source) -> Iterator[MissingDefinition]:
        """What this import asks for in vain."""
        home = self._home(imported, source)
        if home is None:
            absent = self._absent_module(imported, source)
            yield from [absent] if absent is not None else self._absent_from_folder(imported, source)
            return
        known = self.names(home)
        if known is None:
            return
        folder = posixpath.dirname(home) if home.endswith("/__init__.py") else None
        for name in imported.names:
            beside = folder is not None and self._is_module(posixpath.join(folder, name))
            if name not in known and name != "*" and not beside:
                yield MissingDefinition(name, home, imported.location, module=False, lazy=imported.in_function)

    def _home(self, imported: Import, source: Source) -> str | None:
        """The one file that an import is about; None if it leads elsewhere, or if several files are called so."""
        bare = Import(imported.module, (), imported.location, level=imported.level)
        path = self.code.find(imported, source) or self.code.find(bare, source)
        if path is None or not imported.module:
            return None
        whole = "/" + imported.module.replace(".", "/")
        if not _dotted(path).endswith(whole):
            return None  # a package without a file of its own, whose module was found by its name
        if imported.level:
            return path
        alike = self.code.modules.elsewhere(imported.module.rpartition(".")[2])
        return path if sum(_dotted(other).endswith(whole) for other in alike) == 1 else None

    def _absent_module(self, imported: Import, source: Source) -> MissingDefinition | None:
        """A module that is asked of a folder of the repository which holds other modules, and not this one."""
        parts = imported.module.split(".")
        alone = len(parts) == 1 and not imported.level
        if not imported.module or alone or MADE_LATER.search(imported.module) or self._is_elsewhere(imported):
            return None
        for start in self._starts(imported, source):
            folder, missing = self._deepest(start, parts)
            if missing and self._holds_modules(folder, start, imported):
                asked = posixpath.join(folder, missing)
                absent = not (self._is_module(asked) or self._is_built(folder) or self.tree.hides(asked))
                return self._missing_in(folder, imported) if absent else None
        return None

    def _absent_from_folder(self, imported: Import, source: Source) -> Iterator[MissingDefinition]:
        """What `from folder import name` asks of the one folder so called, which is no package and has no such file."""
        alone = imported.module.isidentifier() and not imported.level and "*" not in imported.names
        folders = self.code.modules.elsewhere(imported.module) if alone else ()
        reached = {posixpath.join(start, imported.module) for start in self._starts(imported, source)}
        if len(folders) != 1 or folders[0] not in reached or self._is_package(folders[0]):
            return
        if not any(file.suffix == ".py" for file in self.tree.directly_in(folders[0])):
            return  # an installed package of this name is meant: it comes before a folder without `__init__.py`
        for name in imported.names:
            if not self._is_module(posixpath.join(folders[0], name)) and not self._is_built(folders[0]):
                yield MissingDefinition(name, folders[0], imported.location, module=False, lazy=imported.in_function)

    def _is_package(self, path: str) -> bool:
        return path not in self.tree.folders or self.tree.get(f"{path}/__init__.py") is not None

    def _is_elsewhere(self, imported: Import) -> bool:
        """Whether a module of this full name lies in some folder from which the import may be meant."""
        last = imported.module.rpartition(".")[2]
        whole = "/" + imported.module.replace(".", "/")
        found = () if imported.level else self.code.modules.elsewhere(last)
        return any(_dotted(path).endswith(whole) for path in found)

    def _starts(self, imported: Import, source: Source) -> Iterable[str]:
        """The folders from which an import is looked up."""
        start = posixpath.dirname(source.path)
        for _ in range(imported.level - 1):
            start = posixpath.dirname(start)
        return (start,) if imported.level else dict.fromkeys((start, *self.code.modules.roots))

    def _deepest(self, start: str, parts: list[str]) -> tuple[str, str]:
        """The deepest folder that a dotted name leads to, and the first part that is not there."""
        folder = start
        for part in parts:
            below = posixpath.join(folder, part)
            if below not in self.tree.folders:
                return folder, part
            folder = below
        return folder, ""

    def _holds_modules(self, folder: str, start: str, imported: Import) -> bool:
        """Whether Python files lie directly in a folder that an import names, at least by its dots."""
        named = imported.level or folder != start
        return bool(named) and any(file.suffix == ".py" for file in self.tree.directly_in(folder))

    def _missing_in(self, folder: str, imported: Import) -> MissingDefinition:
        return MissingDefinition(
            imported.module, folder or ".", imported.location, module=True, lazy=imported.in_function
        )

    def _is_module(self, path: str) -> bool:
        endings = (".py", "/__init__.py", *_BUILT)
        return path in self.tree.folders or any(self.tree.get(path + ending) for ending in endings)

    def _is_built(self, folder: str) -> bool:
        return any(file.name.endswith(_BUILT) for file in self.tree.directly_in(folder))

    def names(self, path: str, depth: int = 0) -> frozenset[str] | None:
        """What a module defines at its top level; None when it may define more."""
        if path not in self._names:
            self._names[path] = None  # a circle of star imports is left open
            self._names[path] = self._read(path, depth)
        return self._names[path]

    def _read(self, path: str, depth: int) -> frozenset[str] | None:
        source = self.code.source(path)
        if source is None or source.tree is None or source.errors or depth > _DEEPEST:
            return None
        found = {name for statement in _top_level(source.tree.body) for name in _bound(statement)} | set(_MODULES)
        if "__getattr__" in found or any(map(_opens, source.nodes(ast.Call))):
            return None
        found |= {name for node in source.nodes(ast.Global) for name in node.names}
        for inherited in (self._starred(i, source, depth) for i in source.imports if "*" in i.names):
            if inherited is None:
                return None
            found |= inherited
        return frozenset(found)

    def _starred(self, star: Import, source: Source, depth: int) -> frozenset[str] | None:
        home = self.code.find(star, source)
        return None if home is None else self.names(home, depth + 1)


def _dotted(path: str) -> str:
    """The path of a module as its dotted name has it, with slashes: `/a/b` for a/b.py and a/b/__init__.py."""
    return f"/{path}".removesuffix(".py").removesuffix("/__init__")


def _opens(call: ast.Call) -> bool:
    """Whether a call may give the module further names: `vars()` does, `vars(args)` does not."""
    if not isinstance(call.func, ast.Name):
        return False
    on_module = bool(call.args) and "modules" in ast.unparse(call.args[0])
    own = {"vars": not call.args, "setattr": on_module}
    return own.get(call.func.id, call.func.id in _OPENING)


def _top_level(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a module, those inside its conditions and loops as well."""
    for statement in body:
        yield statement
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        for name in ("body", "orelse", "finalbody"):
            yield from _top_level(getattr(statement, name, ()))
        for handler in getattr(statement, "handlers", ()):
            yield from _top_level(handler.body)
        for case in getattr(statement, "cases", ()):
            yield from _top_level(case.body)


def _bound(statement: ast.stmt) -> Iterator[str]:
    """The names that one statement binds."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield statement.name
    elif isinstance(statement, ast.Import):
        yield from (alias.asname or alias.name.partition(".")[0] for alias in statement.names)
    elif isinstance(statement, ast.ImportFrom):
        yield from (alias.asname or alias.name for alias in statement.names)
    else:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id

"""The modules that the repository provides, and the file of each.

Python finds a module beside the running script, among installed packages, and on its search path. So a file sees
its own folder, the folder of its package, the root, and the folders that the repository adds to the path (see
`paths`). Only if nothing is found there are the other enclosing folders tried, because scripts may be started from
them; packages count too if they contain a script.
"""

from __future__ import annotations

import ast
import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from functools import cached_property

from assay.code.paths import search_path
from assay.code.scanning import Import
from assay.code.source import Call, Source, calls
from assay.patterns import regex
from assay.records import dataclass
from assay.tree import Tree

_MODULE = regex(r"([A-Za-z_]\w*)(?:\.pyx?|(?:\.[\w-]{1,60})?\.(?:so|pyd))")
_ENDINGS = (".py", ".pyx", ".so", ".pyd")
_SCRIPT = regex(r"^if[ \t]+__name__[ \t]*==", re.MULTILINE)
_GENERATED = ("_pb2", "_pb2_grpc")
"""Endings of the modules that protoc generates from .proto files, in any output folder."""
_WRITING = frozenset({"file", "writefile"})
_EXTENSIONS = ("Extension", "CppExtension", "CUDAExtension", "Pybind11Extension", "CMakeExtension")


@dataclass(frozen=True)
class Modules:
    """Where imports lead inside one repository."""

    tree: Tree
    sources: Mapping[str, Source]
    roots: tuple[str, ...]
    """Folders on the path of every file; the repository's own root is ""."""
    renamed: Mapping[str, str]
    """Packages whose folder has another name, from `package_dir` of a setup file."""
    built: Mapping[str, str]
    """Modules that are compiled or generated, with the files they are built from."""
    written: Mapping[str, str] = field(default_factory=dict)
    """Modules that notebook cells write when they run (`%%writefile`), with the notebooks."""
    _with_scripts: dict[str, bool] = field(default_factory=dict)
    _seen: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def find(self, imported: Import, importer: Source) -> str | None:
        """The path of the file that an import leads to, or None when it leads out of the repository.

        Of two things called alike Python takes the installed one if the other is a bare folder, and a reader
        takes the one that has what is asked for. So a folder without `__init__.py` counts only if the wanted
        submodule is in it, and a top-level file or package only if it has half of the names wanted of it.
        (An outdated import of the repository's own package is therefore not found, but its name is in `local`.)
        """
        if imported.level:
            return self._relative(imported, importer)
        parts = imported.module.split(".")
        if made := self.made_from(imported):
            return made
        wanted = imported.names or _names_used(imported, importer)
        found = self._found(parts, wanted, importer)
        return found if found is None or imported.names else self._whole(found, parts)

    def _whole(self, found: str, parts: list[str]) -> str:
        """What `import package` gives: the package itself, and not the part of it that is used first."""
        *above, _ = found.split("/")
        folders = (
            "/".join(above[:end]) for end in range(len(parts), len(above) + 1) if above[:end][-len(parts) :] == parts
        )
        return next(filter(None, map(self._package_start, folders)), found)

    def _found(self, parts: list[str], wanted: tuple[str, ...], importer: Source) -> str | None:
        if parts[0] in self.renamed:
            return self._at(self.renamed[parts[0]], parts[1:], wanted)
        for root in self._seen_from(importer):
            found = self._at(root, parts, wanted)
            if found is not None and (found != importer.path or self._names_itself(root, parts)):
                return found
        return self._at_home(parts, wanted, importer)

    def _at_home(self, parts: list[str], wanted: tuple[str, ...], importer: Source) -> str | None:
        """A module of the file's own package, whichever enclosing folder is also a package."""
        folders = importer.path.split("/")[:-1]
        around = ["/".join(folders[:i]) for i, name in enumerate(folders) if name == parts[0]]
        found = (self._at(root, parts, wanted) for root in reversed(around) if len(parts) > 1)
        return next((path for path in found if path not in (None, importer.path)), None)

    def _names_itself(self, root: str, parts: list[str]) -> bool:
        """True if a file imports itself by its full name; a bare name refers to another module."""
        return len(parts) > 1 and self._package_start(posixpath.join(root, parts[0])) is not None

    def made_from(self, imported: Import) -> str | None:
        """The file that an imported module is compiled or generated from."""
        if not self.built:
            return None
        top, *below = imported.module.split(".")
        generated = (name for name in (*below, *imported.names) if name.endswith(_GENERATED))
        found = next((self.built[name] for name in (top, *generated) if name in self.built), None)
        asked = tuple(f".{name}" for name in (imported.module, *(f"{imported.module}.{n}" for n in imported.names)))
        dotted = (name for name in self.built if "." in name)
        return found or next((self.built[d] for d in dotted if any(a.endswith(f".{d}") for a in asked)), None)

    def _relative(self, imported: Import, importer: Source) -> str | None:
        folder = importer.path.rpartition("/")[0]
        for _ in range(imported.level - 1):
            if not folder:
                return None
            folder = folder.rpartition("/")[0]
        parts = imported.module.split(".") if imported.module else []
        below = posixpath.join(folder, *parts)
        return self._in_package(below, imported.names) or self._package_start(below) or self._at(folder, parts, ())

    @cached_property
    def local(self) -> dict[str, tuple[str, ...]]:
        """Every top-level name that some file could import, with the paths that provide it."""
        found: dict[str, set[str]] = defaultdict(set)
        for known in (self.written, self.built, self.renamed):
            found |= {name: {path} for name, path in known.items() if "." not in name}
        for name, path in self._importable():
            found[name].add(path)
        return {name: tuple(sorted(paths)) for name, paths in sorted(found.items())}

    def _importable(self) -> Iterator[tuple[str, str]]:
        """Modules and packages in the folders that a file searches, with their paths."""
        folders = {posixpath.dirname(path) for path in self.sources}
        starts = {*self.roots, *(f for f in folders if posixpath.join(f, "__init__.py") not in self.sources)}
        files = (file for start in starts for file in self.tree.directly_in(start))
        yield from ((match[1], file.path) for file in files if (match := _MODULE.fullmatch(file.name)))
        for folder in self._python_folders:
            above, _, name = folder.rpartition("/")
            if above in starts and name.isidentifier():
                yield name, folder

    def sees(self, importer: Source, path: str) -> bool:
        """True if a file searches the folder of another file for modules."""
        return path.rpartition("/")[0] in self._seen_from(importer)

    def elsewhere(self, name: str) -> tuple[str, ...]:
        """Modules and packages of this name anywhere in the tree, even where no file would find them."""
        files = [f.path for ending in _ENDINGS for f in self.tree.by_name(name + ending)]
        return tuple(sorted([*files, *(f for f in self._python_folders if f.rpartition("/")[2] == name)]))

    @cached_property
    def _python_folders(self) -> frozenset[str]:
        """Folders with Python files in them or below."""
        found: set[str] = set()
        for file in self.tree.by_suffix(".py", ".pyx", ".so"):
            folder = file.folder
            while folder and folder not in found:
                found.add(folder)
                folder = folder.rpartition("/")[0]
        return frozenset(found)

    def _seen_from(self, importer: Source) -> tuple[str, ...]:
        """Folders that a file searches for modules."""
        if importer.path not in self._seen:
            self._seen[importer.path] = self._view(importer)
        return self._seen[importer.path]

    def _view(self, importer: Source) -> tuple[str, ...]:
        """The file's own folder (unless it is a package), its package's parent, and the search path.

        At last those above it from which it may have been started.
        """
        folder = importer.path.rpartition("/")[0]
        package = "/".join(importer.package)
        home = folder.removesuffix(package).rstrip("/") if package else folder
        near = [] if importer.path.endswith("__init__.py") else [folder]
        above = [home]
        while above[-1]:
            above.append(above[-1].rpartition("/")[0])
        inside = [folder]
        while inside[-1] and inside[-1] != home:
            inside.append(inside[-1].rpartition("/")[0])
        startable = [a for a in (*above, *inside) if self._package_start(a) is None or self._has_script(a)]
        return tuple(dict.fromkeys([*near, home, *self.roots, *startable]))

    def _has_script(self, folder: str) -> bool:
        """True if a file directly in this folder is a script."""
        if folder not in self._with_scripts:
            files = (self.sources.get(file.path) for file in self.tree.directly_in(folder))
            scripts = (s for s in files if s is not None and s.notebook is None and _SCRIPT.search(s.text))
            self._with_scripts[folder] = next(scripts, None) is not None
        return self._with_scripts[folder]

    def _at(self, root: str, parts: list[str], names: tuple[str, ...]) -> str | None:
        """Follow the parts of a module's name down from a folder, then look up the imported names."""
        here, start = root, None
        for i, part in enumerate(parts):
            path = _below(here, part)
            if not self._is_package(path):
                return self._with(self._module_file(path), () if i else names) or self._with(start, (part,))
            here, start = path, self._package_start(path) or start
        return self._in_package(here, names) or self._with(start, () if len(parts) > 1 else names)

    def _with(self, path: str | None, names: tuple[str, ...]) -> str | None:
        """A module, if it defines the names."""
        return path if path and self._has(path, names) else None

    def _is_package(self, path: str) -> bool:
        """True if a folder with Python is a package: a module of the same name hides one without `__init__.py`."""
        return path in self._python_folders and bool(self._package_start(path) or not self._module_file(path))

    def _in_package(self, folder: str, names: tuple[str, ...]) -> str | None:
        """The first submodule among the names."""
        inner = [_below(folder, name) for name in names]
        found = (self._module_file(path) or self._package_start(path) for path in inner)
        return next(filter(None, found), None)

    def _package_start(self, folder: str) -> str | None:
        """The `__init__` file of a regular package."""
        path = _below(folder, "__init__.py")
        return path if path in self.sources else None

    def _module_file(self, path: str) -> str | None:
        return next((path + e for e in _ENDINGS if self.tree.get(path + e)), None)

    def _has(self, path: str, names: tuple[str, ...]) -> bool:
        """True if a module defines at least half of the names; unknown counts as yes."""
        source = self.sources.get(path)
        if source is None or not names or "*" in names or source.open_ended:
            return True
        return 2 * len(source.bound.intersection(names)) >= len(names)


def _names_used(imported: Import, importer: Source) -> tuple[str, ...]:
    """The attributes that the importing file uses of a module."""
    if not imported.alias and "." in imported.module:
        return ()
    used = importer.attributes.get(imported.alias or imported.module, ())
    return tuple(sorted(name for name in used if not name.startswith("__")))


def _below(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def read_modules(tree: Tree, sources: Mapping[str, Source]) -> Modules:
    """What the setup files and the layout of the repository say about its modules."""
    renamed: dict[str, str] = {}
    built = {f.name[: -len(".proto")] + end: f.path for f in tree.by_suffix(".proto") for end in _GENERATED}
    for path, call in _setup_calls(tree, sources):
        function = call.name.rpartition(".")[2]
        if function == "setup":
            renamed |= _package_folders(call.node, posixpath.dirname(path))
        elif function in _EXTENSIONS:
            built |= dict.fromkeys(_extension_name(call.node), path)
    roots = search_path(tree, sources.values(), renamed.pop("", None))
    return Modules(tree, sources, roots, renamed, built, dict(_written(sources.values())))


def _setup_calls(tree: Tree, sources: Mapping[str, Source]) -> Iterator[tuple[str, Call]]:
    """Every call in a setup file, with the path of the file."""
    for file in tree.by_suffix(".py"):
        if file.path in sources and (file.name.endswith("setup.py") or file.name.startswith("setup_")):
            yield from ((file.path, call) for call in calls(sources[file.path]))


def _written(sources: Iterable[Source]) -> Iterator[tuple[str, str]]:
    """Modules that notebook cells write, by their own names and by their folders."""
    for source in sources:
        for magic in source.cell_magics:
            path = magic.text.split()[-1].strip("'\"") if magic.name in _WRITING and magic.text else ""
            if path.endswith(".py"):
                parts = path.removesuffix(".py").split("/")
                yield from ((name, source.path) for name in (parts[0], parts[-1]) if name.isidentifier())


def _package_folders(setup: ast.Call, folder: str) -> dict[str, str]:
    """The literal part of `package_dir={"name": "folder"}`; the name "" stands for all packages."""
    value = next((k.value for k in setup.keywords if k.arg == "package_dir"), None)
    if not isinstance(value, ast.Dict):
        return {}
    found = {}
    for key, given in zip(value.keys, value.values, strict=True):
        name, path = _text(key), _text(given)
        if name is not None and path is not None:
            where = posixpath.normpath(posixpath.join(folder, path))
            found[name] = "" if where == "." else where
    return found


def _extension_name(call: ast.Call) -> Iterator[str]:
    named = [k.value for k in call.keywords if k.arg == "name"]
    yield from (name for value in [*call.args[:1], *named] if (name := _text(value)) is not None)


def _text(node: ast.expr | None) -> str | None:
    """The text of a string literal."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None

"""What a file imports: from its own repository, and from elsewhere."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Set
from dataclasses import field
from functools import lru_cache

from assay.code import Code, Import, Language, Source
from assay.findings import Location
from assay.records import dataclass
from assay.repository.randomness.lookup import ROOTS
from assay.repository.randomness.units import Function


@dataclass(slots=True)
class Local:
    """What a file imports from its own repository."""

    modules: dict[str, str] = field(default_factory=dict)
    names: dict[str, tuple[str, str]] = field(default_factory=dict)
    stars: list[str] = field(default_factory=list)

    def knows(self, name: str) -> bool:
        """Whether a name in the file stands for something local."""
        return name in self.modules or name in self.names


def local_imports(source: Source, code: Code, stems: Set[str]) -> Local:
    """What a file imports from its repository; `stems` are all names that could be modules of it."""
    local = Local()
    here = Location(source.path)
    for plain in source.nodes(ast.Import):
        for alias in plain.names:
            if alias.name.partition(".")[0] in stems:
                found = _find(Import(alias.name, (), here), source, code)
                if found is not None:
                    local.modules[alias.asname or alias.name.partition(".")[0]] = found
    for node in source.nodes(ast.ImportFrom):
        if not node.level and (node.module or "").partition(".")[0] not in stems:
            continue
        whole = _find(Import(node.module, (), here, level=node.level), source, code) if node.module else None
        for alias in node.names:
            found = _find(Import(node.module or "", (alias.name,), here, level=node.level), source, code)
            if found is None:
                continue
            if alias.name == "*":
                local.stars.append(found)
            elif found != whole and _is_called(found, alias.name):
                local.modules[alias.asname or alias.name] = found
            else:
                local.names[alias.asname or alias.name] = (found, alias.name)
    return local


def _find(imported: Import, source: Source, code: Code) -> str | None:
    """Where an import leads. A run may begin in any folder above a file, and then finds what is in that."""
    found = code.find(imported, source)
    folder = source.path
    while found is None and not imported.level and folder:
        folder = folder.rpartition("/")[0]
        found = code.find(imported, _nobody(folder))
    return found


@lru_cache(maxsize=256)
def _nobody(folder: str) -> Source:
    """An empty file in a folder, to look for modules from there."""
    return Source(f"{folder}/?" if folder else "?", Language.PYTHON, vendored=False)


def _is_called(path: str, name: str) -> bool:
    """Whether this is the path of a module or package of that name."""
    return path.removesuffix("/__init__.py").rpartition("/")[2].partition(".")[0] == name


@dataclass(frozen=True, slots=True)
class Foreign:
    """What a file imports from elsewhere."""

    names: Mapping[str, str]
    """What each name stands for."""
    packages: frozenset[str]
    known: frozenset[str]
    """Names from packages that the table of calls knows."""
    stars: tuple[str, ...]

    @classmethod
    def of(cls, source: Source, local: Local, code: Code, stems: Set[str]) -> Foreign:
        """All that is imported and is not local, in the file itself or through files imported with `*`."""
        shared = [item for path in local.stars for item in _shared(code.source(path), code).items()]
        foreign = ROOTS | (frozenset(target.partition(".")[0] for _, target in shared) - stems)
        names = {name: target for name, target in shared if target.partition(".")[0] in foreign}
        names |= {name: target for name, target in source.aliases.items() if not local.knows(name)}
        stars = tuple(star for star in source.stars if star.partition(".")[0] in ROOTS)
        packages = frozenset(target.partition(".")[0] for target in (*names.values(), *stars))
        known = frozenset(name for name, target in names.items() if target.partition(".")[0] in ROOTS)
        return cls(names, packages, known, stars)

    def full_name(self, node: ast.expr, root: str, source: Source, function: ast.AST | None) -> str:
        """The name of what is called, through imports here and in files that are imported with `*`."""
        name = source.resolve(node, function if isinstance(function, Function) else None)
        return name if root in source.aliases else self.names[root] + name[len(root) :]


def _shared(source: Source | None, code: Code, hops: int = 3) -> dict[str, str]:
    """What a file that is imported with `*` passes on of its own imports."""
    if source is None or not hops:
        return {}
    found: dict[str, str] = {}
    here = Location(source.path)
    for node in source.nodes(ast.ImportFrom):
        if node.names[0].name == "*":
            path = _find(Import(node.module or "", ("*",), here, level=node.level), source, code)
            found |= _shared(code.source(path), code, hops - 1) if path else {}
    return found | source.aliases

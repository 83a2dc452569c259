"""What the code imports from outside the repository, and who would have to be installed for it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from difflib import get_close_matches
from enum import StrEnum
from functools import cached_property

from packaging.utils import canonicalize_name

from assay.code import Code, Import, Source
from assay.code.suites import tests_something
from assay.findings import Location
from assay.patterns import regex
from assay.records import dataclass
from assay.repository.environment.clones import is_cloned
from assay.repository.environment.distributions import Table, table
from assay.repository.environment.own_names import is_own_by_name, withheld_modules
from assay.repository.environment.public_names import is_public
from assay.repository.environment.standard import MODULES, platform_of
from assay.repository.vocabulary import vocabulary
from assay.tree import Tree

_WORDS = vocabulary("assay.repository.environment", "modules.toml")
_BESIDE = regex(r"(?:^|/)(?:docs?|\.github|ci)/|(?:^|/)(?:noxfile|fabfile|setup|versioneer|_?build_?ext)\.py$")
"""Files that serve the project, not the work: documentation, automation, building."""
_MAY_TEST = regex(r"(?:^|/)(?:tests?|testing|unit_?tests?)/|(?:^|/)(?:conftest|test_[^/]*|[^/]*_tests?)\.py$")
_TESTS = regex(r"(?:^|/)tests/|(?:^|/)conftest\.py$")

_SAME = {"mpl_toolkits": "matplotlib", "mpl_toolkits.mplot3d": "matplotlib", "pylab": "matplotlib"}
"""Modules that come with another, which is the one that people know."""
MADE_LATER = _WORDS.pattern("made_later")
"""Modules that building or installing makes."""
_ENDINGS = _WORDS.listed("module_endings")
_MOST_ATTRIBUTES = 50
_DEEP = 2
"""So far down in the tree a folder that is called like a package on PyPI is the authors' code around that."""
_ALIKE = 0.75
"""How alike two names are of which one is the other mistyped; `utlis` and `utils` are 0.8 alike."""
_SHORT = 3
"""A name of so few letters begins many others."""


class Role(StrEnum):
    """What a module is needed for; the most pressing of all its uses counts."""

    REQUIRED = "required"
    OPTIONAL = "optional"
    """Every import is guarded, or in the demonstration of a module, so that the work runs without it."""
    TESTS = "tests"
    """Only tests import it, which nobody can run without."""
    DEVELOPMENT = "development"
    """Only documentation and setup files import it."""


@dataclass(frozen=True, slots=True)
class Use:
    """One import of a module from outside."""

    module: str
    """The dotted name as far as it tells distributions apart: `cv2`, `google.cloud.storage`."""
    location: Location
    role: Role
    lazy: bool
    """Inside a function, so that it is imported only when that is called."""


@dataclass(frozen=True, slots=True)
class Outside:
    """A module from outside the repository with all its uses."""

    module: str
    distributions: tuple[str, ...]
    """Distributions that would provide it, the likeliest first; none when it is in no table."""
    uses: tuple[Use, ...]
    platform: str = ""
    """The only platform that has it, if so."""
    public: bool = True
    """Whether anything on PyPI has a module of this name."""
    generic: bool = False
    """Whether its name or its company shows that it is a module of the authors' own: a file is missing."""

    @property
    def role(self) -> Role:
        """The most pressing role."""
        return min((use.role for use in self.uses), key=list(Role).index)

    @property
    def places(self) -> tuple[Location, ...]:
        """Where it is imported."""
        return tuple(use.location for use in self.uses)


def outside_modules(
    tree: Tree, code: Code, own_names: Iterable[str], cloned: Iterable[str] = ()
) -> tuple[Outside, ...]:
    """Modules that the authors' own Python imports and neither Python nor the repository has.

    What the instructions say to clone into the repository counts as part of it.
    """
    finder = _Finder(
        tree, code, table(), frozenset(own_names), tree.unfetched, withheld_modules(tree), frozenset(cloned)
    )
    found: dict[str, list[Use]] = {}
    tests = _tests(code)
    for source in code.python:
        beside = Role.DEVELOPMENT if _BESIDE.search(source.path) else Role.TESTS if source.path in tests else None
        for use in finder.uses(source, beside):
            found.setdefault(use.module, []).append(use)
    return tuple(finder.outside(module, uses) for module, uses in sorted(found.items()))


def _tests(code: Code) -> frozenset[str]:
    """Paths of tests.

    In research code `test.py` and `test/` often evaluate a model. They are tests only if they test something: a file
    with a test framework or test functions that need no arguments, or any file in a test folder that has such a file.
    """
    candidates = [source for source in code.python if _MAY_TEST.search(source.path)]
    tests = {source.path for source in candidates if _TESTS.search(source.path) or tests_something(source)}
    folders = tuple({path.rpartition("/")[0] + "/" for path in tests if "/" in path})
    inside = {s.path for s in candidates if s.path.startswith(folders)}
    return frozenset(tests | inside)


def _attributes(imported: Import, source: Source) -> list[str]:
    """What a file takes from a module that it imports as a whole."""
    name = imported.alias or imported.top
    parts = (n for n in source.nodes(ast.Attribute) if isinstance(n.value, ast.Name) and n.value.id == name)
    return list(dict.fromkeys(part.attr for part in parts))[:_MOST_ATTRIBUTES]


@dataclass(frozen=True)
class _Finder:
    tree: Tree
    code: Code
    table: Table
    own_names: frozenset[str]
    submodules: tuple[str, ...]
    withheld: frozenset[str]
    """Modules whose files the repository tells git to ignore."""
    cloned: frozenset[str]
    """What the instructions say to clone into the repository."""
    paths: dict[str, tuple[str, ...]] = field(default_factory=dict)
    absent: set[str] = field(default_factory=set)
    """Modules that must be the repository's own, and are not in it."""

    def outside(self, module: str, uses: list[Use]) -> Outside:
        providers = self.table.providing(module)
        platform = platform_of(module)
        part = "." in module and self.table.is_shared(module)
        public = bool(providers) or part or is_public(module.partition(".")[0])
        generic = module in self.absent or is_own_by_name(module, providers, self.withheld)
        generic = generic or (not providers and self._is_mistyped(module, uses))
        generic = generic or (not public and self._has_a_twin(module, uses))
        return Outside(module, providers, tuple(uses), platform, public and not generic, generic)

    def _is_mistyped(self, module: str, uses: list[Use]) -> bool:
        """Whether a file beside one that imports it is called almost so: `dist_util` beside `dist_util_torch.py`.

        A file that imports it as well may be called after it.
        """
        users = {use.location.path for use in uses}
        folders = {path.rpartition("/")[0] for path in users}
        files = {file.path: file.name for folder in folders for file in self.tree.directly_in(folder)}
        alike = (path for path, name in files.items() if name.startswith((f"{module}_", f"{module}s.")))
        return len(module) > _SHORT and any(path.endswith(".py") and path not in users for path in alike)

    def _has_a_twin(self, module: str, uses: list[Use]) -> bool:
        """Whether a module of the repository, called almost so, defines all that is imported: `utlis`, `utils.py`."""
        users = [source for path in {use.location.path for use in uses} if (source := self.code.source(path))]
        names = {name for user in users for i in user.imports if i.top == module for name in i.names}
        stems = {source.path.rpartition("/")[2].removesuffix(".py"): source for source in self.code.python}
        alike = get_close_matches(module, set(stems) - {module}, n=2, cutoff=_ALIKE) if names else []
        return any(names <= stems[stem].bound for stem in alike)

    def uses(self, source: Source, beside: Role | None) -> Iterator[Use]:
        """Uses in a file of the work, or in one beside it that has a role of its own."""
        for imported in source.imports:
            role = self._role(imported, source, beside)
            for module in self._outside_names(imported, source):
                yield Use(_SAME.get(module, module), imported.location, role, imported.in_function)

    def _role(self, imported: Import, source: Source, beside: Role | None) -> Role:
        if beside is not None:
            return Role.DEVELOPMENT if imported.guarded else beside
        spared = imported.guarded or (imported.in_main and source.path in self.imported)
        return Role.OPTIONAL if spared else Role.REQUIRED

    def _outside_names(self, imported: Import, source: Source) -> Sequence[str]:
        """What an import asks for that neither Python nor the repository has."""
        if missing := self._lacking(imported, source):
            self.absent.add(missing)
            return [missing]
        known = imported.level or not imported.top.isidentifier() or imported.top in MODULES
        return [] if known or self._is_local(imported, source) else self._told_apart(imported, source)

    @cached_property
    def imported(self) -> frozenset[str]:
        """Files that others import: what they need only when they are run themselves, the work does without."""
        found = (self.code.find(i, source) for source in self.code.python for i in source.imports)
        return frozenset(path for path in found if path is not None)

    def _lacking(self, imported: Import, source: Source) -> str:
        """The name of a module that is asked for in a package of the repository, which does not have it."""
        top, *below = imported.module.split(".")
        if not top or not (below or imported.level) or MADE_LATER.search(imported.module):
            return ""
        folders = source.path.split("/")[: -imported.level] if imported.level else []
        below = [top, *below] if imported.level else below
        name = ".".join([*folders, *below]) if imported.level else imported.module
        starts = self._package(folders) if imported.level else self._own_packages(top)
        made = self.code.modules.made_from(replace(imported, module=name))
        if not starts or made or any(self._may_have(start, below) for start in starts):
            return ""
        return "" if self.code.find(imported, source) is not None else name

    def _package(self, folders: list[str]) -> list[str]:
        """The folder of a relative import, if it is a package."""
        package = all(map(str.isidentifier, folders)) and self.tree.get("/".join([*folders, "__init__.py"]))
        return ["/".join(folders)] if package else []

    def _own_packages(self, top: str) -> list[str]:
        known = top in MODULES or self.table.providing(top) or top in self.code.modules.written
        paths = [] if known else self._called(top)
        return [path for path in paths if path.count("/") < _DEEP or not is_public(top)]

    def _called(self, name: str) -> list[str]:
        """Files and packages of exactly that name; none where some are other people's, or were not fetched."""
        paths = [path for path in self._anywhere(name) if path.rpartition("/")[2].partition(".")[0] == name]
        files = (file for path in paths for file in (self.tree.get(path), *self.tree.under(path)[:1]) if file)
        unfetched = any(name in path.split("/") for path in self.submodules)
        return [] if unfetched or any(file.vendored for file in files) else paths

    def _may_have(self, package: str, below: list[str]) -> bool:
        """Whether a package has a module, or something in it that may become or stand for it."""
        base = "/".join([package, *below])
        if self.tree.under(base) or any(self.tree.get(base + ending) is not None for ending in _ENDINGS):
            return True
        start = self.code.source(f"{package}/__init__.py")
        return start is not None and (start.mentions(below[0]) or start.mentions("sys.modules"))

    def _is_local(self, imported: Import, source: Source) -> bool:
        if self.code.modules.made_from(imported) or imported.top in self.code.modules.written:
            return True
        providers = self.table.providing(imported.top)
        if is_cloned(imported.top, source, known=bool(providers)):
            return True
        elsewhere = self._anywhere(imported.top)
        if not elsewhere:
            name = canonicalize_name(imported.top)
            cloned = name in self.cloned and not any(map(self.table.is_downloaded, providers))
            return name in self.own_names or cloned or self._in_submodule(imported.top, source)
        if self.code.find(imported, source) is not None:
            return True
        if imported.top not in self.table.popular:  # a file of that name is likelier than a distribution that few know
            return not self._shadows_nothing(imported, elsewhere, source)
        return any(
            file.vendored for path in elsewhere for file in (self.tree.get(path), *self.tree.under(path)[:1]) if file
        )

    def _shadows_nothing(self, imported: Import, paths: Sequence[str], source: Source) -> bool:
        """Whether all that is called like a known module are bare folders without what is asked of it."""
        providers = self.table.providing(imported.top)
        if not providers or canonicalize_name(imported.top) in self.own_names:
            return False
        below = imported.module.split(".")[1:]
        asked = [below] if below else [[name] for name in imported.names or _attributes(imported, source)]
        return bool(asked) and all(
            self._is_bare(path) and not any(self._may_have(path, parts) for parts in asked) for path in paths
        )

    def _is_bare(self, path: str) -> bool:
        return self.tree.get(path) is None and self.tree.get(f"{path}/__init__.py") is None

    def _anywhere(self, name: str) -> tuple[str, ...]:
        """Paths in the repository that are called like a module, or that are renamed to it."""
        if name not in self.paths:
            modules = self.code.modules
            renamed = modules.renamed.get(name)
            self.paths[name] = (*modules.elsewhere(name), *([] if renamed is None else [renamed]))
        return self.paths[name]

    def _in_submodule(self, name: str, source: Source) -> bool:
        """Whether a submodule that was not fetched seems to hold the module.

        It may be called like it, or the file may put it on its path: then what is not well known may be in there.
        """
        wanted = canonicalize_name(name)
        for path in self.submodules:
            last = path.rpartition("/")[2]
            if canonicalize_name(last) == wanted or path.partition("/")[0] == name:
                return True
            if name not in self.table.popular and source.mentions("sys.path") and source.mentions(last):
                return True
        return False

    def _told_apart(self, imported: Import, source: Source) -> Sequence[str]:
        """The module's name, with the parts that tell the distribution; none for a shared package beside its parts."""
        if not self.table.is_shared(imported.module):
            return [imported.top]
        if not imported.names and any(other.module.startswith(f"{imported.module}.") for other in source.imports):
            return []
        wholes = [f"{imported.module}.{name}" for name in imported.names if name != "*"] or [imported.module]
        return list(dict.fromkeys(self._shortened(whole) for whole in wholes))

    def _shortened(self, whole: str) -> str:
        """The shortest beginning of a name that has the same distributions as the whole."""
        parts = whole.split(".")[:4]
        providers = self.table.providing(".".join(parts))
        if not providers:
            return ".".join(parts[:2])
        return next(
            ".".join(parts[:end])
            for end in range(1, len(parts) + 1)
            if self.table.providing(".".join(parts[:end])) == providers
        )

"""Seeds that are declared and never get to a random generator."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache

from assay.code import Source
from assay.patterns import regex
from assay.program.settings import Rank, Settings
from assay.records import dataclass
from assay.repository.randomness.facts import Declared, UnusedSeed
from assay.repository.randomness.graph import Graph
from assay.repository.randomness.lookup import rows_for
from assay.repository.randomness.roles import Role
from assay.repository.randomness.units import Function, Hit, Kind

_SEED = regex(r"(?:\w*_)?(?:seed|random_?state)s?|(?:manual|random|rand|global)seed", re.IGNORECASE)
_TELLING = frozenset({"print", "info", "debug", "warning", "log", "format", "write", "join", "add_scalar", "pprint"})


@dataclass(frozen=True, slots=True)
class SeedNames:
    """Names in one file that look like a seed's: those that are read, and those that may be in vain."""

    members: frozenset[str] = frozenset()
    """Attributes, keys, parameters and imported names that are read, other than to be shown."""
    variables: tuple[UnusedSeed, ...] = ()
    """Variables and generators that the file itself never reads."""
    parameters: tuple[UnusedSeed, ...] = ()
    """Parameters that their function never reads."""


def read_seed_names(source: Source, is_test: bool) -> SeedNames:
    """The names of one file."""
    if not any(source.mentions(word) for word in ("seed", "Seed", "SEED", "rng", "random_state", "RandomState")):
        return SeedNames()
    members = frozenset(_members(source))
    return SeedNames(members) if is_test else SeedNames(members, tuple(_variables(source)), tuple(_parameters(source)))


def read_unused(names: Mapping[str, SeedNames], graph: Graph, settings: Settings) -> tuple[UnusedSeed, ...]:
    """Options, settings, variables, parameters, functions and generators for seeding that nothing uses."""
    groups = _groups(graph)
    read: dict[str, set[str]] = defaultdict(set)
    for path, found in names.items():
        read[groups[path]] |= found.members
    unused = [*_settings(settings, read, groups), *_functions(graph)]
    for path, found in names.items():
        elsewhere = read[groups[path]]
        unused += found.parameters
        unused += [v for v in found.variables if v.kind is Declared.GENERATOR or _normal(v.name) not in elsewhere]
    return tuple(sorted(unused, key=lambda u: (u.location.path, u.location.cell or 0, u.location.line or 0, u.name)))


def _groups(graph: Graph) -> dict[str, str]:
    """For each file the first of all files that are bound to it by imports, in either direction."""
    bound: dict[str, set[str]] = {path: set() for path in graph.outlines}
    for path, outline in graph.outlines.items():
        for other in outline.imported:
            if other in bound:
                bound[path].add(other)
                bound[other].add(path)
    groups: dict[str, str] = {}
    for first in bound:
        waiting = [first] if first not in groups else []
        while waiting:
            path = waiting.pop()
            if path not in groups:
                groups[path] = first
                waiting += bound[path]
    return groups


def _members(source: Source) -> Iterator[str]:
    shown = _Shown(source)
    for attribute in source.nodes(ast.Attribute):
        if _is_seed(attribute.attr) and isinstance(attribute.ctx, ast.Load) and not shown.has(attribute):
            yield _normal(attribute.attr)
    for text in source.strings:
        value = str(text.value)
        if len(value) < 60 and _is_seed(value) and not shown.has(text):
            yield _normal(value)
    yield from (_normal(parameter.arg) for parameter in source.nodes(ast.arg) if _is_seed(parameter.arg))
    for taken in source.nodes(ast.ImportFrom):
        yield from (_normal(alias.name) for alias in taken.names if _is_seed(alias.name))


@dataclass(slots=True)
class _Shown:
    """Texts and messages of a file: a seed that only appears there seeds nothing."""

    source: Source
    _spans: list[tuple[tuple[int, int], tuple[int, int]]] | None = None

    def has(self, node: ast.expr) -> bool:
        if self._spans is None:
            self._spans = [_span(n) for n in _showing(self.source)]
        start, end = _span(node)
        return any(a <= start and end <= b for a, b in self._spans)


def _span(node: ast.expr) -> tuple[tuple[int, int], tuple[int, int]]:
    return (node.lineno, node.col_offset), (node.end_lineno or node.lineno, node.end_col_offset or 0)


def _showing(source: Source) -> Iterator[ast.expr]:
    yield from source.nodes(ast.JoinedStr)
    yield from source.calls.of(_TELLING)


def _settings(settings: Settings, read: Mapping[str, set[str]], groups: Mapping[str, str]) -> Iterator[UnusedSeed]:
    """An option is read by files that import its parser; a configuration may be loaded by its path from anywhere."""
    anywhere = frozenset(name for members in read.values() for name in members)
    for key, declared in settings.by_key.items():
        for setting in declared if _is_seed(key) else ():
            group = groups.get(setting.location.path) if setting.rank is Rank.OPTION else None
            if key not in (anywhere if group is None else read[group]):
                kind = Declared.OPTION if setting.rank is Rank.OPTION else Declared.SETTING
                yield UnusedSeed(kind, setting.path, setting.location)


def _functions(graph: Graph) -> Iterator[UnusedSeed]:
    """Functions that set seeds and whose name nobody utters."""
    uttered = {
        name.name
        for outline in graph.outlines.values()
        for unit in outline.units
        for name in (*unit.mentions, *(e for e in unit.everything if not isinstance(e, Hit)))
    }
    for outline in graph.outlines.values():
        for unit in outline.units if not outline.is_test else ():
            seeds = [e for e in unit.everything if isinstance(e, Hit) and e.row.role is Role.SEEDS]
            free = unit.kind is Kind.FUNCTION and not unit.is_method and not unit.registered
            if seeds and free and unit.name not in uttered and unit.name != "main":
                yield UnusedSeed(Declared.FUNCTION, unit.name, seeds[0].location)


def _variables(source: Source) -> Iterator[UnusedSeed]:
    """Variables called like a seed, and generators under whatever name, that are never read here."""
    candidates: dict[str, UnusedSeed] = {}
    for node in source.nodes(ast.Assign):
        target = node.targets[0]
        if not isinstance(target, ast.Name):
            continue
        made = rows_for(source.resolve(node.value.func)) if isinstance(node.value, ast.Call) else ()
        if any(row.role is Role.CREATES for row in made):
            candidates[target.id] = UnusedSeed(Declared.GENERATOR, target.id, source.location(node))
        elif _is_seed(target.id) and not _is_words(node.value):
            candidates[target.id] = UnusedSeed(Declared.VARIABLE, target.id, source.location(node))
    shown = _Shown(source)
    for name in source.nodes(ast.Name) if candidates else ():
        if name.id in candidates and isinstance(name.ctx, ast.Load) and not shown.has(name):
            del candidates[name.id]
    yield from candidates.values()


def _is_words(value: ast.expr) -> bool:
    """A text that is no number: a message or a pattern about seeds, not one of them."""
    if isinstance(value, ast.JoinedStr):
        return True
    return isinstance(value, ast.Constant) and isinstance(value.value, str) and not value.value.strip().isdigit()


def _parameters(source: Source) -> Iterator[UnusedSeed]:
    functions: list[Function] = [*source.nodes(ast.FunctionDef), *source.nodes(ast.AsyncFunctionDef)]
    for function in functions:
        a = function.args
        for parameter in (*a.posonlyargs, *a.args, *a.kwonlyargs):
            if _is_seed(parameter.arg) and not _is_stub(function) and not _reads_name(function, parameter.arg):
                yield UnusedSeed(Declared.PARAMETER, parameter.arg, source.location(parameter))


def _reads_name(function: Function, name: str) -> bool:
    return any(
        (isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load))
        or (isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id in {"locals", "vars"})
        for statement in function.body
        for n in ast.walk(statement)
    )


def _is_stub(function: Function) -> bool:
    """Whether there is nothing but a docstring, `pass`, `...` or `raise`."""
    return all(
        isinstance(s, ast.Pass | ast.Raise) or (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))
        for s in function.body
    )


@lru_cache(maxsize=10_000)
def _is_seed(name: str) -> bool:
    return _SEED.fullmatch(name) is not None


def _normal(name: str) -> str:
    return name.replace("-", "_").lower()

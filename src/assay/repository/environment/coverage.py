"""Imports against declarations: which declaration covers a module, and which modules nobody declares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import field, replace

from packaging.utils import canonicalize_name

from assay.code import Language
from assay.patterns import regex
from assay.records import dataclass
from assay.repository.environment.declared import ITSELF, PYTHON, Declared, Kind, Manifest
from assay.repository.environment.distributions import VARIANT, Table, lines_of, table
from assay.repository.environment.extras import parts_of
from assay.repository.environment.imports import Outside

_EVERYTHING = frozenset({"anaconda"})
"""Distributions that bring the usual scientific packages all at once."""
_ANACONDA = frozenset(lines_of("anaconda.txt"))
_SHORT = 2
"""Modules with so short a name may be called like a word of some distribution by chance."""
_AFFIXES = regex(r"^(?:python|py|lib)-?(?=\w{3})|-?(?:python|py|api|lib|torch|pytorch)$")


@dataclass(frozen=True)
class Index:
    """Declarations by what they may provide."""

    table: Table
    by_name: dict[str, list[Declared]] = field(default_factory=dict)
    by_module: dict[str, list[Declared]] = field(default_factory=dict)
    by_bare_name: dict[str, list[Declared]] = field(default_factory=dict)
    """Declarations of what no table knows, by their names without separators and affixes."""
    by_word: dict[str, list[Declared]] = field(default_factory=dict)
    """The same by the words of their names, and by their beginnings: `bert-serving-client` is of `bert_serving`."""

    @classmethod
    def build(cls, declared: Iterable[Declared]) -> Index:
        """Index declarations of Python distributions."""
        index = cls(table())
        for one in declared:
            if one.language is Language.PYTHON and one.name not in {PYTHON, ITSELF} and one.applies:
                index._add(one)
        return index

    def _add(self, one: Declared) -> None:
        names = (one.name, *(parts_of(one) if one.extras else ()))
        for name in names:
            self.by_name.setdefault(name, []).append(one)
            for module in self.table.provided_by(name):
                self.by_module.setdefault(module, []).append(one)
        if not self.table.provided_by(one.name):
            self.by_bare_name.setdefault(bare_name(one.name), []).append(one)
            for word in _words(one.name):
                self.by_word.setdefault(word, []).append(one)

    def covering(self, outside: Outside) -> list[Declared]:
        """Declarations that provide a module."""
        found = dict.fromkeys(one for named in self._declarations(outside) for one in named)
        if not found:
            found = dict.fromkeys(self.by_bare_name.get(bare_name(outside.module), ()))
        if not outside.distributions and len(outside.module) > _SHORT:
            found |= dict.fromkeys(self.by_word.get(canonicalize_name(outside.module), ()))
        if not found and not _ANACONDA.isdisjoint(outside.distributions):
            found = dict.fromkeys(d for name in _EVERYTHING for d in self.by_name.get(name, ()))
        return list(found)

    def _declarations(self, outside: Outside) -> Iterator[Iterable[Declared]]:
        """Declarations of the module, of the packages that it is in, and of the distributions that have it."""
        parts = outside.module.split(".")
        for module in (".".join(parts[:end]) for end in range(1, len(parts) + 1)):
            if module == outside.module or module not in self.table.namespaces:
                yield self.by_module.get(module, ())
            yield self.by_name.get(canonicalize_name(module), ())
        yield from (self.by_name.get(name, ()) for name in outside.distributions)


def _words(name: str) -> set[str]:
    parts = name.split("-")
    return {*parts, *("-".join(parts[:end]) for end in range(2, len(parts)))}


def bare_name(name: str) -> str:
    """A name without what people add to or drop from it: separators, `python-`, `-py`, `-nightly`."""
    normal = VARIANT.sub("", canonicalize_name(name))
    return (_AFFIXES.sub("", normal) or normal).replace("-", "")


@dataclass(frozen=True, slots=True)
class Undeclared:
    """A module that is imported where no manifest declares it."""

    outside: Outside
    """The module, with only those uses that nothing covers."""
    mentioned: tuple[Declared, ...]
    """Commands that install it in passing, locks that have it for the sake of others, and READMEs that name it."""
    elsewhere: tuple[Declared, ...]
    """Declarations in manifests that speak for other folders."""


def undeclared_modules(
    outside: Iterable[Outside], declared: Iterable[Declared], manifests: Iterable[Manifest]
) -> tuple[Undeclared, ...]:
    """Modules with uses that no manifest covers. Where no manifest speaks for a file, all of them do."""
    scope_of = {m.path: m.scope for m in manifests if m.kind.asks and not m.kind.weak}
    index = Index.build(declared)
    found = (_undeclared(one, index.covering(one), scope_of) for one in outside)
    return tuple(one for one in found if one.outside.uses)


def _undeclared(one: Outside, covering: list[Declared], scope_of: Mapping[str, str]) -> Undeclared:
    """A module with those of its uses that no manifest covers."""
    strong = tuple(d for d in covering if d.location.path in scope_of)
    scopes = {scope_of[d.location.path] for d in strong}
    anywhere = frozenset(scope_of.values()) if strong else None
    bare = tuple(use for use in one.uses if _is_bare(use.location.path, scopes, anywhere))
    mentioned = tuple(d for d in covering if d.kind.weak or d.kind is Kind.LOCK)
    return Undeclared(replace(one, uses=bare), mentioned, strong)


def _is_bare(path: str, scopes: Set[str], anywhere: Set[str] | None) -> bool:
    """Whether no manifest that declares a module speaks for a file; one that no manifest speaks for needs any."""
    return not _speak(scopes, path) and (anywhere is None or _speak(anywhere, path))


def _speak(scopes: Set[str], path: str) -> bool:
    """Whether one of the folders is the one a file is in, or above it."""
    while path:
        path = path.rpartition("/")[0]
        if path in scopes:
            return True
    return False

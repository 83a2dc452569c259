"""Declarations of what nothing in the repository uses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from packaging.utils import canonicalize_name

from assay.code import Code, Language
from assay.patterns import regex
from assay.repository.environment.declared import Declared, Manifest
from assay.repository.environment.distributions import table, tools
from assay.tree import Tree

_CONFIGURATION = (".yaml", ".yml", ".json", ".cfg", ".ini", ".gin", ".sh", ".bash")
_IMPORTED = regex(r"^[ \t]*(?:from|import)[ \t]+([A-Za-z_][\w.]*)", re.MULTILINE)
"""What copies of other projects import: to parse them for that took most of the time of a run."""
_MAX_BYTES = 200_000
_MAX_FILES = 1000


def unused_declarations(
    declared: Iterable[Declared], manifests: Iterable[Manifest], tree: Tree, code: Code
) -> tuple[Declared, ...]:
    """Declarations whose modules are imported nowhere and named nowhere else in code or configuration.

    Only where imports can be expected: not for dumps of environments, groups for special purposes, tools, and
    distributions whose modules are not known.
    """
    used = _imported_names(code)
    normal = {canonicalize_name(name) for name in used}
    frozen = {m.path for m in manifests if m.frozen}
    suspects = {
        one: {one.name, *modules}
        for one in declared
        if _is_expected(one, frozen)
        and (modules := table().provided_by(one.name))
        and one.name not in normal
        and used.isdisjoint(modules)
    }
    manifest_paths = {m.path for m in manifests}
    named = _named_in_text({word for words in suspects.values() for word in words}, manifest_paths, tree, code)
    return tuple(one for one, words in suspects.items() if named.isdisjoint(words))


def _imported_names(code: Code) -> set[str]:
    """Every dotted module that any file imports, vendored ones too, its beginnings, and what is taken from it."""
    names = {name for source in code.sources if source.vendored for name in _IMPORTED.findall(source.text)}
    for imported in (one for source in code.own for one in source.imports if not one.level):
        names.add(imported.module)
        names.update(f"{imported.module}.{name}" for name in imported.names)
    return names | {".".join(name.split(".")[:end]) for name in names for end in (1, 2, 3)}


def _is_expected(one: Declared, frozen: set[str]) -> bool:
    names, beginnings = tools()
    tool = one.name in names or one.name.startswith(beginnings) or one.name.endswith(("-stubs", "-plugin"))
    strong = one.kind.asks and not one.kind.weak and not one.group and one.location.path not in frozen
    return strong and not tool and one.language is Language.PYTHON


def _named_in_text(words: set[str], manifests: set[str], tree: Tree, code: Code) -> set[str]:
    """Which of the words occur in code or configuration: back ends and plug-ins are chosen by name."""
    if not words:
        return set()
    texts = ((text, [word for word in words if word in text]) for text in _texts(manifests, tree, code))
    return {word for text, there in texts if there for word in _whole(frozenset(there)).findall(text)}


@lru_cache(maxsize=64)
def _whole(words: frozenset[str]) -> re.Pattern[str]:
    """Any of the words, as a word of its own; of two that begin alike, the longer."""
    return re.compile(rf"(?<![\w.-])(?:{'|'.join(sorted(map(re.escape, words), reverse=True))})(?![\w-])")


def _texts(manifests: set[str], tree: Tree, code: Code) -> Iterator[str]:
    configuration = [f for f in tree.by_suffix(*_CONFIGURATION) if not f.vendored and f.path not in manifests]
    yield from (f.text() for f in configuration[:_MAX_FILES] if f.size <= _MAX_BYTES)
    sources = [s for s in code.own if s.path not in manifests]
    yield from (s.text for s in sources[:_MAX_FILES] if s.size <= _MAX_BYTES)

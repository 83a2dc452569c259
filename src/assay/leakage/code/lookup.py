"""Asking the table of libraries."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache

from assay.leakage.code.effects import Effect, Role
from assay.leakage.code.library import (
    AMBIGUOUS,
    CALLS,
    ENDINGS,
    GROUPED_METHODS,
    ITEM_BY_ITEM,
    LOADERS_OF_PARTS,
    MEASURES,
    METHODS,
    SAME_PACKAGE,
    SCORED_PICTURES,
)
from assay.leakage.code.state.values import Kind
from assay.patterns import regex

_DISPLAYS = frozenset({"from_estimator", "from_predictions"})
_BRACKETS = regex(r"\(([^)]*)\)")


def rows_of(table: str) -> Iterator[tuple[Effect, list[str]]]:
    """Effect and further cells of each row."""
    joined = table.replace("\n    ", " ")
    for line in joined.splitlines():
        if line.strip() and not line.startswith("#"):
            first, *rest = (cell.strip() for cell in line.split("|"))
            yield _effect(first), rest


def _effect(text: str) -> Effect:
    """An effect as the table writes it: `transformer scale`, `splitter (rows)`."""
    bracket = _BRACKETS.search(text)
    role, *words = _BRACKETS.sub("", text).split()
    kinds = [Kind(word) for word in words if word != "supervised"]
    return Effect(Role(role), kinds[0] if kinds else None, "supervised" in words, bracket[1] if bracket else "")


@cache
def _tables() -> tuple[dict[tuple[str, str], Effect], dict[str, Effect]]:
    exact: dict[tuple[str, str], Effect] = {}
    bare: dict[str, Effect] = {}
    for effect, (package, names) in rows_of(CALLS):
        for name in names.split():
            exact[package, name] = effect
            if name not in AMBIGUOUS:
                bare.setdefault(name, effect)
    return exact, bare


@lru_cache(maxsize=8192)
def effect_of(name: str) -> Effect | None:
    """The effect of calling this name of a library; None when the table does not know it."""
    exact, bare = _tables()
    root, _, rest = name.partition(".")
    last = name.rpartition(".")[2]
    if last == "load_data" and any(part in LOADERS_OF_PARTS for part in name.split(".")):
        return Effect(Role.READ_PARTS)
    if last in _DISPLAYS and name.rpartition(".")[0].endswith(SCORED_PICTURES):
        return Effect(Role.METRIC)
    if not rest:
        return bare.get(name)
    return exact.get((SAME_PACKAGE.get(root, root), last))


@lru_cache(maxsize=8192)
def namesake(name: str) -> Effect | None:
    """A class of an unknown module that bears the name of one of scikit-learn's: a copy, a backport, a port."""
    module, _, last = name.rpartition(".")
    if not module or known_package(name) or not last[:1].isupper():
        return None
    return effect_of(f"sklearn.{last}")


@cache
def _measures() -> frozenset[str]:
    return frozenset(MEASURES.split())


def scores_by_name(name: str) -> bool:
    """Whether a function that the table does not know bears the name of a measure."""
    last = name.rpartition(".")[2].lower().strip("_")
    return last in _measures() or last.endswith(("_score", "_accuracy", "_error")) or last.startswith("mean_absolute")


@lru_cache(maxsize=8192)
def guessed(name: str) -> Effect | None:
    """The effect of a class that the table does not know, by how its name ends; None when it is no class."""
    last = name.rpartition(".")[2]
    if not last[:1].isupper() or last.isupper():
        return None
    known = (effect for effect, (names,) in rows_of(ENDINGS) for ending in names.split() if last.endswith(ending))
    return next(known, Effect(Role.WRAPPER, how="unknown"))


@cache
def _packages() -> frozenset[str]:
    return frozenset(package for package, _ in _tables()[0])


def known_package(name: str) -> bool:
    """Whether the table has rows about this package."""
    root = name.partition(".")[0]
    return SAME_PACKAGE.get(root, root) in _packages()


@lru_cache(maxsize=8192)
def is_constant(name: str) -> bool:
    """Whether a name is a constant of a library, such as `cv2.COLOR_BGR2RGB`: an option, no table."""
    package, _, last = name.partition(".")
    return last.rpartition(".")[2].isupper() and len(last) > 1 and (known_package(name) or package in ITEM_BY_ITEM)


@cache
def method_effects(grouped: bool) -> dict[str, Effect]:
    """The effects of methods on tables and columns, or on what `groupby` gives."""
    table = GROUPED_METHODS if grouped else METHODS
    return {name: effect for effect, (names,) in rows_of(table) for name in names.split()}

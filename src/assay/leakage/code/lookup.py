"""Asking the tables of libraries what a call does to rows."""

from __future__ import annotations

from functools import lru_cache

from assay.leakage.code.effects import Effect, How, Role
from assay.leakage.code.state.values import Kind
from assay.libraries.catalogue import catalogue
from assay.libraries.row import Row

_NAMESAKES = "sklearn"
"""The library whose classes others copy, port back or re-implement under the same names."""


@lru_cache(maxsize=8192)
def effect_in(row: Row) -> Effect:
    """What a row says, as the interpreter has it."""
    kind = None if row.step is None else Kind(row.step.value)
    return Effect(row.role, kind, row.supervised, row.how, row.type, row)


def effect_of(name: str) -> Effect | None:
    """The effect of calling this name of a library; None when no row is about it."""
    row = catalogue().call(name)
    return None if row is None else effect_in(row)


def namesake(name: str) -> Effect | None:
    """A class of an unknown module with the name of one of scikit-learn's: a copy, a backport, a port."""
    module, _, last = name.rpartition(".")
    if not module or known_package(name) or not last[:1].isupper():
        return None
    return effect_of(f"{_NAMESAKES}.{last}")


def scores_by_name(name: str) -> bool:
    """Whether a function that no row describes has the name of a measure."""
    last = name.rpartition(".")[2].lower().strip("_")
    return any(row.role is Role.METRIC for row in catalogue().guesses(last))


@lru_cache(maxsize=8192)
def guessed(name: str) -> Effect | None:
    """The effect of a class that no row describes, by how its name ends; None when it is no class."""
    last = name.rpartition(".")[2]
    if not last[:1].isupper() or last.isupper():
        return None
    made = (effect_in(row) for row in catalogue().guesses(last) if row.role is not Role.METRIC)
    return next(made, Effect(Role.WRAPPER, how=How.UNKNOWN))


def known_package(name: str) -> bool:
    """Whether there are rows about this package."""
    return catalogue().describes(name)


@lru_cache(maxsize=8192)
def is_constant(name: str) -> bool:
    """Whether a name is a constant of a library, such as `cv2.COLOR_BGR2RGB`: an option, no table."""
    last = name.partition(".")[2]
    return last.rpartition(".")[2].isupper() and len(last) > 1 and (known_package(name) or one_by_one(name))


def one_by_one(name: str) -> bool:
    """Whether a call is of a package that works on one picture, sound or molecule at a time."""
    return catalogue().otherwise(name) == "one by one"


def method_effect(name: str, *, grouped: bool) -> Effect | None:
    """The effect of a method of a table or column, or of what `groupby` gives."""
    row = catalogue().method("group" if grouped else "table", name)
    return None if row is None else effect_in(row)


def method_row(effect: Effect, name: str) -> Row | None:
    """The row of a method of an object."""
    return catalogue().method(effect.type or effect.role, name)


def attribute_row(effect: Effect, name: str) -> Row | None:
    """The row of an attribute of an object."""
    return catalogue().attribute(effect.type or effect.role, name)

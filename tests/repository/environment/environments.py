"""Small repositories in memory, and what is read off them."""

from collections.abc import Mapping

from assay.code import read_code
from assay.repository.environment import Declared, EnvironmentFacts, Pin, read_environment
from assay.tree import tree_of


def environment(files: Mapping[str, str | bytes]) -> EnvironmentFacts:
    tree = tree_of(files)
    return read_environment(tree, read_code(tree))


def declared(files: Mapping[str, str | bytes]) -> dict[str, Declared]:
    """Declarations by name; the last of several wins."""
    return {one.name: one for one in environment(files).declared}


def pins(files: Mapping[str, str | bytes]) -> dict[str, Pin]:
    return {name: one.pin for name, one in declared(files).items()}


def undeclared(files: Mapping[str, str | bytes]) -> list[str]:
    return [one.outside.module for one in environment(files).undeclared]

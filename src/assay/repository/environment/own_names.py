"""Modules whose name alone shows that they are the authors' own, though no file of the repository has it."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from assay.patterns import regex
from assay.repository.environment.distributions import generic_names, table
from assay.tree import Tree

_NUMBER = regex(r"_?v?\d{1,3}$")
_LEFT_OUT = regex(r"^[ \t]*/?(?:[\w.*-]{1,60}/){0,8}([A-Za-z]\w{0,60})\.py[ \t]*$", re.MULTILINE)
_MOST_LISTS = 50


def is_everyday(module: str) -> bool:
    """Whether people call their own modules so, perhaps with a number: `utils`, `model_v2`, `_helpers`."""
    return module.startswith("_") or not generic_names().isdisjoint((module, _NUMBER.sub("", module)))


def is_own_by_name(module: str, providers: Sequence[str], withheld: Set[str]) -> bool:
    """Whether a module is called as people call their own, or its file is kept out of the repository on purpose.

    That some distribution which few know is called so means nothing.
    """
    if not providers:
        return is_everyday(module) or module in withheld
    known = module in table().popular or not table().by_hand.isdisjoint(providers)
    return not known and module in generic_names()


def withheld_modules(tree: Tree) -> frozenset[str]:
    """Modules whose files the repository tells git, one by one, to ignore."""
    lists = [file for file in tree.by_name(".gitignore")[:_MOST_LISTS] if not file.vendored]
    return frozenset(name for file in lists for name in _LEFT_OUT.findall(file.text()))

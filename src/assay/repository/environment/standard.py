"""Modules that come with the language, in any version that audited code may have been written for."""

from __future__ import annotations

import sys
from functools import cache

from assay.repository.tables import load_table
from assay.repository.vocabulary import vocabulary

_WORDS = vocabulary("assay.repository.environment", "modules.toml")
MODULES = frozenset(sys.stdlib_module_names) | _WORDS.words("gone", "new", "always_there")
"""Everything that needs no declaration, in Python 2.7 to today's."""
JULIA = _WORDS.words("julia")
R = _WORDS.words("r")
_OF_ROS = ("_msgs", "_srvs", "_ros")


def platform_of(module: str) -> str:
    """The only platform that has a module; empty when there is none of that kind."""
    top = module.partition(".")[0]
    names = (module, ".".join(module.split(".")[:2]), top)
    return "ROS" if top.endswith(_OF_ROS) else next((_platforms()[name] for name in names if name in _platforms()), "")


@cache
def _platforms() -> dict[str, str]:
    """Modules that nobody can install from an index, and the platform that has them."""
    read = load_table("assay.repository.environment", "tables/platforms.toml")
    return {module: platform for platform, modules in read.items() for module in modules.split()}

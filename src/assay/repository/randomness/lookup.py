"""From a called function's name to the rows of the table that are about it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Set
from functools import lru_cache

from assay.patterns import regex
from assay.repository.randomness.roles import Row
from assay.repository.randomness.table import ROWS

_SEEDING_NAME = regex(
    r"_?(?:set|fix|setup|init|seed|manual|same|make|enforce|initiali[sz]e|reset|improve|ensure)?_?(?:all|the|up|global|torch|random|np)?"
    r"_?(?:random_?)?(?:seeds?|randomness|determinis(?:m|tic)|reproducib(?:le|ility))(?:_?(?:everything|everywhere|all|torch|rng))*"
)


@lru_cache(maxsize=10_000)
def is_seeding_name(name: str) -> bool:
    """Whether a function called so sets seeds, as in set_seed, seed_everything, fix_random_seeds, setup_seed."""
    lowered = name.lower()
    if not any(word in lowered for word in ("seed", "determinis", "reproducib", "randomness")):
        return False
    return "_" in name.strip("_") and _SEEDING_NAME.fullmatch(lowered) is not None and "get" not in lowered


@lru_cache(maxsize=4096)
def rows_for(name: str) -> tuple[Row, ...]:
    """The rows of a function by its full name; the longest package wins."""
    last = name.rpartition(".")[2]
    if "(" in name or "[" in name:
        return ()
    fitting = [row for row in _BY_NAME.get(last, ()) if name.startswith(row.package + ".")]
    if not fitting:
        fitting = [row for row in _WILD if name.startswith(row.package + ".")]
    longest = max((len(row.package) for row in fitting), default=0)
    return tuple(row for row in fitting if len(row.package) == longest)


@lru_cache(maxsize=4096)
def begins_row(name: str) -> bool:
    """Whether an imported name is that of a function in the table, or may begin one by a package of which all are."""
    packages = (row.package for row in _WILD)
    any_of_it = any(f"{name}.".startswith(f"{p}.") or p.startswith(f"{name}.") for p in packages)
    return any_of_it or name.rpartition(".")[2] in FUNCTIONS


def method_rows(receiver: str, method: str, imported: Set[str]) -> tuple[Row, ...]:
    """The rows of a method called on an object of this name, in a file that imports these packages."""
    return tuple(
        row
        for row in _METHODS.get(method, ())
        if (not row.package or row.package in imported) and re.search(row.receivers or "", receiver)
    )


_BY_NAME: dict[str, list[Row]] = defaultdict(list)
_METHODS: dict[str, list[Row]] = defaultdict(list)
_WILD = [row for row in ROWS if row.names == "*"]
for _row in ROWS:
    for _name in _row.names.split():
        (_BY_NAME if _row.receivers is None else _METHODS)[_name].append(_row)
ROOTS = frozenset(row.package.partition(".")[0] for row in ROWS if row.package)
METHODS = frozenset(_METHODS)
FUNCTIONS = frozenset(_BY_NAME)

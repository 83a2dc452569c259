"""What a file calls, and where: readers look up the few names they need instead of walking over all calls."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Collection, Mapping

from assay.code.names import first_name, last_name
from assay.records import dataclass

Spots = Mapping[str, list[int]]


@dataclass(frozen=True, slots=True)
class Calls:
    """The calls of a file in source order, indexed by name and keywords."""

    nodes: list[ast.Call]
    lasts: Spots
    """By the last part of the called name, as `last_name` gives it."""
    firsts: Spots
    """By the first part of the called name: `a` of `a.b().c[0]()`."""
    keywords: Spots
    """By keyword arguments."""

    def of(
        self, lasts: Collection[str], firsts: Collection[str] = (), keywords: Collection[str] = ()
    ) -> list[ast.Call]:
        """Calls with one of these last names, first names or keywords."""
        found: set[int] = set()
        for names, spots in ((lasts, self.lasts), (firsts, self.firsts), (keywords, self.keywords)):
            few, many = (names, spots) if len(names) < len(spots) else (spots, names)
            for name in few:
                if name in many:
                    found.update(spots[name])
        return [self.nodes[i] for i in sorted(found)] if found else []


def index_calls(nodes: list[ast.Call]) -> Calls:
    """Index each call by its last name, first name and keywords."""
    lasts: dict[str, list[int]] = defaultdict(list)
    firsts: dict[str, list[int]] = defaultdict(list)
    keywords: dict[str, list[int]] = defaultdict(list)
    for i, call in enumerate(nodes):
        last = last_name(call.func)
        lasts[last].append(i)
        firsts[last if type(call.func) is ast.Name else first_name(call.func)].append(i)
        for keyword in call.keywords:
            if keyword.arg is not None:
                keywords[keyword.arg].append(i)
    return Calls(nodes, lasts, firsts, keywords)

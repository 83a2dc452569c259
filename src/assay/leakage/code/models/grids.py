"""How many settings a search goes through, as far as they are written out."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from assay.leakage.code.effects import Effect, Role
from assay.leakage.code.state.values import Mapping, Seq, Value

if TYPE_CHECKING:
    from assay.leakage.code.language.call import Call
    from assay.leakage.code.state.machine import Machine

_MANY = 4
"""Two or three settings side by side are a comparison."""
_GRIDS = ("param_grid", "param_distributions", "search_spaces", "space")


def noted(c: Call, effect: Effect) -> None:
    """Write down a search that is given two or three settings, all written out."""
    grid = c.value(1, *_GRIDS) if effect.role is Role.SEARCH else None
    tried = None if grid is None else _in(c.m, grid)
    if tried is not None and tried < _MANY:
        c.m.trace.comparisons.add(c.site)


def _in(m: Machine, grid: Value) -> int | None:
    """The number of settings in a grid, or in several; None where they are not written out."""
    plain = m.plain(grid)
    if isinstance(plain, Seq) and not plain.open:
        several = [_in(m, one) for one in plain.items]
        return None if None in several else sum(n for n in several if n is not None)
    if not isinstance(plain, Mapping) or plain.open:
        return None
    values = [m.plain(value) for _, value in plain.items]
    if not all(isinstance(v, Seq) and not v.open for v in values):
        return None
    return prod(len(v.items) for v in values if isinstance(v, Seq))

"""Windows along the one item that a loop is at: once they are summed up, they are a feature of it, not rows."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from assay.leakage.code.state.rows import meet
from assay.leakage.code.state.values import Data, Kind
from assay.records import replace

if TYPE_CHECKING:
    from assay.leakage.code.language.call import Call


def summed_up(c: Call, data: Data) -> Data:
    """`np.mean(spectra)`, where `spectra` are of windows of the recording at hand: one number for the recording.

    Where the item itself is a window, its neighbours overlap it, whatever is made of it.
    """
    windows = frozenset(mark for mark in data.marks if mark.kind is Kind.WINDOW)
    items = [item for item in _items(c) if meet(item.rows, data.rows)] if windows and c.m.loops else []
    gone = windows.difference(*(item.marks for item in items)) if items else frozenset()
    return replace(data, marks=data.marks - gone) if gone else data


def _items(c: Call) -> list[Data]:
    """What the loops around are at."""
    targets = (loop.target for loop in c.m.loops if isinstance(loop, ast.For))
    names = {n.id for target in targets for n in ast.walk(target) if isinstance(n, ast.Name)}
    values = (c.m.scope.find(name) for name in sorted(names))
    return [c.m.data(value) for value in values if value is not None]

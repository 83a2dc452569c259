"""Rows and their labels in one value: what only the labels know is no feature."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.leakage.code.state.values import OF_OUTCOMES, Data, Kind, Seq, Value
from assay.records import replace

if TYPE_CHECKING:
    from assay.leakage.code.state.machine import Machine

_PAIR = 2


def unlabelled(m: Machine, item: Value, whole: Data) -> Data:
    """Rows with their labels as one, without statistics that only the labels know: features come first.

    The last row of a machine says how long it ran; that is what to predict. Of a pair, no scale of the labels
    reaches the features either.
    """
    parts = m.plain(item)
    if not isinstance(parts, Seq) or len(parts.items) < _PAIR:
        return whole
    known = m.data(parts.items[0]).marks
    told = OF_OUTCOMES if len(parts.items) == _PAIR else {Kind.STATISTIC}
    return replace(whole, marks=frozenset(k for k in whole.marks if k in known or k.kind not in told))

"""Objects of the audited code that a loop gives a score, one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.leakage.code.state.values import Instance, Seq, Value
from assay.records import replace

if TYPE_CHECKING:
    from assay.leakage.code.state.machine import Machine


def told_of_each(m: Machine, items: Seq, element: Value) -> None:
    """`for one in herd: one.fitness = score(one)`: where one object stood for all, each of them has its score now.

    Rows that the loop gave it stay where they are: each object may have those of its own part.
    """
    stood = m.plain(element)
    if len(items.items) == 1 or not isinstance(stood, Instance):
        return
    scores = {name: value for name, value in stood.attributes if m.data(value).is_score}
    for item in items.items if scores else ():
        held = m.plain(item)
        if isinstance(held, Instance) and held.cls is stood.cls:
            m.store(item, replace(held, attributes=tuple((dict(held.attributes) | scores).items())))

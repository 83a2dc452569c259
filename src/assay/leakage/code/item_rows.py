"""The rows that a data set hands out, which may be fewer than those that it keeps."""

from __future__ import annotations

from assay.leakage.code.rows import Part, Rows

_SIDES = ("train", "test", "val")


def handed_out(held: Rows, items: Rows) -> Rows:
    """The rows that an object holds, of each table only the sides of divisions that its items lie on.

    `self.table[self.places[i]]`: the whole table is kept beside the positions of the rows to hand out.
    """
    found: set[Part] = set()
    for whole in held:
        inside = (part for part in items if part.origin == whole.origin and whole.cuts <= part.cuts)
        further = {frozenset(c for c in part.cuts - whole.cuts if c.side in _SIDES) for part in inside}
        found |= {whole._replace(cuts=whole.cuts | cuts) for cuts in further} or {whole}
    return frozenset(found)

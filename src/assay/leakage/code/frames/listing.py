"""Folders whose files are listed by a path itself: `Path("scans").glob("*.png")`."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from assay.leakage.code.language.call import fresh
from assay.leakage.code.state.rows import OriginKind
from assay.leakage.code.state.values import Const, Data, Shape, Value

if TYPE_CHECKING:
    from assay.leakage.code.language.call import Call

_LISTS = frozenset({"glob", "rglob", "iterdir"})


def listed(c: Call, owner: Value) -> Value | None:
    """The files of a folder, as `glob.glob` and `os.listdir` give them: what is read from them are their rows.

    Of a folder that is not known, each place that lists one lists another. A pattern that is a name of one file only
    asks where that lies.
    """
    if c.name not in _LISTS:
        return None
    folder = owner.value if isinstance(owner, Const) else None
    if not isinstance(folder, str) and not (isinstance(owner, Data) and owner.shape is Shape.SUMMARY):
        return None
    if isinstance(owner, Data) and (owner.rows or owner.predictions):
        return None
    wanted = c.constant(0, "pattern", default="*")
    if isinstance(wanted, str) and not any(sign in wanted for sign in "*?["):
        return None
    known = isinstance(folder, str) and isinstance(wanted, str)
    key: Hashable = ("file", f"{folder}/{wanted}", c.name) if known else ("at", c.node, c.m.stack, c.m.rounds)
    return fresh(c, OriginKind.READ, f"pathlib.{c.name}", key)

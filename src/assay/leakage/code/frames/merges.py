"""Tables looked up in each other: whose rows the result has, and what its columns know under which names."""

from __future__ import annotations

from assay.leakage.code.language.call import Call, kept
from assay.leakage.code.learnt import tallies
from assay.leakage.code.state.rows import is_grouped
from assay.leakage.code.state.values import Data, Mark, Shape, Value
from assay.records import replace


def merge(c: Call) -> Value:
    """A table looked up in another: rows of both."""
    whole = kept(c, c.base)
    others = [d for d in c.all_data() if d != c.base]
    learnt = any(d.shape is Shape.SUMMARY for d in others)
    brought = {k: k for k in whole.marks} | {
        k: replace(k, into=frozenset(f"{name}*" for name in names))  # `points_y`, where both have `points`
        for d in others
        if (names := _brought(c, d))
        for k in d.marks - c.base.marks
        if k.into is None
    }
    brought = {k: _told_apart(c, others, mark) for k, mark in brought.items()}
    brought |= _of_groups(c, brought)
    only = c.base.columns.only if learnt and c.base.rows else None
    return replace(
        whole,
        shape=Shape.TABLE,
        marks=frozenset(brought.values()),
        columns=replace(c.base.columns, only=only if only is None else only.union(*(_brought(c, d) for d in others))),
    )


def _of_groups(c: Call, brought: dict[Mark, Mark]) -> dict[Mark, Mark]:
    """What a table knows that has a row for each group, once it is looked up by a key."""
    keys = frozenset[str]().union(*(c.m.names(c.value(-1, how)) or () for how in ("on", "left_on")))
    new = {k: mark for k, mark in brought.items() if k not in c.base.marks}
    return {k: next(iter(tallies.looked_up_by(keys, frozenset({mark})))) for k, mark in new.items()}


def _brought(c: Call, looked_up: Data) -> frozenset[str]:
    """The columns that another table brings along, where they are known: all but those that it is looked up by."""
    return (looked_up.columns.only or frozenset()) - _keys(c)


def _told_apart(c: Call, others: list[Data], mark: Mark) -> Mark:
    """What a column knows, under the names that it has once another of that name stands beside it: `speed_left`.

    Two parts of one table have the same columns; of other tables that may be so where a suffix is given.
    """
    if mark.into is None:
        return mark
    written = _suffixes(c)
    both = {name for name in mark.into.difference(_keys(c)) if _in_each(name, c.base, others)}
    twice = {name for name in mark.into.difference(_keys(c)) if "*" not in name} if written else both
    return replace(mark, into=mark.into - both | {f"{name}{end}" for name in twice for end in written or ("_x", "_y")})


def _suffixes(c: Call) -> list[str]:
    """The endings that columns of the same name are given, where they are written."""
    given = c.constant(-1, "suffixes") or [c.constant(-1, "lsuffix"), c.constant(-1, "rsuffix")]
    return [end for end in given if isinstance(end, str)] if isinstance(given, list) else []


def _keys(c: Call) -> frozenset[str]:
    """The columns by which a table is looked up."""
    return frozenset().union(*(c.m.names(c.value(-1, how)) or () for how in ("on", "left_on", "right_on")))


def _in_each(name: str, table: Data, others: list[Data]) -> bool:
    """Whether a table and other parts of the same table have a column."""
    origins = {part.origin for part in table.rows}
    alike = [d for d in others if any(part.origin in origins and not is_grouped(part) for part in d.rows)]
    return bool(alike) and "*" not in name and all(one.columns.has(name) for one in (table, *alike))
